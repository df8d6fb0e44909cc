"""What every dialog shares: a box over the main screen, closed by escape."""

from __future__ import annotations

from typing import TypeVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widget import Widget

from weave_tui.tui.strips import BOLD, Span
from weave_tui.tui.widgets.line import LineWidget, roles_of

Answer = TypeVar("Answer")


class DialogTitle(LineWidget):
    """The dialog's name, and at the right the keys that end it."""

    DEFAULT_CSS = "DialogTitle { padding: 0 1; margin-bottom: 1; }"

    def __init__(self, title: str, keys: str) -> None:
        super().__init__()
        self.title, self.keys = title, keys

    def lines(self, width: int) -> list[tuple[list[Span], list[Span]]]:
        role = roles_of(self)
        return [([(self.title, role.text + BOLD)], [(self.keys, role.muted)])]


class Dialog(ModalScreen[Answer]):
    """A titled box. A subclass says what is in it."""

    DEFAULT_CSS = """
    Dialog { align: center middle; background: $background 60%; }
    Dialog > Vertical {
        width: 90%; max-width: 100; height: auto; max-height: 90%;
        background: $surface; border-left: outer $primary; padding: 1 1;
    }
    Dialog RowList, Dialog LineWidget { background: $surface; }
    Dialog Input { border: none; height: 1; padding: 0 1; background: $panel; }
    """

    BINDINGS = [Binding("escape", "dismiss(None)", "close", show=False)]

    TITLE = ""
    KEYS = "esc closes"

    def inside(self) -> list[Widget]:
        """The widgets under the title."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        with Vertical():
            yield DialogTitle(self.title or self.TITLE or "", self.KEYS)
            yield from self.inside()
