"""Cursor: `.mdc` rules, `.cursorrules`, and skills under `.cursor`."""

from __future__ import annotations

from weave_tui.skills.frontmatter import Fields
from weave_tui.skills.model import Activation, Kind
from weave_tui.skills.platforms.base import (
    Pattern,
    PlatformFiles,
    UserFolder,
    is_true,
    rule_activation,
    skill_activation,
)


def activation(kind: Kind, fields: Fields) -> Activation:
    """Always, by glob, by description or by hand, as Cursor's four rule types."""
    if kind == "instructions" or is_true(fields, "alwaysApply"):
        return "always"
    if kind == "skill":
        return skill_activation(fields)
    return rule_activation(fields)


FILES = PlatformFiles(
    platform="cursor",
    project=(
        Pattern(".cursor/rules/**/*.mdc", "rule"),
        Pattern(".cursor/skills/**/SKILL.md", "skill"),
        Pattern(".cursorrules", "instructions"),
    ),
    loose=(Pattern("*.mdc", "rule"), Pattern("*.cursorrules", "instructions")),
    user=(UserFolder(".cursor", "", (Pattern("skills/**/SKILL.md", "skill"),)),),
    activation=activation,
    never=(Pattern(".cursor/rules/**/*.md", "rule"),),
)
