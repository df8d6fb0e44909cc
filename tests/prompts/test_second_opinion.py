"""chevron and our renderer give the same text on generated templates (issue E, must be shown 4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.prompts.helpers import good
from weave_tui.prompts.render import render, with_has_targets
from weave_tui.prompts.schema import FLAG, STANDARD, TEXT, Items, Record, Type
from weave_tui.prompts.second_opinion import chevron_render

TEXTS = st.sampled_from(
    [
        "x",
        " ",
        "\t",
        "\n",
        "\r\n",
        "\n\n",
        " \n",
        "- ",
        "&<>\"'",
        "{ ",
        "}",
        "}}",
        "\u00a0",
        "é",
        "\\{{y}}",
        "\\{{{z}}}",
    ]
)
VALUES = st.sampled_from(["", " ", "plain", "a & b", "<b>", '"q"', "{{agent.name}}", "line\nline", "0", "\\{{"])


@dataclass(frozen=True)
class Scope:
    """A frame of the generator: what it declares, and whether it is a list's item."""

    type: Type
    is_item: bool = False


def _names(scopes: tuple[Scope, ...]) -> dict[str, Type]:
    """Every name that may stand here with what it means; the innermost scope wins."""
    names: dict[str, Type] = {}
    for scope in reversed(scopes):
        own = dict(scope.type.fields) if isinstance(scope.type, Record) else {}
        if scope.is_item:
            own = {"first": FLAG, "last": FLAG} | own
        for name, type_ in own.items():
            if name not in names:
                names[name] = type_
    for name, type_ in list(names.items()):
        names.update(_below(name, type_))
    if len(scopes) > 1:
        names["."] = scopes[-1].type
    return names


def _below(prefix: str, type_: Type) -> dict[str, Type]:
    found: dict[str, Type] = {}
    for name, field in type_.fields.items() if isinstance(type_, Record) else ():
        found[f"{prefix}.{name}"] = field
        found.update(_below(f"{prefix}.{name}", field))
    return found


@st.composite
def bodies(draw: st.DrawFn, scopes: tuple[Scope, ...] = (Scope(STANDARD),), depth: int = 3) -> str:
    parts = []
    for _ in range(draw(st.integers(1, 5))):
        if draw(st.booleans()):
            parts.append(draw(TEXTS))
            continue
        name, type_ = draw(st.sampled_from(sorted(_names(scopes).items(), key=lambda item: item[0])))
        if depth and draw(st.booleans()):
            parts.append(draw(_sections(scopes, depth, name, type_)))
        elif type_ in (TEXT, FLAG, Items(TEXT)):
            before, after = draw(st.sampled_from([("{{", "}}"), ("{{{", "}}}"), ("{{& ", " }}")]))
            parts.append(before + name + after)
        else:
            parts.append("{{! note }}")
    return "".join(parts)


@st.composite
def _sections(draw: st.DrawFn, scopes: tuple[Scope, ...], depth: int, name: str, type_: Type) -> str:
    sign = draw(st.sampled_from("#^"))
    inner = scopes
    if sign == "#" and type_ != FLAG:
        is_list = isinstance(type_, Items)
        inner = (*scopes, Scope(type_.item if isinstance(type_, Items) else type_, is_list))
    before, after = draw(st.sampled_from([("", ""), ("\n", "\n"), ("\r\n ", " \r\n"), ("", "\n")]))
    body = draw(bodies(inner, depth - 1))
    return f"{before}{{{{{sign}{name}}}}}{after}{body}{before}{{{{/{name}}}}}{after}"


def contexts(type_: Type) -> st.SearchStrategy[Any]:
    """Data of a schema's shape, any field of which may be absent."""
    match type_:
        case Record(fields):
            return st.fixed_dictionaries({}, optional={name: contexts(field) for name, field in fields.items()})
        case Items(item):
            return st.lists(contexts(item), max_size=3)
        case _:
            return st.booleans() if type_ == FLAG else VALUES


@settings(max_examples=1000, deadline=None, suppress_health_check=list(HealthCheck))
@given(template=bodies(), context=contexts(STANDARD))
def test_chevron_gives_the_same_text(template: str, context: Any) -> None:
    rendered = good(render(template, context, unresolved=None))
    assert chevron_render(rendered.template, with_has_targets(context)) == rendered.text
