"""Cut-offs: which threshold and floor would do best on the cases at hand, and how gaps and scores are spread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from weave_tui.broker import Rules
from weave_tui.broker.selection import is_below
from weave_tui.lab.verdicts import Verdict

BINS = 12
MOST_GAP, MOST_SCORE = 0.24, 0.6
"""Where the last bin of gaps, and of scores, begins to hold all that is above."""

STEP = 0.005
"""Cut-offs are tried in such steps: finer ones only fit the cases."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """What answers with a confidence threshold: how often a right skill is among it, and skills a query.

    f2: the mean of the shares of queries that are covered (recall) and of answers that are right (precision), 0 to
    1, in which recall weighs double (F2): a skill that is missing costs a prompt more than one too many.
    """

    value: float
    covered: float
    skills: float
    f2: float

    def __str__(self) -> str:
        return f"{self.value:.3f} covers {self.covered:.1%} with {self.skills:.2f} skills a query (F2 {self.f2:.3f})"


@dataclass(frozen=True, slots=True)
class Floor:
    """With a floor, the share of decisions that are good: a right first skill answers, and nothing else does."""

    value: float
    good: float

    def __str__(self) -> str:
        return f"{self.value:.3f} decides {self.good:.1%} as wanted"


def thresholds(verdicts: Sequence[Verdict], rules: Rules) -> tuple[Threshold, Threshold] | None:
    """The threshold in force and the one that does best; None when no case bears on it."""
    telling = [verdict for verdict in verdicts if verdict.case.expected and verdict.gap is not None]
    if not telling:
        return None

    def at(value: float) -> Threshold:
        two = [verdict.gap is not None and is_below(verdict.gap, value) for verdict in telling]
        # One skill each is expected: what is covered is also what is right.
        right = sum(
            verdict.place is not None and verdict.place <= 1 + both for verdict, both in zip(telling, two, strict=True)
        )
        answers = len(telling) + sum(two)
        # F2 of recall right / queries and precision right / answers.
        return Threshold(value, right / len(telling), answers / len(telling), 5 * right / (4 * len(telling) + answers))

    return _compared(at, rules.confidence_threshold, lambda threshold: threshold.f2)


def floors(verdicts: Sequence[Verdict], rules: Rules) -> tuple[Floor, Floor] | None:
    """The floor in force and the one that does best; None when no case expects nothing."""
    telling = [(verdict, verdict.first.score) for verdict in verdicts if verdict.first]
    if all(verdict.case.expected for verdict, _ in telling):
        return None

    def is_good(verdict: Verdict, answers: bool) -> bool:
        if verdict.case.unwanted and verdict.place != 1:
            return True
        return answers == (bool(verdict.case.expected) and verdict.place == 1)

    def at(value: float) -> Floor:
        good = sum(is_good(verdict, not is_below(score, value)) for verdict, score in telling)
        return Floor(value, good / len(telling))

    return _compared(at, rules.min_score, lambda floor: floor.good)


Cutoff = TypeVar("Cutoff", Threshold, Floor)


def _compared(at: Callable[[float], Cutoff], value: float, worth: Callable[[Cutoff], float]) -> tuple[Cutoff, Cutoff]:
    """The cut-off in force and the best one: of equally good ones the nearest, since a change wants a reason."""

    def merit(cutoff: Cutoff) -> tuple[float, float]:
        return worth(cutoff), -abs(cutoff.value - value)

    tried: list[Cutoff] = [at(value)]
    tried += [at(round(step * STEP, 3)) for step in range(int(MOST_SCORE / STEP) + 1)]
    return tried[0], max(tried, key=merit)


@dataclass(frozen=True, slots=True)
class Spread:
    """Counts in `BINS` bins from 0 to `most` (the last one open): of right first places and of wrong ones."""

    most: float
    right: tuple[int, ...]
    wrong: tuple[int, ...]


def gap_spread(verdicts: Sequence[Verdict]) -> Spread:
    """How the gaps are spread."""
    return _spread([(verdict.gap, verdict.passed) for verdict in verdicts], MOST_GAP)


def score_spread(verdicts: Sequence[Verdict]) -> Spread:
    """How the first skill's scores are spread."""
    return _spread(
        [(verdict.first.score if verdict.first else None, verdict.passed) for verdict in verdicts], MOST_SCORE
    )


def _spread(values: Sequence[tuple[float | None, bool]], most: float) -> Spread:
    counts = {True: [0] * BINS, False: [0] * BINS}
    for value, passed in values:
        if value is not None:
            counts[passed][min(BINS - 1, int(value / most * BINS))] += 1
    return Spread(most, tuple(counts[True]), tuple(counts[False]))
