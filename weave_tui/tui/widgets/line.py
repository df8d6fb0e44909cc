"""A widget of one or a few lines that are drawn from spans."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from weave_tui.tui.keys import Keymap
from weave_tui.tui.strips import Sides, row
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

    _drawn: Sequence[Sides] = ()
    _ground = Style.null()

    def lines(self, width: int) -> Sequence[Sides]:
        """The lines to draw in `width` cells; missing ones are blank."""
        raise NotImplementedError

    def render_lines(self, crop: Region) -> list[Strip]:
        # Once a paint, not once a line: a widget's style is made anew from all its ancestors whenever it is asked for.
        self._drawn, self._ground = self.lines(self.size.width), self.rich_style
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        left, right = self._drawn[y] if y < len(self._drawn) else ((), ())
        return row(self.size.width, left, right, self._ground)
