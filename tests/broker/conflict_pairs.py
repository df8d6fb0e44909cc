"""The labelled line pairs of `tests/data/conflict_lines.tsv`: which two instructions conflict.

Written by hand before the rule. A third, chosen by hash, is held back: the rule's words and
thresholds come from the rest, and only `python -m tools.conflicts` and the tests look at it.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).parents[1] / "data" / "conflict_lines.tsv"


class Pair(NamedTuple):
    """Two lines and what they are to each other.

    kind: contradiction, same (one polarity, close words), unrelated, scope (other scope), condition (other condition).
    """

    kind: str
    first: str
    second: str

    @property
    def conflicts(self) -> bool:
        return self.kind == "contradiction"

    @property
    def is_held_back(self) -> bool:
        digest = hashlib.blake2b(f"{self.first}\n{self.second}".encode(), digest_size=2).digest()
        return int.from_bytes(digest, "big") % 3 == 0


def labelled() -> list[Pair]:
    return [Pair(*line.split("\t")) for line in FILE.read_text(encoding="utf-8").splitlines()]
