"""Reading bytes from disk: regular files only, of bounded size, as UTF-8."""

from __future__ import annotations

import os
import stat
from pathlib import Path

MAX_BYTES = 2 * 1024 * 1024
"""Seven times the largest real skill file seen (299 KB)."""


class UnreadableError(Exception):
    """A file that was not read; `code` is its diagnostic."""

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        super().__init__(message)


def read_bytes(path: Path) -> bytes:
    """The content of a regular file. Raises `UnreadableError`; never waits on a pipe or device."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except OSError as error:
        raise UnreadableError("unreadable", error.strerror or str(error)) from error
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise UnreadableError("not-a-file", "neither a file nor a folder")
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UnreadableError("unreadable", error.strerror or str(error)) from error
    finally:
        os.close(descriptor)
    if len(data) > MAX_BYTES:
        size = max(status.st_size, len(data))
        raise UnreadableError("too-large", f"{size:,} bytes, more than {MAX_BYTES:,}")
    return data


def decode(data: bytes) -> str:
    """`data` as UTF-8 text. Raises `UnreadableError` for anything else, NUL bytes included."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise UnreadableError("not-text", "UTF-16, not UTF-8")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnreadableError("not-text", f"byte {error.start} is not UTF-8") from error
    if "\0" in text:
        raise UnreadableError("not-text", f"a NUL byte at {text.index(chr(0))}: not a text file")
    return text
