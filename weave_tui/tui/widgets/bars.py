"""The header and the footer line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from textual.reactive import reactive

from weave_tui.tui.actions import Action
from weave_tui.tui.strips import BOLD, Span
from weave_tui.tui.widgets.line import LineWidget, roles_of


class HeaderBar(LineWidget):
    """Where one is, how many skills there are, how many things to know."""

    DEFAULT_CSS = "HeaderBar { background: $surface; dock: top; padding: 0 1; }"

    place: reactive[str] = reactive("")
    skills: reactive[str] = reactive("")
    warnings: reactive[int] = reactive(0)

    def lines(self, width: int) -> Sequence[tuple[Sequence[Span], Sequence[Span]]]:
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

    def __init__(self, actions: Sequence[Action], enter: str, escape: str = "", wide: str = " then a letter:") -> None:
        """`escape` says what the key does; `wide` more about it, where there is room."""
        super().__init__()
        self._actions = actions
        self._enter, self._escape, self._wide = enter, escape, wide

    def lines(self, width: int) -> Sequence[tuple[Sequence[Span], Sequence[Span]]]:
        role = roles_of(self)
        key, word = role.primary + BOLD, role.muted
        if self.message:
            style = {"success": role.success, "warning": role.warning, "error": role.error}[self.severity]
            return [([(self.message, style)], [])]
        spans: list[Span] = [("enter", key), (f" {self._enter}  ", word)]
        if width > 70:
            spans += [("↑↓", key), (" move  ", word)]
        spans += [("tab", key), (" pane  ", word), ("esc", key)]
        spans.append((self._escape + (self._wide if width > 90 else ""), word))
        for action in self._actions:
            before, letter, after = action.footer.partition(action.key)
            spans += [(f" {before}", word), (letter, key), (after, word)]
        return [(spans, [("?", key), (" keys", word)])]


def short_path(path: Path) -> str:
    """The path as people write it, `~` for the home folder."""
    home = Path.home()
    return f"~/{path.relative_to(home).as_posix()}".removesuffix("/.") if path.is_relative_to(home) else str(path)
