"""The app in a real pseudo-terminal: what the terminal receives, byte for byte."""

from __future__ import annotations

import re
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


@pytest.mark.parametrize("theme", ["dark", "ansi"])
def test_no_color_paints_no_colour(write: Write, monkeypatch: pytest.MonkeyPatch, theme: str) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLORTERM", "truecolor")
    root = write({"a/SKILL.md": "---\nname: a\ndescription: Paint walls.\n---\nB."})
    used = colours(painted(str(root), "--query", "paint", "--theme", theme))
    assert used, "greys"
    for colour in used:
        red, green, blue = re.fullmatch(rb"[34]8;2;(\d+);(\d+);(\d+)", colour).groups()  # type: ignore[union-attr]
        assert red == green == blue, "only greys"


def colours(seen: bytes) -> set[bytes]:
    """The colours that are set, as SGR parameters."""
    found: set[bytes] = set()
    for parameters in re.findall(rb"\x1b\[([0-9;]*)m", seen):
        found |= set(
            re.findall(rb"(?:^|;)((?:3|4|9|10)[0-7](?![0-9])|[34]8;5;[0-9]+|[34]8;2;[0-9]+;[0-9]+;[0-9]+)", parameters)
        )
    return found


def test_the_terminals_own_colours_and_no_others(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    root = write({"a/SKILL.md": "---\nname: a\ndescription: Paint walls.\n---\nB."})
    seen = painted(str(root), "--query", "paint", "--theme", "ansi")
    used = colours(seen)
    assert b"32" in used and b"34" in used, "green and blue are the terminal's"
    assert not [colour for colour in used if b";" in colour], "no colour of our own"
    # Black and white are a guess at the background; the row under the cursor is reversed instead.
    assert not used & {b"30", b"40", b"37", b"47"}
    assert re.search(rb"\x1b\[(?:[0-9;]*;)?7(?:;[0-9;]*)?m", seen)


def test_the_terminal_is_given_back(write: Write) -> None:
    root = write({"a/SKILL.md": "---\nname: a\ndescription: d\n---\nB."})
    seen = painted(str(root), keys="\x11", seconds=2.0)
    assert b"\x1b[?1049l" in seen, "the alternate screen is left"
    assert Path(root).exists()
