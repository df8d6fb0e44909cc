"""The broker's objects as the bridge's inputs, and as the documents that are handed out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from tests.factory import skill
from weave_tui import interop
from weave_tui.broker import Broker, Encoder, Result, Rules
from weave_tui.broker.dedupe import Reason, Removed
from weave_tui.diagnostics import Diagnostic
from weave_tui.interop import flows, from_broker
from weave_tui.protocol import PROTOCOL, WeaveRequest
from weave_tui.skills import Skill

NOW = "2031-03-04T05:06:07Z"
FLOW = {
    "name": "ship_release",
    "version": "1.2.0",
    "description": "Tag, build and publish a release.",
    "tags": ["release"],
    "input_schema": {"type": "object", "properties": {"tag": {"type": "string"}}},
    "steps": [{"tool_name": "tag"}, {"tool_name": "publish"}],
}
LIBRARY = (
    skill("type", "Pair a serif with a sans.", description="choose fonts for a page", needs=("grid", "ghost")),
    skill("grid", "Use twelve columns.", description="lay out a page on a grid", capabilities=("layout",)),
    skill("logs", "Read the log.", description="find an error in a log", platform="codex"),
    skill("logs", "Read another log.", description="find an error", platform="codex", path="b/logs/SKILL.md"),
)


def asked(query: str) -> WeaveRequest:
    return WeaveRequest(weave_protocol=PROTOCOL, query=query)


def answer(encoder: Encoder, query: str, skills: tuple[Skill, ...] = LIBRARY, **fields: Any) -> from_broker.Answer:
    broker = Broker(encoder)
    broker.replace(skills)
    result = broker.query(asked(query), Rules(confidence_threshold=0.0))
    return from_broker.Answer(asked(query), result, **fields)


@pytest.fixture
def fonts(encoder: Encoder) -> from_broker.Answer:
    return answer(encoder, "choose fonts for a page", id="r-1", at=NOW)


def test_ids_are_the_same_wherever_the_folder_lies() -> None:
    moved = [
        replace(entry, path=Path("/else") / entry.place, locations=(Path("/else") / entry.place,), root=Path("/else"))
        for entry in LIBRARY
    ]
    ids = interop.item_ids(from_broker.offers(LIBRARY))
    assert ids[:3] == ("claude_code:type", "claude_code:grid", "codex:logs")
    assert ids[3].startswith("codex:logs~")
    assert interop.item_ids(from_broker.offers(moved)) == ids


def test_choices_keep_the_result_s_order_scores_and_roles(fonts: from_broker.Answer) -> None:
    made = from_broker.choices(fonts.result)
    chosen = fonts.result.selection.chosen
    assert [(choice.id, choice.role) for choice in made] == [
        ("claude_code:type", "match"),
        ("claude_code:grid", "dependency"),
    ]
    assert [choice.score for choice in made] == [entry.score for entry in chosen]


def test_parts_are_spans_of_the_text_and_problems_say_what_it_lacks(fonts: from_broker.Answer) -> None:
    made = from_broker.composed(fonts.result)
    assert [made.text[part.start : part.end] for part in made.parts] == [
        "Pair a serif with a sans.",
        "Use twelve columns.",
    ]
    assert made.problems == ("'type' needs 'ghost', which is not in the prompt",)


@pytest.mark.parametrize(("code", "is_problem"), [("fence-open", False), ("dependency-unknown", True)])
def test_what_composition_says_is_a_problem_unless_nothing_is_missing(
    fonts: from_broker.Answer, code: str, is_problem: bool
) -> None:
    composition = replace(fonts.result.composition, diagnostics=(Diagnostic(code, "said"),))
    result: Result = replace(fonts.result, composition=composition)
    assert ("said" in from_broker.composed(result).problems) is is_problem


@pytest.mark.parametrize("reason", [*Reason, "budget"])
def test_a_line_left_out_is_a_problem_unless_another_says_it(fonts: from_broker.Answer, reason: str) -> None:
    removed = (Removed(1, 0, "x", cast(Reason, reason)), Removed(1, 1, "y", cast(Reason, reason)))
    composition = replace(fonts.result.composition, removed=removed)
    problems = from_broker.composed(replace(fonts.result, composition=composition)).problems
    said = reason in {"duplicate", "section", "contained", "edge"}
    assert (f"2 lines of 'grid' are not in the prompt: {reason}" in problems) is not said


@pytest.mark.parametrize("name", from_broker.DOCUMENTS)
def test_both_forms_are_deterministic_and_read_back(fonts: from_broker.Answer, name: str) -> None:
    kind = from_broker.DOCUMENTS[name]
    for make in (kind.ours, kind.spec):
        text = interop.to_json(make(fonts))
        assert interop.to_json(make(fonts)) == text
        found = interop.import_document(interop.from_json(text))
        assert found.form.name == name or name == "catalog"
        assert not found.lost


def test_without_an_id_a_document_is_named_after_its_content(encoder: Encoder) -> None:
    first, again = (answer(encoder, "choose fonts for a page") for _ in range(2))
    other = answer(encoder, "find an error in a log")
    assert from_broker.decision(first).id == from_broker.decision(again).id != from_broker.decision(other).id


def test_nothing_chosen_is_no_decision_but_a_frame_that_says_so(encoder: Encoder) -> None:
    empty = answer(encoder, "🎉")
    with pytest.raises(interop.CatalogError):
        from_broker.decision(empty)
    assert interop.plain(from_broker.frame(empty))["structured_data"]["status"] == "error"


# Flows


def with_flow(encoder: Encoder, query: str) -> tuple[flows.Flows, from_broker.Answer]:
    loaded = flows.load_flows([FLOW], Path("/library/flows.json"))
    return loaded, answer(encoder, query, (*LIBRARY, *loaded.skills), items=loaded.items, id="r-1", at=NOW)


def test_a_flow_ranks_beside_skills_and_stays_a_flow(encoder: Encoder) -> None:
    _, given = with_flow(encoder, "tag, build and publish a release")
    card = from_broker.decision(given).choice_cards[0]
    assert (card.id, card.kind, card.namespace) == ("chainweaver:ship_release", "flow", "chainweaver")
    assert (card.tags, card.has_schema) == (("flow", "release"), True)
    assert interop.plain(from_broker.candidate(given))["metadata"]["runtime_flow_id"] == "ship_release"
    advice = interop.plain(from_broker.advice(given))
    assert advice["candidate"]["compiled_flow"]["tool_dependencies"] == ["tag", "publish"]


def test_a_flow_leads_back_to_the_document_a_host_runs(encoder: Encoder) -> None:
    _, given = with_flow(encoder, "tag, build and publish a release")
    assert interop.resolve_flow(from_broker.decision(given), [FLOW], items=from_broker.catalog(given)) is FLOW
    (item,) = from_broker.catalog(given)
    assert interop.flow_document(item) == FLOW


def test_an_exported_catalog_gives_its_flows_again(encoder: Encoder) -> None:
    loaded, given = with_flow(encoder, "x")
    for make in (lambda it: it, interop.to_weaver_selectable_item):
        document = interop.plain(
            [make(item) for item in from_broker.registry_catalog(given.result.ranking.registry, loaded.items)]
        )
        assert len(document) == len(LIBRARY) + 1
        assert tuple(flows.load_flows(document, Path("/library/flows.json")).items.values()) == tuple(
            loaded.items.values()
        )


def test_flows_of_one_id_in_two_files_stay_apart(encoder: Encoder) -> None:
    first, second = (flows.load_flows([FLOW], Path(f"/library/{name}.json")) for name in "ab")
    ids = interop.item_ids(from_broker.offers((*first.skills, *second.skills), {**first.items, **second.items}))
    assert ids[0] == "chainweaver:ship_release"
    assert ids[1].startswith("chainweaver:ship_release~")


def test_what_a_model_reads_of_a_flow() -> None:
    (made,) = flows.load_flows([FLOW], Path("/library/flows.json")).skills
    assert (made.kind, made.platform, made.advertisement.version) == ("flow", "codex", "1.2.0")
    assert made.body.splitlines() == [
        "# ship_release",
        "",
        "Tag, build and publish a release.",
        "",
        "A ChainWeaver flow, `ship_release` version 1.2.0: a host runs it whole.",
        "It takes `tag`.",
    ]


@pytest.mark.parametrize(
    ("allowed", "excluded", "names"),
    [
        (None, (), ["type", "grid", "logs", "logs", "ship_release"]),
        (["flow"], (), ["ship_release"]),
        (["layout", "release"], (), ["grid", "ship_release"]),
        (None, ["flow"], ["type", "grid", "logs", "logs"]),
        (["skill"], ["layout"], ["type", "logs", "logs"]),
        ([], (), []),
    ],
)
def test_tags_gate_as_in_the_router(allowed: Any, excluded: Any, names: list[str]) -> None:
    loaded = flows.load_flows([FLOW], Path("/library/flows.json"))
    skills = (*LIBRARY, *loaded.skills)
    passed = flows.admitted(from_broker.offers(skills, loaded.items), allowed_tags=allowed, excluded_tags=excluded)
    assert [skills[position].name for position in passed] == names


def test_a_document_without_flows_is_refused() -> None:
    with pytest.raises(interop.CatalogError, match="expected at least one flow, got none"):
        flows.load_flows([{"id": "a", "kind": "tool", "name": "A", "description": "d"}], Path("/library/flows.json"))
