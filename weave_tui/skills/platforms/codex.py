"""Codex: AGENTS.md, the files of `.codex`, and skills under `.agents` and `.codex`."""

from __future__ import annotations

from weave_tui.skills.frontmatter import Fields
from weave_tui.skills.model import Activation, Kind
from weave_tui.skills.platforms.base import Pattern, PlatformFiles, UserFolder, skill_activation


def activation(kind: Kind, fields: Fields) -> Activation:
    """AGENTS.md is always read; the agents of `.codex` wait to be called; skills are chosen by description."""
    if kind == "instructions":
        return "always"
    return "manual" if kind == "agent" else skill_activation(fields)


_SKILLS = Pattern("skills/**/SKILL.md", "skill")

FILES = PlatformFiles(
    platform="codex",
    project=(
        Pattern(".agents/skills/**/SKILL.md", "skill"),
        Pattern(".codex/skills/**/SKILL.md", "skill"),
        Pattern(".codex/*.md", "agent"),
        Pattern("AGENTS.override.md", "instructions"),
        Pattern("AGENTS.md", "instructions"),
    ),
    loose=(),
    user=(
        UserFolder(
            ".codex",
            "CODEX_HOME",
            (_SKILLS, Pattern("AGENTS.override.md", "instructions"), Pattern("AGENTS.md", "instructions")),
        ),
        UserFolder(".agents", "", (_SKILLS,)),
        UserFolder(".config/agents", "", (_SKILLS,)),
    ),
    activation=activation,
    max_characters={"instructions": 32 * 1024},
)
