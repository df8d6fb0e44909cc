"""Deduplication between the parts of a composition (spec: protocol, Composition).

A later part loses the prose lines and list items that an earlier one already has. Structure is
never touched: code, tables, HTML, rules and headings stay, except a heading whose whole section
fell away. Every line that is not in the result is in `removed`, with the reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from weave_tui.broker.outline import Line, Outline, outline


class Reason(StrEnum):
    """Why a line was left out."""

    DUPLICATE = "duplicate"
    """An earlier part has the same line."""
    SECTION = "section"
    """The heading's whole section was left out."""
    CONTAINED = "contained"
    """An earlier part holds the whole of this one."""
    EDGE = "edge"
    """A blank line that came to stand at the start or end of its part."""
    CONFLICT = "conflict"
    """It gave way to a line of an earlier part that says the opposite."""
    CUT = "cut"
    """Its section was cut to keep to the token budget."""


@dataclass(frozen=True, slots=True)
class Removed:
    """A line that was left out: its part and line (0-based), and the (part, line) that stands for it.

    That is where it is kept, or what it gave way to; None for headings, edges and cuts.
    """

    part: int
    line: int
    text: str
    reason: Reason
    kept: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Deduped:
    """For each body the numbers of the lines that stay, and every line that does not."""

    kept: tuple[tuple[int, ...], ...]
    removed: tuple[Removed, ...]


def dedupe(bodies: Sequence[str], given: Sequence[Removed] = ()) -> Deduped:
    """Remove from every body but the first what an earlier one already has. `given` are lines that are gone before."""
    shapes = [outline(body) for body in bodies]
    before: list[dict[int, Removed]] = [{} for _ in bodies]
    for out in given:
        before[out.part].setdefault(out.line, out)
    whole = [
        tuple(line for line in range(len(shape.lines)) if line not in taken)
        for shape, taken in zip(shapes, before, strict=True)
    ]
    kept: list[tuple[int, ...]] = []
    removed: list[Removed] = []
    seen: dict[str, tuple[int, int]] = {}
    for part, shape in enumerate(shapes):
        gone = _contained(shapes, part, whole[part], whole)
        if not gone:
            gone = _duplicates(shape, part, seen, before[part])
            stay = [line for line in whole[part] if line not in gone]
            for line in _edges(shape, stay) if gone or before[part] else ():
                gone[line] = Removed(part, line, shape.lines[line], Reason.EDGE)
            gone |= _contained(shapes, part, [line for line in stay if line not in gone], kept)
        gone |= before[part]
        kept.append(tuple(line for line in whole[part] if line not in gone))
        removed += (gone[line] for line in sorted(gone))
        for line in kept[-1]:
            if shape.kinds[line] in (Line.PROSE, Line.ITEM):
                seen.setdefault(shape.lines[line].rstrip(), (part, line))
    return Deduped(tuple(kept), tuple(removed))


def _contained(
    shapes: Sequence[Outline], part: int, lines: Sequence[int], earlier: Sequence[Sequence[int]]
) -> dict[int, Removed]:
    """All of `lines` when they stand as a whole, and as the same kind of text, in an earlier part's lines."""
    shape = shapes[part]
    text = _text(shape, lines)
    for other in range(part if text.strip() else 0):
        at = _text(shapes[other], earlier[other]).find(text)
        if at < 0:
            continue
        first = _text(shapes[other], earlier[other]).count("\n", 0, at)
        # Where this part ends on the line that closes the other's fence, the other's last line stands for it.
        places = [*earlier[other], earlier[other][-1]][first : first + len(lines)]
        if all(shape.kinds[a] is shapes[other].kinds[b] for a, b in zip(lines, places, strict=True)):
            return {
                line: Removed(part, line, shape.lines[line], Reason.CONTAINED, (other, place))
                for line, place in zip(lines, places, strict=True)
            }
    return {}


def _text(shape: Outline, lines: Sequence[int]) -> str:
    return "\n" + "\n".join(line.rstrip() for line in shape.closed(lines)) + "\n"


def _duplicates(
    shape: Outline, part: int, seen: dict[str, tuple[int, int]], before: dict[int, Removed]
) -> dict[int, Removed]:
    def is_known(line: int) -> bool:
        return shape.kinds[line] in (Line.PROSE, Line.ITEM) and shape.lines[line].rstrip() in seen

    def take(line: int) -> None:
        text = shape.lines[line]
        gone[line] = Removed(part, line, text, Reason.DUPLICATE, seen[text.rstrip()])

    gone: dict[int, Removed] = {}
    for line, kind in enumerate(shape.kinds):
        if kind is Line.PROSE and line not in before and is_known(line):
            take(line)
    for start, end in shape.items:
        full = [line for line in range(start, end) if shape.lines[line].strip() and line not in before]
        if all(map(is_known, full)):
            for line in full:
                if line not in gone:
                    take(line)
    for line in _fallen_headings(shape, before | gone):
        gone[line] = Removed(part, line, shape.lines[line], Reason.SECTION)
    return gone


def _fallen_headings(shape: Outline, gone: dict[int, Removed]) -> list[int]:
    """The lines of headings whose section had something to say and has nothing left, inner sections first."""
    fallen: list[int] = []
    for index, (start, level) in reversed(list(enumerate(shape.headings))):
        after = next((line for line, other in shape.headings[index + 1 :] if other <= level), len(shape.lines))
        own = [start]
        while own[-1] + 1 < after and shape.kinds[own[-1] + 1] is Line.HEADING and _is_setext(shape, own[-1] + 1):
            own.append(own[-1] + 1)
        section = [line for line in range(own[-1] + 1, after) if shape.lines[line].strip()]
        if section and all(line in gone or line in fallen for line in section):
            fallen += own
    return fallen


def _is_setext(shape: Outline, line: int) -> bool:
    """Whether a heading line is the second or later of its heading."""
    return not any(start == line for start, _ in shape.headings)


def _edges(shape: Outline, stay: list[int]) -> list[int]:
    """Blank lines among those that stay which stand at the start or the end."""
    blank = [not shape.lines[line].strip() for line in stay]
    head = next((i for i, is_blank in enumerate(blank) if not is_blank), len(stay))
    tail = next((i for i, is_blank in enumerate(reversed(blank)) if not is_blank), len(stay))
    return [line for i, line in enumerate(stay) if i < head or i >= len(stay) - tail]
