"""The real peers: what we write they read, route over and run; what they write we read.

These run in an environment of their own (`make weaver-conformance`), since contextweaver pins packages that the app
does not want. Elsewhere they are skipped.
"""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from tests.interop import strategies as make
from weave_tui import interop
from weave_tui.interop import contextweaver as cw
from weave_tui.protocol import WeaveAdvertisement

REASON = "the peers are not installed here; make weaver-conformance runs these"
pytest.importorskip("contextweaver", reason=REASON)
pytest.importorskip("chainweaver", reason=REASON)
pytest.importorskip("weaver_contracts", reason=REASON)


def peer(path: str) -> Any:
    """A name of a peer's module, untyped: the peers are not installed where types are checked."""
    module, _, name = path.rpartition(".")
    return getattr(importlib.import_module(module), name)


NOW = datetime(2031, 3, 4, 5, 6, 7, tzinfo=UTC)

SKILLS = [
    (
        "claude_code",
        "Harbor Typography",
        ["Type", "layout "],
        ["pick a font pairing", "fix line height"],
        ["Grid Basics"],
    ),
    ("claude_code", "Grid Basics", ["layout"], ["lay out a page on a grid"], []),
    ("cursor", "Grid Basics", [], ["use the grid  component\nof the design system"], []),
    ("codex", "Log Reader", ["logs", "LOGS"], ["summarise a service log", "find the first error"], []),
]


def offers() -> list[interop.Offer]:
    made = []
    for platform, name, capabilities, triggers, needs in SKILLS:
        fields = {"weave_protocol": "1.0", "name": name, "platform": platform, "capabilities": capabilities}
        fields |= {"trigger_patterns": triggers, "dependencies": needs}
        made.append(interop.Offer(WeaveAdvertisement.model_validate(fields), path=f"{platform}/{name}/SKILL.md"))
    return made


def routed(items: list[Any], query: str, **filters: Any) -> Any:
    """contextweaver's own route over items of its own."""
    graph = peer("contextweaver.routing.tree.TreeBuilder")().build(items)
    return peer("contextweaver.routing.router.Router")(graph, items=items, top_k=3).route(query, **filters)


def test_our_catalog_passes_their_linter(tmp_path: Path) -> None:
    path = tmp_path / "catalog.json"
    path.write_text(interop.to_json(interop.export_catalog(offers())), encoding="utf-8")
    command = [sys.executable, "-m", "contextweaver", "catalog", "lint", str(path), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout)["ok"]


@settings(max_examples=100, deadline=None)
@given(st.lists(make.advertisements, max_size=4), make.texts)
def test_hostile_names_pass_their_linter_too(advertisements: list[WeaveAdvertisement], description: str) -> None:
    hostile = [interop.Offer(entry, path=str(n), description=description) for n, entry in enumerate(advertisements)]
    catalog = interop.plain(interop.export_catalog(hostile))
    items = peer("contextweaver.routing.catalog.load_catalog_dicts")(catalog, on_invalid="ignore")
    report = peer("contextweaver.routing.normalizer.CatalogNormalizer")().normalize(items)[1]
    assert (report.changed_count, report.invalid_ids) == (0, [])


def test_their_router_routes_over_our_catalog() -> None:
    catalog = interop.plain(interop.export_catalog(offers()))
    items = peer("contextweaver.routing.catalog.load_catalog_dicts")(catalog, on_invalid="raise")
    result = routed(items, "summarise this service log")
    assert result.candidate_items[0].id == "codex:Log Reader"
    ours = interop.selectable_item_to_advertisement(result.candidate_items[0])
    assert ours == offers()[3].advertisement


def test_their_decision_reads_here_and_ours_there() -> None:
    catalog = interop.plain(interop.export_catalog(offers()))
    items = peer("contextweaver.routing.catalog.load_catalog_dicts")(catalog)
    theirs = routed(items, "pick a font").to_routing_decision(decision_id="r-1", now=NOW)
    ours = cw.RoutingDecision.read(theirs)
    assert ours.plain() == theirs.to_dict()
    back = peer("contextweaver.envelope.RoutingDecision").from_dict(interop.from_json(interop.to_json(ours)))
    assert back == theirs


ADAPTER = "contextweaver.adapters.weaver_contracts."
CLASSES = {
    "SelectableItem": "contextweaver.types.SelectableItem",
    "ChoiceCard": "contextweaver.envelope.ChoiceCard",
    "RoutingDecision": "contextweaver.envelope.RoutingDecision",
    "ResultEnvelope": "contextweaver.envelope.ResultEnvelope",
}


def theirs(document: interop.Document) -> Any:
    """One of our contextweaver documents as the peer's object, by way of JSON."""
    return peer(CLASSES[type(document).__name__]).from_dict(interop.from_json(interop.to_json(document)))


PAYLOAD_EXTRAS = ("depends_on", "provides", "requires", "safety", "firewall_stats")


def without_extras(document: dict[str, Any]) -> dict[str, Any]:
    """A spec document without what only we keep under the reserved key."""
    payload = document["metadata"].get("_contextweaver", {})
    kept = {key: value for key, value in payload.items() if key not in PAYLOAD_EXTRAS}
    return {**document, "metadata": {**document["metadata"], "_contextweaver": kept}}


same_work = settings(max_examples=60, deadline=None)


@same_work
@given(make.items)
def test_items_convert_as_theirs_do(item: cw.SelectableItem) -> None:
    expected = interop.plain(interop.contracts.from_contract(peer(ADAPTER + "to_weaver_selectable_item")(theirs(item))))
    found = interop.to_weaver_selectable_item(item)
    platform_id = item.namespace in ("claude_code", "cursor", "codex", "windsurf")
    assert platform_id or without_extras(found.plain()) == expected
    read = peer(ADAPTER + "from_weaver_selectable_item")(interop.contracts.to_contract(found))
    assert cw.SelectableItem.read(read) == item.model_copy(update=dict.fromkeys(PAYLOAD_EXTRAS[:3]))


@same_work
@given(make.decisions())
def test_decisions_convert_as_theirs_do(decision: cw.RoutingDecision) -> None:
    found = interop.to_weaver_routing_decision(decision)
    read = peer(ADAPTER + "from_weaver_routing_decision")(interop.contracts.to_contract(found))
    cards = tuple(card.model_copy(update={"safety": ""}) for card in decision.choice_cards)
    assert cw.RoutingDecision.read(read) == decision.model_copy(update={"choice_cards": cards})


@same_work
@given(make.results)
def test_frames_convert_as_theirs_do(result: cw.ResultEnvelope) -> None:
    names: dict[str, Any] = {"frame_id": "f", "capability_id": "c:d", "created_at": NOW}
    bare = result.model_copy(update={"firewall_stats": None})
    expected = peer(ADAPTER + "to_weaver_frame")(theirs(bare), **names)
    found = interop.to_weaver_frame(bare, **names)
    assert found.plain() == interop.plain(interop.contracts.from_contract(expected))
    assert cw.ResultEnvelope.read(peer(ADAPTER + "from_weaver_frame")(interop.contracts.to_contract(found))) == bare


def test_our_frame_enters_their_context() -> None:
    part = interop.Part("codex:Log Reader", "Log Reader", 0, 9, 0.81, 3)
    frame = interop.contracts.composition_to_frame(
        interop.Composed("Read logs", (part,), "read a log"), frame_id="f-1", created_at=NOW
    )
    envelope = peer(ADAPTER + "from_weaver_frame")(frame)
    item = peer("contextweaver.context.manager.ContextManager")().ingest_envelope_sync("call-1", envelope, "weave")
    assert "Log Reader" in item.text
    assert item.artifact_ref.handle == frame.handle_refs[0]


# ChainWeaver


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


# The peer as the judge of what it accepts: same result, or we refuse what it lets through


def outcome(function: Any, *arguments: Any) -> Any:
    """What a peer's function gives, or None when it raises anything: it guards little."""
    try:
        return function(*arguments)
    except Exception:  # noqa: BLE001 - the peer lets AttributeError and KeyError out
        return None


flow_values = st.one_of(make.scalars, make.objects, make.text_lists, st.just({}))
flow_keys = ["flow_id", "version", "tags", "input_schema", "inputs", "output_schema", "outputs"]
exports = st.lists(
    st.fixed_dictionaries(
        {"id": make.texts, "name": make.texts, "description": make.texts},
        optional=dict.fromkeys(flow_keys, flow_values),
    ),
    max_size=3,
)


@same_work
@given(exports)
def test_exports_load_as_theirs_do(export: list[dict[str, Any]]) -> None:
    load = peer("contextweaver.adapters.chainweaver.load_chainweaver_export")
    expected = outcome(load, export)
    try:
        found = interop.load_chainweaver_export(export)
    except interop.CatalogError:
        assert expected is None
    else:
        by_id = {item.id: item.to_dict() for item in expected.all()}
        assert {item.id: item.plain() for item in found} == by_id


@same_work
@given(make.spec_menus)
def test_foreign_menus_read_as_theirs_do(document: dict[str, Any]) -> None:
    model = interop.weaver_spec.ChoiceCard.read(document)
    real = interop.contracts.to_contract(model)
    expected = outcome(peer(ADAPTER + "from_weaver_choice_card"), real)
    assert interop.plain(interop.from_weaver_choice_card(document)) == [card.to_dict() for card in expected]
    for option, item in zip(model.items, real.items, strict=True):
        theirs_read = outcome(peer(ADAPTER + "from_weaver_selectable_item"), item)
        assert interop.from_weaver_selectable_item(option).plain() == theirs_read.to_dict()


@same_work
@given(make.spec_decisions)
def test_foreign_decisions_read_as_theirs_do(document: dict[str, Any]) -> None:
    real = interop.contracts.to_contract(interop.weaver_spec.RoutingDecision.read(document))
    expected = outcome(peer(ADAPTER + "from_weaver_routing_decision"), real)
    assert interop.from_weaver_routing_decision(document).plain() == expected.to_dict()


@same_work
@given(make.spec_frames)
def test_foreign_frames_read_as_theirs_do(document: dict[str, Any]) -> None:
    real = interop.contracts.to_contract(interop.weaver_spec.Frame.read(document))
    expected = outcome(peer(ADAPTER + "from_weaver_frame"), real)
    assert interop.from_weaver_frame(document).plain() == expected.to_dict()


@same_work
@given(
    st.lists(
        st.fixed_dictionaries({"id": st.sampled_from("abc"), "tags": st.lists(st.sampled_from("xyz"))}),
        unique_by=lambda item: item["id"],
    ),
    st.fixed_dictionaries(
        {},
        optional={
            "exclude_ids": st.sets(st.sampled_from("abc")),
            "exclude_tags": st.sets(st.sampled_from("xyz")),
            "allowed_namespaces": st.sets(st.sampled_from(["", "n"])) | st.none(),
            "allowed_tags": st.sets(st.sampled_from("xyz")) | st.none(),
        },
    ),
)
def test_filters_are_theirs(items: list[dict[str, Any]], filters: dict[str, Any]) -> None:
    real = {
        item["id"]: cw.SelectableItem.read({**item, "kind": "tool", "name": "n", "description": "d"}) for item in items
    }
    named = {name: filters.get(name) for name in ("exclude_ids", "exclude_tags", "allowed_namespaces", "allowed_tags")}
    kept, excluded, gated = peer("contextweaver.routing.filters.filter_items")(real, **named)
    found = interop.filter_catalog(items, **filters)
    assert (list(found.ids), found.excluded, found.gated) == (list(kept), excluded, gated)
