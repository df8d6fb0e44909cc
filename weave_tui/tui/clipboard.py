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
class Trial:
    """How a route is tried: a program that takes a text, one that gives it back, and one that takes it away again.

    Without the last what was there before is put back.
    """

    write: tuple[str, ...]
    read: tuple[str, ...]
    remove: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Route:
    """One way to a clipboard: a program that takes the text, and when there is reason to try it."""

    name: str
    command: tuple[str, ...]
    applies: Callable[[Mapping[str, str]], bool]
    confirms: bool = True
    trial: Trial | None = None


def _is_wsl(environ: Mapping[str, str]) -> bool:
    return "WSL_DISTRO_NAME" in environ


ROUTES: tuple[Route, ...] = (
    # tmux drops OSC 52 by default, but passes on what it was given as a buffer (-w, since 3.2).
    Route(
        "tmux buffer, then terminal clipboard",
        ("tmux", "load-buffer", "-w", "-"),
        lambda environ: bool(environ.get("TMUX")),
        confirms=False,
        # A buffer of its own: the person's clipboard is not touched.
        trial=Trial(
            ("tmux", "load-buffer", "-b", "weave-tui-doctor", "-"),
            ("tmux", "save-buffer", "-b", "weave-tui-doctor", "-"),
            ("tmux", "delete-buffer", "-b", "weave-tui-doctor"),
        ),
    ),
    Route(
        "Wayland clipboard",
        ("wl-copy",),
        lambda environ: bool(environ.get("WAYLAND_DISPLAY")),
        trial=Trial(("wl-copy",), ("wl-paste", "--no-newline")),
    ),
    Route(
        "X clipboard",
        ("xclip", "-selection", "clipboard"),
        lambda environ: bool(environ.get("DISPLAY")),
        trial=Trial(("xclip", "-selection", "clipboard"), ("xclip", "-selection", "clipboard", "-o")),
    ),
    Route(
        "X clipboard",
        ("xsel", "--clipboard", "--input"),
        lambda environ: bool(environ.get("DISPLAY")),
        trial=Trial(("xsel", "--clipboard", "--input"), ("xsel", "--clipboard", "--output")),
    ),
    Route(
        "macOS clipboard",
        ("pbcopy",),
        lambda environ: sys.platform == "darwin" and "SSH_CONNECTION" not in environ,
        trial=Trial(("pbcopy",), ("pbpaste",)),
    ),
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


Which = Callable[[str], str | None]
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


def read_program(command: Sequence[str]) -> bytes | None:
    """What the program writes; None when it fails or takes too long."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def routes(environ: Mapping[str, str] = os.environ, which: Which = shutil.which) -> list[Route]:
    """The programs that a copy would try here, in that order."""
    return [route for route in ROUTES if route.applies(environ) and which(route.command[0])]


PROBE = "weave-tui doctor: é日🎉\n".encode()


def tried(route: Route) -> bool | None:
    """Whether a text comes back as it was sent; None when it cannot be tried without losing what is there."""
    trial = route.trial
    if trial is None:
        return None
    before = None if trial.remove else read_program(trial.read)
    if not trial.remove and not before:
        return None
    came_back = run_program(trial.write, PROBE) and read_program(trial.read) == PROBE
    if trial.remove:
        run_program(trial.remove, b"")
    elif before:
        run_program(trial.write, before)
    return came_back


def copy_by_program(
    text: str,
    environ: Mapping[str, str] = os.environ,
    which: Which = shutil.which,
    run: Runner = run_program,
) -> Copied | None:
    """Copy by the first program that works here; None when only the terminal is left."""
    data = text.encode("utf-8", "surrogatepass")
    for route in routes(environ, which):
        if run(route.command, data):
            return Copied(route.name, route.confirms)
    return None
