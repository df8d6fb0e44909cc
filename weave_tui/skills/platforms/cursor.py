"""Cursor: `.mdc` rules, `.cursorrules`, and skills under `.cursor`."""

from __future__ import annotations

from weave_tui.skills.frontmatter import Fields
from weave_tui.skills.model import Activation, Kind
from weave_tui.skills.platforms.base import Pattern, PlatformFiles, UserFolder, is_true, text_of


def activation(kind: Kind, fields: Fields) -> Activation:
    """Always, by glob, by description or by hand, as Cursor's four rule types."""
    if kind == "instructions" or is_true(fields, "alwaysApply"):
        return "always"
    if kind == "skill":
        return "manual" if is_true(fields, "disable-model-invocation") else "described"
    if (globs := fields.get("globs")) and globs.value:
        return "glob"
    return "described" if text_of(fields, "description") else "manual"


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
