"""From the broker's objects to the bridge's inputs, and from these to the four documents that are handed out.

The one place where the two meet: the bridge knows nothing of registries, the broker nothing of interop.
`DOCUMENTS` is the table behind `weave-tui export` and the yank menu.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from weave_tui.broker import Registry, Result
from weave_tui.broker.dedupe import Reason
from weave_tui.interop import contextweaver as cw
from weave_tui.interop.bridge import Choice, Offer, export_catalog, item_ids, result_to_routing_decision
from weave_tui.interop.candidates import execution_candidate, execution_routing_decision
from weave_tui.interop.composed import Composed, Part, composition_to_frame
from weave_tui.interop.data import Document, to_json
from weave_tui.interop.options import to_weaver_selectable_item
from weave_tui.interop.outcomes import to_weaver_routing_decision
from weave_tui.protocol import WeaveRequest
from weave_tui.skills import Skill

Items = Mapping[str, cw.SelectableItem]
"""Items that came from elsewhere, by the id of the skill that stands for each (see `flows`)."""

_NOTHING_MISSING = frozenset({"fence-open"})
"""What composition says that is no loss: everything else it says is a thing the prompt lacks."""

_STILL_SAID = frozenset({Reason.DUPLICATE, Reason.SECTION, Reason.CONTAINED, Reason.EDGE})
"""Reasons for which a line is left out that another line says: any other reason is a loss."""


def offers(skills: Sequence[Skill], items: Items | None = None) -> tuple[Offer, ...]:
    """The skills of a registry, in its order. Places are below the folder searched, so ids are the same anywhere."""
    known = items or {}
    return tuple(Offer(skill.advertisement, skill.place, skill.description, known.get(skill.id)) for skill in skills)


def _ids(registry: Registry, items: Items) -> dict[str, str]:
    """The item id of every skill, by the skill's own id."""
    found = item_ids(offers(registry.skills, items))
    return {skill.id: item_id for skill, item_id in zip(registry.skills, found, strict=True)}


def choices(result: Result, items: Items | None = None) -> tuple[Choice, ...]:
    """The chosen skills, in the result's order."""
    known = items or {}
    ids = _ids(result.ranking.registry, known)
    return tuple(
        Choice(
            ids[skill.id],
            skill.advertisement,
            entry.score,
            entry.role.value,
            skill.description,
            known.get(skill.id),
        )
        for skill, entry in zip(result.skills, result.selection.chosen, strict=True)
    )


def composed(result: Result, items: Items | None = None) -> Composed:
    """The composition, with one sentence for each thing that it lacks."""
    ids = _ids(result.ranking.registry, items or {})
    scores = {skill.id: entry.score for skill, entry in zip(result.skills, result.selection.chosen, strict=True)}
    parts = [
        Part(
            ids[part.piece.skill.id],
            part.piece.skill.name,
            part.start,
            part.end,
            scores[part.piece.skill.id],
            part.tokens,
            part.piece.role.value,
        )
        for part in result.composition.parts
    ]
    return Composed(result.composition.text, tuple(parts), result.selection.query, tuple(_problems(result)))


def _problems(result: Result) -> Iterator[str]:
    registry = result.ranking.registry
    present = {registry.groups[entry.position] for entry in result.selection.chosen}
    for skill in result.skills:
        for name in skill.advertisement.dependencies:
            if present.isdisjoint(registry.groups[position] for position in registry.named(name)):
                yield f"'{skill.name}' needs '{name}', which is not in the prompt"
    composition = result.composition
    left_out = Counter((line.part, str(line.reason)) for line in composition.removed)
    for (part, reason), count in left_out.items():
        if reason not in _STILL_SAID:
            yield f"{count} lines of '{composition.pieces[part].skill.name}' are not in the prompt: {reason}"
    for diagnostic in composition.diagnostics:
        if diagnostic.code not in _NOTHING_MISSING:
            yield diagnostic.message


@dataclass(frozen=True, slots=True)
class Answer:
    """An answered request, on its way out. Without an id the documents are named after what is in them; without a
    time they are dated now.
    """

    request: WeaveRequest
    result: Result
    items: Items = field(default_factory=dict)
    id: str = ""
    at: datetime | str | None = None


def catalog(answer: Answer) -> tuple[cw.SelectableItem, ...]:
    """The chosen skills as items."""
    chosen = {choice.id for choice in choices(answer.result, answer.items)}
    return tuple(item for item in registry_catalog(answer.result.ranking.registry, answer.items) if item.id in chosen)


def registry_catalog(registry: Registry, items: Items | None = None) -> tuple[cw.SelectableItem, ...]:
    """Every skill as an item."""
    return export_catalog(offers(registry.skills, items))


def decision(answer: Answer) -> cw.RoutingDecision:
    """The result as a decision. Raises `CatalogError` when nothing was chosen."""
    made = choices(answer.result, answer.items)
    named = answer.id or _name([answer.request, [[choice.id, choice.score] for choice in made]])
    return result_to_routing_decision(
        made, request=answer.request, decision_id=named, created_at=answer.at, gap=answer.result.gap
    )


def frame(answer: Answer) -> Document:
    """The composition as a frame, whose status says when nothing was chosen."""
    made = composed(answer.result, answer.items)
    named = answer.id or _name([made.query, made.text])
    return composition_to_frame(made, frame_id=named, created_at=answer.at)


def candidate(answer: Answer) -> Document:
    """The first choice in the mapping page's six keys. Raises `CatalogError` when nothing was chosen."""
    card = decision(answer).choice_cards[0]
    metadata = next(item.metadata for item in catalog(answer) if item.id == card.id)
    return execution_candidate(card, item_metadata=metadata)


def advice(answer: Answer) -> Document:
    """The choices as the spec's advice. Raises `CatalogError` when nothing was chosen."""
    return execution_routing_decision(decision(answer), items=catalog(answer))


def _name(content: Any) -> str:
    """An id that the same content always gets."""
    return f"weave:{hashlib.sha256(to_json(content, indent=None).encode()).hexdigest()[:16]}"


Made = Document | tuple[Document, ...]


@dataclass(frozen=True, slots=True)
class Kind:
    """A document that an answer becomes: contextweaver's form and weaver-spec's."""

    ours: Callable[[Answer], Made]
    spec: Callable[[Answer], Made]


DOCUMENTS: dict[str, Kind] = {
    "catalog": Kind(catalog, lambda answer: tuple(map(to_weaver_selectable_item, catalog(answer)))),
    "decision": Kind(decision, lambda answer: to_weaver_routing_decision(decision(answer))),
    "frame": Kind(frame, frame),
    "candidate": Kind(candidate, advice),
}
"""By name. A frame is the spec's own document and has one form; `convert` makes contextweaver's result of it."""
