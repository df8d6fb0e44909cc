"""The composed prompt as lines to look at: whose each line is, what is folded, what was left out.

Built from the `Composition`'s data alone; the text is never parsed back. No Textual here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from weave_tui.broker import Composition, Part, Role
from weave_tui.broker.dedupe import Reason, Removed
from weave_tui.broker.outline import Line, outline
from weave_tui.skills import Skill
from weave_tui.text import one_line, visible

FOLD_ABOVE = 24
"""A part of more lines than this is folded while there are several."""
FOLDED_LINES = 11
"""How many of its lines are then shown; of pinned and needed parts only the first."""


class Look(Enum):
    """How a preview line is drawn."""

    TEXT = "text"
    HEADING = "heading"
    RULE = "rule"
    FOLD = "fold"
    NOTE = "note"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class PreviewLine:
    """One line, safe to show. margin: the mark of its skill; role: why that skill is there (None: no skill's)."""

    margin: str
    role: Role | None
    look: Look
    text: str


@dataclass(frozen=True, slots=True)
class Shown:
    """What of a composition is shown: long parts folded or not, removed lines or only their count."""

    folded: bool = True
    removed: bool = False


def preview(composition: Composition, shown: Shown) -> list[PreviewLine]:
    """The lines of the composed prompt, in order."""
    marks = margins(composition)
    lines: list[PreviewLine] = []
    for number, part in enumerate(composition.parts):
        if number:
            lines.append(PreviewLine("", None, Look.RULE, "---"))
        lines += _part(composition, part, marks, shown, several=len(composition.parts) > 1)
    present = {id(part.piece) for part in composition.parts}
    for index, piece in enumerate(composition.pieces):
        if id(piece) not in present:
            lines.append(PreviewLine(marks[index], piece.role, Look.NOTE, _absent(composition, index, marks)))
    return lines


def skill_preview(skill: Skill) -> list[PreviewLine]:
    """One skill by itself: what it is, then its body."""
    about = [
        f"{skill.platform} {skill.kind}, {skill.activation}",
        str(skill.locations[0]),
        *([skill.description] if skill.description else []),
        *([f"for {', '.join(skill.globs)}"] if skill.globs else []),
        *([f"needs {', '.join(skill.advertisement.dependencies)}"] if skill.advertisement.dependencies else []),
        *([f"cites {', '.join(skill.cites)}"] if skill.cites else []),
    ]
    lines = [PreviewLine("", None, Look.HEADING, one_line(skill.name))]
    lines += [PreviewLine("", None, Look.NOTE, one_line(text)) for text in about]
    lines.append(PreviewLine("", None, Look.RULE, "---"))
    kinds = outline(skill.body).kinds
    for kind, text in zip(kinds, skill.body.split("\n"), strict=True):
        look = Look.HEADING if kind is Line.HEADING else Look.TEXT
        lines.append(PreviewLine("", None, look, visible(text).expandtabs(4)))
    return lines


def margins(composition: Composition) -> list[str]:
    """The margin mark of every piece: matches are counted, pinned and needed ones have their own."""
    fixed = {Role.PINNED: "+", Role.DEPENDENCY: "↳"}
    marks, matched = [], 0
    for piece in composition.pieces:
        matched += piece.role is Role.MATCH
        marks.append(fixed.get(piece.role) or str(matched))
    return marks


def _part(
    composition: Composition, part: Part, marks: list[str], shown: Shown, *, several: bool
) -> Iterable[PreviewLine]:
    index = next(i for i, piece in enumerate(composition.pieces) if piece is part.piece)
    mark, role = marks[index], part.piece.role
    kinds = outline(part.piece.skill.body).kinds
    texts = composition.text[part.start : part.end].split("\n")
    gone = [removed for removed in composition.removed if removed.part == index and removed.reason is not Reason.EDGE]
    fold = several and shown.folded and len(texts) > FOLD_ABOVE
    visible_lines = (FOLDED_LINES if role is Role.MATCH else 1) if fold else len(texts)
    asked = f"  for {', '.join(part.piece.asked_by)}" if part.piece.asked_by else ""
    pending = list(gone) if shown.removed else []
    for number, (text, source) in enumerate(zip(texts[:visible_lines], part.lines, strict=False)):
        while pending and source >= 0 and pending[0].line < source:
            yield _removed(pending.pop(0), marks)
        heading = source >= 0 and source < len(kinds) and kinds[source] is Line.HEADING
        shown_text = visible(text).expandtabs(4) + (visible(asked) if number == 0 else "")
        yield PreviewLine(mark, role, Look.HEADING if heading else Look.TEXT, shown_text)
    if fold:
        hidden = len(texts) - visible_lines
        yield PreviewLine(mark, role, Look.FOLD, f"⋯ {hidden:,} lines" + ("  (z unfolds)" if index == 0 else ""))
    for removed in pending:
        yield _removed(removed, marks)
    if gone and not shown.removed:
        where = Counter(marks[removed.kept[0]] for removed in gone if removed.kept)
        kept = f" already in {', '.join(where)}" if where else ""
        what = "1 line" if len(gone) == 1 else f"{len(gone):,} lines"
        yield PreviewLine("−", None, Look.NOTE, f"{what}{kept} left out  (v shows)")


def _removed(removed: Removed, marks: list[str]) -> PreviewLine:
    where = f"  kept in {marks[removed.kept[0]]}, line {removed.kept[1] + 1}" if removed.kept else "  empty section"
    return PreviewLine("−", None, Look.REMOVED, visible(removed.text).expandtabs(4) + where)


def _absent(composition: Composition, index: int, marks: list[str]) -> str:
    name = visible(composition.pieces[index].skill.name)
    kept = next((r.kept for r in composition.removed if r.part == index and r.kept), None)
    return f"{name}: all of it already in {marks[kept[0]]}" if kept else f"{name}: empty body"
