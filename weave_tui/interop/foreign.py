"""Keeping what the peer's mapping drops: how a foreign spec document comes back as it was.

`preserve_foreign` keeps the whole original beside the converted object. On the way back, three
documents are merged place by place: what the object gives now, what it gave when nothing had been
changed, and the original. An unchanged place takes the original's value, a changed one the new value,
so an edit is never undone and nothing else is lost. Source: the spec's "Decided".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from weave_tui.interop.data import Document

_Spec = TypeVar("_Spec", bound=Document)


def merged(fresh: Any, base: Any, original: Any) -> Any:
    """The three-way merge of JSON values: `original` where `fresh` equals `base`, else `fresh`."""
    if isinstance(fresh, dict) and isinstance(base, dict) and isinstance(original, dict):
        return _merged_objects(fresh, base, original)
    if isinstance(fresh, list) and isinstance(base, list) and isinstance(original, list):
        if len(fresh) == len(base) == len(original):
            return [merged(*entries) for entries in zip(fresh, base, original, strict=True)]
        return original if fresh == base else fresh
    return original if type(fresh) is type(base) and fresh == base else fresh


def _merged_objects(fresh: dict[str, Any], base: dict[str, Any], original: dict[str, Any]) -> dict[str, Any]:
    made = {}
    for key, value in original.items():
        if key in fresh:
            made[key] = merged(fresh[key], base[key], value) if key in base else fresh[key]
        elif key not in base:
            made[key] = value
    added = {key: value for key, value in fresh.items() if key not in original and (key, value) not in base.items()}
    return {**made, **added}


def restored(fresh: _Spec, original: dict[str, Any] | None, again: Callable[[_Spec], _Spec]) -> _Spec:
    """`fresh` with all that `original` had; `again` takes the original through the mapping and back."""
    if original is None:
        return fresh
    model = type(fresh)
    source = model.read(original, where=lambda steps: ("foreign", *steps))
    return model.read(merged(fresh.plain(), again(source).plain(), source.plain()))
