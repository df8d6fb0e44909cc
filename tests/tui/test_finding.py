"""Finding and selecting text in the prompt pane."""

from __future__ import annotations

from textual.geometry import Offset
from textual.selection import Selection

from tests.tui.conftest import TASK, Run
from weave_tui.tui.screens.find import FindScreen


async def test_slash_finds_in_the_prompt_and_goes_to_the_query_elsewhere(run_app: Run) -> None:
    async with run_app(query=TASK) as app:
        await app.press("alt+z", "escape", "3", "slash")
        assert isinstance(app.pilot.app.screen, FindScreen)
        await app.pilot.press(*"backfill")
        await app.pilot.pause()
        prompt = app.screen.prompt
        top = prompt.render_line(0).text
        assert "Backfill" in top
        first = prompt.scroll_y
        await app.pilot.press("enter")
        await app.pilot.pause()
        assert prompt.scroll_y > first
        await app.pilot.press("up")
        await app.pilot.pause()
        assert prompt.scroll_y == first
        await app.pilot.press("escape", "escape", "escape")
        await app.press("slash")
        assert app.pilot.app.focused is app.screen.query_input


async def test_what_is_nowhere_is_said(run_app: Run) -> None:
    async with run_app(query=TASK) as app:
        await app.press("escape", "3")
        assert app.screen.prompt.find("no such words") == 0
        assert app.screen.prompt.find("") == 0
        app.screen.prompt.find_next(1)


async def test_selected_text_has_no_margins_and_whole_lines(run_app: Run) -> None:
    async with run_app(query=TASK) as app:
        prompt = app.screen.prompt
        found = prompt.get_selection(Selection(Offset(0, 0), Offset(200, 3)))
        assert found is not None
        body = app.session.composed().composition.text
        assert body.startswith(" ".join(found[0].split("\n")[0].split()))
        everything = prompt.get_selection(Selection(None, None))
        assert everything is not None
        assert "│" not in everything[0]
        assert "\n\nOld and new code run side by side during every rollout." in everything[0]


async def test_ctrl_c_copies_a_selection(run_app: Run) -> None:
    async with run_app(query=TASK) as app:
        app.screen.selections = {app.screen.prompt: Selection(Offset(4, 0), Offset(40, 0))}
        await app.press("ctrl+c")
        await app.until(lambda: bool(app.copied))
        assert app.copied == ["# Zero-Downtime Migration"]
        assert app.said.startswith("copied the selection")
