"""Write the mapping tables of docs/interop.md, found by trying: change one field, see what changes on the other side.

Nothing is written down twice: the rows are the models' fields, the places are where the conversions really put them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from weave_tui import interop
from weave_tui.interop import contextweaver as cw
from weave_tui.interop import weaver_spec as spec
from weave_tui.interop.candidates import CANDIDATE_TYPES
from weave_tui.interop.data import Document
from weave_tui.interop.errors import Steps, json_path
from weave_tui.protocol import PROTOCOL, WeaveAdvertisement

PAGE = Path(__file__).resolve().parent.parent / "docs" / "interop.md"
NOW = "2031-03-04T05:06:07Z"
ANY = {"*": 1}
"""Free-form JSON: the key stands for every key."""
CARD = {"id": "k1", "name": "One", "description": "first"}


@dataclass(frozen=True, slots=True)
class Pair:
    """Two types that convert into each other, with a sample and another value for every field that can differ."""

    ours: type[BaseModel]
    theirs: type[Document]
    convert: Callable[[Any], Document]
    sample: Mapping[str, Any]
    others: Mapping[str, Any]
    sides: tuple[str, str] = ("contextweaver", "weaver-spec")
    alone: str = "Named by the caller, or absent."
    """What is said of a field that none of ours reaches."""


def _frame(result: Any) -> spec.Frame:
    return interop.to_weaver_frame(result, frame_id="f", capability_id="c", created_at=NOW)


PAIRS = (
    Pair(
        cw.SelectableItem,
        spec.SelectableItem,
        interop.to_weaver_selectable_item,
        {"id": "a", "kind": "tool", "name": "A", "description": "d", "namespace": "n"},
        {
            "id": "b",
            "kind": "agent",
            "name": "B",
            "description": "e",
            "tags": ["t"],
            "namespace": "m",
            "args_schema": ANY,
            "output_schema": ANY,
            "examples": ["e"],
            "constraints": ANY,
            "side_effects": True,
            "cost_hint": 1.0,
            "metadata": ANY,
            "depends_on": ["x"],
            "provides": ["x"],
            "requires": ["x"],
        },
    ),
    Pair(
        cw.ChoiceCard,
        spec.ChoiceCard,
        interop.to_weaver_choice_card,
        {**CARD, "namespace": "n"},
        {
            "id": "k2",
            "name": "Two",
            "description": "second",
            "tags": ["t"],
            "kind": "agent",
            "namespace": "m",
            "has_schema": True,
            "cost_hint": 1.0,
            "side_effects": True,
            "safety": "read_only",
            "score": 0.5,
        },
    ),
    Pair(
        cw.RoutingDecision,
        spec.RoutingDecision,
        interop.to_weaver_routing_decision,
        {"id": "a", "choice_cards": [CARD], "timestamp": NOW},
        {
            "id": "b",
            "choice_cards": [CARD, {**CARD, "id": "k2"}],
            "timestamp": "2032-03-04T05:06:07Z",
            "metadata": ANY,
            "selected_item_id": "k1",
            "selected_card_id": "k1",
            "context_summary": "s",
        },
    ),
    Pair(
        cw.ResultEnvelope,
        spec.Frame,
        _frame,
        {"status": "ok", "summary": "s"},
        {
            "status": "partial",
            "summary": "t",
            "facts": ["f"],
            "artifacts": [{"handle": "h", "media_type": "text/plain", "size_bytes": 1}],
            "views": [{"view_id": "v", "label": "l"}],
            "provenance": {**ANY, "redaction_notes": "r"},
            "firewall_stats": ANY,
        },
    ),
    Pair(
        WeaveAdvertisement,
        cw.SelectableItem,
        interop.advertisement_to_selectable_item,
        {
            "weave_protocol": PROTOCOL,
            "name": "A",
            "platform": "codex",
            "capabilities": [],
            "trigger_patterns": ["t"],
        },
        {
            "name": "B",
            "version": "1.0.0",
            "platform": "cursor",
            "capabilities": ["c"],
            "trigger_patterns": ["u"],
            "author": "a",
            "dependencies": ["d"],
        },
        ("weave-tui", "contextweaver"),
        "Always the same, or absent.",
    ),
)


@dataclass(frozen=True, slots=True)
class Row:
    """A field of ours and where it goes on the other side; without a field, what the other side has alone."""

    field: str
    places: tuple[str, ...]
    note: str


def rows(pair: Pair) -> Iterator[Row]:
    """The rows of one table, in the order of the model's fields."""
    plain = interop.plain(pair.convert(pair.sample))
    reached: set[str] = set()
    for name, field in pair.ours.model_fields.items():
        if name not in pair.others:
            continue
        changed = interop.plain(pair.convert({**pair.sample, name: pair.others[name]}))
        places = [steps for steps in _changes(plain, changed) if steps]
        reached.update(str(steps[0]) for steps in places)
        yield Row(name, tuple(json_path(steps).removeprefix("$.") for steps in places), field.description or "")
    for name, field in pair.theirs.model_fields.items():
        if name not in reached and name != "foreign":
            yield Row("", (name,), field.description or pair.alone)


def _changes(before: Any, after: Any, steps: Steps = ()) -> Iterator[Steps]:
    if isinstance(before, dict) and isinstance(after, dict):
        for key in dict.fromkeys((*before, *after)):
            if key in before and key in after:
                yield from _changes(before[key], after[key], (*steps, key))
            else:
                yield from _leaves(after.get(key, before.get(key)), (*steps, key))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for position, pair in enumerate(zip(before, after, strict=True)):
            yield from _changes(*pair, (*steps, position))
    elif before != after:
        yield steps


def _leaves(value: Any, steps: Steps) -> Iterator[Steps]:
    if not isinstance(value, dict) or not value:
        yield steps
        return
    for key, entry in value.items():
        yield from _leaves(entry, (*steps, key))


def fields(*pairs: Pair) -> str:
    """The tables of these pairs as Markdown."""
    lines: list[str] = []
    for pair in pairs:
        ours, theirs = pair.sides
        lines += ["", f"### {ours}'s `{pair.ours.__name__}` as {theirs}'s `{pair.theirs.__name__}`", ""]
        lines += [f"| {ours} | {theirs} | |", "| --- | --- | --- |"]
        for row in rows(pair):
            places = ", ".join(f"`{place}`" for place in row.places)
            lines.append(f"| {f'`{row.field}`' if row.field else ''} | {places} | {row.note} |")
    return "\n".join(lines[1:]) + "\n"


def forms() -> str:
    """What import and convert recognise, as Markdown."""
    sides: dict[str, list[str]] = {}
    for form in interop.FORMS:
        sides.setdefault(form.side, []).append(form.name)
    lines = [f"| {side} | {', '.join(names)} |" for side, names in sorted(sides.items())]
    return "\n".join(["| side | documents |", "| --- | --- |", *lines]) + "\n"


def candidates() -> str:
    """What each kind of item is to a runtime, as Markdown."""
    lines = [f"| `{kind}` | `{made}` |" for kind, made in CANDIDATE_TYPES.items()]
    return "\n".join(["| kind | candidate type |", "| --- | --- |", *lines]) + "\n"


SECTIONS: dict[str, Callable[[], str]] = {
    "interop-bridge": lambda: fields(PAIRS[-1]),
    "interop-fields": lambda: fields(*PAIRS[:-1]),
    "interop-forms": forms,
    "interop-candidates": candidates,
}
"""The generated parts of docs/interop.md: what stands between `<!-- NAME -->` and `<!-- /NAME -->`."""


def filled(text: str) -> str:
    """A page with every section of it made anew."""
    for name, make in SECTIONS.items():
        start, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
        before, found, rest = text.partition(start)
        if found:
            text = f"{before}{start}\n{make()}\n{end}{rest.partition(end)[2]}"
    return text


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
