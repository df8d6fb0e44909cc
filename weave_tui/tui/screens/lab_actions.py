"""What each action of the lab does: one function an action, by its name in the action table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from weave_tui.diagnostics import Diagnostic
from weave_tui.lab.selftest import Echo
from weave_tui.lab.verdicts import Verdict
from weave_tui.tui.lab.lines import question_of
from weave_tui.tui.screens.ask_path import AskPath
from weave_tui.tui.screens.diagnostics import DiagnosticsScreen

if TYPE_CHECKING:
    from weave_tui.tui.screens.lab import LabScreen

NOT_READ = "nothing is read yet"


def try_query(screen: LabScreen) -> None:
    """Go back to the main screen with the query of the case."""
    if screen.current:
        screen.dismiss(question_of(screen.current).query)


def self_test(screen: LabScreen) -> None:
    session = screen.session()
    if session is None:
        screen.say(NOT_READ, "warning")
    elif screen.echoes is None:
        screen.say("asking every phrase of every skill ...")
        screen.self_test(session)
    else:
        screen.echoes = None
        screen.show_items()


def tune(screen: LabScreen) -> None:
    session, item = screen.session(), screen.current
    question = question_of(item) if item else None
    if session is None or question is None:
        screen.say("no case is current", "warning")
    elif question.position is None:
        screen.say("this case expects no skill to tune", "warning")
    else:
        screen.tune(session, session.broker.registry.skills[question.position], question.query)


def win(screen: LabScreen) -> None:
    session, item = screen.session(), screen.current
    if session is None or item is None:
        screen.say("no case is current", "warning")
    elif isinstance(item, Echo):
        screen.say("these are the skill's own words already: look at who takes them", "warning")
    elif question_of(item).position is None:
        screen.say("this case expects no skill that could win", "warning")
    else:
        screen.say("looking for a smallest edit ...")
        screen.find_win(session, item)


def use_file(screen: LabScreen) -> None:
    def then(path: Path | None) -> None:
        if path:
            screen.files.append(path)
            screen.reread()

    screen.app.push_screen(AskPath("Use a file of labelled queries", "JSON or JSON lines, see the docs"), then)


def write_first(screen: LabScreen) -> None:
    screen.dismiss("")


def edit(screen: LabScreen) -> None:
    item = screen.current
    if isinstance(item, Verdict):
        screen.open_in_editor(item.case.path, item.case.line)
    elif session := screen.session():
        if item:
            skill = session.broker.registry.skills[item.phrase.position]
            screen.open_in_editor(skill.locations[0], 1)
        else:
            screen.say("no case is current", "warning")


def diagnostics(screen: LabScreen) -> None:
    def then(chosen: Diagnostic | None) -> None:
        if chosen and chosen.path:
            screen.open_in_editor(chosen.path, chosen.line)

    if screen.diagnostics:
        screen.app.push_screen(DiagnosticsScreen(screen.diagnostics), then)
    else:
        screen.say("nothing to tell: every case could be used")


def reload(screen: LabScreen) -> None:
    screen.say("judging again ...")
    screen.reread()


DEEDS: dict[str, Callable[[LabScreen], None]] = {
    "try": try_query,
    "self_test": self_test,
    "tune": tune,
    "win": win,
    "use_file": use_file,
    "write_first": write_first,
    "edit": edit,
    "diagnostics": diagnostics,
    "reload": reload,
}
