"""The app under a pilot: started on a folder, read when it is loaded, and copying where a test can see it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from weave_tui.resources import sample_skills_dir
from weave_tui.skills import Where
from weave_tui.tui.app import WeaveApp
from weave_tui.tui.screens.main import MainScreen
from weave_tui.tui.session import Session
from weave_tui.tui.start import Ending, Start

WIDE, MEDIUM, SMALL, TINY = (120, 40), (80, 24), (60, 20), (38, 11)
TASK = "rename a column in a live table without downtime"


class Driver:
    """A pilot that waits for what the app does behind the scenes."""

    def __init__(self, pilot: Pilot[Ending]) -> None:
        self.pilot = pilot
        self.copied: list[str] = []

    @property
    def screen(self) -> MainScreen:
        screen = self.pilot.app.screen_stack[0]
        assert isinstance(screen, MainScreen)
        return screen

    @property
    def session(self) -> Session:
        assert self.screen.session is not None
        return self.screen.session

    @property
    def chosen(self) -> list[str]:
        return [skill.name for skill in self.session.composed().skills]

    @property
    def said(self) -> str:
        return self.screen.footer.message

    @property
    def footer(self) -> str:
        """The footer as it is painted."""
        footer = self.screen.footer
        return footer.render_lines(footer.size.region)[0].text

    async def until(self, condition: Callable[[], bool]) -> None:
        """Let the app run until the condition holds, four seconds at most."""
        for _ in range(200):
            if condition():
                await self.pilot.pause()
                return
            await self.pilot.pause(0.02)
        raise AssertionError(f"did not happen: {condition.__doc__ or condition}; footer: {self.said!r}")

    async def settled(self) -> None:
        await self.until(lambda: self.session.is_current)

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.settled()

    async def type(self, text: str) -> None:
        await self.press(*(("space" if c == " " else c) for c in text))


Run = Callable[..., AbstractAsyncContextManager[Driver]]


@pytest.fixture
def run_app(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the app on the sample skills, or on a folder; wait until everything is read."""

    @asynccontextmanager
    async def run(*paths: Path, size: tuple[int, int] = WIDE, **start: object) -> AsyncIterator[Driver]:
        where = Where(paths or (sample_skills_dir(),))
        app = WeaveApp(Start(where, **start))  # type: ignore[arg-type]
        async with app.run_test(size=size) as pilot:
            driver = Driver(pilot)
            monkeypatch.setattr(app, "copy_to_clipboard", driver.copied.append)
            await driver.until(lambda: driver.screen.session is not None)
            await driver.until(lambda: driver.session.loaded.files == driver.session.loaded.total)
            await driver.settled()
            yield driver

    return run
