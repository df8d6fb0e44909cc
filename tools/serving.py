"""A server in a process of its own, on a free port of this machine: for tests and benchmarks."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Served:
    """A running `weave-tui serve`, where it listens, and what it logs."""

    process: subprocess.Popen[bytes]
    url: str
    log: Path

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    def end(self) -> tuple[int, str]:
        """Tell it to end; its exit code and its access log."""
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(timeout=30)
        return code, self.log.read_text(encoding="utf-8").partition("\n")[2]


@contextmanager
def served(*arguments: str) -> Iterator[Served]:
    """Serve inside the `with`; killed at its end if it still runs."""
    command = [sys.executable, "-m", "weave_tui", "serve", "--port", "0", "--no-cache", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    # A file, since nobody reads while it serves: a pipe would be full in the end.
    with tempfile.TemporaryDirectory() as folder, Path(folder, "log").open("wb") as log:
        process = subprocess.Popen(command, stderr=log, env=environment)
        try:
            yield Served(process, _address(process, Path(log.name)), Path(log.name))
        finally:
            process.kill()
            process.wait()


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    for _ in range(600):
        said = log.read_text(encoding="utf-8")
        if found := re.search(r"http://\S+", said):
            return found.group()
        assert process.poll() is None, said
        time.sleep(0.05)
    raise TimeoutError(said)
