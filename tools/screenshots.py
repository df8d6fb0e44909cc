"""Write the pictures of the real app into screenshots/: SVG always, PNG where Debian's Chromium is there."""

from __future__ import annotations

import asyncio
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from weave_tui.resources import sample_skills_dir
from weave_tui.skills import Where
from weave_tui.tui.app import WeaveApp
from weave_tui.tui.screens.main import MainScreen
from weave_tui.tui.start import Start

FOLDER = Path(__file__).resolve().parent.parent / "screenshots"
CLOSE = "TypeScript style for enums and comments"
CHAIN = "rename a column in a live table without downtime"


@dataclass(frozen=True)
class Scene:
    """A picture: the terminal's size, what was typed, and which keys follow."""

    size: tuple[int, int]
    query: str
    theme: str = "dark"
    press: tuple[str, ...] = ()


SCENES = {
    "main_dark": Scene((120, 40), CHAIN),
    "main_light": Scene((120, 40), CHAIN, "light"),
    "close_call": Scene((120, 40), CLOSE, press=("alt+v",)),
    "medium": Scene((80, 24), CHAIN),
    "small": Scene((60, 20), CHAIN),
    "registry": Scene((120, 40), "", press=("escape", "1", "down", "right", "down")),
    "yank": Scene((120, 40), CHAIN, press=("alt+y",)),
    "bands": Scene((120, 40), CLOSE, press=("escape", "b")),
    "help": Scene((120, 44), "", press=("question_mark",)),
}


async def picture(scene: Scene) -> str:
    """The SVG of one scene, when everything is read and composed."""
    app = WeaveApp(Start(Where((sample_skills_dir(),)), query=scene.query, theme=scene.theme))
    async with app.run_test(size=scene.size) as pilot:
        screen = app.screen_stack[0]
        while not (isinstance(screen, MainScreen) and screen.session and screen.session.is_current):
            await pilot.pause(0.02)
        screen.header.place = f"~/{sample_skills_dir().name}"
        screen.query_input.cursor_blink = False
        await pilot.press(*scene.press)
        await pilot.pause(0.2)
        return app.export_screenshot()


def to_png(svg: Path, png: Path, chromium: str) -> None:
    """Draw an SVG with a headless browser."""
    found = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg.read_text(encoding="utf-8"))
    width, height = (round(float(side)) for side in found.groups()) if found else (1200, 800)
    with tempfile.TemporaryDirectory() as profile:
        subprocess.run(
            [
                *(chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"),
                *("--no-first-run", "--disable-sync", "--hide-scrollbars", f"--user-data-dir={profile}"),
                *(f"--window-size={width},{height}", f"--screenshot={png}", svg.as_uri()),
            ],
            check=True,
            capture_output=True,
        )


def main() -> int:
    FOLDER.mkdir(exist_ok=True)
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    for name, scene in SCENES.items():
        svg = FOLDER / f"{name}.svg"
        svg.write_text(asyncio.run(picture(scene)), encoding="utf-8")
        if chromium:
            to_png(svg, svg.with_suffix(".png"), chromium)
    print(f"{len(SCENES)} pictures in {FOLDER.name}/" + ("" if chromium else "; no PNG: install chromium"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
