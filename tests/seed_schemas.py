"""The three JSON Schemas of the seed document, word for word: what the published ones must agree with."""

from __future__ import annotations

from typing import Any

BASE = "https://github.com/Adityaraj0421/weave-compose/schemas/"
_DRAFT = "http://json-schema.org/draft-07/schema#"
_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": {"type": "string"}}

SEED: dict[str, dict[str, Any]] = {
    "advertisement": {
        "$schema": _DRAFT,
        "$id": BASE + "advertisement.json",
        "title": "WeaveAdvertisement",
        "type": "object",
        "required": ["weave_protocol", "name", "platform", "capabilities", "trigger_patterns"],
        "additionalProperties": False,
        "properties": {
            "weave_protocol": {"type": "string", "const": "1.0"},
            "name": {"type": "string", "minLength": 1},
            "version": {"type": "string", "default": "0.0.0"},
            "platform": {"type": "string", "enum": ["claude_code", "cursor", "codex", "windsurf"]},
            "capabilities": _TEXTS,
            "trigger_patterns": {"type": "array", "items": {"type": "string"}, "minItems": 1},
            "author": {"type": "string", "default": ""},
            "dependencies": {"type": "array", "items": {"type": "string"}, "default": []},
        },
    },
    "request": {
        "$schema": _DRAFT,
        "$id": BASE + "request.json",
        "title": "WeaveRequest",
        "type": "object",
        "required": ["weave_protocol", "query"],
        "additionalProperties": False,
        "properties": {
            "weave_protocol": {"type": "string", "const": "1.0"},
            "query": {"type": "string", "minLength": 1},
            "top_n": {"type": "integer", "minimum": 1, "maximum": 2, "default": 1},
            "exclude": {"type": "array", "items": {"type": "string"}, "default": []},
        },
    },
    "response": {
        "$schema": _DRAFT,
        "$id": BASE + "response.json",
        "title": "WeaveResponse",
        "type": "object",
        "required": ["weave_protocol", "skills", "composed"],
        "additionalProperties": False,
        "properties": {
            "weave_protocol": {"type": "string", "const": "1.0"},
            "skills": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["name", "platform", "score", "composed_context"],
                    "additionalProperties": False,
                    "properties": {
                        "name": _TEXT,
                        "platform": _TEXT,
                        "score": {"type": "number", "minimum": 0.0, "maximum": 1.0},
                        "composed_context": _TEXT,
                    },
                },
            },
            "composed": _TEXT,
        },
    },
}
