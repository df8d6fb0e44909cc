"""export, import and convert as a person pipes them: round trips, both forms, and one clear message a mistake."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_commands import SAMPLES, run
from weave_tui import interop
from weave_tui.protocol import parse_advertisement
from weave_tui.skills import Skill

TASK = "rename a column without downtime"
NAMED = ("--id", "r-1", "--at", "2031-03-04T05:06:07Z")
FLOW = {
    "name": "ship_release",
    "version": "1.2.0",
    "description": "Tag, build and publish a release.",
    "tags": ["release"],
    "steps": [{"tool_name": "tag"}, {"tool_name": "publish"}],
}


def output(*arguments: str, stdin: str = "") -> str:
    """What a command prints; it must succeed, and keep standard error clean."""
    done = run(*arguments, stdin=stdin)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


def exported(what: str, *options: str) -> str:
    query = () if what == "catalog" else ("--query", TASK, *NAMED)
    return output("export", what, SAMPLES, *query, *options)


@pytest.fixture
def flows(tmp_path: Path) -> str:
    path = tmp_path / "flows.json"
    path.write_text(json.dumps({"flows": [FLOW]}))
    return str(path)


# Export


@pytest.mark.parametrize("form", ["", "--spec"])
def test_a_catalog_comes_back_as_the_advertisements_it_was_made_of(samples: tuple[Skill, ...], form: str) -> None:
    imported = json.loads(output("import", "-", stdin=exported("catalog", *filter(None, [form]))))
    found = [parse_advertisement(document) for document in imported["advertisements"]]
    assert sorted(found, key=repr) == sorted((skill.advertisement for skill in samples), key=repr)
    assert imported["lost"] == []
    assert imported["form"] == f"{'weaver-spec' if form else 'contextweaver'} item"


@pytest.mark.parametrize(
    ("what", "form", "recognised", "key"),
    [
        ("decision", "", "contextweaver decision", "decisions"),
        ("decision", "--spec", "weaver-spec decision", "decisions"),
        ("frame", "", "weaver-spec frame", "results"),
        ("frame", "--spec", "weaver-spec frame", "results"),
        ("candidate", "", "contextweaver candidate", "candidates"),
        ("candidate", "--spec", "weaver-spec candidate", "candidates"),
    ],
)
def test_an_answer_is_exported_deterministically_and_imported_whole(
    what: str, form: str, recognised: str, key: str
) -> None:
    options = tuple(filter(None, [form]))
    text = exported(what, *options)
    assert exported(what, *options) == text
    imported = json.loads(output("import", "-", stdin=text))
    assert (imported["form"], len(imported[key]), imported["lost"]) == (recognised, 1, [])


def test_a_decision_has_our_order_and_the_names_that_were_given() -> None:
    decision = json.loads(exported("decision"))
    assert (decision["id"], decision["timestamp"]) == ("r-1", "2031-03-04T05:06:07+00:00")
    response = json.loads(run("query", TASK, SAMPLES, "--json").stdout)
    assert [(card["name"], card["score"]) for card in decision["choice_cards"]] == [
        (match["name"], match["score"]) for match in response["skills"]
    ]


def test_without_a_name_a_document_is_named_after_its_content() -> None:
    first, again = (json.loads(output("export", "decision", SAMPLES, "--query", TASK)) for _ in range(2))
    assert first["id"] == again["id"]


def test_a_catalog_of_a_query_has_what_answers_it() -> None:
    items = json.loads(output("export", "catalog", SAMPLES, "--query", TASK))
    cards = json.loads(exported("decision"))["choice_cards"]
    assert {item["id"] for item in items} == {card["id"] for card in cards}


def test_the_query_from_standard_input_and_the_result_into_a_file(tmp_path: Path) -> None:
    place = tmp_path / "decision.json"
    arguments = ("export", "decision", SAMPLES, "--query", "-", *NAMED, "--output", str(place))
    assert output(*arguments, stdin=f"{TASK}\n") == ""
    assert place.read_text() == exported("decision")


def test_nothing_answers() -> None:
    done = run("export", "decision", SAMPLES, "--query", "🎉")
    assert (done.returncode, done.stdout) == (1, "")
    assert "No decision: nothing is selected" in done.stderr
    done = run("export", "frame", SAMPLES, "--query", "🎉")
    assert done.returncode == 1
    assert json.loads(done.stdout)["structured_data"]["status"] == "error"


# Convert


@pytest.mark.parametrize("what", ["catalog", "decision"])
@pytest.mark.parametrize("form", ["", "--spec"])
def test_there_and_back_is_the_same_document(what: str, form: str) -> None:
    text = exported(what, *filter(None, [form]))
    there = output("convert", "-", stdin=text)
    assert there != text
    assert output("convert", "-", stdin=there) == text
    assert there == exported(what, *([] if form else ["--spec"]))


def test_a_frame_there_and_back_needs_its_names() -> None:
    text = exported("frame")
    there = output("convert", "-", stdin=text)
    names = ("--id", "r-1", "--capability", "weave:compose", "--at", "2031-03-04T05:06:07Z")
    assert output("convert", "-", *names, stdin=there) == text


def test_a_foreign_document_comes_back_as_it_was(tmp_path: Path) -> None:
    option = {"id": "m1", "label": "mirror", "description": "Copy a site.", "capability_id": "web:other", "x_note": 1}
    place = tmp_path / "option.json"
    place.write_text(json.dumps(option))
    assert json.loads(output("convert", "-", stdin=output("convert", str(place)))) == option


# Import


def test_an_import_says_what_it_could_not_carry() -> None:
    item = {"id": "m", "kind": "tool", "name": "Mirror", "description": "Copy a site.", "args_schema": {"a": 1}}
    done = run("import", "-", stdin=json.dumps([item]))
    assert done.returncode == 0
    assert done.stderr == 'weave-tui: warning: $[0]: no advertisement: "" is no platform; name one\n'
    done = run("import", "-", "--platform", "cursor", stdin=json.dumps([item]))
    (lost,) = json.loads(done.stdout)["lost"]
    assert lost["path"] == "$[0].args_schema"
    assert json.loads(done.stdout)["advertisements"][0]["platform"] == "cursor"


def test_many_losses_are_counted_on_standard_error_and_listed_in_the_result() -> None:
    items = [{"id": str(n), "kind": "tool", "name": "N", "description": "d"} for n in range(30)]
    done = run("import", "-", stdin=json.dumps(items))
    assert done.stderr.splitlines()[-1] == "weave-tui: warning: and 10 more"
    assert len(json.loads(done.stdout)["lost"]) == 30


# Flows


def test_flows_are_ranked_only_where_a_person_names_them(flows: str) -> None:
    task = "tag, build and publish a release"
    assert "ship_release" not in output("query", task, SAMPLES)
    first = output("query", task, SAMPLES, "--flows", flows).splitlines()[2]
    assert first.startswith("✓") and "ship_release" in first and first.endswith("(flow)")
    assert "ship_release" not in output("query", task, SAMPLES, "--flows", flows, "--exclude-tag", "flow")
    only = output("query", task, SAMPLES, "--flows", flows, "--allow-tag", "flow")
    assert len(only.splitlines()) == 3


@pytest.mark.parametrize("what", ["decision", "candidate"])
@pytest.mark.parametrize("form", ["", "--spec"])
def test_an_answer_leads_back_to_the_flow_that_a_host_runs(flows: str, what: str, form: str) -> None:
    options = (SAMPLES, "--flows", flows, "--query", "tag, build and publish a release", *filter(None, [form]))
    done = run("import", "-", "--flows", flows, stdin=output("export", what, *options))
    assert json.loads(done.stdout)["flows"] == [FLOW]


@pytest.mark.parametrize(
    "document",
    [
        {"flows": [{"id": "ship_release", "name": "Ship", "description": "Tag, build and publish a release."}]},
        FLOW,
        {
            "id": "chainweaver:ship_release",
            "label": "ship_release",
            "description": "Tag, build and publish a release.",
            "metadata": {"deterministic": True, "input_schema": {}, "output_schema": {}},
        },
    ],
)
def test_all_three_shapes_of_a_flow_load(document: dict[str, Any], write: Any) -> None:
    arguments = ("export", "catalog", str(write({})), "--flows", "-")
    (item,) = json.loads(output(*arguments, stdin=json.dumps(document)))
    assert (item["id"], item["kind"], item["namespace"]) == ("chainweaver:ship_release", "flow", "chainweaver")
    assert "flow" in item["tags"]


def test_an_exported_catalog_is_a_file_of_flows_too(flows: str, write: Any) -> None:
    empty = str(write({}))
    text = output("export", "catalog", SAMPLES, "--flows", flows)
    (item,) = json.loads(output("export", "catalog", empty, "--flows", "-", stdin=text))
    assert item["metadata"]["chainweaver_flow"] == FLOW


# Mistakes

MENU = {"id": "m", "items": [{"id": "a", "label": "A", "description": 5}]}
DECISION = {"id": "r", "choice_cards": [MENU], "timestamp": "2031-03-04T05:06:07Z"}


@pytest.mark.parametrize(
    ("arguments", "stdin", "code", "message"),
    [
        (("export",), "", 2, "required: what"),
        (("export", "skills"), "", 2, "invalid choice: 'skills'"),
        (("export", "decision", SAMPLES), "", 2, "A decision is an answer: give the task with --query TEXT."),
        (("export", "catalog", "--id", "x"), "", 2, "A catalog has no id and no time"),
        (("export", "decision", "--query", "", SAMPLES), "", 2, "$.query: expected text, got an empty string"),
        (("export", "decision", "--query", " ", SAMPLES), "", 2, "The query is empty"),
        (("export", "frame", "--query", "x", "--at", "noon"), "", 2, 'T05:06:07Z, got "noon"'),
        (("export", "catalog", "/nope"), "", 3, "Path does not exist: '/nope'"),
        (("export", "catalog", SAMPLES, "-o", "/nope/x"), "", 2, "Cannot write '/nope/x'"),
        (("export", "catalog", SAMPLES, "--allow-tag", "none"), "", 1, "None of 24 skills and flows has tags"),
        (("query", "x", SAMPLES, "--flows", "/nope"), "", 3, "Cannot read '/nope'"),
        (("query", "x", SAMPLES, "--flows", "-"), "[]", 3, "standard input: $: expected one of"),
        (("query", "x", SAMPLES, "--flows", "-"), "[5]", 3, "standard input: $: expected one of"),
        (("query", "x", SAMPLES, "--flows", "-"), '[{"id":"f","name":"F"}]', 3, "$[0].description: required"),
        (("import",), "", 2, "required: FILE"),
        (("import", "/nope"), "", 3, "Cannot read '/nope': No such file or directory"),
        (("import", SAMPLES), "", 3, "Is a directory"),
        (("import", "-"), '{"a":', 3, "standard input: $: not JSON: Expecting value (line 1, column 6)"),
        (("import", "-"), "NaN", 3, "NaN is no JSON number"),
        (("import", "-"), "{}", 3, "standard input: $: expected one of weaver-spec decision"),
        (("import", "-"), json.dumps(DECISION), 3, "$.choice_cards[0].items[0].description: expected text, got 5"),
        (("convert", "-"), json.dumps(MENU), 3, "standard input: $.items[0].description: expected text, got 5"),
        (("convert", "-"), json.dumps([MENU]), 3, "standard input: $[0].items[0].description: expected text, got 5"),
        (("convert", "-"), '{"status":"ok","summary":"s"}', 2, "a frame needs a frame_id, which a result has"),
        (("convert", "-", "--id", "f"), '{"status":"ok","summary":"s"}', 2, "give it with --capability"),
        (("convert", "-"), '{"candidate_id":"c","candidate_type":"tool","name":"n"}', 2, "advice needs a decision_id"),
    ],
)  # fmt: skip
def test_one_clear_message(arguments: tuple[str, ...], stdin: str, code: int, message: str) -> None:
    done = run(*arguments, stdin=stdin)
    assert done.returncode == code, done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_an_import_that_chose_no_flow_says_so(flows: str) -> None:
    done = run("import", "-", "--flows", flows, stdin=exported("decision"))
    assert done.returncode == 3
    assert '"claude_code:zero-downtime-migration" is no ChainWeaver flow' in done.stderr


def test_hostile_text_never_reaches_the_terminal_raw() -> None:
    item = {"id": "m\x1b]52;c;aGk=\x07", "kind": "tool", "name": "\x9b2J\u202egnp", "description": "\x1b[31m"}
    for command in ("import", "convert"):
        done = run(command, "-", stdin=json.dumps([item]))
        assert done.returncode == 0
        assert not any(mark in done.stdout + done.stderr for mark in ("\x1b", "\x07", "\x9b", "\u202e"))
    there = run("convert", "-", stdin=json.dumps([item])).stdout
    (again,) = interop.read_catalog(json.loads(run("convert", "-", stdin=there).stdout))
    assert again.plain()["name"] == item["name"]
