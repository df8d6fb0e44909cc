"""Lines in stretches, each drawn one way and each knowing where it comes from.

A stretch keeps the offsets of its text in the template or the prompt, so that showing hidden
characters safely never moves a position.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from rich.cells import cell_len

from weave_tui.prompts import Place

Tone = Literal["text", "muted", "primary", "success", "warning", "error", "accent", "hairline"]
"""The role that text is drawn in (see theme.Roles)."""


class Origin(NamedTuple):
    """Characters `start` to `end` of the source number `part` of an agent."""

    part: int
    start: int
    end: int

    def meets(self, other: Origin) -> bool:
        return self.part == other.part and self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a line. `text` is raw: whoever draws it makes it safe."""

    text: str
    tone: Tone = "text"
    bold: bool = False
    underlined: bool = False
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class ShownLine:
    """One line. The cursor stands on it only if it is a stop; a line that does not wrap is cut."""

    stretches: tuple[Stretch, ...] = ()
    margin: str = ""
    margin_tone: Tone = "muted"
    stop: bool = True
    wraps: bool = True
    right: tuple[Stretch, ...] = ()
    place: Place | None = None
    """Where the line is in its file."""

    @property
    def text(self) -> str:
        return "".join(stretch.text for stretch in self.stretches)

    @property
    def origins(self) -> tuple[Origin, ...]:
        """Where its stretches come from; tags before plain text, because they are what made the line."""
        ordered = sorted(self.stretches, key=lambda stretch: stretch.tone == "text")
        return tuple(stretch.origin for stretch in ordered if stretch.origin)

    def meets(self, origins: Iterable[Origin]) -> bool:
        return any(one.meets(other) for one in self.origins for other in origins)


def plain(text: str, tone: Tone = "text", *, bold: bool = False, stop: bool = False) -> ShownLine:
    """A line that comes from no source."""
    return ShownLine((Stretch(text, tone, bold),), stop=stop)


def split_lines(stretches: Iterable[Stretch]) -> Iterator[list[Stretch]]:
    """Stretches of a text as those of its lines; the line ends are gone, origins stay exact for copied text."""
    line: list[Stretch] = []
    for stretch in stretches:
        at = 0
        *ended, rest = stretch.text.split("\n")
        for piece in ended:
            line += _piece(stretch, piece, at)
            yield line
            line = []
            at += len(piece) + 1
        line += _piece(stretch, rest, at)
    yield line


def _piece(stretch: Stretch, text: str, at: int) -> list[Stretch]:
    text = text.removesuffix("\r")
    if not text:
        return []
    origin = stretch.origin
    if origin and origin.end - origin.start == len(stretch.text):
        origin = Origin(origin.part, origin.start + at, origin.start + at + len(text))
    return [Stretch(text, stretch.tone, stretch.bold, stretch.underlined, origin)]


def wrapped(stretches: Sequence[Stretch], width: int) -> list[list[Stretch]]:
    """Stretches of safe text in rows of at most `width` cells, broken at blanks where there are any."""
    text = "".join(stretch.text for stretch in stretches)
    if cell_len(text) <= width:
        return [list(stretches)]
    return [_between(stretches, start, end) for start, end in _breaks(text, max(width, 2))]


def _breaks(text: str, width: int) -> Iterator[tuple[int, int]]:
    start = 0
    while start < len(text):
        end, used = start, 0
        while end < len(text) and used + (size := cell_len(text[end])) <= width:
            used += size
            end += 1
        following = end
        if end < len(text):
            blank = end if text[end] == " " else text.rfind(" ", start + width // 3, end)
            end = max(blank, end if blank < 0 else start)
            following = end + (blank >= 0)
        yield start, end
        start = following


def _between(stretches: Sequence[Stretch], start: int, end: int) -> list[Stretch]:
    row: list[Stretch] = []
    at = 0
    for stretch in stretches:
        text = stretch.text[max(0, start - at) : max(0, end - at)]
        if text:
            row.append(Stretch(text, stretch.tone, stretch.bold, stretch.underlined, stretch.origin))
        at += len(stretch.text)
    return row
