"""Earlier queries: type to narrow them, take one back."""

from __future__ import annotations

from collections.abc import Sequence

from textual.binding import Binding
from textual.widget import Widget
from textual.widgets import Input

from weave_tui.tui.screens.choose import ChoiceList
from weave_tui.tui.screens.dialog import Dialog

MOST_ROWS = 15


class HistoryScreen(Dialog[str | None]):
    """Answers with a query, or None."""

    DEFAULT_CSS = "HistoryScreen Input { margin-bottom: 1; }"
    TITLE = "Earlier queries"
    KEYS = "type to narrow · enter takes it · esc closes"
    BINDINGS = [
        Binding("up,ctrl+p", "move(-1)", show=False, priority=True),
        Binding("down,ctrl+n,ctrl+r", "move(1)", show=False, priority=True),
    ]

    def __init__(self, history: Sequence[str]) -> None:
        super().__init__()
        self._history = history
        self._list = ChoiceList(history)

    def inside(self) -> list[Widget]:
        return [Input(placeholder="a part of it", compact=True), self._list]

    def on_mount(self) -> None:
        self._list.styles.height = max(1, min(MOST_ROWS, len(self._history)))
        self._list.can_focus = False
        self._narrow("")

    def _narrow(self, typed: str) -> None:
        words = typed.casefold().split()
        self._list.choices = [query for query in self._history if all(word in query.casefold() for word in words)]
        self._list.show_rows(len(self._list.choices))

    def on_input_changed(self, event: Input.Changed) -> None:
        self._narrow(event.value)

    def action_move(self, by: int) -> None:
        self._list.move(by)

    def on_input_submitted(self) -> None:
        if self._list.choices:
            self.dismiss(self._list.choices[self._list.cursor])

    def on_row_list_pressed(self) -> None:
        self.on_input_submitted()
