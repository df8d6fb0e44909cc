"""Catalogs: sets of items, checked as a set, and filtered as contextweaver's Router filters them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from pydantic import Field

from weave_tui.interop import contextweaver as cw
from weave_tui.interop.data import Document, Text, Texts
from weave_tui.interop.errors import CatalogError, ValidationError, json_path, shown


class Filtered(Document):
    """What passed the filters, in catalog order, and how many items each kind of filter held back."""

    ids: Annotated[Texts, Field(description="Ids that passed.")]
    excluded: Annotated[int, Field(description="Dropped by an exclusion.")]
    gated: Annotated[int, Field(description="Dropped because no allowance names them.")]


class _Filterable(Document):
    """The part of an item that filters look at."""

    id: Text
    tags: Texts = ()
    namespace: Text = ""


def read_catalog(document: object) -> tuple[cw.SelectableItem, ...]:
    """The items of a catalog in contextweaver's JSON: a list, or an object with a list under `items`.

    Raises `CatalogError` for another shape or an id used twice, `ValidationError` for a broken item.
    """
    items: Any = document
    base: tuple[str, ...] = ()
    if isinstance(document, dict):
        items = document.get("items")
        base = ("items",)
    if not isinstance(items, Sequence) or isinstance(items, str | bytes):
        raise CatalogError(f"expected a list of items, got {shown(items)}", path=json_path(base), field="items")
    made = []
    seen: set[str] = set()
    for position, entry in enumerate(items):
        item = cw.SelectableItem.read(entry, where=lambda steps, at=position: (*base, at, *steps))  # type: ignore[misc]
        if item.id in seen:
            path = json_path((*base, position, "id"))
            raise CatalogError(f"the id {shown(item.id)} is there twice", path=path, field="id")
        seen.add(item.id)
        made.append(item)
    return tuple(made)


def filter_catalog(
    items: Iterable[object],
    *,
    exclude_ids: Iterable[str] | None = None,
    exclude_tags: Iterable[str] | None = None,
    allowed_namespaces: Iterable[str] | None = None,
    allowed_tags: Iterable[str] | None = None,
) -> Filtered:
    """The items that pass, in the Router's order of filters: exclusions first, then what is not allowed.

    None turns an allowance off; an empty one lets nothing pass, an empty exclusion excludes nothing. Source:
    contextweaver 0.18.2 `routing/filters.py`. Raises `ValidationError`.
    """
    out_ids = _words(exclude_ids, "exclude_ids") or frozenset()
    out_tags = _words(exclude_tags, "exclude_tags") or frozenset()
    in_namespaces = _words(allowed_namespaces, "allowed_namespaces")
    in_tags = _words(allowed_tags, "allowed_tags")
    ids = []
    excluded = gated = 0
    for position, entry in enumerate(items):
        item = _Filterable.read(entry, where=lambda steps, at=position: ("items", at, *steps))  # type: ignore[misc]
        if item.id in out_ids or not out_tags.isdisjoint(item.tags):
            excluded += 1
        elif _is_gated(item, in_namespaces, in_tags):
            gated += 1
        else:
            ids.append(item.id)
    return Filtered(ids=tuple(ids), excluded=excluded, gated=gated)


def _is_gated(item: _Filterable, namespaces: frozenset[str] | None, tags: frozenset[str] | None) -> bool:
    if namespaces is not None and item.namespace not in namespaces:
        return True
    return tags is not None and tags.isdisjoint(item.tags)


def _words(given: Iterable[str] | None, field: str) -> frozenset[str] | None:
    if given is None:
        return None
    words = [] if isinstance(given, str) else list(given)
    if isinstance(given, str) or not all(isinstance(word, str) for word in words):
        raise ValidationError(f"expected a list of text, got {shown(given)}", path=json_path((field,)), field=field)
    return frozenset(words)
