"""Noticing that files change, for whoever keeps what was loaded fresh: the app and the servers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

WATCH_STEP, WATCH_DEBOUNCE = 100, 400
"""Milliseconds: how often changes are gathered, and for how long at most before they are told as one."""


def watch(
    roots: Iterable[Path],
    is_over: Callable[[], bool],
    tell: Callable[[frozenset[Path]], object],
    *,
    recursive: bool = True,
) -> None:
    """Tell which files changed below `roots` (or only in them), a storm of changes as one, until `is_over`."""
    import watchfiles

    there = [root for root in roots if root.exists()]
    if not there:
        return
    changes = watchfiles.watch(
        *there,
        step=WATCH_STEP,
        debounce=WATCH_DEBOUNCE,
        rust_timeout=500,
        yield_on_timeout=True,
        raise_interrupt=False,
        recursive=recursive,
    )
    for changed in changes:
        if is_over():
            return
        if changed:
            tell(frozenset(Path(path) for _, path in changed))
