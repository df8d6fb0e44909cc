"""Write to a file: asks for the path, and once more before it replaces anything."""

from __future__ import annotations

from pathlib import Path

from textual.widget import Widget
from textual.widgets import Input, Label

from weave_tui.files import write_atomically
from weave_tui.text import one_line
from weave_tui.tui.screens.dialog import Dialog

DEFAULT_NAME = "prompt.md"


class SaveScreen(Dialog[Path | None]):
    """Writes the text and answers with the path, or None."""

    DEFAULT_CSS = "SaveScreen Label { padding: 1 1 0 1; color: $muted; }"
    TITLE = "Write the prompt to a file"
    KEYS = "enter writes · esc closes"

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text
        self._confirmed = ""

    def inside(self) -> list[Widget]:
        return [Input(DEFAULT_NAME, compact=True), Label("relative to the working folder", markup=False)]

    def on_input_submitted(self, event: Input.Submitted) -> None:
        path = Path(event.value.strip()).expanduser()
        if not event.value.strip():
            self._say("a path, such as prompt.md")
        elif path.is_dir():
            self._say("that is a folder: add a file name")
        elif path.exists() and self._confirmed != event.value:
            self._confirmed = event.value
            self._say("the file exists: enter again replaces it")
        else:
            self._write(path)

    def _write(self, path: Path) -> None:
        try:
            write_atomically(path, self._text.rstrip("\n") + "\n")
        except OSError as error:
            self._say(f"not written: {error.strerror or error}")
        else:
            self.dismiss(path.absolute())

    def _say(self, message: str) -> None:
        self.query_one(Label).update(one_line(message))
