"""YAML and JSON: the same models, the same errors with places, the published schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.prompts.helpers import good
from weave_tui.prompts import ComposeAgent, ComposeStep, CompositionError, ConfigError, Layer, compose, load
from weave_tui.prompts.model import config_schema
from weave_tui.prompts.places import Format
from weave_tui.resources import schemas_dir

WEAVE = """
agent r {
  description "Routes" mode all temperature 0.5 models [m] prompt "Hi {{agent.name}}"
  tool_policy { read allow } triggers [ { domain D trigger t } ]
}
category web { patterns ["src/**"] }
workflow w {
  version 1
  step s { type gate agent r prompt "S" completion agent_signal on_reject pause }
  step t { type autonomous agent r prompt "T" completion plan_created { plan_name p } role planning }
  extension_points { before-plan }
}
disable agents [old]
settings { log_level WARN }
"""

YAML = """
agents:
  r:
    description: Routes
    mode: all
    temperature: 0.5
    models: [m]
    prompt: Hi {{agent.name}}
    tool_policy: {read: allow}
    triggers:
      - domain: D
        trigger: t
categories:
  web:
    patterns: ["src/**"]
workflows:
  w:
    version: 1
    steps:
      s: {type: gate, agent: r, prompt: S, completion: agent_signal, on_reject: pause}
      t:
        type: autonomous
        agent: r
        prompt: T
        completion: {method: plan_created, plan_name: p}
        role: planning
    extension_points: {before-plan: true}
disabled: {agents: [old]}
settings: {log_level: WARN}
"""


def as_json() -> str:
    import yaml

    return json.dumps(yaml.safe_load(YAML), indent=2)


def layer(source: str, format_: Format) -> list[Layer]:
    return [Layer("project", Path("/nowhere/.weave"), source, format_)]


def errors(source: str, format_: Format) -> list[ConfigError]:
    return [error for error in load(layer(source, format_)).errors if isinstance(error, ConfigError)]


def test_the_three_formats_mean_the_same() -> None:
    configs = [good(load(layer(*case))).config for case in ((WEAVE, "weave"), (YAML, "yaml"), (as_json(), "json"))]
    assert configs[0] == configs[1] == configs[2]
    assert configs[0].agents["r"].temperature == 0.5
    assert configs[0].workflows["w"].steps["t"].completion.plan_name == "p"


@pytest.mark.parametrize(("source", "format_"), [(YAML, "yaml"), (as_json(), "json")])
def test_they_compose(source: str, format_: Format) -> None:
    assert good(compose(layer(source, format_), ComposeAgent("r"))).prompt.text == "Hi r"
    assert good(compose(layer(source, format_), ComposeStep("w", "t"))).prompt.text == "T"


PLACED: list[tuple[str, Format, str, str, int, int]] = [
    ("agents:\n  a:\n    promt: x\n", "yaml", "ValidationError", "agents.a.promt", 3, 5),
    ("agents:\n  a: {mode: al}\n", "yaml", "ValidationError", "agents.a.mode", 2, 13),
    ("agents:\n  a:\n    mode: all\n    mode: all\n", "yaml", "ValidationError", "agents.a.mode", 4, 5),
    ("agents:\n  a.b: {prompt: x}\n", "yaml", "ValidationError", "agents.a.b", 2, 8),
    ("agents:\n  a: {temperature: .nan}\n", "yaml", "ValidationError", "agents.a.temperature", 2, 20),
    ("agents:\n  a: {temperature: yes}\n", "yaml", "ValidationError", "agents.a.temperature", 2, 20),
    ("agents: [a]\n", "yaml", "ValidationError", "agents", 1, 9),
    ("- a\n", "yaml", "ValidationError", "", 1, 1),
    ("disabled: {hooks: [x]}\n", "yaml", "ValidationError", "disabled.hooks", 1, 12),
    ("agents: {a: {<<: {prompt: x}}}\n", "yaml", "ValidationError", "agents.a.<<", 1, 14),
    ("a: [\n", "yaml", "ParseError", "", 2, 1),
    ("a: b: c\n", "yaml", "ParseError", "", 1, 5),
    ("a: \x01\n", "yaml", "ParseError", "", 1, 4),
    ("a: &x [1]\nb: *x\n", "yaml", "ParseError", "", 1, 4),
    ("a: !!python/name:os.system x\n", "yaml", "ParseError", "", 1, 4),
    ("a: 1\n---\nb: 2\n", "yaml", "ParseError", "", 2, 1),
    ("? [a]\n: b\n", "yaml", "ParseError", "", 1, 3),
    ("[" * 5000, "yaml", "ParseError", "", 1, 65),
    ('{"agents": {"a": {"promt": "x"}}}', "json", "ValidationError", "agents.a.promt", 1, 19),
    ('{\n "agents": {"a": {"prompt": 3}}}', "json", "ValidationError", "agents.a.prompt", 2, 29),
    ('{"agents": {"a": {}, "a": {}}}', "json", "ValidationError", "agents.a", 1, 22),
    ('{"agents": {"a": {"prompt": "\\ud800"}}}', "json", "ParseError", "", 1, 29),
    ('a: "\\ud800"', "yaml", "ParseError", "", 1, 4),
    ('{"agents": }', "json", "ParseError", "", 1, 12),
    ('{"a": NaN}', "json", "ParseError", "", 1, 1),
    ('{"a": ' + "9" * 5000 + "}", "json", "ParseError", "", 1, 1),
    ('{"a": ' + "[" * 65 + "]" * 65 + "}", "json", "ParseError", "", 1, 70),
    ("[" * 100_000, "json", "ParseError", "", 1, 1),
    ("3", "json", "ValidationError", "", 1, 1),
]


@pytest.mark.parametrize(
    ("source", "format_", "type_", "path", "line", "column"), PLACED, ids=[case[0][:40] for case in PLACED]
)
def test_errors_have_places(source: str, format_: Format, type_: str, path: str, line: int, column: int) -> None:
    error = errors(source, format_)[0]
    assert error.place is not None
    assert (error.type, error.path, error.place.line, error.place.column) == (type_, path, line, column)


@pytest.mark.parametrize(
    ("source", "format_", "line", "column"),
    [
        ("agents:\n  a:\n    prompt: |\n      one\n\n        {{x.y}}\n", "yaml", 6, 9),
        ("agents:\n  a:\n    prompt: 'one {{x.y}}'\n", "yaml", 3, 18),
        ("agents:\n  a:\n    prompt: one {{x.y}}\n", "yaml", 3, 17),
        ("agents:\n  a:\n    prompt: >\n      one\n      {{x.y}}\n", "yaml", 3, 13),
        ('{"agents": {"a": {"prompt": "one {{x.y}}"}}}', "json", 1, 34),
        ('{"agents": {"a": {"prompt": "one\\n{{x.y}}"}}}', "json", 1, 30),
    ],
)
def test_template_errors_point_into_the_file(source: str, format_: Format, line: int, column: int) -> None:
    error = compose(layer(source, format_), ComposeAgent("a")).errors[0]
    assert isinstance(error, CompositionError)
    assert error.place is not None
    assert (error.place.line, error.place.column) == (line, column)


def test_yaml_scalars_stay_what_was_written() -> None:
    source = "agents:\n  a:\n    prompt: 2020-01-01\n    description: 0x1F\n    models: ['1', \"yes\"]\n"
    a = good(load(layer(source, "yaml"))).config.agents["a"]
    assert (a.prompt, a.description, a.models) == ("2020-01-01", "0x1F", ("1", "yes"))


def valid(document: Any) -> bool:
    return bool(Draft202012Validator(config_schema()).is_valid(document))


def test_the_published_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(config_schema())
    published = json.loads((schemas_dir() / "weave-config.json").read_text(encoding="utf-8"))
    assert published == config_schema()


STEP = {"type": "gate", "agent": "a", "prompt": "x", "completion": "agent_signal"}


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ({}, True),
        ({"agents": {"a": {"prompt": "x"}}}, True),
        ({"workflows": {"w": {"version": 1, "steps": {"s": STEP}}}}, True),
        ({"workflows": {"w": {"version": 1, "extends": "v"}}}, True),
        ({"workflows": {"w": {"version": 1}}}, False),
        ({"workflows": {"w": {"version": 1, "steps": {"s": {**STEP, "completion": "plan_created"}}}}}, False),
        ({"agents": {"a": {"promt": "x"}}}, False),
        ({"agents": {"a b": {"prompt": "x"}}}, False),
        ({"agents": {"a": {"prompt": "x", "prompt_file": "y"}}}, False),
        ({"agents": {"a": {"temperature": 3}}}, False),
        ({"agents": {"a": {"prompt_file": "/x"}}}, False),
        ({"agents": {"a": {"prompt_file": "a/../x"}}}, False),
        ({"agents": {"a": {"prompt_file": "a/..x/y..md"}}}, True),
        ({"categories": {"c": {}}}, False),
        ({"settings": {"log_level": "LOUD"}}, False),
    ],
)
def test_the_schema_and_the_models_agree(document: dict[str, Any], expected: bool) -> None:
    assert valid(document) is expected
    result = load(layer(json.dumps(document), "json"))
    refused = [error for error in result.errors if isinstance(error, ConfigError) and error.type == "ValidationError"]
    assert (not refused) is expected
