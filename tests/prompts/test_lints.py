"""Lints and the report (spec G): each finding once, at its place."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from tests.prompts.helpers import good, project, two_layers
from weave_tui.diagnostics import CODES, Severity
from weave_tui.prompts import Layer, check, load
from weave_tui.prompts.collisions import append_collisions
from weave_tui.prompts.errors import CompositionErrorType, ConfigErrorType, TemplateErrorKind, code_of

STEP = 'type gate agent a prompt "S" completion agent_signal'


def flow(keys: str, step: str = "", agent: str = "a") -> str:
    body = f'type gate agent {agent} prompt "S" completion agent_signal {step}'
    return f"workflow w {{ version 1 {keys} step s {{ {body} }} }}"


AGENT = 'agent a { prompt "x" }\n'

CASES: list[tuple[str, list[tuple[str, int, int]]]] = [
    ('agent a { description "R&D" prompt "{{agent.description}}" }', [("prompt-escaped-value", 1, 37)]),
    ('agent a { description "R&D" prompt "{{{agent.description}}}" }', []),
    ('agent a { description "R and D" prompt "{{agent.description}}" }', []),
    (
        'agent a { prompt "{{#agent.skills}}{{#agent.skills}}{{.}}{{/agent.skills}}{{/agent.skills}}" }',
        [("prompt-self-nested", 1, 36)],
    ),
    ('agent a { prompt "x" prompt_append "{{#category}}y{{/category}}" }', [("prompt-append-empty", 1, 36)]),
    (
        'agent a { prompt "x" tool_policy { delegate allow } }\nagent b { prompt "x" }',
        [("prompt-target-bare", 2, 7)],
    ),
    (
        'agent a { prompt "x" tool_policy { delegate allow } }\n'
        'agent b { description "d" prompt "x" triggers [ { domain D trigger t } ] }',
        [],
    ),
    (AGENT + "disable agents [b, a]", [("prompt-name-unknown", 2, 17)]),
    ('agent a { prompt "x" routing { delegation_exclude [b, a] } }', [("prompt-name-unknown", 1, 52)]),
    (
        'agent shuttle { prompt "x" review_models [m] routing { delegation_exclude [shuttle-c, shuttle-m] } }\n'
        "category c { patterns [x] }",
        [],
    ),
    (r'agent a { prompt "\{{agnt.name}} \{{agent.name}} \{{x}}" }', [("prompt-literal-typo", 1, 19)]),
    (r'agent a { prompt "write {agent.name} or {x}" }', [("prompt-literal-typo", 1, 25)]),
    (AGENT + flow('prompt_append "f"', 'prompt_append "s"'), [("prompt-append-shadowed", 2, 118)]),
    (AGENT + flow("", agent="nobody"), [("prompt-step-agent-unknown", 2, 50)]),
    (AGENT + flow("") + " disable agents [a]", [("prompt-step-agent-unknown", 2, 50)]),
    (AGENT + flow("", "insert_after x"), [("prompt-anchor-unused", 2, 100)]),
    ("category c { patterns [x] }", [("prompt-category-unserved", 1, 10)]),
]


@pytest.mark.parametrize(("source", "expected"), CASES)
def test_lints(source: str, expected: list[tuple[str, int, int]]) -> None:
    report = check(project(source))
    assert [(found.code, found.line, found.column) for found in report.diagnostics] == expected
    assert not report.failed


def test_skills_resolve_against_given_names() -> None:
    source = 'agent a { prompt "x" skills [sql-style, sql-stlye] } disable skills [gone]'
    assert not check(project(source)).diagnostics
    found = check(project(source), skills=["sql-style"]).diagnostics
    assert [(one.code, one.column) for one in found] == [("prompt-skill-unknown", 41), ("prompt-skill-unknown", 70)]
    assert "Did you mean sql-style?" in found[0].message


def test_collisions_name_the_last_two_layers() -> None:
    low, high = (
        f'{AGENT.strip()} workflow w {{ version 1 prompt_append "{text}" step s {{ {STEP} }} }}' for text in ("1", "2")
    )
    layers = [
        *two_layers(low, high.replace("2", "3", 1).replace('"2"', '"3"')),
        Layer("builtin", Path("/b"), low.replace('"1"', '"0"')),
    ]
    loaded = good(load(layers))
    collision = append_collisions(loaded)[0]
    assert (collision.path, collision.loser, collision.winner) == (("workflows", "w", "prompt_append"), 1, 2)
    assert (collision.losing.value, collision.winning.value) == ("1", "3")
    assert "prompt-append-collision" in {found.code for found in check(layers).diagnostics}


def test_tag_like_text_is_an_error_or_a_warning() -> None:
    layers = project('agent a { description "say {{x}}" prompt "{{{agent.description}}}" }')
    strict, lenient = check(layers), check(layers, unresolved=Severity.WARNING)
    assert [found.code for found in strict.diagnostics] == ["prompt-unresolved-tag"]
    assert [(found.code, found.column) for found in lenient.diagnostics] == [("prompt-tag-like-text", 43)]
    assert (strict.failed, lenient.failed) == (True, False)


def test_a_report_has_everything_worst_first() -> None:
    source = 'agent a { prompt "{{nope}} {{no.pe}}" }\nagent b { prompt "x" }\ndisable agents [zzz]\n' + flow(
        "", agent="b"
    )
    report = check(project(source))
    assert [found.code for found in report.diagnostics] == [
        "prompt-unknown-path",
        "prompt-unknown-path",
        "prompt-name-unknown",
    ]
    assert report.failed
    assert report.plan is not None
    assert [composition.member.name for composition in report.plan.agents] == ["b"]
    assert [composition.step for composition in report.steps] == ["s"]


def test_a_configuration_that_does_not_load_is_reported() -> None:
    report = check(project("agent a { promt 1 mode al }"))
    assert [found.code for found in report.diagnostics] == ["prompt-unknown-key", "prompt-validation"]
    assert all(found.place.endswith(f":1:{column}") for found, column in zip(report.diagnostics, (11, 24), strict=True))


def test_shared_sources_are_linted_once() -> None:
    source = (
        'agent shuttle { description "d" prompt "{ {agent.name} {agent.name}" review_models [m] }\n'
        "category one { patterns [x] }\ncategory two { patterns [x] }"
    )
    assert len(check(project(source)).diagnostics) == 2


def test_every_error_has_a_code() -> None:
    wrappers = {"PromptTemplateError", "DescriptorCompositionFailure"}
    names = {*get_args(ConfigErrorType), *get_args(TemplateErrorKind), *get_args(CompositionErrorType)} - wrappers
    reasons = {"UnknownKey", "DuplicateKey", "Exclusive", "Missing"}
    assert {code_of(name) for name in names | reasons} <= set(CODES)
