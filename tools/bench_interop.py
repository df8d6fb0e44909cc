"""Measure the conversion of 10,000 items each way, beside contextweaver on the same items when it is installed."""

from __future__ import annotations

import gc
import importlib
import importlib.util
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from weave_tui import interop
from weave_tui.protocol import parse_advertisement

ITEMS = 10_000
ROUNDS = 5
GOAL = 25.0
"""Microseconds an item, on an idle core."""


@dataclass(frozen=True, slots=True)
class Row:
    """One measured line: what was done by whom, best of `ROUNDS`, in microseconds an item."""

    work: str
    who: str
    microseconds: float


def skills(count: int = ITEMS) -> list[interop.contextweaver.SelectableItem]:
    """Items as the registry exports them: two capabilities, two triggers and a dependency each."""
    made = []
    for number in range(count):
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


def timed(function: Callable[[Any], Any], values: list[Any]) -> tuple[float, list[Any]]:
    """The best time of `ROUNDS` in microseconds a value, and the results."""
    best = float("inf")
    made: list[Any] = []
    for _ in range(ROUNDS):
        gc.collect()
        start = time.perf_counter()
        made = [function(value) for value in values]
        best = min(best, time.perf_counter() - start)
    return best / len(values) * 1e6, made


def measure() -> Iterator[Row]:
    """Every row: ours, then the peer's where it is installed."""
    items = skills()
    there, converted = timed(interop.to_weaver_selectable_item, items)
    back, _ = timed(interop.from_weaver_selectable_item, converted)
    written, documents = timed(interop.plain, converted)
    read, _ = timed(interop.weaver_spec.SelectableItem.read, documents)
    yield from (
        Row("to the spec", "weave-tui", there),
        Row("from the spec", "weave-tui", back),
        Row("spec model to JSON data", "weave-tui", written),
        Row("JSON data to spec model", "weave-tui", read),
    )
    if importlib.util.find_spec("contextweaver") and importlib.util.find_spec("weaver_contracts"):
        adapter = importlib.import_module("contextweaver.adapters.weaver_contracts")
        types = importlib.import_module("contextweaver.types")
        theirs = [types.SelectableItem.from_dict(item.plain()) for item in items]
        there, converted = timed(adapter.to_weaver_selectable_item, theirs)
        back, _ = timed(adapter.from_weaver_selectable_item, converted)
        yield from (Row("to the spec", "contextweaver", there), Row("from the spec", "contextweaver", back))


def main() -> int:
    slow = False
    for row in measure():
        slow = slow or (row.who == "weave-tui" and row.microseconds > GOAL)
        print(f"{row.work:24} {row.who:14} {row.microseconds:6.1f} us an item")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
