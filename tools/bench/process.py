"""Whole processes: what a person at a prompt, or a hook, waits for."""

from __future__ import annotations

import subprocess
import sys
import time

from tools.bench.measure import ROOT, Figure, spread

RUNS = 15
COMMANDS = {
    "python, nothing else": ["-c", "pass"],
    "weave-tui --version": ["-m", "weave_tui", "--version"],
    "weave-tui list, samples": ["-m", "weave_tui", "list", "sample_skills"],
    "weave-tui query, samples": ["-m", "weave_tui", "query", "rename a column without downtime", "sample_skills"],
    "weave-tui query --json, samples": ["-m", "weave_tui", "query", "rename a column", "sample_skills", "--json"],
}


def run() -> list[Figure]:
    return [figure for name, command in COMMANDS.items() for figure in spread(name, _times(command))]


def _times(command: list[str]) -> list[float]:
    times = []
    for _ in range(RUNS + 1):
        started = time.perf_counter()
        subprocess.run([sys.executable, *command], cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
        times.append(time.perf_counter() - started)
    return times[1:]
