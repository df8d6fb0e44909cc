"""The composed prompt as lines to look at: whose each line is, what is folded, what was left out.

Built from the `Composition`'s data alone; the text is never parsed back. No Textual here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from weave_tui.broker import Composition, Part, Role
from weave_tui.broker.conflicts import Conflict
from weave_tui.broker.dedupe import Reason, Removed
from weave_tui.broker.outline import Line, outline
from weave_tui.skills import Skill
from weave_tui.text import one_line, visible

FOLD_ABOVE = 24
"""A part of more lines than this is folded while there are several."""
FOLDED_LINES = 11
"""How many of its lines are then shown; of pinned and needed parts only the first."""


_COUNTED = {
    **dict.fromkeys((Reason.DUPLICATE, Reason.CONTAINED, Reason.SECTION, Reason.EDGE), "already in"),
    Reason.CONFLICT: "gave way to",
    Reason.CUT: "cut to keep to the budget",
}
"""What became of lines, before the mark of the part that has them."""
_KEPT = {**_COUNTED, Reason.DUPLICATE: "kept in", Reason.CONTAINED: "kept in", Reason.SECTION: "empty section"}
"""The same of one line, before its place."""


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
    """One line, safe to show.

    margin: the mark of its skill; role: why that skill is there (None: no skill's); part: which piece of the
    composition it is about (None: none).
    """

    margin: str
    role: Role | None
    look: Look
    text: str
    part: int | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """What of a composition is shown: long parts folded or not, removed lines or only their count.

    turned: the pieces that are the other way than `folded` says.
    """

    folded: bool = True
    removed: bool = False
    turned: frozenset[int] = frozenset()


def preview(composition: Composition, shown: Shown) -> list[PreviewLine]:
    """The lines of the composed prompt, in order."""
    marks = margins(composition)
    lines: list[PreviewLine] = []
    for number, part in enumerate(composition.parts):
        if number:
            lines.append(PreviewLine("", None, Look.RULE, "---"))
        several = len(composition.parts) > 1
        lines += (replace(line, part=part.index) for line in _part(composition, part, marks, shown, several=several))
    present = {part.index for part in composition.parts}
    for index, piece in enumerate(composition.pieces):
        if index not in present:
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
    index = part.index
    mark, role = marks[index], part.piece.role
    kinds = outline(composition.sources[index]).kinds
    texts = composition.text[part.start : part.end].split("\n")
    gone = [removed for removed in composition.removed if removed.part == index and removed.reason is not Reason.EDGE]
    fold = several and shown.folded != (index in shown.turned) and len(texts) > FOLD_ABOVE
    visible_lines = (FOLDED_LINES if role is Role.MATCH else 1) if fold else len(texts)
    asked = f"  for {', '.join(part.piece.asked_by)}" if part.piece.asked_by else ""
    pending = list(gone) if shown.removed else []
    # Conflicts that both sides survived: by the setting, or since the line says too much else.
    left = {removed.line for removed in gone}
    unsolved = {
        c.gone_lines[0]: c for c in composition.conflicts if c.gone_part == index and c.gone_lines[0] not in left
    }
    for number, (text, source) in enumerate(zip(texts[:visible_lines], part.lines, strict=False)):
        while pending and source >= 0 and pending[0].line < source:
            yield _removed(pending.pop(0), marks)
        heading = source >= 0 and source < len(kinds) and kinds[source] is Line.HEADING
        shown_text = visible(text).expandtabs(4) + (visible(asked) if number == 0 else "")
        yield PreviewLine(mark, role, Look.HEADING if heading else Look.TEXT, shown_text)
        if shown.removed and (conflict := unsolved.get(source)):
            where = f"{marks[conflict.kept_part]}, line {conflict.kept_lines[0] + 1}"
            yield PreviewLine("−", None, Look.NOTE, f"against {where}: {one_line(conflict.kept_text)}")
    if fold:
        hidden = len(texts) - visible_lines
        yield PreviewLine(mark, role, Look.FOLD, f"⋯ {hidden:,} lines" + ("  (z unfolds)" if index == 0 else ""))
    for removed in pending:
        yield _removed(removed, marks)
    if (gone or unsolved) and not shown.removed:
        yield PreviewLine("−", None, Look.NOTE, f"{_counts(gone, unsolved, marks)}  (v shows)")


def _counts(gone: Sequence[Removed], unsolved: Mapping[int, Conflict], marks: list[str]) -> str:
    """How many lines were left out, why, and for whom: "3 lines already in 1, 1 gave way to 1"."""
    counts = {
        word: [removed for removed in gone if _COUNTED[removed.reason] == word]
        for word in dict.fromkeys(_COUNTED.values())
    }
    said = []
    for word, lines in counts.items():
        if lines:
            where = dict.fromkeys(marks[removed.kept[0]] for removed in lines if removed.kept)
            said.append(f"{_lines(len(lines))} {word}{' ' + ', '.join(where) if where else ''}")
    if unsolved:
        where = dict.fromkeys(marks[conflict.kept_part] for conflict in unsolved.values())
        said.append(f"{_lines(len(unsolved))} against {', '.join(where)}")
    return ", ".join(said)


def _lines(count: int) -> str:
    return "1 line" if count == 1 else f"{count:,} lines"


def _removed(removed: Removed, marks: list[str]) -> PreviewLine:
    where = f" {marks[removed.kept[0]]}, line {removed.kept[1] + 1}" if removed.kept else ""
    text = f"{visible(removed.text).expandtabs(4)}  {_KEPT[removed.reason]}{where}"
    return PreviewLine("−", None, Look.REMOVED, text)


def _absent(composition: Composition, index: int, marks: list[str]) -> str:
    name = visible(composition.pieces[index].skill.name)
    gone = [removed for removed in composition.removed if removed.part == index and removed.reason is not Reason.EDGE]
    return f"{name}: {_counts(gone, {}, marks)}" if gone else f"{name}: empty body"
