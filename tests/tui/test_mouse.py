"""The mouse: a click focuses and moves, the wheel scrolls, a double click does what enter does."""

from __future__ import annotations

import pytest

from tests.tui.conftest import MEDIUM, TASK, Run


async def test_a_click_focuses_and_moves_and_copies_nothing(run_app: Run) -> None:
    async with run_app(query=TASK) as app:
        await app.pilot.click("#ranking", offset=(8, 1))
        await app.settled()
        assert app.screen.ranking.has_focus and app.screen.ranking.cursor == 1
        assert not app.said
        await app.pilot.click("#prompt", offset=(8, 2))
        assert app.screen.prompt.has_focus
        await app.pilot.click("#query")
        assert app.screen.query_input.has_focus


async def test_a_double_click_in_the_ranking_is_enter(run_app: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weave_tui.tui.screens.base.copy_by_program", lambda text: None)
    async with run_app(query=TASK) as app:
        await app.pilot.click("#ranking", offset=(8, 1), times=2)
        await app.until(lambda: bool(app.copied))
        assert app.copied == [app.session.composed().composition.text]


async def test_a_click_on_the_current_branch_opens_it(run_app: Run) -> None:
    async with run_app() as app:
        registry = app.screen.registry
        before = len(registry.rows)
        await app.pilot.click("#registry", offset=(4, 0), times=1)
        await app.settled()
        assert len(registry.rows) != before


@pytest.mark.parametrize("pane", ["ranking", "prompt"])
async def test_the_wheel_scrolls_without_moving(run_app: Run, pane: str) -> None:
    from textual.events import MouseScrollDown

    async with run_app(query=TASK, size=MEDIUM) as app:
        widget = app.screen.query_one(f"#{pane}")
        x, y = widget.region.x + 2, widget.region.y + 1
        event = MouseScrollDown(widget, 2, 1, 0, 1, 0, False, False, False, x, y)
        widget.post_message(event)
        await app.until(lambda: widget.scroll_y > 0)
        assert app.screen.ranking.cursor == 0 and app.screen.query_input.has_focus
