"""What a server answers from: a broker over loaded skills, kept fresh by a watcher.

A reload reads everything first and then swaps the registry in one assignment, so that no request sees half of it.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from weave_tui.broker import Broker, Manner, Rules
from weave_tui.skills import Loaded, MissingPathError, Remembered, Where, load
from weave_tui.skills.watching import watch

RETRY_SECONDS = 1.0
"""How long the watcher waits where none of its folders exist, before it looks again."""


@dataclass(frozen=True, slots=True)
class Desk:
    """A broker, and how it selects and composes for every request alike: what the settings say."""

    broker: Broker
    rules: Rules = field(default_factory=Rules)
    manner: Manner = field(default_factory=Manner)


class Library:
    """The skills at `where`, at a desk. Raises `MissingPathError` for a given path that does not exist."""

    def __init__(self, where: Where, remembered: Remembered, desk: Desk) -> None:
        self.desk = desk
        self._where = where
        self._remembered = remembered
        self.loaded: Loaded = load(where, remembered)
        desk.broker.replace(self.loaded.skills)

    def reload(self) -> bool:
        """Read what changed; whether the skills are others now. A given path that is gone leaves things as they are."""
        with contextlib.suppress(MissingPathError):
            before, self.loaded = self.loaded, load(self._where, self._remembered)
            if before.skills != self.loaded.skills:
                self.desk.broker.replace(self.loaded.skills)
                return True
        return False

    @contextlib.contextmanager
    def watched(self, tell: Callable[[bool], object], beside: Sequence[Path] = ()) -> Iterator[None]:
        """Reload when files change, inside the `with`. `tell` hears after each reload whether the skills changed.

        It is called in the watcher's thread. `beside` are further folders whose changes are told.
        """
        over = threading.Event()

        def follow() -> None:
            is_caught_up = False
            while not over.is_set():
                roots = self.loaded.roots

                def is_over(watched: tuple[Path, ...] = roots) -> bool:
                    nonlocal is_caught_up
                    # Asked when the watching has begun: what changed between the load and now was not seen.
                    if not is_caught_up:
                        is_caught_up = True
                        if self.reload():
                            tell(True)
                    return over.is_set() or self.loaded.roots != watched

                watch((*roots, *beside), is_over, lambda _: tell(self.reload()))
                over.wait(0 if self.loaded.roots != roots else RETRY_SECONDS)

        # A daemon: the watcher must not hold the process when it ends without leaving the `with`.
        thread = threading.Thread(target=follow, name="watch skills", daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join(timeout=2)
