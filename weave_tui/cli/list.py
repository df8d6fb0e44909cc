"""`weave-tui list`: the skills there are."""

from __future__ import annotations

import argparse
import json
from typing import Any

from weave_tui.broker import Registry
from weave_tui.broker.registry import build_registry
from weave_tui.cli import common
from weave_tui.cli.common import ANSWERED, say
from weave_tui.text import one_line


def add_arguments(parser: argparse.ArgumentParser) -> None:
    common.add_where(parser)
    parser.add_argument("--json", action="store_true", help="print a JSON array, one object a skill")


def run(arguments: argparse.Namespace) -> int:
    registry = build_registry(common.load_skills(arguments, common.settings(arguments)).skills)
    if arguments.json:
        say(json.dumps([as_dict(registry, i) for i in range(len(registry))], ensure_ascii=False, indent=2))
        return ANSWERED
    for position, skill in enumerate(registry.skills):
        shadowed = " (shadowed)" if position in registry.shadowed else ""
        name = one_line(skill.name)
        say(f"{skill.platform:<12} {skill.activation:<10} {name:<36} {one_line(str(skill.locations[0]))}{shadowed}")
    return ANSWERED


def as_dict(registry: Registry, position: int) -> dict[str, Any]:
    """One skill as JSON shows it."""
    skill = registry.skills[position]
    return {
        "id": skill.id,
        "name": skill.name,
        "platform": skill.platform,
        "path": str(skill.path),
        "source": skill.source,
        "kind": skill.kind,
        "activation": skill.activation,
        "locations": [str(path) for path in skill.locations],
        "shadowed": position in registry.shadowed,
        "version": skill.advertisement.version,
        "description": skill.description,
    }
