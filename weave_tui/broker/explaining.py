"""Reasons: what each word of a query brings to one skill's score, by field and part, without a remainder."""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from weave_tui.broker.embedding import Encoder, Vectors
from weave_tui.broker.fields import Phrase, SkillText
from weave_tui.broker.index import Index
from weave_tui.broker.meanings import meanings
from weave_tui.broker.scoring import Query, Term, by_word
from weave_tui.broker.terms import Lexicon, occurrences
from weave_tui.broker.weights import FIELDS, Weights
from weave_tui.broker.words import Word

Part = Literal["center", "pattern", "words"]
"""Center and pattern are the two cosines of the meaning part."""


@dataclass(frozen=True, slots=True)
class FieldShare:
    """What a word brings through one field in one part, in score units, possibly negative."""

    field: str
    part: Part
    value: float


@dataclass(frozen=True, slots=True)
class WordShare:
    """What one query word brings to one skill's score: the sum of its `fields`."""

    word: Word
    fields: tuple[FieldShare, ...]

    @property
    def meaning(self) -> float:
        return sum(share.value for share in self.fields if share.part != "words")

    @property
    def words(self) -> float:
        return sum(share.value for share in self.fields if share.part == "words")

    @property
    def total(self) -> float:
        return sum(share.value for share in self.fields)


@dataclass(frozen=True, slots=True)
class _Anatomy:
    """One skill taken apart. shares: float32 (fields, dim), which sum to its centre; patterns: float32 (p, dim),
    one for each of `phrases`; amounts: for each term how much of it is in which field."""

    shares: Vectors
    phrases: tuple[Phrase, ...]
    patterns: Vectors
    amounts: dict[int, dict[int, float]]


@functools.lru_cache(maxsize=64)
def _anatomy(text: SkillText, encoder: Encoder, weights: Weights) -> _Anatomy:
    fields = text.fields()
    meaning = meanings([fields], encoder, weights)
    counted = occurrences([fields], weights, Lexicon())
    amounts: dict[int, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    for key, owner, amount in zip(
        counted.keys.tolist(), counted.owners.tolist(), counted.amounts.tolist(), strict=True
    ):
        amounts[key][owner] += amount
    return _Anatomy(meaning.shares[0], fields.phrases, meaning.patterns, amounts)


def explain(query: Query, position: int, index: Index, encoder: Encoder) -> list[WordShare]:
    """The share of every query word in the unclipped score of a skill, in query order."""
    anatomy = _anatomy(index.texts[position], encoder, index.weights)
    shares: list[dict[tuple[str, Part], float]] = [defaultdict(float) for _ in query.words]
    if query.words:
        _add_meaning(shares, query, anatomy, index.weights)
        for term in query.terms:
            _add_words(shares, term, int(index.places[position]), anatomy)
    return [
        WordShare(word, tuple(FieldShare(field, part, value) for (field, part), value in own.items()))
        for word, own in zip(query.words, shares, strict=True)
    ]


def _add_meaning(
    shares: Sequence[dict[tuple[str, Part], float]], query: Query, anatomy: _Anatomy, weights: Weights
) -> None:
    winning = int((anatomy.patterns @ query.vector).argmax())
    phrase = anatomy.phrases[winning]
    for place, tokens in by_word(query).items():
        vector = np.sum([token.vector for token in tokens], axis=0) / query.shrink
        for field, value in zip(FIELDS, weights.center * (anatomy.shares @ vector), strict=True):
            if value:
                shares[place][field, "center"] += float(value)
        shares[place][phrase.field, "pattern"] += weights.pattern * float(anatomy.patterns[winning] @ vector)


def _add_words(shares: Sequence[dict[tuple[str, Part], float]], term: Term, row: int, anatomy: _Anatomy) -> None:
    """The term's share, divided among the words it is made of and the fields it occurs in."""
    at = int(np.searchsorted(term.posting.rows, row))
    if at == len(term.posting.rows) or term.posting.rows[at] != row:
        return
    value = term.weight * float(term.posting.strengths[at]) / len(term.words)
    # Of the words an unfinished one may become, the one the skill has most of counts.
    fields = max(
        (anatomy.amounts[key] for key in term.keys.tolist() if key in anatomy.amounts), key=lambda by: sum(by.values())
    )
    total = sum(fields.values())
    for field, amount in fields.items():
        for place in term.words:
            shares[place][FIELDS[field], "words"] += value * amount / total


def difference(own: Sequence[WordShare], other: Sequence[WordShare]) -> list[WordShare]:
    """Why one skill stands above another for the same query: what each word brings to it less what to the other.

    The totals sum to the difference of the two unclipped scores.
    """
    return [
        WordShare(a.word, (*a.fields, *(FieldShare(b_.field, b_.part, -b_.value) for b_ in b.fields)))
        for a, b in zip(own, other, strict=True)
    ]
