"""Meanings: the vectors of a skill. One centre of all its fields, and one row for each of its phrases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from weave_tui.broker.embedding import Encoder, Vectors, unit
from weave_tui.broker.fields import Fields, Phrase
from weave_tui.broker.weights import FIELDS, Weights


@dataclass(frozen=True, slots=True)
class Meanings:
    """Of n skills with p phrases in all.

    shares: float32 (n, fields, dim), what each field brings to the centre; they sum to it. center: float32
    (n, dim), unit rows. patterns: float32 (p, dim), unit rows, skill after skill.
    """

    shares: Vectors
    center: Vectors
    patterns: Vectors


def meanings(skills: Sequence[Fields], encoder: Encoder, weights: Weights) -> Meanings:
    """The vectors of `skills`; every text is encoded once, however many phrases it is part of."""
    sums = _Sums(skills, encoder)
    shares = np.zeros((len(skills), len(FIELDS), encoder.dimensions), np.float32)
    for number, skill in enumerate(skills):
        for field, spoken in enumerate(skill.spoken):
            if spoken:
                shares[number, field] = sums.units(spoken).sum(axis=0)
    weight = np.array([field.meaning for field in weights.fields], np.float32)
    shares = unit(shares) * weight[:, None]
    total = shares.sum(axis=1)
    length = np.linalg.norm(total, axis=1)
    shares /= np.where(length > 0, length, 1)[:, None, None]
    patterns = sums.units([phrase for skill in skills for phrase in skill.phrases])
    return Meanings(shares, shares.sum(axis=1), patterns)


class _Sums:
    """The vector sums of all pieces of a batch."""

    def __init__(self, skills: Sequence[Fields], encoder: Encoder) -> None:
        self._rows: dict[str, int] = {}
        for piece in _pieces(skills):
            self._rows.setdefault(piece, len(self._rows))
        self._sums = encoder.sums(list(self._rows))

    def units(self, phrases: Sequence[Phrase]) -> Vectors:
        """The phrases' vectors, each of length 1 or zero: float32 (phrases, dim)."""
        rows = np.zeros((len(phrases), self._sums.shape[1]), np.float32)
        for row, phrase in enumerate(phrases):
            if len(phrase.pieces) == 1:
                rows[row] = self._sums[self._rows[phrase.pieces[0]]]
            elif phrase.pieces:
                np.add.reduce(self._sums[[self._rows[piece] for piece in phrase.pieces]], axis=0, out=rows[row])
        return unit(rows)


def _pieces(skills: Sequence[Fields]) -> Iterable[str]:
    for skill in skills:
        for phrases in (skill.phrases, *skill.spoken):
            for phrase in phrases:
                yield from phrase.pieces
