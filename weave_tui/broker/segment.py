"""Segments: what ranking keeps of some skills, as arrays that never change.

A segment of one skill is that skill's entry; one of thousands is made a batch at a time and merged. It
holds arrays and plain text only, so `arrays` is all there is to store, and what it was made from is
named by the keys of its texts: with `weights.RECIPE` and the model's fingerprint they say whether a
stored segment still holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from weave_tui.broker.embedding import Encoder, Vectors
from weave_tui.broker.fields import Fields, SkillText
from weave_tui.broker.meanings import meanings
from weave_tui.broker.terms import Floats, Keys, Lexicon, occurrences
from weave_tui.broker.weights import FIELDS, Weights

Ints = npt.NDArray[np.int32]
Mask = npt.NDArray[np.bool_]

BATCH = 512
"""Skills that are counted and encoded at once: enough for arrays to pay, little enough for their memory."""


@dataclass(frozen=True, slots=True)
class Segment:
    """`n` skills with `p` phrases and `t` distinct terms.

    keys: the keys of their texts. center: float32 (n, dim). patterns: float32 (p, dim); those of row i are
    `first[i]` to `first[i + 1]`. terms: uint64 (t,), ascending; the skills that have term j are `rows` (int32,
    ascending) from `starts[j]` to `starts[j + 1]` (int64), how much each has of it `strengths` (float32, 0 to
    1). surfaces: words as written, sorted, and int32 `surface_terms`, the numbers of their terms.
    """

    keys: tuple[str, ...]
    center: Vectors
    patterns: Vectors
    first: Ints
    terms: Keys
    starts: npt.NDArray[np.int64]
    rows: Ints
    strengths: Floats
    surfaces: tuple[str, ...]
    surface_terms: Ints

    def __len__(self) -> int:
        return len(self.keys)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """The segment as named arrays, none of objects: to be stored as they are, and mapped when read."""
        named = {name: getattr(self, name) for name in self.__slots__ if name not in {"keys", "surfaces"}}
        return named | {"keys": _as_bytes(self.keys), "surfaces": _as_bytes(self.surfaces)}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> Segment:
        """What `arrays` gave."""
        texts = {name: tuple(_as_texts(arrays[name])) for name in ("keys", "surfaces")}
        named: dict[str, Any] = {name: arrays[name] for name in cls.__slots__} | texts
        return cls(**named)


def _as_bytes(texts: Sequence[str]) -> npt.NDArray[np.uint8]:
    return np.frombuffer("\n".join(texts).encode("utf-8", "surrogatepass"), np.uint8)


def _as_texts(array: npt.NDArray[np.uint8]) -> list[str]:
    # No key and no word holds a line end.
    return array.tobytes().decode("utf-8", "surrogatepass").split("\n") if len(array) else []


def build_segment(texts: Sequence[SkillText], encoder: Encoder, weights: Weights) -> Segment:
    """The segment of `texts`, a row each, in their order."""
    lexicon = Lexicon()
    # The tokenizer lets other threads run: while it works on a batch, this one counts the batch's words.
    with ThreadPoolExecutor(1) as pool:
        batches = [
            _batch(
                [text.fields() for text in batch], tuple(text.key for text in batch), encoder, weights, lexicon, pool
            )
            for batch in (texts[start : start + BATCH] for start in range(0, len(texts), BATCH))
        ]
    return batches[0] if len(batches) == 1 else merged([(batch, np.ones(len(batch), bool)) for batch in batches])


def _batch(
    skills: Sequence[Fields],
    names: tuple[str, ...],
    encoder: Encoder,
    weights: Weights,
    lexicon: Lexicon,
    pool: ThreadPoolExecutor,
) -> Segment:
    encoding = pool.submit(meanings, skills, encoder, weights)
    counted = occurrences(skills, weights, lexicon)
    skill = (counted.owners // len(FIELDS)).astype(np.int16)
    # By term, then by skill: two stable sorts, the first of small numbers in linear time.
    order = np.argsort(skill, kind="stable")
    order = order[np.argsort(counted.keys[order], kind="stable")]
    keys, skill = counted.keys[order], skill[order]
    new_key = np.concatenate([[True], keys[1:] != keys[:-1]])
    entry = np.flatnonzero(new_key | np.concatenate([[True], skill[1:] != skill[:-1]]))
    amounts = np.add.reduceat(counted.amounts[order].astype(np.float64), entry)
    terms = keys[new_key]
    starts = np.searchsorted(entry, np.append(np.flatnonzero(new_key), len(keys)))
    surfaces = sorted(counted.surfaces)
    meaning = encoding.result()
    return Segment(
        keys=names,
        center=meaning.center,
        patterns=meaning.patterns,
        first=np.cumsum([0, *(len(fields.phrases) for fields in skills)], dtype=np.int32),
        terms=terms,
        starts=starts.astype(np.int64),
        rows=skill[entry].astype(np.int32),
        strengths=(amounts / (amounts + weights.saturation)).astype(np.float32),
        surfaces=tuple(surfaces),
        surface_terms=np.searchsorted(terms, np.array([counted.surfaces[s] for s in surfaces], np.uint64)).astype(
            np.int32
        ),
    )


def merged(parts: Sequence[tuple[Segment, Mask]]) -> Segment:
    """One segment of the rows of `parts` that their masks keep, in their order."""
    kept = [_kept(segment, mask) for segment, mask in parts]
    terms = np.unique(np.concatenate([segment.terms for segment in kept]))
    places = [np.searchsorted(terms, segment.terms) for segment in kept]
    counts = np.zeros(len(terms), np.int64)
    for segment, place in zip(kept, places, strict=True):
        counts[place] += np.diff(segment.starts)
    starts = np.concatenate([[0], np.cumsum(counts)])
    rows = np.empty(starts[-1], np.int32)
    strengths = np.empty(starts[-1], np.float32)
    free = starts[:-1].copy()
    offset = 0
    for segment, place in zip(kept, places, strict=True):
        own = np.diff(segment.starts)
        target = np.arange(len(segment.rows)) + np.repeat(free[place] - segment.starts[:-1], own)
        rows[target] = segment.rows + offset
        strengths[target] = segment.strengths
        free[place] += own
        offset += len(segment)
    surface_keys = {
        surface: segment.terms[term]
        for segment in kept
        for surface, term in zip(segment.surfaces, segment.surface_terms, strict=True)
    }
    surfaces = sorted(surface_keys)
    return Segment(
        keys=tuple(key for segment in kept for key in segment.keys),
        center=np.concatenate([segment.center for segment in kept]),
        patterns=np.concatenate([segment.patterns for segment in kept]),
        first=np.cumsum([0, *(n for segment in kept for n in np.diff(segment.first))], dtype=np.int32),
        terms=terms,
        starts=starts,
        rows=rows,
        strengths=strengths,
        surfaces=tuple(surfaces),
        surface_terms=np.searchsorted(terms, np.array([surface_keys[s] for s in surfaces], np.uint64)).astype(np.int32),
    )


def _kept(segment: Segment, mask: Mask) -> Segment:
    """The rows of a segment that `mask` keeps, and the terms they have."""
    if mask.all():
        return segment
    entries = mask[segment.rows]
    term = np.repeat(np.arange(len(segment.terms)), np.diff(segment.starts))[entries]
    counts = np.bincount(term, minlength=len(segment.terms))
    has_any = counts > 0
    number = np.cumsum(has_any) - 1
    surfaces = [
        (surface, number[term])
        for surface, term in zip(segment.surfaces, segment.surface_terms, strict=True)
        if has_any[term]
    ]
    lengths = np.diff(segment.first)
    return Segment(
        keys=tuple(key for key, keep in zip(segment.keys, mask, strict=True) if keep),
        center=segment.center[mask],
        patterns=segment.patterns[np.repeat(mask, lengths)],
        first=np.concatenate([[0], np.cumsum(lengths[mask])]).astype(np.int32),
        terms=segment.terms[has_any],
        starts=np.concatenate([[0], np.cumsum(counts[has_any])]).astype(np.int64),
        rows=(np.cumsum(mask) - 1)[segment.rows[entries]].astype(np.int32),
        strengths=segment.strengths[entries],
        surfaces=tuple(surface for surface, _ in surfaces),
        surface_terms=np.array([term for _, term in surfaces], np.int32),
    )


def tiers(segments: Sequence[Segment], masks: Sequence[Mask]) -> Iterator[tuple[Segment, Mask]]:
    """The segments to go on with: each at most half as long as the one before, none mostly of dropped rows.

    So adding one skill rewrites a few small segments, and the large one only after as many changes as it is long.
    """
    group: list[tuple[Segment, Mask]] = []
    size = 0
    ready: list[tuple[Segment, Mask]] = []
    for segment, mask in zip(reversed(segments), reversed(masks), strict=True):
        alive = int(mask.sum())
        is_worn = 2 * alive < len(mask)
        if group and 2 * size <= len(segment) and not is_worn:
            ready.append(_one(group))
            group, size = [], 0
        if alive:
            group.insert(0, (segment, mask))
            size += alive
    if group:
        ready.append(_one(group))
    yield from reversed(ready)


def _one(group: Sequence[tuple[Segment, Mask]]) -> tuple[Segment, Mask]:
    if len(group) == 1 and 2 * int(group[0][1].sum()) >= len(group[0][1]):
        return group[0]
    segment = merged(group)
    return segment, np.ones(len(segment), bool)
