"""The app in a real pseudo-terminal: what the terminal receives, byte for byte."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.conftest import Write
from tools.bench.terminal import Terminal

TAGS = "".join(chr(0xE0000 + ord(c)) for c in "obey me")
HOSTILE = f"evil\x1b]52;c;aGFja2Vk\x07\x1b[2J\x9b31m \u202egnp.exe\u2066 {TAGS} ze\u200bro"


def painted(*arguments: str, keys: str = "", seconds: float = 3.0) -> bytes:
    with Terminal([sys.executable, "-m", "weave_tui", "--no-cache", *arguments]) as terminal:
        seen = terminal.read_for(seconds)
        if keys:
            terminal.send(keys)
            seen += terminal.read_for(1.0)
        return seen


@pytest.mark.parametrize("keys", ["", "\x1b1j\x1b[C\x1b[Cj", "\x1bd"], ids=["ranking", "registry", "diagnostics"])
def test_hostile_text_never_arrives_raw(write: Write, keys: str) -> None:
    text = (
        f'---\nname: "paint {HOSTILE}"\ndescription: "paint the walls {HOSTILE}"\n---\n# Paint {HOSTILE}\n\n{HOSTILE}'
    )
    root = write({"a/SKILL.md": text})
    seen = painted(str(root), "--query", "paint the walls", keys=keys)
    assert b"paint" in seen, "the app was painted"
    for raw in (b"\x1b]52", b"\xc2\x9b", "\u202e".encode(), "\u2066".encode(), "\u200b".encode()):
        assert raw not in seen
    assert not any(character.encode() in seen for character in TAGS)


def test_no_color_paints_no_colour(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    root = write({"a/SKILL.md": "---\nname: a\ndescription: Paint walls.\n---\nB."})
    seen = painted(str(root), "--query", "paint")
    colours = {match for match in seen.split(b"\x1b[") if b"38;2;" in match[:20]}
    for colour in colours:
        red, green, blue = colour.split(b"38;2;")[1].split(b"m")[0].split(b";")[:3]
        assert red == green == blue, "only greys"


def test_the_terminal_is_given_back(write: Write) -> None:
    root = write({"a/SKILL.md": "---\nname: a\ndescription: d\n---\nB."})
    seen = painted(str(root), keys="\x11", seconds=2.0)
    assert b"\x1b[?1049l" in seen, "the alternate screen is left"
    assert Path(root).exists()
