"""The diff of edits, before they are written."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from textual.binding import Binding
from textual.widget import Widget

from weave_tui.skills.edits import Edit
from weave_tui.tui.lines import ShownLine, Stretch, Tone, plain
from weave_tui.tui.screens.dialog import Dialog
from weave_tui.tui.widgets.bars import short_path
from weave_tui.tui.widgets.text_rows import TextRows

MOST_ROWS = 24
_TONES: dict[str, Tone] = {"+": "success", "-": "error", "@": "primary"}


class DiffScreen(Dialog[bool]):
    """Answers with True when the edits are to be written."""

    DEFAULT_CSS = "DiffScreen > Vertical { max-width: 120; }"
    TITLE = "What will be written"
    KEYS = "enter writes it · esc goes back"
    BINDINGS = [Binding("enter", "dismiss(True)", show=False, priority=True)]

    def __init__(self, edits: Sequence[Edit], note: str = "") -> None:
        super().__init__()
        self._rows = TextRows("diff")
        self._lines = [plain(note, "warning")] if note else []
        for edit in edits:
            self._lines.append(plain(_from_here(edit.path), bold=True))
            self._lines += [
                ShownLine((Stretch(line, _TONES.get(line[:1], "muted")),))
                for line in edit.diff()
                if line[:3] not in ("+++", "---")
            ]

    def inside(self) -> list[Widget]:
        return [self._rows]

    def on_mount(self) -> None:
        self._rows.styles.height = min(MOST_ROWS, 2 * len(self._lines))
        self._rows.focus()
        self._rows.show(self._lines, keep_place=False)


def _from_here(path: Path) -> str:
    """The path from the working folder, as a diff has it; else as people write it."""
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else short_path(path)
