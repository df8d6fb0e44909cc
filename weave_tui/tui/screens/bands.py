"""Bands: move the confidence threshold and the floor, and watch what they do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from textual.binding import Binding
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from weave_tui.broker import Rules
from weave_tui.tui.screens.dialog import Dialog
from weave_tui.tui.strips import BOLD, Sides, Span, thousandths
from weave_tui.tui.widgets.line import LineWidget, roles_of

STEP = 0.01
_FIELDS = (
    ("confidence_threshold", "threshold", "a smaller gap than this and two skills answer"),
    ("min_score", "floor", "a skill that scores less is never chosen"),
)


class BandLines(LineWidget):
    DEFAULT_CSS = "BandLines { height: 2; padding: 0 1; }"

    rules: reactive[Rules] = reactive(Rules())
    current: reactive[int] = reactive(0)

    def lines(self, width: int) -> Sequence[Sides]:
        role = roles_of(self)
        lines = []
        for index, (field, title, help_text) in enumerate(_FIELDS):
            is_current = index == self.current
            value: float = getattr(self.rules, field)
            name = role.text + BOLD if is_current else role.muted
            left: list[Span] = [
                ("❯ " if is_current else "  ", role.primary),
                (f"{title:<11}", name),
                (thousandths(value), role.text + BOLD),
                (f"   {help_text}", role.muted),
            ]
            lines.append((left, ()))
        return lines


class BandsScreen(Dialog[None]):
    """Posts `Changed` on every step, so the ranking behind it follows."""

    DEFAULT_CSS = """
    BandsScreen { align: center bottom; background: $background 0%; }
    BandsScreen > Vertical { margin-bottom: 1; }
    """
    TITLE = "Bands"
    KEYS = "← → change · ↑ ↓ which · 0 default · esc closes"
    BINDINGS = [
        Binding("left,h,minus", "change(-1)", show=False),
        Binding("right,l,plus", "change(1)", show=False),
        Binding("up,down,j,k,tab", "other", show=False),
        Binding("0", "reset", show=False),
        Binding("enter,b", "dismiss(None)", show=False),
    ]

    class Changed(Message):
        """The cut-offs are these now."""

        def __init__(self, rules: Rules) -> None:
            super().__init__()
            self.rules = rules

    def __init__(self, rules: Rules) -> None:
        super().__init__()
        self._lines = BandLines()
        self._lines.rules = rules

    def inside(self) -> list[Widget]:
        return [self._lines]

    def _set(self, value: float) -> None:
        field = _FIELDS[self._lines.current][0]
        change: dict[str, Any] = {field: min(1.0, max(0.0, round(value, 3)))}
        self._lines.rules = replace(self._lines.rules, **change)
        self.app.screen_stack[-2].post_message(self.Changed(self._lines.rules))

    def action_change(self, direction: int) -> None:
        self._set(getattr(self._lines.rules, _FIELDS[self._lines.current][0]) + direction * STEP)

    def action_reset(self) -> None:
        self._set(getattr(Rules(), _FIELDS[self._lines.current][0]))

    def action_other(self) -> None:
        self._lines.current = 1 - self._lines.current
