"""A widget of one or a few lines that are drawn from spans."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from textual.strip import Strip
from textual.widget import Widget

from weave_tui.tui.keys import Keymap
from weave_tui.tui.strips import Span, row
from weave_tui.tui.theme import Roles

if TYPE_CHECKING:
    from weave_tui.tui.app import WeaveApp


def roles_of(widget: Widget) -> Roles:
    """The roles of the theme in use."""
    return cast("WeaveApp", widget.app).roles


def keymap_of(widget: Widget) -> Keymap:
    """The keys in force."""
    return cast("WeaveApp", widget.app).keys


class LineWidget(Widget):
    """Draws `lines(width)`: for each a left and a right side."""

    DEFAULT_CSS = "LineWidget { height: 1; }"

    def lines(self, width: int) -> Sequence[tuple[Sequence[Span], Sequence[Span]]]:
        """The lines to draw in `width` cells; missing ones are blank."""
        raise NotImplementedError

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        lines = self.lines(width)
        left, right = lines[y] if y < len(lines) else ((), ())
        return row(width, left, right).apply_style(self.rich_style)
