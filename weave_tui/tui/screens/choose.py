"""Choose one of several paths."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.style import Style
from textual.binding import Binding
from textual.strip import Strip
from textual.widget import Widget

from weave_tui.text import one_line
from weave_tui.tui.rows import RowList
from weave_tui.tui.screens.dialog import Dialog
from weave_tui.tui.strips import row
from weave_tui.tui.widgets.bars import short_path
from weave_tui.tui.widgets.line import roles_of

MOST_ROWS = 20


class PathList(RowList):
    def __init__(self, paths: Sequence[Path]) -> None:
        super().__init__()
        self.paths = paths

    def draw(self, index: int, width: int, *, is_current: bool) -> Strip:
        role = roles_of(self)
        shown = one_line(short_path(self.paths[index]))
        return row(width, [(f" {shown}", role.text)], base=role.current if is_current else Style.null())


class ChooseScreen(Dialog[Path | None]):
    """Answers with a path, or None."""

    KEYS = "enter chooses · esc closes"
    BINDINGS = [Binding("enter", "choose", show=False)]

    def __init__(self, title: str, paths: Sequence[Path]) -> None:
        super().__init__()
        self.title = title
        self._list = PathList(paths)

    def inside(self) -> list[Widget]:
        return [self._list]

    def on_mount(self) -> None:
        self._list.styles.height = min(MOST_ROWS, len(self._list.paths))
        self._list.show_rows(len(self._list.paths))
        self._list.focus()

    def action_choose(self) -> None:
        self.dismiss(self._list.paths[self._list.cursor])

    def on_row_list_pressed(self) -> None:
        self.action_choose()
