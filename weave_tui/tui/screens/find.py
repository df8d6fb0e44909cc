"""Find in the prompt: a line of text, and the prompt goes to where it stands while one types."""

from __future__ import annotations

from textual.binding import Binding
from textual.widget import Widget
from textual.widgets import Input, Label

from weave_tui.tui.screens.dialog import Dialog
from weave_tui.tui.widgets.prompt import PromptView


class FindScreen(Dialog[None]):
    """Looks in the prompt behind it; what was sought stays marked until something else is."""

    DEFAULT_CSS = """
    FindScreen { align: center bottom; background: $background 0%; }
    FindScreen > Vertical { margin-bottom: 1; }
    FindScreen Label { padding: 0 1; color: $muted; }
    """
    TITLE = "Find in the prompt"
    KEYS = "enter ↓ next · ↑ before · esc closes"
    BINDINGS = [
        Binding("down", "next(1)", show=False),
        Binding("up", "next(-1)", show=False),
    ]

    def __init__(self, prompt: PromptView) -> None:
        super().__init__()
        self._prompt = prompt

    def inside(self) -> list[Widget]:
        return [Input(compact=True), Label("", markup=False)]

    def on_input_changed(self, event: Input.Changed) -> None:
        count = self._prompt.find(event.value)
        lines = "1 line has it" if count == 1 else f"{count:,} lines have it"
        self.query_one(Label).update((lines if count else "nowhere in the prompt") if event.value else "")

    def on_input_submitted(self) -> None:
        self.action_next(1)

    def action_next(self, by: int) -> None:
        self._prompt.find_next(by)
