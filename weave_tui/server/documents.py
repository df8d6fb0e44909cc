"""The servers' own documents beside the protocol's: the request of `compose`, and the schemas of what goes out."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, get_args

from weave_tui.broker import Role
from weave_tui.broker.composition import full_text, minimal_text
from weave_tui.broker.dedupe import Reason
from weave_tui.broker.layouts import LAYOUTS
from weave_tui.protocol import (
    DOCUMENTS,
    PLATFORMS,
    PROTOCOL,
    SchemaViolationError,
    check_version,
    published_schema,
    violations_of,
)
from weave_tui.skills import Activation, Kind, Source

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

MAX_NAMES = 20
"""Skills of one `compose` request. Conflicts are looked for between all of them: fifty of the largest take 16 s."""

STRATEGIES = {"manual": full_text, "minimal": minimal_text}
"""What is taken of each named skill, by the strategies' names of `weave-tui compose`."""

Schema = dict[str, Any]
_TEXT: Schema = {"type": "string"}
_COUNT: Schema = {"type": "integer", "minimum": 0}
_VERSION: Schema = {"type": "string", "const": PROTOCOL, "description": "Protocol version."}


def _object(properties: dict[str, Schema], optional: frozenset[str] = frozenset()) -> Schema:
    required = [name for name in properties if name not in optional]
    return {"type": "object", "required": required, "additionalProperties": False, "properties": properties}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


COMPOSE: Schema = _object(
    {
        "weave_protocol": _VERSION,
        "skills": {
            "type": "array",
            "items": {"type": "string", "minLength": 1},
            "minItems": 1,
            "maxItems": MAX_NAMES,
            "description": "Names or ids, the one that wins a conflict first.",
        },
        "strategy": {
            "type": "string",
            "enum": list(STRATEGIES),
            "default": "manual",
            "description": "manual: the bodies; minimal: triggers and capabilities only.",
        },
        "layout": {
            "type": "string",
            "enum": list(LAYOUTS),
            "default": "default",
            "description": "How the parts are set apart in `composed`.",
        },
        "max_tokens": {
            "anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}],
            "default": None,
            "description": "Cut sections, last ones first, to about so many tokens.",
        },
    },
    frozenset({"strategy", "layout", "max_tokens"}),
)

_LINE = _object({"skill": _TEXT, "line": _COUNT})
_CONFLICT_LINE = _object({"skill": _TEXT, "line": _COUNT, "text": _TEXT})

COMPOSED: Schema = _object(
    {
        "weave_protocol": _VERSION,
        "composed": {**_TEXT, "description": "The prompt, laid out as asked."},
        "tokens": {**_COUNT, "description": "An estimate."},
        "parts": _list(
            _object(
                {
                    "id": _TEXT,
                    "name": _TEXT,
                    "platform": _TEXT,
                    "version": _TEXT,
                    "role": {"enum": [*Role]},
                    "needed_by": _list(_TEXT),
                    "tokens": _COUNT,
                    "lines": _list(_or_null(_COUNT)),
                    "text": _TEXT,
                }
            )
        ),
        "removed": _list(
            _object(
                {
                    "skill": _TEXT,
                    "line": _COUNT,
                    "text": _TEXT,
                    "reason": {"enum": [*Reason]},
                    "instead": _or_null(_LINE),
                }
            )
        ),
        "conflicts": _list(
            _object({"kept": _CONFLICT_LINE, "gave_way": _CONFLICT_LINE, "resolved": {"type": "boolean"}})
        ),
        "cuts": _list(
            _object({"skill": _TEXT, "line": _COUNT, "heading": _TEXT, "lines": _COUNT, "tokens": _COUNT}),
        ),
        "diagnostics": _list(_object({"code": _TEXT, "message": _TEXT, "done": _TEXT})),
    }
)

SKILLS: Schema = _object(
    {
        "total": {**_COUNT, "description": "How many skills the filters leave."},
        "offset": _COUNT,
        "skills": _list(
            _object(
                {
                    "id": {**_TEXT, "pattern": "^[0-9a-f]{16}$"},
                    "name": _TEXT,
                    "platform": {"enum": list(PLATFORMS)},
                    "source": {"enum": list(get_args(Source))},
                    "kind": {"enum": list(get_args(Kind))},
                    "activation": {"enum": list(get_args(Activation))},
                    "version": _TEXT,
                    "description": _TEXT,
                    "dependencies": _list(_TEXT),
                    "variants": _COUNT,
                    "shadowed": {"type": "boolean"},
                }
            )
        ),
    }
)

PROBLEM: Schema = _object(
    {"detail": _TEXT, "violations": _list(_object({"path": _TEXT, "message": _TEXT}))}, frozenset({"violations"})
)
"""What every refusal looks like; `violations` names each place by its JSON path."""

HEALTH: Schema = _object({"status": {"const": "ok"}, "skills": _COUNT})

SCHEMAS = (*DOCUMENTS, "compose")
"""The names that `/schemas/{name}` knows."""


def schema(name: str) -> Schema:
    """A schema by its name in `SCHEMAS`."""
    return published_schema(name) if name in DOCUMENTS else {"$schema": DRAFT, "title": "ComposeRequest", **COMPOSE}


DRAFT = "http://json-schema.org/draft-07/schema#"


@functools.cache
def _compose_validator() -> Validator:
    from jsonschema import Draft7Validator

    return Draft7Validator(COMPOSE)


def check_compose(document: object) -> None:
    """Raise `UnsupportedVersionError` first, then `SchemaViolationError`, as for the protocol's own documents."""
    check_version(document)
    if broken := violations_of(_compose_validator(), document):
        raise SchemaViolationError("ComposeRequest", broken)
