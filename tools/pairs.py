"""Random pairs of unrelated skills of a folder, the same ones on every run."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from weave_tui.broker.registry import build_registry
from weave_tui.skills import Skill, Where, load

SEED = 4


def random_pairs(folder: Path, count: int, *, related: bool = False) -> Iterator[tuple[Skill, Skill]]:
    """`count` pairs of skills with a body that are not variants, of two repositories (folders below `folder`).

    related: of one repository instead, where skills share lines.
    """
    registry = build_registry(load(Where((folder,))).skills)
    positions = [i for i, skill in enumerate(registry.skills) if skill.body]
    chance = random.Random(SEED)
    left = count
    while left:
        first, second = chance.sample(positions, 2)
        homes = [registry.skills[i].path.relative_to(folder.resolve()).parts[0] for i in (first, second)]
        if registry.groups[first] != registry.groups[second] and (homes[0] == homes[1]) is related:
            left -= 1
            yield registry.skills[first], registry.skills[second]
