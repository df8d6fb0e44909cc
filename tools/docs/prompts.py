"""What docs/prompts.md says about the language: keys, paths, and an example of each error."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tools.docs.prompt_examples import EXAMPLES, NO_EXAMPLE, Example
from tools.docs.tables import table
from weave_tui.diagnostics import CODES, Code, Severity
from weave_tui.prompts.model import config_schema
from weave_tui.prompts.schema import ALLOWED, RUNTIME

BLOCKS = {
    "Agent": "agent NAME",
    "ToolPolicy": "tool_policy",
    "Routing": "routing",
    "Trigger": "triggers [ { ... } ]",
    "Category": "category NAME",
    "Workflow": "workflow NAME",
    "ExtensionPoints": "extension_points",
    "Step": "step NAME",
    "Artifact": "inputs [ { ... } ], outputs [ { ... } ]",
    "Handler": "reconciliation_handlers [ { ... } ]",
    "Settings": "settings",
    "Runtime": "runtime",
    "Journal": "journal",
}
"""The blocks in the order of the docs, and how each is opened."""


def keys() -> str:
    """A table of keys for each block, from the published schema."""
    schema = config_schema()["$defs"]
    lines = []
    for name, opened in BLOCKS.items():
        block = schema[name]
        rows = [
            (f"`{key}`", _type(field, schema), "required" if key in block.get("required", ()) else _about(field))
            for key, field in block["properties"].items()
        ]
        lines += [f"**`{opened}`**: {block['description']}", "", table(("key", "takes", ""), rows), ""]
    return "\n".join(lines)


def _about(field: dict[str, Any]) -> str:
    default = field.get("default")
    stated = f"default {str(default).lower() if isinstance(default, bool) else default}"
    return field.get("description") or (stated if isinstance(default, str | bool) else "")


def _type(field: dict[str, Any], schema: dict[str, Any]) -> str:
    """What a value of a schema looks like, in words."""
    match field:
        case {"anyOf": options}:
            return " or ".join(dict.fromkeys(_type(option, schema) for option in options if option != {"type": "null"}))
        case {"$ref": reference}:
            found = schema[str(reference).rpartition("/")[2]]
            return "block" if "properties" in found else _type(found, schema)
        case {"enum": values}:
            return ", ".join(f"`{value}`" for value in values)
        case {"const": value}:
            return f"`{value}`"
        case {"type": "array", "items": item}:
            return f"list of {_type(item, schema)}".replace("of block", "of blocks")
        case {"type": "number" | "integer", **limits}:
            kind = "whole number" if field["type"] == "integer" else "number"
            above = f" above {limits['exclusiveMinimum']}" if "exclusiveMinimum" in limits else ""
            between = f" {limits['minimum']:g} to {limits['maximum']:g}" if "maximum" in limits else ""
            return kind + above + between
        case {"patternProperties": _}:
            return "`step` blocks"
        case {"pattern": _}:
            return "path"
    return {"string": "text", "boolean": "`true`, `false`", "object": "block"}[field["type"]]


def paths(*, runtime: bool) -> str:
    rows = RUNTIME if runtime else ALLOWED
    return table(
        ("path", "holds", "present", "meaning"), ((f"`{row.path}`", row.type, row.present, row.meaning) for row in rows)
    )


def examples(*, lints: bool) -> str:
    """Each kind with an example and what is then said."""
    codes = [code for code in CODES.values() if code.name.startswith("prompt-")]
    return "\n".join(line for code in codes if (code.severity is not Severity.ERROR) is lints for line in _kind(code))


def _kind(code: Code) -> Iterator[str]:
    yield f"**`{code.name}`** {code.meaning} {code.hint}"
    yield ""
    if code.name in NO_EXAMPLE:
        yield f"No example: {NO_EXAMPLE[code.name]}."
        yield ""
        return
    yield from _shown(code.name, EXAMPLES[code.name])


def _shown(code: str, example: Example) -> Iterator[str]:
    files = {"~/.weave/config.weave": example.user, f".weave/config.{example.format}": example.source}
    given = {name: source for name, source in files.items() if source}
    yield "```"
    for name, source in given.items():
        yield from [f"# {name}"] if len(given) > 1 or example.format != "weave" else []
        yield from (_short(line) for line in source.split("\n"))
    yield from [f"$ weave-tui prompt {example.agent}"] if example.agent else []
    said = next(found for found in example.diagnostics() if found.code == code)
    yield from ("", f"{said.place}: {said.message}" if said.place else said.message)
    yield "```"
    yield ""


def _short(line: str) -> str:
    return line if len(line) <= 200 else f"{line[:90]} ... {line[-60:]}"
