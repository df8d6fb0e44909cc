"""The part of the main screen that loads skills behind it, and notices when files change."""

from __future__ import annotations

import gc
from dataclasses import dataclass
from pathlib import Path

from textual import work
from textual.message import Message
from textual.worker import get_current_worker

from weave_tui.broker import Broker, KeptIndexes
from weave_tui.diagnostics import Severity
from weave_tui.skills import Loaded, Remembered
from weave_tui.skills.watching import watch
from weave_tui.tui.loader import Progress, load_all
from weave_tui.tui.screens.base import WorkScreen
from weave_tui.tui.start import Start

RETRIES, RETRY_SECONDS = 3, 0.5
"""How often, and after how long, a changed file that cannot be read is looked at again."""


class LibraryScreen(WorkScreen[None]):
    """Loads in a thread and posts `Progressed`; what that means on screen is a subclass's business."""

    @dataclass
    class Progressed(Message):
        """The loader came further, or says in a sentence why it cannot."""

        progress: Progress | str

    @dataclass
    class FilesChanged(Message):
        """Files below the watched folders changed."""

        changed: frozenset[Path]

    def __init__(self, start: Start) -> None:
        super().__init__()
        self.start = start
        self._remembered = Remembered(start.cache)
        self._kept = KeptIndexes(start.indexes)
        self._watching = False
        self._changed: frozenset[Path] = frozenset()
        self._retries = 0

    def current_broker(self) -> Broker | None:
        """The broker that a reload keeps; None before the first load."""
        raise NotImplementedError

    # Without a description Textual describes a worker by the repr of its arguments: a whole registry.
    @work(thread=True, exclusive=True, group="load", description="read skills")
    def load(self) -> None:
        worker = get_current_worker()
        gc.unfreeze()

        def tell(progress: Progress | str) -> bool:
            if worker.is_cancelled:
                return False
            self.post_message(self.Progressed(progress))
            return True

        load_all(self.start.where, self.start.model, self._remembered, self._kept, self.current_broker(), tell)
        # Ten thousand skills are a million objects that stay: looking through them for garbage while a person
        # types would stop the screen for a fifth of a second. So it is done once now, and they are passed over.
        gc.collect()
        gc.freeze()

    def everything_is_read(self, loaded: Loaded) -> None:
        """Watch the files from now on, and look again at one that was half written."""
        if self.start.watch and not self._watching:
            self._watching = True
            self.watch_files(loaded.roots)
        # A file that just changed and cannot be read may be half written.
        failed = {d.path for d in loaded.diagnostics if d.path and d.severity is Severity.ERROR}
        if self._retries and any(path.absolute() in self._changed for path in failed):
            self._retries -= 1
            self.set_timer(RETRY_SECONDS, self.load)

    @work(thread=True, group="watch", description="watch files")
    def watch_files(self, roots: tuple[Path, ...]) -> None:
        worker = get_current_worker()
        watch(roots, lambda: worker.is_cancelled, lambda changed: self.post_message(self.FilesChanged(changed)))

    def on_library_screen_files_changed(self, event: FilesChanged) -> None:
        self._changed, self._retries = event.changed, RETRIES
        self.load()
