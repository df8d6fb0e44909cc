"""Filters: which skills of a registry pass what stands in the query line. No Textual here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import get_args

from weave_tui.broker import Registry
from weave_tui.skills import Activation, Kind, Skill
from weave_tui.skills.globs import matches
from weave_tui.tui.query_line import Filter

_PASSES: Mapping[str, Callable[[Skill, str, bool], bool]] = {
    "platform": lambda skill, value, _: skill.platform.startswith(value),
    "source": lambda skill, value, _: skill.source.startswith(value),
    "tag": lambda skill, value, _: any(tag.casefold().startswith(value) for tag in skill.advertisement.capabilities),
    "name": lambda skill, value, _: value in skill.name.casefold(),
    "is": lambda skill, value, shadowed: any(
        word.startswith(value) for word in (skill.activation, skill.kind, "shadowed" if shadowed else skill.kind)
    ),
    "path": lambda skill, value, _: not skill.globs or matches(skill.globs, value),
}
"""What each key asks of a skill, given whether it is shadowed. Values may be unfinished: they are being typed."""

STATES = (*get_args(Activation), "shadowed", *get_args(Kind))


def outside(registry: Registry, filters: Sequence[Filter]) -> frozenset[int]:
    """The positions that do not pass: of one key any value will do, every key must, and nothing may pass a `-` one."""
    if not filters:
        return frozenset()
    wanted: dict[str, list[str]] = {}
    for one in filters:
        if not one.is_not:
            wanted.setdefault(one.key, []).append(one.value)
    barred = [one for one in filters if one.is_not]

    def passes(position: int, skill: Skill) -> bool:
        shadowed = position in registry.shadowed
        return all(
            any(_PASSES[key](skill, value, shadowed) for value in values) for key, values in wanted.items()
        ) and not any(_PASSES[one.key](skill, one.value, shadowed) for one in barred)

    return frozenset(position for position, skill in enumerate(registry.skills) if not passes(position, skill))


def values_of(registry: Registry) -> dict[str, list[str]]:
    """What can stand after each key, the most frequent first."""
    tags = Counter(tag for skill in registry.skills for tag in skill.advertisement.capabilities)
    return {
        "platform": [name for name, _ in Counter(skill.platform for skill in registry.skills).most_common()],
        "source": [name for name, _ in Counter(skill.source for skill in registry.skills).most_common()],
        "tag": [tag for tag, _ in tags.most_common()],
        "name": sorted({skill.name for skill in registry.skills}),
        "is": list(STATES),
    }
