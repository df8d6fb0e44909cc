"""Decisions and results: the mapping page's conversions of RoutingDecision and of ResultEnvelope and Frame.

Source, inputs, results and errors are those of `options`, which this module builds on.
"""

from __future__ import annotations

from datetime import UTC, datetime

from weave_tui.interop import contextweaver as cw
from weave_tui.interop import weaver_spec as spec
from weave_tui.interop.errors import CatalogError, Steps
from weave_tui.interop.foreign import restored
from weave_tui.interop.options import RESERVED_PATH, cards_of, menu_of, refuse_twins, reserved_payload
from weave_tui.interop.weaver_spec import RESERVED

NO_SUMMARY = "(no summary)"
"""What an empty summary becomes, since the spec refuses one."""

PLACEHOLDER = {"media_type": "application/octet-stream", "size_bytes": 0}
"""What is known of an artifact of which only the handle came."""


def to_weaver_routing_decision(decision: object, *, split: bool = False) -> spec.RoutingDecision:
    """A decision with its cards in one menu `{id}:menu`; a selected card becomes the selected menu.

    More than 20 cards are refused, or go into several menus with `split`. Raises `CatalogError` for no card, too
    many or an id used twice; `ValidationError`.
    """
    given = cw.RoutingDecision.read(decision)
    cards = given.choice_cards
    where: dict[str, str] = {"path": "$.choice_cards", "field": "choice_cards"}
    if not cards:
        raise CatalogError("a decision needs at least one card", **where)
    if len(cards) > spec.MAX_ITEMS and not split:
        raise CatalogError(f"one menu holds at most {spec.MAX_ITEMS} cards, got {len(cards)}", **where)
    refuse_twins((card.id for card in cards), ("choice_cards",), "choice_cards")
    menus = []
    selected = given.selected_card_id
    for number, start in enumerate(range(0, len(cards), spec.MAX_ITEMS), start=1):
        group = cards[start : start + spec.MAX_ITEMS]
        menu_id = f"{given.id}:menu" if number == 1 else f"{given.id}:menu:{number}"
        bases = [("choice_cards", start + position) for position in range(len(group))]
        menu = menu_of(group, menu_id=menu_id, context_hint=None, bases=bases)
        chosen = given.selected_card_id
        if chosen is not None and (chosen == menu_id or any(card.id == chosen for card in group)):
            selected = menu_id
            menu = menu.model_copy(update={"metadata": {RESERVED: {"original_selected_card_id": chosen}}})
        menus.append(menu)
    fields = {
        "id": given.id,
        "choice_cards": menus,
        "timestamp": given.timestamp,
        "selected_item_id": given.selected_item_id,
        "selected_card_id": selected,
        "context_summary": given.context_summary,
        "metadata": given.metadata,
    }
    made = spec.RoutingDecision.read(fields)
    return restored(
        made,
        given.foreign,
        lambda it: to_weaver_routing_decision(from_weaver_routing_decision(it), split=split),
    )


def from_weaver_routing_decision(decision: object, *, preserve_foreign: bool = False) -> cw.RoutingDecision:
    """A decision with the cards of all its menus, in order; a selected menu becomes the selected card again.

    `preserve_foreign` keeps the decision whole. Raises as `from_weaver_choice_card`.
    """
    given = spec.RoutingDecision.read(decision)
    cards: list[cw.ChoiceCard] = []
    selected = given.selected_card_id
    for position, menu in enumerate(given.choice_cards):
        base: Steps = ("choice_cards", position)
        cards += cards_of(menu, base, False)
        if menu.id == given.selected_card_id:
            selected = _selected_card(menu, base, given)
    fields = {
        "id": given.id,
        "choice_cards": cards,
        "timestamp": given.timestamp,
        "selected_item_id": given.selected_item_id,
        "selected_card_id": selected,
        "context_summary": given.context_summary,
        "metadata": given.metadata,
        "foreign": given.plain() if preserve_foreign else None,
    }
    return cw.RoutingDecision.read(fields)


def _selected_card(menu: spec.ChoiceCard, base: Steps, decision: spec.RoutingDecision) -> str | None:
    remembered = reserved_payload(menu.metadata, base).get("original_selected_card_id")
    if isinstance(remembered, str) and remembered:
        return remembered
    ids = {option.id for offered in decision.choice_cards for option in offered.items}
    return decision.selected_item_id if decision.selected_item_id in ids else decision.selected_card_id


def to_weaver_frame(
    envelope: object, *, frame_id: str, capability_id: str, created_at: datetime | str | None = None
) -> spec.Frame:
    """A result as a frame; without `created_at` it is dated now.

    Raises `ValidationError` for an empty id, an empty handle or a time that is none.
    """
    given = cw.ResultEnvelope.read(envelope)
    notes = given.provenance.get("redaction_notes")
    payload = {
        "artifacts": [artifact.plain() for artifact in given.artifacts],
        "provenance": given.provenance,
        "original_summary": given.summary,
    }
    if given.firewall_stats is not None:
        payload["firewall_stats"] = given.firewall_stats
    original = given.foreign
    when = created_at if created_at is not None else (original or {}).get("created_at", datetime.now(UTC))
    fields = {
        "frame_id": frame_id,
        "capability_id": capability_id,
        "summary": given.summary or NO_SUMMARY,
        "created_at": when,
        "structured_data": {
            "status": given.status,
            "facts": given.facts,
            "views": [view.plain() for view in given.views],
        },
        "handle_refs": [artifact.handle for artifact in given.artifacts],
        "redaction_notes": notes if isinstance(notes, str) and notes else None,
        "metadata": {RESERVED: payload},
    }
    return restored(spec.Frame.read(fields, where=_frame_place), original, _frame_again)


def _frame_place(steps: Steps) -> Steps:
    if len(steps) == 2 and steps[0] == "handle_refs":
        return ("artifacts", steps[1], "handle")
    return steps


def _frame_again(frame: spec.Frame) -> spec.Frame:
    names = {"frame_id": frame.frame_id, "capability_id": frame.capability_id}
    return to_weaver_frame(from_weaver_frame(frame), created_at=frame.created_at, **names)


def from_weaver_frame(frame: object, *, preserve_foreign: bool = False) -> cw.ResultEnvelope:
    """A frame as a result: artifacts from the reserved payload, else placeholders from the handles.

    A status the peer does not know reads as `ok`. `preserve_foreign` keeps the frame whole. Raises `ValidationError`.
    """
    given = spec.Frame.read(frame)
    payload = reserved_payload(given.metadata)
    data = given.structured_data or {}
    status = data.get("status")
    provenance = payload.get("provenance", {})
    if given.redaction_notes and isinstance(provenance, dict):
        provenance = {"redaction_notes": given.redaction_notes, **provenance}
    summary = payload.get("original_summary")
    if not isinstance(summary, str):
        summary = "" if RESERVED in given.metadata and given.summary == NO_SUMMARY else given.summary
    fields = {
        "status": status if isinstance(status, str) and status in cw.STATUSES else "ok",
        "summary": summary,
        "facts": data.get("facts", ()),
        "artifacts": payload.get("artifacts") or [{"handle": handle, **PLACEHOLDER} for handle in given.handle_refs],
        "views": data.get("views", ()),
        "provenance": provenance,
        "firewall_stats": payload.get("firewall_stats"),
        "foreign": given.plain() if preserve_foreign else None,
    }
    return cw.ResultEnvelope.read(fields, where=_envelope_place)


def _envelope_place(steps: Steps) -> Steps:
    if steps and steps[0] in ("facts", "views"):
        return ("structured_data", *steps)
    return (*RESERVED_PATH, *steps)


def roundtrip_routing_decision(decision: object) -> cw.RoutingDecision:
    """The decision after a trip through the spec side: equal to what was given."""
    return from_weaver_routing_decision(to_weaver_routing_decision(decision))


def roundtrip_frame(
    envelope: object,
    *,
    frame_id: str = "frame",
    capability_id: str = "capability",
    created_at: datetime | str | None = None,
) -> cw.ResultEnvelope:
    """The result after a trip through the spec side: equal to what was given."""
    ids = {"frame_id": frame_id, "capability_id": capability_id}
    return from_weaver_frame(to_weaver_frame(envelope, created_at=created_at, **ids))


roundtrip_result_envelope = roundtrip_frame
"""The same trip by our side's name for the document."""
