"""Composition: the chosen skills as one prompt that knows where every line came from.

A body is text, never a template, and `Composition.text` is never parsed back: all that any view
shows (margins, removed lines, conflicts, counts) is in the data.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from weave_tui.broker.budget import Cut, cut_to
from weave_tui.broker.conflicts import Conflict, find_conflicts
from weave_tui.broker.dedupe import Reason, Removed, dedupe
from weave_tui.broker.outline import Outline, outline
from weave_tui.broker.selection import Role
from weave_tui.diagnostics import Diagnostic
from weave_tui.skills import Skill

SEPARATOR = "\n\n---\n\n"
"""Between two parts of `composed` (seed: WeaveResponse)."""

ADDED = -1
"""The source line of a line that composition added."""


@dataclass(frozen=True, slots=True)
class Piece:
    """What goes into a composition: a skill and why. Pieces come best scored first."""

    skill: Skill
    role: Role
    asked_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """One piece as it stands in the text: characters `start` to `end`.

    index: its place in `pieces`. lines: for each of its lines the line of its source it is (0-based), or `ADDED`.
    tokens: an estimate.
    """

    piece: Piece
    index: int
    start: int
    end: int
    lines: tuple[int, ...]
    tokens: int


@dataclass(frozen=True, slots=True)
class Composition:
    """The composed prompt. Removed lines, conflicts and cuts count `pieces`; `parts` are those with text left.

    sources: what was taken of each piece, whose lines everything else counts. tokens: an estimate for the whole.
    """

    text: str
    pieces: tuple[Piece, ...]
    sources: tuple[str, ...]
    parts: tuple[Part, ...]
    removed: tuple[Removed, ...]
    conflicts: tuple[Conflict, ...]
    cuts: tuple[Cut, ...]
    tokens: int
    diagnostics: tuple[Diagnostic, ...]

    @property
    def lines(self) -> int:
        return self.text.count("\n") + 1 if self.text else 0


EMPTY = Composition("", (), (), (), (), (), (), 0, ())


def full_text(skill: Skill) -> str:
    """What the strategy `full` takes of a skill: its body."""
    return skill.body


def minimal_text(skill: Skill) -> str:
    """What the strategy `minimal` takes of a skill: its trigger patterns and a list of its capabilities."""
    offered = skill.advertisement
    return "\n".join([*offered.trigger_patterns, *(f"- {capability}" for capability in offered.capabilities)])


@dataclass(frozen=True, slots=True)
class Manner:
    """How pieces are composed.

    text: what is taken of each skill. max_tokens: the budget, in estimated tokens; None for none. keep_conflicts:
    both of two lines at odds stay.
    """

    text: Callable[[Skill], str] = full_text
    max_tokens: int | None = None
    keep_conflicts: bool = False


FULL = Manner()


class Reader(Protocol):
    """What composition asks of a model: estimated tokens of a text, and texts to unit vectors (texts, dimensions)."""

    def count_tokens(self, text: str) -> int: ...

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]: ...


def compose(pieces: Sequence[Piece], reader: Reader, manner: Manner = FULL) -> Composition:
    """Merge `pieces` in their order; later ones give way to earlier ones and lose what these already say."""
    sources = tuple(manner.text(piece.skill) for piece in pieces)
    shapes = [outline(source) for source in sources]
    conflicts = find_conflicts(sources, reader.encode)
    deduped = dedupe(sources, () if manner.keep_conflicts else _gave_way(conflicts, shapes))
    kept, cuts, removed = list(deduped.kept), list[Cut](), list(deduped.removed)
    if manner.max_tokens is not None:
        kept, cuts = cut_to(
            shapes, kept, manner.max_tokens, lambda lines: _size(shapes, lines, reader), reader.count_tokens
        )
        removed += _removed_by_cuts(shapes, deduped.kept, kept, cuts)
        removed.sort(key=lambda line: (line.part, line.line))
    texts = [_text(shape, lines) for shape, lines in zip(shapes, kept, strict=True)]
    parts: list[Part] = []
    position = 0
    for index, (piece, shape, lines, text) in enumerate(zip(pieces, shapes, kept, texts, strict=True)):
        if text:
            position += len(SEPARATOR) if parts else 0
            added = (ADDED,) if shape.is_open(lines) else ()
            tokens = reader.count_tokens(text)
            parts.append(Part(piece, index, position, position + len(text), (*lines, *added), tokens))
            position += len(text)
    tokens = sum(part.tokens for part in parts) + reader.count_tokens(SEPARATOR) * max(0, len(parts) - 1)
    diagnostics = [_open_fence(part) for part in parts if part.lines[-1] == ADDED]
    if manner.max_tokens is not None and tokens > manner.max_tokens:
        message = f"the first section alone is about {tokens:,} tokens, over the budget of {manner.max_tokens:,}"
        diagnostics.append(Diagnostic("budget-exceeded", message, done="kept"))
    return Composition(
        text=SEPARATOR.join(filter(None, texts)),
        pieces=tuple(pieces),
        sources=sources,
        parts=tuple(parts),
        removed=tuple(removed),
        conflicts=conflicts,
        cuts=tuple(cuts),
        tokens=tokens,
        diagnostics=tuple(diagnostics),
    )


def _gave_way(conflicts: Sequence[Conflict], shapes: Sequence[Outline]) -> list[Removed]:
    return [
        Removed(
            conflict.gone_part,
            line,
            shapes[conflict.gone_part].lines[line],
            Reason.CONFLICT,
            (conflict.kept_part, conflict.kept_lines[0]),
        )
        for conflict in conflicts
        for line in conflict.removed
    ]


def _removed_by_cuts(
    shapes: Sequence[Outline], before: Sequence[Sequence[int]], after: Sequence[Sequence[int]], cuts: Sequence[Cut]
) -> list[Removed]:
    """Every line that the cuts took, and blank ones that came to stand at the end."""
    taken = {(cut.part, line) for cut in cuts for line in cut.lines}
    return [
        Removed(part, line, shape.lines[line], Reason.CUT if (part, line) in taken else Reason.EDGE)
        for part, (shape, lines) in enumerate(zip(shapes, before, strict=True))
        for line in sorted(set(lines) - set(after[part]))
    ]


def _size(shapes: Sequence[Outline], kept: Sequence[Sequence[int]], reader: Reader) -> int:
    """Estimated tokens of a composition of these lines."""
    counts = [reader.count_tokens(_text(shape, lines)) for shape, lines in zip(shapes, kept, strict=True) if lines]
    return sum(counts) + reader.count_tokens(SEPARATOR) * max(0, len(counts) - 1)


def _text(shape: Outline, kept: Sequence[int]) -> str:
    """The kept lines as they stand in the prompt."""
    return "\n".join(shape.closed(kept))


def _open_fence(part: Part) -> Diagnostic:
    skill = part.piece.skill
    message = f"'{skill.name}' ends inside a code fence"
    return Diagnostic("fence-open", message, skill.path, skill.body_line + part.lines[-2], done="closed in the prompt")
