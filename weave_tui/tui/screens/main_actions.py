"""What each action of the main screen does: one function an action, by its name in the action table.

Where an action cannot be done it says why; nothing is done in silence.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from weave_tui.broker import Result
from weave_tui.diagnostics import Diagnostic
from weave_tui.lab import marking
from weave_tui.lab.draft import open_draft
from weave_tui.skills import Skill
from weave_tui.skills.rewrite import EditError
from weave_tui.tui.panes import PanesError, TmuxPane, panes, paste
from weave_tui.tui.screens.agents import AgentsScreen
from weave_tui.tui.screens.bands import BandsScreen
from weave_tui.tui.screens.base import WorkScreen
from weave_tui.tui.screens.choose import ChooseScreen
from weave_tui.tui.screens.compare import CompareScreen
from weave_tui.tui.screens.diagnostics import DiagnosticsScreen
from weave_tui.tui.screens.edit_here import EditHere
from weave_tui.tui.screens.lab import LabScreen
from weave_tui.tui.screens.save import SaveScreen
from weave_tui.tui.screens.yank import Yank, YankScreen
from weave_tui.tui.session import Session
from weave_tui.tui.widgets.bars import short_path

if TYPE_CHECKING:
    from weave_tui.tui.screens.main import MainScreen

NOT_READ = "nothing is read yet"


def say_nothing_chosen(screen: MainScreen) -> None:
    screen.say(f"nothing to copy: no skill is chosen ({screen.key('pin')} pins the current one)", "warning")


def _with_skill(screen: MainScreen, then: Callable[[Session, Skill], None]) -> None:
    skill = screen.current_skill()
    if screen.session is None:
        screen.say(NOT_READ, "warning")
    elif skill is None:
        screen.say("no skill is current", "warning")
    else:
        then(screen.session, skill)


def _with_prompt(screen: MainScreen, then: Callable[[Result], None]) -> None:
    """The composition of what is chosen now, also while a newer one is on its way to the preview."""
    if screen.session is None:
        screen.say(NOT_READ, "warning")
        return
    result = screen.session.composed()
    if result.composition.text:
        then(result)
    else:
        say_nothing_chosen(screen)


def copy(screen: MainScreen) -> None:
    def then(result: Result) -> None:
        screen.send(f"{result.composition.tokens:,} tokens", result.composition.text)

    _with_prompt(screen, then)


def pin(screen: MainScreen) -> None:
    def then(session: Session, skill: Skill) -> None:
        screen.say(f"pinned {skill.name}" if session.toggle_pin(skill) else f"let go of {skill.name}")
        screen.rerank(keep_cursor=True)

    _with_skill(screen, then)


def exclude(screen: MainScreen) -> None:
    def then(session: Session, skill: Skill) -> None:
        excluded = session.toggle_exclude(skill)
        count = len(session.registry.named(skill.name))
        all_of = f" (all {count} of that name)" if count > 1 else ""
        screen.say(f"excluded {skill.name}{all_of}" if excluded else f"admitted {skill.name} again")
        screen.rerank(keep_cursor=True)

    _with_skill(screen, then)


def undo(screen: MainScreen) -> None:
    if screen.session and screen.session.undo():
        screen.say("taken back")
        screen.rerank(keep_cursor=True)
    else:
        screen.say("nothing to take back", "warning")


def yank(screen: MainScreen) -> None:
    def then(chosen: Yank | None) -> None:
        if chosen is None or screen.session is None:
            return
        text = chosen.text(screen.session, screen.current_skill())
        if text:
            screen.send(chosen.title, text)
        else:
            say_nothing_chosen(screen)

    if screen.session is None:
        screen.say(NOT_READ, "warning")
    else:
        screen.app.push_screen(YankScreen(), then)


def save(screen: MainScreen) -> None:
    def written(path: Path | None) -> None:
        if path:
            screen.say(f"written to {short_path(path)}")

    def then(result: Result) -> None:
        screen.app.push_screen(SaveScreen(result.composition.text), written)

    _with_prompt(screen, then)


def hand_off(screen: MainScreen) -> None:
    def then(result: Result) -> None:
        try:
            others = panes()
        except PanesError as error:
            screen.say(str(error), "warning")
            return
        screen.app.push_screen(
            ChooseScreen("Paste into a pane, without Enter", [str(pane) for pane in others]),
            lambda at: send(others[at], result) if at is not None else None,
        )

    def send(pane: TmuxPane, result: Result) -> None:
        try:
            paste(pane, result.composition.text)
        except PanesError as error:
            screen.say(str(error), "error")
        else:
            screen.remember_query()
            screen.say(f"pasted {result.composition.tokens:,} tokens into {pane.place}; Enter is yours")

    _with_prompt(screen, then)


def edit(screen: MainScreen) -> None:
    _with_skill(screen, lambda session, skill: screen.open_in_editor(skill.locations[0], skill.body_line))


def edit_here(screen: MainScreen) -> None:
    _with_skill(screen, lambda session, skill: open_edit(screen, session, skill, session.line.text))


def open_edit(screen: MainScreen, session: Session, skill: Skill, query: str) -> None:
    """Edit the skill in place, ranked for the query; read again once it is written."""

    def written(path: Path | None) -> None:
        if path:
            screen.say(f"written to {short_path(path)}")
            screen.reread()

    try:
        draft = open_draft(skill)
    except EditError as error:
        shown = screen.app.screen
        if isinstance(shown, WorkScreen):
            shown.say(str(error), "warning")
    else:
        screen.app.push_screen(EditHere(session, draft, screen.start.rivals, query), written)


def one_or_two(screen: MainScreen) -> None:
    if screen.session is None:
        screen.say(NOT_READ, "warning")
        return
    screen.session.top_n = 3 - screen.session.top_n
    screen.say("two skills" if screen.session.top_n == 2 else "one skill, two when it is close")
    screen.rerank(keep_cursor=True)


def scope(screen: MainScreen) -> None:
    if screen.session is None:
        screen.say(NOT_READ, "warning")
        return
    screen.find_scope(screen.session, screen.session.next_scope())


def bands(screen: MainScreen) -> None:
    if screen.session is None:
        screen.say(NOT_READ, "warning")
    else:
        screen.app.push_screen(BandsScreen(screen.session.rules))


def fold(screen: MainScreen) -> None:
    """All parts, or in the prompt pane the one that is in view."""
    part = screen.prompt.part_in_view
    if screen.prompt.has_focus and part is not None:
        screen.show_as(replace(screen.shown, turned=screen.shown.turned ^ {part}))
    else:
        screen.show_as(replace(screen.shown, folded=not screen.shown.folded, turned=frozenset()))


def removed(screen: MainScreen) -> None:
    screen.show_as(replace(screen.shown, removed=not screen.shown.removed))
    result = screen.session.result if screen.session else None
    if screen.shown.removed and result and not result.composition.removed:
        screen.say("nothing was left out")


def why(screen: MainScreen) -> None:
    if screen.has_class("-small"):
        screen.action_pane("why")
    else:
        screen.toggle_class("-why-other")


def compare(screen: MainScreen) -> None:
    def then(session: Session, skill: Skill) -> None:
        selection = session.selection
        if not selection.query.strip() or not selection.is_known:
            screen.say("nothing to compare before there is a query that is known", "warning")
            return
        own = selection.ranking.row(selection.ranking.registry.positions[skill.id])
        other = selection.rival(own.position)
        if other is None:
            screen.say("there is no other skill to compare with", "warning")
        else:
            screen.app.push_screen(CompareScreen(session.asked(), selection, own, other))

    _with_skill(screen, then)


def mark(screen: MainScreen) -> None:
    def then(session: Session, skill: Skill) -> None:
        if query := session.line.text.strip():
            screen.look_for_cases(session, skill, query)
        else:
            screen.say("a query first: it is marked as one for the current skill", "warning")

    _with_skill(screen, then)


def mark_in(screen: MainScreen, session: Session, skill: Skill, query: str, files: Sequence[Path]) -> None:
    """Write the case; ask which file, once, when there are several."""

    def write(path: Path) -> None:
        screen.marked_in = path
        try:
            done = marking.mark(path, query, skill.name, session.registry)
        except marking.MarkingError as error:
            screen.say(str(error), "error")
        else:
            shown = short_path(done.path)
            screen.say(f"{skill.name} is expected: written to {shown}" if done.is_new else f"{shown} has it already")

    usable = marking.targets(files, session.loaded, skill)
    if screen.marked_in in usable or len(usable) == 1:
        write(screen.marked_in if screen.marked_in in usable else usable[0])
    else:
        choices = [short_path(path) for path in usable]
        screen.app.push_screen(
            ChooseScreen("Mark as expected in", choices), lambda at: write(usable[at]) if at is not None else None
        )


def lab(screen: MainScreen) -> None:
    def then(query: str | None) -> None:
        screen.action_focus_query()
        if query:
            screen.query_input.value = query
        elif query == "":
            screen.say(f"type a query, move to the right skill, then {screen.key('mark')} marks it as expected")

    def tune(session: Session, skill: Skill, query: str) -> None:
        open_edit(screen, session, skill, query)

    labs = LabScreen(lambda: screen.session, tune, screen.start.rivals, screen.case_files)
    screen.app.push_screen(labs, then)


def diagnostics(screen: MainScreen) -> None:
    def then(chosen: Diagnostic | None) -> None:
        if chosen and chosen.path:
            screen.open_in_editor(chosen.path, chosen.line)

    found = screen.diagnostics()
    if found:
        screen.app.push_screen(DiagnosticsScreen(found), then)
    else:
        screen.say("nothing to tell: every file was read as it is")


def agents(screen: MainScreen) -> None:
    screen.app.push_screen(AgentsScreen(screen.start, lambda: screen.session.broker if screen.session else None))


def reload(screen: MainScreen) -> None:
    screen.say("reading again ...")
    screen.load()


def print_and_quit(screen: MainScreen) -> None:
    _with_prompt(screen, lambda result: screen.leave(0, result.composition.text))


def quit_app(screen: MainScreen) -> None:
    screen.leave_quietly()


DEEDS: dict[str, Callable[[MainScreen], None]] = {
    "copy": copy,
    "pin": pin,
    "exclude": exclude,
    "undo": undo,
    "yank": yank,
    "save": save,
    "hand_off": hand_off,
    "edit": edit,
    "edit_here": edit_here,
    "one_or_two": one_or_two,
    "scope": scope,
    "bands": bands,
    "fold": fold,
    "removed": removed,
    "why": why,
    "compare": compare,
    "mark": mark,
    "lab": lab,
    "diagnostics": diagnostics,
    "agents": agents,
    "reload": reload,
    "print": print_and_quit,
    "quit": quit_app,
}
