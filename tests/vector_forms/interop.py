"""Vectors of the weaver-spec mapping: each `op` is a function of `weave_tui.interop`, its keywords the `input`.

How results are compared is said in the file's `conventions`: errors by type and field, times as instants, and what is
this project's own proposal as a subset.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.vector_forms import Document, Outcome
from weave_tui import interop
from weave_tui.interop.data import read_time

ERRORS: dict[str, type[Exception]] = {
    "CatalogError": interop.CatalogError,
    "ValidationError": interop.ValidationError,
    "ValueError": ValueError,
}


FORM = "weaver interop"


def recognises(document: Document) -> bool:
    """Whether `document` is a file of this form: vectors that name an `op`."""
    vectors = document.get("vectors")
    return isinstance(vectors, list) and bool(vectors) and all("op" in vector for vector in vectors)


def run(document: Document) -> list[Outcome]:
    """Every vector with what differs."""
    return [Outcome(vector["id"], failure(vector)) for vector in document["vectors"]]


def failure(vector: Mapping[str, Any]) -> str:
    """Why one vector fails; empty when it holds."""
    function = getattr(interop, vector["op"], None)
    if function is None:
        return f"weave_tui.interop has no {vector['op']}"
    arguments = {name: repeated(value) for name, value in vector["input"].items()}
    expected_error = vector.get("error")
    try:
        result = interop.plain(function(**arguments))
    except Exception as error:  # noqa: BLE001 - the report names it
        return "" if expected_error and raised(error, expected_error) else f"raised {type(error).__name__}: {error}"
    if expected_error:
        return f"expected {expected_error['type']}, got a result"
    return difference(vector["output"], result, "$", subset=vector["basis"] == "proposed")


def repeated(value: Any) -> Any:
    """`{"repeat": n, "of": {...}}` as a list of n entries, `{n}` counting from 0."""
    if not isinstance(value, Mapping) or set(value) != {"repeat", "of"}:
        return value
    return [
        {name: text.replace("{n}", str(n)) if isinstance(text, str) else text for name, text in value["of"].items()}
        for n in range(value["repeat"])
    ]


def raised(error: Exception, expected: Mapping[str, Any]) -> bool:
    """Whether an error has the expected type, code and field, and is a ValueError all the same."""
    if not isinstance(error, ERRORS[expected["type"]]) or not isinstance(error, ValueError):
        return False
    if expected.get("code", getattr(error, "code", None)) != getattr(error, "code", None):
        return False
    field = expected.get("field")
    return field is None or field == getattr(error, "field", None) or f".{field}" in f".{getattr(error, 'path', '')}"


def difference(expected: Any, found: Any, path: str, *, subset: bool) -> str:
    """The first place where `found` is not what was expected; empty when there is none."""
    if isinstance(expected, dict) and isinstance(found, dict):
        extra = [] if subset else sorted(found.keys() - expected.keys())
        if extra:
            return f"{path}: unexpected {', '.join(extra)}"
        for key, value in expected.items():
            if key not in found:
                return f"{path}.{key}: missing"
            if reason := difference(value, found[key], f"{path}.{key}", subset=subset):
                return reason
        return ""
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        pairs = enumerate(zip(expected, found, strict=True))
        reasons = (difference(*pair, f"{path}[{index}]", subset=subset) for index, pair in pairs)
        return next(filter(None, reasons), "")
    return "" if same(expected, found) else f"{path}: expected {expected!r}, got {found!r}"


def same(expected: Any, found: Any) -> bool:
    """Equal values of one JSON type, or one instant."""
    if isinstance(expected, bool) is not isinstance(found, bool):
        return False
    if expected == found:
        return True
    try:
        return isinstance(expected, str) and bool(read_time(expected) == read_time(found))
    except ValueError:
        return False
