"""Interop: 10,000 items to the spec side and back, beside contextweaver on the same items where it is installed.

The peer lives in an environment of its own (`make weaver-peers`); then all of it is measured there, in one run.
"""

from __future__ import annotations

import gc
import importlib
import importlib.util
import json
import subprocess
import time
from collections.abc import Callable, Iterator
from typing import Any

from tools.bench.measure import ROOT, Figure
from weave_tui import interop
from weave_tui.protocol import parse_advertisement

ITEMS = 10_000
ROUNDS = 5
PEERS = ROOT / ".venv-weaver" / "bin" / "python"
NOTE = f"an item; best of {ROUNDS} over {ITEMS:,}"


def run() -> list[Figure]:
    if not _peer_is_here() and PEERS.exists():
        line = [str(PEERS), "-m", "tools.bench", "interop", "--json"]
        done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=True)
        return [Figure(**figure) for figure in json.loads(done.stdout)["figures"]]
    return list(_figures())


def _peer_is_here() -> bool:
    return all(map(importlib.util.find_spec, ("contextweaver", "weaver_contracts")))


def _figures() -> Iterator[Figure]:
    """Ours, then the peer's where it is installed."""
    items = _items()
    there, converted = _timed("weave-tui, to the spec", interop.to_weaver_selectable_item, items)
    yield there
    yield _timed("weave-tui, from the spec", interop.from_weaver_selectable_item, converted)[0]
    written, documents = _timed("weave-tui, spec model to JSON data", interop.plain, converted)
    yield written
    yield _timed("weave-tui, JSON data to spec model", interop.weaver_spec.SelectableItem.read, documents)[0]
    if _peer_is_here():
        adapter = importlib.import_module("contextweaver.adapters.weaver_contracts")
        types = importlib.import_module("contextweaver.types")
        theirs = [types.SelectableItem.from_dict(item.plain()) for item in items]
        there, converted = _timed("contextweaver, to the spec", adapter.to_weaver_selectable_item, theirs)
        yield there
        yield _timed("contextweaver, from the spec", adapter.from_weaver_selectable_item, converted)[0]


def _items() -> list[interop.contextweaver.SelectableItem]:
    """Items as the registry exports them: two capabilities, two triggers and a dependency each."""
    made = []
    for number in range(ITEMS):
        document = {
            "weave_protocol": "1.0",
            "name": f"Skill {number}",
            "version": "2.0.1",
            "platform": "claude_code",
            "capabilities": ["type", "layout"],
            "trigger_patterns": ["pick a font pairing", "fix line height"],
            "author": "ana",
            "dependencies": ["Grid Basics"],
        }
        made.append(interop.advertisement_to_selectable_item(parse_advertisement(document)))
    return made


def _timed(name: str, function: Callable[[Any], Any], values: list[Any]) -> tuple[Figure, list[Any]]:
    """The best time of `ROUNDS` in microseconds a value, and the results."""
    best = float("inf")
    made: list[Any] = []
    for _ in range(ROUNDS):
        gc.collect()
        started = time.perf_counter()
        made = [function(value) for value in values]
        best = min(best, time.perf_counter() - started)
    return Figure(name, best / len(values) * 1e6, "us", NOTE), made
