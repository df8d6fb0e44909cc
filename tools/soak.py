"""Use the app for a long time as nobody would: random keys, queries, resizes, and files that change under it.

    python -m tools.soak [--minutes 30] [--seed N]

Ends with 1 when an exception came up, or memory grew by more than a tenth after the first fifth of the time. Its
home, its library, its state and its clipboard are its own.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import random
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from textual.pilot import Pilot

from tools.bench.app import QUERIES
from tools.bench.generate import skill_text, write_library
from weave_tui.skills import Where
from weave_tui.tui.actions import ACTIONS, AGENT_ACTIONS, LAB_ACTIONS
from weave_tui.tui.app import WeaveApp
from weave_tui.tui.start import Ending, Start

SKILLS = 400
GROWTH = 1.10
LEAVES = {"quit", "print"}
"""Actions that end the app."""
OUTSIDE = {"edit", "hand_off"}
"""Actions that start other programs."""
KEYS = (
    *("enter", "escape", "tab", "shift+tab", "up", "down", "pageup", "pagedown", "home", "end", "left", "right"),
    *("j", "k", "g", "G", "1", "2", "3", "4", "/", "?", "space", "ctrl+r", "ctrl+s", "backspace", "delete", "ctrl+u"),
)
SIZES = ((120, 40), (80, 24), (60, 20), (38, 11), (200, 60), (100, 24))


@dataclass
class Tally:
    """What was done so far, and the memory at the two points that are compared, in bytes."""

    steps: int = 0
    early: int = 0
    late: int = 0
    ended: bool = False
    """Whether the app ended by itself: no key that is pressed here quits it."""


def letters() -> list[str]:
    """The keys of all actions but those that end the app or start a program."""
    barred = {key for action in ACTIONS if action.name in LEAVES | OUTSIDE for key in action.keys}
    actions = (*ACTIONS, *AGENT_ACTIONS, *LAB_ACTIONS)
    return sorted({key for action in actions for key in action.keys} - barred)


def memory() -> int:
    """Resident bytes of this process."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


async def soak(root: Path, seconds: float, seed: int) -> Tally:
    dice, tally = random.Random(seed), Tally()
    app = WeaveApp(Start(Where((root,), home=root.parent), watch=True, state=root.parent / "state.json"))
    started = time.monotonic()
    async with app.run_test(size=SIZES[0]) as pilot:
        app.copy_to_clipboard = lambda text: None  # type: ignore[method-assign]
        await pilot.pause(3.0)
        while (gone := time.monotonic() - started) < seconds and app.is_running:
            await step(pilot, dice, root)
            tally.steps += 1
            if not tally.early and gone > seconds / 5:
                tally.early = memory()
        tally.ended = not app.is_running
        tally.late = memory()
    return tally


async def step(pilot: Pilot[Ending], dice: random.Random, root: Path) -> None:
    """One thing that a person, or another program, might do."""
    roll = dice.random()
    if roll < 0.02:
        await pilot.resize_terminal(*dice.choice(SIZES))
    elif roll < 0.05:
        change(dice, root)
    elif roll < 0.15:
        text = dice.choice(QUERIES)
        await pilot.press(*text[: dice.randrange(1, len(text))])
    elif roll < 0.55:
        key = dice.choice(letters())
        await pilot.press(dice.choice((key, f"alt+{key}")))
    else:
        await pilot.press(dice.choice(KEYS))
    # Now and then everything comes to rest.
    await pilot.pause(0.3 if dice.random() < 0.02 else 0)


def change(dice: random.Random, root: Path) -> None:
    """A skill that is new, changed, gone, or half written."""
    path = root / f"soak-{dice.randrange(40):02}" / "SKILL.md"
    path.parent.mkdir(exist_ok=True)
    match dice.randrange(4):
        case 0:
            path.unlink(missing_ok=True)
        case 1:
            path.write_text("---\nname: [half", "utf-8")
        case _:
            path.write_text(skill_text(dice.randrange(10_000), 90), "utf-8")


def _is_xdg(name: str) -> bool:
    return name.startswith("XDG_")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.soak", description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 1_000_000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"HOME": folder, "PATH": folder}
        for name in ("TMUX", "DISPLAY", "WAYLAND_DISPLAY", "EDITOR", "VISUAL", *filter(_is_xdg, list(os.environ))):
            os.environ.pop(name, None)
        root = Path(folder) / "library"
        write_library(root, SKILLS)
        # What the app writes on the way must not lie where this was started.
        os.chdir(folder)
        print(f"seed {arguments.seed}, {arguments.minutes:g} minutes", flush=True)
        tally = asyncio.run(soak(root, arguments.minutes * 60, arguments.seed))
    growth = tally.late / tally.early if tally.early else float("inf")
    print(
        f"{tally.steps:,} steps, no exception; {tally.early / 2**20:.0f} to {tally.late / 2**20:.0f} MB, x {growth:.3f}"
    )
    if tally.ended:
        print("the app ended before its time")
    return 0 if growth <= GROWTH and not tally.ended else 1


if __name__ == "__main__":
    sys.exit(main())
