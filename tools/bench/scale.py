"""Scale: an index of generated skills is built, asked, changed, stored and read back; each size in its own process."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from tools.bench.measure import ROOT, SHARED, Figure, spread
from tools.routing_data import queries, shuffled, skills
from weave_tui.broker import Encoder, load_encoder
from weave_tui.broker.explaining import explain
from weave_tui.broker.fields import SkillText
from weave_tui.broker.index import Index, build_index
from weave_tui.broker.scoring import analyse, score
from weave_tui.broker.segment import Segment

SIZES = (100, 1_000, 10_000)
"""`python -m tools.bench.scale 100000` measures another one."""
QUERIES = 300


def run() -> list[Figure]:
    figures = []
    for size in SIZES:
        command = [sys.executable, "-m", "tools.bench.scale", str(size)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True)
        figures += [Figure(*row) for row in json.loads(done.stdout)]
    return figures


def measured(size: int) -> list[Figure]:
    """All figures of one size."""
    texts, asked = _material(size)
    encoder = load_encoder()
    before = _memory()
    started = time.perf_counter()
    index = build_index(texts, encoder)
    built = time.perf_counter() - started
    label = f"{size:,} skills"
    figures = [
        Figure(f"{label}, build", built, "s"),
        Figure(f"{label}, memory of it at most", _memory() - before, "MB"),
    ]
    times: dict[str, list[float]] = {name: [] for name in ("query", "encoding alone", "bare product", "explain")}
    segment = index.segments[0]
    for text in asked[:20]:
        score(analyse(text, index, encoder), index)
    for text in asked:
        started = time.perf_counter()
        query = analyse(text, index, encoder)
        score(query, index)
        times["query"].append(time.perf_counter() - started)
        started = time.perf_counter()
        encoder.token_vectors(text)
        times["encoding alone"].append(time.perf_counter() - started)
        started = time.perf_counter()
        np.dot(segment.center, query.vector)
        np.dot(segment.patterns, query.vector)
        times["bare product"].append(time.perf_counter() - started)
        started = time.perf_counter()
        explain(query, len(times["explain"]) % size, index, encoder)
        times["explain"].append(time.perf_counter() - started)
    for name, seconds in times.items():
        figures += spread(f"{label}, {name}", seconds)
    return [*figures, *_changes(label, texts, index, encoder), *_stored(label, segment)]


def _material(size: int) -> tuple[list[SkillText], list[str]]:
    """Skills and queries: parts of real ones put together anew where there are any, else made up."""
    real = SHARED / "bench" / "routing"
    if real.is_dir():
        lines = list(shuffled(_lines(real / "skills.jsonl"), size))
        found = [line["query"] for line in _lines(real / "queries.jsonl")]
        return [_text(line) for line in lines], found[:: len(found) // QUERIES][:QUERIES]
    lines = list(skills(size))
    return [_text(line) for line in lines], [line["query"] for line in queries(lines[:1_000], QUERIES)]


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _changes(label: str, texts: list[SkillText], index: Index, encoder: Encoder) -> list[Figure]:
    times: dict[str, list[float]] = {"add one": [], "remove one": []}
    for number in range(20):
        new = SkillText(f"new-{number}", f"Comes later, as number {number}.")
        started = time.perf_counter()
        index = index.replaced([*texts, new], encoder)
        times["add one"].append(time.perf_counter() - started)
        started = time.perf_counter()
        index = index.replaced(texts, encoder)
        times["remove one"].append(time.perf_counter() - started)
    return [figure for name, seconds in times.items() for figure in spread(f"{label}, {name}", seconds)]


def _stored(label: str, segment: Segment) -> list[Figure]:
    """How large the arrays are on disk, and how long mapping them and taking up their texts takes."""
    with tempfile.TemporaryDirectory() as folder:
        for name, array in segment.arrays().items():
            np.save(Path(folder) / f"{name}.npy", array)
        size = sum(file.stat().st_size for file in Path(folder).iterdir())
        started = time.perf_counter()
        Segment.from_arrays({file.stem: np.load(file, mmap_mode="r") for file in Path(folder).iterdir()})
        read = time.perf_counter() - started
    return [Figure(f"{label}, stored", size / 1e6, "MB"), Figure(f"{label}, mapped again", read * 1000, "ms")]


def _text(line: dict[str, Any]) -> SkillText:
    return SkillText(
        line["name"], line["description"], tuple(line["triggers"]), tuple(line["capabilities"]), line["body"]
    )


def _memory() -> float:
    """The most memory this process has had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    print(json.dumps(measured(int(sys.argv[1]))))
