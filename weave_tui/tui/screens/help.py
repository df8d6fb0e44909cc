"""The help screen: every key and what it does, what the focused pane is about first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.widget import Widget

from weave_tui.tui.actions import ALWAYS, FROM_QUERY, Action, Place, Row, about
from weave_tui.tui.keys import Keymap, shown
from weave_tui.tui.screens.dialog import Dialog
from weave_tui.tui.strips import BOLD, Span
from weave_tui.tui.widgets.line import LineWidget, roles_of


def help_rows(place: Place, keys: Keymap, pane: str, marks: Sequence[Row]) -> list[list[Row]]:
    """Groups of (keys, what they do), the first about the focused pane where there is any such thing."""
    first = about(place, pane)
    names = {action.name for action in first}
    in_query = FROM_QUERY if place.types else ()
    groups = [
        [*(in_query if pane == "query" else ()), *_rows(keys.of(first))],
        list(_rows(keys.of(action for action in place.actions if action.name not in names))),
        list(_rows(keys.of(action for action in place.keys if action.name not in names))),
        [*(() if pane == "query" else in_query), *ALWAYS],
        list(marks),
    ]
    return [group for group in groups if group]


def _rows(actions: Sequence[Action]) -> Iterator[Row]:
    for action in actions:
        if action.keys:
            yield " ".join(map(shown, action.keys)), f"{action.title}: {action.help}"


class HelpLines(LineWidget):
    def __init__(self, groups: Sequence[Sequence[Row]]) -> None:
        super().__init__()
        self._table = [row for group in groups for row in (*group, ("", ""))][:-1]
        self.styles.height = len(self._table)

    def lines(self, width: int) -> list[tuple[list[Span], list[Span]]]:
        role = roles_of(self)
        return [([(f" {key:<22}", role.primary + BOLD), (text, role.text)], []) for key, text in self._table]


class HelpScreen(Dialog[None]):
    DEFAULT_CSS = "HelpScreen VerticalScroll { height: auto; max-height: 100%; }"
    BINDINGS = [Binding("question_mark,q,enter", "dismiss(None)", show=False)]

    def __init__(self, place: Place, keys: Keymap, pane: str, marks: Sequence[Row]) -> None:
        super().__init__()
        self.title = f"Keys · {pane}" if pane else "Keys"
        self._lines = HelpLines(help_rows(place, keys, pane, marks))

    def inside(self) -> list[Widget]:
        return [VerticalScroll(self._lines)]
