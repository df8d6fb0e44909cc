"""Any document of this family: recognise it, import it, convert it to the other side.

`FORMS` is the one table of what is recognised, by which keys, and what can be done with it. What an
import cannot carry is listed place by place: it is what is missing, or reads differently, when the
result is turned back into the form that was read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal, TypeVar, cast

from weave_tui.interop import contextweaver as cw
from weave_tui.interop import options, outcomes
from weave_tui.interop import weaver_spec as spec
from weave_tui.interop.bridge import WEAVE, selectable_item_to_advertisement
from weave_tui.interop.candidates import HostCandidate, advice_of_candidate, candidate_of_advice
from weave_tui.interop.catalog import read_catalog
from weave_tui.interop.chainweaver import load_chainweaver_export
from weave_tui.interop.data import Document, plain, read_time
from weave_tui.interop.errors import CatalogError, InteropError, Steps, ValidationError, json_path, shown
from weave_tui.protocol import PLATFORMS, Platform, WeaveAdvertisement

Side = Literal["contextweaver", "weaver-spec", "chainweaver"]
Keys = Mapping[str, Any]
_Made = TypeVar("_Made")
Placed = Iterator[tuple[Steps, object]]
"""Items of either side, each with its place in the document."""


@dataclass(frozen=True, slots=True)
class Names:
    """What the spec side needs and the contextweaver side has no field for."""

    frame_id: str = ""
    capability_id: str = ""
    created_at: datetime | str | None = None
    menu_id: str | None = None
    decision_id: str = ""

    def at(self, position: int) -> Names:
        """The names for one entry of a list: the first has them as given, the others are numbered."""
        if not position:
            return self
        ids = ("frame_id", "menu_id", "decision_id")
        numbered = {name: f"{given}:{position + 1}" for name in ids if (given := getattr(self, name))}
        return replace(self, **numbered)


@dataclass(frozen=True, slots=True)
class Form:
    """One kind of document: whose it is, how it is told, read and converted, and the items in it."""

    side: Side
    name: str
    tells: Callable[[Keys], bool]
    read: Callable[[Any], Any]
    over: Callable[[Any, Names], Any]
    items: Callable[[Any], Placed] = lambda _: iter(())


def _has(*names: str) -> Callable[[Keys], bool]:
    return lambda keys: all(name in keys for name in names)


def _is_decision_of_menus(keys: Keys) -> bool:
    cards = keys.get("choice_cards")
    first = cards[0] if isinstance(cards, list) and cards else None
    return "timestamp" in keys and isinstance(first, Mapping) and "items" in first


def _is_flow(keys: Keys) -> bool:
    metadata = keys.get("metadata")
    if "label" in keys and isinstance(metadata, Mapping):
        return {"deterministic", "input_schema", "output_schema"} <= metadata.keys()
    named = "name" in keys and ("id" in keys or "flow_id" in keys)
    return "flows" in keys or {"name", "steps"} <= keys.keys() or (named and not _CARD_KEYS & keys.keys())


_CARD_KEYS = frozenset({"kind", "has_schema", "choice_cards"})


def _frame(result: Any, names: Names) -> spec.Frame:
    for name in ("frame_id", "capability_id"):
        if not getattr(names, name):
            raise ValidationError(f"a frame needs a {name}, which a result has not", path=name, field=name)
    ids = {"frame_id": names.frame_id, "capability_id": names.capability_id}
    return outcomes.to_weaver_frame(result, created_at=names.created_at, **ids)


def _advice(candidate: Any, names: Names) -> spec.ExecutionRoutingDecision:
    if not names.decision_id:
        message = "advice needs a decision_id, which a candidate has not"
        raise ValidationError(message, path="decision_id", field="decision_id")
    return advice_of_candidate(candidate, decision_id=names.decision_id)


def _itself(item: Any) -> Placed:
    yield (), item


def _of_menu(menu: Any) -> Placed:
    for position, option in enumerate(menu.items):
        yield ("items", position), option


def _of_decision(decision: Any) -> Placed:
    for position, menu in enumerate(decision.choice_cards):
        for steps, option in _of_menu(menu):
            yield ("choice_cards", position, *steps), option


def _of_catalog(items: Any) -> Placed:
    for position, item in enumerate(items):
        yield ("items", position), item


FORMS: tuple[Form, ...] = (
    Form("weaver-spec", "decision", _is_decision_of_menus, spec.RoutingDecision.read,
         lambda it, _: outcomes.from_weaver_routing_decision(it, preserve_foreign=_is_lossy(it)),
         _of_decision),
    Form("weaver-spec", "frame", _has("frame_id", "summary"), spec.Frame.read,
         lambda it, _: outcomes.from_weaver_frame(it, preserve_foreign=True)),
    Form("weaver-spec", "candidate", _has("decision_id", "candidate"), spec.ExecutionRoutingDecision.read,
         lambda it, _: candidate_of_advice(it)),
    Form("weaver-spec", "menu", _has("id", "items"), spec.ChoiceCard.read,
         lambda it, _: options.from_weaver_choice_card(it, preserve_foreign=True), _of_menu),
    Form("contextweaver", "candidate", _has("candidate_id", "candidate_type"), HostCandidate.read, _advice),
    Form("contextweaver", "decision", _has("choice_cards", "timestamp"), cw.RoutingDecision.read,
         lambda it, _: outcomes.to_weaver_routing_decision(it)),
    Form("contextweaver", "result", _has("status", "summary"), cw.ResultEnvelope.read, _frame),
    Form("contextweaver", "catalog", _has("items"), read_catalog,
         lambda it, _: tuple(map(options.to_weaver_selectable_item, it)), _of_catalog),
    Form("contextweaver", "card", _has("id", "name", "has_schema"), cw.ChoiceCard.read,
         lambda it, names: options.to_weaver_choice_card(it, menu_id=names.menu_id)),
    Form("contextweaver", "item", _has("id", "name", "kind"), cw.SelectableItem.read,
         lambda it, _: options.to_weaver_selectable_item(it), _itself),
    Form("chainweaver", "flows", _is_flow, load_chainweaver_export, lambda it, _: it),
    Form("weaver-spec", "item", _has("id", "label"), spec.SelectableItem.read,
         lambda it, _: options.from_weaver_selectable_item(it, preserve_foreign=_is_lossy(it)), _itself),
)  # fmt: skip
"""What is recognised, the more telling form first. A list is told by its first entry."""


def recognise(document: object) -> Form:
    """The form of a decoded document. Raises `CatalogError` when it is none of `FORMS`."""
    sample: Any = document[0] if isinstance(document, list) and document else document
    if isinstance(sample, Mapping):
        for form in FORMS:
            if form.tells(sample):
                return form
    known = ", ".join(f"{form.side} {form.name}" for form in FORMS)
    raise CatalogError(f"expected one of {known}; got {shown(sample)}")


def _read(form: Form, document: object) -> tuple[tuple[Steps, Any], ...]:
    """The models in a document, each with its place: one, or one for each entry of a list.

    A list of items or flows is a set, in which no id may be there twice.
    """
    if not isinstance(document, list) or form.side == "chainweaver":
        return (((), form.read(document)),)
    if form.side == "contextweaver" and form.name == "item":
        return tuple(((position,), item) for position, item in enumerate(read_catalog(document)))
    return tuple(((position,), _below((position,), form.read, entry)) for position, entry in enumerate(document))


def _below(base: Steps, function: Callable[..., _Made], *arguments: Any) -> _Made:
    """`function` on what is at `base` of the document; errors name the place in the document."""
    try:
        return function(*arguments)
    except InteropError as error:
        raise error.below(base) from None


@dataclass(frozen=True, slots=True)
class Lost:
    """One place of a document that was not carried over, or reads differently."""

    path: str
    reason: str

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Imported:
    """What a document holds, in our terms, and what it held besides."""

    form: Form
    items: tuple[cw.SelectableItem, ...]
    advertisements: tuple[WeaveAdvertisement, ...]
    decisions: tuple[cw.RoutingDecision, ...]
    results: tuple[cw.ResultEnvelope, ...]
    candidates: tuple[spec.ExecutionRoutingDecision | HostCandidate, ...]
    lost: tuple[Lost, ...]


def import_document(document: object, *, platform: Platform | None = None) -> Imported:
    """A decoded document of any of `FORMS`, with a list of what could not be carried.

    An item becomes an advertisement where its platform is known: its own, or `platform`. Raises `CatalogError` or
    `ValidationError`, naming the JSON path.
    """
    form = recognise(document)
    placed = _read(form, document)
    models = tuple(model for _, model in placed)
    items: list[cw.SelectableItem] = []
    advertisements: list[WeaveAdvertisement] = []
    lost: list[Lost] = []
    for steps, found in _items(form, document, placed):
        item = _below(steps, _item, found)
        items.append(item)
        if WEAVE in item.metadata or item.namespace in PLATFORMS or platform:
            advertisements.append(_below(steps, _advertised, item, platform))
            lost += _not_advertised(item, steps)
        else:
            lost.append(Lost(json_path(steps), f"no advertisement: {shown(item.namespace)} is no platform; name one"))
    return Imported(
        form=form,
        items=tuple(items),
        advertisements=tuple(advertisements),
        decisions=tuple(_decisions(models)),
        results=tuple(_results(models)),
        candidates=tuple(model for model in models if isinstance(model, spec.ExecutionRoutingDecision | HostCandidate)),
        lost=(*_not_read(form, document, placed), *lost),
    )


def _items(form: Form, document: Any, placed: tuple[tuple[Steps, Any], ...]) -> Placed:
    if form.side == "chainweaver":
        places = (steps for steps, _ in _flows(document))
        yield from zip(places, placed[0][1], strict=True)
        return
    for base, model in placed:
        for steps, item in form.items(model):
            yield (*base, *steps), item


def _flows(document: Any) -> Placed:
    """The flows of an export as they were given, each with its place."""
    if isinstance(document, list):
        yield from (((position,), flow) for position, flow in enumerate(document))
    elif "flows" in document:
        yield from ((("flows", position), flow) for position, flow in enumerate(document["flows"]))
    else:
        yield (), document


def _item(item: object) -> cw.SelectableItem:
    return item if isinstance(item, cw.SelectableItem) else options.from_weaver_selectable_item(item)


def _advertised(item: cw.SelectableItem, platform: Platform | None) -> WeaveAdvertisement:
    return selectable_item_to_advertisement(item, platform=platform)


def _decisions(models: tuple[Any, ...]) -> Iterator[cw.RoutingDecision]:
    for model in models:
        if isinstance(model, spec.RoutingDecision):
            yield outcomes.from_weaver_routing_decision(model)
        elif isinstance(model, cw.RoutingDecision):
            yield model


def _results(models: tuple[Any, ...]) -> Iterator[cw.ResultEnvelope]:
    for model in models:
        if isinstance(model, spec.Frame):
            yield outcomes.from_weaver_frame(model)
        elif isinstance(model, cw.ResultEnvelope):
            yield model


def _again(model: Any) -> Any:
    """A model after a trip to our side and back, in its own form."""
    match model:
        case spec.RoutingDecision():
            return outcomes.to_weaver_routing_decision(outcomes.from_weaver_routing_decision(model), split=True)
        case spec.Frame():
            ids = {"frame_id": model.frame_id, "capability_id": model.capability_id}
            return outcomes.to_weaver_frame(outcomes.from_weaver_frame(model), created_at=model.created_at, **ids)
        case spec.SelectableItem():
            return options.to_weaver_selectable_item(options.from_weaver_selectable_item(model))
        case spec.ChoiceCard():
            items = map(_again, model.items)
            return model.model_copy(update={"items": tuple(items), "metadata": {}, "context_hint": None})
    return model


def _is_lossy(model: Document) -> bool:
    """Whether the way to our side and back changes anything, so that the original must go along."""
    return bool(model.plain() != _again(model).plain())


_FLOW_KEYS = frozenset(
    {"id", "flow_id", "name", "description", "version", "tags", "input_schema", "inputs", "output_schema", "outputs"}
)


def _not_read(form: Form, document: Any, placed: tuple[tuple[Steps, Any], ...]) -> Iterator[Lost]:
    if form.side == "chainweaver":
        for steps, flow in _flows(document):
            if isinstance(flow, Mapping) and not {"steps", "label"} & flow.keys():  # those are carried whole
                yield from (Lost(json_path((*steps, key)), "not carried") for key in flow if key not in _FLOW_KEYS)
        return
    entries = document if isinstance(document, list) else [document]
    for entry, (steps, model) in zip(entries, placed, strict=True):
        if form.name == "catalog":
            yield from _differences(entry["items"], plain(model), (*steps, "items"))
        else:
            yield from _differences(entry, plain(_below(steps, _again, model)), steps)


def _differences(original: Any, again: Any, steps: Steps) -> Iterator[Lost]:
    if isinstance(original, Mapping) and isinstance(again, Mapping):
        for key, value in original.items():
            if key in again:
                yield from _differences(value, again[key], (*steps, key))
            elif value not in (None, "", [], {}):
                yield Lost(json_path((*steps, key)), "not carried")
    elif isinstance(original, list) and isinstance(again, list) and len(original) == len(again):
        for position, pair in enumerate(zip(original, again, strict=True)):
            yield from _differences(*pair, (*steps, position))
    elif original != again and not _same_time(original, again):
        yield Lost(json_path(steps), f"read as {shown(again)}")


def _same_time(first: Any, second: Any) -> bool:
    if not isinstance(first, str) or not isinstance(second, str):
        return False
    try:
        return read_time(first) == read_time(second)
    except ValueError:
        return False


_NOT_ADVERTISED = ("args_schema", "output_schema", "constraints", "side_effects", "cost_hint", "depends_on")
"""Fields of an item that the protocol has no place for."""


def _not_advertised(item: cw.SelectableItem, base: Steps) -> Iterator[Lost]:
    if WEAVE in item.metadata:
        return
    for name in (*_NOT_ADVERTISED, "metadata"):
        if getattr(item, name):
            yield Lost(json_path((*base, name)), "not in the advertisement: the protocol has no field for it")


def convert(document: object, *, names: Names | None = None) -> Document | tuple[Document, ...]:
    """A decoded document as the other side has it; foreign data is kept, so converting back gives it again.

    `names` are needed for a result, which becomes a frame, and for a candidate. A list gives a tuple. Raises
    `CatalogError` or `ValidationError`, naming the JSON path.
    """
    form = recognise(document)
    given = names or Names()
    placed = _read(form, document)
    if not isinstance(document, list):
        return cast(Document, form.over(placed[0][1], given))
    made: list[Document] = []
    for position, (steps, model) in enumerate(placed):
        found = _below(steps, form.over, model, given.at(position))
        made += found if isinstance(found, tuple) else [found]
    return tuple(made)
