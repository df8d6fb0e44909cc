"""Compositions: the composed prompt as a result and as a frame, which refer to its text as an artifact.

The text itself goes along only where it is asked for. Inputs are filled by `from_broker` alone.
Source: the spec, section 3, and its invariant that raw output never enters a frame.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from weave_tui.interop import contextweaver as cw
from weave_tui.interop import weaver_spec as spec
from weave_tui.interop.bridge import RUNTIME, WEAVE, Role, one_line
from weave_tui.interop.errors import shown
from weave_tui.interop.outcomes import to_weaver_frame

COMPOSE = "weave:compose"
"""The capability that makes our frames."""


@dataclass(frozen=True, slots=True)
class Part:
    """One skill's share of the composed text: `start` and `end` in characters (code points), end excluded."""

    id: str
    name: str
    start: int
    end: int
    score: float
    tokens: int
    role: Role = "match"


@dataclass(frozen=True, slots=True)
class Composed:
    """A composition: the text, its parts, and one sentence for each thing that is missing from it."""

    text: str
    parts: tuple[Part, ...]
    query: str
    problems: tuple[str, ...] = ()
    """Unresolved dependencies, lines that gave way in a conflict, sections that a budget cut."""


def composition_to_envelope(composition: Composed, *, inline: bool = False) -> cw.ResultEnvelope:
    """A composition as a result: one line of summary, a fact a skill, the text as an artifact with a view a part.

    The text itself is only in it with `inline`. Status: `error` without parts, `partial` when something is missing.
    """
    text = composition.text
    data = text.encode("utf-8", "surrogatepass")
    digest = hashlib.sha256(data).hexdigest()
    artifact = cw.ArtifactRef(
        handle=f"weave:composed:{digest[:16]}",
        media_type="text/markdown",
        size_bytes=len(data),
        label="composed prompt",
        content_hash=digest,
    )
    parts = composition.parts
    ours: dict[str, Any] = {"query": composition.query, "parts": [_part(part) for part in parts]}
    if inline:
        ours["composed"] = text
    fields = {
        "status": "error" if not parts else "partial" if composition.problems else "ok",
        "summary": _summary(composition),
        "facts": [*map(_fact, parts), *map(one_line, composition.problems)],
        "artifacts": [artifact] if parts else [],
        "views": [_view(number, part, artifact) for number, part in enumerate(parts, start=1)],
        "provenance": {"runtime": RUNTIME, WEAVE: ours},
    }
    return cw.ResultEnvelope.read(fields)


def _part(part: Part) -> dict[str, Any]:
    return {field: getattr(part, field) for field in part.__slots__}


def _fact(part: Part) -> str:
    role = "" if part.role == "match" else f", {part.role}"
    return f"skill {one_line(part.name)}: score {part.score:.3f}, about {part.tokens} tokens{role}"


def _view(number: int, part: Part, artifact: cw.ArtifactRef) -> dict[str, Any]:
    selector = {"start": part.start, "end": part.end, "unit": "characters"}
    return {"view_id": f"part-{number}", "label": one_line(part.name), "selector": selector, "artifact_ref": artifact}


def _summary(composition: Composed) -> str:
    asked = shown(one_line(composition.query))
    if not composition.parts:
        return f"No skill answers {asked}."
    names = ", ".join(one_line(part.name) for part in composition.parts)
    tokens = sum(part.tokens for part in composition.parts)
    return f"Prompt of about {tokens} tokens for {asked}, composed of: {names}."


def composition_to_frame(
    composition: Composed,
    *,
    frame_id: str,
    created_at: datetime | str | None = None,
    inline: bool = False,
) -> spec.Frame:
    """A composition as a frame of the capability `weave:compose`. Raises `ValidationError` for an empty id."""
    envelope = composition_to_envelope(composition, inline=inline)
    return to_weaver_frame(envelope, frame_id=frame_id, capability_id=COMPOSE, created_at=created_at)
