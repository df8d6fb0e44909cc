"""Selection: which skills of a ranking answer, and which come along.

The rules are the protocol's: one match, or two when the gap is small; pinned skills always;
what these need, transitively. Never a skill below the floor, an excluded or a shadowed one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from weave_tui.broker.registry import Registry

TOLERANCE = 1e-9
"""Scores and thresholds are decimals: 0.5 - 0.4 is not below 0.1."""


class Role(StrEnum):
    """Why a skill is in a composition."""

    MATCH = "match"
    PINNED = "pinned"
    DEPENDENCY = "dependency"


@dataclass(frozen=True, slots=True)
class Rules:
    """The cut-offs of selection (seed and spec: protocol).

    confidence_threshold and min_score are a score difference and a score, in [0, 1]; max_matches
    caps the matches at 1 or 2, whatever the gap.
    """

    confidence_threshold: float = 0.1
    min_score: float = 0.15
    max_matches: int = 2


@dataclass(frozen=True, slots=True)
class Chosen:
    """A skill by position, its role, and the names of the skills that need it."""

    position: int
    score: float
    role: Role
    asked_by: tuple[str, ...] = ()


def is_below(value: float, bound: float) -> bool:
    """Whether `value` is below `bound` by more than rounding."""
    return bound - value > TOLERANCE


def candidates(order: Iterable[int], registry: Registry, barred: frozenset[int]) -> Iterable[int]:
    """The best scored variant of each distinct skill in `order` that may be chosen, best first."""
    seen: set[int] = set()
    for position in order:
        group = registry.groups[position]
        if position not in barred and group not in seen:
            seen.add(group)
            yield position


def matches(first: Sequence[tuple[int, float]], top_n: int, rules: Rules) -> list[tuple[int, float]]:
    """Of the best two candidates (position, score), those that answer (spec: protocol, Ranking, gap, selection)."""
    wanted = top_n
    if top_n == 1 and len(first) > 1 and is_below(first[0][1] - first[1][1], rules.confidence_threshold):
        wanted = 2
    wanted = min(wanted, rules.max_matches)
    return [(position, score) for position, score in first[:wanted] if not is_below(score, rules.min_score)]


def with_needed(
    matched: Sequence[tuple[int, float]],
    pinned: Iterable[int],
    registry: Registry,
    score_of: Callable[[int], float],
    barred: frozenset[int],
) -> list[Chosen]:
    """Matches first, then pinned and needed skills together by score; each distinct skill once."""
    taken = {registry.groups[position] for position, _ in matched}
    extra: list[tuple[int, Role]] = []
    for position in pinned:
        if position not in barred and registry.groups[position] not in taken:
            taken.add(registry.groups[position])
            extra.append((position, Role.PINNED))
    asked: dict[int, list[str]] = {}
    pending = [position for position, _ in (*matched, *extra)]
    for asking in pending:
        skill = registry.skills[asking]
        for name in skill.advertisement.dependencies:
            usable = [position for position in registry.named(name) if position not in barred]
            if not usable or asking in usable:
                continue
            needed = max(usable, key=lambda position: (score_of(position), -int(registry.tie[position])))
            group = registry.groups[needed]
            asked.setdefault(group, []).append(skill.name)
            if group not in taken:
                taken.add(group)
                extra.append((needed, Role.DEPENDENCY))
                pending.append(needed)
    extra.sort(key=lambda entry: (-score_of(entry[0]), int(registry.tie[entry[0]])))
    chosen = [Chosen(position, score, Role.MATCH) for position, score in matched]
    chosen += [Chosen(position, score_of(position), role) for position, role in extra]
    return [
        Chosen(
            entry.position,
            entry.score,
            entry.role,
            tuple(dict.fromkeys(asked.get(registry.groups[entry.position], ()))),
        )
        for entry in chosen
    ]
