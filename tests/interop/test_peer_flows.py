"""The loop with the real packages: a task, a decision, a ChainWeaver flow of real Python tools, its result, a frame."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from tests.interop.peers import ADAPTER, NOW, SKILLS, command, offers, peer, routed
from weave_tui import interop
from weave_tui.resources import sample_skills_dir


class Raw(BaseModel):
    text: str


class Words(BaseModel):
    words: list[str]


class Count(BaseModel):
    count: int


def split(given: Raw) -> dict[str, Any]:
    return {"words": re.findall(r"\w+", given.text)}


def count(given: Words) -> dict[str, Any]:
    return {"count": len(set(given.words))}


def chain() -> tuple[Any, Any]:
    """A registry with a flow of two real Python tools, and an executor for it."""
    step, flow_class = peer("chainweaver.FlowStep"), peer("chainweaver.Flow")
    flow = flow_class(
        name="count_words",
        version="1.2.0",
        description="Split a text into words and count the different ones.",
        capability_id="text.count",
        steps=[
            step(tool_name="split", input_mapping={"text": "text"}),
            step(tool_name="count", input_mapping={"words": "words"}),
        ],
    )
    registry = peer("chainweaver.FlowRegistry")()
    registry.register_flow(flow)
    executor = peer("chainweaver.FlowExecutor")(registry)
    tool = peer("chainweaver.Tool")
    for function, takes, gives in ((split, Raw, Words), (count, Words, Count)):
        name = function.__name__
        made = tool(name=name, description=f"{name}.", input_schema=takes, output_schema=gives, fn=function)
        executor.register_tool(made)
    return registry, executor


def shapes(flow: Any) -> dict[str, Any]:
    """The flow in the three shapes that are about."""
    schema = {"type": "object", "properties": {"text": {"type": "string"}}}
    option = peer("chainweaver.integrations.weaver_spec.flow_to_selectable_item")(flow, tags=("text",))
    return {
        "export": {
            "flows": [{"id": flow.name, "name": "Count words", "description": flow.description, "input_schema": schema}]
        },
        "flow JSON": json.loads(peer("chainweaver.serialization.flow_to_json")(flow)),
        "menu option": interop.plain(interop.contracts.from_contract(option)),
    }


@pytest.mark.parametrize("shape", ["export", "flow JSON", "menu option"])
def test_the_loop_from_their_router_through_a_flow_to_a_frame(shape: str) -> None:
    registry, executor = chain()
    document = shapes(registry.get_active_flows()[0])[shape]
    catalog = [*interop.export_catalog(offers()), *interop.import_document(document).items]

    items = peer("contextweaver.routing.catalog.load_catalog_dicts")(interop.plain(catalog))
    result = routed(items, "split a text and count the words", allowed_tags={"flow"})
    assert result.gated_count == len(SKILLS)
    picked = result.candidate_items[0].id
    decision = result.to_routing_decision(decision_id="r-1", selected_item_id=picked, now=NOW)

    spec_decision = interop.from_json(interop.to_json(interop.to_weaver_routing_decision(decision)))
    advice = interop.execution_routing_decision(decision, items=catalog)
    assert advice.candidate.candidate_type == "flow"
    flow = interop.resolve_flow(spec_decision, registry.get_active_flows(), items=catalog)
    run = executor.execute_flow(flow.name, {"text": "to be or not to be"})
    assert run.final_output["count"] == 4

    frame = interop.contracts.to_weaver_frame(
        interop.execution_to_envelope(run), frame_id="f-1", capability_id=picked, created_at=NOW
    )
    assert frame.structured_data["status"] == "ok"
    assert frame.structured_data["facts"][:2] == ["step split: ok", "step count: ok"]
    assert "not to be" not in interop.to_json(interop.contracts.from_contract(frame))
    envelope = peer(ADAPTER + "from_weaver_frame")(frame)
    item = peer("contextweaver.context.manager.ContextManager")().ingest_envelope_sync("call-1", envelope, flow.name)
    assert "2 of 2 steps done" in item.text


def test_the_commands_lead_from_a_task_to_a_flow_that_they_run(tmp_path: Path) -> None:
    registry, executor = chain()
    flows = tmp_path / "flows.json"
    flows.write_text(peer("chainweaver.serialization.flow_to_json")(registry.get_active_flows()[0]))
    task = ("--query", "split a text and count the words", "--flows", str(flows), str(sample_skills_dir()))
    decision = command("export", "decision", "--spec", *task)
    read = interop.contracts.to_contract(interop.weaver_spec.RoutingDecision.read(json.loads(decision)))
    assert peer(ADAPTER + "from_weaver_routing_decision")(read).selected_item_id == "chainweaver:text.count"

    (document,) = json.loads(command("import", "-", "--flows", str(flows), stdin=decision))["flows"]
    flow = peer("chainweaver.serialization.flow_from_dict")(document)
    assert executor.execute_flow(flow.name, {"text": "to be or not to be"}).final_output["count"] == 4


def test_an_exported_frame_enters_their_context() -> None:
    text = command("export", "frame", "--query", "rename a column without downtime", str(sample_skills_dir()))
    frame = interop.contracts.to_contract(interop.weaver_spec.Frame.read(json.loads(text)))
    envelope = peer(ADAPTER + "from_weaver_frame")(frame)
    item = peer("contextweaver.context.manager.ContextManager")().ingest_envelope_sync("call-1", envelope, "weave")
    assert "zero-downtime-migration" in item.text


def test_an_imported_flow_is_runnable_without_the_registry_it_came_from() -> None:
    registry, _ = chain()
    document = shapes(registry.get_active_flows()[0])["flow JSON"]
    (item,) = interop.load_chainweaver_export(document)
    again = peer("chainweaver.serialization.flow_from_dict")(interop.flow_document(item))
    assert again == registry.get_active_flows()[0]


def test_a_failed_flow_is_an_error_result() -> None:
    _, executor = chain()
    run = executor.execute_flow("count_words", {"wrong": 1})
    assert interop.execution_to_envelope(run).status == "error"


def test_our_advice_is_their_execution_decision() -> None:
    registry, _ = chain()
    items = interop.load_chainweaver_export(shapes(registry.get_active_flows()[0])["flow JSON"])
    card = {"id": items[0].id, "name": items[0].name, "description": "d", "kind": "flow", "score": 1.046}
    decision = {"id": "r", "choice_cards": [card], "timestamp": NOW}
    advice = interop.contracts.execution_routing_decision(decision, items=items)
    assert type(advice).__module__ == "weaver_contracts.extended"
    assert advice.confidence == 1.0
    assert advice.candidate.metadata["raw_score"] == 1.046
    assert advice.candidate.compiled_flow.tool_dependencies == ["split", "count"]
