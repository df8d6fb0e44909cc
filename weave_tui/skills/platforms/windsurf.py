"""Windsurf: rules under `.windsurf`, `.windsurfrules`, global rules, and skills."""

from __future__ import annotations

from weave_tui.skills.frontmatter import Fields
from weave_tui.skills.model import Activation, Kind
from weave_tui.skills.platforms.base import (
    Pattern,
    PlatformFiles,
    UserFolder,
    rule_activation,
    skill_activation,
    text_of,
)

_TRIGGERS: dict[str, Activation] = {
    "always_on": "always",
    "model_decision": "described",
    "glob": "glob",
    "manual": "manual",
}


def activation(kind: Kind, fields: Fields) -> Activation:
    """What `trigger` says; without one, globs or a description decide, and a bare rule waits to be called."""
    if kind == "instructions":
        return "always"
    if kind == "skill":
        return skill_activation(fields)
    if named := _TRIGGERS.get(text_of(fields, "trigger")):
        return named
    return rule_activation(fields)


FILES = PlatformFiles(
    platform="windsurf",
    project=(
        Pattern(".windsurf/rules/**/*.md", "rule"),
        Pattern(".windsurf/skills/**/SKILL.md", "skill"),
        Pattern(".codeium/windsurf/skills/**/SKILL.md", "skill"),
        Pattern(".windsurfrules", "instructions"),
    ),
    loose=(
        Pattern("*.windsurfrules", "instructions"),
        Pattern("windsurf/memories/global_rules.md", "instructions"),
    ),
    user=(
        UserFolder(
            ".codeium/windsurf",
            "",
            (Pattern("skills/**/SKILL.md", "skill"), Pattern("memories/global_rules.md", "instructions")),
        ),
    ),
    activation=activation,
    max_characters={"rule": 12_000, "instructions": 12_000},
)
