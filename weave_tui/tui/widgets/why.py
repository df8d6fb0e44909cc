"""The why pane: what each word of the query brings to the current skill, and how it stands to the next."""

from __future__ import annotations

from collections.abc import Sequence

from textual.reactive import reactive

from weave_tui.text import one_line
from weave_tui.tui.reasons import Reasons
from weave_tui.tui.strips import BOLD, Sides, Span, cut, thousandths
from weave_tui.tui.theme import Roles
from weave_tui.tui.widgets.line import LineWidget, roles_of

SCALE = 0.25
"""The share at the right end of a word's bar."""
LISTED = 6
"""Words that are listed one a line; the rest share the last."""
WEIGHTLESS = 0.01
"""Shares below this decide nothing."""


class WhyPane(LineWidget):
    """Reasons of one row, on as many lines as there is room for."""

    DEFAULT_CSS = "WhyPane { height: 1; padding: 0 1; }"

    reasons: reactive[Reasons | None] = reactive(None)

    def lines(self, width: int) -> Sequence[Sides]:
        role = roles_of(self)
        if self.reasons is None or not self.reasons.shares:
            return []
        if self.size.height == 1:
            return [(_on_one_line(self.reasons, role), [])]
        head: list[Span] = [("why ", role.primary + BOLD), (one_line(self.reasons.name), role.text + BOLD)]
        head.append((f"  {one_line(self.reasons.place)}", role.muted))
        listed = [(_word_line(share, width, role), ()) for share in self.reasons.listed(LISTED)]
        return [(head, ()), *listed, *((line, ()) for line in _comparison(self.reasons, role))]


def _on_one_line(reasons: Reasons, role: Roles) -> list[Span]:
    spans: list[Span] = [("why ", role.primary + BOLD)]
    for word, meaning, words in reasons.listed(LISTED):
        spans += [(f"{one_line(word)} ", role.muted), (f"{thousandths(meaning + words)}  ", role.text)]
    return spans


def _word_line(share: tuple[str, float, float], width: int, role: Roles) -> list[Span]:
    word, meaning, words = share
    total = meaning + words
    name, bar = (14, 12) if width > 50 else (11, 8)
    style = role.text if total >= WEIGHTLESS else role.muted
    thick = round(min(max(words, 0), SCALE) / SCALE * bar)
    cells = max(thick, round(min(max(total, 0), SCALE) / SCALE * bar))
    return [
        (f"  {cut(one_line(word), name - 1):<{name}}", style),
        (f"{thousandths(total)} ", style),
        ("━" * thick, role.text),
        ("─" * (cells - thick), role.primary),
        (" " * (bar + 1 - cells), role.text),
        (f"{thousandths(words)} + {thousandths(meaning)}", role.muted),
    ]


def _comparison(reasons: Reasons, role: Roles) -> list[list[Span]]:
    if reasons.other is None:
        return []
    lines: list[list[Span]] = []
    for side, words in (("ahead of", reasons.ahead), ("behind", reasons.behind)):
        if words:
            spans: list[Span] = [
                (f"  {side} {one_line(reasons.other)} by" if side == "ahead of" else "  behind it on", role.muted)
            ]
            spans += [
                (f" {one_line(word)} {'+' if value > 0 else ''}{thousandths(value)}", role.text)
                for word, value in words
            ]
            lines.append(spans)
    return lines
