"""Measures: how often a router has the right skill first, among two, among five, and while one types."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from weave_tui.bench.catalogue import Catalogue, Right
from weave_tui.bench.routers import Ask, Scores

TIE = 1e-9
"""Scores nearer than this are equal, and equal scores share the places they take."""
KEYSTROKE = 3
"""Every third prefix of a query is asked."""
SIBLINGS = 5
"""The skills most like a right one that count as its siblings."""

MEASURES = ("hit@1", "hit@2", "hit@5", "MRR")


def places(scores: Scores, right: Right) -> tuple[float, float, float, float]:
    """hit@1, hit@2, hit@5 and reciprocal rank of one query; a tie counts by how many share it."""
    best = scores[right].max()
    wrong = scores[~right]
    above = int((wrong > best + TIE).sum())
    tied = int((np.abs(wrong - best) <= TIE).sum())
    hits = [min(max((k - above) / (tied + 1), 0.0), 1.0) for k in (1, 2, 5)]
    return hits[0], hits[1], hits[2], float(np.mean([1 / (above + i + 1) for i in range(tied + 1)]))


@dataclass(frozen=True, slots=True)
class Outcome:
    """One router on one catalogue. Shares of queries but for `changes` (of the first place, a query) and
    `milliseconds` (a query). low_overlap: hit@1 of each query marked so. keystrokes and changes are None where
    they were not asked for."""

    measures: Mapping[str, float]
    wrong_sibling: float
    low_overlap: tuple[float, ...]
    keystrokes: float | None
    changes: float | None
    milliseconds: float

    def as_dict(self) -> dict[str, float | None]:
        named = {
            "wrong_sibling": self.wrong_sibling,
            "low_overlap": _mean(self.low_overlap),
            "keystrokes": self.keystrokes,
        }
        return {**self.measures, **named, "first_place_changes": self.changes, "ms_per_query": self.milliseconds}


def outcome(ask: Ask, catalogue: Catalogue, siblings: npt.NDArray[np.bool_], *, typed: bool) -> Outcome:
    """Ask every query of a catalogue. siblings: bool (skills, skills), who is like whom."""
    started = time.perf_counter()
    answers = [ask(query.text) for query in catalogue.queries]
    seconds = time.perf_counter() - started
    found = np.array([places(scores, query.right) for scores, query in zip(answers, catalogue.queries, strict=True)])
    low = [float(found[i, 0]) for i, query in enumerate(catalogue.queries) if query.is_low_overlap]
    wrong = [
        _is_sibling(scores, query.right, siblings) for scores, query in zip(answers, catalogue.queries, strict=True)
    ]
    keystrokes, changes = _typed(ask, catalogue) if typed else (None, None)
    return Outcome(
        measures=dict(zip(MEASURES, map(float, found.mean(axis=0)), strict=True)),
        wrong_sibling=float(np.mean(wrong)),
        low_overlap=tuple(low),
        keystrokes=keystrokes,
        changes=changes,
        milliseconds=seconds / len(answers) * 1000,
    )


def _is_sibling(scores: Scores, right: Right, siblings: npt.NDArray[np.bool_]) -> bool:
    """Whether the first is wrong and like one that is right."""
    first = int(scores.argmax())
    return not right[first] and bool(siblings[right, first].any())


def siblings(centers: npt.NDArray[np.float32]) -> npt.NDArray[np.bool_]:
    """For each skill those whose centre is nearest: bool (skills, skills), from float32 (skills, dim)."""
    alike = centers @ centers.T
    np.fill_diagonal(alike, -np.inf)
    nearest = np.argsort(-alike, axis=1, kind="stable")[:, :SIBLINGS]
    result = np.zeros(alike.shape, bool)
    np.put_along_axis(result, nearest, True, axis=1)
    return result


def _typed(ask: Ask, catalogue: Catalogue) -> tuple[float, float]:
    """Share of keystrokes with a right skill first, and changes of the first place a query."""
    hits: list[float] = []
    changes = []
    for query in catalogue.queries:
        firsts = []
        for end in range(KEYSTROKE, len(query.text) + 1, KEYSTROKE):
            scores = ask(query.text[:end])
            hits.append(places(scores, query.right)[0])
            firsts.append(int(scores.argmax()))
        changes.append(sum(a != b for a, b in itertools.pairwise(firsts)))
    return float(np.mean(hits)) if hits else 0.0, float(np.mean(changes))


def macro(outcomes: Sequence[Outcome]) -> dict[str, float | None]:
    """The mean over catalogues, each counting the same; queries of little overlap are few, so each of them does."""
    rows = [outcome.as_dict() for outcome in outcomes]
    means = {name: _mean(row[name] for row in rows) for name in rows[0]}
    return means | {"low_overlap": _mean(hit for outcome in outcomes for hit in outcome.low_overlap)}


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None
