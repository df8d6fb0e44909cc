"""Edits: what is going to be written, shown before it is, and written without losing anything."""

from __future__ import annotations

import difflib
import os
from dataclasses import dataclass
from pathlib import Path

from weave_tui.files import write_bytes_atomically
from weave_tui.skills.files import UnreadableError, read_bytes
from weave_tui.skills.rewrite import EditError


class ChangedMeanwhileError(EditError):
    """The file is no longer what the edit was made from: nothing was written."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A file's bytes before and after; `path` has no links in it."""

    path: Path
    before: bytes
    after: bytes

    @property
    def is_empty(self) -> bool:
        return self.before == self.after

    def diff(self) -> list[str]:
        """The lines that change, with three around them, as `diff -u` shows them."""
        old, new = (text.decode("utf-8", "replace").splitlines() for text in (self.before, self.after))
        return [line.rstrip("\n") for line in difflib.unified_diff(old, new, "as it is", "as it will be", lineterm="")]


def commit(edit: Edit) -> None:
    """Write the edit, atomically. Raises `EditError`; then the file is as it was."""
    try:
        now = read_bytes(edit.path)
    except UnreadableError as error:
        raise EditError(f"{edit.path}: {error}; nothing was written") from error
    if now != edit.before:
        raise ChangedMeanwhileError(f"{edit.path} changed on disk meanwhile; nothing was written")
    # A rename would replace a file that may not be written, where its folder may.
    if not os.access(edit.path, os.W_OK):
        raise EditError(f"{edit.path} is read-only; nothing was written")
    try:
        write_bytes_atomically(edit.path, edit.after)
    except OSError as error:
        raise EditError(f"{edit.path}: {error.strerror or error}; the file is as it was") from error
