"""Drafts: a skill's description and triggers as they would be, ranked before anything is written.

What is previewed is what would be read: the rewritten text goes through the reader, so the ranking of a draft is
that of the file once it is saved.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice
from pathlib import Path

from weave_tui.broker import Broker, Row, Rules
from weave_tui.broker.broker import skill_text
from weave_tui.broker.listing import BUDGETS, characters
from weave_tui.lab.selftest import Echo
from weave_tui.lab.verdicts import asked
from weave_tui.skills import Skill, Where, frontmatter
from weave_tui.skills.edits import Edit
from weave_tui.skills.files import UnreadableError, decode, read_bytes
from weave_tui.skills.find import Found, MissingPathError, find
from weave_tui.skills.read import DESCRIPTION_LIMIT, as_list, read_text
from weave_tui.skills.repairs import repair
from weave_tui.skills.rewrite import DESCRIPTION, TRIGGERS, EditError, checked, field_name, rewritten
from weave_tui.skills.rewrite_json import rewritten_json

SHOWN_ROWS = 5


class Home(StrEnum):
    """Where trigger patterns are written."""

    FILE = "the skill file"
    SIDECAR = "the sidecar"


@dataclass(frozen=True, slots=True)
class Draft:
    """A skill's file, and its sidecar where it has one, as they are on disk, and what they say.

    homes: where triggers could be written, the one that holds them now first; one where there is no choice.
    """

    skill: Skill
    found: Found
    data: bytes
    sidecar_data: bytes | None
    description: str
    triggers: tuple[str, ...]
    homes: tuple[Home, ...]

    @property
    def text(self) -> str:
        return decode(self.data)

    @property
    def sidecar_text(self) -> str | None:
        return None if self.sidecar_data is None else decode(self.sidecar_data)


def open_draft(skill: Skill) -> Draft:
    """The draft of a skill as it is on disk now. Raises `EditError` when it cannot be edited here."""
    if skill.kind in ("instructions", "flow"):
        raise EditError(f"{skill.path.name} has no frontmatter that says when to use it: e opens it in $EDITOR")
    try:
        found = find(Where((skill.locations[0],), platform=skill.platform)).found.get(str(skill.path))
    except MissingPathError:
        found = None
    if found is None:
        raise EditError(f"{skill.path} is no longer there: r reads again")
    try:
        data = read_bytes(skill.path)
        text = decode(data)
        sidecar = read_bytes(Path(found.sidecar)) if found.sidecar else None
        spoken = _spoken(decode(sidecar)) if sidecar is not None else None
    except UnreadableError as error:
        raise EditError(f"{skill.path}: {error}") from error
    fields = frontmatter.split(text, repair).fields
    described = fields.get(DESCRIPTION)
    written = fields.get(field_name(text, TRIGGERS[0]))
    homes: tuple[Home, ...] = (Home.FILE,)
    triggers = tuple(as_list(written))
    if spoken is not None:
        homes, triggers = (Home.SIDECAR,), spoken
    elif sidecar is not None and not triggers:
        homes = (Home.FILE, Home.SIDECAR)
    description = described.value if described and isinstance(described.value, str) else ""
    return Draft(skill, found, data, sidecar, " ".join(description.split()), triggers, homes)


def _spoken(text: str) -> tuple[str, ...] | None:
    """The trigger patterns that a sidecar gives, None when it gives none."""
    try:
        given = json.loads(text.removeprefix("\ufeff")).get(TRIGGERS[0])
    except (ValueError, AttributeError, RecursionError):
        return None
    return tuple(map(str, given)) if isinstance(given, list) else None


@dataclass(frozen=True, slots=True)
class Reworded:
    """The skill as it would be read, and the edits that make it so; none when nothing changed."""

    skill: Skill
    edits: tuple[Edit, ...]


def reworded(draft: Draft, description: str, triggers: Sequence[str], home: Home) -> Reworded:
    """The draft with that description and those triggers. Raises `EditError` with what is wrong."""
    text, spoken = draft.text, draft.sidecar_text
    if checked(description) != draft.description:
        text = rewritten(text, DESCRIPTION, description)
    patterns = checked(tuple(triggers))
    if patterns != draft.triggers:
        if home is Home.FILE:
            text = rewritten(text, TRIGGERS[0], tuple(patterns))
        else:
            spoken = rewritten_json(spoken or "{}", TRIGGERS[0], tuple(patterns))
    reading = read_text(draft.found, text, spoken)
    if reading.skill is None:
        raise EditError("this would no longer be a skill: it needs a name or a description")
    offered = reading.skill.advertisement
    advertisement = draft.skill.advertisement.model_copy(update={"trigger_patterns": offered.trigger_patterns})
    skill = replace(draft.skill, description=reading.skill.description, advertisement=advertisement)
    return Reworded(skill, tuple(_edits(draft, text, spoken)))


def _edits(draft: Draft, text: str, spoken: str | None) -> Iterator[Edit]:
    if text != draft.text:
        yield Edit(draft.skill.path, draft.data, text.encode())
    if spoken is not None and draft.sidecar_data is not None and spoken != draft.sidecar_text:
        yield Edit(Path(draft.found.sidecar).resolve(), draft.sidecar_data, spoken.encode())


@dataclass(frozen=True, slots=True)
class Standing:
    """A skill's place among distinct skills, from 1, and its score; the best rows of that ranking."""

    place: int
    score: float
    rows: tuple[Row, ...]


def ranked(broker: Broker, position: int, query: str, rules: Rules) -> Standing | None:
    """How the skill at `position` stands for a query; None without one, or when it cannot be chosen."""
    if not query.strip():
        return None
    selection = asked(broker, query, rules)
    groups = selection.ranking.registry.groups
    place = next((n for n, row in enumerate(selection.distinct(), 1) if groups[row.position] == groups[position]), 0)
    if not place or not selection.is_known:
        return None
    best = tuple(islice(selection.distinct(), SHOWN_ROWS))
    return Standing(place, selection.ranking.row(position).score, best)


def edited(broker: Broker, position: int, skill: Skill) -> Broker:
    """A broker in which the skill at `position` says what `skill` says."""
    return broker.reworded({position: skill_text(skill)})


def scores_of(broker: Broker, position: int, echoes: Sequence[Echo], rules: Rules) -> Iterator[float]:
    """What the skill at `position` scores for each phrase of a self-test."""
    for echo in echoes:
        yield asked(broker, echo.phrase.text, rules).ranking.row(position).score


def echo_changes(
    echoes: Sequence[Echo], position: int, before: Sequence[float], after: Sequence[float]
) -> tuple[int, int]:
    """How many phrases of other skills an edit lets go of, and how many it takes, by the edited skill's scores.

    The others' scores are those of the self-test: what one skill's words do to the rareness of a term is left out.
    """
    let_go = taken = 0
    for echo, old, new in zip(echoes, before, after, strict=True):
        if echo.phrase.position != position:
            let_go += echo.is_lost and old > echo.score >= new
            taken += not echo.is_lost and new > echo.score >= old
    return let_go, taken


def counters(broker: Broker, skill: Skill, description: str) -> str:
    """How long a description is beside what tools read of it, and what their listing would take."""
    budget = BUDGETS[skill.platform]
    parts = [f"{len(description):,} / {DESCRIPTION_LIMIT:,} characters"]
    if budget.description:
        parts.append(f"{budget.description:,} are listed")
    if budget.total:
        used = characters(broker.registry, skill.platform) - len(skill.description) + len(description)
        parts.append(f"the listing takes {used:,} of about {budget.total:,}")
    return " · ".join(parts)
