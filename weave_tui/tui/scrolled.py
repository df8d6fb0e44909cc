"""What lists and texts to scroll in have in common: one look, the same keys, lines drawn when they are seen."""

from __future__ import annotations

from typing import ClassVar

from rich.style import Style
from textual.geometry import Region, Size
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from weave_tui.tui.actions import LIST_KEYS, Action
from weave_tui.tui.bindings import bind
from weave_tui.tui.widgets.line import keymap_of


class Scrolled(ScrollView, can_focus=True):
    """A subclass draws lines on `ground` and says what `action_move` and `action_go` do."""

    DEFAULT_CSS = """
    Scrolled { overflow-x: hidden; overflow-y: scroll; scrollbar-size-vertical: 1; background: $background; }
    """

    virtual_size = reactive(Size(0, 0))
    """Columns and rows there are. In Textual a change lays the screen out anew, and then the bars are painted in a
    picture of their own; here the bar has its column in any case."""

    OWN_KEYS: ClassVar[tuple[Action, ...]] = ()
    """What a subclass has beside the keys of all lists."""

    ground = Style.null()
    """The widget's own style, as of this paint: Textual makes it anew from all ancestors whenever it is asked for."""

    def on_mount(self) -> None:
        bind(self, keymap_of(self).of((*LIST_KEYS, *self.OWN_KEYS)))

    def watch_virtual_size(self, size: Size) -> None:
        self.vertical_scrollbar.window_virtual_size = size.height
        self.scroll_y = self.validate_scroll_y(self.scroll_y)

    def render_lines(self, crop: Region) -> list[Strip]:
        self.ground = self.rich_style
        return super().render_lines(crop)

    def action_move(self, by: int) -> None:
        """Go that many lines down, or up."""
        raise NotImplementedError

    def action_go(self, index: int) -> None:
        """Go to the first line for 0, to the last one for -1."""
        raise NotImplementedError

    def action_page(self, direction: int) -> None:
        self.action_move(direction * max(1, self.size.height - 1))
