"""A pane: a title line with a number, and what is in it."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.reactive import reactive
from textual.widget import Widget

from weave_tui.tui.strips import BOLD, Sides, Span, width_of
from weave_tui.tui.widgets.line import LineWidget, roles_of


class PaneTitle(LineWidget):
    """` 2 Ranking        796`; bold while its pane has the focus."""

    DEFAULT_CSS = "PaneTitle { padding: 0 1; }"

    note: reactive[str] = reactive("")
    is_active: reactive[bool] = reactive(False)

    def __init__(self, number: int, title: str) -> None:
        super().__init__()
        self.number = number
        self.title = title

    def lines(self, width: int) -> Sequence[Sides]:
        role = roles_of(self)
        name = role.text + BOLD if self.is_active else role.muted
        left: list[Span] = [(f"{self.number} ", role.primary if self.is_active else role.muted), (self.title, name)]
        right: list[Span] = [(self.note, role.muted)]
        if self.screen.has_class("-medium"):
            rule = width - width_of(left) - width_of(right) - 2
            left.append((" " + "─" * max(0, rule), role.hairline))
        return [(left, right)]


class Pane(Vertical):
    """Holds one focusable body under its title."""

    def __init__(self, number: int, title: str, body: Widget, *, id: str) -> None:
        super().__init__(id=id)
        self.title_line = PaneTitle(number, title)
        self.body = body

    def compose(self) -> ComposeResult:
        yield self.title_line
        yield self.body

    def on_descendant_focus(self) -> None:
        self.title_line.is_active = True

    def on_descendant_blur(self) -> None:
        self.title_line.is_active = False
