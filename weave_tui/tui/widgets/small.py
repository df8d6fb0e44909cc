"""What only a small terminal shows: tabs instead of panes, and three lines about the current row."""

from __future__ import annotations

from collections.abc import Sequence

from textual.reactive import reactive

from weave_tui.text import one_line
from weave_tui.tui.ranked import RankedRow
from weave_tui.tui.reasons import Reasons
from weave_tui.tui.strips import BOLD, Sides, Span, thousandths, wrap
from weave_tui.tui.widgets.line import LineWidget, roles_of

TABS = (("2", "ranking"), ("3", "prompt"), ("4", "why"), ("1", "registry"))


class TabsLine(LineWidget):
    """The panes by number; the one that shows is bold."""

    DEFAULT_CSS = "TabsLine { padding: 0 1; }"

    current: reactive[str] = reactive("ranking")
    note: reactive[str] = reactive("")

    def __init__(self, tabs: Sequence[tuple[str, str]] = TABS, *, id: str) -> None:
        super().__init__(id=id)
        self._tabs = tabs

    @property
    def names(self) -> list[str]:
        """The panes there are."""
        return [name for _, name in self._tabs]

    def lines(self, width: int) -> Sequence[Sides]:
        role = roles_of(self)
        spans: list[Span] = []
        for number, name in self._tabs:
            style = role.text + BOLD if name == self.current else role.muted
            spans += [(f"{number} ", role.primary), (f"{name.title()}   ", style)]
        return [(spans, [(self.note, role.muted)])]


class AboutRow(LineWidget):
    """The current row's description, place and heaviest words."""

    DEFAULT_CSS = "AboutRow { height: 4; padding: 1 1 0 1; }"

    row: reactive[RankedRow | None] = reactive(None)
    reasons: reactive[Reasons | None] = reactive(None)

    def lines(self, width: int) -> Sequence[Sides]:
        if self.row is None:
            return []
        role = roles_of(self)
        skill = self.row.row.skill
        described = wrap(one_line(skill.description or skill.advertisement.trigger_patterns[0]), width)
        lines: list[tuple[list[Span], list[Span]]] = [([(text, role.text)], []) for text in described[:2]]
        shares = self.reasons.listed(5) if self.reasons else []
        last: list[Span] = []
        for word, meaning, words in shares:
            last += [(f"{one_line(word)} ", role.muted), (f"{thousandths(meaning + words)}  ", role.text)]
        lines.append((last or [(one_line(str(skill.locations[0])), role.muted)], []))
        return lines
