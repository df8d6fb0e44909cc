"""What a project's `.gitignore` files leave out (spec: skill-files, Where to look)."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


class Ignored:
    """The `.gitignore` files from a git root down, read as they are met."""

    def __init__(self, root: Path | None) -> None:
        self._root = root

    def __contains__(self, file: Path) -> bool:
        """Whether some `.gitignore` between the root and the file leaves it out."""
        if self._root is None or not file.is_relative_to(self._root):
            return False
        folder = file.parent
        while True:
            spec = _spec(folder)
            if spec and spec.match_file(file.relative_to(folder).as_posix()):
                return True
            if folder == self._root:
                return False
            folder = folder.parent


@functools.lru_cache(maxsize=512)
def _read(path: Path, mtime_ns: int) -> GitIgnoreSpec | None:
    from pathspec import GitIgnoreSpec

    try:
        return GitIgnoreSpec.from_lines(path.read_text(encoding="utf-8", errors="replace").splitlines())
    except (OSError, ValueError):
        return None


def _spec(folder: Path) -> GitIgnoreSpec | None:
    path = folder / ".gitignore"
    try:
        return _read(path, path.stat().st_mtime_ns)
    except OSError:
        return None
