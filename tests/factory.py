"""Skills made in memory, for rules that need no files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from weave_tui.protocol import PROTOCOL, Platform, WeaveAdvertisement
from weave_tui.skills import Skill, Source, skill_id


def skill(
    name: str,
    body: str = "",
    *,
    description: str = "",
    triggers: tuple[str, ...] = (),
    needs: tuple[str, ...] = (),
    capabilities: tuple[str, ...] = (),
    platform: Platform = "claude_code",
    source: Source = "given",
    path: str = "",
) -> Skill:
    """A skill of that name, in a file of its own unless `path` says which."""
    place = Path("/library") / (path or f"{source}/{platform}/{name}/SKILL.md")
    return Skill(
        id=skill_id(place),
        path=place,
        locations=(place,),
        root=Path("/library"),
        source=source,
        kind="skill",
        advertisement=WeaveAdvertisement(
            weave_protocol=PROTOCOL,
            name=name,
            platform=platform,
            capabilities=capabilities,
            trigger_patterns=triggers or (description or name,),
            dependencies=needs,
        ),
        description=description,
        body=body,
        body_line=5,
        activation="described",
        globs=(),
        cites=(),
    )


class Letters:
    """Reads without a model: a letter is a token, and all texts mean the same."""

    def count_tokens(self, text: str) -> int:
        return len(text)

    def encode(self, texts: Sequence[str]) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
        return np.ones((len(texts), 1), np.float32)
