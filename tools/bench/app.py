"""The app in a real terminal: first paint, everything read, and from a keystroke to the repainted ranking."""

from __future__ import annotations

import sys
import time
from itertools import cycle, islice
from pathlib import Path

from tools.bench.measure import ROOT, Figure, corpus, spread
from tools.bench.terminal import Terminal

STARTS = 5
KEYSTROKES = 200
QUERIES = (
    "review this pull request for security problems",
    "write unit tests for a react hook",
    "deploy the service to kubernetes with helm",
    "rename a database column without downtime",
    "summarise the incident for the status page",
)


def command(folder: Path) -> list[str]:
    return [sys.executable, "-m", "weave_tui", str(folder), "--no-state"]


def run() -> list[Figure]:
    folder = corpus()
    figures = _starts(ROOT / "sample_skills", "samples", b"24 skills")
    first, last = keystrokes(command(folder), KEYSTROKES)
    note = f"{folder.name} loaded"
    return [
        *figures,
        *spread("keystroke to first byte painted", first, note),
        *spread("keystroke to last byte painted", last, note),
    ]


def _starts(folder: Path, name: str, read: bytes) -> list[Figure]:
    painted, loaded = [], []
    for _ in range(STARTS):
        started = time.perf_counter()
        with Terminal(command(folder)) as terminal:
            painted.append(terminal.read_until("❯".encode()) - started)
            loaded.append(terminal.read_until(read) - started)
    return [*spread(f"first paint, {name}", painted), *spread(f"all read, {name}", loaded)]


def keystrokes(program: list[str], count: int) -> tuple[list[float], list[float]]:
    """Seconds from each byte sent to the first and the last byte painted; real queries, each erased before the next."""
    first_times, last_times = [], []
    with Terminal(program) as terminal:
        terminal.read_until_quiet(2.0, 40)
        # ctrl+u erases the query after each one, so that its length is what people type.
        for key in islice(cycle("\x15".join(QUERIES)), count):
            sent = time.perf_counter()
            terminal.send(key)
            first, last = terminal.read_until_quiet()
            if last:
                first_times.append(first - sent)
                last_times.append(last - sent)
    return first_times, last_times
