"""The .weave language: tokens, grammar, keys and their errors (spec A)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.prompts.helpers import good, project, prompt
from weave_tui.prompts import ComposeAgent, CompositionError, ConfigError, compose, load
from weave_tui.prompts.lexer import dedent

STEP = 'step s { type gate agent a prompt "x" completion agent_signal }'

HANDLER = "{ reason review-rejection }"


def flow(keys: str) -> str:
    """A workflow whose step has more keys."""
    return f'workflow w {{ version 1 step s {{ agent a prompt "x" {keys} }} }}'


def errors(source: str) -> list[ConfigError]:
    return [error for error in load(project(source)).errors if isinstance(error, ConfigError)]


def config(source: str) -> Any:
    return good(load(project(source))).config


@pytest.mark.parametrize(
    ("written", "value"),
    [
        (r'"a\nb\tc\\d\"e"', 'a\nb\tc\\d"e'),
        (r'"\q\/\'"', "q/'"),
        (r'"\{{x}}"', "{{x}}"),
        (r'"\\{{x}}"', "{{x}}"),
        (r'"\\\{{x}}"', r"\{{x}}"),
        ('""', ""),
        ('""""""', ""),
        ('"""a"""', "a"),
        ('"""\n  a\n   b\n"""', "a\n b"),
        ('"""\n\n\n  a\n\n  b  \n\n  """', "a\n\nb  "),
        ('"""\n\ta\n  b"""', "a\n b"),
        ('"""one\n  two"""', "one\n  two"),
        ('"""\r\n  a\r\n  b\r\n"""', "a\nb"),
        ('"""say "hi" \\n"""', 'say "hi" \\n'),
        ('"""# not a comment"""', "# not a comment"),
    ],
)
def test_strings(written: str, value: str) -> None:
    assert prompt(f"agent a {{ prompt {written} }}") == value


def test_dedent_keeps_inner_blank_lines_and_their_surplus() -> None:
    assert dedent("\n    a\n      \n    b\n")[0] == "a\n  \nb"


@pytest.mark.parametrize(
    "source",
    [
        'agent a\n{\nprompt\n"x"\n}',
        'agent a{prompt "x"mode primary}',
        '\ufeffagent a { prompt "x" } # done',
        'agent a { # c\n prompt "x" # c\n}\r\n',
        'agent agent { prompt "x" models ["a" "b", "c",] }',
        'agent _a-1 { prompt "x" temperature 2 }',
        'agent a { prompt "x" temperature 1. }',
        'agent a { prompt "x" temperature 0.25 skills [ x, y ] mode "all" }',
        "settings { log_level WARN runtime { journal { strict } } }",
        "settings { runtime { journal { strict false } } }",
        f"workflow w {{ version 1 {STEP} }}",
        "",
        "# nothing\n",
    ],
)
def test_what_is_accepted(source: str) -> None:
    assert not errors(source)


PLACES: list[tuple[str, list[tuple[str, int, int]]]] = [
    (
        'agent a { prompt "x"\n  mode "y\n}\nagent b { prompt "z" $ }',
        [("UnterminatedString", 2, 8), ("UnexpectedCharacter", 4, 22)],
    ),
    ('agent a { prompt """x', [("UnterminatedString", 1, 18)]),
    ("agent a { temperature 1.2.3 }", [("InvalidNumber", 1, 23)]),
    ("agent a { temperature " + "9" * 5000 + " }", [("InvalidNumber", 1, 23)]),
    ("agent a { temperature -1 }", [("UnexpectedCharacter", 1, 23)]),
    ("agent é { }", [("UnexpectedCharacter", 1, 7)]),
    ('agent a { prompt "x", mode all }', [("UnexpectedToken", 1, 21)]),
    ('agent a prompt "x" }', [("UnexpectedToken", 1, 9)]),
    ("agent a { models [ , ] }", [("UnexpectedToken", 1, 20)]),
    ("disable agnts [x]", [("UnexpectedToken", 1, 9)]),
    ("}", [("UnexpectedToken", 1, 1)]),
    ('agent "a" { }\ncategory { }', [("MissingBlockName", 1, 7), ("MissingBlockName", 2, 10)]),
    ("workflow w { step { } }", [("MissingBlockName", 1, 19)]),
    ('workflow w { step "s" { } }', [("MissingBlockName", 1, 19)]),
    ("agent a { tool_policy { read allow }", [("UnclosedBlock", 1, 1)]),
    ("agent a { tool_policy { read allow", [("UnclosedBlock", 1, 23), ("UnclosedBlock", 1, 1)]),
    ("agent a {\n models [\n x", [("UnclosedBlock", 2, 9), ("UnclosedBlock", 1, 1)]),
    ("agent a { , }\nagent b { , }", [("UnexpectedToken", 1, 11), ("UnexpectedToken", 2, 11)]),
    ("agent a { x " + "[" * 5000, [("UnexpectedToken", 1, 77)]),
]


@pytest.mark.parametrize(("source", "places"), PLACES, ids=[source[:40] for source, _ in PLACES])
def test_syntax_errors_and_where_they_are(source: str, places: list[tuple[str, int, int]]) -> None:
    found = [(error.type, error.place.line, error.place.column) for error in errors(source) if error.place]
    assert found == places


def test_stages_hide_each_other() -> None:
    assert {error.type for error in errors("agent a { $ , promt 1 }")} == {"UnexpectedCharacter"}
    assert {error.type for error in errors("agent a { , promt 1 }")} == {"UnexpectedToken"}


@pytest.mark.parametrize(
    ("source", "facts"),
    [
        ("agent a { temperature 1.2.3 }", {"value": "1.2.3"}),
        ("agent a.b { }", {"char": "."}),
        ("category { }", {"blockType": "category"}),
        ("agent a { prompt ] }", {"found": "']'", "expected": "a value"}),
    ],
)
def test_errors_carry_the_specs_fields(source: str, facts: dict[str, str]) -> None:
    found = errors(source)[0].as_json()
    assert {key: found.get(key) for key in facts} == facts


INVALID: list[tuple[str, str, str]] = [
    # source, path, a part of message or hint
    ('agent a { promt "x" }', "agents.a.promt", "Did you mean prompt"),
    ('agent a { prompt "x" prompt_file "y" }', "agents.a", "cannot both"),
    ('agent a { prompt "x" prompt "y" }', "agents.a.prompt", "twice"),
    ('agent a { prompt "x" }\nagent a { prompt "y" }', "agents.a", "twice"),
    ("agent a { prompt 3 }", "agents.a.prompt", "expected text, got 3"),
    ("agent a { models x }", "agents.a.models", "expected a list"),
    ("agent a { models [1] }", "agents.a.models.0", "expected text"),
    ("agent a { review_models [] }", "agents.a.review_models", "at least 1"),
    ("agent a { temperature 2.01 }", "agents.a.temperature", "at most 2"),
    ("agent a { temperature true }", "agents.a.temperature", "expected a number"),
    ("agent a { mode primery }", "agents.a.mode", "Did you mean primary"),
    ("agent a { tool_policy allow }", "agents.a.tool_policy", "expected a block"),
    ("agent a { tool_policy { reed allow } }", "agents.a.tool_policy.reed", "Did you mean read"),
    ("agent a { routing { exclude [] } }", "agents.a.routing.exclude", "delegation_exclude"),
    ("agent a { triggers [ { domain d trigger t hint h } ] }", "agents.a.triggers.0.hint", "Known here"),
    ('agent a { prompt_file "../x" }', "agents.a.prompt_file", "'..'"),
    ('agent a { prompt_file "a\\\\..\\\\x" }', "agents.a.prompt_file", "'..'"),
    ('agent a { prompt_file "\\\\\\\\host\\\\x" }', "agents.a.prompt_file", "absolute"),
    ('agent a { prompt_append_file "c:/x" }', "agents.a.prompt_append_file", "drive"),
    ('agent a { prompt_file "~/x.md" }', "agents.a.prompt_file", "home"),
    ('agent a { prompt_file "" }', "agents.a.prompt_file", "empty"),
    ("category c { }", "categories.c.patterns", "required"),
    ("category c { patterns [] }", "categories.c.patterns", "at least 1"),
    ("category c { patterns [x] mode all }", "categories.c.mode", "always a subagent"),
    (f"workflow w {{ {STEP} }}", "workflows.w.version", "required"),
    (f"workflow w {{ version 0 {STEP} }}", "workflows.w.version", "more than 0"),
    (f"workflow w {{ version 1.5 {STEP} }}", "workflows.w.version", "whole number"),
    ("workflow w { version 1 }", "workflows.w", "at least one step"),
    (f"workflow w {{ version 1 {STEP} {STEP} }}", "workflows.w.steps.s", "twice"),
    (f"workflow w {{ version 1 extension_points {{ before-plan }} {STEP} }}", "workflows.w", "role planning"),
    (f'workflow w {{ version 1 extends "" {STEP} }}', "workflows.w.extends", "not an empty string"),
    (flow("type gate"), "workflows.w.steps.s.completion", "required"),
    (flow("type gat completion agent_signal"), "workflows.w.steps.s.type", "gate"),
    ("workflow w { version 1 step s { prompt_file x } }", "workflows.w.steps.s.prompt_file", "no prompt_file"),
    (flow("type gate completion agent_signl"), "workflows.w.steps.s.completion", "agent_signal"),
    (flow("type gate completion plan_created"), "workflows.w.steps.s.completion", "plan_name"),
    (flow("type gate completion plan_created { plan_nam x }"), "workflows.w.steps.s.completion.plan_nam", "plan_name"),
    (flow("type autonomous completion agent_signal on_reject fail"), "workflows.w.steps.s", "gate"),
    (flow("type gate completion agent_signal insert_before b insert_after c"), "workflows.w.steps.s", "cannot both"),
    (
        flow("type gate completion agent_signal inputs [ { name n } ]"),
        "workflows.w.steps.s.inputs.0.description",
        "required",
    ),
    (
        flow("type gate completion agent_signal reconciliation_handlers []"),
        "workflows.w.steps.s.reconciliation_handlers",
        "at least 1",
    ),
    (
        flow(f"type gate completion agent_signal reconciliation_handlers [{HANDLER} {HANDLER}]"),
        "workflows.w.steps.s",
        "twice",
    ),
    ("settings { log_level LOUD }", "settings.log_level", "TRACE"),
    ("log_level INFO", "log_level", "settings {"),
    ("step s { type gate }", "step", "inside a workflow"),
    ("disabled { agents [x] }", "disabled", "disable agents"),
    ("disable hooks [x]", "disabled.hooks", "not supported"),
    ("disable agents [1]", "disabled.agents.0", "expected text"),
    ("extend before-plan [x]", "extend", "not supported"),
    ("agnt a { }", "agnt", "Did you mean agent"),
]


@pytest.mark.parametrize(("source", "path", "part"), INVALID)
def test_what_is_refused(source: str, path: str, part: str) -> None:
    found = errors(source)
    assert [(error.type, error.path) for error in found] == [("ValidationError", path)]
    assert part in f"{found[0].message} {found[0].hint}"
    assert found[0].place is not None


def test_errors_come_in_document_order_and_all_at_once() -> None:
    source = 'agent a {\n promt "x"\n mode al\n}\ncategory c { modle x }\nlog_level INFO\nagent a { }'
    lines = [(error.place.line, error.path) for error in errors(source) if error.place]
    assert lines == [
        (2, "agents.a.promt"),
        (3, "agents.a.mode"),
        (5, "categories.c.modle"),
        (6, "log_level"),
        (7, "agents.a"),
    ]


def test_every_key_is_read() -> None:
    source = """
    agent planner {
      name "p" description "d" display_name "Planner" prompt "x" prompt_append "y"
      models [m1, m2] skills [s1] review_models [r1] temperature 1 mode all
      tool_policy { read allow write deny execute ask delegate allow network deny }
      routing { delegation_exclude [other] }
      triggers [ { domain "D" trigger "t" routing_hint "h" } ]
    }
    category web { patterns ["src/**"] name "Web" description "d" models [m] temperature 0 prompt_append "z" }
    workflow w {
      version 1.0 description "d" name "W" extension_points { before-plan } prompt_append "a"
      step plan {
        name "Plan" type autonomous agent planner prompt "x" role planning
        completion plan_created { plan_name "p" }
        inputs [ { name i description d } ] outputs [ { name o description d } ]
        reconciliation_handlers [ { reason execution-mismatch }, { reason user-revision-request } ]
      }
      step check { type gate agent planner prompt "x" completion review_verdict on_reject retry }
    }
    disable agents [old] disable agents [older] disable skills ["s9"]
    settings { log_level DEBUG runtime { journal { strict true } } }
    """
    loaded = config(source)
    planner = loaded.agents["planner"]
    assert (planner.models, planner.temperature, planner.mode) == (("m1", "m2"), 1, "all")
    assert planner.tool_policy.delegate == "allow"
    assert planner.triggers[0].routing_hint == "h"
    flow = loaded.workflows["w"]
    assert list(flow.steps) == ["plan", "check"]
    assert flow.steps["plan"].completion.plan_name == "p"
    assert flow.extension_points.before_plan
    assert loaded.disabled.agents == ("old", "older")
    assert loaded.settings.runtime.journal.strict


def test_inline_prompts_know_their_place_in_the_file() -> None:
    one = 'agent a {\n  prompt "one \\"two\\" {{agnt.x}}"\n}\n'
    source = one + 'agent b {\n  prompt """\n\n    Hello\n      {{agnt.y}}\n  """\n}'
    places = []
    for name in "ab":
        error = compose(project(source), ComposeAgent(name)).errors[0]
        assert isinstance(error, CompositionError)
        assert error.place is not None
        places.append((error.place.line, error.place.column))
    assert places == [(2, 23), (8, 7)]
    lines = source.split("\n")
    assert all(lines[line - 1][column - 1 :].startswith("{{agnt") for line, column in places)
