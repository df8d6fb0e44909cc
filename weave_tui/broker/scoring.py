"""The score: one cosine with two additive parts, and the share of every query word in it.

`score = clip(0.4 d + 0.6 t, 0, 1)` (spec: model, The starting score): `d` is half the cosine
with the skill's full text and half the one with its best pattern, `t` the TF-IDF cosine. Both
are sums over the words of the query, so a word's share is arithmetic, not an estimate.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

import numpy as np

from weave_tui.broker.embedding import Encoder
from weave_tui.broker.index import Floats, Index
from weave_tui.broker.words import Word, words

MEANING_WEIGHT = 0.4
WORDS_WEIGHT = 0.6
COMPLETIONS = 64
"""At most this many index terms stand in for an unfinished last word."""


@dataclass(frozen=True, slots=True)
class Query:
    """A query, analysed once: its words, and the weight of every index column by word.

    columns: (word, column, weight) with the weights divided by the length of the query's whole
    term vector, unknown words included.
    """

    text: str
    words: tuple[Word, ...]
    vector: Floats
    columns: tuple[tuple[int, int, float], ...]

    @property
    def is_known(self) -> bool:
        """Whether either part knows any word of it."""
        return bool(self.words) and (bool(self.columns) or bool(self.vector.any()))


@dataclass(frozen=True, slots=True)
class Scores:
    """For every skill of an index: score in [0, 1] and its unclipped parts, float32 (n,); `pattern` its winning row."""

    score: Floats
    meaning: Floats
    words: Floats
    pattern: np.ndarray[tuple[int], np.dtype[np.int64]]


@dataclass(frozen=True, slots=True)
class WordShare:
    """What one query word brings to one skill's score, by part; both in score units, possibly negative."""

    word: Word
    meaning: float
    words: float

    @property
    def total(self) -> float:
        return self.meaning + self.words


def analyse(text: str, index: Index, encoder: Encoder) -> Query:
    """The words of `text` as the index counts them."""
    found = words(text)
    raw: list[tuple[int, int, float]] = []
    unknown = 0.0
    seen: set[str] = set()
    for position, word in enumerate(found):
        for term in word.terms:
            if term in seen:
                continue
            seen.add(term)
            column = index.vocabulary.get(term)
            if column is not None:
                raw.append((position, column, float(index.idf[column])))
            elif position == len(found) - 1 and word.end == len(text) and (ends := _completions(word.text, index)):
                raw += [(position, end, float(index.idf[end]) / len(ends)) for end in ends]
            else:
                unknown += index.unknown_idf**2
    length = float(np.sqrt(sum(weight**2 for _, _, weight in raw) + unknown)) or 1.0
    columns = tuple((position, column, weight / length) for position, column, weight in raw)
    return Query(text, tuple(found), encoder.encode_query(text), columns)


def _completions(prefix: str, index: Index) -> list[int]:
    """The columns of the terms that an unfinished word may become."""
    prefix = prefix.lower()
    if len(prefix) < 2:
        return []
    start = bisect_left(index.sorted_terms, prefix)
    terms = index.sorted_terms[start : start + COMPLETIONS]
    return [index.vocabulary[term] for term in terms if term.startswith(prefix)]


def score(query: Query, index: Index) -> Scores:
    """Every skill's score for `query`."""
    n = len(index)
    by_word = np.zeros(n, np.float32)
    for _, column, weight in query.columns:
        span = slice(index.starts[column], index.starts[column + 1])
        by_word[index.documents[span]] += index.weights[span] * np.float32(weight) * index.idf[column]
    by_word *= np.float32(WORDS_WEIGHT) / index.norms
    full = index.full @ query.vector
    cosines = index.patterns @ query.vector
    best = np.maximum.reduceat(cosines, index.first[:-1]) if n else np.zeros(0, np.float32)
    meaning = np.float32(MEANING_WEIGHT / 2) * (full + best)
    return Scores(
        score=np.clip(meaning + by_word, 0, 1),
        meaning=meaning,
        words=by_word,
        pattern=_winning_rows(cosines, best, index),
    )


def _winning_rows(cosines: Floats, best: Floats, index: Index) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    owners = np.repeat(np.arange(len(index)), np.diff(index.first))
    winning = np.flatnonzero(cosines == best[owners])
    rows = np.zeros(len(index), np.int64)
    rows[owners[winning][::-1]] = winning[::-1]
    return rows


def explain(query: Query, scores: Scores, skill: int, index: Index, encoder: Encoder) -> list[WordShare]:
    """The share of every query word in the unclipped score of skill number `skill`, in query order.

    The shares sum to `meaning + words` of that skill. Text between words (an emoji, say) that the model
    knows counts to the word before it, or the first.
    """
    by_word = np.zeros(max(1, len(query.words)))
    for position, column, weight in query.columns:
        span = slice(index.starts[column], index.starts[column + 1])
        at = int(index.starts[column]) + int(np.searchsorted(index.documents[span], skill))
        if at < index.starts[column + 1] and index.documents[at] == skill:
            share = float(index.weights[at]) * weight * float(index.idf[column])
            by_word[position] += WORDS_WEIGHT * share / float(index.norms[skill])
    meaning = np.zeros_like(by_word)
    tokens = encoder.token_vectors(query.text)
    if tokens:
        length = float(np.linalg.norm(np.sum([token.vector for token in tokens], axis=0))) or 1.0
        target = index.full[skill] + index.patterns[int(scores.pattern[skill])]
        for token in tokens:
            position = max(0, sum(word.start <= token.start for word in query.words) - 1)
            meaning[position] += MEANING_WEIGHT / 2 * float(token.vector @ target) / length
    return [WordShare(word, float(m), float(w)) for word, m, w in zip(query.words, meaning, by_word, strict=False)]
