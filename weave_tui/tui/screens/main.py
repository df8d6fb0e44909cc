"""The main screen: it owns the session, and everything that happens goes through it.

Widgets post messages, workers post messages, and the handlers here change the session and show
what came back. Late results carry a generation number and are dropped.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

from textual import work
from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical
from textual.events import Resize
from textual.message import Message
from textual.widgets import Input, Static
from textual.worker import Worker

from weave_tui.broker import Broker, Result
from weave_tui.broker.listing import Tag
from weave_tui.diagnostics import Diagnostic, Severity, worst_first
from weave_tui.lab.cases import find_case_files
from weave_tui.protocol import Platform
from weave_tui.skills import Skill
from weave_tui.text import one_line
from weave_tui.tui.actions import PLACES
from weave_tui.tui.filters import values_of
from weave_tui.tui.loader import difference
from weave_tui.tui.preview import Look, PreviewLine, Shown, preview, skill_preview
from weave_tui.tui.ranked import RankedRow, ranked_rows
from weave_tui.tui.reasons import Reasons, reasons
from weave_tui.tui.rows import RowList
from weave_tui.tui.screens.bands import BandsScreen
from weave_tui.tui.screens.base import size_class
from weave_tui.tui.screens.library import LibraryScreen
from weave_tui.tui.screens.main_actions import DEEDS, mark_in
from weave_tui.tui.screens.moving import MovingScreen
from weave_tui.tui.session import Session
from weave_tui.tui.start import Start
from weave_tui.tui.widgets.bars import FooterBar, HeaderBar, short_path
from weave_tui.tui.widgets.gap_line import GapLine
from weave_tui.tui.widgets.pane import Pane
from weave_tui.tui.widgets.prompt import PromptView
from weave_tui.tui.widgets.query import QueryInput
from weave_tui.tui.widgets.ranking import RankingList
from weave_tui.tui.widgets.registry import RegistryTree
from weave_tui.tui.widgets.small import AboutRow, TabsLine
from weave_tui.tui.widgets.why import WhyPane

MARKS = (
    ("✓ + ↳ ✕", "chosen, pinned, needed by another, excluded"),
    ("━━───", "a score: thick the words in common, thin the meaning"),
    ("1│ +│ ↳│", "whose line of the prompt it is; −│ where lines were left out"),
)

TOGETHER = 0.02
"""Seconds that a new ranking waits for its prompt, to be painted with it; most are composed in two milliseconds."""


class MainScreen(MovingScreen):
    """Query, ranking, prompt."""

    AUTO_FOCUS = "#query"

    PLACE = PLACES["skills"]
    MARKS = MARKS

    @dataclass
    class Composed(Message):
        """A composition is ready."""

        generation: int
        result: Result

    @dataclass
    class Scoped(Message):
        """What a tool lists is indexed; None for all tools."""

        session: Session
        scoped: tuple[Platform, Broker] | None

    @dataclass
    class CasesFound(Message):
        """Where a case for a skill could be written."""

        session: Session
        skill: Skill
        query: str
        files: tuple[Path, ...]

    def __init__(self, start: Start) -> None:
        super().__init__(start)
        self.session: Session | None = None
        self.shown = Shown()
        self._generation = 0
        self._single: Skill | None = None
        self.case_files: list[Path] = []
        """Files of labelled queries that were asked for by hand."""
        self.marked_in: Path | None = None
        """The file that the last case was written to."""
        self.query_input = QueryInput()
        self.how_many = Static("", id="how-many")
        self.gap = GapLine()
        self.registry, self.ranking, self.prompt = RegistryTree(), RankingList(), PromptView()
        self.why = WhyPane(id="why")
        self.tabs, self.about = TabsLine(id="tabs"), AboutRow(id="about")
        self.header = HeaderBar()
        self.footer = FooterBar(self.PLACE, "" if start.picked_view is None else "choose")

    def compose(self) -> ComposeResult:
        self.gap.id = "gap"
        yield self.header
        with Horizontal(id="query-line"):
            yield Static("❯ ", markup=False)
            yield self.query_input
            yield self.how_many
        yield self.gap
        yield self.tabs
        with Container(id="panes"):
            yield Pane(1, "Registry", self.registry, id="registry-pane")
            with Vertical(id="middle"):
                yield Pane(2, "Ranking", self.ranking, id="ranking-pane")
                yield self.why
            yield Pane(3, "Prompt", self.prompt, id="prompt-pane")
        yield self.about
        yield self.footer
        yield self.too_small

    # Loading ------------------------------------------------------------------------------

    def on_mount(self) -> None:
        where = self.start.where
        shown = where.paths[0] if len(where.paths) == 1 else where.cwd
        self.header.place = one_line(short_path(shown.absolute()))
        self.show_pane("ranking")
        self.query_input.value = self.start.query or self.kept.query
        if not self.start.query:
            # What one types replaces the last start's query; a cursor key keeps it.
            self.query_input.select_all()
        self.gap.show_problem("reading skills ...")
        # The first picture must not wait for the model: numpy and the rest load behind it.
        self.call_after_refresh(self.load)

    def current_broker(self) -> Broker | None:
        return self.session.broker if self.session else None

    def reread(self) -> None:
        self.load()

    def on_library_screen_progressed(self, event: LibraryScreen.Progressed) -> None:
        progress = event.progress
        if isinstance(progress, str):
            self.gap.show_problem(one_line(progress))
            self.say(progress, "error")
            return
        if self.session is None:
            start = self.start
            query, top_n = self.query_input.value, max(start.top_n, self.kept.top_n)
            self.session = Session(
                progress.broker, progress.loaded, query, top_n, start.rules, start.manner, self.restored()
            )
            if self.kept.scope:
                self.find_scope(self.session, self.kept.scope)
        else:
            if progress.is_done and (said := difference(self.session.loaded.skills, progress.loaded.skills)):
                self.say(said)
            self.session.loaded = progress.loaded
            if self.session.scope:
                self.find_scope(self.session, self.session.scope)
        count, total = len(progress.loaded.skills), progress.loaded.total
        noted = f"{count:,} skills" if progress.is_done else f"reading {progress.loaded.files:,} of {total:,}"
        self.header.skills = noted
        self.header.warnings = len([d for d in self.diagnostics() if d.severity is not Severity.INFO])
        self.rerank(keep_cursor=True)
        if progress.is_done:
            self.query_input.completing.values = values_of(progress.broker.registry)
            self.everything_is_read(progress.loaded)

    def diagnostics(self) -> list[Diagnostic]:
        """All there is to know, worst first."""
        if self.session is None:
            return list(self.start.keys.problems)
        registry = self.session.registry
        composed = self.session.result.diagnostics if self.session.result else ()
        return worst_first(
            (*self.start.keys.problems, *self.session.loaded.diagnostics, *registry.diagnostics, *composed)
        )

    @work(thread=True, exclusive=True, group="scope", description="scope")
    def find_scope(self, session: Session, scope: Platform | None) -> None:
        """Rank as that tool sees it, once what it lists is indexed; until then as before."""
        self.post_message(self.Scoped(session, (scope, session.broker.scoped(scope)) if scope else None))

    def on_main_screen_scoped(self, event: Scoped) -> None:
        before, event.session.scoped = event.session.scope, event.scoped
        if event.session.scope != before:
            seen = event.session.asked().listing
            self.say(f"as {seen.platform} lists it: {seen.summary}" if seen else "all tools")
        self.rerank(keep_cursor=True)

    # Ranking and composing ----------------------------------------------------------------

    async def on_input_changed(self, event: Input.Changed) -> None:
        if self.session and event.input is self.query_input:
            self.session.query = event.value
            composing = self.rerank(keep_cursor=False)
            # Until this handler is through nothing is painted: ranking and prompt come as one picture, not as two.
            if composing:
                await wait_for(composing, TOGETHER)

    def rerank(self, *, keep_cursor: bool) -> Worker[None] | None:
        """Ask the broker again and show the ranking at once; the prompt follows when it is composed."""
        session = self.session
        if session is None:
            return None
        current = self.ranking.current if keep_cursor else None
        selection = session.ask()
        rows = ranked_rows(selection, session.line.path, session.asked().listing, session.choices.pinned)
        at_first = next((i for i, row in enumerate(rows) if row), 0)
        cursor = next(
            (i for i, row in enumerate(rows) if row and current and row.row.skill.id == current.row.skill.id), at_first
        )
        asked = bool(selection.query.strip()) and selection.is_known
        self.ranking.show(rows, session.rules.min_score, cursor, scored=asked)
        self.how_many.update("1 or 2" if session.top_n == 1 else "2", layout=False)
        self._show_gap(session)
        passing = len(selection.ranking) - len(selection.outside)
        noted = f"{passing:,} of {len(selection.ranking):,}" if selection.outside else f"{passing:,}"
        if (seen := session.asked().listing) and (always := seen.counts[Tag.ALWAYS]):
            noted += f" · {always} always read"
        self.note("#ranking-pane", noted)
        self.tabs.note = noted
        if keep_cursor or not self.registry.rows:
            self.registry.show(session)
            self.note("#registry-pane", f"{len(session.registry):,}")
        self._show_reasons()
        self.changed()
        self._generation += 1
        return self.compose_prompt(session, self._generation)

    # Without a description Textual describes a worker by the repr of its arguments: a whole registry.
    @work(thread=True, group="compose", description="compose")
    def compose_prompt(self, session: Session, generation: int) -> None:
        if generation == self._generation:
            result = session.broker.compose(session.selection, session.manner)
            self.post_message(self.Composed(generation, result))

    def on_main_screen_composed(self, event: Composed) -> None:
        if event.generation == self._generation and self.session:
            before = self.session.result
            self.session.result = event.result
            same = before is not None and before.skills == event.result.skills
            self._show_prompt(keep_place=same)
            self._show_gap(self.session)

    def _show_gap(self, session: Session) -> None:
        """The verdict, or where there are no skills what to do about it."""
        if len(session.registry):
            self.gap.show(session)
        elif session.loaded.files == session.loaded.total:
            place = self.header.place
            self.gap.show_problem(f"no skills found in {place}: give a folder with SKILL.md, *.mdc or AGENTS.md")

    def _show_prompt(self, *, keep_place: bool) -> None:
        if self._single is not None:
            lines = skill_preview(self._single)
            self.note("#prompt-pane", f"one skill · {len(lines):,} lines")
            self.prompt.show(lines, keep_place=False)
            return
        result = self.session.result if self.session else None
        if result is None or not result.composition.pieces:
            self.note("#prompt-pane", "")
            self.prompt.show([PreviewLine("", None, Look.NOTE, self._nothing())], keep_place=False)
            return
        parts = len(result.composition.parts)
        self.note("#prompt-pane", f"{parts} {'part' if parts == 1 else 'parts'} · {result.composition.lines:,} lines")
        self.prompt.show(preview(result.composition, self.shown), keep_place=keep_place)

    def _nothing(self) -> str:
        """One sentence for an empty prompt, and the key that helps."""
        if self.session is None or not self.session.query.strip():
            return "the composed prompt appears here as you type"
        return f"no skill is chosen: {self.key('pin')} pins the current one, {self.key('bands')} moves the floor"

    def _show_reasons(self) -> None:
        session, current = self.session, self.ranking.current
        shown: Reasons | None = None
        shares: dict[int, float] = {}
        if session and current and session.selection.query.strip() and session.selection.is_known:
            first, second = self._first_two()
            neighbour = second if current is first else first
            shown = reasons(session, current.row, neighbour.row if neighbour else None)
            if first:
                explained = session.broker.explain(session.selection.ranking, first.row.position)
                shares = {share.word.start: share.total for share in explained}
        self.why.reasons = shown
        self.about.row, self.about.reasons = current, shown
        self.query_input.show_shares(shares)

    def _first_two(self) -> tuple[RankedRow | None, RankedRow | None]:
        rows = [row for row in self.ranking.rows[:4] if row]
        return (rows[0] if rows else None, rows[1] if len(rows) > 1 else None)

    def on_row_list_moved(self, event: RowList.Moved) -> None:
        if event.rows is self.ranking:
            self._show_reasons()
            self._follow()
        elif event.rows is self.registry:
            self._show_single()

    def on_row_list_pressed(self, event: RowList.Pressed) -> None:
        """A double click in the ranking is enter."""
        if event.rows is self.ranking and event.times == 2:
            self.action_accept()

    def _follow(self) -> None:
        """Bring the current row's part of the prompt into view, where it has one."""
        current, result = self.ranking.current, self.session.result if self.session else None
        for index, skill in enumerate(result.skills if result else ()):
            if current and skill is current.row.skill:
                self.prompt.go_to_part(index)

    def _show_single(self) -> None:
        """In the registry the prompt pane shows the skill under the cursor; elsewhere the composed prompt."""
        row = self.registry.current if self.registry.has_focus else None
        single = None
        if self.session and row and row.position is not None:
            single = self.session.registry.skills[row.position]
        if single is not self._single:
            self._single = single
            self._show_prompt(keep_place=False)

    def on_descendant_focus(self) -> None:
        self._show_single()

    # Layout -------------------------------------------------------------------------------

    def on_resize(self, event: Resize) -> None:
        if size_class(event.size.width, event.size.height) != "-tiny" and self.focused is None:
            self.query_input.focus()

    # Doing --------------------------------------------------------------------------------

    def action_do(self, name: str) -> None:
        DEEDS[name](self)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.input is self.query_input:
            self.action_accept()

    def action_accept(self) -> None:
        """Enter: copy the prompt, or as a picker end with the choice."""
        if not self._app.is_picker:
            DEEDS["copy"](self)
        elif self.session and self.session.selection.chosen:
            self._app.pick(self.session.composed())
        elif self.session:
            self._app.leave(1)

    def current_skill(self) -> Skill | None:
        """The skill that actions are about: under the cursor of the registry or the ranking."""
        if self._single is not None:
            return self._single
        return self.ranking.current.row.skill if self.ranking.current else None

    def show_as(self, shown: Shown) -> None:
        """Show the prompt with other folds or removed lines."""
        self.shown = shown
        self._show_prompt(keep_place=True)

    def on_bands_screen_changed(self, event: BandsScreen.Changed) -> None:
        if self.session:
            self.session.rules = event.rules
            self.rerank(keep_cursor=True)

    @work(thread=True, exclusive=True, group="cases", description="look for cases")
    def look_for_cases(self, session: Session, skill: Skill, query: str) -> None:
        files = find_case_files(session.loaded, self.start.rivals)
        self.post_message(self.CasesFound(session, skill, query, (*files, *self.case_files)))

    def on_main_screen_cases_found(self, event: CasesFound) -> None:
        mark_in(self, event.session, event.skill, event.query, event.files)

    def leave(self, code: int, text: str = "") -> None:
        self._app.leave(code, text)

    def leave_quietly(self) -> None:
        """Quit without a choice."""
        self._app.leave(130 if self._app.is_picker else 0)


async def wait_for(worker: Worker[None], seconds: float) -> None:
    """Until the worker has ended, however it did, or the time is over."""
    ended = asyncio.ensure_future(worker.wait())
    ended.add_done_callback(lambda done: done.cancelled() or done.exception())  # Textual tells of a failure itself
    await asyncio.wait({ended}, timeout=seconds)
