"""What a template may see: the typed schema, and values checked against it (spec A.4, B.4, B.6).

`ALLOWED` is the one table of paths; the schema, the nearest-name hints and the docs come from
it. Values are only ever reached through it: exact dict, list and scalar types, never an
attribute, never a call.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from weave_tui.prompts.errors import TemplateError

MAX_CONTEXT_DEPTH = 64


@dataclass(frozen=True, slots=True)
class Scalar:
    """Text (numbers print as text) or a boolean."""

    name: Literal["string", "bool"]


@dataclass(frozen=True, slots=True)
class Items:
    """A list whose items share one type."""

    item: Type


@dataclass(frozen=True, slots=True)
class Record:
    """An object with declared fields; each may be absent."""

    fields: Mapping[str, Type]


Type = Scalar | Items | Record

TEXT = Scalar("string")
FLAG = Scalar("bool")


@dataclass(frozen=True, slots=True)
class AllowedPath:
    """One row of the table: a path, what it holds, and when it is there."""

    path: str
    type: Literal["string", "bool", "list of string", "object", "list of object"]
    present: str
    meaning: str


CAPABILITIES = ("read", "write", "execute", "delegate", "network")
"""The tool policy's capabilities, in the spec's order (C.7)."""

_ALWAYS = "always"
_MAYBE_EMPTY = "always, maybe empty"
_DECLARED = "if declared"
_SHUTTLE = "only for generated category shuttles"
_REVIEW = "only for primary agents, when review variants of a target exist"

ALLOWED: tuple[AllowedPath, ...] = (
    AllowedPath("agent", "object", _ALWAYS, "The agent itself"),
    AllowedPath("agent.name", "string", _ALWAYS, "Its name"),
    AllowedPath("agent.description", "string", _DECLARED, "What it is for"),
    AllowedPath("agent.mode", "string", _ALWAYS, "primary, subagent or all"),
    AllowedPath("agent.skills", "list of string", _MAYBE_EMPTY, "Names of its skills"),
    AllowedPath("agent.isCategory", "bool", _ALWAYS, "Whether it was generated for a category"),
    AllowedPath("category", "object", _SHUTTLE, "The category that the shuttle serves"),
    AllowedPath("category.name", "string", _SHUTTLE, "Its name"),
    AllowedPath("category.description", "string", f"{_SHUTTLE}, {_DECLARED}", "What it covers"),
    AllowedPath("toolPolicy", "object", _ALWAYS, "What the agent's tools may do"),
    AllowedPath("toolPolicy.effective", "object", _ALWAYS, "The policy with undeclared capabilities set to ask"),
    *(
        AllowedPath(f"toolPolicy.effective.{capability}", "string", _ALWAYS, "allow, deny or ask")
        for capability in CAPABILITIES
    ),
    AllowedPath("delegation", "object", _ALWAYS, "Whom the agent may delegate to"),
    AllowedPath("delegation.hasTargets", "bool", _ALWAYS, "Whether there is any target"),
    AllowedPath("delegation.targets", "list of object", _MAYBE_EMPTY, "The targets, in plan order"),
    AllowedPath("delegation.targets.name", "string", _ALWAYS, "The target agent"),
    AllowedPath("delegation.targets.description", "string", _DECLARED, "What it is for"),
    AllowedPath("delegation.targets.domains", "list of string", _MAYBE_EMPTY, "Its triggers' domains, without repeats"),
    AllowedPath("delegation.targets.triggers", "list of object", _MAYBE_EMPTY, "When to delegate, in declared order"),
    AllowedPath("delegation.targets.triggers.domain", "string", _ALWAYS, "The trigger's area"),
    AllowedPath("delegation.targets.triggers.trigger", "string", _ALWAYS, "When to delegate"),
    AllowedPath("delegation.targets.triggers.routing_hint", "string", _DECLARED, "More about when"),
    AllowedPath("delegation.targets.isCategory", "bool", _ALWAYS, "Whether the target is a category shuttle"),
    AllowedPath("reviewRouting", "object", _REVIEW, "Generated reviewers"),
    AllowedPath("reviewRouting.groups", "list of object", _REVIEW, "One group for each target with reviewers"),
    AllowedPath("reviewRouting.groups.sourceAgent", "string", _ALWAYS, "The agent that the reviewers copy"),
    AllowedPath("reviewRouting.groups.variants", "list of object", _ALWAYS, "The reviewers"),
    AllowedPath("reviewRouting.groups.variants.name", "string", _ALWAYS, "The reviewer's agent name"),
    AllowedPath("reviewRouting.groups.variants.model", "string", _ALWAYS, "Its model"),
)
"""Every path that a template may name, in the order of the docs. `.`, `first` and `last` are about the current item."""

RUNTIME: tuple[AllowedPath, ...] = (
    AllowedPath("instance", "object", "with sample values", "The running workflow"),
    AllowedPath("instance.goal", "string", "if given", "What the run is for"),
    AllowedPath("instance.slug", "string", "if given", "Its short name"),
    AllowedPath("instance.workflowName", "string", "if given", "The workflow"),
    AllowedPath("instance.currentStepName", "string", "if given", "The step it is at"),
    AllowedPath("step", "object", "with sample values", "The step"),
    AllowedPath("step.name", "string", "if given", "Its name"),
    AllowedPath("step.type", "string", "if given", "autonomous, interactive or gate"),
    AllowedPath("step.agent", "string", "if given", "Its agent"),
    AllowedPath("artifacts", "object", "with sample values", "What earlier steps made, one name each"),
)
"""Names that exist only while a workflow runs; steps may be previewed with sample values for them (C.4)."""


def build(rows: Iterable[AllowedPath]) -> Record:
    """The schema of a table; parents come before their children."""
    root: dict[str, Type] = {}
    open_fields: dict[str, dict[str, Type]] = {"": root}
    for row in rows:
        parent, _, name = row.path.rpartition(".")
        fields: dict[str, Type] = {}
        made: dict[str, Type] = {
            "string": TEXT,
            "bool": FLAG,
            "list of string": Items(TEXT),
            "object": Record(fields),
            "list of object": Items(Record(fields)),
        }
        open_fields[parent][name] = made[row.type]
        open_fields[row.path] = fields
    return Record(root)


STANDARD = build(ALLOWED)


def with_runtime(artifacts: Iterable[str]) -> Record:
    """The standard schema with the run-time names and the given artifacts."""
    rows = [AllowedPath(f"artifacts.{name}", "string", "if given", "An artifact") for name in artifacts]
    return build((*ALLOWED, *RUNTIME, *rows))


def dotted(schema: Type, prefix: str = "") -> Iterator[str]:
    """Every path that may be written as it stands: none of them passes through a list."""
    for name, field in schema.fields.items() if isinstance(schema, Record) else ():
        yield prefix + name
        yield from dotted(field, f"{prefix}{name}.")


def schema_of(value: object) -> Type:
    """The schema that sample data implies; a list's items share the union of their fields."""
    match value:
        case bool():
            return FLAG
        case dict():
            return Record({str(name): schema_of(field) for name, field in value.items()})
        case list():
            joined: Type | None = None
            for item in value:
                joined = schema_of(item) if joined is None else _joined(joined, schema_of(item))
            return Items(joined or TEXT)
        case _:
            return TEXT


def _joined(one: Type, other: Type) -> Type:
    if isinstance(one, Record) and isinstance(other, Record):
        shared = {n: _joined(one.fields[n], other.fields[n]) for n in one.fields.keys() & other.fields.keys()}
        return Record({**one.fields, **other.fields, **shared})
    return one if one == other else TEXT


def context_errors(context: object, schema: Type) -> list[TemplateError]:
    """Callables and foreign objects anywhere in `context`, used or not; then values of the wrong shape."""
    found = list(_foreign(context, "", 0, set()))
    found.sort(key=lambda error: error.kind != "FunctionValue")
    return found or list(_misshapen(context, schema, ""))


def _foreign(value: object, path: str, depth: int, seen: set[int]) -> Iterator[TemplateError]:
    # type(), not isinstance(): a subclass may override what looking at it does.
    kind = type(value)
    if kind in (str, int, float, bool) or value is None:
        return
    # Each container once: data that shares or contains itself must not multiply the work.
    if id(value) in seen:
        return
    seen.add(id(value))
    if depth > MAX_CONTEXT_DEPTH:
        yield _context_error(path, f"The context is nested deeper than {MAX_CONTEXT_DEPTH}.")
    elif kind is list:
        for index, item in enumerate(_items(value)):
            yield from _foreign(item, f"{path}[{index}]", depth + 1, seen)
    elif kind is dict:
        for name, item in _fields(value).items():
            if type(name) is not str:
                yield _context_error(path, "The context has a key that is not text.")
                continue
            yield from _foreign(item, f"{path}.{name}" if path else name, depth + 1, seen)
    elif callable(value):
        yield TemplateError("FunctionValue", "The context holds a callable.", "Pass its value instead.", path=path)
    else:
        yield _context_error(path, f"The context holds a {kind.__name__}.")


def _misshapen(value: object, schema: Type, path: str) -> Iterator[TemplateError]:
    if value is None:
        return
    match schema:
        case Record(fields) if isinstance(value, dict):
            for name, field in fields.items():
                yield from _misshapen(value.get(name), field, f"{path}.{name}" if path else name)
        case Items(item) if isinstance(value, list):
            for index, one in enumerate(value):
                yield from _misshapen(one, item, f"{path}[{index}]")
        case Scalar() if not isinstance(value, dict | list):
            pass
        case _:
            expected = {Record: "an object", Items: "a list", Scalar: "text"}[type(schema)]
            yield _context_error(path, f"The context has {type(value).__name__} where {expected} is expected.")


def _context_error(path: str, message: str) -> TemplateError:
    hint = "Use dict, list, str, int, float, bool or None."
    return TemplateError("TemplateContextBuildError", message, hint, path=path)


def _items(value: Any) -> list[object]:
    return list(value)


def _fields(value: Any) -> dict[object, object]:
    return dict(value)
