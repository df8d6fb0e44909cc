"""Conflicts between the parts of a composition (spec: protocol, Conflicts).

Two statements conflict where one tells to do what the other forbids, or where each prefers what the
other rejects. They must be about the same: by their words first, and their line embeddings must agree.
"""

from __future__ import annotations

import functools
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from weave_tui.broker.outline import Line, Outline, outline
from weave_tui.broker.statements import Lines, Statement, sentences, statements

Encode = Callable[[Sequence[str]], npt.NDArray[np.float32]]
"""Texts to unit vectors, float32 (texts, dimensions); a row is zero for unknown text."""

MIN_SHARED = 0.6
"""Share of the words of the longer of two statements that both have."""
MIN_SIMILARITY = 0.55
"""Cosine of what two statements are about. Both limits from the labelled pairs that are not held back."""
MIN_UNMARKED = 3
"""Words that both have where no word says that the one that tells is an instruction ("Skip to step 4")."""
LIKE = 4
"""Two stems are one word when they share this many first letters and differ by an ending of at most three."""
MAX_LOST = 3
"""Sentences that may go with a line that gives way; one that says more than that stays beside its opposite."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two statements at odds: the one that is kept, and the one that gives way, each by part, lines and text.

    Lines are (start, end), 0-based, in the body; the text is what stands there, on one line. removed: the lines
    that leave the later part, none where that would take too much along.
    """

    kept_part: int
    kept_lines: Lines
    kept_text: str
    gone_part: int
    gone_lines: Lines
    gone_text: str
    removed: tuple[int, ...]


def find_conflicts(bodies: Sequence[str], encode: Encode) -> tuple[Conflict, ...]:
    """Every conflict between two bodies. The earlier one is kept; what gave way contradicts nobody any more."""
    pairs = [
        (part, statement, earlier, other)
        for part, body in enumerate(bodies)
        for statement in (statements(body) if part else ())
        for earlier, other in _candidates(statement, bodies[:part])
    ]
    if not pairs:
        return ()
    texts = sorted({statement.text for _, first, _, second in pairs for statement in (first, second)})
    rows = dict(zip(texts, encode(texts), strict=True))
    gone: set[tuple[int, Lines]] = set()
    conflicts = []
    for part, statement, earlier, other in pairs:
        is_like = float(rows[statement.text] @ rows[other.text]) >= MIN_SIMILARITY
        if is_like and gone.isdisjoint({(part, statement.lines), (earlier, other.lines)}):
            gone.add((part, statement.lines))
            kept, lost = _text(bodies[earlier], other.lines), _text(bodies[part], statement.lines)
            lines = _lines_to_remove(outline(bodies[part]), statement.lines)
            conflicts.append(Conflict(earlier, other.lines, kept, part, statement.lines, lost, lines))
    return tuple(conflicts)


def _text(body: str, lines: Lines) -> str:
    return " ".join(line.strip() for line in outline(body).lines[slice(*lines)])


def _lines_to_remove(shape: Outline, lines: Lines) -> tuple[int, ...]:
    """The item that the lines belong to with all that hangs on it, or the sentences that stand on them."""
    start, end = lines
    if shape.kinds[start] is Line.ITEM:
        start, end = [item for item in shape.items if item[0] <= start < item[1]][-1]
        lost = sum(
            1 for paragraph in shape.paragraphs if start <= paragraph[0] < end for _ in sentences(shape, *paragraph)
        )
        is_open = bool(shape.open_fence) and end == len(shape.lines)
        return tuple(range(start, end)) if lost <= MAX_LOST and not is_open else ()
    paragraph = next(paragraph for paragraph in shape.paragraphs if paragraph[0] <= start < paragraph[1])
    spans = [span for span, _ in sentences(shape, *paragraph)]
    while (wider := _widened(start, end, spans)) != (start, end):
        start, end = wider
    lost = sum(span[0] < end and start < span[1] for span in spans)
    is_prose = all(kind is Line.PROSE for kind in shape.kinds[start:end])
    return tuple(range(start, end)) if lost <= MAX_LOST and is_prose else ()


def _widened(start: int, end: int, spans: Sequence[Lines]) -> Lines:
    """The lines of every sentence that stands, also in part, on these lines."""
    touched = [span for span in spans if span[0] < end and start < span[1]]
    return min(span[0] for span in touched), max(span[1] for span in touched)


def _candidates(statement: Statement, earlier: Sequence[str]) -> Iterator[tuple[int, Statement]]:
    """Statements of earlier bodies that the words put at odds with this one."""
    key = _key(statement)
    for part, body in enumerate(earlier):
        postings, found = _postings(body), statements(body)
        counts = Counter(i for word in key for i in postings.get(word, ()))
        for i, common in sorted(counts.items()):
            if 2 * common >= min(len(key), len(_key(found[i]))) and at_odds(statement, found[i]):
                yield part, found[i]


def _key(statement: Statement) -> frozenset[str]:
    return statement.words | statement.chosen | statement.other


@functools.lru_cache(maxsize=64)
def _postings(body: str) -> dict[str, list[int]]:
    """By word, which statements of a body have it."""
    postings: dict[str, list[int]] = defaultdict(list)
    for i, statement in enumerate(statements(body)):
        for word in _key(statement):
            postings[word].append(i)
    return postings


def at_odds(first: Statement, second: Statement) -> bool:
    """Whether one tells what the other forbids, or prefers what the other rejects, about the same words."""
    if first.chosen or second.chosen:
        return bool(first.chosen and second.chosen) and _crossed(first, second)
    if first.sign == second.sign or first.bounds != second.bounds:
        return False
    told, forbidden = (first, second) if first.sign > 0 else (second, first)
    if told.is_marked:
        if min(len(first.words), len(second.words)) == 1 and not (told.has_action and forbidden.has_action):
            return False
        if not first.bounds and _begins(first.order, second.order):
            return True
    elif len(first.words & second.words) < MIN_UNMARKED or not _same_deed(told, forbidden):
        return False
    return _share(first, second) >= (1.0 if first.bounds else MIN_SHARED)


def _same_deed(told: Statement, forbidden: Statement) -> bool:
    """Whether an unmarked line does what is forbidden; where only a thing is forbidden, its verb must be its own."""
    return told.verb == forbidden.verb if forbidden.verb else told.verb not in forbidden.words


def _begins(first: tuple[str, ...], second: tuple[str, ...]) -> bool:
    """Whether one says the same of all things of a kind that the other says of some: "tabs", "tabs in tables"."""
    short, long = sorted((first, second), key=len)
    return long[: len(short)] == short


def _crossed(first: Statement, second: Statement) -> bool:
    """Whether each prefers what the other rejects, in the same scope or one of them in any."""
    mine, theirs = first.chosen - second.chosen, second.chosen - first.chosen
    same_scope = first.words == second.words or not first.words or not second.words
    return same_scope and bool(mine and theirs) and mine <= second.other and theirs <= first.other


def _share(first: Statement, second: Statement) -> float:
    """The share of the longer one's words that both have, in [0, 1]; 0 where each has words of its own."""
    common = first.words & second.words
    left = [word for word in first.words - common if not any(_alike(word, other) for other in second.words)]
    right = [word for word in second.words - common if not any(_alike(word, other) for other in first.words)]
    if left and right:
        return 0.0
    return 1 - max(len(left), len(right)) / max(len(first.words), len(second.words))


def _alike(first: str, second: str) -> bool:
    short, long = sorted((first, second), key=len)
    return len(short) >= LIKE and long.startswith(short) and len(long) - len(short) <= 3
