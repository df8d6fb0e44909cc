"""A configuration as it was written: values with places, before any model is applied.

All three formats (.weave, YAML, JSON) become this tree, layers are merged as this tree, and
every later error finds its line here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from weave_tui.prompts.errors import ConfigError, did_you_mean
from weave_tui.prompts.places import Place, TextMap

MAX_NESTING = 64
"""Blocks and lists nested deeper than this are refused by every reader."""

Scalar = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Leaf:
    """A scalar; a string knows the way back to its file."""

    place: Place
    value: Scalar
    origin: TextMap | None = None


@dataclass(frozen=True, slots=True)
class Listing:
    """A list."""

    place: Place
    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A block. `keys` has the place of each key, or of the keyword of a named block."""

    place: Place
    fields: dict[str, Node]
    keys: dict[str, Place]


Node = Leaf | Listing | Table

Steps = Sequence[str | int]


def plain(node: Node) -> Any:
    """The bare data."""
    match node:
        case Leaf(value=value):
            return value
        case Listing(items=items):
            return [plain(item) for item in items]
        case Table(fields=fields):
            return {key: plain(value) for key, value in fields.items()}


def find(node: Node, path: Steps) -> Node | None:
    """The node at `path`, or None."""
    found, used = _walk(node, path)
    return found if used == len(path) else None


def depth_known(node: Node, path: Steps) -> int:
    """How many steps of `path` exist in the tree."""
    return _walk(node, path)[1]


def _walk(node: Node, path: Steps) -> tuple[Node, int]:
    for used, step in enumerate(path):
        if isinstance(node, Table) and step in node.fields:
            node = node.fields[str(step)]
        elif isinstance(node, Listing) and isinstance(step, int) and step < len(node.items):
            node = node.items[step]
        else:
            return node, used
    return node, len(path)


def place_of(node: Node, path: Steps) -> Place:
    """Where `path` was written: its value; the nearest block's key when it was not written."""
    used = depth_known(node, path)
    if used == len(path) or not used:
        return _walk(node, path)[0].place
    return key_place(node, path[:used]) or _walk(node, path)[0].place


def key_place(node: Node, path: Steps) -> Place | None:
    """Where the key of `path` was written; None for list items and for what was not written."""
    if not path:
        return None
    parent = find(node, path[:-1])
    return parent.keys.get(str(path[-1])) if isinstance(parent, Table) else None


def strings(node: Node) -> Iterator[Leaf]:
    """The strings of a list (other items are skipped), or of a single string."""
    items = node.items if isinstance(node, Listing) else (node,)
    for item in items:
        if isinstance(item, Leaf) and isinstance(item.value, str):
            yield item


class Fields:
    """A block under construction: a repeated key is an error, and the first one stays."""

    def __init__(self, place: Place, path: tuple[str | int, ...]) -> None:
        self.place = place
        self.path = path
        self.fields: dict[str, Node] = {}
        self.keys: dict[str, Place] = {}

    def add(self, key: str, place: Place, node: Node) -> list[ConfigError]:
        if key in self.fields:
            path = ".".join(map(str, (*self.path, key)))
            hint = f"It is first at line {self.keys[key].line}; keep one of the two."
            message = f"{key} is given twice."
            return [ConfigError("ValidationError", message, place, hint, path, reason="DuplicateKey")]
        self.fields[key] = node
        self.keys[key] = place
        return []

    def done(self) -> Table:
        return Table(self.place, self.fields, self.keys)


def unknown_key(path: str, place: Place, known: Sequence[str], hint: str = "") -> ConfigError:
    """A key that the model does not have, with the nearest one that it has."""
    key = path.rpartition(".")[2]
    suggestion = hint or did_you_mean(key, known) or f"Known here: {', '.join(known)}."
    facts = {"found": key, "expected": ", ".join(known)}
    return ConfigError("ValidationError", f"Unknown key {key}.", place, suggestion, path, "UnknownKey", facts)
