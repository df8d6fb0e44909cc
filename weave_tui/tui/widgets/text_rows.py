"""Lines to read with a cursor: wrapped, with a margin, and with marks on what belongs to a line elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rich.style import Style
from textual.geometry import Region

from weave_tui.text import visible
from weave_tui.tui.lines import Origin, ShownLine, Stretch, wrapped
from weave_tui.tui.rows import RowList
from weave_tui.tui.strips import BOLD, UNDERLINED, Sides, Span
from weave_tui.tui.theme import Roles
from weave_tui.tui.widgets.line import roles_of


class TextRows(RowList):
    """Wrapping is done once for a width; only rows that are seen are drawn."""

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self.shown: Sequence[ShownLine] = ()
        self.marks: tuple[Origin, ...] = ()
        self._rows: list[tuple[int, list[Stretch]]] = []
        self._firsts: list[int] = []
        self._margin = 0
        self._wrapped_width = -1

    # What the owner does with it

    def show(self, lines: Sequence[ShownLine], *, keep_place: bool) -> None:
        """Show these lines, with the cursor on the first stop unless it is to stay where it is."""
        at = self.line_index if keep_place else 0
        self.shown = [replace(line, stretches=_safe(line.stretches), right=_safe(line.right)) for line in lines]
        self.marks = ()
        self._wrap(at)
        if not keep_place:
            self.scroll_to(y=0, animate=False)

    @property
    def line_index(self) -> int:
        """The line under the cursor."""
        return self._rows[self.cursor][0] if self.cursor < len(self._rows) else 0

    @property
    def line(self) -> ShownLine | None:
        return self.shown[self.line_index] if self.shown else None

    def mark(self, origins: tuple[Origin, ...]) -> None:
        """Mark what comes from there, and bring the first line of it into view."""
        self.marks = origins
        found = self.find(origins[:1])
        if found is not None:
            with self.prevent(self.Moved):
                self.cursor = self._firsts[found]
        self.refresh()

    def find(self, origins: Sequence[Origin]) -> int | None:
        """The first line that comes from there."""
        return next((index for index, line in enumerate(self.shown) if origins and line.meets(origins)), None)

    # Rows

    def _wrap(self, line: int) -> None:
        """Lines to rows; the cursor is on `line`, or the first stop after it."""
        width = self.scrollable_content_region.width
        self._wrapped_width = width
        self._margin = max((len(line.margin) for line in self.shown), default=0)
        room = max(8, width - self._margin - 2)
        self._rows, self._firsts = [], []
        for index, one in enumerate(self.shown):
            self._firsts.append(len(self._rows))
            pieces = wrapped(one.stretches, room) if one.wraps else [list(one.stretches)]
            self._rows += [(index, piece) for piece in pieces]
        stops = [index for index, one in enumerate(self.shown) if one.stop]
        at = next((index for index in stops if index >= line), stops[-1] if stops else 0)
        self.show_rows(len(self._rows), self._firsts[at] if self._firsts else 0)

    def on_resize(self) -> None:
        if self.scrollable_content_region.width != self._wrapped_width:
            self._wrap(self.line_index)

    def is_stop(self, index: int) -> bool:
        line = self._rows[index][0]
        return self._firsts[line] == index and self.shown[line].stop

    def _reveal(self) -> None:
        """All rows of the line, what is noted under it, and what stands above the first one."""
        end = self.cursor + 1
        while end < self.count and not self.is_stop(end):
            end += 1
        first = next((index for index in range(self.count) if self.is_stop(index)), 0)
        start = 0 if self.cursor == first else self.cursor
        height = min(end - start, max(1, self.size.height))
        self.scroll_to_region(Region(0, start, 1, height), animate=False, force=True)

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()

    def is_marked(self, index: int) -> bool:
        """All rows of the line under the cursor, while it has the keys."""
        return self.has_focus and self._rows[index][0] == self.line_index

    def draw(self, index: int, width: int) -> Sides:
        role = roles_of(self)
        number, stretches = self._rows[index]
        line = self.shown[number]
        margin = line.margin if self._firsts[number] == index else ""
        left: list[Span] = [(f" {margin:>{self._margin}} " if self._margin else " ", getattr(role, line.margin_tone))]
        left += [self._span(stretch, role) for stretch in stretches]
        right = [self._span(stretch, role) for stretch in line.right]
        return left, [*right, (" ", role.text)] if right else []

    def _span(self, stretch: Stretch, role: Roles) -> Span:
        style: Style = getattr(role, stretch.tone)
        style += BOLD if stretch.bold else Style.null()
        style += UNDERLINED if stretch.underlined else Style.null()
        marked = stretch.origin and any(stretch.origin.meets(mark) for mark in self.marks)
        return stretch.text, style + role.current if marked else style


def _safe(stretches: Sequence[Stretch]) -> tuple[Stretch, ...]:
    return tuple(replace(stretch, text=visible(stretch.text).expandtabs(4)) for stretch in stretches)
