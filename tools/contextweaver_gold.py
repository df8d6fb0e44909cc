"""Measure routers on contextweaver's own gold set: recall at 5, reciprocal rank and time a query.

    python -m tools.contextweaver_gold FOLDER [--peer contextweaver]

FOLDER holds its `catalog_83.json` and `routing_gold.json`. Tags and namespace count as capabilities.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

from weave_tui.bench.routers import OURS, PEERS, PeerMissingError, Router, ours
from weave_tui.broker import load_encoder
from weave_tui.broker.fields import SkillText

AT = 5


class Gold(NamedTuple):
    """Its skills, and its queries with the numbers of the skills expected."""

    skills: list[SkillText]
    queries: list[tuple[str, set[int]]]


def read(folder: Path) -> Gold:
    """The gold set of a folder; queries that expect nothing of the catalogue are left out."""
    items = json.loads((folder / "catalog_83.json").read_text(encoding="utf-8"))
    skills = [
        SkillText(item["name"], item["description"], capabilities=(*item["tags"], item["namespace"])) for item in items
    ]
    numbers = {item["id"]: number for number, item in enumerate(items)}
    asked = json.loads((folder / "routing_gold.json").read_text(encoding="utf-8"))
    queries = [(line["query"], {numbers[id_] for id_ in line["expected"] if id_ in numbers}) for line in asked]
    return Gold(skills, [(text, expected) for text, expected in queries if expected])


def measured(router: Router, gold: Gold) -> tuple[float, float, float]:
    """Recall at 5, mean reciprocal rank of the first right one, and milliseconds a query."""
    ask = router(gold.skills)
    recalls, ranks = [], []
    started = time.perf_counter()
    answers = [ask(text) for text, _ in gold.queries]
    seconds = time.perf_counter() - started
    for scores, (_, expected) in zip(answers, gold.queries, strict=True):
        order = np.argsort(-scores, kind="stable").tolist()
        recalls.append(len(expected.intersection(order[:AT])) / len(expected))
        ranks.append(1 / (1 + min(order.index(number) for number in expected)))
    return float(np.mean(recalls)), float(np.mean(ranks)), seconds / len(answers) * 1000


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.contextweaver_gold", description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="with catalog_83.json and routing_gold.json")
    optional = [peer.name for peer in PEERS if peer.is_optional]
    parser.add_argument("--peer", action="append", default=[], choices=optional, help="compare with this one too")
    arguments = parser.parse_args()
    gold = read(arguments.folder)
    print(f"{len(gold.skills)} skills, {len(gold.queries)} queries\n{'':16} recall@{AT}    MRR      ms")
    makers = {peer.name: peer.make for peer in PEERS if not peer.is_optional or peer.name in arguments.peer}
    for name, make in {OURS: lambda: ours(load_encoder()), **makers}.items():
        try:
            recall, rank, milliseconds = measured(make(), gold)
        except PeerMissingError as error:
            print(f"{name:16} does not take part: {error}")
            continue
        print(f"{name:16} {recall:8.3f}  {rank:5.3f}  {milliseconds:6.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
