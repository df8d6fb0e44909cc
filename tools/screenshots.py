"""Write the pictures of the real app into screenshots/: SVG always, PNG where Debian's Chromium is there.

With --errors: the agents screen with each error kind of docs/prompts.md, into screenshots/errors/, as SVG.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tools.docs.prompt_examples import EXAMPLES, Example
from weave_tui.config import ThemeName
from weave_tui.skills import Where
from weave_tui.tui.app import WeaveApp
from weave_tui.tui.screens.agents import AgentsScreen
from weave_tui.tui.screens.lab import LabScreen
from weave_tui.tui.screens.main import MainScreen
from weave_tui.tui.start import Start

SETTLED_SECONDS = 1.2
FOLDER = Path(__file__).resolve().parent.parent / "screenshots"
SAMPLES = Path("sample_skills")
"""Relative, so that no picture says where it was made; `main` works in the checkout."""
CLOSE = "TypeScript style for enums and comments"
CHAIN = "rename a column in a live table without downtime"


@dataclass(frozen=True)
class Scene:
    """A picture: the terminal's size, what was typed, and which keys follow."""

    size: tuple[int, int]
    query: str
    theme: ThemeName = "dark"
    press: tuple[str, ...] = ()
    example: Example | None = None
    """A configuration of its own; its agents screen is opened first, on the agent that is wrong."""


TUNED = "which index does this slow query need"
LAB = ("alt+l", "j", "j", "w")
AGENT = ("alt+a", "3", *"j" * 15)
WRONG = Example(
    'agent lead {\n  mode primary\n  description "Research & development"\n  prompt """\n'
    "    # {{agent.nam}}\n\n    You are {{agent.name}}: {{agent.description}}.\n\n"
    "    {{#delegation.targets}}\n    - {{name}}: {{agent.__class__}}\n    {{/delegation.targets}}\n\n"
    '    {{> house-rules}}\n  """\n}\nagent helper { prompt "You help." }'
)
SCENES = {
    "main_dark": Scene((120, 40), CHAIN),
    "main_light": Scene((120, 40), CHAIN, "light"),
    "close_call": Scene((120, 40), CLOSE, press=("alt+v",)),
    "medium": Scene((80, 24), CHAIN),
    "small": Scene((60, 20), CHAIN),
    "registry": Scene((120, 40), "", press=("escape", "1", "down", "right", "down")),
    "yank": Scene((120, 40), CHAIN, press=("alt+y",)),
    "bands": Scene((120, 40), CLOSE, press=("escape", "b")),
    "agents": Scene((120, 40), "", press=AGENT),
    "agents_light": Scene((120, 40), "", "light", press=AGENT),
    "agents_medium": Scene((80, 24), "", press=AGENT),
    "agents_small": Scene((60, 20), "", press=AGENT),
    "agents_errors": Scene((120, 30), "", example=WRONG),
    "lab": Scene((120, 40), "", press=LAB),
    "lab_light": Scene((120, 40), "", "light", press=LAB),
    "lab_medium": Scene((80, 24), "", press=LAB),
    "self_test": Scene((120, 40), "", press=("alt+l", "h")),
    "compare": Scene((120, 40), TUNED, press=("down", "alt+c", "w")),
    "edit_here": Scene((120, 40), TUNED, press=("down", "alt+i", *" Find the index a slow query needs.")),
    "edit_here_light": Scene((120, 40), TUNED, "light", press=("down", "alt+i")),
    "diff": Scene((120, 40), TUNED, press=("down", "alt+i", *" Find slow queries.", "ctrl+s")),
    "diagnostics": Scene((120, 40), "", press=("alt+d",)),
    "help": Scene((120, 44), "", press=("question_mark",)),
}


NOT_ON_SCREEN = {"prompt-unknown-target": "asked for by name", "prompt-tag-like-text": "the app takes it as an error"}
"""Examples that only a command or a program can show."""


def error_scenes() -> dict[str, Scene]:
    """A scene for each error and lint that has an example."""
    return {
        code.removeprefix("prompt-"): Scene((100, 24), "", example=example)
        for code, example in EXAMPLES.items()
        if code not in NOT_ON_SCREEN
    }


async def picture(scene: Scene) -> str:
    """The SVG of one scene, when everything is read and composed."""
    with tempfile.TemporaryDirectory() as folder:
        root = _written(scene.example, Path(folder)) if scene.example else SAMPLES
        # The app writes paths below the home folder with ~: so the picture does not say where it was made.
        os.environ["HOME"] = folder
        where = Where((root,), home=Path(folder))
        return await _drawn(scene, Start(where, query=scene.query, theme=scene.theme))


def _written(example: Example, folder: Path) -> Path:
    """The project of an example, on disk."""
    project = folder / "project"
    for root, text, format_ in ((folder, example.user, "weave"), (project, example.source, example.format)):
        (root / ".weave").mkdir(parents=True)
        if text:
            (root / ".weave" / f"config.{format_}").write_text(text, encoding="utf-8")
    return project


async def _drawn(scene: Scene, start: Start) -> str:
    app = WeaveApp(start)
    async with app.run_test(size=scene.size) as pilot:
        screen = app.screen_stack[0]
        while not (isinstance(screen, MainScreen) and screen.session and screen.session.is_current):
            await pilot.pause(0.02)
        screen.header.place = f"~/{SAMPLES.name}"
        screen.query_input.cursor_blink = False
        for key in ("alt+a",) if scene.example else scene.press:
            await pilot.press(key)
            while isinstance(app.screen, AgentsScreen) and not app.screen.project:
                await pilot.pause(0.02)
            while isinstance(app.screen, LabScreen) and not app.screen.found:
                await pilot.pause(0.02)
        if isinstance(app.screen, AgentsScreen):
            if scene.example:
                await pilot.press(*_to_what_is_wrong(app.screen))
            else:
                app.screen.header.place = f"~/{SAMPLES.name}/.weave"
        # What works behind the screen has its say: self-tests, edits that are looked for, drafts that are judged.
        await pilot.pause(SETTLED_SECONDS)
        return app.export_screenshot()


def _to_what_is_wrong(screen: AgentsScreen) -> list[str]:
    """The keys that lead to the first entry with an error, or else to the list of diagnostics."""
    entries = screen.project.entries if screen.project else ()
    failed = next((number for number, entry in enumerate(entries) if entry.failed), None)
    return ["d"] if failed is None else ["j"] * failed


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
    parser = argparse.ArgumentParser(prog="python -m tools.screenshots", description=__doc__)
    parser.add_argument("--errors", action="store_true", help="draw each error kind of .weave instead")
    errors = parser.parse_args().errors
    folder, scenes = (FOLDER / "errors", error_scenes()) if errors else (FOLDER, SCENES)
    folder.mkdir(exist_ok=True)
    os.chdir(FOLDER.parent)
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    for name, scene in scenes.items():
        svg = folder / f"{name}.svg"
        svg.write_text(asyncio.run(picture(scene)), encoding="utf-8")
        if chromium and not errors:
            to_png(svg, svg.with_suffix(".png"), chromium)
    print(f"{len(scenes)} pictures in {folder.name}/" + ("" if chromium or errors else "; no PNG: install chromium"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
