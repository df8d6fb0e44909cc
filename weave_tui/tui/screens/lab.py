"""The lab: labelled queries judged live, who takes whose, and what would change it.

It judges in a thread with the broker the main screen has, and again whenever that one's skills changed, so an edit
that is saved shows at once which verdicts flipped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from textual import work
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.message import Message
from textual.widget import Widget

from weave_tui.diagnostics import Diagnostic, worst_first
from weave_tui.lab import selftest
from weave_tui.lab.cases import CaseSet, find_case_files, read_cases
from weave_tui.lab.selftest import Echo
from weave_tui.lab.verdicts import Change, Verdict, change, figures, judge, passes
from weave_tui.lab.winning import Win, described, winning_edit
from weave_tui.skills import Skill
from weave_tui.tui.actions import PLACES
from weave_tui.tui.gathering import gathered
from weave_tui.tui.lab.lines import (
    case_lines,
    detail_lines,
    echo_figures,
    echo_lines,
    figure_lines,
    ordered,
    question_of,
)
from weave_tui.tui.rows import RowList
from weave_tui.tui.screens.lab_actions import DEEDS
from weave_tui.tui.screens.paned import PanedScreen
from weave_tui.tui.session import Session
from weave_tui.tui.widgets.bars import FooterBar, HeaderBar
from weave_tui.tui.widgets.pane import Pane
from weave_tui.tui.widgets.sentence import Sentence
from weave_tui.tui.widgets.small import TabsLine
from weave_tui.tui.widgets.text_rows import TextRows

LOOK_SECONDS = 0.5
TABS = (("1", "cases"), ("2", "figures"), ("3", "detail"))
MARKS = (
    ("✓ ✕", "what should answer is first, or nothing that should not; or not"),
    ("expected ← first", "who should answer, and who took the place"),
)


class LabScreen(PanedScreen[str]):
    """Cases, or the phrases of a self-test; figures; and the one under the cursor in full."""

    AUTO_FOCUS = "#cases"

    PLACE = PLACES["lab"]
    MARKS = MARKS

    @dataclass
    class Went(Message):
        """How far it is: so many of so many."""

        what: str
        done: int
        total: int

    @dataclass
    class Judged(Message):
        """Every case has its verdict."""

        session: Session
        found: CaseSet
        verdicts: tuple[Verdict, ...]

    @dataclass
    class Echoed(Message):
        """Every phrase has its echo."""

        echoes: tuple[Echo, ...]

    @dataclass
    class Won(Message):
        """An edit was looked for."""

        item: Verdict | Echo
        win: Win
        change: Change | None

    def __init__(
        self,
        session: Callable[[], Session | None],
        tune: Callable[[Session, Skill, str], None],
        rivals: tuple[Path, ...],
        files: list[Path],
    ) -> None:
        """`tune` edits a skill for a query. `files`: cases asked for by hand; the caller keeps them for next time."""
        super().__init__()
        self.session = session
        self.tune = tune
        self.rivals = rivals
        self.files = files
        self.found: CaseSet | None = None
        self.items: Sequence[Verdict | Echo] = []
        self.verdicts: tuple[Verdict, ...] = ()
        self.echoes: tuple[Echo, ...] | None = None
        self.changed: Change | None = None
        self.wins: dict[int, tuple[Win, Change | None]] = {}
        self._registry: object = None
        self.cases, self.figures, self.detail = TextRows("cases"), TextRows("figures"), TextRows("detail")
        self.tabs = TabsLine(TABS, id="tabs")
        self.nothing = Sentence(id="nothing")
        self.header = HeaderBar()
        self.footer = FooterBar(self.PLACE)

    def compose(self) -> ComposeResult:
        yield self.header
        yield self.tabs
        yield self.nothing
        with Container(id="panes"):
            yield Pane(1, "Text routing", self.cases, id="cases-pane")
            with Vertical(id="sources"):
                yield Pane(2, "Figures", self.figures, id="figures-pane")
                yield Pane(3, "Why", self.detail, id="detail-pane")
        yield self.footer
        yield self.too_small

    # Judging ------------------------------------------------------------------------------

    def on_mount(self) -> None:
        self.header.place = "lab"
        self.show_pane("cases")
        self._look_at_skills()
        self.set_interval(LOOK_SECONDS, self._look_at_skills)

    def _look_at_skills(self) -> None:
        """Judge again when the skills are others than the last time."""
        session = self.session()
        if session and session.broker.registry is not self._registry:
            self._registry = session.broker.registry
            self.judge_all(session)

    def reread(self) -> None:
        if session := self.session():
            self.judge_all(session)

    @work(thread=True, exclusive=True, group="lab", description="judge cases")
    def judge_all(self, session: Session) -> None:
        broker = session.broker
        files = find_case_files(session.loaded, self.rivals)
        found = read_cases([*files, *self.files], broker.registry)
        verdicts = gathered(judge(broker, found.cases, session.rules), self._telling("judged", len(found.cases)))
        if verdicts is not None:
            self.post_message(self.Judged(session, found, tuple(verdicts)))

    @work(thread=True, exclusive=True, group="lab", description="self-test")
    def self_test(self, session: Session) -> None:
        phrases = selftest.phrases(session.broker)
        echoes = gathered(selftest.ask(session.broker, phrases), self._telling("asked", len(phrases)))
        if echoes is not None:
            self.post_message(self.Echoed(tuple(echoes)))

    def _telling(self, what: str, total: int) -> Callable[[int], object]:
        return lambda done: self.post_message(self.Went(what, done, total))

    @work(thread=True, exclusive=True, group="win", description="find a winning edit")
    def find_win(self, session: Session, item: Verdict | Echo) -> None:
        question = question_of(item)
        if question.position is None:
            return
        win = winning_edit(session.broker, question.position, question.query)
        moved = None
        if self.found and self.verdicts and win.words:
            edited = described(session.broker, question.position, win.description)
            moved = change(passes(self.verdicts), list(judge(edited, self.found.cases, session.rules)))
        self.post_message(self.Won(item, win, moved))

    def on_lab_screen_went(self, event: Went) -> None:
        self.header.skills = f"{event.what} {event.done:,} of {event.total:,}"

    def on_lab_screen_judged(self, event: Judged) -> None:
        self.changed = change(passes(self.verdicts), event.verdicts) if self.verdicts else None
        self.found, self.verdicts = event.found, event.verdicts
        self.header.warnings = len(event.found.diagnostics)
        if self.echoes is not None and event.session is self.session():
            self.self_test(event.session)
        self.show_items()

    def on_lab_screen_echoed(self, event: Echoed) -> None:
        self.echoes = event.echoes
        self.show_items()

    def on_lab_screen_won(self, event: Won) -> None:
        self.wins[id(event.item)] = event.win, event.change
        if event.item is self.current:
            self._show_detail(keep_place=True)

    # Showing ------------------------------------------------------------------------------

    @property
    def current(self) -> Verdict | Echo | None:
        """The case or phrase under the cursor."""
        at = self.cases.line_index
        return self.items[at] if at < len(self.items) else None

    @property
    def diagnostics(self) -> list[Diagnostic]:
        return worst_first(self.found.diagnostics) if self.found else []

    def show_items(self) -> None:
        session = self.session()
        if session is None:
            return
        self.wins.clear()
        keep = bool(self.items)
        if self.echoes is not None:
            self.items = selftest.worst_first(self.echoes)
            self.cases.show(echo_lines(self.echoes), keep_place=keep)
            self.figures.show(echo_figures(self.echoes), keep_place=False)
            self.header.skills = f"self-test · {len(self.echoes):,} phrases"
        else:
            verdicts = ordered(self.verdicts)
            self.items = verdicts
            self.cases.show(case_lines(verdicts), keep_place=keep)
            self.figures.show(figure_lines(self.verdicts, session.rules, self.changed), keep_place=False)
            self.header.skills = f"{len(self.verdicts):,} labelled queries"
        self.set_class(not self.items and self.echoes is None, "-nothing")
        test, use, write = map(self.key, ("self_test", "use_file", "write_first"))
        self.nothing.text = f"no labelled queries here: {test} self-test now, {use} use a file, {write} write the first"
        hit = figures(self.verdicts).hit_1
        self.tabs.note = f"hit@1 {hit:.0%}" if hit is not None and self.echoes is None else ""
        failed = sum(not verdict.passed for verdict in self.verdicts)
        self.note("#cases-pane", f"{failed:,} not passed" if self.echoes is None else f"{len(self.items):,} lost")
        self._show_detail(keep_place=False)

    def _show_detail(self, *, keep_place: bool) -> None:
        session, item = self.session(), self.current
        if session and item:
            lines = detail_lines(session.broker, session.rules, item, self.wins.get(id(item)))
            self.detail.show(lines, keep_place=keep_place)
        else:
            self.detail.show([], keep_place=False)

    def on_row_list_moved(self, event: RowList.Moved) -> None:
        if event.rows is self.cases:
            self._show_detail(keep_place=False)

    # Moving about -------------------------------------------------------------------------

    @property
    def panes(self) -> dict[str, Widget]:
        return {"cases": self.cases, "figures": self.figures, "detail": self.detail}

    def action_do(self, name: str) -> None:
        DEEDS[name](self)
