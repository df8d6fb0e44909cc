"""One worked example per direction, from what a user has to what they get."""

from __future__ import annotations

from weave_tui import interop
from weave_tui.protocol import WeaveAdvertisement

SKILL = WeaveAdvertisement(
    weave_protocol="1.0",
    name="Harbor Typography",
    version="2.0.1",
    platform="claude_code",
    capabilities=("type", "layout"),
    trigger_patterns=("pick a font pairing", "fix line height"),
    author="ana",
    dependencies=("Grid Basics",),
)


def test_out_a_registry_becomes_a_catalog_that_a_router_reads() -> None:
    catalog = interop.export_catalog([interop.Offer(SKILL, path="skills/type/SKILL.md")])
    written = interop.from_json(interop.to_json(catalog))
    assert written[0]["id"] == "claude_code:Harbor Typography"
    assert written[0]["description"] == "pick a font pairing; fix line height"
    assert written[0]["tags"] == ["layout", "skill", "type"]
    assert written[0]["requires"] == ["Grid Basics"]


def test_in_a_catalog_becomes_advertisements_again() -> None:
    text = interop.to_json(interop.export_catalog([interop.Offer(SKILL)]))
    found = interop.import_document(interop.from_json(text))
    assert found.advertisements == (SKILL,)
    assert found.lost == ()


def test_out_a_result_becomes_a_decision_of_the_spec() -> None:
    choice = interop.Choice("claude_code:Harbor Typography", SKILL, score=0.812)
    ours = interop.result_to_routing_decision(
        [choice],
        request={"weave_protocol": "1.0", "query": "choose fonts for a landing page"},
        decision_id="weave-7",
        created_at="2031-03-04T05:06:07Z",
        gap=0.042,
    )
    spec = interop.from_json(interop.to_json(interop.to_weaver_routing_decision(ours)))
    assert spec["selected_item_id"] == "claude_code:Harbor Typography"
    assert spec["selected_card_id"] == "weave-7:menu"
    assert spec["choice_cards"][0]["items"][0]["metadata"]["_contextweaver"]["score"] == 0.812
    assert spec["timestamp"] == "2031-03-04T05:06:07+00:00"


def test_in_a_foreign_decision_becomes_cards_and_goes_back_whole() -> None:
    foreign = {
        "id": "ext-4",
        "choice_cards": [
            {
                "id": "m1",
                "context_hint": "Pick one.",
                "items": [{"id": "a", "label": "A", "description": "da", "metadata": {"note": None}}],
            }
        ],
        "timestamp": "2031-03-04T05:06:07Z",
        "selected_item_id": "a",
        "selected_card_id": "m1",
    }
    ours = interop.from_weaver_routing_decision(foreign, preserve_foreign=True)
    assert ours.selected_card_id == "a"
    back = interop.plain(interop.to_weaver_routing_decision(ours))
    assert back == {**foreign, "timestamp": "2031-03-04T05:06:07+00:00"}


def test_out_a_composition_becomes_a_frame_that_refers_to_the_prompt() -> None:
    text = "Pair a serif with a sans."
    part = interop.Part("claude_code:Harbor Typography", "Harbor Typography", 0, len(text), score=0.812, tokens=7)
    composed = interop.Composed(text, (part,), query="fonts", problems=("No skill is named 'Grid Basics'.",))
    frame = interop.composition_to_frame(composed, frame_id="weave-7", created_at="2031-03-04T05:06:07Z")
    assert frame.structured_data is not None
    assert frame.structured_data["status"] == "partial"
    assert frame.structured_data["facts"] == (
        "skill Harbor Typography: score 0.812, about 7 tokens",
        "No skill is named 'Grid Basics'.",
    )
    assert text not in interop.to_json(frame)


def test_in_a_frame_becomes_a_result() -> None:
    frame = {
        "frame_id": "x1",
        "capability_id": "c:d",
        "summary": "3 rows",
        "created_at": "2031-03-04T05:06:07Z",
        "handle_refs": ["h-1"],
        "structured_data": {"facts": ["rows: 3"], "rows": 3},
    }
    found = interop.import_document(frame)
    assert found.results[0].facts == ("rows: 3",)
    assert found.results[0].artifacts[0].handle == "h-1"
    assert [str(entry) for entry in found.lost] == ["$.structured_data.rows: not carried"]


def test_out_a_chosen_card_becomes_a_candidate_to_run() -> None:
    flows = [{"id": "galley", "name": "Make a galley", "description": "Typeset a galley.", "version": "3.1.0"}]
    (item,) = interop.load_chainweaver_export(flows)
    card = {"id": item.id, "name": item.name, "description": item.description, "kind": "flow", "score": 0.58}
    assert interop.plain(interop.execution_candidate(card, item_metadata=item.metadata)) == {
        "candidate_id": "chainweaver:galley",
        "candidate_type": "flow",
        "name": "Make a galley",
        "confidence": 0.58,
        "reason_codes": ["choicecard_match", "phase_route"],
        "metadata": {
            "runtime": "chainweaver",
            "runtime_flow_id": "galley",
            "runtime_flow_version": "3.1.0",
            "raw_score": 0.58,
        },
    }
    decision = {"id": "r", "choice_cards": [card], "timestamp": "2031-03-04T05:06:07Z"}
    advice = interop.plain(interop.execution_routing_decision(decision, items=[item]))
    assert advice["confidence"] == 0.58
    assert advice["candidate"]["compiled_flow"]["flow_id"] == "galley"
    assert advice["candidate"]["version"] == "3.1.0"


def test_in_flows_become_items_that_filters_gate_and_hosts_resolve() -> None:
    flow = {"name": "galley_flow", "description": "Typeset a galley.", "steps": [{"tool_name": "typeset"}]}
    (item,) = interop.load_chainweaver_export(flow)
    assert interop.filter_catalog([item], allowed_tags={"flow"}).ids == ("chainweaver:galley_flow",)
    assert interop.filter_catalog([item], exclude_tags={"flow"}).ids == ()
    decision = {"selected_item_id": item.id, "item_metadata": item.metadata}
    assert interop.resolve_flow(decision, [flow]) is flow
