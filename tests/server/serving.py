"""A server in a process of its own, on a free port of this machine."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Served:
    """A running `weave-tui serve` and where it listens."""

    process: subprocess.Popen[str]
    url: str

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    def end(self) -> tuple[int, str]:
        """Tell it to end; its exit code and the rest of what it logged."""
        self.process.send_signal(signal.SIGTERM)
        _, log = self.process.communicate(timeout=30)
        return self.process.returncode, log


@contextmanager
def served(*arguments: str) -> Iterator[Served]:
    """Serve inside the `with`; killed at its end if it still runs."""
    command = [sys.executable, "-m", "weave_tui", "serve", "--port", "0", "--no-cache", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stderr is not None
            said = process.stderr.readline()
            found = re.search(r"http://\S+", said)
            assert found, said
            yield Served(process, found.group())
        finally:
            if process.poll() is None:
                process.kill()
