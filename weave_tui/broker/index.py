"""The index: what ranking keeps of all skills. A new one is made for every change, out of the old one's segments.

Skills of the same text share a row. What depends on the other skills (how rare a term is) is never stored: it
is read off at query time, so adding, changing or removing a skill touches no other.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from weave_tui.broker.embedding import Encoder
from weave_tui.broker.fields import SkillText
from weave_tui.broker.segment import Ints, Mask, Segment, build_segment, merged, tiers
from weave_tui.broker.terms import Floats, Keys
from weave_tui.broker.weights import WEIGHTS, Weights

_LAST = "\U0010ffff"


@dataclass(frozen=True, slots=True)
class Posting:
    """The rows that have a term, ascending, and how much of it: int32 and float32 of one length."""

    rows: Ints
    strengths: Floats


@dataclass(frozen=True, slots=True)
class Index:
    """`len` skills over rows of segments, one after the other.

    places: int64 (len,), the row of each skill. alive: for each segment bool (rows,), which of its rows are
    some skill's; offsets: the first row of each. texts: each skill's text, and keys theirs. distinct: rows in use.
    """

    texts: tuple[SkillText, ...]
    keys: tuple[str, ...]
    segments: tuple[Segment, ...]
    alive: tuple[Mask, ...]
    offsets: tuple[int, ...]
    places: npt.NDArray[np.int64]
    distinct: int
    weights: Weights

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def rows(self) -> int:
        """How many rows there are, dropped ones included."""
        return sum(map(len, self.segments))

    def replaced(self, texts: Sequence[SkillText], encoder: Encoder, kept: Sequence[Segment] = ()) -> Index:
        """The index of `texts`, in their order.

        Only those that are neither in this one nor in a `kept` segment of an earlier run are counted and encoded.
        """
        named = dict(zip(self.texts, self.keys, strict=True))
        keys = tuple(named.get(text) or text.key for text in texts)
        wanted = set(keys)
        known: set[str] = set()
        segments: list[Segment] = []
        masks: list[Mask] = []
        # Largest first: a kept segment is usually most of the library.
        for segment in (*(kept if not self.segments else ()), *self.segments, *(kept if self.segments else ())):
            masks.append(np.fromiter((k in wanted and k not in known for k in segment.keys), bool, len(segment)))
            segments.append(segment)
            known.update(segment.keys)
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if new:
            segments.append(build_segment(list(new.values()), encoder, self.weights))
            masks.append(np.ones(len(new), bool))
        return _assembled(tuple(texts), keys, tiers(segments, masks), self.weights)

    def whole(self) -> Segment | None:
        """All rows in use as one segment, to be kept; None when there are none."""
        return merged(list(zip(self.segments, self.alive, strict=True))) if self.segments else None

    def rarity(self, skills: int) -> float:
        """The weight of a term that so many skills have; the largest for 0 (smoothed inverse frequency)."""
        return float(np.log((1 + self.distinct) / (1 + skills)) + 1)

    def posting(self, key: int) -> Posting:
        """The rows that have the term."""
        return self._joined(
            (number, at)
            for number, segment in enumerate(self.segments)
            if (at := int(np.searchsorted(segment.terms, np.uint64(key)))) < len(segment.terms)
            and segment.terms[at] == key
        )

    def completions(self, prefix: str) -> Keys:
        """The keys of all words as written that begin with `prefix`."""
        found = []
        for segment in self.segments:
            start = bisect_left(segment.surfaces, prefix)
            end = bisect_left(segment.surfaces, prefix + _LAST, start)
            found.append(segment.terms[segment.surface_terms[start:end]])
        return np.unique(np.concatenate(found)) if found else np.zeros(0, np.uint64)

    def union(self, keys: Keys) -> Posting:
        """The rows that have any of the terms, with the most each has of one."""
        best = np.zeros(self.rows, np.float32)
        for segment, alive, offset in zip(self.segments, self.alive, self.offsets, strict=True):
            at = np.minimum(np.searchsorted(segment.terms, keys), len(segment.terms) - 1)
            at = at[segment.terms[at] == keys]
            counts = segment.starts[at + 1] - segment.starts[at]
            ends = np.cumsum(counts)
            entries = np.arange(counts.sum()) + np.repeat(segment.starts[at] - ends + counts, counts)
            rows = segment.rows[entries]
            # Rows and strengths are views of one segment each: a maximum over them needs no sort.
            np.maximum.at(best, rows + offset, segment.strengths[entries] * alive[rows])
        rows = np.flatnonzero(best).astype(np.int32)
        return Posting(rows, best[rows])

    def _joined(self, found: Iterable[tuple[int, int]]) -> Posting:
        rows, strengths = [], []
        for number, at in found:
            segment, alive = self.segments[number], self.alive[number]
            span = slice(segment.starts[at], segment.starts[at + 1])
            own = segment.rows[span]
            keep = alive[own]
            if keep.all():
                rows.append(own + np.int32(self.offsets[number]))
                strengths.append(segment.strengths[span])
            else:
                rows.append(own[keep] + np.int32(self.offsets[number]))
                strengths.append(segment.strengths[span][keep])
        if len(rows) == 1:
            return Posting(rows[0], strengths[0])
        if not rows:
            return Posting(np.zeros(0, np.int32), np.zeros(0, np.float32))
        return Posting(np.concatenate(rows), np.concatenate(strengths))


def _assembled(
    texts: tuple[SkillText, ...], keys: tuple[str, ...], parts: Iterable[tuple[Segment, Mask]], weights: Weights
) -> Index:
    held = list(parts)
    segments = tuple(segment for segment, _ in held)
    lengths = [len(segment) for segment in segments]
    row_of: dict[str, int] = {}
    for segment in segments:
        row_of |= zip(segment.keys, range(len(row_of), len(row_of) + len(segment)), strict=True)
    return Index(
        texts=texts,
        keys=keys,
        segments=segments,
        alive=tuple(mask for _, mask in held),
        offsets=tuple(int(end) - length for end, length in zip(np.cumsum(lengths), lengths, strict=True)),
        places=np.array([row_of[key] for key in keys], np.int64),
        distinct=int(sum(mask.sum() for _, mask in held)),
        weights=weights,
    )


def empty_index(weights: Weights = WEIGHTS) -> Index:
    """The index of no skill."""
    return Index((), (), (), (), (), np.zeros(0, np.int64), 0, weights)


def build_index(texts: Sequence[SkillText], encoder: Encoder, weights: Weights = WEIGHTS) -> Index:
    """The index of `texts`, in their order."""
    return empty_index(weights).replaced(texts, encoder)
