"""The protocol objects: models, published schemas and the seed's schemas accept the same documents."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator
from pydantic import ValidationError

from tests.seed_schemas import SEED
from weave_tui.protocol import (
    DOCUMENTS,
    PROTOCOL,
    SchemaViolationError,
    SkillMatch,
    UnsupportedVersionError,
    WeaveRequest,
    WeaveResponse,
    parse_advertisement,
    parse_request,
    parse_response,
    published_schema,
    to_json,
)
from weave_tui.resources import schemas_dir

REQUEST = {"weave_protocol": "1.0", "query": "design a form"}

TEXT = st.text(max_size=8)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 5) | st.floats(-2, 4, allow_nan=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)


EDGES = st.sampled_from([0, 1, 2, 3, 1.0, 2.0, 1.5, -0.1, 1.1, True, "1", "", "1.0", [], [1], None, "vscode"])


def _valid(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Documents that the schema accepts."""
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    match schema["type"]:
        case "object":
            fields = {key: _valid(value) for key, value in schema["properties"].items()}
            required = {key: fields[key] for key in schema["required"]}
            optional = {key: value for key, value in fields.items() if key not in required}
            return st.fixed_dictionaries(required, optional=optional)
        case "array":
            return st.lists(_valid(schema["items"]), min_size=schema.get("minItems", 0), max_size=3)
        case "integer":
            return st.sampled_from([1, 2, 1.0, 2.0])
        case "number":
            return st.integers(0, 1) | st.floats(0, 1)
    return st.text(min_size=schema.get("minLength", 0), max_size=8)


def _documents(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Valid ones, the same with one field changed, missing or added, and anything."""
    valid = _valid(schema)
    keys = st.sampled_from([*schema["properties"], "other"])
    changed = st.builds(lambda document, key, value: document | {key: value}, valid, keys, EDGES | JSON)
    lacking = st.builds(lambda document, key: {k: v for k, v in document.items() if k != key}, valid, keys)
    return valid | changed | lacking | JSON


@pytest.mark.parametrize("name", DOCUMENTS)
def test_models_and_schemas_agree_on_every_document(name: str) -> None:
    seed, published = Draft7Validator(SEED[name]), Draft7Validator(published_schema(name))
    accepted = 0

    @settings(max_examples=400)
    @given(document=_documents(SEED[name]))
    def agree(document: Any) -> None:
        nonlocal accepted
        expected = seed.is_valid(document)
        accepted += expected
        assert published.is_valid(document) == expected
        try:
            DOCUMENTS[name].model_validate(document)
        except ValidationError:
            assert not expected
        else:
            assert expected

    agree()
    assert accepted > 10, "the strategy must reach valid documents too"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_published_files_are_what_the_models_say(name: str) -> None:
    on_disk = json.loads((schemas_dir() / f"{name}.json").read_text(encoding="utf-8"))
    assert on_disk == published_schema(name)
    Draft7Validator.check_schema(on_disk)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_nothing_breaks_without_a_new_version(name: str) -> None:
    """Required fields, types and enums of 1.0 may only widen (seed: Versioning)."""
    schema, seed = published_schema(name), SEED[name]
    assert schema["$id"] == seed["$id"]
    assert set(schema["required"]) == set(seed["required"])
    for field, old in seed["properties"].items():
        new = schema["properties"][field]
        assert new["type"] == old["type"]
        assert set(old.get("enum", ())) <= set(new.get("enum", ()))
        assert new.get("default") == old.get("default")


@pytest.mark.parametrize(
    ("version", "shown"),
    [
        ("2.0", "2.0"),
        ("", ""),
        (1.0, "1.0"),
        (1, "1"),
        (None, "null"),
        (True, "true"),
        ([], "[]"),
        ({"a": "é"}, '{"a": "é"}'),
    ],
)
def test_another_version_is_refused_with_the_exact_message(version: object, shown: str) -> None:
    with pytest.raises(ValueError) as caught:
        # Everything else is wrong too: the version comes first.
        parse_request({"weave_protocol": version, "top_n": 9})
    assert str(caught.value) == f"Unsupported protocol version: {shown}. This broker supports: 1.0"
    assert isinstance(caught.value, UnsupportedVersionError)


@pytest.mark.parametrize(
    ("change", "path", "expected"),
    [
        ({"query": ""}, "$.query", "expected text"),
        ({"query": 5}, "$.query", "expected string, got 5"),
        ({"top_n": 0}, "$.top_n", "at least 1"),
        ({"top_n": 3}, "$.top_n", "at most 2, got 3"),
        ({"top_n": "1"}, "$.top_n", 'expected integer, got "1"'),
        ({"top_n": True}, "$.top_n", "expected integer"),
        ({"exclude": ["a", 1]}, "$.exclude[1]", "expected string"),
        ({"extra key": 1}, '$["extra key"]', "unknown field"),
    ],
)
def test_violations_name_the_json_path(change: dict[str, Any], path: str, expected: str) -> None:
    with pytest.raises(SchemaViolationError) as caught:
        parse_request(REQUEST | change)
    (violation,) = caught.value.violations
    assert violation.path == path
    assert expected in violation.message


def test_a_missing_version_is_a_schema_violation() -> None:
    with pytest.raises(SchemaViolationError, match=r"\$\.weave_protocol: required, but missing"):
        parse_request({"query": "x"})


@pytest.mark.parametrize("document", [None, [], "text", 5])
def test_what_is_no_object_is_a_schema_violation(document: object) -> None:
    with pytest.raises(SchemaViolationError, match=r"\$: expected object"):
        parse_request(document)


def test_defaults_are_the_seeds() -> None:
    request = parse_request(REQUEST)
    assert (request.top_n, request.exclude) == (1, ())
    offered = parse_advertisement(
        {"weave_protocol": "1.0", "name": "a", "platform": "codex", "capabilities": [], "trigger_patterns": ["x"]}
    )
    assert (offered.version, offered.author, offered.dependencies) == ("0.0.0", "", ())


def test_a_whole_float_is_an_integer() -> None:
    assert parse_request(REQUEST | {"top_n": 2.0}).top_n == 2


def test_to_json_round_trips() -> None:
    match = SkillMatch(name="a", platform="codex", score=0.5, composed_context="x")
    response = WeaveResponse(weave_protocol=PROTOCOL, skills=(match,), composed="x")
    assert parse_response(json.loads(to_json(response))) == response


def test_nothing_invalid_goes_out() -> None:
    broken = WeaveRequest.model_construct(weave_protocol="1.0", query="", top_n=1, exclude=())
    with pytest.raises(SchemaViolationError):
        to_json(broken)
