"""Templates: tags, literals, standalone lines, lookup, values, errors and limits (spec B)."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.prompts.helpers import first_error, good, standard_context
from weave_tui.diagnostics import Severity
from weave_tui.prompts import TemplateError, render
from weave_tui.prompts.schema import ALLOWED, schema_of

CONTEXT = standard_context()


def shown(template: str, context: Any = CONTEXT) -> str:
    text: str = good(render(template, context)).text
    return text


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{{agent.name}}", "scribe"),
        ("{{\n agent.name\n}}", "scribe"),
        ("{{{ agent.name }}}", "scribe"),
        ("{{ {agent.name}}}", "scribe"),
        ("{ {agent.name} }", "{ {agent.name} }"),
        ("a }} b", "a }} b"),
        ("{{& agent.name}}", "scribe"),
        ("{{!}}x{{! {{agent.nope }}", "x"),
        ("{{#agent.skills}}{{#.}}<{{.}}>{{/.}}{{/agent.skills}}", "<a><b>"),
        ("{{^ agent.description }}none{{/ agent.description }}", "none"),
    ],
)
def test_tags(template: str, expected: str) -> None:
    assert shown(template) == expected


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        (r"\{{x}}", "{{x}}"),
        (r"\{{{x}}}", "{{{x}}}"),
        (r"\\{{x}}", r"\{{x}}"),
        (r"\\\{{x}}", r"\\{{x}}"),
        (r"\{{!x}} {{agent.name}}", "{{!x}} scribe"),
        (r"\{{> p}} \{{=x=}}", "{{> p}} {{=x=}}"),
        (r"\{{a}}{{agent.name}}", "{{a}}scribe"),
        (r"\n\t\x", r"\n\t\x"),
    ],
)
def test_literals(template: str, expected: str) -> None:
    assert shown(template) == expected


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("a\n{{#agent}}\nb\n{{/agent}}\nc", "a\nb\nc"),
        ("a\r\n {{#agent}} \r\nb\r\n\t{{/agent}}\r\nc", "a\r\nb\r\nc"),
        ("{{#agent}} {{/agent}}\nx", "x"),
        ("{{#agent}}\u00a0\u2028\ufeff\nx{{/agent}}", "x"),
        ("a\n{{! one\ntwo }}  \nb", "a\nb"),
        ("a\n{{! one\ntwo }} x\nb", "a\n x\nb"),
        ("a {{! one }}\nb", "a \nb"),
        ("{{agent.description}}\n{{! c }}\n", "\n"),
        ("\n{{! c }}\n\n", "\n\n"),
        ("{{! a }}{{! b }}\nx", "x"),
        ("{{! c }}", ""),
    ],
)
def test_standalone_lines(template: str, expected: str) -> None:
    assert shown(template) == expected


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{{#delegation}}{{#targets}}{{name}} {{/targets}}{{/delegation}}", "lint shuttle-web "),
        (
            "{{#delegation.targets}}{{#agent}}{{name}} {{#last}}.{{/last}}{{/agent}}{{/delegation.targets}}",
            "scribe scribe .",
        ),
        ("{{#delegation.targets}}{{agent.name}}{{/delegation.targets}}", "scribescribe"),
        ("{{#agent}}{{#delegation.targets}}({{description}}){{/delegation.targets}}{{/agent}}", "(Checks style)()"),
        ("{{#agent.skills}}{{^first}}, {{/first}}{{.}}{{/agent.skills}}", "a, b"),
        ("{{#agent.skills}}{{first}}/{{last}} {{/agent.skills}}", "true/false false/true "),
        ("{{#delegation.targets}}{{domains}};{{/delegation.targets}}", "Style,Docs;;"),
        ("{{#delegation.targets}}{{^triggers}}{{name}}{{/triggers}}{{/delegation.targets}}", "shuttle-web"),
        ("{{#agent.name}}{{.}}-{{agent.name}}{{/agent.name}}", "scribe-scribe"),
        ("{{#delegation.hasTargets}}yes{{/delegation.hasTargets}}", "yes"),
        ("{{#toolPolicy.effective}}{{read}}{{/toolPolicy.effective}}", "ask"),
    ],
)
def test_lookup(template: str, expected: str) -> None:
    assert shown(template) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [(None, ""), (True, "true"), (False, "false"), (0, "0"), (1.5, "1.5"), ("&<>\"'/`", "&amp;&lt;&gt;&quot;'/`")],
)
def test_values(value: object, expected: str) -> None:
    assert good(render("{{x}}", {"x": value}, schema=schema_of({"x": value}))).text == expected


@pytest.mark.parametrize(
    ("value", "shows"),
    [
        (None, False),
        (False, False),
        (0, False),
        ("", False),
        ([], False),
        ({}, True),
        ("0", True),
        (" ", True),
        ([""], True),
    ],
)
def test_sections_and_falsy_values(value: object, shows: bool) -> None:
    result = good(render("{{#x}}on{{/x}}{{^x}}off{{/x}}", {"x": value}, schema=schema_of({"x": value})))
    assert result.text == ("on" if shows else "off")


ERRORS: list[tuple[str, dict[str, Any]]] = [
    ("{{}}", {"kind": "MalformedSyntax", "column": 1}),
    ("{{#}}", {"kind": "MalformedSyntax"}),
    ("x {{agent.}}", {"kind": "MalformedSyntax", "column": 3}),
    ("{{a b}}", {"kind": "MalformedSyntax"}),
    ("{{1a}}", {"kind": "MalformedSyntax"}),
    ("{{é}}", {"kind": "MalformedSyntax"}),
    ("{{{agent.name}}", {"kind": "MalformedSyntax", "column": 1}),
    ("{{agent.name} }", {"kind": "MalformedSyntax"}),
    ("{{{agent.name} }}", {"kind": "MalformedSyntax"}),
    ("{{ {agent.name} }}", {"kind": "MalformedSyntax"}),
    ("{{agent.name {{agent.mode}}", {"kind": "MalformedSyntax", "column": 1}),
    ("é\n {{<x}}", {"kind": "UnsupportedTag", "tag": "{{<x}}", "line": 2, "column": 2}),
    ("{{$x}}{{/x}}", {"kind": "UnsupportedTag", "tag": "{{$x}}"}),
    ("{{%P}}", {"kind": "UnsupportedTag"}),
    ("{{#category}}{{>x}}{{/category}}", {"kind": "UnsupportedTag", "tag": "{{>x}}", "column": 14}),
    ("{{#agent}}{{/agnt}}", {"kind": "SectionMismatch", "tag": "{{/agnt}}", "column": 11}),
    ("{{#agent}}{{#category}}{{/agent}}{{/category}}", {"kind": "SectionMismatch", "tag": "{{/agent}}"}),
    ("{{#agent}}{{else}}{{/agent}}", {"kind": "UnknownPath", "path": "agent.else"}),
    ("{{#agent.description}}{{name}}{{/agent.description}}", {"kind": "UnknownPath", "path": "agent.description.name"}),
    ("{{#agent}}{{category.nam}}{{/agent}}", {"kind": "UnknownPath", "path": "category.nam"}),
    ("{{first}}", {"kind": "UnknownPath", "path": "first"}),
    ("{{#agent.skills}}{{first.x}}{{/agent.skills}}", {"kind": "UnknownPath", "path": "first.x"}),
    ("{{#delegation.targets}}{{.}}{{/delegation.targets}}", {"kind": "UnknownPath", "path": "."}),
    ("{{#delegation.targets}}{{triggers}}{{/delegation.targets}}", {"kind": "UnknownPath"}),
    ("{{#agent.name.x}}{{/agent.name.x}}", {"kind": "UnknownPath", "path": "agent.name.x"}),
    (
        "{{#delegation.targets}}{{triggers.domain}}{{/delegation.targets}}",
        {"kind": "UnknownPath", "path": "triggers.domain"},
    ),
    ("{{#.}}{{/.}}", {"kind": "UnknownPath", "path": "."}),
    ("{{^.}}{{/.}}", {"kind": "UnknownPath", "path": "."}),
    ("{{#__class__}}{{/__class__}}", {"kind": "UnsafePath", "path": "__class__"}),
    ("{{agent.valueOf}}", {"kind": "UnsafePath"}),
    ("{{#category}}{{a.hasOwnProperty.b}}{{/category}}", {"kind": "UnsafePath", "path": "a.hasOwnProperty.b"}),
]


@pytest.mark.parametrize(("template", "expected"), ERRORS)
def test_errors(template: str, expected: dict[str, Any]) -> None:
    error = first_error(render(template, CONTEXT))
    assert {key: error.get(key) for key in expected} == expected


@pytest.mark.parametrize(
    ("template", "part"),
    [
        ("{{delegation.section}}", "{{#delegation.targets}}"),
        ("{{agnt.name}}", "agent.name"),
        ("{{#agent}}{{else}}{{/agent}}", "{{^path}}"),
        ("{{this}}", "{{.}}"),
        ("{{#if x}}{{/if}}", "no helpers"),
        ("{{#each x}}{{/each}}", "loop over a list"),
        ("{{name()}}", "no function calls"),
        ("{{#toolPolicy}}{{read}}{{/toolPolicy}}", "toolPolicy.effective.read"),
        ("{{category.patterns}}", "category.name"),
        ("{{@index}}", "no index"),
        ("{{agent.name | upper}}", "no filters"),
        ('{{"gate"}}', "Mermaid"),
        ("${{ secrets.KEY + 1 }}", r"$\{{"),
        ("{{delegation.targets.name}}", "Iterate"),
        ("{{instance.goal}}", "sample value"),
        ("{{delegation}}", "{{#delegation}}"),
    ],
)
def test_hints(template: str, part: str) -> None:
    assert part in first_error(render(template, CONTEXT))["hint"]


@pytest.mark.parametrize(
    ("template", "kinds"),
    [
        ("{{a.b}}{{> p}}{{c.d}}", ["UnknownPath", "UnsupportedTag", "UnknownPath"]),
        ("{{#nope}}{{x}}{{agent.__x}}{{/nope}}", ["UnknownPath", "UnsafePath"]),
        ("{{#if x}}a{{/if}}{{/agent}}", ["MalformedSyntax", "SectionMismatch"]),
        ("{{#agent}}{{a b}}", ["MalformedSyntax", "SectionMismatch"]),
        ("{{#agent}}{{=<% %>=}}{{/x}}", ["UnsupportedTag"]),
        ("{{nope}}{{/agent}}", ["SectionMismatch"]),
        ("{{x {{y {{agent.name}}", ["MalformedSyntax", "MalformedSyntax"]),
    ],
)
def test_all_errors_of_a_stage_in_order(template: str, kinds: list[str]) -> None:
    errors = render(template, CONTEXT).errors
    assert [error.kind for error in errors if isinstance(error, TemplateError)] == kinds


class _Thing:
    name = "attribute"


class _Called:
    def __call__(self) -> str:
        return "called"


@pytest.mark.parametrize(
    ("context", "kind", "path"),
    [
        ({"agent": {"name": len}}, "FunctionValue", "agent.name"),
        ({"other": [[{"x": _Called()}]]}, "FunctionValue", "other[0][0].x"),
        ({"agent": {"name": _Thing()}}, "TemplateContextBuildError", "agent.name"),
        ({"agent": {"name": _Thing(), "mode": len}}, "FunctionValue", "agent.mode"),
        ({"agent": ("a",)}, "TemplateContextBuildError", "agent"),
        ({"agent": {1: "x"}}, "TemplateContextBuildError", "agent"),
        ({"agent": "text"}, "TemplateContextBuildError", "agent"),
        ({"agent": {"skills": "text"}}, "TemplateContextBuildError", "agent.skills"),
        ({"agent": {"name": ["x"]}}, "TemplateContextBuildError", "agent.name"),
        ("text", "TemplateContextBuildError", None),
    ],
)
def test_contexts_are_plain_data(context: object, kind: str, path: str | None) -> None:
    error = first_error(render("fixed text", context))
    assert (error["kind"], error.get("path")) == (kind, path)


def test_a_context_that_holds_itself_ends() -> None:
    loop: dict[str, Any] = {}
    loop["a"] = loop["b"] = loop
    doubled: list[Any] = []
    for _ in range(60):
        doubled = [doubled, doubled]
    assert good(render("x", {"loop": loop, "doubled": doubled})).text == "x"


def test_attributes_are_never_walked() -> None:
    assert first_error(render("{{agent.name.upper}}", CONTEXT))["kind"] == "UnknownPath"


def test_values_are_never_parsed_again() -> None:
    context = standard_context(category={"name": "{{# agent}} \\{{x {{> p }}", "description": None})
    assert shown("{{{category.name}}}", context) == "{{# agent}} \\{{x {{> p }}"


@pytest.mark.parametrize(
    ("template", "tag"),
    [("a\n {{{category.name}}}", "{{agent.name}}"), ("{ \\{{x}} {{category.name}}", "{{agent.name}}")],
)
def test_unresolved_tags_by_severity(template: str, tag: str) -> None:
    context = standard_context(category={"name": "say {{agent.name}}"})
    error = render(template, context).errors[0]
    assert isinstance(error, TemplateError)
    assert (error.kind, error.tag, error.path) == ("UnresolvedTag", tag, "category.name")
    assert template[error.start : error.end].strip("{}") == "category.name"
    warned = good(render(template, context, unresolved=Severity.WARNING))
    assert [warning.tag for warning in warned.warnings] == [tag]
    assert not good(render(template, context, unresolved=None)).warnings


def test_a_literal_beside_a_value_is_no_unresolved_tag() -> None:
    context = standard_context(category={"name": "x}}"})
    assert shown(r"\{{ {{category.name}}", context) == "{{ x}}"


LIMITS: dict[str, tuple[str, str]] = {
    "16,000 sections open": ("{{#agent}}" * 16_000, "MalformedSyntax"),
    "16,000 sections": ("{{#agent}}" * 16_000 + "{{/agent}}" * 16_000, "MalformedSyntax"),
    "22 lists": ("{{#delegation.targets}}" * 22 + "x" + "{{/delegation.targets}}" * 22, "OutputTooLarge"),
    "64 empty lists": ("{{#delegation.targets}}" * 64 + "{{/delegation.targets}}" * 64, "OutputTooLarge"),
    "tags in tags": ("{{x" * 100_000 + "}}", "MalformedSyntax"),
    "open tags": ("{{" * 100_000, "MalformedSyntax"),
    "open triples": ("{{{" * 100_000, "MalformedSyntax"),
    "triples closed as doubles": ("{{{a}} " * 50_000, "MalformedSyntax"),
    "wrong names": ("{{nope.x}}" * 5_000, "UnknownPath"),
}


@pytest.mark.parametrize(("template", "kind"), LIMITS.values(), ids=LIMITS.keys())
def test_limits_are_found_within_a_second(template: str, kind: str) -> None:
    # Processor time: what another process does on the machine must not fail a rule about ours.
    started = time.process_time()
    assert first_error(render(template, CONTEXT))["kind"] == kind
    assert time.process_time() - started < 1


def test_64_levels_are_allowed() -> None:
    assert shown("{{#agent}}" * 64 + "x" + "{{/agent}}" * 64) == "x"
    assert first_error(render("{{#agent}}" * 65 + "x" + "{{/agent}}" * 65, CONTEXT))["column"] == 641


def test_the_output_limit_counts_bytes() -> None:
    context = standard_context(category={"name": "é" * 2_100_000})
    assert first_error(render("{{category.name}}", context))["kind"] == "OutputTooLarge"


def test_every_span_knows_its_tag() -> None:
    template = "A {{agent.name}}\n{{#agent.skills}}\n- {{.}}\n{{/agent.skills}}\n\\{{x}}"
    rendered = good(render(template, CONTEXT))
    spans = [
        (rendered.text[start:end], template[piece.token.start : piece.token.end])
        for start, end, piece in rendered.spans()
    ]
    assert "".join(text for text, _ in spans) == rendered.text
    assert [span for span in spans if span[0] != span[1]] == [
        ("scribe", "{{agent.name}}"),
        ("a", "{{.}}"),
        ("b", "{{.}}"),
        ("{{", "\\{{"),
    ]


def test_the_table_of_paths_is_the_specs() -> None:
    paths = {row.path for row in ALLOWED}
    assert len(paths) == len(ALLOWED) == 33
    assert "delegation.hasTargets" in paths
