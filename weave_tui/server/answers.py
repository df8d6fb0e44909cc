"""What the servers answer, as plain documents: no transport, no path in or out.

What is wrong with a request is an `UnsupportedVersionError` or a `SchemaViolationError` that names the JSON path.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from weave_tui.broker import Composition, EmptyQueryError, Registry, Result
from weave_tui.broker.by_hand import AmbiguousNameError, compose_by_hand, position_of
from weave_tui.broker.layouts import LAYOUTS
from weave_tui.broker.provenance import as_dict
from weave_tui.protocol import PROTOCOL, SchemaViolationError, Violation, WeaveRequest, parse_request
from weave_tui.server.documents import STRATEGIES, check_compose
from weave_tui.server.library import Desk
from weave_tui.skills import Skill

MAX_DESCRIPTION = 1_024
"""Characters of a description in a listing: what the tools themselves read of one."""


class NoSuchSkillError(SchemaViolationError):
    """A valid request names a skill that is not there."""


class SeveralSkillsError(SchemaViolationError):
    """A valid request names a skill by a name that several have."""


@dataclass(frozen=True, slots=True)
class Filters:
    """Which skills a listing holds; None lets all pass. `name` is a part of the name, in any case."""

    name: str | None = None
    platform: str | None = None
    kind: str | None = None
    activation: str | None = None

    def allow(self, skill: Skill) -> bool:
        exact = ((self.platform, skill.platform), (self.kind, skill.kind), (self.activation, skill.activation))
        named = self.name is None or self.name.casefold() in skill.name.casefold()
        return named and all(wanted in (None, value) for wanted, value in exact)


def ask(desk: Desk, document: object) -> Result:
    """The result of a WeaveRequest as decoded JSON."""
    request = parse_request(document)
    return answer(desk, request)


def answer(desk: Desk, request: WeaveRequest) -> Result:
    """The result of a request, by the server's own rules. A query of white space only breaks `$.query`."""
    try:
        selection = desk.broker.select(request, desk.rules)
    except EmptyQueryError as error:
        wrong = Violation("$.query", "expected text, got white space only")
        raise SchemaViolationError("WeaveRequest", (wrong,)) from error
    return desk.broker.compose(selection, desk.manner)


def compose(desk: Desk, document: Any) -> dict[str, Any]:
    """The composition that a request of `documents.COMPOSE` asks for, with its parts."""
    check_compose(document)
    registry = desk.broker.registry
    positions = [_position(registry, name, f"$.skills[{place}]") for place, name in enumerate(document["skills"])]
    asked = document.get("max_tokens")
    manner = replace(
        desk.manner,
        text=STRATEGIES[document.get("strategy", "manual")],
        max_tokens=desk.manner.max_tokens if asked is None else int(asked),
    )
    composition = compose_by_hand(registry, positions, desk.broker.encoder, manner)
    return {
        "weave_protocol": PROTOCOL,
        "composed": LAYOUTS[document.get("layout", "default")](_without_paths(composition)),
        **_provenance(composition),
    }


def _position(registry: Registry, name: str, place: str) -> int:
    found = registry.positions.get(name)
    if found is not None:
        return found
    try:
        found = position_of(registry, name)
    except AmbiguousNameError as error:
        ids = ", ".join(registry.skills[position].id for position in registry.named(name))
        wrong = Violation(place, f"several skills have that name; give an id: {ids}")
        raise SeveralSkillsError("ComposeRequest", (wrong,)) from error
    if found is None:
        raise NoSuchSkillError("ComposeRequest", (Violation(place, "no skill has that name or id"),))
    return found


def _without_paths(composition: Composition) -> Composition:
    """For layouts, which name folders: where a file is below the folder it was looked for in, and no more."""
    parts = [
        replace(part, piece=replace(part.piece, skill=replace(part.piece.skill, path=_shown(part.piece.skill))))
        for part in composition.parts
    ]
    return replace(composition, parts=tuple(parts))


def _shown(skill: Skill) -> Path:
    place = Path(skill.place)
    return Path(place.name) if place.is_absolute() else place


def _provenance(composition: Composition) -> dict[str, Any]:
    known = as_dict(composition)
    return {
        "tokens": known["tokens"],
        "parts": [
            {
                "id": part.piece.skill.id,
                **{key: entry[key] for key in ("name", "platform", "version", "role", "needed_by", "tokens", "lines")},
                "text": composition.text[part.start : part.end],
            }
            for part, entry in zip(composition.parts, known["parts"], strict=True)
        ],
        **{key: known[key] for key in ("removed", "conflicts", "cuts")},
        "diagnostics": [{key: entry[key] for key in ("code", "message", "done")} for entry in known["diagnostics"]],
    }


def listing(registry: Registry, filters: Filters, offset: int, limit: int) -> dict[str, Any]:
    """One page of the skills there are."""
    passing = [position for position, skill in enumerate(registry.skills) if filters.allow(skill)]
    return {
        "total": len(passing),
        "offset": offset,
        "skills": list(_rows(registry, passing[offset : offset + limit])),
    }


def _rows(registry: Registry, positions: Iterable[int]) -> Iterable[dict[str, Any]]:
    for position in positions:
        skill = registry.skills[position]
        yield {
            "id": skill.id,
            "name": skill.name,
            "platform": skill.platform,
            "source": skill.source,
            "kind": skill.kind,
            "activation": skill.activation,
            "version": skill.advertisement.version,
            "description": skill.description[:MAX_DESCRIPTION],
            "dependencies": list(skill.advertisement.dependencies),
            "variants": registry.variants[position],
            "shadowed": position in registry.shadowed,
        }
