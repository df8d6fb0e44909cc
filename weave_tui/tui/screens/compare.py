"""Compare: the current skill and the first one (or the second, for the first), word by word."""

from __future__ import annotations

from collections.abc import Sequence

from textual import work
from textual.binding import Binding
from textual.message import Message
from textual.widget import Widget

from weave_tui.broker import Broker, Row, Selection
from weave_tui.lab.winning import Win, winning_edit
from weave_tui.tui.lab.lines import comparison_lines, win_lines
from weave_tui.tui.lines import ShownLine, plain
from weave_tui.tui.screens.dialog import Dialog
from weave_tui.tui.widgets.text_rows import TextRows


class CompareScreen(Dialog[None]):
    """Why one stands above the other, and what would make it win."""

    DEFAULT_CSS = """
    CompareScreen > Vertical { max-width: 120; }
    CompareScreen TextRows { height: auto; max-height: 30; }
    """
    TITLE = "Compare"
    KEYS = "w what would make it win · esc closes"
    BINDINGS = [Binding("w", "win", show=False), Binding("c,q,enter", "dismiss(None)", show=False)]

    class Found(Message):
        """An edit was looked for."""

        def __init__(self, win: Win) -> None:
            super().__init__()
            self.win = win

    def __init__(self, broker: Broker, selection: Selection, own: Row, other: Row) -> None:
        super().__init__()
        self._broker, self._selection, self._own = broker, selection, own
        self._comparison = comparison_lines(broker, selection, own, other)
        self._rows = TextRows("comparison")

    def inside(self) -> list[Widget]:
        return [self._rows]

    def on_mount(self) -> None:
        self._rows.focus()
        self._show(())

    def _show(self, more: Sequence[ShownLine]) -> None:
        lines = [plain(self._selection.query, bold=True), plain(""), *self._comparison, *more]
        self._rows.styles.height = min(30, 2 + len(lines))
        self._rows.show(lines, keep_place=True)

    def action_win(self) -> None:
        self._show([plain(""), plain("looking for a smallest edit ...", "muted")])
        self.find()

    @work(thread=True, exclusive=True, group="win", description="find a winning edit")
    def find(self) -> None:
        self.post_message(self.Found(winning_edit(self._broker, self._own.position, self._selection.query)))

    def on_compare_screen_found(self, event: Found) -> None:
        self._show([plain(""), *win_lines(event.win, None)])
