"""Listings: what one tool chooses its skills from. Names and descriptions only, cut where its budget ends.

An estimate: the tools do not say in which order they list, so the registry's is taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from weave_tui.broker.fields import SkillText
from weave_tui.broker.registry import Registry
from weave_tui.protocol import Platform
from weave_tui.skills import Skill

AROUND = 4
"""Characters around a name and a description: a bullet, a colon, blanks, a line end."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What a tool's listing holds, in characters; None where nothing is known to be cut.

    total: the whole listing. description: of one skill. source and date: where that is from, and as of when.
    """

    total: int | None
    description: int | None
    source: str
    date: str = "2026-11"


BUDGETS: Mapping[Platform, Budget] = {
    "claude_code": Budget(
        8_000, 1_536, "1 % of a context of 200,000 tokens at 4 characters (anthropics/claude-code#60560, #68135)"
    ),
    "codex": Budget(8_000, None, "2 % of the context, or 8,000 characters"),
    "cursor": Budget(None, None, "no limit is documented"),
    "windsurf": Budget(None, None, "no limit is documented for descriptions"),
}


class Tag(StrEnum):
    """How a skill stands in its tool's listing."""

    FULL = "full"
    CUT = "cut"
    NAME_ONLY = "name only"
    OFF = "off"
    ALWAYS = "always"


@dataclass(frozen=True, slots=True)
class Listing:
    """Of every skill of a registry, by position: how it is listed, and what of it is to be read there."""

    platform: Platform
    budget: Budget
    tags: tuple[Tag, ...]
    texts: tuple[SkillText, ...]
    characters: int
    """What listing all of them in full would take."""

    @property
    def barred(self) -> frozenset[int]:
        """What is not chosen from the listing: always read, or never listed."""
        return frozenset(i for i, tag in enumerate(self.tags) if tag in {Tag.OFF, Tag.ALWAYS})

    @property
    def counts(self) -> Counter[Tag]:
        return Counter(self.tags)

    @property
    def summary(self) -> str:
        """How much of it the tool sees, in a sentence."""
        listed = len(self.tags) - len(self.barred)
        fit = self.counts[Tag.FULL] + self.counts[Tag.CUT]
        return f"of {listed:,} skills about {fit:,} fit (an estimate of {self.budget.date})"


def characters(registry: Registry, platform: Platform) -> int:
    """What listing all of a tool's skills in full would take."""
    return sum(
        len(skill.name) + len(skill.description) + AROUND
        for position, skill in enumerate(registry.skills)
        if skill.platform == platform and _unlisted(skill, is_shadowed=position in registry.shadowed) is None
    )


def listing(registry: Registry, platform: Platform) -> Listing:
    """The listing of a registry that holds one tool's skills."""
    budget = BUDGETS[platform]
    left = budget.total
    tags, texts = [], []
    for position, skill in enumerate(registry.skills):
        tag = _unlisted(skill, is_shadowed=position in registry.shadowed)
        shown = skill.description
        if tag is None:
            shown = skill.description[: budget.description]
            tag = Tag.FULL if shown == skill.description else Tag.CUT
            cost = len(skill.name) + len(shown) + AROUND
            if left is not None and cost > left:
                # A listing that is full stays so: what comes later is known by its name.
                tag, shown, left = Tag.NAME_ONLY, "", 0
            elif left is not None:
                left -= cost
        tags.append(tag)
        texts.append(SkillText(skill.name, shown))
    return Listing(platform, budget, tuple(tags), tuple(texts), characters(registry, platform))


def _unlisted(skill: Skill, *, is_shadowed: bool) -> Tag | None:
    """Why a skill is in no listing; None when it is."""
    if skill.activation == "always":
        return Tag.ALWAYS
    return Tag.OFF if is_shadowed or skill.activation != "described" else None
