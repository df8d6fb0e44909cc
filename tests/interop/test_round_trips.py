"""What must always hold: nothing is lost on the way there and back, and nothing is shared with the input."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings

from tests.interop import strategies as make
from weave_tui import interop
from weave_tui.interop import contextweaver as cw
from weave_tui.interop import weaver_spec as spec
from weave_tui.interop.data import Document

thorough = settings(max_examples=150, deadline=None)


def through_json(document: Document) -> Document:
    """The document after it was written and read, which must change nothing."""
    again = type(document).read(interop.from_json(interop.to_json(document)))
    assert again == document
    assert again.plain() == document.plain()
    return again


@thorough
@given(make.items)
def test_an_item_survives_the_trip(item: cw.SelectableItem) -> None:
    there = through_json(interop.to_weaver_selectable_item(through_json(item)))
    assert interop.from_weaver_selectable_item(there) == item
    assert interop.roundtrip_selectable_item(item) == item


@thorough
@given(make.card_lists, make.names)
def test_cards_survive_the_trip(cards: list[cw.ChoiceCard], menu_id: str) -> None:
    there = through_json(interop.to_weaver_choice_cards([through_json(card) for card in cards], menu_id=menu_id))
    assert interop.from_weaver_choice_card(there) == tuple(cards)
    assert interop.roundtrip_choice_card(cards[0]) == cards[0]


@thorough
@given(make.decisions())
def test_a_decision_survives_the_trip(decision: cw.RoutingDecision) -> None:
    there = through_json(interop.to_weaver_routing_decision(through_json(decision)))
    assert interop.from_weaver_routing_decision(there) == decision
    assert interop.roundtrip_routing_decision(decision) == decision


@thorough
@given(make.results, make.names, make.names, make.times)
def test_a_result_survives_the_trip(result: cw.ResultEnvelope, frame_id: str, capability: str, created: Any) -> None:
    names = {"frame_id": frame_id, "capability_id": capability}
    there = through_json(interop.to_weaver_frame(through_json(result), created_at=created, **names))
    assert interop.from_weaver_frame(there) == result
    assert interop.roundtrip_result_envelope(result, created_at=created) == result


@thorough
@given(make.spec_items)
def test_a_foreign_item_comes_back_as_it_was(document: dict[str, Any]) -> None:
    ours = through_json(interop.from_weaver_selectable_item(document, preserve_foreign=True))
    assert interop.to_weaver_selectable_item(ours).plain() == spec.SelectableItem.read(document).plain()


@thorough
@given(make.spec_menus)
def test_a_foreign_menu_comes_back_as_it_was(document: dict[str, Any]) -> None:
    ours = [through_json(card) for card in interop.from_weaver_choice_card(document, preserve_foreign=True)]
    again = interop.to_weaver_choice_cards(ours, menu_id=document["id"])
    expected = spec.ChoiceCard.read(document).plain()
    assert again.plain() == {"metadata": {}, **expected}


@thorough
@given(make.spec_decisions)
def test_a_foreign_decision_comes_back_as_it_was(document: dict[str, Any]) -> None:
    ours = through_json(interop.from_weaver_routing_decision(document, preserve_foreign=True))
    assert interop.to_weaver_routing_decision(ours).plain() == spec.RoutingDecision.read(document).plain()


@thorough
@given(make.spec_frames)
def test_a_foreign_frame_comes_back_as_it_was(document: dict[str, Any]) -> None:
    ours = through_json(interop.from_weaver_frame(document, preserve_foreign=True))
    again = interop.to_weaver_frame(ours, frame_id=document["frame_id"], capability_id=document["capability_id"])
    assert again.plain() == spec.Frame.read(document).plain()


def test_an_edit_of_a_foreign_item_is_kept_with_the_rest() -> None:
    document = {"id": "m", "label": "Mirror", "description": "d", "capability_id": "web:mirror", "x_note": [None]}
    ours = interop.from_weaver_selectable_item(document, preserve_foreign=True)
    edited = ours.model_copy(update={"name": "Looking glass"})
    assert interop.to_weaver_selectable_item(edited).plain() == {**document, "label": "Looking glass"}


def test_an_edit_of_a_foreign_decision_is_kept_with_the_rest() -> None:
    items = [{"id": letter, "label": letter.upper(), "description": "d", "x": 1} for letter in "ab"]
    document = {"id": "r", "choice_cards": [{"id": "m", "items": items, "x": 2}], "timestamp": "2031-03-04T05:06:07Z"}
    ours = interop.from_weaver_routing_decision(document, preserve_foreign=True)
    edited = ours.model_copy(update={"selected_item_id": "b"})
    assert interop.plain(interop.to_weaver_routing_decision(edited)) == {
        **interop.plain(spec.RoutingDecision.read(document)),
        "selected_item_id": "b",
    }


@thorough
@given(make.items, make.objects)
def test_nothing_can_be_changed_through_the_input_or_a_result(item: cw.SelectableItem, given_: dict[str, Any]) -> None:
    before = copy.deepcopy(given_)
    made = item.model_copy(update={"metadata": {}}).plain() | {"args_schema": given_}
    read = cw.SelectableItem.read(made)
    _spoil(given_)
    assert read.args_schema == cw.SelectableItem.read({**made, "args_schema": before}).args_schema
    there = interop.to_weaver_selectable_item(read)
    _spoil(there.plain())
    assert interop.from_weaver_selectable_item(there) == read


CHANGES: list[Callable[[Any], object]] = [
    lambda found: found.update(a=1),
    lambda found: found.pop("n"),
    lambda found: found.setdefault("a", 1),
    lambda found: found.__setitem__("a", 1),
    lambda found: found.__delitem__("n"),
    lambda found: found["n"].clear(),
    lambda found: found["n"]["m"].append(1),
]


@pytest.mark.parametrize("change", CHANGES)
def test_the_data_of_a_document_is_frozen(change: Callable[[Any], object]) -> None:
    fields = {"id": "a", "kind": "tool", "name": "A", "description": "d", "metadata": {"n": {"m": [1]}}}
    item = interop.to_weaver_selectable_item(fields)
    with pytest.raises((TypeError, AttributeError)):
        change(item.metadata)
    assert interop.from_weaver_selectable_item(item).plain()["metadata"] == fields["metadata"]
    assert copy.deepcopy(item) == pickle.loads(pickle.dumps(item)) == copy.copy(item) == item


def _spoil(value: Any) -> None:
    if isinstance(value, dict):
        for entry in value.values():
            _spoil(entry)
        value["spoiled"] = True
    elif isinstance(value, list):
        for entry in value:
            _spoil(entry)
        value.append("spoiled")
