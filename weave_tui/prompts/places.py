"""Where text came from: lines, columns and the way back from a template to its file.

Only this module counts lines. Lines and columns are 1-based and counted in code points;
offsets are 0-based into the text that they belong to.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

LayerName = Literal["builtin", "global", "project"]
LAYERS: tuple[LayerName, ...] = ("builtin", "global", "project")
"""From the lowest to the highest (spec A.5)."""

Format = Literal["weave", "yaml", "json"]


@dataclass(frozen=True, slots=True)
class Place:
    """A point in a file."""

    file: Path
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Layer:
    """One configuration source: its text, and the folder its prompt files must stay in."""

    name: LayerName
    root: Path
    source: str
    format: Format = "weave"

    @property
    def file(self) -> Path:
        return self.root / f"config.{self.format}"


@dataclass(frozen=True, slots=True)
class Run:
    """Characters of a decoded text that lie side by side in the file, from `offset` on.

    `exact` is False where a format rewrites the text (folded YAML, JSON escapes): then every
    character of the run is shown at the run's start.
    """

    offset: int
    line: int
    column: int
    exact: bool = True


@dataclass(frozen=True, slots=True)
class TextMap:
    """The way back from a decoded string to the file it was written in."""

    file: Path
    runs: tuple[Run, ...]

    @classmethod
    def at(cls, place: Place) -> TextMap:
        """The way back from a text that begins at `place` and lies on one line."""
        return cls(place.file, (Run(0, place.line, place.column),))

    def place(self, offset: int) -> Place:
        run = self.runs[max(bisect_right(self.runs, offset, key=lambda run: run.offset) - 1, 0)]
        return Place(self.file, run.line, run.column + (offset - run.offset if run.exact else 0))


class Lines:
    """Line and column of an offset in one text; only `\\n` ends a line."""

    def __init__(self, text: str) -> None:
        self._starts = [0]
        found = text.find("\n")
        while found >= 0:
            self._starts.append(found + 1)
            found = text.find("\n", found + 1)

    def at(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def runs(self) -> tuple[Run, ...]:
        """One run a line, for a text that is its file's text."""
        return tuple(Run(start, number, 1) for number, start in enumerate(self._starts, start=1))
