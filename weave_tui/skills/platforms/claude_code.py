"""Claude Code: skills, agents and commands under `.claude`, and any loose SKILL.md."""

from __future__ import annotations

from weave_tui.skills.frontmatter import Fields
from weave_tui.skills.model import Activation, Kind
from weave_tui.skills.platforms.base import Pattern, PlatformFiles, UserFolder, is_true


def activation(kind: Kind, fields: Fields) -> Activation:
    """Commands and skills that the model may not invoke wait to be called; the others are chosen by description."""
    if kind == "command" or is_true(fields, "disable-model-invocation"):
        return "manual"
    return "glob" if "paths" in fields else "described"


PLUGIN_PATTERNS = (
    Pattern("skills/*/SKILL.md", "skill"),
    Pattern("agents/**/*.md", "agent"),
    Pattern("commands/**/*.md", "command"),
)
"""What a plugin's folder, and the user's own, is looked through for."""

FILES = PlatformFiles(
    platform="claude_code",
    project=(
        Pattern(".claude/skills/*/SKILL.md", "skill"),
        Pattern(".claude/agents/**/*.md", "agent"),
        Pattern(".claude/commands/**/*.md", "command"),
        Pattern("skills/*/SKILL.md", "skill"),
    ),
    loose=(Pattern("SKILL.md", "skill"), Pattern("agents/*.md", "agent")),
    user=(UserFolder(".claude", "CLAUDE_CONFIG_DIR", PLUGIN_PATTERNS),),
    activation=activation,
)
