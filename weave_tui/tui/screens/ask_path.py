"""Asks for the path of a file that is there."""

from __future__ import annotations

from pathlib import Path

from textual.widget import Widget
from textual.widgets import Input, Label

from weave_tui.text import one_line
from weave_tui.tui.screens.dialog import Dialog


class AskPath(Dialog[Path | None]):
    """Answers with the path, or None."""

    DEFAULT_CSS = "AskPath Label { padding: 1 1 0 1; color: $muted; }"
    KEYS = "enter takes it · esc closes"

    def __init__(self, title: str, hint: str) -> None:
        super().__init__()
        self.title = title
        self._hint = hint

    def inside(self) -> list[Widget]:
        return [Input(placeholder="path of a file", compact=True), Label(self._hint, markup=False)]

    def on_input_submitted(self, event: Input.Submitted) -> None:
        path = Path(event.value.strip()).expanduser()
        if event.value.strip() and path.is_file():
            self.dismiss(path.absolute())
        else:
            said = f"there is no file '{event.value}'" if event.value.strip() else self._hint
            self.query_one(Label).update(one_line(said))
