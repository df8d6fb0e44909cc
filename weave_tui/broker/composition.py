"""Composition: the chosen skills as one prompt that knows where every line came from.

A body is text, never a template, and `Composition.text` is never parsed back: all that any view
shows (margins, removed lines, counts) is in the data.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from weave_tui.broker.dedupe import Removed, dedupe
from weave_tui.broker.outline import outline
from weave_tui.broker.selection import Role
from weave_tui.diagnostics import Diagnostic
from weave_tui.skills import Skill

SEPARATOR = "\n\n---\n\n"
"""Between two parts of `composed` (seed: WeaveResponse)."""

ADDED = -1
"""The source line of a line that composition added."""


@dataclass(frozen=True, slots=True)
class Piece:
    """What goes into a composition: a skill and why."""

    skill: Skill
    role: Role
    asked_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """One piece as it stands in the text: characters `start` to `end`.

    lines: for each of its lines the line of the body it is (0-based), or `ADDED`. tokens: an estimate.
    """

    piece: Piece
    start: int
    end: int
    lines: tuple[int, ...]
    tokens: int


@dataclass(frozen=True, slots=True)
class Composition:
    """The composed prompt. `removed[].part` and `.kept` count `pieces`, of which `parts` are those with text left."""

    text: str
    pieces: tuple[Piece, ...]
    parts: tuple[Part, ...]
    removed: tuple[Removed, ...]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def tokens(self) -> int:
        """An estimate of the tokens of the whole text."""
        return sum(part.tokens for part in self.parts) + 3 * max(0, len(self.parts) - 1)

    @property
    def lines(self) -> int:
        return self.text.count("\n") + 1 if self.text else 0


EMPTY = Composition("", (), (), (), ())


def full_text(skill: Skill) -> str:
    """What the strategy `full` takes of a skill: its body."""
    return skill.body


def minimal_text(skill: Skill) -> str:
    """What the strategy `minimal` takes of a skill: its trigger patterns and a list of its capabilities."""
    offered = skill.advertisement
    return "\n".join([*offered.trigger_patterns, *(f"- {capability}" for capability in offered.capabilities)])


STRATEGIES: dict[str, Callable[[Skill], str]] = {"full": full_text, "minimal": minimal_text}


def compose(
    pieces: Sequence[Piece], count_tokens: Callable[[str], int], strategy: Callable[[Skill], str] = full_text
) -> Composition:
    """Merge `pieces` in their order; later ones lose what earlier ones already say."""
    bodies = [strategy(piece.skill) for piece in pieces]
    deduped = dedupe(bodies)
    texts: list[str] = []
    parts: list[Part] = []
    diagnostics: list[Diagnostic] = []
    position = 0
    for piece, body, kept in zip(pieces, bodies, deduped.kept, strict=True):
        if not body or not kept:
            continue
        shape = outline(body)
        lines, sources = [shape.lines[line] for line in kept], [*kept]
        if shape.open_fence:
            lines.append(shape.open_fence)
            sources.append(ADDED)
            place = piece.skill.body_line + len(shape.lines) - 1
            message = f"'{piece.skill.name}' ends inside a code fence"
            diagnostics.append(Diagnostic("fence-open", message, piece.skill.path, place, done="closed in the prompt"))
        text = "\n".join(lines)
        position += len(SEPARATOR) if parts else 0
        parts.append(Part(piece, position, position + len(text), tuple(sources), count_tokens(text)))
        texts.append(text)
        position += len(text)
    return Composition(SEPARATOR.join(texts), tuple(pieces), tuple(parts), deduped.removed, tuple(diagnostics))
