"""The prompt pane: the composed text, wrapped, with a margin that says whose each line is."""

from __future__ import annotations

from collections.abc import Sequence

from rich.style import Style
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from weave_tui.broker import Role
from weave_tui.tui.preview import Look, PreviewLine
from weave_tui.tui.strips import BOLD, STRUCK, row, wrap
from weave_tui.tui.theme import Roles
from weave_tui.tui.widgets.line import roles_of

MARGIN = 4
"""Cells of the margin: a mark of two, a line, a blank."""

_MARGIN_ROLES = {Role.MATCH: "success", Role.PINNED: "warning", Role.DEPENDENCY: "accent", None: "error"}


class PromptView(ScrollView, can_focus=True):
    """Lines to read. Wrapping is done once for a width; only lines that are seen are drawn."""

    DEFAULT_CSS = """
    PromptView { overflow-x: hidden; scrollbar-size-vertical: 1; scrollbar-gutter: stable; background: $background; }
    """

    def __init__(self) -> None:
        super().__init__(id="prompt")
        self.preview: Sequence[PreviewLine] = ()
        self._wrapped: list[tuple[int, str]] = []
        self._wrapped_width = -1

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

    def on_resize(self) -> None:
        if self.scrollable_content_region.width != self._wrapped_width:
            self._wrap()
            self.refresh()

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        number = y + round(self.scroll_y)
        if number >= len(self._wrapped):
            return Strip.blank(width, self.rich_style)
        index, text = self._wrapped[number]
        line = self.preview[index]
        role = roles_of(self)
        margin: Style = getattr(role, _MARGIN_ROLES[line.role])
        spans = [(f"{line.margin:>2}", margin + BOLD), ("│ ", role.hairline), (text, look_style(line.look, role))]
        return row(width, spans).apply_style(self.rich_style)


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
