"""The outline of a body: what each of its lines is, by the Markdown it stands in.

Deduplication and cutting ask this module what may be touched; nothing else interprets a body.
Lines are 0-based here and hold no newline.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from markdown_it.token import Token

from weave_tui.skills.prose import markdown

_FENCE = re.compile(r"[ \t>]*(?:[-*+][ \t]+|\d+[.)][ \t]+)*(?P<mark>`{3,}|~{3,})")


class Line(Enum):
    """What a line is to composition."""

    FIXED = "fixed"
    """Code, tables, HTML, rules, blank lines and whatever no rule knows: never touched alone."""
    PROSE = "prose"
    ITEM = "item"
    HEADING = "heading"


@dataclass(frozen=True, slots=True)
class Outline:
    """A body, line by line.

    items: (start, end) of every list item with all that hangs on it, outer ones first.
    paragraphs: (start, end) of every paragraph, in items too. headings: (line, level).
    open_fence: the line that closes a fence left open at the end, or "".
    """

    lines: tuple[str, ...]
    kinds: tuple[Line, ...]
    items: tuple[tuple[int, int], ...]
    paragraphs: tuple[tuple[int, int], ...]
    headings: tuple[tuple[int, int], ...]
    open_fence: str

    def is_open(self, kept: Sequence[int]) -> bool:
        """Whether a text of these lines ends inside a code fence."""
        return bool(self.open_fence and kept) and kept[-1] == len(self.lines) - 1

    def closed(self, kept: Sequence[int]) -> list[str]:
        """These lines as they stand in a prompt: a fence left open at their end is closed."""
        lines = [self.lines[line] for line in kept]
        return [*lines, self.open_fence] if self.is_open(kept) else lines


@functools.lru_cache(maxsize=512)
def outline(body: str) -> Outline:
    """The outline of `body` (CommonMark with tables)."""
    lines = tuple(body.split("\n"))
    kinds = [Line.FIXED] * len(lines)
    items: list[tuple[int, int]] = []
    paragraphs: list[tuple[int, int]] = []
    headings: list[tuple[int, int]] = []
    open_fence = ""
    depth = 0
    for token in markdown().parse(body):
        if token.type == "list_item_close":
            depth -= 1
        if token.map is None:
            continue
        start, end = token.map[0], min(token.map[1], len(lines))
        match token.type:
            case "list_item_open":
                depth += 1
                items.append((start, _last_full(lines, start, end)))
            case "paragraph_open":
                paragraphs.append((start, end))
                kinds[start:end] = [Line.ITEM if depth else Line.PROSE] * (end - start)
            case "heading_open":
                kinds[start:end] = [Line.HEADING] * (end - start)
                headings.append((start, int(token.tag[1])))
            case "fence":
                open_fence = _unclosed(token, lines, start, end) if end == len(lines) else ""
    # What a reader would take for a fence, a table row or HTML stays, also where CommonMark sees text.
    kinds = [
        Line.FIXED if kind in (Line.PROSE, Line.ITEM) and _looks_fixed(line) else kind
        for kind, line in zip(kinds, lines, strict=True)
    ]
    items.sort(key=lambda item: (item[0], -item[1]))
    return Outline(lines, tuple(kinds), tuple(items), tuple(paragraphs), tuple(headings), open_fence)


def _last_full(lines: tuple[str, ...], start: int, end: int) -> int:
    while end > start + 1 and not lines[end - 1].strip():
        end -= 1
    return end


def _looks_fixed(line: str) -> bool:
    return line.lstrip(" \t>").startswith(("|", "```", "~~~", "<"))


def _unclosed(token: Token, lines: tuple[str, ...], start: int, end: int) -> str:
    """The closing line that a fence at the end of a body lacks, "" when it is closed."""
    last = lines[end - 1].strip(" \t>")
    if end - start > 1 and set(last) == {token.markup[0]} and len(last) >= len(token.markup):
        return ""
    opener = _FENCE.match(lines[start])
    return (" " * opener.start("mark") if opener else "") + token.markup
