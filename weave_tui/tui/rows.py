"""A list of rows, drawn on demand: ten thousand cost as much as the ones that are seen."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip

from weave_tui.tui.scrolled import Scrolled
from weave_tui.tui.strips import Sides, row
from weave_tui.tui.widgets.line import roles_of


class RowList(Scrolled):
    """A cursor over rows that a subclass draws. Rows that are not stops are passed over."""

    cursor: reactive[int] = reactive(0)

    @dataclass
    class Moved(Message):
        """The cursor came to stand on another row."""

        rows: RowList
        index: int

        @property
        def control(self) -> RowList:
            return self.rows

    @dataclass
    class Pressed(Message):
        """A row was clicked that the cursor stood on; `times` counts clicks in quick succession."""

        rows: RowList
        index: int
        times: int

        @property
        def control(self) -> RowList:
            return self.rows

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._count = 0

    # What a subclass says about its rows

    def draw(self, index: int, width: int) -> Sides:
        """The row at `index`, to be shown in `width` cells."""
        raise NotImplementedError

    def is_marked(self, index: int) -> bool:
        """Whether the row is drawn as the one under the cursor."""
        return index == self.cursor

    def is_stop(self, index: int) -> bool:
        """Whether the cursor may stand on the row."""
        return True

    # What the owner does with it

    @property
    def count(self) -> int:
        return self._count

    def show_rows(self, count: int, cursor: int = 0) -> None:
        """There are `count` rows now, and the cursor is at `cursor`."""
        self._count = count
        self.virtual_size = Size(self.size.width, count)
        with self.prevent(self.Moved):
            self.cursor = max(0, min(cursor, count - 1))
        self._reveal()
        self.refresh()

    def move(self, by: int) -> None:
        """Move the cursor by that many stops, as far as there are any."""
        step = 1 if by > 0 else -1
        target = self.cursor
        for _ in range(abs(by)):
            following = target + step
            while 0 <= following < self._count and not self.is_stop(following):
                following += step
            if not 0 <= following < self._count:
                break
            target = following
        self.cursor = target

    # Textual

    def watch_cursor(self, old: int, new: int) -> None:
        if old != new:
            self._reveal()
            self.refresh()
            self.post_message(self.Moved(self, new))

    def _reveal(self) -> None:
        self.scroll_to_region(Region(0, self.cursor, 1, 1), animate=False, force=True)

    def on_resize(self) -> None:
        self.virtual_size = Size(self.size.width, self._count)
        self._reveal()

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        index = y + round(self.scroll_y)
        if index >= self._count:
            return Strip.blank(width, self.ground)
        ground = self.ground + roles_of(self).current if self.is_marked(index) else self.ground
        return row(width, *self.draw(index, width), ground)

    def on_click(self, event: events.Click) -> None:
        index = event.y + round(self.scroll_y)
        if 0 <= index < self._count and self.is_stop(index):
            if index == self.cursor:
                self.post_message(self.Pressed(self, index, event.chain))
            self.cursor = index

    def action_move(self, by: int) -> None:
        self.move(by)

    def action_go(self, index: int) -> None:
        self.move(-self._count if index == 0 else self._count)
