"""The ranking pane's rows: mark, score, bar, name, and a word for what is special."""

from __future__ import annotations

from collections.abc import Sequence

from rich.style import Style

from weave_tui.broker import Role, Row
from weave_tui.text import one_line
from weave_tui.tui.ranked import PLATFORM_WORDS, RankedRow
from weave_tui.tui.rows import RowList
from weave_tui.tui.strips import BOLD, STRUCK, Sides, Span, thousandths
from weave_tui.tui.theme import Roles
from weave_tui.tui.widgets.line import roles_of

SCALE = 0.6
"""The score at the right end of a bar: real ones are .2 to .5."""

_MARKS = {Role.MATCH: ("✓", "success"), Role.PINNED: ("+", "warning"), Role.DEPENDENCY: ("↳", "accent")}
_WORD_ROLES = {"pinned": "warning", "needed": "accent"}


class RankingList(RowList):
    """Every distinct skill, best first."""

    def __init__(self) -> None:
        super().__init__(id="ranking")
        self.rows: Sequence[RankedRow | None] = ()
        self._floor = 0.0
        self._scored = False

    def show(self, rows: Sequence[RankedRow | None], floor: float, cursor: int, *, scored: bool) -> None:
        """Show these rows; `scored` is false before anything was asked."""
        self.rows, self._floor, self._scored = rows, floor, scored
        self.show_rows(len(rows), cursor)

    @property
    def current(self) -> RankedRow | None:
        return self.rows[self.cursor] if self.cursor < len(self.rows) else None

    def is_stop(self, index: int) -> bool:
        return self.rows[index] is not None

    def draw(self, index: int, width: int) -> Sides:
        role = roles_of(self)
        shown = self.rows[index]
        if shown is None:
            return [(f" ┈┈┈┈ below {thousandths(self._floor)}: shown, never chosen ┈┈┈┈", role.muted)], []
        left: list[Span] = [("❯" if self.is_marked(index) else " ", role.primary), *mark(shown, role), (" ", role.text)]
        if self._scored:
            strong = role.text + BOLD if shown.chosen else role.muted
            left += [(thousandths(shown.row.score), strong), (" ", role.text)]
            left += [*bar(shown.row, 12 if width > 56 else 8 if width > 40 else 5, role), (" ", role.text)]
        left.append((one_line(shown.row.skill.name), name_style(shown, role)))
        word = shown.word
        right = [(word, getattr(role, _WORD_ROLES.get(word, "muted"))), (" " if word else "", role.text)]
        right.append((PLATFORM_WORDS[shown.row.skill.platform], role.muted))
        return left, right


def mark(shown: RankedRow, role: Roles) -> list[Span]:
    if shown.is_excluded:
        return [("✕", role.error)]
    if shown.chosen:
        text, name = _MARKS[shown.chosen.role]
        return [(text, getattr(role, name))]
    return [(" ", role.text)]


def name_style(shown: RankedRow, role: Roles) -> Style:
    """Bold goes into the prompt, struck is excluded, muted is shadowed."""
    if shown.is_excluded:
        return role.muted + STRUCK
    if shown.chosen:
        return role.text + BOLD
    return role.muted if shown.is_shadowed else role.text


def bar(shown: Row, width: int, role: Roles) -> list[Span]:
    """A line of `width` cells: thick for the words part, thin for the meaning part, on a fixed scale."""
    words = max(0.0, shown.words)
    total = min(max(0.0, shown.meaning) + words, SCALE)
    cells = round(total / SCALE * width)
    thick = min(cells, round(min(words, SCALE) / SCALE * width))
    return [
        ("━" * thick, role.text),
        ("─" * (cells - thick), role.primary),
        (" " * (width - cells), role.text),
    ]
