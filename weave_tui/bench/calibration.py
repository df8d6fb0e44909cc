"""Calibration: what a gap says about the first skill, and what a floor keeps out."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from weave_tui.bench.catalogue import Catalogue
from weave_tui.bench.routers import Ask, Scores
from weave_tui.broker.sureness import GAP_SHIFT

GAPS = (0.0, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 1.0)
FLOORS = (0.1, 0.125, 0.15, 0.175, 0.2, 0.25)
FOREIGN = 110
"""Queries of each other catalogue that a catalogue is asked: nothing of it answers them."""
BINS = 8
STEPS = 40

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Observed:
    """Of one catalogue's queries: the gap, whether the first was right, its score; and of foreign ones the best."""

    gaps: Floats
    right: Flags
    firsts: Floats
    foreign: Floats


def observe(asks: Mapping[str, Ask], catalogues: Sequence[Catalogue]) -> dict[str, Observed]:
    """Ask every catalogue its own queries, and some of the others'."""
    return {catalogue.name: _observe(asks[catalogue.name], catalogue, catalogues) for catalogue in catalogues}


def _observe(ask: Ask, catalogue: Catalogue, catalogues: Sequence[Catalogue]) -> Observed:
    numbers: dict[str, int] = {}
    name_of = np.array([numbers.setdefault(text.name, len(numbers)) for text in catalogue.skills])
    gaps, right, firsts = [], [], []
    for query in catalogue.queries:
        scores = _clipped(ask(query.text))
        first = int(scores.argmax())
        others = scores[name_of != name_of[first]]
        gaps.append(scores[first] - (others.max() if len(others) else 0.0))
        right.append(bool(query.right[first]))
        firsts.append(scores[first])
    foreign = [
        float(_clipped(ask(query.text)).max())
        for other in catalogues
        if other.name != catalogue.name
        for query in other.queries[:: max(1, len(other.queries) // FOREIGN)][:FOREIGN]
    ]
    return Observed(np.array(gaps), np.array(right), np.array(firsts), np.array(foreign))


def _clipped(scores: Scores) -> Scores:
    return np.clip(scores, 0, 1)


def fit(observed: Sequence[Observed]) -> tuple[float, float]:
    """a and b of the chance 1 / (1 + exp(-(a + b ln(gap + shift)))), each catalogue weighing the same."""
    gaps = np.concatenate([seen.gaps for seen in observed])
    right = np.concatenate([seen.right for seen in observed]).astype(float)
    weight = np.concatenate([np.full(len(seen.gaps), 1 / len(seen.gaps)) for seen in observed])
    inputs = np.column_stack([np.ones(len(gaps)), np.log(gaps + GAP_SHIFT)])
    line = np.zeros(2)
    # A little of a prior, for data on which the first is always right.
    prior = 1e-5 * np.eye(2)
    for _ in range(STEPS):
        chance = _logistic(inputs @ line)
        slope = (inputs * (weight * chance * (1 - chance))[:, None]).T @ inputs + prior
        line += np.linalg.solve(slope, inputs.T @ (weight * (right - chance)) - prior @ line)
    return float(line[0]), float(line[1])


def _logistic(values: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-values)))


def error(seen: Observed, line: tuple[float, float]) -> float:
    """The mean distance of predicted and seen shares over bins of equal size (expected calibration error)."""
    chance = _logistic(line[0] + line[1] * np.log(seen.gaps + GAP_SHIFT))
    bins = [part for part in np.array_split(np.argsort(chance), BINS) if len(part)]
    return float(sum(abs(chance[part].mean() - seen.right[part].mean()) * len(part) for part in bins) / len(chance))


def calibration(observed: Mapping[str, Observed], threshold: float, floor: float) -> dict[str, Any]:
    """Everything that the docs print about gap and floor, as plain data."""
    line = fit(list(observed.values()))
    gaps = np.concatenate([seen.gaps for seen in observed.values()])
    right = np.concatenate([seen.right for seen in observed.values()])
    firsts = np.concatenate([seen.firsts for seen in observed.values()])
    foreign = np.concatenate([seen.foreign for seen in observed.values()])
    alone = gaps >= threshold
    return {
        "chance": {"a": line[0], "b": line[1], "shift": GAP_SHIFT},
        "left_out_error": {
            name: error(seen, fit([other for key, other in observed.items() if key != name]))
            for name, seen in observed.items()
            if len(observed) > 1
        },
        "gaps": [
            {"from": low, "to": high, "queries": int(inside.sum()), "right": float(right[inside].mean())}
            for low, high in itertools.pairwise(GAPS)
            if (inside := (gaps >= low) & (gaps < high)).any()
        ],
        "auc": _area(gaps[right], gaps[~right]),
        "threshold": {"value": threshold, "one_answer": float(alone.mean()), "right": _mean(right[alone])},
        "floors": [
            {"floor": value, "real_lost": float((firsts < value).mean()), "foreign_dropped": _mean(foreign < value)}
            for value in sorted({*FLOORS, floor})
        ],
    }


def _mean(values: Flags) -> float | None:
    return float(values.mean()) if len(values) else None


def _area(right: Floats, wrong: Floats) -> float | None:
    """The chance that a right first's gap is the larger one."""
    return float((right[:, None] > wrong[None]).mean()) if len(right) and len(wrong) else None
