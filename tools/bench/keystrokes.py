"""500 keystrokes with 10,000 skills, and first paint, each beside the smallest Textual app in the same run."""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from tools.bench.app import command, keystrokes
from tools.bench.generate import write_library
from tools.bench.measure import ROOT, Figure, spread
from tools.bench.terminal import Terminal
from weave_tui.tui import FRAMES

SKILLS, KEYSTROKES, STARTS = 10_000, 500, 7


def _plain(name: str) -> list[str]:
    return [sys.executable, "-m", "tools.bench.plain_app", name]


def run() -> list[Figure]:
    os.chdir(ROOT)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "library"
        write_library(root, SKILLS)
        _, ours = keystrokes(command(root), KEYSTROKES)
    _, plain = keystrokes(_plain("echo"), KEYSTROKES)
    frames = os.environ.get("TEXTUAL_FPS", str(FRAMES))
    _, as_often = keystrokes(["env", f"TEXTUAL_FPS={frames}", *_plain("echo")], KEYSTROKES)
    figures = [
        *spread("keystroke to last byte painted", ours, f"{SKILLS:,} skills"),
        *spread("the same with an Input and a Static", plain),
        Figure("median beside it", statistics.median(ours) / statistics.median(plain), "x"),
        Figure("p99 beside it", _p99(ours) / _p99(plain), "x"),
        Figure("frames a second at most", float(frames), "", "the plain app: Textual's 60"),
        *spread("the plain app with as many frames", as_often),
    ]
    app, hello = _first_paint(command(ROOT / "sample_skills")), _first_paint(_plain("hello"))
    return [
        *figures,
        *spread("first paint", app),
        *spread("first paint of one line, same imports", hello),
        Figure("median beside it", statistics.median(app) / statistics.median(hello), "x"),
    ]


def _p99(seconds: list[float]) -> float:
    return sorted(seconds)[round(0.99 * (len(seconds) - 1))]


def _first_paint(program: list[str]) -> list[float]:
    found = []
    for _ in range(STARTS):
        started = time.perf_counter()
        with Terminal(program) as terminal:
            found.append(terminal.read_until("❯".encode()) - started)
    return found
