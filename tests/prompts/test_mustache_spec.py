"""The Mustache spec suite: right outputs for what we support, typed refusals for the rest (spec F)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.prompts.helpers import first_error, good, shared
from weave_tui.prompts import TemplateError
from weave_tui.prompts.render import compile_template, render
from weave_tui.prompts.schema import TEXT, Items, Record, Type, schema_of
from weave_tui.prompts.second_opinion import disagreement

OUTPUTS = {"comments": 12, "interpolation": 42, "sections": 34, "inverted": 22}
REFUSALS = {"delimiters": 14, "partials": 12}


def _tests(name: str) -> list[dict[str, Any]]:
    tests: list[dict[str, Any]] = json.loads((shared("mustache-spec") / f"{name}.json").read_text(encoding="utf-8"))[
        "tests"
    ]
    return tests


def _declaring(schema: Type, names: list[str]) -> tuple[Type, bool]:
    """`schema` with `names` below every record that has the first of them."""
    if isinstance(schema, Items):
        item, found = _declaring(schema.item, names)
        return Items(item), found
    if not isinstance(schema, Record):
        return schema, False
    fields: dict[str, Type] = {}
    any_found = False
    for name, field in schema.fields.items():
        fields[name], found = _declaring(field, names)
        if name == names[0] and len(names) > 1:
            fields[name], found = _with_path(fields[name], names[1:]), True
        any_found = any_found or found
    return Record(fields), any_found


def _with_path(schema: Type, names: list[str]) -> Type:
    fields = dict(schema.fields) if isinstance(schema, Record) else {}
    if not names:
        return schema
    fields[names[0]] = _with_path(fields.get(names[0], TEXT), names[1:])
    return Record(fields)


def open_schema(template: str, data: object) -> Type:
    """The data's schema with every path of the template declared: any path is allowed."""
    schema = schema_of(data)
    while (result := compile_template(template, schema)).value is None:
        error = result.errors[0]
        assert isinstance(error, TemplateError)
        assert error.kind == "UnknownPath", error
        names = error.tag.strip("{}#^&/ ").split(".")
        declared, found = _declaring(schema, names)
        schema = declared if found else _with_path(schema, names)
    return schema


@pytest.mark.parametrize(("name", "count"), OUTPUTS.items())
def test_outputs(name: str, count: int) -> None:
    tests = _tests(name)
    assert len(tests) == count
    for test in tests:
        schema = open_schema(test["template"], test["data"])
        rendered = good(render(test["template"], test["data"], schema=schema, unresolved=None))
        assert rendered.text == test["expected"], test["name"]
        assert disagreement(rendered, test["data"]) == "", test["name"]


@pytest.mark.parametrize(("name", "count"), REFUSALS.items())
def test_refusals(name: str, count: int) -> None:
    tests = _tests(name)
    assert len(tests) == count
    for test in tests:
        # Names of the data are declared, so that only the tag can be what is refused.
        result = render(test["template"], test["data"], schema=schema_of(test["data"]))
        assert first_error(result)["kind"] == "UnsupportedTag", test["name"]
