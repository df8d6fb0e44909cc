"""The weights of the score, as data.

Chosen near the middle of a plateau on the development halves of four catalogues (`make bench`, run of
2026-11-30: macro hit@1 77.4; what each is worth and what was tried: docs/ranking.md). A jitter of a
quarter of every weight moves hit@1 by a quarter of a point: their sizes matter, their digits do not.
"""

from __future__ import annotations

from dataclasses import dataclass

RECIPE = 1
"""Changes whenever an index made by an older version must not be read: with weights, words or fields."""


@dataclass(frozen=True, slots=True)
class FieldWeight:
    """One field: how much an occurrence in it weighs, its usual length in tokens, its part in the centre.

    Lengths are constants, so that a skill's entry never depends on the other skills.
    """

    field: str
    words: float
    length: float
    meaning: float


FIELDS = ("name", "description", "triggers", "capabilities", "body")
"""The fields that ranking reads, in the order of every array with a field axis."""


@dataclass(frozen=True, slots=True)
class Weights:
    """center + pattern + words = 1, so a score is below 1.

    center, pattern: the two cosines of the meaning part. words: the words part. pair, stub: a pair of
    neighbouring words and the beginning of a word, beside a word's 1. unseen_words, unseen_tokens: what
    every query brings that no skill has, in rarest words and in usual tokens; they keep "hello" low.
    saturation: occurrences at which a term counts half. length: how much long fields dilute, 0 to 1.
    """

    center: float = 0.18
    pattern: float = 0.14
    words: float = 0.68
    pair: float = 0.5
    stub: float = 0.25
    unseen_words: float = 2.0
    unseen_tokens: float = 1.05
    saturation: float = 1.0
    length: float = 0.25
    fields: tuple[FieldWeight, ...] = (
        FieldWeight("name", words=2.0, length=3, meaning=0.5),
        FieldWeight("description", words=1.0, length=40, meaning=1.0),
        FieldWeight("triggers", words=1.0, length=30, meaning=1.0),
        FieldWeight("capabilities", words=1.0, length=8, meaning=0.5),
        FieldWeight("body", words=0.5, length=120, meaning=0.5),
    )


WEIGHTS = Weights()
"""What the product ranks with; others are for measuring."""

STUB_LETTERS = 5
"""A word's stub is its stem's first letters, so that "migration" and "migrating" meet."""

BODY_CHARACTERS = 1_500
"""How much of a body counts: its start says what the skill is for, the rest cites other things."""

FIELD_CHARACTERS = 8_000
"""How much of any other field counts; the longest real description has 2,149."""
