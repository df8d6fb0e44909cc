"""Editing in place by its keys: nothing is written before the diff was seen, and nothing is lost."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from textual.widgets import TextArea

from tests.conftest import Write
from tests.tui.conftest import Driver, Run
from weave_tui.tui.screens.diff import DiffScreen
from weave_tui.tui.screens.edit_here import EditHere
from weave_tui.tui.screens.main import MainScreen

DEPLOY = "---\nname: deploy-app\ndescription: Deploy an application.\n---\n\nShip.\n"
REVIEW = "---\nname: pr-review\ndescription: Review a pull request and its release notes.\n---\n\nRead.\n"
CASES = '{"query": "roll out the release", "expected": ["deploy-app"]}\n'
FILES: dict[str, str | bytes] = {
    "deploy-app/SKILL.md": DEPLOY,
    "pr-review/SKILL.md": REVIEW,
    "evals/queries.jsonl": CASES,
}


@asynccontextmanager
async def editing(run_app: Run, root: Path) -> AsyncIterator[tuple[Driver, EditHere]]:
    """The second skill of a query is being edited."""
    async with run_app(root) as app:
        await app.type("roll out the release")
        assert [row.row.skill.name for row in app.screen.ranking.rows if row] == ["pr-review", "deploy-app"]
        await app.pilot.press("down", "alt+i")
        await app.until(lambda: isinstance(app.pilot.app.screen, EditHere))
        screen = app.pilot.app.screen
        assert isinstance(screen, EditHere)
        yield app, screen


def file_of(root: Path) -> Path:
    return root / "deploy-app" / "SKILL.md"


async def test_the_ranking_and_the_verdicts_follow_and_nothing_is_written(run_app: Run, write: Write) -> None:
    root = write(FILES)
    async with editing(run_app, root) as (app, screen):
        assert screen.before and screen.before.place == 2
        screen.description.text = "Deploy an application. Roll out the release."
        await app.until(lambda: screen.after is not None and screen.after.place == 1)
        await app.until(lambda: "over 1 labelled queries +1 −0" in screen.effect)
        assert file_of(root).read_text() == DEPLOY


async def test_the_diff_is_shown_and_then_it_is_written(run_app: Run, write: Write) -> None:
    root = write(FILES)
    async with editing(run_app, root) as (app, screen):
        screen.description.text = "Deploy: roll out the release."
        await app.pilot.pause()
        await app.pilot.press("ctrl+s")
        await app.until(lambda: isinstance(app.pilot.app.screen, DiffScreen))
        assert file_of(root).read_text() == DEPLOY
        await app.pilot.press("escape")
        await app.until(lambda: app.pilot.app.screen is screen)
        await app.pilot.press("ctrl+s")
        await app.until(lambda: isinstance(app.pilot.app.screen, DiffScreen))
        await app.pilot.press("enter")
        await app.until(lambda: isinstance(app.pilot.app.screen, MainScreen))
        assert file_of(root).read_text() == DEPLOY.replace("Deploy an application.", "'Deploy: roll out the release.'")
        await app.until(lambda: app.session.selection.ranking[0].skill.name == "deploy-app")


async def test_escape_asks_once_when_something_was_typed(run_app: Run, write: Write) -> None:
    root = write(FILES)
    async with editing(run_app, root) as (app, screen):
        await app.pilot.press("x", "escape")
        assert app.pilot.app.screen is screen and screen.description.text.endswith("x")
        await app.pilot.press("escape")
        await app.until(lambda: isinstance(app.pilot.app.screen, MainScreen))
        assert file_of(root).read_text() == DEPLOY
        await app.pilot.press("alt+i")
        await app.until(lambda: isinstance(app.pilot.app.screen, EditHere))
        await app.pilot.press("escape")
        await app.until(lambda: isinstance(app.pilot.app.screen, MainScreen))


async def test_a_file_that_changed_meanwhile_is_asked_about(run_app: Run, write: Write) -> None:
    root = write(FILES)
    async with editing(run_app, root) as (app, screen):
        screen.description.text = "Roll out the release."
        await app.pilot.pause()
        theirs = DEPLOY.replace("Ship.", "Ship carefully.")
        file_of(root).write_text(theirs)
        await app.pilot.press("ctrl+s")
        await app.until(lambda: isinstance(app.pilot.app.screen, DiffScreen))
        first = app.pilot.app.screen
        await app.pilot.press("enter")
        await app.until(lambda: isinstance(app.pilot.app.screen, DiffScreen) and app.pilot.app.screen is not first)
        assert file_of(root).read_text() == theirs, "not overwritten in silence"
        await app.pilot.press("enter")
        await app.until(lambda: isinstance(app.pilot.app.screen, MainScreen))
        assert file_of(root).read_text() == theirs.replace("Deploy an application.", "Roll out the release.")


async def test_bad_text_is_told_and_cannot_be_written(run_app: Run, write: Write) -> None:
    root = write(FILES)
    async with editing(run_app, root) as (app, screen):
        screen.query_one("#description", TextArea).text = "a\x1b[31m"
        await app.until(lambda: "U+001B" in screen.problem)
        await app.pilot.press("ctrl+s")
        assert app.pilot.app.screen is screen
        assert file_of(root).read_text() == DEPLOY


async def test_what_has_no_description_says_so(run_app: Run, write: Write) -> None:
    root = write({"AGENTS.md": "# Guide\n\nBuild with make.\n"})
    async with run_app(root) as app:
        await app.type("build with make")
        await app.pilot.press("alt+i")
        await app.until(lambda: "has no frontmatter" in app.said)
