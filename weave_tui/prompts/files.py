"""Prompt files, read safely (decision D14, spec C.3).

A file is looked for in the layer's `prompts/` and then in the layer itself. Its real path must
stay inside the layer, it must be a regular file of UTF-8 text, and not large. Each file is
read once per plan.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

MAX_FILE = 1_000_000
"""Bytes of a prompt or configuration file."""

_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""Opening must not wait for the other end of a pipe."""


@dataclass(frozen=True, slots=True)
class FileText:
    """What was read, and from where."""

    path: Path
    text: str


@dataclass(frozen=True, slots=True)
class FileProblem:
    """Why nothing was read."""

    path: Path
    cause: str
    hint: str = ""


def read_inside(path: Path, root: Path) -> FileText | FileProblem:
    """The text of `path`, whose real path must lie below `root`; a byte-order mark is dropped."""
    try:
        real = path.resolve(strict=True)
        if not real.is_relative_to(root.resolve(strict=True)):
            return FileProblem(path, "it is a link out of the configuration's folder", "Copy the file into it.")
        return _read(path, real)
    except FileNotFoundError:
        return FileProblem(path, "it does not exist")
    except (OSError, RuntimeError, ValueError) as error:
        # RuntimeError: a circle of links, before Python 3.13. ValueError: characters that no path can have.
        return FileProblem(path, str(getattr(error, "strerror", None) or error), "Check the path and its permissions.")


def _read(path: Path, real: Path) -> FileText | FileProblem:
    with os.fdopen(os.open(real, _READ), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return FileProblem(path, "it is not a regular file", "Point at a text file.")
        data = file.read(MAX_FILE + 1)
    if len(data) > MAX_FILE:
        return FileProblem(path, f"it is larger than {MAX_FILE:,} bytes", "Split it.")
    try:
        return FileText(path, data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        return FileProblem(path, f"it is not UTF-8 at byte {error.start}", "Save it as UTF-8.")


class PromptFiles:
    """The prompt files of one plan, each read once."""

    def __init__(self) -> None:
        self._read: dict[tuple[Path, str], FileText | FileProblem] = {}

    @property
    def paths(self) -> list[Path]:
        """Every file that was asked for, readable or not."""
        return [read.path for read in self._read.values()]

    def get(self, root: Path, name: str) -> FileText | FileProblem:
        """The file that a layer at `root` calls `name`."""
        key = (root, name)
        if key not in self._read:
            self._read[key] = self._find(root, name)
        return self._read[key]

    @staticmethod
    def _find(root: Path, name: str) -> FileText | FileProblem:
        candidates = (root / "prompts" / name, root / name)
        try:
            chosen = next((path for path in candidates if os.path.lexists(path)), None)
        except ValueError as error:
            return FileProblem(candidates[0], str(error))
        if chosen is None:
            return FileProblem(candidates[0], "it does not exist", f"It was also looked for at {candidates[1]}.")
        return read_inside(chosen, root)
