"""Conflicts: the labelled pairs and what the rule makes of them."""

from __future__ import annotations

import re

from tests.broker.conflict_pairs import labelled

LISTED = re.compile(
    r"\b(always|never|us(e|es|ed|ing)|avoid\w*|must|enabl\w*|disabl\w*|add\w*|remov\w*|requir\w*|forbid\w*|prefer\w*)\b",
    re.IGNORECASE,
)


def test_the_labelled_pairs_are_many_and_hard() -> None:
    pairs = labelled()
    plain = [pair for pair in pairs if not LISTED.search(pair.first) and not LISTED.search(pair.second)]
    assert len(set(pairs)) == len(pairs) >= 120
    assert len(plain) >= 40
    assert sum(pair.kind == "same" for pair in pairs) >= 30
    assert 1 / 4 < sum(pair.is_held_back for pair in pairs) / len(pairs) < 5 / 12
