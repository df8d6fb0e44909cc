"""The copy chain for real, byte for byte: through tmux, an X server, a terminal at the end of ssh, and with nothing."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Write
from tools.bench.terminal import Terminal
from weave_tui.tui.clipboard import Copied, copy_by_program, routes, tried

TEXT = "# Prompt\n\nñandú 日本語 🎉\ttab\n" + "long line " * 400 + "\nno newline at the end"
BODY = "Paint walls, ñandú 日本語.\n"
needs = {name: pytest.mark.skipif(not shutil.which(name), reason=f"needs {name}") for name in ("tmux", "xclip", "Xvfb")}


@pytest.fixture
def tmux(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A server of its own with one session; what runs here runs inside it."""
    socket = tmp_path / "tmux"
    monkeypatch.delenv("TMUX", raising=False)
    subprocess.run(["tmux", "-S", socket, "-f", "/dev/null", "new-session", "-d", "-s", "t", "cat"], check=True)
    monkeypatch.setenv("TMUX", f"{socket},0,0")
    yield socket
    subprocess.run(["tmux", "-S", socket, "kill-server"], check=False)


@needs["tmux"]
@pytest.mark.parametrize("setting", ["external", "on"])
def test_through_tmux_to_the_terminal_outside(tmux: Path, setting: str) -> None:
    subprocess.run(["tmux", "-S", tmux, "set-option", "-s", "set-clipboard", setting], check=True)
    with Terminal(["tmux", "-S", str(tmux), "attach", "-t", "t"]) as outside:
        outside.read_for(1.0)
        assert copy_by_program(TEXT) == Copied("tmux buffer, then terminal clipboard", confirmed=False)
        seen = outside.read_for(1.0)
    assert subprocess.run(["tmux", "-S", tmux, "save-buffer", "-"], capture_output=True).stdout == TEXT.encode()
    sent = re.search(rb"\x1b\]52;c?;([A-Za-z0-9+/=]+)(?:\x07|\x1b\\)", seen)
    assert sent and base64.b64decode(sent[1]) == TEXT.encode()


@needs["tmux"]
def test_the_doctor_leaves_no_buffer_in_tmux(tmux: Path) -> None:
    copy_by_program("mine")
    assert tried(routes()[0]) is True
    listed = subprocess.run(["tmux", "-S", tmux, "list-buffers"], capture_output=True, text=True).stdout
    assert len(listed.splitlines()) == 1 and "mine" in listed


@pytest.fixture
def display(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """An X server that nobody sees."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "640x480x24", "-nolisten", "tcp", "-noreset"]
    server = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    with os.fdopen(reading) as told:
        number = told.readline().strip()
    if not number:
        pytest.skip("Xvfb does not start here")
    monkeypatch.delenv("TMUX", raising=False)
    monkeypatch.setenv("DISPLAY", f":{number}")
    yield number
    server.kill()
    server.wait()


@needs["Xvfb"]
@needs["xclip"]
@pytest.mark.skipif(bool(shutil.which("wl-copy")), reason="wl-copy is here")
def test_to_an_x_server_also_where_wayland_has_no_program(display: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weave_tui.tui.clipboard.TIMEOUT", 30.0)  # a busy machine is not what this is about
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    route = routes()[0]
    assert tried(route) is None, "nothing is there that could be put back"
    assert copy_by_program(TEXT) == Copied("X clipboard", confirmed=True)
    read = ["xclip", "-selection", "clipboard", "-o"]
    assert subprocess.run(read, capture_output=True, check=True).stdout == TEXT.encode()
    assert tried(route) is True
    assert subprocess.run(read, capture_output=True, check=True).stdout == TEXT.encode(), "it is put back"


@pytest.mark.parametrize("environ", [{"SSH_TTY": "/dev/pts/9", "SSH_CONNECTION": "a 1 b 2"}, {"PATH": "/nowhere"}])
def test_by_the_terminal_itself(write: Write, monkeypatch: pytest.MonkeyPatch, environ: dict[str, str]) -> None:
    """At the end of ssh, and with no program at all: OSC 52, and the app does not claim that it arrived."""
    for name in ("TMUX", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    root = write({"a/SKILL.md": f"---\nname: a\ndescription: Paint walls.\n---\n{BODY}"})
    app = [sys.executable, "-m", "weave_tui", "--no-cache", "--no-state", "--query", "paint walls", str(root)]
    with Terminal(app) as terminal:
        terminal.read_until(b"tokens")
        time.sleep(0.3)
        terminal.send("\r")
        seen = terminal.read_for(2.0)
    sent = re.search(rb"\x1b\]52;c;([A-Za-z0-9+/=]+)\x07", seen)
    assert sent and base64.b64decode(sent[1]).decode().strip() == BODY.strip()
    assert b"not confirmed" in seen


def doctor(root: Path) -> tuple[int, dict[str, dict[str, str]]]:
    command = [sys.executable, "-m", "weave_tui", "doctor", "--json", str(root)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, {found["subject"]: found for found in json.loads(done.stdout)}


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TMUX", "DISPLAY", "WAYLAND_DISPLAY", "NO_COLOR", "COLORTERM", "SSH_TTY", "SSH_CONNECTION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")


@pytest.mark.usefixtures("bare")
def test_the_doctor_has_nothing_to_say(write: Write) -> None:
    root = write({"a/SKILL.md": "---\nname: a\ndescription: d\n---\nB."})
    code, found = doctor(root)
    assert code == 0 and not any(finding["advice"] for finding in found.values())
    assert "sent, not confirmed" in found["copy"]["found"]
    assert found["skills"]["found"].startswith("1 in ")
    assert {"versions", "model", "cache", "settings", "colours", "characters"} <= found.keys()


@pytest.mark.usefixtures("bare")
def test_the_doctor_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "vt100")
    monkeypatch.setenv("SSH_TTY", "/dev/pts/9")
    monkeypatch.setenv("WEAVE_TUI_APP_KEYS", "{pin: x}")
    monkeypatch.setenv("LC_ALL", "en_US.ISO-8859-1")
    monkeypatch.setenv("PYTHONUTF8", "0")
    code, found = doctor(tmp_path)
    assert code == 1
    assert "--theme ansi" in found["colours"]["advice"] and "OSC 52" in found["ssh"]["found"]
    assert "x is the key of exclude" in found["keys"]["found"]
    assert found["skills"]["found"] == "none" and "No skills found" in found["skills"]["advice"]


@pytest.mark.usefixtures("bare")
def test_the_doctor_says_what_is_wrong_with_the_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEAVE_TUI_APP_THEME", "pink")
    code, found = doctor(tmp_path)
    assert code == 1 and "app.theme" in found["settings"]["found"]
