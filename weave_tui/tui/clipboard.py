"""The clipboard: which route a copy takes, and whether anything confirmed that it arrived.

No Textual here. A route that is a program confirms by its exit code; the terminal's own escape
sequence (OSC 52) never does, and a copy says so.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

TIMEOUT = 3.0
"""Seconds a program may take; a copy must not hang on a dead display."""

OSC52_SAFE_BYTES = 74_994
"""What every terminal that knows OSC 52 takes; many cut or drop longer ones."""


@dataclass(frozen=True, slots=True)
class Route:
    """One way to a clipboard: a program that takes the text, and when there is reason to try it."""

    name: str
    command: tuple[str, ...]
    applies: Callable[[Mapping[str, str]], bool]
    confirms: bool = True


def _is_wsl(environ: Mapping[str, str]) -> bool:
    return "WSL_DISTRO_NAME" in environ


ROUTES: tuple[Route, ...] = (
    # tmux drops OSC 52 by default, but passes on what it was given as a buffer (-w, since 3.2).
    Route(
        "tmux buffer, then terminal clipboard",
        ("tmux", "load-buffer", "-w", "-"),
        lambda environ: bool(environ.get("TMUX")),
        confirms=False,
    ),
    Route("Wayland clipboard", ("wl-copy",), lambda environ: bool(environ.get("WAYLAND_DISPLAY"))),
    Route("X clipboard", ("xclip", "-selection", "clipboard"), lambda environ: bool(environ.get("DISPLAY"))),
    Route("X clipboard", ("xsel", "--clipboard", "--input"), lambda environ: bool(environ.get("DISPLAY"))),
    Route("macOS clipboard", ("pbcopy",), lambda environ: sys.platform == "darwin" and "SSH_CONNECTION" not in environ),
    Route("Windows clipboard", ("clip.exe",), _is_wsl),
)
"""In the order in which they are tried."""

TERMINAL = "terminal clipboard"
"""The route that is left: OSC 52, written by whoever owns the terminal."""


@dataclass(frozen=True, slots=True)
class Copied:
    """The route a copy took and whether that confirms it arrived."""

    route: str
    confirmed: bool

    def __str__(self) -> str:
        return self.route if self.confirmed else f"{self.route} (sent, not confirmed)"


Runner = Callable[[Sequence[str], bytes], bool]


def run_program(command: Sequence[str], data: bytes) -> bool:
    """Whether the program took the data and ended well in time."""
    try:
        done = subprocess.run(
            command,
            input=data,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=TIMEOUT,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def copy_by_program(
    text: str,
    environ: Mapping[str, str] = os.environ,
    which: Callable[[str], str | None] = shutil.which,
    run: Runner = run_program,
) -> Copied | None:
    """Copy by the first program that works here; None when only the terminal is left."""
    data = text.encode("utf-8", "surrogatepass")
    for route in ROUTES:
        if route.applies(environ) and which(route.command[0]) and run(route.command, data):
            return Copied(route.name, route.confirms)
    return None
