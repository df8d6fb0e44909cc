"""Choose weights on all catalogues but one and score the one: what the choice owes to the data it was made on.

    python -m tools.leave_one_out FOLDER

Four weights are chosen on a grid by cross-entropy of the right skill (less easily fooled than hits): the two of
the meaning part, that of pairs, and that of the body. The others stay as they are. Takes some minutes.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from weave_tui.bench.catalogue import Catalogue, read_catalogues
from weave_tui.bench.measures import places
from weave_tui.broker import Encoder, load_encoder
from weave_tui.broker.index import Index, build_index
from weave_tui.broker.scoring import analyse, score
from weave_tui.broker.weights import WEIGHTS, Weights

CENTERS = (0.06, 0.12, 0.18, 0.24, 0.30)
PATTERNS = (0.0, 0.07, 0.14, 0.21, 0.28)
PAIRS = (0.0, 0.25, 0.5, 0.75, 1.0)
BODIES = (0.0, 0.25, 0.5, 0.75, 1.0)
SHARPNESS = (10.0, 20.0, 30.0, 45.0, 60.0)
"""Scores are turned into chances by the exponential of so many times themselves; the best one counts."""

Matrix = npt.NDArray[np.float32]


class Setting(NamedTuple):
    """One choice of the four weights; the words part takes what the other two leave."""

    center: float
    pattern: float
    pair: float
    body: float


class Figures(NamedTuple):
    """hit@1 and cross-entropy of one setting on one catalogue."""

    hit: float
    entropy: float


CURRENT = Setting(WEIGHTS.center, WEIGHTS.pattern, WEIGHTS.pair, WEIGHTS.fields[-1].words)


def weights_of(pair: float, body: float) -> Weights:
    fields = (*WEIGHTS.fields[:-1], replace(WEIGHTS.fields[-1], words=body))
    return replace(WEIGHTS, pair=pair, fields=fields)


def figures(catalogue: Catalogue, encoder: Encoder) -> Iterator[tuple[Setting, Figures]]:
    """Every setting's figures on a catalogue. The three parts are computed once and mixed."""
    texts = [query.text for query in catalogue.queries]
    for body in BODIES:
        index = build_index(catalogue.skills, encoder, weights_of(CURRENT.pair, body))
        center, pattern = (_part(texts, index, encoder, name) for name in ("center", "pattern"))
        for pair in PAIRS:
            words = _part(texts, replace(index, weights=weights_of(pair, body)), encoder, "words")
            for a, b in itertools.product(CENTERS, PATTERNS):
                mixed = a * center + b * pattern + (1 - a - b) * words
                yield Setting(a, b, pair, body), _judged(mixed, catalogue)


def _part(texts: list[str], index: Index, encoder: Encoder, part: str) -> Matrix:
    """One part of every score at weight 1, float32 (queries, skills)."""
    own = replace(
        index,
        weights=replace(
            index.weights,
            center=float(part == "center"),
            pattern=float(part == "pattern"),
            words=float(part == "words"),
        ),
    )
    scored = (score(analyse(text, own, encoder), own) for text in texts)
    return np.array([found.words if part == "words" else found.meaning for found in scored])


def _judged(mixed: Matrix, catalogue: Catalogue) -> Figures:
    right = np.array([query.right for query in catalogue.queries])
    hits = [places(row.astype(np.float64), flags)[0] for row, flags in zip(mixed, right, strict=True)]
    losses = []
    for sharpness in SHARPNESS:
        scaled = sharpness * (mixed - mixed.max(axis=1, keepdims=True))
        chance = np.exp(scaled)
        losses.append(-np.log((chance * right).sum(axis=1) / chance.sum(axis=1) + 1e-12).mean())
    return Figures(float(np.mean(hits)), float(min(losses)))


def chosen(table: dict[str, dict[Setting, Figures]], names: Collection[str]) -> Setting:
    """The setting of least cross-entropy over the named catalogues, each weighing the same."""
    settings = next(iter(table.values()))
    return min(settings, key=lambda setting: sum(table[name][setting].entropy for name in names))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.leave_one_out", description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="with skills.jsonl and queries.jsonl")
    encoder = load_encoder()
    catalogues = read_catalogues(parser.parse_args().folder)
    table = {catalogue.name: dict(figures(catalogue, encoder)) for catalogue in catalogues}
    everything = chosen(table, table)
    print(
        f"{'':16} {'released':>9} {'chosen on all':>14} {'on the others':>14}  of the others: center pattern pair body"
    )
    rows = []
    for name, own in table.items():
        setting = chosen(table, [other for other in table if other != name])
        rows.append([100 * own[at].hit for at in (CURRENT, everything, setting)])
        print(f"{name:16} {rows[-1][0]:9.2f} {rows[-1][1]:14.2f} {rows[-1][2]:14.2f}  {tuple(setting)}")
    means = np.mean(rows, axis=0)
    print(f"{'macro':16} {means[0]:9.2f} {means[1]:14.2f} {means[2]:14.2f}  on all: {tuple(everything)}")
    print(
        f"lost by choosing on the others: {means[1] - means[2]:.2f} of the choice on all, {means[0] - means[2]:.2f} of "
        "the released weights"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
