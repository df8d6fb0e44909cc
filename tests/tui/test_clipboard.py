"""The routes a copy can take, in their order, and what each confirms."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from weave_tui.tui.clipboard import Copied, copy_by_program, run_program
from weave_tui.tui.editor import editor_command

TMUX = "tmux buffer, then terminal clipboard"


@pytest.mark.parametrize(
    ("environ", "there", "failing", "program"),
    [
        ({}, {"xclip", "tmux", "wl-copy"}, set(), None),
        ({"TMUX": "x"}, {"tmux", "xclip"}, set(), "tmux"),
        ({"TMUX": "x", "DISPLAY": ":0"}, {"tmux", "xclip"}, {"tmux"}, "xclip"),
        ({"TMUX": "x"}, set(), set(), None),
        ({"WAYLAND_DISPLAY": "w", "DISPLAY": ":0"}, {"wl-copy", "xclip"}, set(), "wl-copy"),
        ({"DISPLAY": ":0"}, {"xclip", "xsel"}, set(), "xclip"),
        ({"DISPLAY": ":0"}, {"xsel"}, set(), "xsel"),
        ({"DISPLAY": ":0"}, {"xclip"}, {"xclip"}, None),
        ({"WSL_DISTRO_NAME": "d"}, {"clip.exe"}, set(), "clip.exe"),
    ],
)
def test_the_first_route_that_works(
    environ: dict[str, str], there: set[str], failing: set[str], program: str | None
) -> None:
    sent: list[tuple[str, bytes]] = []

    def run(command: Sequence[str], data: bytes) -> bool:
        sent.append((command[0], data))
        return command[0] not in failing

    copied = copy_by_program("text é", environ, lambda name: name if name in there else None, run)
    if program is None:
        assert copied is None
    else:
        assert copied is not None
        assert sent[-1] == (program, "text é".encode())
        assert copied.confirmed is (program != "tmux")


def test_a_copy_tells_what_it_knows() -> None:
    assert str(Copied("X clipboard", confirmed=True)) == "X clipboard"
    assert str(Copied(TMUX, confirmed=False)) == f"{TMUX} (sent, not confirmed)"


def test_a_program_that_fails_or_hangs_or_is_gone_copies_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weave_tui.tui.clipboard.TIMEOUT", 0.1)
    assert run_program(["cat"], b"x")
    assert not run_program(["false"], b"x")
    assert not run_program(["sleep", "5"], b"x")
    assert not run_program(["/no/such/program"], b"x")


@pytest.mark.parametrize(
    ("environ", "command"),
    [
        ({"EDITOR": "vim"}, ["vim", "+7", "/a b.md"]),
        ({"EDITOR": "vim", "VISUAL": "code --wait"}, ["code", "--wait", "--goto", "/a b.md:7"]),
        ({"EDITOR": "hx"}, ["hx", "/a b.md:7"]),
        ({"EDITOR": "my-editor -x 'a b'"}, ["my-editor", "-x", "a b", "/a b.md"]),
    ],
)
def test_the_editor_opens_at_the_line(environ: dict[str, str], command: list[str]) -> None:
    assert editor_command(Path("/a b.md"), 7, environ) == command
