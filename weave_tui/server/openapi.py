"""The OpenAPI document: one table of operations, with examples that the broker really answers."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any, get_args

from weave_tui import __version__
from weave_tui.broker import Broker, Encoder
from weave_tui.protocol import PLATFORMS, PROTOCOL, WeaveAdvertisement, to_json
from weave_tui.server import answers, documents
from weave_tui.server.documents import Schema
from weave_tui.server.library import Desk
from weave_tui.skills import Activation, Kind, Skill, skill_id

QUERY_EXAMPLE = {
    "weave_protocol": PROTOCOL,
    "query": "design a REST endpoint with a React form",
    "top_n": 2,
    "exclude": [],
}
COMPOSE_EXAMPLE = {
    "weave_protocol": PROTOCOL,
    "skills": ["Backend API Engineer", "Naksha Design System"],
    "layout": "markdown",
}
"""Of the seed's end-to-end example, as is the query."""

_NOT_BLANK = r"[^\s\u001c-\u001f\u0085]"
"""The broker refuses a query of white space only, which the published schema cannot say."""

_REFUSED = {
    "400": "Another protocol version, or no JSON.",
    "401": "The token is missing or wrong.",
    "403": "A foreign Host or Origin.",
    "404": "No such schema, or no such skill.",
    "408": "The body did not arrive in time.",
    "409": "Several skills have that name; give an id.",
    "413": "The body is too large.",
    "415": "The body is not application/json.",
    "422": "The request breaks its schema; `violations` names the JSON paths.",
    "503": "The answer took too long.",
}
_ALWAYS = ("401", "403")
_NAMED = ("404", "409")
_POSTED = ("400", "408", "413", "415", "422", "503")


def _parameter(name: str, schema: Schema, description: str) -> Schema:
    return {"name": name, "in": "query", "required": False, "schema": schema, "description": description}


_FILTERS = [
    _parameter("name", {"type": "string", "maxLength": 200}, "A part of the name, in any case."),
    _parameter("platform", {"type": "string", "enum": list(PLATFORMS)}, "The tool it was written for."),
    _parameter("kind", {"type": "string", "enum": list(get_args(Kind))}, "What kind of file it is."),
    _parameter("activation", {"type": "string", "enum": list(get_args(Activation))}, "When its own tool reads it."),
    _parameter("offset", {"type": "integer", "minimum": 0, "maximum": 10**9, "default": 0}, "Skills to pass over."),
    _parameter("limit", {"type": "integer", "minimum": 1, "maximum": 200, "default": 50}, "Skills of a page."),
]
_NAME = {"name": "name", "in": "path", "required": True, "schema": {"type": "string", "enum": list(documents.SCHEMAS)}}


def describe(encoder: Encoder, is_token_needed: bool) -> Schema:
    """The OpenAPI 3.1 document."""
    examples = _examples(encoder)
    query_schema = documents.schema("request")
    query_schema["properties"]["query"]["pattern"] = _NOT_BLANK
    paths = {
        "/query": _post(
            "Rank skills for a task and merge the best.", query_schema, QUERY_EXAMPLE, _embedded("response")
        ),
        "/compose": _post("Merge named skills.", documents.COMPOSE, COMPOSE_EXAMPLE, documents.COMPOSED, _NAMED),
        "/skills": _get("The skills there are, a page at a time.", documents.SKILLS, _FILTERS, ("422", "503")),
        "/schemas/{name}": _get("A published JSON Schema.", {"type": "object"}, [_NAME], ("404",)),
        "/healthz": _get("Whether the server answers.", documents.HEALTH, [], ()),
    }
    for path, operations in paths.items():
        for operation in operations.values():
            if path in examples:
                operation["responses"]["200"]["content"]["application/json"]["example"] = examples[path]
    described: Schema = {
        "openapi": "3.1.0",
        "info": {"title": "weave-tui", "version": __version__, "summary": "Agent skills, ranked and composed."},
        "paths": paths,
    }
    if is_token_needed:
        described["components"] = {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}}
        described["security"] = [{"token": []}]
    return described


def _embedded(name: str) -> Schema:
    return {key: value for key, value in documents.schema(name).items() if not key.startswith("$")}


def _post(summary: str, asked: Schema, example: Any, answered: Schema, refused: tuple[str, ...] = ()) -> Schema:
    asked = {key: value for key, value in asked.items() if not key.startswith("$")}
    body = {"required": True, "content": {"application/json": {"schema": asked, "example": example}}}
    return {"post": {"summary": summary, "requestBody": body, "responses": _responses(answered, (*_POSTED, *refused))}}


def _get(summary: str, answered: Schema, parameters: list[Schema], refused: tuple[str, ...]) -> Schema:
    return {"get": {"summary": summary, "parameters": parameters, "responses": _responses(answered, refused)}}


def _responses(answered: Schema, refused: tuple[str, ...]) -> Schema:
    problems = {
        status: {"description": _REFUSED[status], "content": {"application/json": {"schema": documents.PROBLEM}}}
        for status in sorted((*refused, *_ALWAYS))
    }
    return {"200": {"description": "Answered.", "content": {"application/json": {"schema": answered}}}, **problems}


@functools.cache
def _examples(encoder: Encoder) -> dict[str, Any]:
    """What a broker over the two skills of the seed's example answers, by path."""
    desk = Desk(Broker(encoder))
    desk.broker.replace(_seed_skills())
    return {
        "/query": json.loads(to_json(answers.ask(desk, QUERY_EXAMPLE).response)),
        "/compose": answers.compose(desk, COMPOSE_EXAMPLE),
        "/skills": answers.listing(desk.broker.registry, answers.Filters(), 0, 50),
        "/healthz": {"status": "ok", "skills": len(desk.broker.registry)},
    }


def _seed_skills() -> tuple[Skill, ...]:
    return (
        _skill(
            "naksha-studio",
            "Naksha Design System",
            ("design", "components", "tokens", "accessibility"),
            ("design a component", "build a layout", "apply design tokens"),
            "You are a design system expert.\n\n- Name every token before you use it.\n- Label every form field.",
        ),
        _skill(
            "backend-api",
            "Backend API Engineer",
            ("rest", "validation"),
            ("design a REST endpoint", "validate a request"),
            "You are a REST API engineer.\n\n- Validate every request.\n- Label every form field.",
        ),
    )


def _skill(folder: str, name: str, capabilities: tuple[str, ...], triggers: tuple[str, ...], body: str) -> Skill:
    path = Path("/skills", folder, "SKILL.md")
    return Skill(
        id=skill_id(path),
        path=path,
        locations=(path,),
        root=Path("/skills"),
        source="given",
        kind="skill",
        advertisement=WeaveAdvertisement(
            weave_protocol=PROTOCOL,
            name=name,
            version="1.0.0",
            platform="claude_code",
            capabilities=capabilities,
            trigger_patterns=triggers,
        ),
        description=triggers[0],
        body=body,
        body_line=1,
        activation="described",
        globs=(),
        cites=(),
    )
