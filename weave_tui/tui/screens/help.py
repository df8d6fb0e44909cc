"""The help screen: every key and what it does, from the action table."""

from __future__ import annotations

from collections.abc import Sequence

from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.widget import Widget

from weave_tui.tui.actions import ACTIONS, FIXED_KEYS, Action
from weave_tui.tui.screens.dialog import Dialog
from weave_tui.tui.strips import BOLD, Span
from weave_tui.tui.widgets.line import LineWidget, roles_of

Row = tuple[str, str]

MARKS: tuple[Row, ...] = (
    ("✓ + ↳ ✕", "chosen, pinned, needed by another, excluded"),
    ("━━───", "a score: thick the words in common, thin the meaning"),
    ("1│ +│ ↳│", "whose line of the prompt it is; −│ where lines were left out"),
)


class HelpLines(LineWidget):
    def __init__(self, actions: Sequence[Action], fixed: Sequence[Row], marks: Sequence[Row]) -> None:
        super().__init__()
        letters = [(action.key, f"{action.title}: {action.help}") for action in actions]
        self._table = [*fixed, ("", ""), *letters, ("", ""), *marks]
        self.styles.height = len(self._table)

    def lines(self, width: int) -> list[tuple[list[Span], list[Span]]]:
        role = roles_of(self)
        return [([(f" {key:<22}", role.primary + BOLD), (text, role.text)], []) for key, text in self._table]


class HelpScreen(Dialog[None]):
    DEFAULT_CSS = "HelpScreen VerticalScroll { height: auto; max-height: 100%; }"
    TITLE = "Keys"
    BINDINGS = [Binding("question_mark,q,enter", "dismiss(None)", show=False)]

    def __init__(
        self,
        actions: Sequence[Action] = ACTIONS,
        fixed: Sequence[Row] = FIXED_KEYS,
        marks: Sequence[Row] = MARKS,
    ) -> None:
        super().__init__()
        self._lines = HelpLines(actions, fixed, marks)

    def inside(self) -> list[Widget]:
        return [VerticalScroll(self._lines)]
