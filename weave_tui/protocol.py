"""The inter-skill protocol: its objects, their schemas and their errors.

The source is the seed document "Weave Inter-Skill Protocol" 1.0. Field names, defaults and
limits are the seed's. The models and the published JSON Schemas accept the same documents,
so pydantic's lax conversions are off wherever JSON Schema has none.

Documents come in through `parse_request`, `parse_advertisement` and `parse_response` and go
out through `to_json`; nothing else turns protocol objects from or into JSON.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, Strict

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError
    from jsonschema.protocols import Validator

PROTOCOL = "1.0"
"""The version this broker speaks."""

SCHEMA_BASE = "https://github.com/Adityaraj0421/weave-compose/schemas/"
"""The seed's `$id` prefix."""

Platform = Literal["claude_code", "cursor", "codex", "windsurf"]
PLATFORMS: tuple[Platform, ...] = ("claude_code", "cursor", "codex", "windsurf")


def _whole_number(value: object) -> object:
    """JSON Schema's idea of an integer: 1.0 is one."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Text = Annotated[str, Strict()]
Version = Annotated[Literal["1.0"], Field(description="Protocol version.")]


class _Object(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class WeaveAdvertisement(_Object):
    """What a skill offers to the broker."""

    weave_protocol: Version
    name: Annotated[Text, Field(min_length=1, description="Human-readable skill name.")]
    version: Annotated[Text, Field(description="Semantic version.")] = "0.0.0"
    platform: Annotated[Platform, Field(description="The tool the skill was written for.")]
    capabilities: Annotated[tuple[Text, ...], Field(description="Capability tags.")]
    trigger_patterns: Annotated[
        tuple[Text, ...], Field(min_length=1, description="Phrases describing tasks this skill handles.")
    ]
    author: Annotated[Text, Field(description="Skill author name or handle.")] = ""
    dependencies: Annotated[tuple[Text, ...], Field(description="Names of skills this one needs.")] = ()


class WeaveRequest(_Object):
    """What a consumer asks. The broker refuses a query of white space only."""

    weave_protocol: Version
    query: Annotated[Text, Field(min_length=1, description="Natural language task description.")]
    top_n: Annotated[
        int, Strict(), Field(ge=1, le=2, description="At most this many matches."), BeforeValidator(_whole_number)
    ] = 1
    exclude: Annotated[tuple[Text, ...], Field(description="Skill names to leave out.")] = ()


class SkillMatch(_Object):
    """One skill of a response."""

    name: Annotated[Text, Field(description="Skill name from the advertisement.")]
    platform: Annotated[Text, Field(description="Source platform.")]
    score: Annotated[float, Strict(), Field(ge=0.0, le=1.0, description="Cosine similarity.")]
    composed_context: Annotated[Text, Field(description="The skill's own body, before merging.")]


class WeaveResponse(_Object):
    """What the broker answers."""

    weave_protocol: Version
    skills: Annotated[tuple[SkillMatch, ...], Field(description="Matched skills, highest score first.")]
    composed: Annotated[Text, Field(description="Merged context, ready to use as a prompt.")]


DOCUMENTS: dict[str, type[_Object]] = {
    "advertisement": WeaveAdvertisement,
    "request": WeaveRequest,
    "response": WeaveResponse,
}
"""The published documents by schema name (`schemas/<name>.json`)."""


class UnsupportedVersionError(ValueError):
    """The document speaks another protocol version. The text is the seed's, to the letter."""

    def __init__(self, version: object) -> None:
        shown = version if isinstance(version, str) else json.dumps(version, ensure_ascii=False, default=repr)
        super().__init__(f"Unsupported protocol version: {shown}. This broker supports: {PROTOCOL}")


@dataclass(frozen=True, slots=True)
class Violation:
    """One place where a document breaks its schema: JSON path (`$.skills[0].score`) and what was expected."""

    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"


class SchemaViolationError(ValueError):
    """The document breaks its schema; `violations` names every place."""

    def __init__(self, document: str, violations: tuple[Violation, ...]) -> None:
        self.violations = violations
        super().__init__(f"Not a valid {document}: " + "; ".join(map(str, violations)))


def check_version(document: object) -> None:
    """Raise `UnsupportedVersionError` when a present `weave_protocol` is not the string "1.0"."""
    if isinstance(document, Mapping) and document.get("weave_protocol", PROTOCOL) != PROTOCOL:
        raise UnsupportedVersionError(document["weave_protocol"])


def published_schema(name: str) -> dict[str, Any]:
    """The JSON Schema (draft-07) of one of `DOCUMENTS`, built from its model."""
    model = DOCUMENTS[name]
    built = model.model_json_schema()
    definitions = built.pop("$defs", {})
    schema = _plain(built, definitions)
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": f"{SCHEMA_BASE}{name}.json",
        "title": model.__name__,
        "description": schema["description"],
        "type": "object",
        "required": schema["required"],
        "additionalProperties": False,
        "properties": schema["properties"],
    }


def _plain(node: Any, definitions: Mapping[str, Any]) -> Any:
    """A pydantic schema node without references and generated titles: draft-07 without surprises."""
    if isinstance(node, list):
        return [_plain(item, definitions) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        target = definitions[node["$ref"].rpartition("/")[2]]
        return _plain({**target, **{k: v for k, v in node.items() if k != "$ref"}}, definitions)
    generated = {"title"} if isinstance(node.get("title"), str) else set()
    return {key: _plain(value, definitions) for key, value in node.items() if key not in generated}


@functools.cache
def _validator(name: str) -> Validator:
    # jsonschema takes a tenth of a second to import, which a ranking that shows text need not pay.
    from jsonschema import Draft7Validator

    return Draft7Validator(published_schema(name))


_EXPECTED: dict[str, Callable[[ValidationError], str]] = {
    "type": lambda error: f"expected {error.validator_value}, got {_shown(error.instance)}",
    "const": lambda error: f"expected {_shown(error.validator_value)}, got {_shown(error.instance)}",
    "enum": lambda error: f"expected one of {_names(error.validator_value)}, got {_shown(error.instance)}",
    "minLength": lambda error: "expected text, got an empty string",
    "minItems": lambda error: f"expected at least {error.validator_value} entry, got none",
    "maxItems": lambda error: f"expected at most {error.validator_value} entries, got {len(cast(Any, error.instance))}",
    "minimum": lambda error: f"expected at least {error.validator_value}, got {_shown(error.instance)}",
    "maximum": lambda error: f"expected at most {error.validator_value}, got {_shown(error.instance)}",
}


def _names(values: object) -> str:
    return ", ".join(map(str, cast(list[object], values)))


def _member(path: str, key: str) -> str:
    return f"{path}.{key}" if key.isidentifier() else f"{path}[{json.dumps(key, ensure_ascii=False)}]"


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= 60 else text[:57] + "..."


def _violations(error: ValidationError) -> list[Violation]:
    instance: Any = error.instance
    schema: Any = error.schema
    if error.validator == "required":
        missing = [key for key in schema["required"] if key not in instance]
        return [Violation(_member(error.json_path, key), "required, but missing") for key in missing]
    if error.validator == "additionalProperties":
        known = schema["properties"]
        extra = [key for key in instance if key not in known]
        expected = f"unknown field; expected one of {', '.join(known)}"
        return [Violation(_member(error.json_path, key), expected) for key in extra]
    say = _EXPECTED.get(str(error.validator))
    return [Violation(error.json_path, say(error) if say else error.message)]


def violations(name: str, document: object) -> tuple[Violation, ...]:
    """Every place where `document` breaks the published schema `name`, in document order; () when valid."""
    return violations_of(_validator(name), document)


def violations_of(validator: Validator, document: object) -> tuple[Violation, ...]:
    """The same for a schema of another module, in the same words."""
    found: dict[Violation, None] = {}
    for error in sorted(validator.iter_errors(cast(Any, document)), key=lambda error: error.json_path):
        found.update(dict.fromkeys(_violations(error)))
    return tuple(found)


_Model = TypeVar("_Model", bound=_Object)


def _parse(name: str, model: type[_Model], document: object) -> _Model:
    check_version(document)
    if broken := violations(name, document):
        raise SchemaViolationError(model.__name__, broken)
    return model.model_validate(document)


def parse_request(document: object) -> WeaveRequest:
    """A request from decoded JSON. Raises `UnsupportedVersionError` first, then `SchemaViolationError`."""
    return _parse("request", WeaveRequest, document)


def parse_advertisement(document: object) -> WeaveAdvertisement:
    """An advertisement from decoded JSON. Raises `UnsupportedVersionError` first, then `SchemaViolationError`."""
    return _parse("advertisement", WeaveAdvertisement, document)


def parse_response(document: object) -> WeaveResponse:
    """A response from decoded JSON. Raises `UnsupportedVersionError` first, then `SchemaViolationError`."""
    return _parse("response", WeaveResponse, document)


def to_json(document: WeaveAdvertisement | WeaveRequest | WeaveResponse, *, indent: int | None = 2) -> str:
    """The document as JSON text, after it was validated against its published schema.

    Raises `SchemaViolationError` when it does not validate: nothing invalid leaves the process.
    """
    name = next(name for name, model in DOCUMENTS.items() if isinstance(document, model))
    plain = document.model_dump(mode="json")
    if broken := violations(name, plain):
        raise SchemaViolationError(type(document).__name__, broken)
    return json.dumps(plain, ensure_ascii=False, indent=indent)
