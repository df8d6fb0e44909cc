"""Frontmatter: where it starts and ends, and what its fields say.

Only this module splits a skill file. Fields are read from the YAML node tree of PyYAML's
safe loader and never constructed: a value stays as its author wrote it (`1.10` is no float,
`on` no boolean), and aliases, anchors and bombs have nothing to expand into.

Lines are 1-based and count from the start of the file.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import yaml

Issue = tuple[str, int, str, str]
"""(diagnostic code, line, message, what was done); the reader adds the path."""

MARKER = re.compile(r"---[ \t]*$")
KEY_LINE = re.compile(r"(?P<key>[^\s#:'\"\[\]{}-][^:\n]*?|-[^\s:][^:\n]*?|'[^'\n]+'|\"[^\"\n]+\")[ \t]*:(?=[ \t]|$)")
_COMMENT = re.compile(r"(?:\s*<!--.*?-->)+\s*\n", re.DOTALL)
_NULL = "tag:yaml.org,2002:null"
_SECOND_BLOCK_KEYS = {"name", "description", "globs", "alwaysApply", "trigger", "tags", "triggers"}

_C_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_DEEP = re.compile(r"(?:[\[{][^\[{]*){40}|^[ \t]*(?:[-?][ \t]+){20}", re.MULTILINE | re.DOTALL)
"""Deep nesting would overflow the C stack of libyaml's composer; the Python one raises instead."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field as written: text, a tuple of texts, or None where it is null or of another kind."""

    value: str | tuple[str, ...] | None
    line: int
    kind: str
    """"text", "list", "null" or "mapping": what the YAML node was."""


Fields = dict[str, Field]


@dataclass(frozen=True, slots=True)
class Split:
    """A skill file taken apart. `body` is without outer blank lines; `body_line` is where it starts."""

    fields: Fields
    body: str
    body_line: int
    has_frontmatter: bool
    issues: tuple[Issue, ...] = field(default=())


def normalise(text: str) -> str:
    """`text` without byte-order mark and with `\\n` line ends."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def split(text: str, repair: Callable[[str, int], tuple[str, list[Issue]]]) -> Split:
    """Take a file's text apart into fields and body (spec: skill-files, What each looks like).

    `repair` makes YAML of what is not: (source, its first line) -> (YAML, what was repaired).
    """
    text = normalise(text)
    issues: list[Issue] = []
    start = _opener(text)
    if start is None and (dedented := _dedented(text)) is not None:
        text, start = dedented, _opener(dedented)
        issues.append(("file-indented", 1, "the whole file is indented", "read without the indentation"))
    if start is None:
        return _whole(text, issues)
    lines = text.split("\n")
    close = next((i for i in range(start + 1, len(lines)) if MARKER.match(lines[i])), None)
    if close is None:
        if any(KEY_LINE.match(line) for line in lines[start + 1 : start + 3]):
            issues.append(("frontmatter-unclosed", start + 1, "no closing '---'", "read as body"))
        return _whole(text, issues)
    source = lines[start + 1 : close]
    if not any(KEY_LINE.match(line) for line in source):
        if any(line.startswith("- ") for line in source):
            issues.append(("frontmatter-not-mapping", start + 2, "a list, not 'key: value' lines", "read as body"))
        elif not any(line.strip() for line in source):
            return _with_body({}, lines, close + 1, issues)
        return _whole(text, issues)
    fields = _fields("\n".join(source), start + 2, repair, issues)
    second, close = _second_block(lines, close)
    if second:
        extra = _fields("\n".join(lines[second:close]), second + 1, repair, issues)
        offered = [key for key in extra if fields.get(key, _ABSENT).kind == "null"]
        fields |= {key: extra[key] for key in offered}
        done = f"took {', '.join(offered)} from the second" if offered else "the first one counts"
        issues.append(("frontmatter-twice", second, "a second frontmatter follows the first", done))
    return _with_body(fields, lines, close + 1, issues)


def bounds(text: str) -> tuple[int, int] | None:
    """The lines (0-based, from and to) of the frontmatter's YAML in normalised text, None where it has no marks."""
    start = _opener(text)
    if start is None:
        return None
    lines = text.split("\n")
    close = next((i for i in range(start + 1, len(lines)) if MARKER.match(lines[i])), None)
    return None if close is None else (start + 1, close)


_ABSENT = Field(None, 0, "null")


def _opener(text: str) -> int | None:
    """The line (0-based) of the opening marker: the first line but for blank lines and HTML comments."""
    comment = _COMMENT.match(text)
    skipped = text[: comment.end()].count("\n") if comment else 0
    lines = text.split("\n", skipped + 50)
    for index in range(skipped, len(lines)):
        if lines[index].strip():
            return index if MARKER.match(lines[index]) else None
    return None


def _dedented(text: str) -> str | None:
    first = next((line for line in text.split("\n") if line.strip()), "")
    if first[:1] in {" ", "\t"} and first.strip() == "---":
        return textwrap.dedent(text)
    return None


def _whole(text: str, issues: list[Issue]) -> Split:
    body, line = _trim(text.split("\n"), 0)
    return Split({}, body, line, False, tuple(issues))


def _with_body(fields: Fields, lines: list[str], start: int, issues: list[Issue]) -> Split:
    body, line = _trim(lines, start)
    return Split(fields, body, line, True, tuple(issues))


def _trim(lines: list[str], start: int) -> tuple[str, int]:
    end = len(lines)
    while start < end and not lines[start].strip():
        start += 1
    while end > start and not lines[end - 1].strip():
        end -= 1
    return "\n".join(lines[start:end]), start + 1


def _second_block(lines: list[str], close: int) -> tuple[int, int]:
    """(first line of a second block's fields, its closing line), or (0, close) when there is none.

    A `---` that opens the body is a rule unless nothing but fields stands up to the next one.
    """
    start = next((i for i in range(close + 1, len(lines)) if lines[i].strip()), None)
    if start is None or not MARKER.match(lines[start]):
        return 0, close
    keys: list[str] = []
    for index in range(start + 1, len(lines)):
        if MARKER.match(lines[index]):
            return (start + 1, index) if _SECOND_BLOCK_KEYS.intersection(keys) else (0, close)
        match = KEY_LINE.match(lines[index])
        if match:
            keys.append(match["key"])
        elif lines[index].strip() and not lines[index].startswith((" ", "- ")):
            break
    return 0, close


def compose(source: str) -> yaml.Node | None:
    """The YAML node tree of `source`. Raises `yaml.YAMLError`, also for nesting too deep to compose."""
    loader = yaml.SafeLoader if _DEEP.search(source) else _C_LOADER
    try:
        node: yaml.Node | None = yaml.compose(source, Loader=loader)
    except (RecursionError, ValueError, UnicodeError) as error:
        raise yaml.YAMLError(str(error)) from error
    return node


def _fields(
    source: str, line: int, repair: Callable[[str, int], tuple[str, list[Issue]]], issues: list[Issue]
) -> Fields:
    try:
        node = compose(source)
    except yaml.YAMLError:
        source, repaired = repair(source, line)
        issues += repaired
        node = compose(source)
    if not isinstance(node, yaml.MappingNode):
        if node is not None:
            issues.append(("frontmatter-not-mapping", line, "not 'key: value' lines", "its fields were not read"))
        return {}
    return {
        key.value: _field(value, line + key.start_mark.line)
        for key, value in node.value
        if isinstance(key, yaml.ScalarNode)
    }


def _field(node: yaml.Node, line: int) -> Field:
    if isinstance(node, yaml.ScalarNode):
        text = _scalar(node)
        return Field(text, line, "null" if text is None else "text")
    if isinstance(node, yaml.SequenceNode):
        texts = [_scalar(item) for item in node.value if isinstance(item, yaml.ScalarNode)]
        return Field(
            tuple(text for text in texts if text), line, "list" if len(texts) == len(node.value) else "mapping"
        )
    return Field(None, line, "mapping")


def _scalar(node: yaml.ScalarNode) -> str | None:
    text: str = node.value
    return None if node.tag == _NULL else text.strip() or None
