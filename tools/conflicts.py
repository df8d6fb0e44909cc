"""How well conflicts are found: `python -m tools.conflicts [--pairs N] [--show]`.

Precision and recall on the labelled pairs, the held-back third apart, and on how many random pairs of
unrelated real skills a conflict is raised.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable

from tests.broker.conflict_pairs import Pair, labelled
from tools.bench.measure import corpus
from tools.pairs import random_pairs
from weave_tui.broker import Encoder, load_encoder
from weave_tui.broker.conflicts import find_conflicts
from weave_tui.text import one_line


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.conflicts", description=__doc__)
    parser.add_argument("--pairs", type=int, default=1000, metavar="N", help="random pairs of skills; default: 1000")
    parser.add_argument("--show", action="store_true", help="print what is judged wrong and what fires")
    arguments = parser.parse_args()
    encoder = load_encoder()
    pairs = labelled()
    report("labelled, used for the rule", [pair for pair in pairs if not pair.is_held_back], encoder, arguments.show)
    report("labelled, held back", [pair for pair in pairs if pair.is_held_back], encoder, show=False)
    fired = 0
    for first, second in random_pairs(corpus(), arguments.pairs):
        found = find_conflicts([first.body, second.body], encoder.encode)
        fired += bool(found)
        for conflict in found if arguments.show else ():
            print(f"  {first.name} / {second.name}")
            print(f"    {one_line(conflict.kept_text)}")
            print(f"    {one_line(conflict.gone_text)}")
    print(f"{arguments.pairs} random pairs of unrelated skills: {fired} raise a conflict")
    return 0


def report(title: str, pairs: Iterable[Pair], encoder: Encoder, show: bool) -> None:
    """Print precision and recall over labelled pairs."""
    judged = [(pair, bool(find_conflicts([pair.first, pair.second], encoder.encode))) for pair in pairs]
    for pair, found in judged if show else ():
        if found != pair.conflicts:
            print(f"  {'found' if found else 'missed'} ({pair.kind}): {pair.first} | {pair.second}")
    right = sum(found and pair.conflicts for pair, found in judged)
    raised, wanted = sum(found for _, found in judged), sum(pair.conflicts for pair, _ in judged)
    print(f"{title}: {len(judged)} pairs, precision {right / raised:.3f}, recall {right / wanted:.3f}")


if __name__ == "__main__":
    sys.exit(main())
