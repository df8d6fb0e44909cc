"""The bridge from registry, result and composition, and documents in and out of the app."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from hypothesis import given, settings

from tests.interop import strategies as make
from weave_tui import interop
from weave_tui.protocol import WeaveAdvertisement

NOW = "2031-03-04T05:06:07Z"


def advertisement(name: str = "Grid Basics", platform: str = "cursor", **fields: Any) -> WeaveAdvertisement:
    known = {"weave_protocol": "1.0", "name": name, "platform": platform, "capabilities": ["layout"]}
    return WeaveAdvertisement.model_validate({**known, "trigger_patterns": ["lay out a page"], **fields})


@settings(max_examples=150, deadline=None)
@given(make.advertisements)
def test_an_advertisement_comes_back_exactly(given_: WeaveAdvertisement) -> None:
    item = interop.advertisement_to_selectable_item(given_)
    assert interop.selectable_item_to_advertisement(item) == given_
    there = interop.from_json(interop.to_json(interop.to_weaver_selectable_item(item)))
    assert interop.selectable_item_to_advertisement(interop.from_weaver_selectable_item(there)) == given_
    assert there["capability_id"] == there["id"] == f"{given_.platform}:{given_.name}"
    assert there["id"].split(":", 1) == [given_.platform, given_.name]
    del there["metadata"]
    assert interop.from_weaver_selectable_item(there).namespace == given_.platform


def test_names_that_clash_get_ids_of_their_own() -> None:
    offers = [
        interop.Offer(advertisement(), path="a"),
        interop.Offer(advertisement(platform="codex"), path="b"),
        interop.Offer(advertisement(), path="c"),
        interop.Offer(advertisement(), path="c"),
    ]
    mark = hashlib.sha256(b"c").hexdigest()[:8]
    ids = interop.item_ids(offers)
    assert ids[:3] == ("cursor:Grid Basics", "codex:Grid Basics", f"cursor:Grid Basics~{mark}")
    assert len(set(ids)) == 4
    catalog = interop.export_catalog(offers)
    assert [interop.to_weaver_selectable_item(item).capability_id for item in catalog] == list(ids)


def test_a_dependency_is_written_as_the_name_it_means() -> None:
    needy = advertisement("Needy", dependencies=["grid BASICS", "Ghost", "Grid Basics"])
    item = interop.export_catalog([interop.Offer(needy), interop.Offer(advertisement())])[0]
    assert item.requires == ("Grid Basics", "Ghost", "Grid Basics")
    assert interop.selectable_item_to_advertisement(item) == needy


@pytest.mark.parametrize(
    ("description", "triggers", "expected"),
    [
        ("Lay  out\npages. ", ["x"], "Lay out pages."),
        ("", ["a", "b"], "a; b"),
        ("", [""], "Grid Basics"),
    ],
)
def test_descriptions_are_one_line_and_never_empty(description: str, triggers: list[str], expected: str) -> None:
    offer = interop.Offer(advertisement(trigger_patterns=triggers), description=description)
    assert interop.export_catalog([offer])[0].description == expected


@pytest.mark.parametrize(
    ("item", "platform", "expected"),
    [
        ({"namespace": "codex", "examples": ["e"], "tags": ["skill", "a", "tool"]}, None, ("codex", ("a",), ("e",))),
        ({"namespace": "web"}, "cursor", ("cursor", (), ("Copy a site.",))),
        ({"namespace": "codex"}, "cursor", ("codex", (), ("Copy a site.",))),
    ],
)
def test_a_foreign_item_becomes_an_advertisement(item: dict[str, Any], platform: Any, expected: Any) -> None:
    known = {"id": "m", "kind": "tool", "name": "Mirror", "description": "Copy a site."}
    found = interop.selectable_item_to_advertisement({**known, **item}, platform=platform)
    assert (found.platform, found.capabilities, found.trigger_patterns) == expected


def request(query: str) -> dict[str, Any]:
    return {"weave_protocol": "1.0", "query": query}


LONG = advertisement("N" * 80, capabilities=["SKILL", "b" * 30, "a", "c", "d", "e"])
CHOICES = [
    interop.Choice("cursor:Grid Basics", advertisement(), 0.81),
    interop.Choice("cursor:" + "N" * 80, LONG, 0.4, role="dependency"),
]


def test_a_result_becomes_a_decision_with_our_order_and_scores() -> None:
    decision = interop.result_to_routing_decision(
        CHOICES, request=request("lay out\n" + "x" * 300), decision_id="r", created_at=NOW, gap=0.41
    )
    assert [(card.id, card.score, card.kind) for card in decision.choice_cards] == [
        (choice.id, choice.score, "skill") for choice in CHOICES
    ]
    assert decision.selected_item_id == decision.selected_card_id == "cursor:Grid Basics"
    assert decision.metadata["weave"]["selected_item_ids"] == tuple(choice.id for choice in CHOICES)
    assert decision.metadata["weave"]["roles"]["cursor:" + "N" * 80] == "dependency"
    assert decision.metadata["weave"]["gap"] == 0.41
    assert decision.metadata["weave"]["request"]["top_n"] == 1
    assert decision.context_summary == "lay out " + "x" * 192
    long = decision.choice_cards[1]
    assert (long.name, long.tags) == ("N" * 64, ("a", "b" * 24, "c", "d", "skill"))
    assert interop.roundtrip_routing_decision(decision) == decision


def test_an_empty_result_is_no_decision() -> None:
    with pytest.raises(interop.CatalogError) as caught:
        interop.result_to_routing_decision([], request=request("q"), decision_id="r")
    assert caught.value.field == "choice_cards"


def test_skills_of_one_name_in_a_response_stay_apart() -> None:
    skills = [
        {"name": "Grid Basics", "platform": "cursor", "score": score, "composed_context": str(score)}
        for score in (0.9, 0.8)
    ]
    decision = interop.response_to_routing_decision(
        {"weave_protocol": "1.0", "query": "q"},
        {"weave_protocol": "1.0", "skills": skills, "composed": ""},
        decision_id="r",
        timestamp=NOW,
    )
    assert len({card.id for card in decision.choice_cards}) == 2


TEXT = "Use é grids.\n\n---\n\nRead logs."
PARTS = (
    interop.Part("cursor:Grid Basics", "Grid Basics", 0, 12, 0.81, 4),
    interop.Part("codex:Log Reader", "Log Reader", 19, 29, 0.4, 3, role="dependency"),
)


def test_a_composition_becomes_a_frame_without_its_text() -> None:
    composed = interop.Composed(TEXT, PARTS, "grids")
    frame = interop.plain(interop.composition_to_frame(composed, frame_id="f", created_at=NOW))
    digest = hashlib.sha256(TEXT.encode()).hexdigest()
    assert frame["capability_id"] == "weave:compose"
    assert frame["handle_refs"] == [f"weave:composed:{digest[:16]}"]
    (artifact,) = frame["metadata"]["_contextweaver"]["artifacts"]
    assert (artifact["size_bytes"], artifact["content_hash"]) == (len(TEXT.encode()), digest)
    assert artifact["media_type"] == "text/markdown"
    spans = [view["selector"] for view in frame["structured_data"]["views"]]
    assert [TEXT[span["start"] : span["end"]] for span in spans] == ["Use é grids.", "Read logs."]
    assert frame["structured_data"]["status"] == "ok"
    assert frame["structured_data"]["facts"][1] == "skill Log Reader: score 0.400, about 3 tokens, dependency"
    assert "\n" not in frame["summary"]
    assert "Read logs" not in interop.to_json(frame)


def test_the_text_goes_inline_only_on_request() -> None:
    composed = interop.Composed(TEXT, PARTS, "grids")
    assert interop.composition_to_envelope(composed, inline=True).provenance["weave"]["composed"] == TEXT


@pytest.mark.parametrize(
    ("parts", "problems", "status"),
    [(PARTS, (), "ok"), (PARTS, ("No skill is named 'Ghost'.",), "partial"), ((), (), "error")],
)
def test_the_status_of_a_composition(parts: Any, problems: Any, status: str) -> None:
    composed = interop.Composed(TEXT if parts else "", parts, "grids", problems)
    envelope = interop.composition_to_envelope(composed)
    assert envelope.status == status
    assert set(problems) <= set(envelope.facts)
    assert bool(envelope.artifacts) is bool(parts)


# Import and conversion

OPTION = {"id": "m1", "label": "mirror", "description": "Copy a site.", "capability_id": "codex:mirror"}
CARD = {"id": "k", "name": "K", "description": "d", "has_schema": False}
ITEM = {"id": "k", "kind": "tool", "name": "K", "description": "d"}
MENU = {"id": "m", "items": [OPTION]}
FLOWS = {"flows": [{"id": "g", "name": "G", "description": "d", "owner": "ana"}]}
FRAME = {"frame_id": "f", "capability_id": "c", "summary": "s", "created_at": NOW}
DOCUMENTS: list[tuple[Any, str, list[str]]] = [
    (OPTION, "weaver-spec item", []),
    ([OPTION], "weaver-spec item", []),
    ({**OPTION, "x_note": 1}, "weaver-spec item", ["$.x_note"]),
    ({**OPTION, "label": "Mirror"}, "weaver-spec item", ["$.capability_id"]),
    (MENU, "weaver-spec menu", []),
    ({**MENU, "context_hint": "h"}, "weaver-spec menu", ["$.context_hint"]),
    ({"id": "m", "items": [OPTION, {**OPTION, "id": "o", "capability_id": "web:mirror"}]}, "weaver-spec menu", [
        "$.items[1]"]),
    ({"id": "r", "choice_cards": [MENU], "timestamp": NOW}, "weaver-spec decision", [
        "$.choice_cards[0].id", "$.choice_cards[0].items[0].capability_id"]),
    (FRAME, "weaver-spec frame", []),
    ({**FRAME, "structured_data": {"status": "odd", "rows": 3}}, "weaver-spec frame", [
        "$.structured_data.status", "$.structured_data.rows"]),
    ({"id": "r", "choice_cards": [CARD], "timestamp": NOW}, "contextweaver decision", []),
    ({"status": "ok", "summary": "s"}, "contextweaver result", []),
    ({"candidate_id": "c", "candidate_type": "tool", "name": "n"}, "contextweaver candidate", []),
    ({"decision_id": "d", "candidate": {"candidate_id": "c", "candidate_type": "tool"}}, "weaver-spec candidate", []),
    (CARD, "contextweaver card", []),
    (ITEM, "contextweaver item", ["$"]),
    ([ITEM, {**ITEM, "id": "l", "namespace": "codex", "args_schema": {"a": 1}, "later": [1]}], "contextweaver item", [
        "$[1].later", "$[0]", "$[1].args_schema"]),
    ({"items": [{**ITEM, "namespace": "cursor"}]}, "contextweaver catalog", []),
    (FLOWS, "chainweaver flows", ["$.flows[0].owner", "$.flows[0]"]),
    (FLOWS["flows"], "chainweaver flows", ["$[0].owner", "$[0]"]),
    ({"name": "f", "description": "d", "steps": []}, "chainweaver flows", ["$"]),
]  # fmt: skip


@pytest.mark.parametrize(("document", "form", "lost"), DOCUMENTS)
def test_any_document_is_recognised_imported_and_reported(document: Any, form: str, lost: list[str]) -> None:
    found = interop.import_document(document)
    assert f"{found.form.side} {found.form.name}" == form
    assert [entry.path for entry in found.lost] == lost
    assert found.items or found.decisions or found.results or found.candidates or found.form.name == "card"


def test_a_named_platform_takes_every_item_in() -> None:
    found = interop.import_document(FLOWS, platform="codex")
    assert [entry.platform for entry in found.advertisements] == ["codex"]


NAMES = interop.Names(frame_id="f", capability_id="c", created_at=NOW, decision_id="d")


@pytest.mark.parametrize(
    "document",
    [
        {**OPTION, "x_note": None, "metadata": {"a": [None]}},
        {"id": "r", "choice_cards": [{**MENU, "context_hint": "h"}], "timestamp": NOW, "selected_card_id": "m"},
        {**FRAME, "structured_data": {"rows": [1]}, "x_note": 1},
    ],
)
def test_converting_twice_gives_a_spec_document_again(document: Any) -> None:
    there = interop.convert(document)
    again = interop.convert(interop.plain(there), names=NAMES)
    expected = interop.recognise(document).read(document)
    assert interop.plain(again) == interop.plain(expected)


@pytest.mark.parametrize(
    "document",
    [
        {**ITEM, "metadata": {"a": None}, "requires": ["x"]},
        {"id": "r", "choice_cards": [CARD, {**CARD, "id": "l", "safety": "read_only"}], "timestamp": NOW},
        {"status": "partial", "summary": "", "provenance": {"a": 1}},
        {"candidate_id": "c", "candidate_type": "tool", "name": "n", "confidence": 0.5, "metadata": {"a": None}},
    ],
)
def test_converting_twice_gives_a_contextweaver_document_again(document: Any) -> None:
    again = interop.convert(interop.plain(interop.convert(document, names=NAMES)))
    kept = {key: value for key, value in interop.plain(again).items() if key != "foreign"}
    assert kept == interop.plain(interop.recognise(document).read(document))


def test_lists_convert_entry_by_entry() -> None:
    made = interop.convert([ITEM, {**ITEM, "id": "l"}])
    assert [entry["id"] for entry in interop.plain(made)] == ["k", "l"]
    frames = interop.plain(interop.convert([{"status": "ok", "summary": "s"}] * 2, names=NAMES))
    assert [frame["frame_id"] for frame in frames] == ["f", "f:2"]
    cards = interop.convert(MENU)
    assert [entry["id"] for entry in interop.plain(cards)] == ["m1"]
