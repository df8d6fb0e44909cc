"""The real peers: what we write they read and route over; what they write we read."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.interop import strategies as make
from tests.interop.peers import ADAPTER, NOW, command, offers, peer, routed
from weave_tui import interop
from weave_tui.interop import contextweaver as cw
from weave_tui.protocol import WeaveAdvertisement
from weave_tui.resources import sample_skills_dir


def lint(path: Path) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "contextweaver", "catalog", "lint", str(path), "--json"]
    return subprocess.run(line, capture_output=True, text=True, check=False)


def test_our_catalog_passes_their_linter(tmp_path: Path) -> None:
    path = tmp_path / "catalog.json"
    path.write_text(interop.to_json(interop.export_catalog(offers())), encoding="utf-8")
    done = lint(path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout)["ok"]


def test_the_exported_samples_pass_their_linter(tmp_path: Path) -> None:
    path = tmp_path / "catalog.json"
    command("export", "catalog", str(sample_skills_dir()), "--output", str(path))
    done = lint(path)
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads(done.stdout)
    assert report["ok"] and report["references"] == {"findings": [], "items_processed": 24}


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
