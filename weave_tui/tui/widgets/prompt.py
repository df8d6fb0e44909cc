"""The prompt pane: the composed text, wrapped, with a margin that says whose each line is."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from rich.style import Style
from textual.geometry import Offset, Size
from textual.selection import Selection
from textual.strip import Strip

from weave_tui.broker import Role
from weave_tui.tui.preview import Look, PreviewLine
from weave_tui.tui.scrolled import Scrolled
from weave_tui.tui.strips import BOLD, STRUCK, UNDERLINED, Span, row, wrap
from weave_tui.tui.theme import Roles
from weave_tui.tui.widgets.line import roles_of

MARGIN = 4
"""Cells of the margin: a mark of two, a line, a blank."""

_MARGIN_ROLES = {Role.MATCH: "success", Role.PINNED: "warning", Role.DEPENDENCY: "accent", None: "error"}


class PromptView(Scrolled):
    """Lines to read. Wrapping is done once for a width; only lines that are seen are drawn."""

    def __init__(self) -> None:
        super().__init__(id="prompt")
        self.preview: Sequence[PreviewLine] = ()
        self._wrapped: list[tuple[int, str]] = []
        self._wrapped_width = -1
        self._sought: re.Pattern[str] | None = None
        self._found: list[int] = []

    def action_move(self, by: int) -> None:
        self.scroll_relative(y=by, animate=False)

    def action_go(self, index: int) -> None:
        self.scroll_to(y=0 if index == 0 else self.max_scroll_y, animate=False)

    def show(self, lines: Sequence[PreviewLine], *, keep_place: bool) -> None:
        """Show these lines, from the top unless the place is to be kept."""
        if lines == self.preview:
            return
        self.preview = lines
        self._wrap()
        if not keep_place:
            self.scroll_to(y=0, animate=False)
        self.refresh()

    @property
    def part_in_view(self) -> int | None:
        """The piece that the first line seen is of."""
        lines = (self.preview[index] for index, _ in self._wrapped[round(self.scroll_y) :])
        return next((line.part for line in lines if line.part is not None), None)

    def go_to_part(self, part: int) -> None:
        """Bring the first line of that piece to the top."""
        at = next((y for y, (index, _) in enumerate(self._wrapped) if self.preview[index].part == part), None)
        if at is not None:
            self.scroll_to(y=at, animate=False)

    def _wrap(self) -> None:
        width = self.scrollable_content_region.width
        room = max(8, width - MARGIN)
        self._wrapped_width = width
        self._wrapped = [(i, piece) for i, line in enumerate(self.preview) for piece in wrap(line.text, room)]
        self.virtual_size = Size(width, len(self._wrapped))
        self._look_up()

    # Finding ------------------------------------------------------------------------------

    def find(self, text: str) -> int:
        """Mark every place of `text`, whatever its case, and go to the first one from here; how many lines have it."""
        self._sought = re.compile(re.escape(text), re.IGNORECASE) if text else None
        self._look_up()
        self.find_next(0)
        self.refresh()
        return len(self._found)

    def find_next(self, by: int) -> None:
        """Go on by that many lines that have it, from the top line; 0 is the next one from here."""
        if self._found:
            here = bisect_left(self._found, round(self.scroll_y))
            at = here if by == 0 else bisect_right(self._found, round(self.scroll_y)) if by > 0 else here - 1
            self.scroll_to(y=self._found[at % len(self._found)], animate=False)

    def _look_up(self) -> None:
        sought = self._sought
        self._found = [y for y, (_, text) in enumerate(self._wrapped) if sought and sought.search(text)]

    # Selecting with the mouse -------------------------------------------------------------

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The selected text as it is shown, without margins, wrapped lines made whole again."""
        start = selection.start or Offset(0, 0)
        end = selection.end or Offset(0, len(self._wrapped))
        text, before = "", None
        for y in range(start.y, min(end.y + 1, len(self._wrapped))):
            index, piece = self._wrapped[y]
            first = max(0, start.x - MARGIN) if y == start.y else 0
            last = max(0, end.x - MARGIN) if y == end.y and selection.end is not None else len(piece)
            text += ("" if before is None else " " if index == before else "\n") + piece[first:last].rstrip()
            before = index
        return (text, "\n") if text.strip() else None

    def selection_updated(self, selection: Selection | None) -> None:
        self.refresh()

    def on_resize(self) -> None:
        if self.scrollable_content_region.width != self._wrapped_width:
            self._wrap()
            self.refresh()

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        number = y + round(self.scroll_y)
        if number >= len(self._wrapped):
            return Strip.blank(width, self.ground)
        index, text = self._wrapped[number]
        line = self.preview[index]
        role = roles_of(self)
        margin: Style = getattr(role, _MARGIN_ROLES[line.role])
        spans = [(f"{line.margin:>2}", margin + BOLD), ("│ ", role.hairline)]
        spans += self._marked(text, look_style(line.look, role), role)
        strip = row(width, spans, [], self.ground).apply_offsets(0, number)
        selected = self.text_selection.get_span(number) if self.text_selection else None
        if selected is None:
            return strip
        start, end = max(MARGIN, selected[0]), width if selected[1] < 0 else max(MARGIN, selected[1])
        parts = strip.divide([start, end, width])
        return Strip.join([part.apply_style(role.current) if i == 1 else part for i, part in enumerate(parts)])

    def _marked(self, text: str, style: Style, role: Roles) -> list[Span]:
        """The text with what is sought underlined."""
        if self._sought is None:
            return [(text, style)]
        spans: list[Span] = []
        at = 0
        for match in self._sought.finditer(text):
            spans += [(text[at : match.start()], style), (match.group(), role.primary + BOLD + UNDERLINED)]
            at = match.end()
        return [*spans, (text[at:], style)]


def look_style(look: Look, role: Roles) -> Style:
    styles = {
        Look.TEXT: role.text,
        Look.HEADING: role.text + BOLD,
        Look.RULE: role.hairline,
        Look.FOLD: role.muted,
        Look.NOTE: role.muted,
        Look.REMOVED: role.error + STRUCK,
    }
    return styles[look]
