"""The header and the footer line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.style import Style
from textual.reactive import reactive

from weave_tui.tui.actions import PLACES, Action, Place, footer_actions
from weave_tui.tui.keys import shown
from weave_tui.tui.strips import BOLD, Sides, Span
from weave_tui.tui.widgets.line import LineWidget, keymap_of, roles_of


class HeaderBar(LineWidget):
    """Where one is, how many skills there are, how many things to know."""

    DEFAULT_CSS = "HeaderBar { background: $surface; dock: top; padding: 0 1; }"

    place: reactive[str] = reactive("")
    skills: reactive[str] = reactive("")
    warnings: reactive[int] = reactive(0)

    def lines(self, width: int) -> Sequence[Sides]:
        role = roles_of(self)
        right = [(self.skills, role.muted)]
        if self.warnings:
            right += [("  ·  " if width > 70 else " · ", role.hairline), (f"! {self.warnings}", role.warning)]
        return [([("weave", role.text + BOLD), (f"  {self.place}", role.muted)], right)]


class FooterBar(LineWidget):
    """The keys that matter here, or for a while what just happened."""

    DEFAULT_CSS = "FooterBar { background: $surface; dock: bottom; padding: 0 1; }"

    message: reactive[str] = reactive("")
    severity: reactive[str] = reactive("success")
    pane: reactive[str] = reactive("")

    def __init__(self, place: Place, enter: str = "") -> None:
        """`enter`: the word for the first key of the place, where it is not the table's."""
        super().__init__()
        self._place, self._enter = place, enter

    def lines(self, width: int) -> Sequence[Sides]:
        role = roles_of(self)
        key, word = role.primary + BOLD, role.muted
        if self.message:
            style = {"success": role.success, "warning": role.warning, "error": role.error}[self.severity]
            return [([(self.message, style)], [])]
        keymap = keymap_of(self)
        named = {action.name: action for action in keymap.of(self._place.keys)}

        def offer(name: str, text: str) -> list[Span]:
            keys = named[name].keys
            return [(shown(keys[0]), key), (f" {text}  ", word)] if keys else []

        first = keymap.of(PLACES.get(self.pane, self._place).keys[:1])[0]
        spans: list[Span] = []
        if first.keys:
            spans += [(shown(first.keys[0]), key), (f" {self._enter or first.footer}  ", word)]
        if width > 70:
            spans += [("↑↓", key), (" move  ", word)]
        spans += offer("next_pane", "pane")
        spans += offer("back", "back") if "back" in named else self._escape(named["escape"], key, word, width)
        for action in footer_actions(keymap.of(self._place.actions), self.pane):
            spans += _offered(action, key, word)
        return [(spans, offer("help", "keys"))]

    def _escape(self, action: Action, key: Style, word: Style, width: int) -> list[Span]:
        """From the query a letter may follow; elsewhere it leads back."""
        if not action.keys:
            return []
        said = (" then a letter: " if width > 90 else " ") if self.pane == "query" else " query  "
        return [(shown(action.keys[0]), key), (said, word)]


def _offered(action: Action, key: Style, word: Style) -> list[Span]:
    """An action's word with its key in it; before it, where it has another."""
    if not action.keys:
        return []
    first = action.keys[0]
    before, letter, after = action.footer.partition(first)
    if not letter:
        before, after = "", f" {action.title.lower()}"
    return [(before, word), (shown(first), key), (f"{after} ", word)]


def short_path(path: Path) -> str:
    """The path as people write it, `~` for the home folder."""
    home = Path.home()
    return f"~/{path.relative_to(home).as_posix()}".removesuffix("/.") if path.is_relative_to(home) else str(path)
