"""The score: one cosine with two named parts, the meaning of the query and its words.

    score   = clip(meaning + words, 0, 1)
    meaning = A u . center  +  B max over phrases of u . phrase
    words   = C sum over terms of k idf strength  /  (idf of the unseen words + sum over terms of k idf)

`u` is the sum of the query's token vectors over the square root of its squared length plus that of what is
unseen; k is 1 for a word, less for a pair and a stub. All of it is linear in the query's words, so a word's
share is arithmetic (`explaining`). It is literally one inner product of vectors of at most length 1: those of
a skill padded with a dimension that no query uses, those of a query with what it may mean and no skill has.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from weave_tui.broker.embedding import Encoder, TokenVector
from weave_tui.broker.index import Index, Posting
from weave_tui.broker.terms import Floats, Keys, call_key, key, pair_keys, stub_key
from weave_tui.broker.words import CALL, Kind, Token, Word, stem, words


@dataclass(frozen=True, slots=True)
class Term:
    """A term of a query: the numbers of the words it is made of, its keys (many where an unfinished word may
    become many), and its weight in the score, all divisions done."""

    words: tuple[int, ...]
    keys: Keys
    weight: float
    posting: Posting


@dataclass(frozen=True, slots=True)
class Query:
    """A query, analysed once for one index. vector: float32 (dim,), of a length below 1."""

    text: str
    words: tuple[Word, ...]
    tokens: tuple[TokenVector, ...]
    shrink: float
    """What the tokens' vectors are divided by to sum to `vector`."""
    vector: Floats
    terms: tuple[Term, ...]

    @property
    def is_known(self) -> bool:
        """Whether either part knows any word of it."""
        return bool(self.words) and (any(len(t.posting.rows) for t in self.terms) or bool(self.vector.any()))


@dataclass(frozen=True, slots=True)
class Scores:
    """For every skill of an index: score in [0, 1] and its unclipped parts, float32 (n,)."""

    score: Floats
    meaning: Floats
    words: Floats


def analyse(text: str, index: Index, encoder: Encoder) -> Query:
    """The words of `text` as the index counts them."""
    found = words(text)
    weights = index.weights
    raw = [(places, keys, kind, index.posting(int(keys[0]))) for places, keys, kind in _terms(found, text, index)]
    raw = [term for term in raw if len(term[0]) == 1 or len(term[3].rows)]  # a pair that no skill has says nothing
    completed = _unfinished(found, text)
    if completed is not None:
        keys = np.union1d(index.completions(completed.surface), np.array([key(stem(completed.surface))], np.uint64))
        raw.append(((len(found) - 1,), keys, 1 + weights.stub, index.union(keys)))
    heavy = [kind * index.rarity(len(posting.rows)) for _, _, kind, posting in raw]
    total = sum(heavy) + weights.unseen_words * index.rarity(0)
    terms = tuple(
        Term(places, keys, weights.words * weight / total, posting)
        for (places, keys, _, posting), weight in zip(raw, heavy, strict=True)
    )
    tokens = encoder.token_vectors(text)
    summed = np.sum([token.vector for token in tokens], axis=0) if tokens else np.zeros(encoder.dimensions, np.float32)
    unseen = weights.unseen_tokens * encoder.usual_length
    shrink = float(np.hypot(np.linalg.norm(summed), unseen)) or 1.0
    return Query(text, tuple(found), tuple(tokens), shrink, np.asarray(summed / shrink, np.float32), terms)


def _unfinished(found: list[Word], text: str) -> Token | None:
    """The last word's last piece where the text ends with it: it may become any word it begins."""
    if not found or found[-1].end != len(text):
        return None
    return next((token for token in found[-1].tokens if token.kind is Kind.WORD and token.closes), None)


def _terms(found: list[Word], text: str, index: Index) -> list[tuple[tuple[int, ...], Keys, float]]:
    """Words, key and kind's weight of each distinct term but the unfinished word's, in query order."""
    weights = index.weights
    is_open = _unfinished(found, text) is not None
    terms: dict[int, tuple[tuple[int, ...], float]] = {}
    before: tuple[int, int] | None = None
    for place, word in enumerate(found):
        for token in word.tokens:
            own = key(token.term)
            if not (is_open and place == len(found) - 1 and token.closes):
                terms.setdefault(own, ((place,), 1.0))
                if token.kind <= Kind.JOINED:
                    terms.setdefault(stub_key(token.term), ((place,), weights.stub))
            if token.kind is Kind.WORD:
                if before:
                    terms.setdefault(_pair(before[1], own), ((before[0], place), weights.pair))
                before = place, own
    for match in CALL.finditer(text):
        called = tuple(place for place, word in enumerate(found) if match.start() < word.end <= match.end())
        if len(index.posting(call_key(match.group(1))).rows):
            terms.setdefault(call_key(match.group(1)), (called, 1.0))
    return [(places, np.array([own], np.uint64), kind) for own, (places, kind) in terms.items()]


def _pair(first: int, second: int) -> int:
    return int(pair_keys(np.array([first], np.uint64), np.array([second], np.uint64))[0])


def score(query: Query, index: Index) -> Scores:
    """Every skill's score for `query`."""
    by_row = np.zeros(index.rows, np.float32)
    for term in query.terms:
        by_row[term.posting.rows] += np.float32(term.weight) * term.posting.strengths
    meaning = np.empty(index.rows, np.float32)
    for segment, offset in zip(index.segments, index.offsets, strict=True):
        best = np.maximum.reduceat(segment.patterns @ query.vector, segment.first[:-1])
        own = np.float32(index.weights.center) * (segment.center @ query.vector)
        meaning[offset : offset + len(segment)] = own + np.float32(index.weights.pattern) * best
    by_word, meaning = by_row[index.places], meaning[index.places]
    return Scores(np.clip(meaning + by_word, 0, 1), meaning, by_word)


def by_word(query: Query) -> dict[int, list[TokenVector]]:
    """The model's tokens by the number of the word they are in; what stands between words (an emoji, say) is
    counted to the word before it, or the first."""
    starts = np.array([word.start for word in query.words])
    placed: dict[int, list[TokenVector]] = defaultdict(list)
    for token in query.tokens:
        placed[max(0, int(np.searchsorted(starts, token.start, side="right")) - 1)].append(token)
    return placed
