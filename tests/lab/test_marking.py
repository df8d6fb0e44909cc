"""Marking: one more case in the form a file already has, and nothing else changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Write
from tests.factory import skill
from weave_tui.broker.registry import build_registry
from weave_tui.lab.cases import find_case_files, read_cases
from weave_tui.lab.marking import MarkingError, mark, targets
from weave_tui.skills import Where, load

REGISTRY = build_registry([skill("deploy"), skill("review")])

FORMS = {
    "new.jsonl": "",
    "lines.jsonl": '{"query": "a", "expected": ["review"]}\n',
    "no-end.jsonl": '{"query": "a", "expected": ["review"]}',
    "new.json": "",
    "empty.json": "[]",
    "list.json": '[\n    {"query": "a", "expected": ["review"]}\n]\n',
    "one-line.json": '[{"query": "a", "expected": ["review"]}]',
    "object.json": '{"queries": [\n  {"query": "a", "expected": ["review"]}\n ], "note": "kept"}',
}


@pytest.mark.parametrize("name", FORMS)
def test_a_case_is_added_and_the_rest_is_kept(tmp_path: Path, name: str) -> None:
    path = tmp_path / "evals" / name
    if FORMS[name]:
        path.parent.mkdir()
        path.write_text(FORMS[name])
    before = [case.query for case in read_cases([path], REGISTRY).cases] if FORMS[name] else []
    assert mark(path, 'say "hi"\nthere', "deploy", REGISTRY).is_new
    found = read_cases([path], REGISTRY)
    assert not found.diagnostics
    assert [case.query for case in found.cases] == [*before, 'say "hi"\nthere']
    assert found.cases[-1].expected == ("deploy",)
    assert path.read_text().startswith(FORMS[name].rstrip("\n ]},").split("]")[0])
    written = path.read_bytes()
    assert not mark(path, 'say "hi"\nthere', "deploy", REGISTRY).is_new
    assert path.read_bytes() == written


def test_line_ends_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_bytes(b'{"query": "a", "expected": ["review"]}\r\n')
    mark(path, "b", "deploy", REGISTRY)
    assert path.read_bytes().count(b"\r\n") == path.read_bytes().count(b"\n") == 2


@pytest.mark.parametrize("text", ["{not json]", '{"queries": [], "tags": []}', "no list"])
def test_what_an_entry_does_not_fit_into_is_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "q.json"
    path.write_text(text)
    with pytest.raises(MarkingError, match=r"q\.json"):
        mark(path, "b", "deploy", REGISTRY)
    assert path.read_text() == text


def test_where_a_case_can_go(write: Write) -> None:
    root = write(
        {
            "deploy/SKILL.md": "---\nname: deploy\ndescription: Ships.\n---\nBody.\n",
            "review/SKILL.md": "---\nname: review\ndescription: Reads.\n---\nBody.\n",
            "review/evals/own.json": '[{"query": "read", "should_trigger": true}]',
        }
    )
    loaded = load(Where((root,)))
    deploy, review = sorted(loaded.skills, key=lambda one: one.name)
    files = find_case_files(loaded)
    assert targets(files, loaded, deploy) == [root / "evals" / "queries.jsonl"], "another skill's own file takes none"
    assert targets(files, loaded, review) == [root / "review/evals/own.json"]
    mark(files[0], "look over it", "review", build_registry(loaded.skills))
    assert json.loads(files[0].read_text())[1] == {"query": "look over it", "should_trigger": True}
