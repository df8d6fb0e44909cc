"""Skills made in memory, for rules that need no files."""

from __future__ import annotations

from pathlib import Path

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
