"""Files of conformance vectors, one module a form.

A form is a module with `FORM` (its name), `recognises(document)` and `run(document)`, which
gives one `Outcome` a case. To add one, write the module and list it in `tests.vectors.FORMS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Document = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One case: its id, and what differs from the expectation (empty when nothing does)."""

    id: str
    difference: str = ""

    @property
    def passed(self) -> bool:
        return not self.difference


def differences(expected: object, found: object, path: str = "") -> str:
    """Where `found` lacks what `expected` asks for: objects match in part, an expected null matches absence."""
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        parts = [differences(value, found.get(key), f"{path}.{key}") for key, value in expected.items()]
        return "; ".join(part for part in parts if part)
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        pairs = enumerate(zip(expected, found, strict=True))
        parts = [differences(one, other, f"{path}[{index}]") for index, (one, other) in pairs]
        return "; ".join(part for part in parts if part)
    same = expected == found and isinstance(expected, bool) == isinstance(found, bool)
    return "" if same else f"{path.lstrip('.') or 'result'}: expected {expected!r}, got {found!r}"
