"""The registry: every skill that was advertised, who shadows whom, and which are one skill in variants.

Identity is the file, never the name. A `Registry` never changes: a reload makes a new one, so
that no query sees half of it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from graphlib import CycleError, TopologicalSorter

import numpy as np
import numpy.typing as npt

from weave_tui.diagnostics import Diagnostic
from weave_tui.skills import Skill

SAME_TEXT = 0.9
"""Jaccard similarity of token shingles from which two skills of one name are one (spec: protocol, Registry)."""

_SHINGLE = 3
_TOKEN = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Registry:
    """Skills by position, sorted by the place they were found at.

    groups: the group number of each skill; skills of one group are variants of one. variants: how
    many those are, for each skill. tie: int32 (n,), the order of equal scores (name, then path).
    """

    skills: tuple[Skill, ...]
    shadowed: frozenset[int]
    groups: tuple[int, ...]
    variants: tuple[int, ...]
    positions: Mapping[str, int]
    tie: npt.NDArray[np.int32]
    diagnostics: tuple[Diagnostic, ...]
    _by_name: Mapping[str, tuple[int, ...]]
    _by_folded: Mapping[str, tuple[int, ...]]

    def __len__(self) -> int:
        return len(self.skills)

    def named(self, name: str) -> tuple[int, ...]:
        """Positions of all skills of that name: exactly, else without regard to case."""
        return self._by_name.get(name) or self._by_folded.get(name.casefold(), ())


def variants(registry: Registry, position: int) -> frozenset[int]:
    """The skill at `position` and all its variants."""
    if registry.variants[position] == 1:
        return frozenset({position})
    return frozenset(other for other, group in enumerate(registry.groups) if group == registry.groups[position])


def build_registry(skills: Iterable[Skill]) -> Registry:
    """A registry of `skills`; of several with one id the last counts."""
    unique = {skill.id: skill for skill in skills}
    ordered = tuple(sorted(unique.values(), key=lambda skill: str(skill.locations[0])))
    by_name: dict[str, list[int]] = defaultdict(list)
    by_folded: dict[str, list[int]] = defaultdict(list)
    for position, skill in enumerate(ordered):
        by_name[skill.name].append(position)
        by_folded[skill.name.casefold()].append(position)
    tie = np.empty(len(ordered), np.int32)
    tie[sorted(range(len(ordered)), key=lambda i: (ordered[i].name, str(ordered[i].path)))] = np.arange(len(ordered))
    groups = _groups(ordered)
    sizes = Counter(groups)
    registry = Registry(
        skills=ordered,
        shadowed=_shadowed(ordered, by_name.values()),
        groups=groups,
        variants=tuple(sizes[group] for group in groups),
        positions={skill.id: position for position, skill in enumerate(ordered)},
        tie=tie,
        diagnostics=(),
        _by_name={name: tuple(found) for name, found in by_name.items()},
        _by_folded={name: tuple(found) for name, found in by_folded.items()},
    )
    return replace(registry, diagnostics=(*_clashes(registry), *_dependency_problems(registry)))


def _shadowed(skills: tuple[Skill, ...], same_names: Iterable[list[int]]) -> frozenset[int]:
    """User skills of which the project has one of the same name and platform."""
    hidden: set[int] = set()
    for positions in same_names:
        project = {skills[i].platform for i in positions if skills[i].source == "project"}
        hidden.update(i for i in positions if skills[i].source == "user" and skills[i].platform in project)
    return frozenset(hidden)


def _groups(skills: tuple[Skill, ...]) -> tuple[int, ...]:
    """Skills with the same body, or the same normalised name and nearly equal text, share a number."""
    parent = list(range(len(skills)))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    by_body: dict[str, int] = {}
    by_name: dict[str, list[int]] = defaultdict(list)
    for i, skill in enumerate(skills):
        by_name[_normalised(skill.name)].append(i)
        if skill.body:
            parent[root(i)] = root(by_body.setdefault(skill.body, i))
    for same in by_name.values():
        if len(same) < 2:
            continue
        shingles = [_shingles(skills[i].body) for i in same]
        for a in range(len(same)):
            for b in range(a):
                if root(same[a]) != root(same[b]) and _jaccard(shingles[a], shingles[b]) >= SAME_TEXT:
                    parent[root(same[a])] = root(same[b])
    return tuple(root(i) for i in range(len(skills)))


def _normalised(name: str) -> str:
    return re.sub(r"[\W_]+", "-", name.casefold()).strip("-")


def _shingles(text: str) -> frozenset[tuple[str, ...]]:
    tokens = _TOKEN.findall(text.casefold())
    return frozenset(tuple(tokens[i : i + _SHINGLE]) for i in range(max(1, len(tokens) - _SHINGLE + 1)))


def _jaccard(a: frozenset[tuple[str, ...]], b: frozenset[tuple[str, ...]]) -> float:
    # The smaller by the larger bounds it: most pairs need no intersection.
    if min(len(a), len(b)) < SAME_TEXT * max(len(a), len(b)):
        return 0.0
    return len(a & b) / len(a | b)


def _clashes(registry: Registry) -> Iterable[Diagnostic]:
    """Names that mean several distinct skills, and names that differ in case alone."""
    for positions in registry._by_folded.values():
        if len({registry.groups[i] for i in positions}) < 2:
            continue
        names = sorted({registry.skills[i].name for i in positions})
        place = registry.skills[positions[0]].locations[0]
        if len(names) > 1:
            yield Diagnostic("name-case-clash", ", ".join(f"'{name}'" for name in names), place, done="all are loaded")
        else:
            count = len(positions)
            yield Diagnostic("name-clash", f"'{names[0]}' is the name of {count} skills", place, done="all are loaded")


def _dependency_problems(registry: Registry) -> Iterable[Diagnostic]:
    """Unknown names, self-dependencies and circles, each said once."""
    graph: dict[int, set[int]] = {}
    for position, skill in enumerate(registry.skills):
        needed: set[int] = set()
        for name in skill.advertisement.dependencies:
            found = registry.named(name)
            if not found:
                message = f"'{skill.name}' needs '{name}', which is not loaded"
                yield Diagnostic(
                    "dependency-unknown", message, skill.locations[0], field="dependencies", done="left out"
                )
            elif position in found:
                message = f"'{skill.name}' names itself"
                yield Diagnostic("dependency-self", message, skill.locations[0], field="dependencies", done="left out")
            else:
                needed.update(found)
        if needed:
            graph[position] = needed
    while True:
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            circle: list[int] = error.args[1]
            # graphlib lists a node before the ones that need it.
            names = " -> ".join(registry.skills[i].name for i in reversed(circle))
            place = registry.skills[circle[-1]].locations[0]
            yield Diagnostic("dependency-cycle", names, place, field="dependencies", done="each is used once")
            graph[circle[1]] = graph[circle[1]] - {circle[0]}
        else:
            return
