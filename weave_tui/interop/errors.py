"""The errors of interop, and the only place where pydantic's errors become ours.

The seed names `CatalogError`; the peer raises it for breaches of the mapping (an empty menu, a
reserved key in use) and a plain ValueError for breaches of a contract. Both are ValueErrors here,
so a caller who follows either side catches what it expects. Every error names the place: `path` is
the JSON path in the document that was given, `field` the field of the contract that refuses it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Self

import pydantic

Step = str | int
Steps = tuple[Step, ...]
"""The way to a place in a document: object keys and list positions."""


def json_path(steps: Sequence[Step]) -> str:
    """`("items", 0, "label")` as `$.items[0].label`."""
    return "$" + "".join(map(_step, steps))


def _step(step: Step) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    return f".{step}" if step.isidentifier() else f"[{json.dumps(step, ensure_ascii=False)}]"


class InteropError(ValueError):
    """Base of what this package raises; `code` is stable and may be branched on."""

    code: ClassVar[str] = "CW_ERROR"

    def __init__(self, message: str, *, path: str = "$", field: str = "") -> None:
        self.message = message
        self.path = path
        self.field = field
        super().__init__(f"{path}: {message}")

    def below(self, base: Steps) -> Self:
        """The same error of an entry that is at `base` of the caller's document; an argument's name stays."""
        path = json_path(base) + self.path.removeprefix("$") if self.path.startswith("$") else self.path
        return type(self)(self.message, path=path, field=self.field)


class CatalogError(InteropError):
    """A document or a set of items that the mapping cannot carry (the seed's error)."""

    code: ClassVar[str] = "CW_CATALOG"


class ValidationError(InteropError):
    """A value that breaks a contract: `path` and `field` say where, the text says what was expected."""

    code: ClassVar[str] = "CW_VALIDATION"


def shown(value: object) -> str:
    """A value in an error text: JSON, cut at 60 characters."""
    text = json.dumps(value, ensure_ascii=False, default=repr) if _is_flat(value) else f"a {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."


def _is_flat(value: object) -> bool:
    return value is None or isinstance(value, str | bool | int | float)


_EXPECTED: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "missing": lambda _: "required, but missing",
    "string_type": lambda error: f"expected text, got {shown(error['input'])}",
    "string_too_short": lambda _: "expected text, got an empty string",
    "string_too_long": lambda error: f"expected at most {error['ctx']['max_length']} characters",
    "bool_type": lambda error: f"expected true or false, got {shown(error['input'])}",
    "int_type": lambda error: f"expected an integer, got {shown(error['input'])}",
    "float_type": lambda error: f"expected a number, got {shown(error['input'])}",
    "finite_number": lambda _: "expected a finite number",
    "tuple_type": lambda error: f"expected a list, got {shown(error['input'])}",
    "too_short": lambda error: f"expected at least {error['ctx']['min_length']} entry, got none",
    "too_long": lambda error: f"expected at most {error['ctx']['max_length']} entries",
    "literal_error": lambda error: f"expected one of {error['ctx']['expected']}, got {shown(error['input'])}",
    "greater_than_equal": lambda error: f"expected at least {error['ctx']['ge']}, got {shown(error['input'])}",
    "less_than_equal": lambda error: f"expected at most {error['ctx']['le']}, got {shown(error['input'])}",
    "model_type": lambda error: f"expected an object, got {shown(error['input'])}",
    "model_attributes_type": lambda error: f"expected an object, got {shown(error['input'])}",
}
"""What to say for each of pydantic's error types; the others keep pydantic's own sentence."""

Where = Callable[[Steps], Steps]
"""From a place in the object that was being built to the place in the document it came from."""


def translated(error: pydantic.ValidationError, where: Where = lambda steps: steps) -> ValidationError:
    """The first of pydantic's errors as ours; `where` leads back into the caller's document."""
    first: Mapping[str, Any] = error.errors(include_url=False)[0]
    context = first.get("ctx", {})
    steps: Steps = (*first["loc"], *context.get("steps", ()))
    say = _EXPECTED.get(first["type"])
    contract = [str(step) for step in first["loc"] if isinstance(step, str)]
    return ValidationError(
        say(first) if say else str(first["msg"]),
        path=json_path(where(steps)),
        field=contract[0] if len(contract) == 1 else ".".join(contract),
    )
