"""Choosing without a ranking: the skills a person names, in that order, and what these need."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from weave_tui.broker.composition import FULL, Composition, Manner, Piece, Reader, compose
from weave_tui.broker.registry import Registry
from weave_tui.broker.selection import Chosen, Role, with_needed


class AmbiguousNameError(ValueError):
    """A name means several skills that are not variants of one."""

    def __init__(self, name: str, paths: Iterable[Path]) -> None:
        places = ", ".join(map(str, paths))
        super().__init__(f"'{name}' means several skills: {places}. Give the file of the one you mean.")


def position_of(registry: Registry, name: str) -> int | None:
    """The skill of that name that is not shadowed, the first of variants; None for an unknown name.

    Raises `AmbiguousNameError`.
    """
    found = registry.named(name)
    seen = [position for position in found if position not in registry.shadowed] or list(found)
    usable = sorted(seen, key=lambda position: int(registry.tie[position]))
    if len({registry.groups[position] for position in usable}) > 1:
        raise AmbiguousNameError(name, (registry.skills[position].locations[0] for position in usable))
    return usable[0] if usable else None


def choose_by_hand(registry: Registry, positions: Iterable[int]) -> list[Chosen]:
    """The skills at `positions`, each distinct one once, and after them what they need, by name."""
    first: dict[int, int] = {}
    for position in positions:
        first.setdefault(registry.groups[position], position)
    named = first.values()
    chosen = with_needed([(position, 0.0) for position in named], (), registry, lambda _: 0.0, registry.shadowed)
    return [replace(entry, role=Role.PINNED) if entry.role is Role.MATCH else entry for entry in chosen]


def compose_by_hand(registry: Registry, positions: Iterable[int], reader: Reader, manner: Manner = FULL) -> Composition:
    """The composition of named skills: the earlier one is kept where two disagree."""
    chosen = choose_by_hand(registry, positions)
    pieces = [Piece(registry.skills[entry.position], entry.role, entry.asked_by) for entry in chosen]
    return compose(pieces, reader, manner)
