"""Rewriting one field of a sidecar where it stands: the rest of the JSON text stays as it is."""

from __future__ import annotations

import json
import re
from typing import Any

from weave_tui.skills.rewrite import EditError, Value, checked

_SPACE = re.compile(r"[ \t\r\n]*")


def rewritten_json(text: str, field: str, value: Value) -> str:
    """The JSON object `text` with `field` saying `value`, added at its end if it is not there. Raises `EditError`."""
    value = checked(value)
    try:
        before = json.loads(text.removeprefix("\ufeff"))
        spans = _spans(text)
    except (ValueError, RecursionError) as error:
        raise EditError(f"the sidecar is no JSON object: {error}") from error
    new = json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False)
    if field in spans:
        start, end = spans[field]
        result = text[:start] + new + text[end:]
    else:
        last = max((end for _, end in spans.values()), default=text.index("{") + 1)
        separator = _separator(text, spans)
        result = f"{text[:last]}{',' if spans else ''}{separator}{json.dumps(field)}: {new}{text[last:]}"
    if json.loads(result.removeprefix("\ufeff")) != {
        **before,
        field: list(value) if isinstance(value, tuple) else value,
    }:
        raise EditError(f"'{field}' stands in the sidecar twice: take one out first")
    return result


def _separator(text: str, spans: dict[str, tuple[int, int]]) -> str:
    """What stands before a key of the object, to write one more in the same way."""
    key = re.search(r"\{([ \t\r\n]*)\"", text)
    return key.group(1) if key and spans and key.group(1) else " " if spans else ""


def _spans(text: str) -> dict[str, tuple[int, int]]:
    """Where the values of an object stand, by key. Raises ValueError for anything but an object."""
    decoder = json.JSONDecoder()
    at = _skip(text, 1 if text.startswith("\ufeff") else 0)
    if text[at : at + 1] != "{":
        raise ValueError("it is not an object")
    spans: dict[str, tuple[int, int]] = {}
    at = _skip(text, at + 1)
    while text[at] != "}":
        key: Any
        key, at = decoder.raw_decode(text, at)
        start = _skip(text, _skip(text, at) + 1)
        _, end = decoder.raw_decode(text, start)
        spans[key] = start, end
        at = _skip(text, end)
        at = _skip(text, at + 1) if text[at] == "," else at
    return spans


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at
