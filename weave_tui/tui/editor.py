"""The person's own editor: which it is, and how it opens a file at a line. No Textual here."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Mapping
from pathlib import Path

FALLBACKS = ("nano", "vim", "vi")
_PLUS_LINE = {"vi", "vim", "nvim", "nano", "emacs", "emacsclient", "micro", "kak", "ne", "joe", "mg"}
"""Editors that take `+LINE` before the file."""
_COLON_LINE = {"hx", "helix", "subl", "zed"}
"""Editors that take `FILE:LINE`."""
_GOTO = {"code", "codium", "cursor", "windsurf"}
"""Editors that take `--goto FILE:LINE`."""


def editor_command(path: Path, line: int = 0, environ: Mapping[str, str] = os.environ) -> list[str]:
    """The command that opens `path` (at `line`, 1-based) in $VISUAL, $EDITOR or what there is; [] for nothing."""
    named = environ.get("VISUAL") or environ.get("EDITOR") or next(filter(shutil.which, FALLBACKS), "")
    command = shlex.split(named)
    if not command:
        return []
    program = Path(command[0]).name
    if line and program in _PLUS_LINE:
        return [*command, f"+{line}", str(path)]
    if line and program in _COLON_LINE:
        return [*command, f"{path}:{line}"]
    if line and program in _GOTO:
        return [*command, "--goto", f"{path}:{line}"]
    return [*command, str(path)]
