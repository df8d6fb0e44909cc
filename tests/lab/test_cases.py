"""Cases: the forms they are read in, and that nothing malformed stops the rest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import Write
from tests.factory import skill
from weave_tui.broker.registry import build_registry
from weave_tui.lab.cases import Case, find_case_files, positions_of, read_cases
from weave_tui.skills import Where, load

REGISTRY = build_registry([skill("deploy"), skill("review")])


Problems = list[tuple[str, int]]


def read(tmp_path: Path, name: str, text: str) -> tuple[list[Case], Problems]:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    found = read_cases([path], REGISTRY)
    return list(found.cases), [(diagnostic.code, diagnostic.line) for diagnostic in found.diagnostics]


def test_json_lines_with_expected_names_and_none(tmp_path: Path) -> None:
    text = '{"query": "ship it", "expected": ["deploy"]}\n\n{"query": "hello", "expected": []}\n'
    cases, problems = read(tmp_path, "q.jsonl", text)
    assert [(case.query, case.expected, case.line) for case in cases] == [("ship it", ("deploy",), 1), ("hello", (), 3)]
    assert not problems


def test_a_list_says_the_line_of_each_entry(tmp_path: Path) -> None:
    text = '[\n  {"query": "a", "expected": "deploy"},\n\n  {"query": "b",\n   "expected": ["review"]}, {"query": 3}\n]'
    cases, problems = read(tmp_path, "q.json", text)
    assert [(case.query, case.line) for case in cases] == [("a", 2), ("b", 4)]
    assert problems == [("case-invalid", 5)]


def test_an_object_around_the_list_names_the_skill(tmp_path: Path) -> None:
    text = json.dumps({"skill_name": "review", "queries": [{"query": "a", "should_trigger": False}]})
    assert [case.unwanted for case in read(tmp_path, "q.json", text)[0]] == [("review",)]


def test_skill_creators_form_belongs_to_the_skill_beside_it(write: Write) -> None:
    root = write(
        {
            "deploy/SKILL.md": "---\nname: deploy\ndescription: Ships.\n---\nBody.\n",
            "deploy/evals/trigger.json": '[{"query": "ship", "should_trigger": true}]',
            "deploy/trigger-eval-2.json": '[{"query": "paint", "should_trigger": false}]',
            "evals/queries.jsonl": '{"query": "go", "expected": ["deploy"]}',
            "evals/notes.txt": "no cases",
        }
    )
    loaded = load(Where((root,)))
    registry = build_registry(loaded.skills)
    files = find_case_files(loaded)
    assert [path.relative_to(root).as_posix() for path in files] == [
        "deploy/evals/trigger.json",
        "deploy/trigger-eval-2.json",
        "evals/queries.jsonl",
    ]
    assert {(case.query, case.expected, case.unwanted) for case in read_cases(files, registry).cases} == {
        ("ship", ("deploy",), ()),
        ("paint", (), ("deploy",)),
        ("go", ("deploy",), ()),
    }
    assert find_case_files(loaded, [root / "deploy"]) == [root / "evals/queries.jsonl"]


def test_without_a_skill_a_trigger_case_is_not_used(tmp_path: Path) -> None:
    cases, problems = read(tmp_path, "q.json", '[{"query": "ship", "should_trigger": true}]')
    assert (cases, problems) == ([], [("case-invalid", 1)])


def test_unknown_skills_and_broken_lines_are_told_and_the_rest_is_used(tmp_path: Path) -> None:
    text = '{"query": "a", "expected": ["nope"]}\n{broken\n{"query": "b", "expected": ["deploy", "nope"]}\n[1]\n'
    cases, problems = read(tmp_path, "q.jsonl", text)
    assert [case.query for case in cases] == ["b"]
    assert problems == [("case-skill-unknown", 1), ("case-invalid", 2), ("case-invalid", 4)]


def test_evaluations_of_outcomes_are_passed_over(tmp_path: Path) -> None:
    text = json.dumps({"skill_name": "deploy", "evals": [{"id": 1, "prompt": "ship", "expected_output": "shipped"}]})
    assert read(tmp_path, "evals.json", text) == ([], [("cases-foreign", 1)])


def test_a_label_may_name_the_place_of_a_skill() -> None:
    place = REGISTRY.skills[0].place
    assert place.endswith("/deploy/SKILL.md")
    assert positions_of(place, REGISTRY) == positions_of(place.removesuffix("/SKILL.md"), REGISTRY) == (0,)
    assert positions_of("DEPLOY", REGISTRY) == (0,), "without regard to case"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["query", "expected", "should_trigger", "skill", "queries", "evals"]), inner)
    ),
    max_leaves=12,
)


@given(JSON, st.sampled_from([".json", ".jsonl"]))
def test_no_document_makes_it_fail(tmp_path_factory: pytest.TempPathFactory, document: object, ending: str) -> None:
    path = tmp_path_factory.mktemp("cases") / f"q{ending}"
    path.write_text(json.dumps(document), "utf-8")
    found = read_cases([path], REGISTRY)
    assert all(case.query.strip() for case in found.cases)


@given(st.binary(max_size=200), st.sampled_from([".json", ".jsonl"]))
def test_no_bytes_make_it_fail(tmp_path_factory: pytest.TempPathFactory, data: bytes, ending: str) -> None:
    path = tmp_path_factory.mktemp("cases") / f"q{ending}"
    path.write_bytes(data)
    read_cases([path], REGISTRY)
