"""Handing the prompt to a real tmux pane: the bytes as they are, bracketed, and never an Enter."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conftest import Write
from tests.tui.conftest import Run
from weave_tui.tui.panes import PanesError, panes, paste
from weave_tui.tui.screens.choose import ChooseScreen

needs_tmux = pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux")

LISTENER = """
import os, sys, termios, tty
tty.setraw(0)
os.write(1, b"\\x1b[?2004h")
with open(sys.argv[1], "wb", buffering=0) as file:
    file.write(b"ready")
    while data := os.read(0, 65536):
        file.write(data)
"""


@dataclass(frozen=True)
class Server:
    """A tmux of its own, with nothing of the person's configuration."""

    socket: str

    def __call__(self, *arguments: str) -> str:
        command = ["tmux", "-S", self.socket, "-f", os.devnull, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Server]:
    server = Server(str(tmp_path / "s"))
    yield server
    subprocess.run(["tmux", "-S", server.socket, "kill-server"], check=False, capture_output=True)


def until(condition: Callable[[], bool]) -> None:
    for _ in range(200):
        if condition():
            return
        time.sleep(0.02)
    raise AssertionError("did not happen")


@needs_tmux
def test_the_pane_gets_exactly_the_bytes_bracketed_and_no_enter(tmux: Server, tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    (tmp_path / "listener.py").write_text(LISTENER)
    own = tmux("new-session", "-d", "-P", "-F", "#{pane_id}", "-x", "80", "-y", "24", "sleep 100")
    command = f"{sys.executable} {tmp_path / 'listener.py'} {heard}"
    other = tmux("split-window", "-d", "-P", "-F", "#{pane_id}", command)
    tmux("select-pane", "-t", other, "-T", "a\ttitle")
    until(lambda: heard.exists() and heard.read_bytes() == b"ready")
    time.sleep(0.2)  # tmux must have seen that the program asks for brackets
    environ = {**os.environ, "TMUX": f"{tmux.socket},1,0", "TMUX_PANE": own}
    found = panes(environ)
    assert [pane.id for pane in found] == [other] and "python" in found[0].command
    text = "# Prompt\n\n$(rm -rf /) `x` \u65e5\u672c \\ '\n- last line\n\n"
    tmux("set-buffer", "-b", "mine", "kept")
    paste(found[0], text, environ)
    until(lambda: heard.read_bytes().endswith(b"\x1b[201~"))
    # tmux sends a line end inside a paste as terminals do.
    inside = text.rstrip("\n").replace("\n", "\r").encode()
    assert heard.read_bytes() == b"ready\x1b[200~" + inside + b"\x1b[201~"
    assert tmux("list-buffers", "-F", "#{buffer_name}") == "mine"


def test_outside_of_tmux_it_says_so() -> None:
    with pytest.raises(PanesError, match="not inside tmux"):
        panes({})


@needs_tmux
def test_a_lone_pane_and_a_dead_server_are_told(tmux: Server, tmp_path: Path) -> None:
    own = tmux("new-session", "-d", "-P", "-F", "#{pane_id}", "sleep 100")
    with pytest.raises(PanesError, match="no other pane"):
        panes({**os.environ, "TMUX": f"{tmux.socket},1,0", "TMUX_PANE": own})
    with pytest.raises(PanesError, match="tmux:"):
        panes({**os.environ, "TMUX": f"{tmp_path / 'gone'},1,0"})


async def test_t_says_why_it_cannot(run_app: Run) -> None:
    async with run_app(query="the shop is down, lead the incident") as app:
        await app.pilot.press("alt+t")
        await app.until(lambda: "not inside tmux" in app.said)


@needs_tmux
async def test_t_asks_for_the_pane_and_pastes(
    run_app: Run, write: Write, tmux: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmux("new-session", "-d", "-P", "-F", "#{pane_id}", "-x", "80", "-y", "24", "sleep 100")
    tmux("split-window", "-d", "cat > /dev/null")
    monkeypatch.setenv("TMUX", f"{tmux.socket},1,0")
    monkeypatch.setenv("TMUX_PANE", own)
    async with run_app(query="the shop is down, lead the incident") as app:
        await app.pilot.press("alt+t")
        await app.until(lambda: isinstance(app.pilot.app.screen, ChooseScreen))
        await app.pilot.press("enter")
        await app.until(lambda: app.said.startswith("pasted ") and app.said.endswith("Enter is yours"))
