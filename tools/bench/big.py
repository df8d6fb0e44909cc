"""The app with two skills of 300 KB in the prompt: from a keystroke to the repaint."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from tools.bench.app import command
from tools.bench.composition import big_bodies
from tools.bench.measure import Figure, spread
from tools.bench.terminal import Terminal

KEYSTROKES = 30
QUERY = "big skill"
SCROLL = "\x1b[1;2B"
"""Shift+down: scrolls the prompt by a line."""


def run() -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        for name, body in zip(("first", "second"), big_bodies(), strict=True):
            path = Path(folder) / name / "SKILL.md"
            path.parent.mkdir()
            path.write_text(f"---\nname: {name}-big-skill\ndescription: A big skill.\n---\n{body}\n", encoding="utf-8")
        with Terminal([*command(Path(folder)), "--no-user", "--no-cache"]) as terminal:
            terminal.read_until_quiet(2.0, 20)
            typed = [_time(terminal, key) for key in QUERY]
            terminal.read_until_quiet(2.0, 20)
            terminal.send("\x1bz")
            terminal.read_until_quiet(2.0, 20)
            scrolled = [_time(terminal, SCROLL) for _ in range(KEYSTROKES)]
    return [
        *spread("keystroke in the query to first byte painted", typed),
        *spread("scroll of the unfolded prompt to first byte", scrolled),
    ]


def _time(terminal: Terminal, key: str) -> float:
    """Seconds from the key to the first byte painted after it."""
    sent = time.perf_counter()
    terminal.send(key)
    return terminal.read_until_quiet()[0] - sent
