"""Appends that two layers give to the same workflow or step (spec C.4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from weave_tui.prompts.layers import Loaded
from weave_tui.prompts.model import APPEND
from weave_tui.prompts.tree import Leaf, Node, Table, find


@dataclass(frozen=True, slots=True)
class AppendCollision:
    """The last two layers that give one field, as indexes into `Loaded.layers`; the winner counts."""

    path: tuple[str, ...]
    loser: int
    winner: int
    losing: Leaf
    winning: Leaf


def append_collisions(loaded: Loaded) -> list[AppendCollision]:
    """Every workflow and step append field that is defined in two or more layers."""
    fields: dict[tuple[str, ...], list[tuple[int, Leaf]]] = {}
    for index, tree in enumerate(loaded.trees):
        for path, leaf in _appends(tree):
            fields.setdefault(path, []).append((index, leaf))
    return [
        AppendCollision(path, given[-2][0], given[-1][0], given[-2][1], given[-1][1])
        for path, given in fields.items()
        if len(given) > 1
    ]


def _appends(tree: Node) -> Iterator[tuple[tuple[str, ...], Leaf]]:
    for name in _names(tree, ("workflows",)):
        flow = ("workflows", name)
        steps = ((*flow, "steps", step) for step in _names(tree, (*flow, "steps")))
        for scope in (flow, *steps):
            for key in APPEND:
                leaf = find(tree, (*scope, key))
                if isinstance(leaf, Leaf):
                    yield (*scope, key), leaf


def _names(tree: Node, path: tuple[str, ...]) -> list[str]:
    table = find(tree, path)
    return list(table.fields) if isinstance(table, Table) else []
