"""Choose one of several rows of text."""

from __future__ import annotations

from collections.abc import Sequence

from textual.binding import Binding
from textual.widget import Widget

from weave_tui.text import one_line
from weave_tui.tui.rows import RowList
from weave_tui.tui.screens.dialog import Dialog
from weave_tui.tui.strips import Sides
from weave_tui.tui.widgets.line import roles_of

MOST_ROWS = 20


class ChoiceList(RowList):
    def __init__(self, choices: Sequence[str]) -> None:
        super().__init__()
        self.choices = choices

    def draw(self, index: int, width: int) -> Sides:
        return [(f" {one_line(self.choices[index])}", roles_of(self).text)], []


class ChooseScreen(Dialog[int | None]):
    """Answers with the number of the choice, from 0, or None."""

    KEYS = "enter chooses · esc closes"
    BINDINGS = [Binding("enter", "choose", show=False)]

    def __init__(self, title: str, choices: Sequence[str]) -> None:
        super().__init__()
        self.title = title
        self._list = ChoiceList(choices)

    def inside(self) -> list[Widget]:
        return [self._list]

    def on_mount(self) -> None:
        self._list.styles.height = min(MOST_ROWS, len(self._list.choices))
        self._list.show_rows(len(self._list.choices))
        self._list.focus()

    def action_choose(self) -> None:
        self.dismiss(self._list.cursor)

    def on_row_list_pressed(self) -> None:
        self.action_choose()
