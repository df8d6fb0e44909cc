"""The gap line: the verdict as a word, the gap on a ruler, what follows and what it costs."""

from __future__ import annotations

from collections.abc import Sequence

from rich.style import Style
from textual.reactive import reactive

from weave_tui.broker import Role, Selection, band
from weave_tui.broker.selection import is_below
from weave_tui.broker.sureness import BANDS, gap_at
from weave_tui.text import one_line
from weave_tui.tui.session import Session
from weave_tui.tui.strips import BOLD, Sides, Span, thousandths
from weave_tui.tui.theme import Roles
from weave_tui.tui.widgets.line import LineWidget, roles_of

RULER_END = 0.2
"""The gap at the right end of the ruler: larger ones are as clear."""

_BAND_ROLES = {"clear": "success", "likely": "primary", "close call": "warning"}


class GapLine(LineWidget):
    """Says how sure the first place is."""

    DEFAULT_CSS = "GapLine { padding: 0 1 0 3; }"

    revision: reactive[int] = reactive(0)

    def __init__(self) -> None:
        super().__init__()
        self._session: Session | None = None
        self._problem = ""

    def show(self, session: Session) -> None:
        self._session = session
        self.revision += 1

    def show_problem(self, problem: str) -> None:
        """One sentence instead of a verdict, such as while nothing is loaded."""
        self._session, self._problem = None, problem
        self.revision += 1

    def lines(self, width: int) -> Sequence[Sides]:
        role = roles_of(self)
        if self._session is None:
            return [([(self._problem, role.muted)], [])]
        if len(self._session.selection.outside) == len(self._session.registry):
            filters = " ".join(map(str, self._session.line.filters))
            return [([("nothing", role.warning + BOLD), (f"  no skill passes {one_line(filters)}", role.muted)], [])]
        cost = self._cost(self._session, width, role)
        return [(verdict(self._session.selection, width, role), cost)]

    def _cost(self, session: Session, width: int, role: Roles) -> list[Span]:
        result = session.result
        if result is None or not result.composition.text:
            return []
        tokens, unit = f"{result.composition.tokens:,}", " tok" if width < 70 else " tokens"
        spans = [(tokens, role.text if session.is_current else role.muted), (unit, role.muted)]
        if width > 100 and result.second:
            more, chance = result.second
            spans += [(f", the second {more:,} for {chance:.0%}", role.muted)]
        elif width > 100:
            spans.append((f" · {milliseconds(session.selection)}", role.muted))
        return spans


def milliseconds(selection: Selection) -> str:
    """How long ranking took, as people read it."""
    return f"{selection.seconds * 1000:.1f} ms"


def verdict(selection: Selection, width: int, role: Roles) -> list[Span]:
    """The left side of the line for one selection."""
    if not selection.query.strip():
        return [("type a task: every skill is listed until then", role.muted)]
    if not selection.is_known:
        return [("unknown", role.warning + BOLD), ("  no word of this is known to any skill", role.muted)]
    matched = selection.with_role(Role.MATCH)
    if not matched:
        floor = thousandths(selection.rules.min_score)
        said = f"  the best, {thousandths(selection.best)}, is under the floor {floor}"
        return [("nothing fits", role.warning + BOLD), (said, role.muted), *_coming_along(selection, role)]
    word = band(selection.gap)
    style: Style = getattr(role, _BAND_ROLES[word])
    spans: list[Span] = [(f"{word} ", style + BOLD), *ruler(selection, style, role, 20 if width > 90 else 12)]
    spans += _reason(selection, width, role)
    spans += [(f"{len(matched)}", role.text)]
    if width > 70:
        spans.append((" skill" if len(matched) == 1 else " skills", role.text))
    return [*spans, *_coming_along(selection, role, words=width > 90)]


def _reason(selection: Selection, width: int, role: Roles) -> list[Span]:
    if selection.gap is None:
        return [("  the only one → ", role.muted)]
    threshold = selection.rules.confidence_threshold
    spans = [(" gap " if width > 70 else " ", role.muted), (thousandths(selection.gap), role.text)]
    if width > 90:
        side = "under" if is_below(selection.gap, threshold) else "over"
        spans += [(f" {side} ", role.muted), (thousandths(threshold), role.text)]
    return [*spans, (" → ", role.muted)]


def _coming_along(selection: Selection, role: Roles, *, words: bool = True) -> list[Span]:
    spans: list[Span] = []
    for kind, word, style in ((Role.PINNED, " pinned", role.warning), (Role.DEPENDENCY, " needed", role.accent)):
        if count := len(selection.with_role(kind)):
            spans += [(" + ", role.muted), (f"{count}{word if words else ''}", style)]
    return spans


def ruler(selection: Selection, style: Style, role: Roles, width: int) -> list[Span]:
    """A line from 0 to `RULER_END` with a tick at each cut-off and a dot at the gap."""
    cells = ["─"] * width
    ticks = {gap_at(BANDS[1][0]), selection.rules.confidence_threshold}
    for tick in ticks:
        if tick < RULER_END:
            cells[round(tick / RULER_END * width)] = "┼"
    gap = RULER_END if selection.gap is None else selection.gap
    dot = min(width - 1, round(gap / RULER_END * width))
    left, right = "".join(cells[:dot]), "".join(cells[dot + 1 :])
    return [(left, role.hairline), ("●", style), (right, role.hairline), (" ", role.muted)]
