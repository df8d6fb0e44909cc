"""JSON lines: one JSON value a line, as people and programs keep queries."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple


class JsonLine(NamedTuple):
    """The value of a line (1-based), or what is wrong with it: `problem` is "" when nothing is."""

    number: int
    value: Any
    problem: str = ""


def json_lines(text: str) -> Iterator[JsonLine]:
    """Every line of `text` that is not blank."""
    # Not splitlines: JSON text may hold other line ends, raw.
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield _parsed(number, line)


def _parsed(number: int, line: str) -> JsonLine:
    try:
        return JsonLine(number, json.loads(line))
    except (json.JSONDecodeError, RecursionError) as error:
        return JsonLine(number, None, f"expected JSON: {error}")
