"""Panes of tmux: which there are, and pasting into one. Nothing is ever entered. No Textual here."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass

from weave_tui.text import one_line

TMUX_SECONDS = 5
BUFFER = "weave-tui"
"""A buffer of our own, gone once it is pasted: the person's stay as they are."""

_FIELDS = (
    *("pane_id", "session_name", "window_index", "pane_index"),
    *("pane_current_command", "pane_current_path", "pane_title"),
)
_FORMAT = "	".join(f"#{{{field}}}" for field in _FIELDS)


class PanesError(Exception):
    """There is no pane to paste into, or tmux refused; the message says why."""


@dataclass(frozen=True, slots=True)
class TmuxPane:
    """A pane: its id for tmux, and how people tell it from others."""

    id: str
    place: str
    command: str
    folder: str
    title: str

    def __str__(self) -> str:
        return one_line(f"{self.place:<12} {self.command:<14} {self.folder}  {self.title}".rstrip())


def panes(environ: Mapping[str, str] = os.environ) -> list[TmuxPane]:
    """The other panes of the tmux that this runs in. Raises `PanesError` outside of one, or when it has no other."""
    if not environ.get("TMUX"):
        raise PanesError("not inside tmux: y copies, o writes a file")
    listed = _tmux(environ, "list-panes", "-a", "-F", _FORMAT)
    rows = (line.split("\t", len(_FIELDS) - 1) for line in listed.split("\n"))
    found = [_pane(row) for row in rows if len(row) == len(_FIELDS) and row[0] != environ.get("TMUX_PANE")]
    if not found:
        raise PanesError("this tmux has no other pane: split the window first")
    return found


def _pane(row: list[str]) -> TmuxPane:
    name, session, window, index, command, folder, title = row
    return TmuxPane(name, f"{session}:{window}.{index}", command, folder, title)


def paste(pane: TmuxPane, text: str, environ: Mapping[str, str] = os.environ) -> None:
    """Paste `text` into the pane, bracketed where its program asks for that. Raises `PanesError`."""
    # A line end at the end would be an Enter.
    _tmux(environ, "load-buffer", "-b", BUFFER, "-", given=text.rstrip("\r\n"))
    _tmux(environ, "paste-buffer", "-p", "-d", "-b", BUFFER, "-t", pane.id)


def _tmux(environ: Mapping[str, str], *arguments: str, given: str = "") -> str:
    # The first part of $TMUX is the socket of the server that this runs in.
    socket = environ["TMUX"].split(",", 1)[0]
    try:
        done = subprocess.run(
            ["tmux", "-S", socket, *arguments],
            input=given.encode("utf-8", "surrogatepass"),
            capture_output=True,
            check=True,
            timeout=TMUX_SECONDS,
            env=dict(environ),
        )
    except FileNotFoundError as error:
        raise PanesError("the program tmux is not found") from error
    except subprocess.TimeoutExpired as error:
        raise PanesError(f"tmux did not answer within {TMUX_SECONDS} s") from error
    except (subprocess.CalledProcessError, OSError) as error:
        said = getattr(error, "stderr", b"") or str(error).encode()
        raise PanesError(f"tmux: {one_line(said.decode('utf-8', 'replace').strip())}") from error
    return done.stdout.decode("utf-8", "replace")
