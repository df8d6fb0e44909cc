"""Long work in a thread worker: item by item, given up when the worker is cancelled."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from textual.worker import get_current_worker

Item = TypeVar("Item")

TOLD_EVERY = 50
"""Items between two words about how far it is."""


def gathered(items: Iterable[Item], tell: Callable[[int], object] | None = None) -> list[Item] | None:
    """All items; None when the worker that this runs in is cancelled meanwhile. `tell` hears how many there are."""
    worker = get_current_worker()
    found: list[Item] = []
    for item in items:
        if worker.is_cancelled:
            return None
        found.append(item)
        if tell and len(found) % TOLD_EVERY == 0:
            tell(len(found))
    return found
