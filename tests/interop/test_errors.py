"""Bad input gives one typed error that names the place; never anything else."""

# ruff: noqa: E501 - a table reads best with one row a case

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.interop import strategies as make
from weave_tui import interop
from weave_tui.interop import contextweaver as cw
from weave_tui.interop.data import MAX_DEPTH

ITEM = {"id": "k", "kind": "tool", "name": "n", "description": "d"}
OPTION = {"id": "k", "label": "n", "description": "d"}
CARD = {"id": "k", "name": "n", "description": "d"}
NOW = "2031-03-04T05:06:07Z"
DECISION = {"id": "r", "choice_cards": [CARD], "timestamp": NOW}
MENUS = {"id": "r", "choice_cards": [{"id": "m", "items": [OPTION]}], "timestamp": NOW}
FRAME = {"frame_id": "f", "capability_id": "c", "summary": "s", "created_at": NOW}
RESULT = {"status": "ok", "summary": "s"}


def reserved(**payload: Any) -> dict[str, Any]:
    return {**OPTION, "metadata": {"_contextweaver": payload}}


def nested(depth: int) -> Any:
    return json.loads('{"a":' * depth + "1" + "}" * depth)


def frame_of(result: Any, **names: Any) -> interop.weaver_spec.Frame:
    return interop.to_weaver_frame(result, **{"frame_id": "f", "capability_id": "c", **names})


CATALOG, VALIDATION = interop.CatalogError, interop.ValidationError

CASES: list[tuple[Callable[[Any], Any], Any, type[Exception], str, str]] = [
    (interop.to_weaver_selectable_item, {**ITEM, "id": ""}, VALIDATION, "$.id", "id"),
    (interop.to_weaver_selectable_item, {**ITEM, "name": ""}, VALIDATION, "$.name", "label"),
    (interop.to_weaver_selectable_item, {**ITEM, "kind": "gadget"}, VALIDATION, "$.kind", "kind"),
    (interop.to_weaver_selectable_item, {"id": "k"}, VALIDATION, "$.kind", "kind"),
    (interop.to_weaver_selectable_item, {**ITEM, "tags": "abc"}, VALIDATION, "$.tags", "tags"),
    (interop.to_weaver_selectable_item, {**ITEM, "tags": ["a", 5]}, VALIDATION, "$.tags[1]", "tags"),
    (interop.to_weaver_selectable_item, {**ITEM, "cost_hint": float("nan")}, VALIDATION, "$.cost_hint", "cost_hint"),
    (interop.to_weaver_selectable_item, {**ITEM, "cost_hint": 10**400}, VALIDATION, "$.cost_hint", "cost_hint"),
    (interop.to_weaver_selectable_item, {**ITEM, "side_effects": 1}, VALIDATION, "$.side_effects", "side_effects"),
    (interop.to_weaver_selectable_item, {**ITEM, "metadata": {"a": [{1}]}}, VALIDATION, "$.metadata.a[0]", "metadata"),
    (interop.to_weaver_selectable_item, {**ITEM, "metadata": {"a": {1: 2}}}, VALIDATION, "$.metadata.a", "metadata"),
    (interop.to_weaver_selectable_item, {**ITEM, "metadata": {"a-b": [1e999]}}, VALIDATION, '$.metadata["a-b"][0]', "metadata"),
    (interop.to_weaver_selectable_item, {**ITEM, "args_schema": nested(MAX_DEPTH + 9)}, VALIDATION, "$.args_schema" + ".a" * (MAX_DEPTH + 1), "args_schema"),
    (interop.to_weaver_selectable_item, {**ITEM, "metadata": {"_contextweaver": None}}, CATALOG, "$.metadata._contextweaver", "metadata._contextweaver"),
    (interop.to_weaver_selectable_item, 5, VALIDATION, "$", ""),
    (interop.to_weaver_selectable_item, None, VALIDATION, "$", ""),
    (interop.to_weaver_selectable_item, [ITEM], VALIDATION, "$", ""),
    (interop.to_weaver_selectable_item, {**ITEM, "foreign": {"id": ""}}, VALIDATION, "$.foreign.id", "id"),
    (interop.from_weaver_selectable_item, {**OPTION, "label": 5}, VALIDATION, "$.label", "label"),
    (interop.from_weaver_selectable_item, {**OPTION, "capability_id": 5}, VALIDATION, "$.capability_id", "capability_id"),
    (interop.from_weaver_selectable_item, {**OPTION, "metadata": {"_contextweaver": []}}, VALIDATION, "$.metadata._contextweaver", "metadata._contextweaver"),
    (interop.from_weaver_selectable_item, reserved(cost_hint="abc"), VALIDATION, "$.metadata._contextweaver.cost_hint", "cost_hint"),
    (interop.from_weaver_selectable_item, reserved(cost_hint=None), VALIDATION, "$.metadata._contextweaver.cost_hint", "cost_hint"),
    (interop.from_weaver_selectable_item, reserved(tags="abc"), VALIDATION, "$.metadata._contextweaver.tags", "tags"),
    (interop.from_weaver_selectable_item, reserved(kind="gadget"), VALIDATION, "$.metadata._contextweaver.kind", "kind"),
    (interop.from_weaver_selectable_item, reserved(args_schema=None), VALIDATION, "$.metadata._contextweaver.args_schema", "args_schema"),
    (interop.to_weaver_choice_card, {**CARD, "name": "x" * 65}, VALIDATION, "$.name", "name"),
    (interop.to_weaver_choice_card, {**CARD, "tags": ["x" * 25]}, VALIDATION, "$.tags[0]", "tags"),
    (interop.to_weaver_choice_card, {**CARD, "safety": "maybe"}, VALIDATION, "$.safety", "safety"),
    (interop.to_weaver_choice_card, {**CARD, "description": ""}, VALIDATION, "$.description", "description"),
    (lambda card: interop.to_weaver_choice_card(card, menu_id=""), CARD, VALIDATION, "$.id", "id"),
    (lambda cards: interop.to_weaver_choice_cards(cards, menu_id="m"), [CARD, CARD], CATALOG, "$[1].id", "items"),
    (lambda cards: interop.to_weaver_choice_cards(cards, menu_id="m"), [CARD, {"id": "b"}], VALIDATION, "$[1].name", "name"),
    (lambda cards: interop.to_weaver_choice_cards(cards, menu_id="m"), [CARD, {**CARD, "id": ""}], VALIDATION, "$[1].id", "id"),
    (lambda cards: interop.to_weaver_choice_cards(cards, menu_id="m"), "abc", VALIDATION, "$", "items"),
    (interop.from_weaver_choice_card, {"id": "m", "items": []}, VALIDATION, "$.items", "items"),
    (interop.from_weaver_choice_card, {"id": "m", "items": [OPTION, OPTION]}, CATALOG, "$.items[1].id", "items"),
    (interop.from_weaver_choice_card, {"id": "m", "items": [reserved(score="high")]}, VALIDATION, "$.items[0].metadata._contextweaver.score", "score"),
    (interop.from_weaver_choice_card, {"id": "m", "items": [{**OPTION, "label": "x" * 65}]}, VALIDATION, "$.items[0].label", "name"),
    (interop.from_weaver_choice_card, {"id": "m", "items": [reserved(kind="gadget")]}, VALIDATION, "$.items[0].metadata._contextweaver.kind", "kind"),
    (interop.to_weaver_routing_decision, {**DECISION, "timestamp": "yesterday"}, VALIDATION, "$.timestamp", "timestamp"),
    (interop.to_weaver_routing_decision, {**DECISION, "timestamp": "2031-03-04"}, VALIDATION, "$.timestamp", "timestamp"),
    (interop.to_weaver_routing_decision, {**DECISION, "timestamp": 7}, VALIDATION, "$.timestamp", "timestamp"),
    (interop.to_weaver_routing_decision, {**DECISION, "choice_cards": [CARD, CARD]}, CATALOG, "$.choice_cards[1].id", "choice_cards"),
    (interop.to_weaver_routing_decision, {**DECISION, "choice_cards": [{**CARD, "id": f"c{n}"} for n in range(21)]}, CATALOG, "$.choice_cards", "choice_cards"),
    (interop.to_weaver_routing_decision, {**DECISION, "choice_cards": [{**CARD, "description": ""}]}, VALIDATION, "$.choice_cards[0].description", "description"),
    (interop.from_weaver_routing_decision, {**MENUS, "choice_cards": []}, VALIDATION, "$.choice_cards", "choice_cards"),
    (interop.from_weaver_routing_decision, {**MENUS, "choice_cards": [{"id": "m", "items": [reserved(tags=5)]}]}, VALIDATION, "$.choice_cards[0].items[0].metadata._contextweaver.tags", "tags"),
    (frame_of, {**RESULT, "status": "fine"}, VALIDATION, "$.status", "status"),
    (frame_of, {**RESULT, "artifacts": [{"handle": "", "media_type": "a", "size_bytes": 1}]}, VALIDATION, "$.artifacts[0].handle", "handle_refs"),
    (frame_of, {**RESULT, "artifacts": [{"handle": "a", "media_type": "a", "size_bytes": -1}]}, VALIDATION, "$.artifacts[0].size_bytes", "artifacts.size_bytes"),
    (lambda result: frame_of(result, capability_id=""), RESULT, VALIDATION, "$.capability_id", "capability_id"),
    (lambda result: frame_of(result, created_at="soon"), RESULT, VALIDATION, "$.created_at", "created_at"),
    (interop.from_weaver_frame, {**FRAME, "structured_data": {"facts": "abc"}}, VALIDATION, "$.structured_data.facts", "facts"),
    (interop.from_weaver_frame, {**FRAME, "structured_data": {"views": [{"label": "l"}]}}, VALIDATION, "$.structured_data.views[0].view_id", "views.view_id"),
    (interop.from_weaver_frame, {**FRAME, "handle_refs": [""]}, VALIDATION, "$.handle_refs[0]", "handle_refs"),
    (interop.from_weaver_frame, {**FRAME, "metadata": {"_contextweaver": {"provenance": 5}}}, VALIDATION, "$.metadata._contextweaver.provenance", "provenance"),
    (interop.load_chainweaver_export, {"flows": "x"}, CATALOG, "$", ""),
    (interop.load_chainweaver_export, 5, CATALOG, "$", ""),
    (interop.load_chainweaver_export, [5], CATALOG, "$[0]", ""),
    (interop.load_chainweaver_export, {"flows": [{"name": "n", "description": "d"}]}, CATALOG, "$.flows[0].id", "id"),
    (interop.load_chainweaver_export, [{"id": 5, "name": "n", "description": "d"}], CATALOG, "$[0].id", "id"),
    (interop.load_chainweaver_export, [{"name": "", "steps": [], "description": "d"}], CATALOG, "$[0].name", "name"),
    (interop.load_chainweaver_export, [{"flow_id": "g", "name": "n", "description": " ", "input_schema": {"a": {2}}}], VALIDATION, "$[0].args_schema.a", "args_schema"),
    (interop.selectable_item_to_advertisement, {**ITEM, "namespace": "web"}, CATALOG, "$.namespace", "platform"),
    (interop.selectable_item_to_advertisement, {**ITEM, "metadata": {"weave": {"weave_protocol": "2.0"}}}, VALIDATION, "$.metadata.weave.weave_protocol", "weave_protocol"),
    (interop.selectable_item_to_advertisement, {**ITEM, "metadata": {"weave": {"weave_protocol": "1.0"}}}, VALIDATION, "$.metadata.weave.name", "metadata.weave.name"),
    (interop.selectable_item_to_advertisement, {**ITEM, "name": "", "namespace": "codex"}, VALIDATION, "$.name", "name"),
    (interop.advertisement_to_selectable_item, 5, VALIDATION, "$", ""),
    (interop.execution_candidate, {**CARD, "kind": "gadget"}, VALIDATION, "$.kind", "kind"),
    (interop.execution_routing_decision, {**DECISION, "selected_item_id": "z"}, CATALOG, "$.selected_item_id", "selected_item_id"),
    (interop.execution_routing_decision, {**DECISION, "choice_cards": []}, CATALOG, "$.choice_cards", "choice_cards"),
    (interop.resolve_flow_id, {"selected_item_id": None}, CATALOG, "$.selected_item_id", "selected_item_id"),
    (interop.resolve_flow_id, {"selected_item_id": "cursor:X"}, CATALOG, "$.selected_item_id", "selected_item_id"),
    (interop.resolve_flow_id, 5, VALIDATION, "$", ""),
    (interop.flow_document, ITEM, CATALOG, "$.metadata.chainweaver_flow", "chainweaver_flow"),
    (lambda items: interop.filter_catalog(items, allowed_tags="flow"), [ITEM], VALIDATION, "$.allowed_tags", "allowed_tags"),
    (interop.filter_catalog, [ITEM, {"tags": []}], VALIDATION, "$.items[1].id", "id"),
    (interop.read_catalog, [ITEM, ITEM], CATALOG, "$[1].id", "id"),
    (interop.read_catalog, {"items": [ITEM, 5]}, VALIDATION, "$.items[1]", ""),
    (interop.recognise, {"a": 1}, CATALOG, "$", ""),
    (interop.import_document, [OPTION, {**OPTION, "label": ""}], VALIDATION, "$[1].label", "label"),
    (interop.import_document, {"id": "m", "items": [OPTION, reserved(cost_hint="x")]}, VALIDATION, "$.items[1].metadata._contextweaver.cost_hint", "cost_hint"),
    (interop.import_document, {"items": [{**ITEM, "metadata": {"weave": {}}}]}, VALIDATION, "$.items[0].metadata.weave.weave_protocol", "metadata.weave.weave_protocol"),
    (interop.convert, RESULT, VALIDATION, "frame_id", "frame_id"),
    (interop.convert, {"candidate_id": "c", "candidate_type": "tool", "name": "n"}, VALIDATION, "decision_id", "decision_id"),
    (interop.convert, {"decision_id": "d", "candidate": {"candidate_id": "c", "candidate_type": "skill"}}, VALIDATION, "$.candidate.candidate_type", "candidate.candidate_type"),
    (interop.convert, [{"status": "ok", "summary": "s"}], VALIDATION, "frame_id", "frame_id"),
    (interop.contracts.to_contract, {"id": "k"}, VALIDATION, "$", ""),
    (interop.contracts.from_contract, 5, VALIDATION, "$", ""),
    (interop.from_json, '{"a": NaN}', VALIDATION, "$", ""),
    (interop.from_json, "{", VALIDATION, "$", ""),
    (interop.from_json, b"\xff", VALIDATION, "$", ""),
    (interop.from_json, "[" * 100_000, VALIDATION, "$", ""),
    (interop.from_json, "9" * 5000, VALIDATION, "$", ""),
    (interop.to_json, {"a": [object()]}, VALIDATION, "$.a[0]", ""),
]  # fmt: skip


@pytest.mark.parametrize(("function", "given_", "error", "path", "field"), CASES)
def test_bad_input(function: Callable[[Any], Any], given_: Any, error: type[Exception], path: str, field: str) -> None:
    with pytest.raises(interop.InteropError) as caught:
        function(given_)
    assert isinstance(caught.value, error)
    assert isinstance(caught.value, ValueError)
    assert (caught.value.path, caught.value.field) == (path, field)
    assert str(caught.value).startswith(f"{path}: ")


READERS: list[Callable[[Any], Any]] = [
    interop.to_weaver_selectable_item,
    interop.from_weaver_selectable_item,
    interop.to_weaver_choice_card,
    interop.from_weaver_choice_card,
    interop.from_weaver_choice_card_single,
    interop.to_weaver_routing_decision,
    interop.from_weaver_routing_decision,
    frame_of,
    interop.from_weaver_frame,
    interop.load_chainweaver_export,
    interop.read_catalog,
    interop.import_document,
    interop.convert,
    interop.advertisement_to_selectable_item,
    interop.selectable_item_to_advertisement,
    interop.execution_candidate,
    interop.execution_routing_decision,
    interop.execution_to_envelope,
    interop.resolve_flow_id,
]
NAMES = sorted(
    {
        *(name for model in (cw.SelectableItem, cw.RoutingDecision, cw.ResultEnvelope) for name in model.model_fields),
        *("label", "items", "frame_id", "handle_refs", "structured_data", "_contextweaver", "weave", "flows", "steps"),
        *("candidate", "decision_id", "item_metadata", "created_at", "capability_id", "views", "facts", "has_schema"),
    }
)
VALUES = st.recursive(
    make.scalars | st.sampled_from(["tool", "flow", NOW, "codex", "ok"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=5),
    max_leaves=25,
)


@settings(max_examples=400, deadline=None)
@given(document=st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=8) | VALUES)
def test_any_json_gives_a_result_or_a_typed_error(document: Any) -> None:
    for read in READERS:
        try:
            read(document)
        except interop.InteropError as error:
            assert error.path


def test_a_list_of_catalogs_says_where_what_was_not_carried_stood() -> None:
    item = {"id": "a", "kind": "tool", "name": "a", "description": "x", "zzz": 1}
    lost = [str(entry.path) for entry in interop.import_document([{"items": []}, {"items": [item]}]).lost]
    assert "$[1].items[0].zzz" in lost
