"""Edit here: description and triggers of a skill, ranked with each keystroke, written once the diff was seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from textual import work
from textual.binding import Binding
from textual.events import Resize
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Label, TextArea

from weave_tui.broker import Broker
from weave_tui.lab import selftest
from weave_tui.lab.cases import find_case_files, read_cases
from weave_tui.lab.draft import (
    Draft,
    Home,
    Reworded,
    Standing,
    counters,
    echo_changes,
    edited,
    open_draft,
    ranked,
    reworded,
    scores_of,
)
from weave_tui.lab.selftest import Echo
from weave_tui.lab.verdicts import Verdict, change, judge, passes
from weave_tui.skills.edits import ChangedMeanwhileError, commit
from weave_tui.skills.rewrite import EditError
from weave_tui.text import one_line
from weave_tui.tui.gathering import gathered
from weave_tui.tui.lines import ShownLine, Stretch, Tone, plain
from weave_tui.tui.screens.dialog import Dialog
from weave_tui.tui.screens.diff import DiffScreen
from weave_tui.tui.session import Session
from weave_tui.tui.strips import thousandths
from weave_tui.tui.widgets.bars import short_path
from weave_tui.tui.widgets.text_rows import TextRows

SHORT = 30
"""Lines of a terminal below which everything has fewer."""
RANK_SECONDS, JUDGE_SECONDS = 0.02, 0.4
"""The pause in typing after which a draft is ranked, and after which all cases are judged with it."""


@dataclass(frozen=True)
class Measure:
    """The skills as they are: the verdicts of all cases, and once they are asked the echoes of all phrases with what
    the edited skill scores for each."""

    verdicts: Sequence[Verdict]
    echoes: Sequence[Echo] | None = None
    scores: Sequence[float] = ()


class EditHere(Dialog[Path | None]):
    """Answers with the file that was written, or None."""

    DEFAULT_CSS = """
    EditHere > Vertical { width: 95%; max-width: 120; }
    EditHere TextArea, EditHere TextArea:focus { border: none; padding: 0 1; height: 6; background: $panel; }
    EditHere #triggers { height: 5; }
    EditHere Label { padding: 0 1; color: $muted; width: 1fr; }
    EditHere .head { padding: 1 1 0 1; }
    EditHere TextRows { height: 10; margin-top: 1; }
    EditHere.-short #description { height: 4; }
    EditHere.-short #triggers { height: 2; }
    EditHere.-short .head { padding: 0 1; }
    EditHere.-short TextRows { height: 8; margin-top: 0; }
    """
    KEYS = "ctrl+s writes · tab · esc closes"
    BINDINGS = [
        Binding("ctrl+s", "save", show=False, priority=True),
        Binding("f2", "other_home", show=False, priority=True),
        Binding("escape", "close", show=False, priority=True),
    ]

    @dataclass
    class Ranked(Message):
        """How the draft stands."""

        generation: int
        standing: Standing | None
        counted: str

    @dataclass
    class Measured(Message):
        """What drafts are compared with, as far as it is known."""

        measure: Measure

    @dataclass
    class Judged(Message):
        """What the draft does to all cases and phrases."""

        generation: int
        effect: str

    def __init__(self, session: Session, draft: Draft, rivals: tuple[Path, ...], query: str) -> None:
        super().__init__()
        self.title = f"Edit {one_line(draft.skill.name)}"
        self._session, self._rivals = session, rivals
        self._broker: Broker = session.broker
        self._position = self._broker.registry.positions[draft.skill.id]
        self._query = query
        self.draft = draft
        self.home = draft.homes[0]
        self.current: Reworded | None = None
        self.before = ranked(self._broker, self._position, self._query, session.rules)
        self.after = self.before
        self.effect = ""
        self.problem = ""
        self._counted = counters(self._broker, draft.skill, draft.description)
        self._generation = 0
        self._asked_to_leave = False
        self._measure: Measure | None = None
        self.description = TextArea(draft.description, id="description", soft_wrap=True, tab_behavior="focus")
        self.triggers = TextArea("\n".join(draft.triggers), id="triggers", soft_wrap=True, tab_behavior="focus")
        self.rows = TextRows("standing")

    def inside(self) -> list[Widget]:
        return [
            Label("description", markup=False),
            self.description,
            Label(self._triggers_title(), id="home", classes="head", markup=False),
            self.triggers,
            self.rows,
        ]

    def _triggers_title(self) -> str:
        where = f", written to {self.home} (f2: {self._other_home})" if len(self.draft.homes) > 1 else ""
        return f"trigger patterns, one a line{where}"

    @property
    def _other_home(self) -> Home:
        return next((home for home in self.draft.homes if home is not self.home), self.home)

    def on_mount(self) -> None:
        self.description.focus()
        self.description.move_cursor(self.description.document.end)
        self._show()
        self._changed()
        self.measure()

    # Following ----------------------------------------------------------------------------

    def on_resize(self, event: Resize) -> None:
        self.set_class(event.size.height < SHORT, "-short")

    def on_text_area_changed(self) -> None:
        self._asked_to_leave = False
        self._changed()

    def _changed(self) -> None:
        self._generation += 1
        generation = self._generation
        try:
            triggers = self.triggers.text.split("\n")
            self.current = reworded(self.draft, self.description.text, triggers, self.home)
            self.problem = ""
        except EditError as error:
            self.current, self.problem = None, str(error)
            self._show()
            return
        self.set_timer(RANK_SECONDS, self._still(generation, self.rank))
        self.set_timer(JUDGE_SECONDS, self._still(generation, self.judge_all))

    def _still(self, generation: int, work: Callable[[int, Reworded], object]) -> Callable[[], None]:
        """Do the work unless something was typed meanwhile."""

        def done() -> None:
            if generation == self._generation and self.current:
                work(generation, self.current)

        return done

    @work(thread=True, exclusive=True, group="rank draft", description="rank the draft")
    def rank(self, generation: int, now: Reworded) -> None:
        changed = edited(self._broker, self._position, now.skill)
        standing = ranked(changed, self._position, self._query, self._session.rules)
        counted = counters(self._broker, self.draft.skill, now.skill.description)
        self.post_message(self.Ranked(generation, standing, counted))

    @work(thread=True, exclusive=True, group="measure", description="judge the skills as they are")
    def measure(self) -> None:
        """What drafts are compared with, once: the labelled queries first, since phrases take longest."""
        broker, rules = self._broker, self._session.rules
        found = read_cases(find_case_files(self._session.loaded, self._rivals), broker.registry)
        verdicts = gathered(judge(broker, found.cases, rules))
        if verdicts is None:
            return
        self.post_message(self.Measured(Measure(verdicts)))
        echoes = gathered(selftest.ask(broker, selftest.phrases(broker)))
        scores = None if echoes is None else gathered(scores_of(broker, self._position, echoes, rules))
        if echoes is not None and scores is not None:
            self.post_message(self.Measured(Measure(verdicts, echoes, scores)))

    def on_edit_here_measured(self, event: Measured) -> None:
        self._measure = event.measure
        self._still(self._generation, self.judge_all)()

    @work(thread=True, exclusive=True, group="judge draft", description="judge the draft")
    def judge_all(self, generation: int, now: Reworded) -> None:
        """The net effect, over what is measured by now."""
        measure, rules = self._measure, self._session.rules
        if measure is None:
            return
        changed = edited(self._broker, self._position, now.skill)
        after = gathered(judge(changed, [verdict.case for verdict in measure.verdicts], rules))
        if after is None:
            return
        said = f"over {len(after):,} labelled queries {change(passes(measure.verdicts), after)}" if after else ""
        self.post_message(self.Judged(generation, said))
        if measure.echoes is None:
            return
        scores = gathered(scores_of(changed, self._position, measure.echoes, rules))
        if scores is not None:
            let_go, taken = echo_changes(measure.echoes, self._position, measure.scores, scores)
            phrases = f"of the others' {len(measure.echoes):,} phrases it takes {taken}, lets go of {let_go}"
            self.post_message(self.Judged(generation, f"{said} · {phrases}" if said else phrases))

    def on_edit_here_ranked(self, event: Ranked) -> None:
        if event.generation == self._generation:
            self.after, self._counted = event.standing, event.counted
            self._show()

    def on_edit_here_judged(self, event: Judged) -> None:
        if event.generation == self._generation:
            self.effect = event.effect
            self._show()

    def _show(self) -> None:
        self.rows.show(self._lines(), keep_place=True)

    def _lines(self) -> Sequence[ShownLine]:
        if self.problem:
            return [plain(self.problem, "error")]
        lines: list[ShownLine] = []
        rows: list[ShownLine] = []
        if self.before and self.after:
            moved: Tone = "success" if self.after.place < self.before.place else "text"
            if self.after.place > self.before.place:
                moved = "error"
            lines.append(plain(f"{_said(self.before)} → {_said(self.after)}", moved, bold=True))
            rows = [self._row(place, row.skill.name, row.score) for place, row in enumerate(self.after.rows, 1)]
        else:
            lines.append(plain("no query that is known: type one first to see how it ranks", "muted"))
        lines.append(plain(self.effect or "judging all labelled queries and phrases ...", "muted"))
        return [*lines, plain(self._counted, "muted"), *rows]

    def _row(self, place: int, name: str, score: float) -> ShownLine:
        own = name == self.draft.skill.name
        text = f"{place}  {thousandths(score)}  {one_line(name)}"
        return ShownLine((Stretch(text, "text" if own else "muted", bold=own),), stop=False, wraps=False)

    # Ending -------------------------------------------------------------------------------

    def action_other_home(self) -> None:
        self.home = self._other_home
        self.query_one("#home", Label).update(self._triggers_title())
        self._changed()

    def action_close(self) -> None:
        if (self.current is not None and not self.current.edits and not self.problem) or self._asked_to_leave:
            self.dismiss(None)
            return
        self._asked_to_leave = True
        self._tell("not written: esc again throws the edit away, ctrl+s shows it")

    def _tell(self, text: str) -> None:
        self.rows.show([plain(text, "warning")], keep_place=False)

    def action_save(self) -> None:
        if self.current is None:
            return
        if not self.current.edits:
            self._tell("nothing changed yet")
            return
        self._ask(self.current)

    def _ask(self, now: Reworded, note: str = "") -> None:
        def then(agreed: bool | None) -> None:
            if agreed:
                self._write(now)

        self.app.push_screen(DiffScreen(now.edits, note), then)

    def _write(self, now: Reworded) -> None:
        try:
            for edit in now.edits:
                commit(edit)
        except ChangedMeanwhileError:
            self._again()
        except EditError as error:
            self.problem = str(error)
            self._show()
        else:
            self.dismiss(now.edits[0].path)

    def _again(self) -> None:
        """The file is another one now: show what the edit does to it, and ask again."""
        try:
            self.draft = open_draft(self.draft.skill)
        except EditError as error:
            self.problem = str(error)
            self._show()
            return
        self._changed()
        if self.current:
            changed = short_path(self.draft.skill.path)
            self._ask(self.current, f"{changed} changed on disk meanwhile; this is the edit to it")


def _said(standing: Standing) -> str:
    return f"number {standing.place} {thousandths(standing.score)}"
