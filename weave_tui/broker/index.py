"""The index: what ranking keeps of every skill, as arrays.

Two spaces. The *meaning* space holds, for every skill, one vector of all its fields and one of
each pattern (name, description, its sentences, triggers, capabilities). The *words* space is an
inverted index of term weights over the same fields and the start of the body.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from weave_tui.broker.embedding import Encoder, Vectors
from weave_tui.broker.words import words

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]

BODY_CHARACTERS = 1_500
"""How much of a body counts as words: its start says what the skill is for, the rest cites other things."""

_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+|\n+")


@dataclass(frozen=True, slots=True)
class SkillText:
    """The fields of a skill that ranking reads."""

    name: str
    description: str
    triggers: tuple[str, ...]
    capabilities: tuple[str, ...]
    body: str

    def full(self) -> str:
        """All fields but the body, as one text."""
        return ". ".join(part for part in (self.name, self.description, *self.triggers, *self.capabilities) if part)

    def patterns(self) -> list[str]:
        """Every phrase that a query may match as a whole, without repeats."""
        sentences = [part.strip() for part in _SENTENCE_END.split(self.description)]
        spoken = self.name.replace("-", " ").replace("_", " ")
        phrases = [spoken, self.description, *sentences, *self.triggers, ", ".join(self.capabilities)]
        return list(dict.fromkeys(phrase for phrase in phrases if phrase.strip())) or [self.name]

    def terms(self) -> Counter[str]:
        """How often each term occurs in the fields and the start of the body."""
        text = "\n".join((self.full(), self.body[:BODY_CHARACTERS]))
        return Counter(term for word in words(text) for term in word.terms)


@dataclass(frozen=True, slots=True)
class Index:
    """`n` skills as arrays.

    full: float32 (n, dim), unit rows. patterns: float32 (p, dim), unit rows; those of skill i are
    rows `first[i]` to `first[i + 1]`, `phrases` their texts. vocabulary: term to column. postings
    of column c are `documents` and `weights` (1 + log tf) from `starts[c]` to `starts[c + 1]`.
    idf: float32 (columns,). norms: float32 (n,), lengths of the skills' term vectors.
    """

    full: Vectors
    patterns: Vectors
    first: Ints
    phrases: tuple[str, ...]
    vocabulary: dict[str, int]
    sorted_terms: tuple[str, ...]
    starts: Ints
    documents: Ints
    weights: Floats
    idf: Floats
    norms: Floats

    def __len__(self) -> int:
        return len(self.full)

    @property
    def unknown_idf(self) -> float:
        """The weight of a query word that no skill has: as rare as can be."""
        return float(np.log((1 + len(self)) / 1) + 1)


def build_index(texts: Sequence[SkillText], encoder: Encoder) -> Index:
    """The index of `texts`, in their order."""
    patterns = [text.patterns() for text in texts]
    phrases = [phrase for own in patterns for phrase in own]
    first = np.cumsum([0, *(len(own) for own in patterns)], dtype=np.int32)
    vocabulary, starts, documents, weights = _postings(text.terms() for text in texts)
    frequency = np.diff(starts)
    idf = (np.log((1 + len(texts)) / (1 + frequency)) + 1).astype(np.float32)
    products = (weights * np.repeat(idf, frequency)).astype(np.float64) ** 2
    norms = np.sqrt(np.bincount(documents, products, minlength=len(texts))).astype(np.float32)
    return Index(
        full=encoder.encode([text.full() for text in texts]),
        patterns=encoder.encode(phrases),
        first=first,
        phrases=tuple(phrases),
        vocabulary=vocabulary,
        sorted_terms=tuple(sorted(vocabulary)),
        starts=starts,
        documents=documents,
        weights=weights,
        idf=idf,
        norms=np.maximum(norms, np.float32(1e-9)),
    )


def _postings(counts: Iterable[Counter[str]]) -> tuple[dict[str, int], Ints, Ints, Floats]:
    vocabulary: dict[str, int] = {}
    columns: list[int] = []
    documents: list[int] = []
    frequencies: list[int] = []
    for document, counter in enumerate(counts):
        for term, frequency in counter.items():
            columns.append(vocabulary.setdefault(term, len(vocabulary)))
            documents.append(document)
            frequencies.append(frequency)
    column = np.array(columns, np.int64)
    order = np.argsort(column, kind="stable")
    starts = np.searchsorted(column[order], np.arange(len(vocabulary) + 1)).astype(np.int32)
    weights = 1 + np.log(np.array(frequencies, np.float32))
    return vocabulary, starts, np.array(documents, np.int32)[order], weights[order].astype(np.float32)
