"""One sentence in place of the panes, where there is nothing to show, and the key that helps."""

from __future__ import annotations

from collections.abc import Sequence

from textual.reactive import reactive

from weave_tui.text import one_line
from weave_tui.tui.strips import Sides, wrap
from weave_tui.tui.widgets.line import LineWidget, roles_of


class Sentence(LineWidget):
    DEFAULT_CSS = "Sentence { height: 1fr; padding: 1 2; }"

    text: reactive[str] = reactive("")

    def lines(self, width: int) -> Sequence[Sides]:
        return [([(line, roles_of(self).muted)], ()) for line in wrap(one_line(self.text), width)]
