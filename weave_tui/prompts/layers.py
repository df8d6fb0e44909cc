"""Layers merged into one configuration (spec A.5).

Merging happens on trees, before defaults and before validation, so a file that says nothing
about a setting cannot reset it, and every value keeps the place and the folder it came from.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from weave_tui.prompts.errors import ConfigError, Result, failure, success
from weave_tui.prompts.extends import extend_lower, extended
from weave_tui.prompts.lexer import normalized
from weave_tui.prompts.model import EXCLUSIVE, Config
from weave_tui.prompts.parser import parse
from weave_tui.prompts.places import LAYERS, Format, Layer, Place
from weave_tui.prompts.structured import parse_json, parse_yaml
from weave_tui.prompts.tree import Leaf, Listing, Node, Table, place_of, plain
from weave_tui.prompts.validation import validate

_READERS = {"weave": parse, "yaml": parse_yaml, "json": parse_json}


@dataclass(frozen=True, slots=True)
class Loaded:
    """A merged, valid configuration. `trees` are the layers before merging, lowest first."""

    config: Config
    tree: Node
    layers: tuple[Layer, ...]
    trees: tuple[Node, ...]

    def place(self, *path: str | int) -> Place:
        """Where a value was written; its nearest block when it was not."""
        return place_of(self.tree, path)

    def root_of(self, place: Place) -> Path:
        """The folder that a prompt file named at `place` must stay in."""
        return next(layer.root for layer in self.layers if layer.file == place.file)


def load(layers: Iterable[Layer]) -> Result[Loaded]:
    """Read, merge and validate layers, given in any order.

    Errors of all layers come together, lowest layer first; what only the whole can lack
    (a category without patterns) is looked for when each layer is right by itself.
    """
    ordered = tuple(sorted(layers, key=lambda layer: LAYERS.index(layer.name)))
    trees: list[Node] = []
    errors: list[ConfigError] = []
    for layer in ordered:
        tree, found = read_tree(layer.source, layer.file, layer.format)
        trees.append(tree)
        readable = all(error.type == "ValidationError" for error in found)
        violations = validate(tree, whole=False)[1] if readable else []
        errors.extend(sorted((*found, *violations), key=_line) if readable else found)
    if errors:
        return failure(errors)
    merged, errors = merge(trees)
    if errors:
        return failure(errors)
    config, errors = validate(merged, whole=True)
    if config is None:
        return failure(errors)
    return success(Loaded(config, merged, ordered, tuple(trees)))


def _line(error: ConfigError) -> tuple[int, int]:
    return (error.place.line, error.place.column) if error.place else (0, 0)


def read_tree(source: str, file: Path, format: Format) -> tuple[Node, list[ConfigError]]:
    """The tree of one source; an empty file is an empty configuration."""
    if not normalized(source).strip():
        return Table(Place(file, 1, 1), {}, {}), []
    return _READERS[format](source, file)


def merge(trees: Sequence[Node]) -> tuple[Node, list[ConfigError]]:
    """Higher over lower: scalars override, blocks merge by key, lists join with the higher layer's items first."""
    merged: Node = Table(Place(Path("config.weave"), 1, 1), {}, {})
    merger = _Merger()
    for tree in trees:
        merged = merger.over(merged, tree, ())
    merged, errors = extended(merged)
    return merged, merger.errors + errors


class _Merger:
    def __init__(self) -> None:
        self.errors: list[ConfigError] = []

    def over(self, lower: Node, higher: Node, path: tuple[str, ...]) -> Node:
        match lower, higher:
            case Table(), Table():
                merged = self._blocks(lower, higher, path)
                if not _extends_itself(higher, path):
                    return merged
                merged, errors = extend_lower(path[1], lower, merged, higher)
                self.errors.extend(errors)
                return merged
            case Listing(), Listing():
                texts: dict[str, Node] = {}
                for item in (*higher.items, *lower.items):
                    texts.setdefault(json.dumps(plain(item), default=repr), item)
                return Listing(higher.place, tuple(texts.values()))
            case _:
                return higher

    def _blocks(self, lower: Table, higher: Table, path: tuple[str, ...]) -> Table:
        pairs = EXCLUSIVE.get(path[-2], ()) if len(path) > 1 else ()
        replaced = {other for pair in pairs for one, other in (pair, pair[::-1]) if one in higher.fields}
        fields = {key: node for key, node in lower.fields.items() if key not in replaced}
        for key, node in higher.fields.items():
            fields[key] = self.over(fields[key], node, (*path, key)) if key in fields else node
        return Table(higher.place, fields, {**lower.keys, **higher.keys})


def _extends_itself(higher: Table, path: tuple[str, ...]) -> bool:
    """Whether a workflow names the lower layer's workflow of its own name."""
    target = higher.fields.get("extends")
    return len(path) == 2 and path[0] == "workflows" and isinstance(target, Leaf) and target.value == path[1]
