"""Sureness: the chance that the first skill is right, estimated from the gap to the second, and its three words.

The line was fitted on the development benchmark, each catalogue weighing the same (`weave-tui bench routing`,
2026-12-01). On a catalogue that it was not fitted on it is off by .08 to .09 on average: an estimate, and the
more certain the more skills are confusable (docs/ranking.md, Gap).
"""

from __future__ import annotations

import math

GAP_SHIFT = 0.005
"""Added to a gap before its logarithm: gaps below it are all the same."""
_LINE = (5.17, 1.33)

SECOND_SHARE = 0.35
"""How often the second is right when the first is not: the median of the benchmark's catalogues (.24 to .78)."""

BANDS: tuple[tuple[float, str], ...] = ((0.9, "clear"), (0.75, "likely"), (0.0, "close call"))
"""From which chance on the first is called what."""


def chance(gap: float | None) -> float:
    """The estimated chance, 0 to 1, that the first skill is right; a lone one has no rival."""
    if gap is None:
        return 1.0
    return 1 / (1 + math.exp(-(_LINE[0] + _LINE[1] * math.log(max(gap, 0.0) + GAP_SHIFT))))


def second_chance(gap: float | None) -> float:
    """The estimated chance, 0 to 1, that not the first but the second skill is right."""
    return SECOND_SHARE * (1 - chance(gap))


def gap_at(wanted: float) -> float:
    """The gap from which on the chance is at least `wanted`."""
    return math.exp((math.log(wanted / (1 - wanted)) - _LINE[0]) / _LINE[1]) - GAP_SHIFT


def band(gap: float | None) -> str:
    """The word for a gap."""
    return next(word for start, word in BANDS if chance(gap) >= start)
