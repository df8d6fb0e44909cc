"""The ranking: every skill of the registry scored for one query, best first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from weave_tui.broker.index import Index
from weave_tui.broker.registry import Registry
from weave_tui.broker.scoring import Query, Scores, score
from weave_tui.skills import Skill

SCORE_DIGITS = 6
"""Scores are rounded so that equal texts have equal scores, whatever the order of a sum."""


@dataclass(frozen=True, slots=True)
class Row:
    """One skill of a ranking: `score` in [0, 1], and its unclipped parts."""

    position: int
    skill: Skill
    score: float
    meaning: float
    words: float


@dataclass(frozen=True, slots=True)
class Ranking:
    """All skills, best first: by score, then name, then path. Rows are made when asked for."""

    registry: Registry
    index: Index
    query: Query
    scores: Scores
    rounded: npt.NDArray[np.float64]
    order: npt.NDArray[np.intp]

    def __len__(self) -> int:
        return len(self.order)

    def __getitem__(self, place: int) -> Row:
        return self.row(int(self.order[place]))

    def __iter__(self) -> Iterator[Row]:
        return (self.row(int(position)) for position in self.order)

    def row(self, position: int) -> Row:
        """The row of the skill at `position` of the registry."""
        return Row(
            position,
            self.registry.skills[position],
            float(self.rounded[position]),
            float(self.scores.meaning[position]),
            float(self.scores.words[position]),
        )


def rank(query: Query, registry: Registry, index: Index) -> Ranking:
    """Every skill scored for `query`; for an empty one, in the registry's order.

    The index is of the registry's skills, in their order.
    """
    scores = score(query, index)
    rounded: npt.NDArray[np.float64] = scores.score.astype(np.float64).round(SCORE_DIGITS)
    order = np.lexsort((registry.tie, -rounded)) if query.text.strip() else np.arange(len(registry))
    return Ranking(registry, index, query, scores, rounded, order)
