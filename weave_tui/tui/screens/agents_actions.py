"""What each action of the agents screen does: one function an action, by its name in the action table."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from weave_tui import prompts
from weave_tui.diagnostics import Diagnostic
from weave_tui.prompts.places import Place
from weave_tui.tui.screens.diagnostics import DiagnosticsScreen
from weave_tui.tui.screens.save import SaveScreen
from weave_tui.tui.widgets.bars import short_path

if TYPE_CHECKING:
    from weave_tui.tui.screens.agents import AgentsScreen


def _say_no_prompt(screen: AgentsScreen) -> None:
    screen.say(f"nothing to copy: there is no prompt ({screen.key('edit')} opens what is wrong)", "warning")


def copy(screen: AgentsScreen) -> None:
    if screen.text:
        screen.send(f"the prompt of {_target(screen)}", screen.text)
    else:
        _say_no_prompt(screen)


def _target(screen: AgentsScreen) -> str:
    return screen.agents.current.target if screen.agents.current else ""


def skills(screen: AgentsScreen) -> None:
    if screen.skills is None or not screen.skills[1].text:
        screen.say(f"{_target(screen)} has no skills here", "warning")
        return
    screen.with_skills = not screen.with_skills
    screen.say("skills are part of the prompt" if screen.with_skills else "skills are only named")
    screen.show_entry()


def descriptor(screen: AgentsScreen) -> None:
    composition = screen.composition
    if composition is None:
        _say_no_prompt(screen)
        return
    text = json.dumps(prompts.document(composition), ensure_ascii=False, indent=2)
    screen.send(f"the descriptor of {_target(screen)}", text)


def save(screen: AgentsScreen) -> None:
    def written(path: Path | None) -> None:
        if path:
            screen.say(f"written to {short_path(path)}")

    if screen.text:
        screen.app.push_screen(SaveScreen(screen.text), written)
    else:
        _say_no_prompt(screen)


def diagnostics(screen: AgentsScreen) -> None:
    def then(chosen: Diagnostic | None) -> None:
        if chosen and chosen.path:
            screen.open_in_editor(chosen.path, chosen.line)

    if screen.project and screen.project.diagnostics:
        screen.app.push_screen(DiagnosticsScreen(screen.project.diagnostics), then)
    else:
        screen.say("nothing to tell: no error and no lint")


def reload(screen: AgentsScreen) -> None:
    screen.say("reading again ...")
    screen.reread()


def edit(screen: AgentsScreen) -> None:
    if screen.project is None:
        return
    place = place_of(screen)
    if place:
        screen.open_in_editor(place.file, place.line)
        return
    folder = screen.project.folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        screen.say(f"{short_path(folder)} cannot be made: {error.strerror}", "error")
        return
    screen.open_in_editor(folder / "config.weave", 1)
    with contextlib.suppress(OSError):
        folder.rmdir()  # only when nothing was written into it


def place_of(screen: AgentsScreen) -> Place | None:
    """The file and line that the cursor is about: of the tag, of the template's line, of the declaration."""
    line = (
        screen.prompt.line if screen.prompt.has_focus else screen.template.line if screen.template.has_focus else None
    )
    if line and line.place:
        return line.place
    made = screen.template.find(line.origins[:1]) if line else None
    if made is not None:
        return screen.template.shown[made].place
    project, entry = screen.project, screen.agents.current
    if project is None or entry is None:
        return None
    composer = project.report.composer if project.report else None
    if composer is None:
        wrong = next((found for found in project.diagnostics if str(found.path) == entry.name), None)
        return Place(Path(entry.name), wrong.line if wrong else 1, 1)
    path = ("agents", entry.name) if entry.kind == "agent" else ("workflows", entry.group, "steps", entry.name)
    member = composer.roster.get(entry.name) if entry.kind == "agent" else None
    return member.place if member else composer.loaded.place(*path)


DEEDS: dict[str, Callable[[AgentsScreen], None]] = {
    "copy": copy,
    "skills": skills,
    "edit": edit,
    "descriptor": descriptor,
    "save": save,
    "diagnostics": diagnostics,
    "reload": reload,
}
