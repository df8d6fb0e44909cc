"""The diagnostics list: what was skipped, repaired or only partly understood."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.style import Style
from textual.binding import Binding
from textual.reactive import reactive
from textual.widget import Widget

from weave_tui.diagnostics import Diagnostic, Severity
from weave_tui.text import one_line
from weave_tui.tui.rows import RowList
from weave_tui.tui.screens.dialog import Dialog
from weave_tui.tui.strips import Sides, wrap
from weave_tui.tui.widgets.bars import short_path
from weave_tui.tui.widgets.line import LineWidget, roles_of

_TONES = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "muted"}


class DiagnosticList(RowList):
    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__()
        self.diagnostics = diagnostics
        self._code_width = max((len(diagnostic.code) for diagnostic in diagnostics), default=0) + 2

    def draw(self, index: int, width: int) -> Sides:
        role = roles_of(self)
        diagnostic = self.diagnostics[index]
        tone: Style = getattr(role, _TONES[diagnostic.severity])
        left = [(f" {diagnostic.severity:<8}", tone), (f"{diagnostic.code:<{self._code_width}}", role.muted)]
        left.append((one_line(diagnostic.message), role.text))
        place = diagnostic.path.name if diagnostic.path else ""
        if diagnostic.path and diagnostic.path.stem == "SKILL":
            place = f"{diagnostic.path.parent.name}/{place}"
        return left, [(f"{one_line(place)} ", role.muted)]


class About(LineWidget):
    """The diagnostic under the cursor in full."""

    DEFAULT_CSS = "About { height: 6; padding: 1 1 0 1; }"

    diagnostic: reactive[Diagnostic | None] = reactive(None)

    def lines(self, width: int) -> Sequence[Sides]:
        found = self.diagnostic
        if found is None:
            return []
        role = roles_of(self)
        done = f" ({found.done})" if found.done else ""
        place = found.place.replace(str(found.path), short_path(found.path), 1) if found.path else ""
        return [
            ((), ()),
            *(([(line, role.text)], ()) for line in wrap(one_line(f"{found.message}{done}"), width)[:3]),
            ([(one_line(place), role.muted)], ()),
            ([(found.hint, role.muted)], ()),
        ]


class DiagnosticsScreen(Dialog[Diagnostic | None]):
    """Answers with the diagnostic whose file is to be opened, or None."""

    DEFAULT_CSS = """
    DiagnosticsScreen > Vertical { max-width: 140; }
    DiagnosticsScreen DiagnosticList { height: auto; max-height: 20; }
    """
    TITLE = "Diagnostics"
    KEYS = "e opens the file · esc closes"
    BINDINGS = [Binding("e,enter", "open", show=False), Binding("d,q", "dismiss(None)", show=False)]

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__()
        self._list = DiagnosticList(diagnostics)
        self._about = About()

    def inside(self) -> list[Widget]:
        return [self._list, self._about]

    def on_mount(self) -> None:
        self._list.styles.height = min(20, max(1, len(self._list.diagnostics)))
        self._list.show_rows(len(self._list.diagnostics))
        self._list.focus()
        self._show(0)

    def _show(self, index: int) -> None:
        if self._list.diagnostics:
            self._about.diagnostic = self._list.diagnostics[index]

    def on_row_list_moved(self, event: RowList.Moved) -> None:
        self._show(event.index)

    def action_open(self) -> None:
        found = self._about.diagnostic
        if found and isinstance(found.path, Path):
            self.dismiss(found)
