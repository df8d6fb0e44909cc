"""Writing files so that a crash leaves the old one or the new one, never half of either."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path


def write_atomically(path: Path, text: str) -> None:
    """Write `text` as UTF-8. Raises OSError; then `path` is as it was."""
    write_bytes_atomically(path, text.encode("utf-8", "surrogatepass"))


def write_bytes_atomically(path: Path, data: bytes) -> None:
    """Write `data` by way of a temporary file beside `path`. Raises OSError; then `path` is as it was."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        # mkstemp makes private files; a new file gets what a plain open would give, an old one keeps its own.
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
        Path(name).chmod(mode)
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
