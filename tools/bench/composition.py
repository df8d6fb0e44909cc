"""Composition by itself: two bodies of the median, of the 99th percentile, and of 300 KB."""

from __future__ import annotations

import time
from dataclasses import replace

from tools.bench.measure import Figure, corpus, spread
from weave_tui.broker import Piece, Role, load_encoder
from weave_tui.broker.composition import compose
from weave_tui.broker.outline import outline
from weave_tui.broker.statements import statements
from weave_tui.skills import Skill, Where, load

RUNS = 15
BIG = 300_000
"""Characters of the largest body that is measured, made of real ones."""


def run() -> list[Figure]:
    encoder = load_encoder()
    skills = _skills()
    bodies = {
        "p50": [skills[len(skills) // 2 + i].body for i in (0, 1)],
        "p99": [skills[round(0.99 * (len(skills) - 1)) - i].body for i in (0, 1)],
        "300 KB": big_bodies(),
    }
    figures: list[Figure] = []
    for name, (first, second) in bodies.items():
        pieces = [Piece(replace(skills[i], body=body), Role.MATCH) for i, body in enumerate((first, second))]
        cold: list[float] = []
        warm: list[float] = []
        for _ in range(RUNS):
            outline.cache_clear()
            statements.cache_clear()
            for times in (cold, warm):
                started = time.perf_counter()
                compose(pieces, encoder)
                times.append(time.perf_counter() - started)
        size = f"{len(first):,} and {len(second):,} characters"
        figures += spread(f"compose two {name} bodies, first time", cold, size)
        figures += spread(f"compose two {name} bodies, again", warm)
    return figures


def _skills() -> list[Skill]:
    """The skills at hand, the shortest body first."""
    return sorted((skill for skill in load(Where((corpus(),))).skills if skill.body), key=lambda s: len(s.body))


def big_bodies() -> list[str]:
    """Two bodies of `BIG` characters of real text."""
    skills = _skills()
    return [_joined(skills[::2]), _joined(skills[1::2])]


def _joined(skills: list[Skill]) -> str:
    """Bodies one after the other, as many as `BIG` takes."""
    text = ""
    for skill in skills:
        text += skill.body + "\n\n"
        if len(text) >= BIG:
            break
    return text[:BIG].strip("\n")
