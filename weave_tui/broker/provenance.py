"""Provenance: what a composition did with every skill, as text to read and as data for JSON."""

from __future__ import annotations

from typing import Any

from weave_tui.broker.composition import ADDED, Composition
from weave_tui.broker.dedupe import Reason, Removed
from weave_tui.broker.selection import Role
from weave_tui.text import one_line

_ROLES = {Role.MATCH: "match", Role.PINNED: "chosen by hand", Role.DEPENDENCY: "needed"}
_BECAME = {
    Reason.DUPLICATE: "is kept in",
    Reason.CONTAINED: "is kept in",
    Reason.SECTION: "has nothing left under it",
    Reason.CONFLICT: "gave way to",
}


def as_dict(composition: Composition) -> dict[str, Any]:
    """The whole composition as JSON shows it. Lines are 1-based and of the file; null for a line that was added."""
    return {
        "tokens": composition.tokens,
        "parts": [
            {
                **_skill(composition, part.index),
                "role": part.piece.role,
                "needed_by": list(part.piece.asked_by),
                "start": part.start,
                "end": part.end,
                "tokens": part.tokens,
                "lines": [None if line == ADDED else _file_line(composition, part.index, line) for line in part.lines],
            }
            for part in composition.parts
        ],
        "removed": [
            {
                "skill": composition.pieces[removed.part].skill.name,
                "line": _file_line(composition, removed.part, removed.line),
                "text": removed.text,
                "reason": removed.reason,
                "instead": _place(composition, *removed.kept) if removed.kept else None,
            }
            for removed in composition.removed
        ],
        "conflicts": [
            {
                "kept": {**_place(composition, c.kept_part, c.kept_lines[0]), "text": c.kept_text},
                "gave_way": {**_place(composition, c.gone_part, c.gone_lines[0]), "text": c.gone_text},
                "resolved": is_resolved(composition, c.gone_part, c.gone_lines[0]),
            }
            for c in composition.conflicts
        ],
        "cuts": [
            {
                **_place(composition, cut.part, cut.lines[0]),
                "heading": cut.heading,
                "lines": len(cut.lines),
                "tokens": cut.tokens,
            }
            for cut in composition.cuts
        ],
        "diagnostics": [
            {"code": d.code, "message": d.message, "place": d.place, "done": d.done} for d in composition.diagnostics
        ],
        "text": composition.text,
    }


def as_text(composition: Composition) -> str:
    """The same for people: every skill, then what it lost and to whom."""
    lines: list[str] = []
    parts = {part.index: part for part in composition.parts}
    for index, piece in enumerate(composition.pieces):
        skill, part = piece.skill, parts.get(index)
        version = f" {one_line(skill.advertisement.version)}" if skill.advertisement.version else ""
        asked = f" by {', '.join(map(one_line, piece.asked_by))}" if piece.asked_by else ""
        size = f"about {part.tokens:,} tokens, {len(part.lines):,} lines" if part else "nothing of it is left"
        lines.append(f"{index + 1}  {one_line(skill.name)}{version}  {one_line(str(skill.path))}")
        lines.append(f"   {_ROLES[piece.role]}{asked}: {size}")
        lines += [f"   - {text}" for text in _losses(composition, index)]
    for diagnostic in composition.diagnostics:
        lines.append(one_line(f"{diagnostic.severity}: {diagnostic.message} ({diagnostic.done})"))
    lines.append(f"about {composition.tokens:,} tokens in all")
    return "\n".join(lines)


def is_resolved(composition: Composition, part: int, line: int) -> bool:
    """Whether the line of a conflict left the text."""
    return any(removed.part == part and removed.line == line for removed in composition.removed)


def _losses(composition: Composition, index: int) -> list[str]:
    """What a piece lost, one sentence a line or section; blank lines are passed over."""
    lost = [
        _loss(composition, removed)
        for removed in composition.removed
        if removed.part == index and removed.reason in _BECAME and removed.text.strip()
    ]
    for cut in composition.cuts:
        if cut.part == index:
            what = f"section '{one_line(cut.heading)}'" if cut.heading else "its beginning"
            lost.append(f"{what} was cut: {len(cut.lines):,} lines, about {cut.tokens:,} tokens")
    for c in composition.conflicts:
        if c.gone_part == index and not is_resolved(composition, c.gone_part, c.gone_lines[0]):
            here = _file_line(composition, index, c.gone_lines[0])
            there = _where(composition, c.kept_part, c.kept_lines[0])
            lost.append(f"line {here} stays against {there}: {one_line(c.gone_text)}")
    return lost


def _loss(composition: Composition, removed: Removed) -> str:
    here = _file_line(composition, removed.part, removed.line)
    text = f"line {here} {_BECAME[removed.reason]}"
    if removed.kept:
        text += f" {_where(composition, *removed.kept)}"
    if removed.kept and removed.reason is Reason.CONFLICT:
        part, line = removed.kept
        kept = composition.sources[part].split("\n")[line]
        return f"{text}: {one_line(removed.text)} / {one_line(kept)}"
    return f"{text}: {one_line(removed.text)}"


def _where(composition: Composition, part: int, line: int) -> str:
    return f"{one_line(composition.pieces[part].skill.name)}, line {_file_line(composition, part, line)}"


def _skill(composition: Composition, index: int) -> dict[str, Any]:
    skill = composition.pieces[index].skill
    return {
        "name": skill.name,
        "platform": skill.platform,
        "version": skill.advertisement.version,
        "path": str(skill.path),
    }


def _place(composition: Composition, part: int, line: int) -> dict[str, Any]:
    return {"skill": composition.pieces[part].skill.name, "line": _file_line(composition, part, line)}


def _file_line(composition: Composition, part: int, line: int) -> int:
    """The line of the skill's file, 1-based; of the text itself where that is not the body."""
    skill = composition.pieces[part].skill
    return line + (skill.body_line if composition.sources[part] == skill.body else 1)
