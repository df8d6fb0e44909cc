"""Who is composed: declared agents, category shuttles and review variants (spec C.6).

Only this module generates agents. A member knows where its prompt comes from, so composing
treats the three kinds alike.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from weave_tui.prompts.errors import CompositionError, SourceKind
from weave_tui.prompts.layers import Loaded
from weave_tui.prompts.model import APPEND, PROMPT, Agent, Category, ToolPolicy
from weave_tui.prompts.places import Place, TextMap
from weave_tui.prompts.tree import Leaf, find

MemberOrigin = Literal["explicit", "category-shuttle", "review-variant"]

SHUTTLE = "shuttle"

REVIEW_POLICY = ToolPolicy(read="allow", write="deny", execute="deny", delegate="deny", network="deny")
"""Reviewers read and do nothing else."""


@dataclass(frozen=True, slots=True)
class Source:
    """One declared prompt text or file: its value, where it stands, and the folder a file must stay in."""

    kind: SourceKind
    value: str
    place: Place
    root: Path
    origin: TextMap

    @property
    def is_file(self) -> bool:
        return self.kind.endswith("_file")


@dataclass(frozen=True, slots=True)
class ServedCategory:
    """The category of a generated shuttle."""

    name: str
    description: str | None
    patterns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReviewMeta:
    """What a review variant was made from."""

    source_agent: str
    model: str


@dataclass(frozen=True, slots=True)
class Member:
    """An agent to compose. `appends` are joined by one newline: a shuttle's own, then its category's."""

    name: str
    agent: Agent
    origin: MemberOrigin
    place: Place
    primary: Source | None
    appends: tuple[Source, ...]
    category: ServedCategory | None = None
    review: ReviewMeta | None = None

    @property
    def is_category(self) -> bool:
        return self.origin == "category-shuttle"


@dataclass(frozen=True, slots=True)
class Roster:
    """All enabled members in plan order, and the names that could not be generated."""

    members: tuple[Member, ...]
    errors: tuple[CompositionError, ...]

    def get(self, name: str) -> Member | None:
        return next((member for member in self.members if member.name == name), None)


def roster(loaded: Loaded) -> Roster:
    """Declared agents in order, then shuttles in category order, then review variants."""
    disabled = frozenset(loaded.config.disabled.agents)
    explicit = [declared(loaded, name) for name in loaded.config.agents if name not in disabled]
    shuttles, errors = _shuttles(loaded, explicit)
    taken = {*loaded.config.agents, *(member.name for member in shuttles)}
    variants, clashes = _variants(loaded, explicit, taken)
    generated = [member for member in (*shuttles, *variants) if member.name not in disabled]
    return Roster((*explicit, *generated), (*errors, *clashes))


def declared(loaded: Loaded, name: str) -> Member:
    """The member of a declared agent, enabled or not."""
    path = ("agents", name)
    primary = source_of(loaded, path, PROMPT)
    append = source_of(loaded, path, APPEND)
    return Member(
        name,
        loaded.config.agents[name],
        "explicit",
        loaded.place(*path),
        primary,
        (append,) if append else (),
    )


def source_of(loaded: Loaded, path: tuple[str, ...], pair: tuple[SourceKind, SourceKind]) -> Source | None:
    """The source declared by one of a pair of keys; the inline one first."""
    for key in pair:
        leaf = find(loaded.tree, (*path, key))
        if isinstance(leaf, Leaf) and isinstance(leaf.value, str):
            origin = leaf.origin or TextMap.at(leaf.place)
            return Source(key, leaf.value, leaf.place, loaded.root_of(leaf.place), origin)
    return None


def shuttle_name(category: str) -> str:
    return f"{SHUTTLE}-{category}"


def in_shuttle_family(name: str) -> bool:
    """The shared shuttle and everything named after it; they never list each other (decision D12)."""
    return name == SHUTTLE or name.startswith(f"{SHUTTLE}-")


def variant_name(agent: str, model: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]", "-", f"{agent}-{model}")


def _shuttles(loaded: Loaded, explicit: list[Member]) -> tuple[list[Member], list[CompositionError]]:
    base = next((member for member in explicit if member.name == SHUTTLE), None)
    if base is None:
        return [], []
    categories = loaded.config.categories
    conflicts = [_shuttle_conflict(loaded, name) for name in categories if shuttle_name(name) in loaded.config.agents]
    if conflicts:
        return [], conflicts
    return [_shuttle(loaded, base, name, category) for name, category in categories.items()], []


def _shuttle(loaded: Loaded, base: Member, name: str, category: Category) -> Member:
    append = source_of(loaded, ("categories", name), APPEND)
    own = base.agent
    agent = own.model_copy(
        update={
            "description": category.description if category.description is not None else own.description,
            "mode": "subagent",
            "models": category.models or own.models,
            "temperature": own.temperature if category.temperature is None else category.temperature,
            "tool_policy": _merged_policy(own.tool_policy, category.tool_policy),
            "review_models": None,
        }
    )
    return Member(
        shuttle_name(name),
        agent,
        "category-shuttle",
        loaded.place("categories", name),
        base.primary,
        (*base.appends, append) if append else base.appends,
        ServedCategory(name, category.description, category.patterns),
    )


def _merged_policy(base: ToolPolicy | None, own: ToolPolicy | None) -> ToolPolicy | None:
    if base is None or own is None:
        return own or base
    return base.model_copy(update=own.model_dump(exclude_none=True))


def _shuttle_conflict(loaded: Loaded, category: str) -> CompositionError:
    name = shuttle_name(category)
    return CompositionError(
        "CategoryShuttleConflictError",
        f"{name} is declared, but category {category} generates an agent of that name; no shuttle was generated.",
        name,
        "Rename the agent or the category.",
        place=loaded.place("agents", name),
        facts={"shuttleName": name, "categoryName": category},
    )


def _variants(loaded: Loaded, explicit: list[Member], taken: set[str]) -> tuple[list[Member], list[CompositionError]]:
    variants: list[Member] = []
    clashes: list[CompositionError] = []
    for base in explicit:
        for index, model in enumerate(base.agent.review_models or ()):
            name = variant_name(base.name, model)
            place = loaded.place("agents", base.name, "review_models", index)
            if name in taken:
                clashes.append(_variant_conflict(base.name, model, name, place))
                continue
            taken.add(name)
            variants.append(_variant(base, model, name, place))
    return variants, clashes


def _variant(base: Member, model: str, name: str, place: Place) -> Member:
    update = {"mode": "subagent", "models": (model,), "tool_policy": REVIEW_POLICY, "review_models": None}
    agent = base.agent.model_copy(update=update)
    review = ReviewMeta(base.name, model)
    return Member(name, agent, "review-variant", place, base.primary, base.appends, review=review)


def _variant_conflict(agent: str, model: str, name: str, place: Place) -> CompositionError:
    return CompositionError(
        "ReviewVariantConflictError",
        f"The reviewer of {agent} for {model} would be named {name}, which is taken.",
        name,
        "Rename the other agent, or drop the model.",
        place=place,
        facts={"variantName": name, "sourceAgent": agent, "model": model},
    )
