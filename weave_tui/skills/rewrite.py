"""Rewriting one field of a skill file where it stands: only its own characters change.

The frontmatter is never dumped again. The value's place is found from the YAML nodes, the new one is written in
the style of the old (quotes, folded text, list), and the result is read back: unless exactly that field changed,
nothing is given back but an `EditError`.
"""

from __future__ import annotations

import json
import re
import textwrap
import unicodedata
from collections.abc import Callable

import yaml

from weave_tui.skills import frontmatter
from weave_tui.skills.frontmatter import Field
from weave_tui.skills.repairs import quote, repair

Value = str | tuple[str, ...]
"""Text on one line, or a list of such."""

DESCRIPTION, TRIGGERS = "description", ("trigger_patterns", "triggers")
"""The fields that may be rewritten; of the two names of triggers the first that is there counts."""

WIDTH = 80
"""Where folded text is broken."""

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_UNWRITABLE = ("Cc", "Cs", "Co", "Cn")


class EditError(ValueError):
    """The field is not rewritten; the message says why and what to do."""


_Offset = Callable[[yaml.Mark], int]
"""From a place in the frontmatter's YAML to the character of the file."""


def checked(value: Value) -> Value:
    """The value as it can be stored: on one line, nothing in it that no YAML file may hold. Raises `EditError`."""
    for text in (value,) if isinstance(value, str) else value:
        for character in text:
            if unicodedata.category(character) in _UNWRITABLE and not character.isspace():
                raise EditError(f"U+{ord(character):04X} cannot be stored in a file: take it out")
    if isinstance(value, str):
        return " ".join(value.split())
    return tuple(dict.fromkeys(one for one in (" ".join(text.split()) for text in value) if one))


def field_name(text: str, field: str) -> str:
    """The name under which a file has `field`: triggers may have either of two."""
    names = TRIGGERS if field in TRIGGERS else (field,)
    fields = frontmatter.split(text, repair).fields
    return next((name for name in names if name in fields and fields[name].value), names[0])


def rewritten(text: str, field: str, value: Value) -> str:
    """`text` with that field of its frontmatter saying `value`. Raises `EditError`."""
    value = checked(value)
    field = field_name(text, field)
    before = frontmatter.split(text, repair)
    end = _line_end(text)
    if not before.has_frontmatter:
        if before.issues:
            raise EditError(f"{before.issues[0][2]}: mend the frontmatter first")
        head = "\ufeff" if text.startswith("\ufeff") else ""
        new = f"{head}---{end}{_entry(field, value, end)}---{end}{end}{text.removeprefix(head)}"
    else:
        new = _in_frontmatter(text, field, value, end)
    _verify(before, frontmatter.split(new, repair), field, value)
    return new


def _line_end(text: str) -> str:
    first = next(iter(_LINE.findall(text)), "\n")
    return first[len(first.rstrip("\r\n")) :] or "\n"


def _in_frontmatter(text: str, field: str, value: Value, end: str) -> str:
    bounds = frontmatter.bounds(frontmatter.normalise(text))
    if bounds is None:
        raise EditError("the frontmatter is indented or unclosed: mend it first")
    # `normalise` takes the mark at the start away and makes every line end one character: lines stay the same.
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    lines = _LINE.findall(text.removeprefix(mark))
    offsets = [len(mark)]
    for line in lines:
        offsets.append(offsets[-1] + len(line))
    first, close = bounds
    source = frontmatter.normalise("".join(lines[first:close]))
    try:
        root = frontmatter.compose(source)
    except yaml.YAMLError as error:
        problem = getattr(error, "problem", None) or str(error)
        mark_ = getattr(error, "problem_mark", None)
        line = first + 1 + (mark_.line if mark_ else 0)
        raise EditError(f"line {line}: the frontmatter is not valid YAML ({problem}): mend it first") from error
    entries = root.value if isinstance(root, yaml.MappingNode) else []
    if isinstance(root, yaml.MappingNode) and root.flow_style:
        raise EditError("the frontmatter is one flow mapping: write it as 'key: value' lines first")

    def offset(mark: yaml.Mark) -> int:
        return offsets[first + mark.line] + mark.column if first + mark.line < len(offsets) else offsets[-1]

    for key, node in entries:
        if isinstance(key, yaml.ScalarNode) and key.value == field:
            return _replaced(text, node, offset, field, value, end)
    named = {key.value: node for key, node in entries if isinstance(key, yaml.ScalarNode)}
    after = next((named[name] for name in ("description", "name") if name in named and name != field), None)
    at = _line_after(text, _end_of(after, offset, text)) if after is not None else offsets[first]
    gap = "" if at == 0 or text[at - 1] in "\r\n" else end
    return f"{text[:at]}{gap}{_entry(field, value, end)}{text[at:]}"


def _line_after(text: str, at: int) -> int:
    """The start of the line after the one that `at` is in, or is the end of."""
    found = re.compile(r"\r\n|\r|\n").search(text, at)
    return found.end() if found else len(text)


def _end_of(node: yaml.Node, offset: _Offset, text: str) -> int:
    """Where a value really ends: comments and blank lines behind it are not its own."""
    if isinstance(node, yaml.SequenceNode | yaml.MappingNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _end_of(last[1] if isinstance(last, tuple) else last, offset, text)
    end = offset(node.end_mark)
    if isinstance(node, yaml.ScalarNode) and node.style in ("|", ">"):
        start = offset(node.start_mark)
        own = [match for match in _LINE.finditer(text, _line_after(text, start), end) if match.group().strip()]
        while own and not own[-1].group().startswith((" ", "\t")):
            own.pop()
        last_line = own[-1] if own else None
        return last_line.start() + len(last_line.group().rstrip("\r\n")) if last_line else _row_end(text, start)
    return end


def _row_end(text: str, at: int) -> int:
    found = re.compile(r"\r\n|\r|\n|\Z").search(text, at)
    return found.start() if found else len(text)


def _replaced(text: str, node: yaml.Node, offset: _Offset, field: str, value: Value, end: str) -> str:
    start, stop = offset(node.start_mark), _end_of(node, offset, text)
    if isinstance(value, tuple):
        if isinstance(node, yaml.SequenceNode) and not node.flow_style and value:
            return _with_items(text, node, offset, value, end)
        new = _flow(value)
    else:
        new = _scalar(field, value, node.style if isinstance(node, yaml.ScalarNode) else None, end)
    # An empty value, and a block list, begin right at the colon or on the next line.
    line_start = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    if isinstance(node, yaml.SequenceNode) and not node.flow_style:
        start = len(text[:line_start].rstrip())
        new = f" {new}"
    elif not text[start - 1 : start].isspace():
        new = f" {new}"
    return f"{text[:start]}{new}{text[stop:]}"


def _with_items(text: str, node: yaml.SequenceNode, offset: _Offset, value: tuple[str, ...], end: str) -> str:
    """A block list with those items: one that stays keeps its line and its comment."""
    starts = [_item_start(text, offset(item.start_mark)) for item in node.value]
    stops = [_line_after(text, _end_of(item, offset, text)) for item in node.value]
    kept: dict[str, str] = {}
    for number, item in enumerate(node.value):
        # A comment above an item goes with it.
        begin = stops[number - 1] if number else starts[number]
        if isinstance(item, yaml.ScalarNode):
            kept.setdefault(" ".join(item.value.split()), text[begin : stops[number]])
    first = text[starts[0] : offset(node.value[0].start_mark)]
    chunks = [kept.get(one) or f"{first}{_quoted(one)}{end}" for one in value]
    body = "".join(chunk if chunk.endswith(("\n", "\r")) else chunk + end for chunk in chunks)
    return text[: starts[0]] + body + text[stops[-1] :]


def _item_start(text: str, at: int) -> int:
    return max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1


def _entry(field: str, value: Value, end: str) -> str:
    if isinstance(value, str):
        return f"{field}: {_scalar(field, value, None, end)}{end}"
    if not value:
        return f"{field}: []{end}"
    return f"{field}:{end}" + "".join(f"  - {_quoted(one)}{end}" for one in value)


def _flow(value: tuple[str, ...]) -> str:
    return "[" + ", ".join(json.dumps(one, ensure_ascii=False) for one in value) + "]"


def _scalar(field: str, value: str, style: str | None, end: str) -> str:
    """The value as it is written after `field: `, in the style of the old one where that can say it."""
    if style in ("|", ">") and value:
        lines = textwrap.wrap(value, WIDTH, break_long_words=False, break_on_hyphens=False)
        return f">-{end}" + end.join(f"  {line}" for line in lines)
    if style == '"':
        return json.dumps(value, ensure_ascii=False)
    return quote(value) if style == "'" and _means(quote(value), value) else _quoted(value)


def _quoted(value: str) -> str:
    """The value as plain text if YAML and this project's reader agree on what it says, else in quotes."""
    for form in (value, quote(value)):
        if value and _means(form, value):
            return form
    return json.dumps(value, ensure_ascii=False)


def _means(form: str, value: str) -> bool:
    try:
        node = yaml.compose(f"key: {form}\n", Loader=yaml.SafeLoader)
    except yaml.YAMLError:
        return False
    if not isinstance(node, yaml.MappingNode) or len(node.value) != 1:
        return False
    found = node.value[0][1]
    return isinstance(found, yaml.ScalarNode) and found.tag == "tag:yaml.org,2002:str" and found.value == value


def _verify(before: frontmatter.Split, after: frontmatter.Split, field: str, value: Value) -> None:
    """Raises `EditError` unless exactly the field changed."""
    found = after.fields.get(field)
    said = found.value if found else None
    wanted: Value | None = value or (() if found and found.kind == "list" else None)
    if isinstance(said, str) and isinstance(value, str):
        said = " ".join(said.split())
    if isinstance(said, tuple):
        said = tuple(" ".join(one.split()) for one in said)
    if said != wanted or _others(before.fields, field) != _others(after.fields, field) or before.body != after.body:
        raise EditError("the frontmatter is written in a way that this field cannot be changed in alone")


def _others(fields: dict[str, Field], field: str) -> dict[str, tuple[object, str]]:
    return {name: (one.value, one.kind) for name, one in fields.items() if name != field}
