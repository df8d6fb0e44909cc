"""The Textual app. Nothing below it knows Textual; it shows what the broker says."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from weave_tui.tui.start import Ending, Start

NO_TERMINAL = "The app needs a terminal. Without one: weave-tui query TEXT [PATH...]"

FRAMES = 240
"""Pictures a second at most, unless TEXTUAL_FPS says otherwise. Textual's own 60 make a key wait for up to two frames
of 17 ms: the box is painted at once, the ranking and its prompt in the next frame."""


class NoTerminalError(Exception):
    """Neither standard input nor /dev/tty is a terminal."""

    def __init__(self) -> None:
        super().__init__(NO_TERMINAL)


def run(start: Start) -> Ending:
    """Run the app until it ends. Raises `NoTerminalError`.

    The screen is drawn on standard error, so that standard output is free for what is printed; where
    either end is redirected the controlling terminal takes its place, as with fzf.
    """
    os.environ.setdefault("TEXTUAL_FPS", str(FRAMES))  # read when Textual is imported
    from weave_tui.tui.app import WeaveApp
    from weave_tui.tui.start import Ending

    with contextlib.ExitStack() as stack:
        if not (sys.__stdin__ and sys.__stdin__.isatty() and sys.__stderr__ and sys.__stderr__.isatty()):
            try:
                sys.__stdin__ = stack.enter_context(open("/dev/tty"))  # type: ignore[misc]  # noqa: PTH123
                sys.__stderr__ = stack.enter_context(open("/dev/tty", "w"))  # type: ignore[misc]  # noqa: PTH123
            except OSError as error:
                raise NoTerminalError from error
        app = WeaveApp(start)
        ending = app.run()
    return ending if ending is not None else Ending(app.return_code or 1)
