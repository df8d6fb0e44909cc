"""A program behind a pseudo-terminal: bytes go in, painted bytes come out, and both have a time."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import termios
import time
from collections.abc import Sequence
from types import TracebackType

QUIET = 0.06
"""Seconds without output after which a repaint is over: several frames."""


class Terminal:
    """Runs a command in a terminal of that size, as a context manager."""

    def __init__(self, command: Sequence[str], columns: int = 120, rows: int = 40) -> None:
        self._command = list(command)
        self._size = struct.pack("HHHH", rows, columns, 0, 0)
        self._pid = self._fd = 0

    def __enter__(self) -> Terminal:
        self._pid, self._fd = pty.fork()
        if self._pid == 0:
            os.environ["TERM"] = "xterm-256color"
            os.environ.pop("TMUX", None)
            os.execvp(self._command[0], self._command)
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, self._size)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        os.kill(self._pid, 9)
        os.waitpid(self._pid, 0)
        os.close(self._fd)

    def send(self, text: str) -> None:
        os.write(self._fd, text.encode())

    def read_until(self, wanted: bytes, seconds: float = 20.0) -> float:
        """The time at which `wanted` had been painted. Raises TimeoutError."""
        seen, until = b"", time.perf_counter() + seconds
        while time.perf_counter() < until:
            if select.select([self._fd], [], [], 0.05)[0]:
                seen += os.read(self._fd, 65_536)
                if wanted in seen:
                    return time.perf_counter()
        raise TimeoutError(f"{wanted!r} was not painted in {seconds} s")

    def read_for(self, seconds: float) -> bytes:
        """Everything that is painted in that time."""
        seen, until = b"", time.perf_counter() + seconds
        while (left := until - time.perf_counter()) > 0:
            if select.select([self._fd], [], [], left)[0]:
                try:
                    seen += os.read(self._fd, 65_536)
                except OSError:  # the program has ended
                    break
        return seen

    def read_until_quiet(self, quiet: float = QUIET, seconds: float = 5.0) -> tuple[float, float]:
        """When the first and the last byte came of what is painted now; both 0 when nothing came."""
        first = last = 0.0
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            wait = quiet if last else 1.0
            if not select.select([self._fd], [], [], wait)[0]:
                break
            os.read(self._fd, 65_536)
            last = time.perf_counter()
            first = first or last
        return first, last
