"""A token budget: which sections leave a composition until it fits (spec: protocol, Composition).

The last section of the last part goes first, a heading never stays without its text, and the first
part's first section always stays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from weave_tui.broker.outline import Line, Outline


@dataclass(frozen=True, slots=True)
class Cut:
    """A section that was cut: its part, its heading ("" for what stands before the first), its lines, its tokens."""

    part: int
    heading: str
    lines: tuple[int, ...]
    tokens: int


def cut_to(
    shapes: Sequence[Outline],
    kept: Sequence[tuple[int, ...]],
    max_tokens: int,
    count: Callable[[Sequence[tuple[int, ...]]], int],
    count_tokens: Callable[[str], int],
) -> tuple[list[tuple[int, ...]], list[Cut]]:
    """The lines that stay of each part, and the cuts in the order they were made.

    `count` is the size of a composition of these lines, `count_tokens` that of a text; both in estimated tokens.
    """
    staying = [*kept]
    cuts: list[Cut] = []
    size = count(staying)
    first = next((part for part, lines in enumerate(kept) if lines), 0)
    for part in reversed(range(len(kept))):
        sections = _sections(shapes[part], kept[part])
        while size > max_tokens and len(sections) > (part == first):
            lines = sections.pop()
            while len(sections) > (part == first) and _is_bare(shapes[part], sections[-1], lines):
                lines = (*sections.pop(), *lines)
            text = "\n".join(shapes[part].lines[line] for line in lines)
            is_titled = shapes[part].kinds[lines[0]] is Line.HEADING
            cuts.append(
                Cut(part, shapes[part].lines[lines[0]].strip("# ") if is_titled else "", lines, count_tokens(text))
            )
            staying[part] = _without_blank_end(shapes[part], [line for section in sections for line in section])
            # Counting a long text again for each of its sections would take minutes: subtract, and count when it fits.
            size -= cuts[-1].tokens
            if size <= max_tokens:
                size = count(staying)
    return staying, cuts


def _sections(shape: Outline, kept: Sequence[int]) -> list[tuple[int, ...]]:
    """The kept lines by section. What stands before the first text belongs to the first section."""
    starts = {line for line, _ in shape.headings}
    sections: list[list[int]] = [[]]
    for line in kept:
        has_text = any(shape.lines[other].strip() and shape.kinds[other] is not Line.HEADING for other in sections[0])
        if line in starts and (len(sections) > 1 or has_text):
            sections.append([])
        sections[-1].append(line)
    return [tuple(section) for section in sections if section]


def _is_bare(shape: Outline, section: Sequence[int], after: Sequence[int]) -> bool:
    """Whether a section is a heading only, over the section that was just cut."""
    levels = dict(shape.headings)
    if section[0] not in levels or after[0] not in levels or levels[section[0]] >= levels[after[0]]:
        return False
    return all(shape.kinds[line] is Line.HEADING or not shape.lines[line].strip() for line in section)


def _without_blank_end(shape: Outline, lines: list[int]) -> tuple[int, ...]:
    while lines and not shape.lines[lines[-1]].strip():
        lines.pop()
    return tuple(lines)
