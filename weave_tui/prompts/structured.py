"""Configurations in YAML and JSON, read into the same tree as .weave (issue E).

Both go through PyYAML's or json's own reader; only the places are ours. YAML anchors and tags
are refused: they add nothing that a configuration needs, and an alias can grow without bound.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import yaml

from weave_tui.prompts.errors import ConfigError
from weave_tui.prompts.lexer import normalized
from weave_tui.prompts.places import Lines, Place, Run, TextMap
from weave_tui.prompts.tree import MAX_NESTING, Fields, Leaf, Listing, Node, Scalar, Table


class _RefusedError(Exception):
    """Valid YAML or JSON that is no configuration."""

    def __init__(self, place: Place, message: str, hint: str) -> None:
        super().__init__(message)
        self.error = ConfigError("ParseError", message, place, hint)


_SURROGATE = re.compile("[\ud800-\udfff]")
"""Only escapes can make one alone; no file could hold the prompt."""


class _Builder:
    """Nested containers from a flat stream of openings, scalars and closings."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.root: Node = Table(Place(file, 1, 1), {}, {})
        self.findings: list[ConfigError] = []
        self.documents = 0
        self._open: list[Fields | tuple[Place, list[Node]]] = []
        self._keys: list[Leaf | None] = []
        self._paths: list[tuple[str | int, ...]] = []

    @property
    def expects_key(self) -> bool:
        return bool(self._open) and isinstance(self._open[-1], Fields) and self._keys[-1] is None

    def open(self, place: Place, *, mapping: bool) -> None:
        if self.expects_key:
            raise _RefusedError(place, "A key must be text.", "Write 'key: value'.")
        if len(self._open) >= MAX_NESTING:
            hint = "A configuration needs six levels."
            raise _RefusedError(place, f"Nested deeper than {MAX_NESTING}.", hint)
        path = self._next_path()
        self._open.append(Fields(place, path) if mapping else (place, []))
        self._keys.append(None)
        self._paths.append(path)

    def close(self) -> None:
        done = self._open.pop()
        self._keys.pop()
        self._paths.pop()
        self._add(done.done() if isinstance(done, Fields) else Listing(done[0], tuple(done[1])))

    def scalar(self, leaf: Leaf) -> None:
        if isinstance(leaf.value, str) and _SURROGATE.search(leaf.value):
            hint = "Write the character itself, or both halves."
            raise _RefusedError(leaf.place, "The text has half of a character.", hint)
        if self.expects_key:
            self._keys[-1] = leaf
        else:
            self._add(leaf)

    def _next_path(self) -> tuple[str | int, ...]:
        if not self._open:
            return ()
        holder, key = self._open[-1], self._keys[-1]
        step = str(key.value) if key else len(holder[1]) if isinstance(holder, tuple) else 0
        return (*self._paths[-1], step)

    def _add(self, node: Node) -> None:
        if not self._open:
            self.root = node
            return
        holder, key = self._open[-1], self._keys[-1]
        if isinstance(holder, Fields) and key is not None:
            self.findings.extend(holder.add(str(key.value), key.place, node))
            self._keys[-1] = None
        elif isinstance(holder, tuple):
            holder[1].append(node)


def parse_yaml(source: str, file: Path) -> tuple[Node, list[ConfigError]]:
    """The tree of a YAML configuration, and what is wrong with it as YAML."""
    text = normalized(source)
    builder = _Builder(file)
    try:
        loader = yaml.SafeLoader(text)
        while loader.check_event():
            _yaml_event(loader, builder, text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = Place(file, mark.line + 1, mark.column + 1) if mark else Place(file, 1, 1)
        problem = (error.problem or "not YAML").strip()
        return builder.root, [
            ConfigError("ParseError", f"Not valid YAML: {problem}.", place, "Quote text with : or #.")
        ]
    except yaml.reader.ReaderError as error:
        place = Place(file, *Lines(text).at(error.position))
        return builder.root, [ConfigError("ParseError", "A character that YAML does not allow.", place, "Delete it.")]
    except _RefusedError as refused:
        return builder.root, [refused.error]
    return builder.root, builder.findings


def _yaml_event(loader: yaml.SafeLoader, builder: _Builder, text: str) -> None:
    event = loader.get_event()  # type: ignore[no-untyped-call]
    place = Place(builder.file, event.start_mark.line + 1, event.start_mark.column + 1)
    match event:
        case yaml.AliasEvent():
            raise _RefusedError(place, "YAML aliases are not read.", "Write the value out.")
        case yaml.NodeEvent() if event.anchor or (getattr(event, "tag", None) not in (None, "!")):
            raise _RefusedError(place, "YAML anchors and tags are not read.", "Delete it.")
        case yaml.MappingStartEvent():
            builder.open(place, mapping=True)
        case yaml.SequenceStartEvent():
            builder.open(place, mapping=False)
        case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
            builder.close()
        case yaml.ScalarEvent():
            builder.scalar(Leaf(place, _yaml_scalar(loader, event), _yaml_origin(event, place, text)))
        case yaml.DocumentStartEvent():
            builder.documents += 1
            if builder.documents > 1:
                raise _RefusedError(place, "A configuration is one YAML document.", "Delete the second one.")


_YAML_TAGS: dict[str, Callable[[str], Scalar]] = {
    "tag:yaml.org,2002:null": lambda value: None,
    "tag:yaml.org,2002:bool": lambda value: value.lower() in ("true", "yes", "on"),
    "tag:yaml.org,2002:int": lambda value: int(value.replace("_", ""), 10),
    "tag:yaml.org,2002:float": lambda value: float(value.replace("_", "")),
}


def _yaml_scalar(loader: yaml.SafeLoader, event: yaml.ScalarEvent) -> Scalar:
    """The scalar by YAML's core types; a date or an odd number stays the text that was written."""
    tag = loader.resolve(yaml.ScalarNode, event.value, event.implicit)  # type: ignore[no-untyped-call]
    convert = _YAML_TAGS.get(tag)
    try:
        value: Scalar = convert(event.value) if convert else event.value
    except ValueError:
        value = event.value
    return value


def _yaml_origin(event: yaml.ScalarEvent, place: Place, text: str) -> TextMap:
    """Exact for `|` blocks and one-line scalars; otherwise the scalar's start."""
    written = text[event.start_mark.index : event.end_mark.index] if event.start_mark and event.end_mark else ""
    if event.style == "|":
        lines = written.split("\n")[1:]
        indent = next((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), 0)
        runs, offset = [], 0
        for number, line in enumerate(event.value.split("\n")):
            runs.append(Run(offset, place.line + 1 + number, indent + 1))
            offset += len(line) + 1
        return TextMap(place.file, tuple(runs))
    quoted = 1 if event.style in ("'", '"') else 0
    exact = len(written) == len(event.value) + 2 * quoted
    return TextMap(place.file, (Run(0, place.line, place.column + quoted, exact),))


_JSON_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]]|[^\s{}\[\]:,"]+', re.DOTALL)


def parse_json(source: str, file: Path) -> tuple[Node, list[ConfigError]]:
    """The tree of a JSON configuration, and what is wrong with it as JSON."""
    text = normalized(source)
    builder = _Builder(file)
    try:
        json.loads(text, parse_constant=_no_constant)
        for place, token in _json_tokens(text, file):
            _json_event(builder, place, token)
    except json.JSONDecodeError as error:
        place = Place(file, error.lineno, error.colno)
        return builder.root, [ConfigError("ParseError", f"Not valid JSON: {error.msg}.", place, "Check the commas.")]
    except (ValueError, RecursionError) as error:
        message = "Nested too deep." if isinstance(error, RecursionError) else f"Not valid JSON: {error}."
        return builder.root, [ConfigError("ParseError", message, Place(file, 1, 1), "Use plain values.")]
    except _RefusedError as refused:
        return builder.root, [refused.error]
    return builder.root, builder.findings


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number")


def _json_tokens(text: str, file: Path) -> Iterator[tuple[Place, str]]:
    lines = Lines(text)
    for match in _JSON_TOKEN.finditer(text):
        yield Place(file, *lines.at(match.start())), match.group()


def _json_event(builder: _Builder, place: Place, token: str) -> None:
    """One token of a text that `json` has accepted."""
    match token[0]:
        case "{" | "[":
            builder.open(place, mapping=token == "{")
        case "}" | "]":
            builder.close()
        case _:
            value = json.loads(token)
            exact = isinstance(value, str) and len(value) + 2 == len(token)
            builder.scalar(Leaf(place, value, TextMap(place.file, (Run(0, place.line, place.column + 1, exact),))))
