"""Items and cards: the mapping page's conversions of SelectableItem and ChoiceCard, by its names.

Source: the seed "weaver-spec <-> contextweaver type mapping" and contextweaver 0.18.2, whose outputs
these functions reproduce. Where the peer drops a field, it travels as one more key of the reserved
payload, written only when it is set, which the peer ignores. Inputs may be these models, decoded
JSON or the peer's own objects; results are these models, frozen throughout, and alias no data of the caller's.

Every function raises `ValidationError` for a value that breaks a contract and `CatalogError` for a
document that the mapping cannot carry; both are ValueErrors and name the JSON path.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from weave_tui.interop import contextweaver as cw
from weave_tui.interop import weaver_spec as spec
from weave_tui.interop.errors import CatalogError, Step, Steps, ValidationError, Where, json_path, shown
from weave_tui.interop.foreign import restored
from weave_tui.interop.weaver_spec import RESERVED
from weave_tui.protocol import PLATFORMS

_ITEM = (
    "kind",
    "tags",
    "namespace",
    "args_schema",
    "output_schema",
    "examples",
    "constraints",
    "side_effects",
    "cost_hint",
)
_ITEM_IF_SET = ("depends_on", "provides", "requires")
_CARD = ("kind", "tags", "namespace", "has_schema", "cost_hint", "side_effects")
_CARD_IF_SET = ("score", "safety")
_TO_OPTION: dict[Step, Steps] = {"label": ("name",)}
_FROM_OPTION: dict[Step, Steps] = {
    "id": ("id",),
    "name": ("label",),
    "description": ("description",),
    "metadata": ("metadata",),
}


def renamed(names: dict[Step, Steps], base: Steps = (), otherwise: Steps = ()) -> Where:
    """Leads from a field back to where the caller wrote it: by `names`, else the same name under `otherwise`."""

    def where(steps: Steps) -> Steps:
        if not steps:
            return base
        return (*base, *names.get(steps[0], (*otherwise, steps[0])), *steps[1:])

    return where


RESERVED_PATH = ("metadata", RESERVED)
_ITEM_FROM = renamed(_FROM_OPTION, otherwise=RESERVED_PATH)
_ITEM_TO = renamed(_TO_OPTION)


def reserved_payload(metadata: dict[str, Any], base: Steps = ()) -> dict[str, Any]:
    payload = metadata.get(RESERVED)
    if payload is None:
        return {}
    if not isinstance(payload, dict):
        path = json_path((*base, *RESERVED_PATH))
        raise ValidationError(f"expected an object, got {shown(payload)}", path=path, field=".".join(RESERVED_PATH))
    return payload


def _capability_id(namespace: str, name: str, item_id: str) -> str:
    """The peer's rule; an id of ours (`platform:...`) is its capability id even where the name was cut or clashes."""
    if not namespace or (namespace in PLATFORMS and item_id.startswith(f"{namespace}:")):
        return item_id
    return f"{namespace}:{name}"


def to_weaver_selectable_item(item: object) -> spec.SelectableItem:
    """An item as a menu option; contextweaver's fields go into `metadata._contextweaver`.

    Raises `CatalogError` when the metadata already uses the reserved key, `ValidationError` for an empty id, name
    or description.
    """
    given = cw.SelectableItem.read(item)
    if RESERVED in given.metadata:
        path = json_path(RESERVED_PATH)
        raise CatalogError("the key is reserved for the mapping; rename it", path=path, field=".".join(RESERVED_PATH))
    payload = {name: getattr(given, name) for name in _ITEM}
    payload.update((name, value) for name in _ITEM_IF_SET if (value := getattr(given, name)) is not None)
    fields = {
        "id": given.id,
        "label": given.name,
        "description": given.description,
        "capability_id": _capability_id(given.namespace, given.name, given.id),
        "metadata": {**given.metadata, RESERVED: payload},
    }
    made = spec.SelectableItem.read(fields, where=_ITEM_TO)
    if given.foreign is None:
        return made
    back = restored(made, given.foreign, lambda it: to_weaver_selectable_item(from_weaver_selectable_item(it)))
    original = from_weaver_selectable_item(given.foreign)
    if "capability_id" not in given.foreign or original.namespace != given.namespace:
        return back
    return back.model_copy(update={"capability_id": given.foreign["capability_id"]})  # a new name runs the same thing


def from_weaver_selectable_item(item: object, *, preserve_foreign: bool = False) -> cw.SelectableItem:
    """A menu option as an item: restored from the reserved payload, else with defaults and an inferred namespace.

    `preserve_foreign` keeps the option whole, so that the way back gives it again. Raises `ValidationError`.
    """
    given = spec.SelectableItem.read(item)
    payload = reserved_payload(given.metadata)
    fields = {"kind": "tool", **{name: payload[name] for name in (*_ITEM, *_ITEM_IF_SET) if name in payload}}
    if not payload and given.capability_id and ":" in given.capability_id:
        fields["namespace"] = given.capability_id.split(":", 1)[0]
    fields["id"] = given.id
    fields["name"] = given.label
    fields["description"] = given.description
    fields["metadata"] = {key: value for key, value in given.metadata.items() if key != RESERVED}
    if preserve_foreign:
        fields["foreign"] = given.plain()
    return cw.SelectableItem.read(fields, where=_ITEM_FROM)


def _option(card: cw.ChoiceCard, base: Steps = ()) -> spec.SelectableItem:
    payload = {name: getattr(card, name) for name in _CARD}
    payload.update((name, value) for name in _CARD_IF_SET if (value := getattr(card, name)) not in (None, ""))
    fields = {
        "id": card.id,
        "label": card.name,
        "description": card.description,
        "capability_id": _capability_id(card.namespace, card.name, card.id),
        "metadata": {RESERVED: payload},
    }
    made = spec.SelectableItem.read(fields, where=renamed(_TO_OPTION, base))
    return restored(made, (card.foreign or {}).get("item"), lambda item: _option(_card(item)))


def _card(option: spec.SelectableItem, base: Steps = (), foreign: dict[str, Any] | None = None) -> cw.ChoiceCard:
    payload = reserved_payload(option.metadata, base)
    fields = {name: payload[name] for name in (*_CARD, *_CARD_IF_SET) if name in payload}
    fields.update(id=option.id, name=option.label, description=option.description, foreign=foreign)
    return cw.ChoiceCard.read(fields, where=renamed(_FROM_OPTION, base, RESERVED_PATH))


def refuse_twins(ids: Iterable[str], base: Steps, field: str) -> None:
    seen: set[str] = set()
    for position, entry in enumerate(ids):
        if entry in seen:
            raise CatalogError(
                f"the id {shown(entry)} is there twice", path=json_path((*base, position, "id")), field=field
            )
        seen.add(entry)


def _read_cards(cards: object) -> list[cw.ChoiceCard]:
    if not isinstance(cards, Sequence) or isinstance(cards, str | bytes):
        raise ValidationError(f"expected a list of cards, got {shown(cards)}", field="items")
    return [
        cw.ChoiceCard.read(card, where=lambda steps, at=position: (at, *steps))  # type: ignore[misc]
        for position, card in enumerate(cards)
    ]


def menu_of(
    cards: Sequence[cw.ChoiceCard], *, menu_id: str, context_hint: str | None, bases: Sequence[Steps]
) -> spec.ChoiceCard:
    options = tuple(_option(card, base) for card, base in zip(cards, bases, strict=True))
    kept = [(card.foreign or {}).get("menu") for card in cards]
    fields: dict[str, Any] = dict(kept[0]) if isinstance(kept[0], dict) and kept.count(kept[0]) == len(kept) else {}
    fields.setdefault("metadata", {})
    fields.update(id=menu_id, items=options)
    if context_hint is not None:
        fields["context_hint"] = context_hint
    return spec.ChoiceCard.read(fields)


def to_weaver_choice_card(
    card: object, *, menu_id: str | None = None, context_hint: str | None = None
) -> spec.ChoiceCard:
    """One card as a menu of one option, named `menu:{card.id}` unless `menu_id` says otherwise.

    Raises `ValidationError`, also for an empty `menu_id`.
    """
    given = cw.ChoiceCard.read(card)
    name = f"menu:{given.id}" if menu_id is None else menu_id
    return menu_of([given], menu_id=name, context_hint=context_hint, bases=[()])


def to_weaver_choice_cards(cards: object, *, menu_id: str, context_hint: str | None = None) -> spec.ChoiceCard:
    """Cards as one menu, in their order.

    Raises `CatalogError` for no card, more than 20 (the schema's limit) or an id used twice; `ValidationError`.
    """
    given = _read_cards(cards)
    if not given:
        raise CatalogError("a menu needs at least one card", field="items")
    if len(given) > spec.MAX_ITEMS:
        raise CatalogError(f"a menu holds at most {spec.MAX_ITEMS} cards, got {len(given)}", field="items")
    refuse_twins((card.id for card in given), (), "items")
    bases = [(position,) for position in range(len(given))]
    return menu_of(given, menu_id=menu_id, context_hint=context_hint, bases=bases)


def from_weaver_choice_card(card: object, *, preserve_foreign: bool = False) -> tuple[cw.ChoiceCard, ...]:
    """A menu as its cards. The namespace is not inferred here; hint and metadata are dropped, as the peer does.

    `preserve_foreign` keeps them on the cards. Raises `ValidationError` for a label or tags beyond a card's limits,
    `CatalogError` for an id used twice.
    """
    return cards_of(spec.ChoiceCard.read(card), (), preserve_foreign)


def cards_of(menu: spec.ChoiceCard, base: Steps, preserve_foreign: bool) -> tuple[cw.ChoiceCard, ...]:
    refuse_twins((option.id for option in menu.items), (*base, "items"), "items")
    around = {key: value for key, value in menu.plain().items() if key != "items"} if preserve_foreign else {}
    return tuple(
        _card(
            option,
            (*base, "items", position),
            {"item": option.plain(), "menu": around} if preserve_foreign else None,
        )
        for position, option in enumerate(menu.items)
    )


def from_weaver_choice_card_single(card: object, *, preserve_foreign: bool = False) -> cw.ChoiceCard:
    """The card of a menu with one option. Raises `CatalogError` for any other number, else as above."""
    menu = spec.ChoiceCard.read(card)
    if len(menu.items) != 1:
        raise CatalogError(f"expected a menu of one option, got {len(menu.items)}", path="$.items", field="items")
    return cards_of(menu, (), preserve_foreign)[0]


def roundtrip_selectable_item(item: object) -> cw.SelectableItem:
    """The item after a trip through the spec side: equal to what was given."""
    return from_weaver_selectable_item(to_weaver_selectable_item(item))


def roundtrip_choice_card(card: object) -> cw.ChoiceCard:
    """The card after a trip through the spec side: equal to what was given."""
    return from_weaver_choice_card_single(to_weaver_choice_card(card))
