"""The part of the main screen that keeps what a project had: taken back at the start, written as it changes."""

from __future__ import annotations

from textual import work
from textual.timer import Timer

from weave_tui.tui.screens.base import WorkScreen
from weave_tui.tui.screens.history import HistoryScreen
from weave_tui.tui.screens.library import LibraryScreen
from weave_tui.tui.session import Choices, Session
from weave_tui.tui.start import Start
from weave_tui.tui.state import Kept, StateError, read_state, root_of, with_query, write_state
from weave_tui.tui.widgets.query import QueryInput

KEEP_SECONDS = 1.0
"""After the last change, so that typing writes nothing."""
STOOD_SECONDS = 3.0
"""A query that stood so long is one of the earlier queries from then on; one that was copied is at once."""


class KeepingScreen(LibraryScreen):
    """Knows the state of the project, where one is kept."""

    session: Session | None
    query_input: QueryInput

    def __init__(self, start: Start) -> None:
        super().__init__(start)
        kept = Kept()
        self._written: Kept | None = None
        self._problem = ""
        self._keeping: Timer | None = None
        self._standing: Timer | None = None
        if start.state:
            try:
                kept = read_state(start.state)
            except StateError as error:
                self._problem = str(error)
        self.kept = kept.model_copy(update={"root": root_of(start.where)})

    def restored(self) -> Choices:
        """The pins and exclusions to begin with: what was given on the command line counts beside what was kept."""
        if self._problem:
            self.say(self._problem, "warning")
        excluded = tuple(dict.fromkeys((*self.start.exclude, *self.kept.excluded)))
        return Choices(pinned=self.kept.pinned, excluded=excluded)

    def changed(self) -> None:
        """Something that is kept may be another now."""
        if self.start.state is None:
            return
        for timer in (self._keeping, self._standing):
            if timer:
                timer.stop()
        self._keeping = self.set_timer(KEEP_SECONDS, self.keep)
        self._standing = self.set_timer(STOOD_SECONDS, self.remember_query)

    def remember_query(self) -> None:
        """The query is one of the earlier ones from now on."""
        if self.session and self.start.state:
            self._with_history(self.session)
            self.keep()

    def _with_history(self, session: Session) -> None:
        history = with_query(self.kept.history, session.query) if session.query.strip() else self.kept.history
        self.kept = self.kept.model_copy(update={"history": history})

    def keep(self) -> None:
        """Write what is kept, if it is not what was written last."""
        if self.session and self.start.state:
            now = self._now(self.session)
            if now != self._written:
                self._written = self.kept = now
                self._write(now)

    def _now(self, session: Session) -> Kept:
        excluded = tuple(name for name in session.choices.excluded if name not in self.start.exclude)
        now = {"query": session.query, "pinned": session.choices.pinned, "excluded": excluded}
        return self.kept.model_copy(update={**now, "top_n": session.top_n, "scope": session.scope})

    @work(thread=True, exclusive=True, group="keep", description="keep the state")
    def _write(self, kept: Kept) -> None:
        self._write_now(kept)

    def _write_now(self, kept: Kept) -> None:
        """Write it, and say so once if that cannot be."""
        if self.start.state is None:
            return
        try:
            write_state(self.start.state, kept)
        except StateError as error:
            if not self._problem:
                self._problem = str(error)
                self.app.call_later(self.say, self._problem, "warning")

    def on_unmount(self) -> None:
        """At the end nothing may be left to a thread."""
        if self.session and self.start.state:
            self._with_history(self.session)
            self._write_now(self._now(self.session))

    def on_work_screen_sent(self, event: WorkScreen.Sent) -> None:
        """What was copied was meant: its query is worth keeping. (The base class tells how it went.)"""
        self.remember_query()

    def action_history(self) -> None:
        def then(query: str | None) -> None:
            if query is not None:
                self.query_input.value = query
                self.query_input.focus()

        if self.kept.history:
            self.app.push_screen(HistoryScreen(self.kept.history), then)
        elif self.start.state:
            self.say("no earlier query of this project is kept yet", "warning")
        else:
            self.say("nothing is kept here: the app was started so", "warning")
