"""The rules of the mapping that the vectors sample, one table each."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from weave_tui import interop
from weave_tui.interop import contextweaver as cw

OPTION = {"id": "m", "label": "Mirror", "description": "Copy a site."}
NOW = "2031-03-04T05:06:07Z"


@pytest.mark.parametrize(
    ("capability_id", "namespace"),
    [
        ("ns:tool", "ns"),
        ("a:b:c", "a"),
        ("ns:", "ns"),
        (":x", ""),
        ("a.b", ""),
        ("", ""),
        (None, ""),
        ("claude_code:Harbor Typography", "claude_code"),
    ],
)
def test_the_namespace_of_a_foreign_item(capability_id: str | None, namespace: str) -> None:
    assert interop.from_weaver_selectable_item({**OPTION, "capability_id": capability_id}).namespace == namespace


@pytest.mark.parametrize(
    ("item_id", "namespace", "name", "capability_id"),
    [
        ("solo", "", "Solo", "solo"),
        ("press.proofread", "press", "proofread", "press:proofread"),
        ("x", "a:b", "c", "a:b:c"),
        ("cursor:Grid~0123abcd", "cursor", "Grid", "cursor:Grid~0123abcd"),
        ("cursor:" + "x" * 70, "cursor", "x" * 64, "cursor:" + "x" * 70),
        ("other", "cursor", "Grid", "cursor:Grid"),
    ],
)
def test_the_capability_id(item_id: str, namespace: str, name: str, capability_id: str) -> None:
    fields = {"id": item_id, "name": name, "description": "d", "namespace": namespace, "kind": "skill"}
    assert interop.to_weaver_selectable_item(fields).capability_id == capability_id
    assert interop.to_weaver_choice_card(fields).items[0].capability_id == capability_id


def test_white_space_is_text() -> None:
    item = {"id": " ", "kind": "tool", "name": " ", "description": " "}
    assert interop.roundtrip_selectable_item(item) == cw.SelectableItem.read(item)


def test_null_metadata_reads_as_none() -> None:
    assert interop.from_weaver_selectable_item({**OPTION, "metadata": None}).metadata == {}
    assert interop.from_weaver_selectable_item({**OPTION, "metadata": {"_contextweaver": None}}).metadata == {}


def test_extras_are_written_only_when_set() -> None:
    card = {"id": "a", "name": "A", "description": "d"}
    payload = interop.to_weaver_choice_card(card).items[0].metadata["_contextweaver"]
    assert not {"score", "safety"} & payload.keys()
    item = {**card, "kind": "tool", "requires": []}
    payload = interop.to_weaver_selectable_item(item).metadata["_contextweaver"]
    assert payload["requires"] == ()
    assert not {"depends_on", "provides"} & payload.keys()


def test_nulls_inside_metadata_stay_and_absent_fields_go() -> None:
    schema = {"properties": {"x": {"default": None}}}
    item = {"id": "a", "kind": "tool", "name": "A", "description": "d", "args_schema": schema, "metadata": {"n": None}}
    written = interop.from_json(interop.to_json(interop.to_weaver_selectable_item(item)))
    assert written["metadata"]["n"] is None
    assert written["metadata"]["_contextweaver"]["args_schema"] == schema
    assert written["metadata"]["_contextweaver"]["output_schema"] is None
    frame = interop.to_weaver_frame({"status": "ok", "summary": "s"}, frame_id="f", capability_id="c", created_at=NOW)
    assert "redaction_notes" not in interop.plain(frame)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("2031-03-04T05:06:07Z", datetime(2031, 3, 4, 5, 6, 7, tzinfo=UTC)),
        ("2031-03-04t05:06:07z", datetime(2031, 3, 4, 5, 6, 7, tzinfo=UTC)),
        ("2031-03-04 05:06:07", datetime(2031, 3, 4, 5, 6, 7, tzinfo=UTC)),
        ("2031-03-04T05:06:07+02:00", datetime(2031, 3, 4, 3, 6, 7, tzinfo=UTC)),
        ("2031-03-04T05:06:07.123456789Z", datetime(2031, 3, 4, 5, 6, 7, 123456, tzinfo=UTC)),
        (datetime(2031, 3, 4, 5, 6, 7), datetime(2031, 3, 4, 5, 6, 7, tzinfo=UTC)),
    ],
)
def test_times(given: object, expected: datetime) -> None:
    decision = {"id": "r", "choice_cards": [{"id": "a", "name": "A", "description": "d"}], "timestamp": given}
    made = interop.to_weaver_routing_decision(decision)
    assert made.timestamp == expected
    assert interop.plain(made)["timestamp"][-6:] in ("+00:00", "+02:00")


def test_an_offset_with_seconds_is_written_in_utc() -> None:
    when = datetime(2031, 3, 4, tzinfo=timezone(timedelta(seconds=-1)))
    frame = interop.to_weaver_frame({"status": "ok", "summary": "s"}, frame_id="f", capability_id="c", created_at=when)
    assert interop.plain(frame)["created_at"] == "2031-03-04T00:00:01+00:00"


CARDS = [{"id": f"c{n}", "name": f"C{n}", "description": "d"} for n in range(45)]


def test_many_cards_split_into_menus_and_come_back() -> None:
    decision = cw.RoutingDecision.read(
        {"id": "r", "choice_cards": CARDS, "timestamp": NOW, "selected_item_id": "c41", "selected_card_id": "c41"}
    )
    made = interop.to_weaver_routing_decision(decision, split=True)
    assert [(menu.id, len(menu.items)) for menu in made.choice_cards] == [
        ("r:menu", 20),
        ("r:menu:2", 20),
        ("r:menu:3", 5),
    ]
    assert made.selected_card_id == "r:menu:3"
    assert interop.from_weaver_routing_decision(made) == decision


@pytest.mark.parametrize(
    ("selected_item", "selected_card", "menu_metadata", "expected"),
    [
        ("b", "m1", {"_contextweaver": {"original_selected_card_id": "a"}}, "a"),
        ("b", "m1", {"_contextweaver": {"original_selected_card_id": ""}}, "b"),
        ("b", "m1", {"_contextweaver": {"original_selected_card_id": 5}}, "b"),
        ("b", "m1", {}, "b"),
        ("z", "m1", {}, "m1"),
        (None, "m1", {}, "m1"),
        ("b", "elsewhere", {}, "elsewhere"),
        ("b", None, {}, None),
    ],
)
def test_the_selected_card(selected_item: Any, selected_card: Any, menu_metadata: Any, expected: Any) -> None:
    items = [{"id": letter, "label": letter, "description": "d"} for letter in "ab"]
    menu = {"id": "m1", "items": items, "metadata": menu_metadata}
    decision = {"id": "r", "choice_cards": [menu], "timestamp": NOW}
    decision |= {"selected_item_id": selected_item, "selected_card_id": selected_card}
    assert interop.from_weaver_routing_decision(decision).selected_card_id == expected


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"structured_data": {"status": "partial", "facts": ["f"]}}, {"status": "partial", "facts": ["f"]}),
        ({"structured_data": {"status": ["ok"]}}, {"status": "ok"}),
        ({"structured_data": None, "handle_refs": None}, {"facts": [], "artifacts": []}),
        (
            {"redaction_notes": "out", "metadata": {"_contextweaver": {"provenance": {"redaction_notes": "in"}}}},
            {"provenance": {"redaction_notes": "in"}},
        ),
        ({"metadata": {"_contextweaver": {"original_summary": 5}}, "summary": "s"}, {"summary": "s"}),
        ({"metadata": {"_contextweaver": {"original_summary": "was"}}, "summary": "s"}, {"summary": "was"}),
    ],
)
def test_reading_frames(fields: dict[str, Any], expected: dict[str, Any]) -> None:
    frame = {"frame_id": "f", "capability_id": "c", "summary": "(no summary)", "created_at": NOW, **fields}
    found = interop.plain(interop.from_weaver_frame(frame))
    assert {key: found[key] for key in expected} == expected


ITEMS = [
    {"id": "i1", "tags": ["flow", "press"], "namespace": "press"},
    {"id": "i2", "tags": ["skill"], "namespace": "press"},
    {"id": "i3", "tags": [], "namespace": ""},
]


@pytest.mark.parametrize(
    ("filters", "ids", "excluded", "gated"),
    [
        ({}, ["i1", "i2", "i3"], 0, 0),
        ({"allowed_tags": []}, [], 0, 3),
        ({"allowed_tags": {"flow"}}, ["i1"], 0, 2),
        ({"allowed_namespaces": [""]}, ["i3"], 0, 2),
        ({"allowed_namespaces": []}, [], 0, 3),
        ({"exclude_ids": ["i1"], "exclude_tags": ["flow", "skill"]}, ["i3"], 2, 0),
        ({"exclude_tags": ["press"], "allowed_tags": ["press"]}, [], 1, 2),
    ],
)
def test_filters(filters: dict[str, Any], ids: list[str], excluded: int, gated: int) -> None:
    found = interop.filter_catalog(ITEMS, **filters)
    assert interop.plain(found) == {"ids": ids, "excluded": excluded, "gated": gated}


FLOW = {"id": "g", "name": "G", "description": "d"}


@pytest.mark.parametrize(
    ("flow", "expected"),
    [
        ({**FLOW, "input_schema": None, "inputs": {"a": 1}}, {"args_schema": {}}),
        ({**FLOW, "inputs": {"a": 1}, "outputs": {"b": 2}}, {"args_schema": {"a": 1}, "output_schema": {"b": 2}}),
        ({**FLOW, "output_schema": "x"}, {"output_schema": None}),
        ({**FLOW, "tags": "flow press"}, {"tags": ["flow"]}),
        ({**FLOW, "version": 3}, {"metadata": {"runtime": "chainweaver", "chainweaver_flow_id": "g"}}),
        ({**FLOW, "id": "", "flow_id": "h"}, {"id": "chainweaver:h"}),
        ({**FLOW, "id": "g", "flow_id": "h"}, {"id": "chainweaver:g"}),
        ({**FLOW, "id": "chainweaver:g"}, {"id": "chainweaver:chainweaver:g"}),
    ],
)
def test_flows_of_an_export(flow: dict[str, Any], expected: dict[str, Any]) -> None:
    found = interop.plain(interop.load_chainweaver_export([flow])[0])
    assert {key: found[key] for key in expected} == expected


@pytest.mark.parametrize("namespace", ["press", ""])
def test_another_namespace_keeps_the_id(namespace: str) -> None:
    (item,) = interop.load_chainweaver_export({"flows": [FLOW]}, namespace=namespace)
    assert (item.id, item.namespace) == ("chainweaver:g", namespace)


NATIVE = {
    "type": "Flow",
    "name": "galley_flow",
    "version": "3.1.0",
    "description": "Typeset a galley.",
    "steps": [{"tool_name": "typeset"}, {"tool_name": "check"}, {"tool_name": "typeset"}],
    "capability_id": "press.galley",
    "input_schema_ref": "m:In",
}


def test_a_flow_of_chainweavers_own_is_known_by_its_capability() -> None:
    (item,) = interop.load_chainweaver_export(NATIVE)
    assert item.id == "chainweaver:press.galley"
    assert item.metadata["chainweaver_flow_name"] == "galley_flow"
    assert interop.flow_document(item) == NATIVE
    assert interop.resolve_flow(item, [FLOW, NATIVE]) is NATIVE


@pytest.mark.parametrize(
    "decision",
    [
        {"selected_item_id": "x", "item_metadata": {"chainweaver_flow_id": "g"}},
        {"selected_item_id": "chainweaver:g", "item_metadata": {}},
        {"selected_item_id": "chainweaver:g", "choice_cards": [{"id": "chainweaver:g", "name": "G"}]},
        {
            "selected_item_id": "x",
            "choice_cards": [{"id": "m", "items": [{"id": "x", "metadata": {"chainweaver_flow_id": "g"}}]}],
        },
    ],
)
def test_the_flow_of_a_decision(decision: dict[str, Any]) -> None:
    assert interop.resolve_flow_id(decision) == "g"


def test_the_flow_of_a_decision_by_its_catalog() -> None:
    items = [{"id": "x", "kind": "flow", "name": "G", "description": "d", "metadata": {"chainweaver_flow_id": "g"}}]
    assert interop.resolve_flow_id({"selected_item_id": "x"}, items=items) == "g"
    with pytest.raises(interop.CatalogError):
        interop.resolve_flow({"selected_item_id": "x"}, [NATIVE], items=items)


@pytest.mark.parametrize(
    ("kind", "candidate_type"),
    [
        ("tool", "tool"),
        ("flow", "flow"),
        ("agent", "agent"),
        ("skill", "capability"),
        ("internal", "capability"),
        ("resource", "capability"),
        ("prompt", "capability"),
    ],
)
def test_candidate_types(kind: str, candidate_type: str) -> None:
    found = interop.execution_candidate({"id": "a", "name": "A", "kind": kind})
    assert found.candidate_type == candidate_type
    assert found.confidence is None
    assert "confidence" not in interop.plain(found)


@pytest.mark.parametrize(("score", "confidence"), [(1.046, 1.0), (-0.2, 0.0), (0.58, 0.58), (0, 0.0)])
def test_a_candidates_confidence(score: float, confidence: float) -> None:
    found = interop.execution_candidate({"id": "a", "name": "A", "score": score})
    assert found.confidence == confidence
    assert found.metadata["raw_score"] == score
