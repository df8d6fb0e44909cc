"""Loading a registry of 10,000 generated files: cold, warm, and beside a bare walk that stats the same files."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tools.bench.generate import write_library
from tools.bench.measure import Figure

SKILLS = 10_000
RUNS = 5

_PEAK = """
import resource, sys, time
from pathlib import Path
from weave_tui.skills import Remembered, Where, load
started = time.perf_counter()
loaded = load(Where((Path(sys.argv[1]),)), Remembered(Path(sys.argv[2])))
print(time.perf_counter() - started, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, len(loaded.skills))
"""


def run() -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "library"
        write_library(root, SKILLS)
        database = Path(folder) / "cache.sqlite"
        walks = [_bare_walk(root) for _ in range(RUNS)]
        cold, cold_peak = _load(root, database)
        warm = [_load(root, database) for _ in range(RUNS)]
    best_walk, best_warm = min(walks), min(seconds for seconds, _ in warm)
    note = f"{SKILLS:,} files"
    return [
        Figure("bare walk and stat", best_walk * 1000, "ms", f"{note}, best of {RUNS}"),
        Figure("cold load", cold * 1000, "ms", note),
        Figure("cold load, peak memory", cold_peak, "MB", "of the whole process"),
        Figure("warm load", best_warm * 1000, "ms", f"best of {RUNS}, a process each"),
        Figure("warm load, peak memory", max(peak for _, peak in warm), "MB"),
        Figure("warm load / bare walk", best_warm / best_walk, "x", "goal: at most 4"),
    ]


def _load(root: Path, database: Path) -> tuple[float, float]:
    """Seconds and peak megabytes of a load in a process of its own."""
    command = [sys.executable, "-c", _PEAK, str(root), str(database)]
    seconds, peak, count = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert int(count) == SKILLS
    return float(seconds), float(peak)


def _bare_walk(root: Path) -> float:
    started = time.perf_counter()
    pending = [str(root)]
    while pending:
        with os.scandir(pending.pop()) as entries:
            for entry in entries:
                if entry.is_dir():
                    pending.append(entry.path)
                else:
                    entry.stat()
    return time.perf_counter() - started
