"""`weave-tui list`: the skills there are."""

from __future__ import annotations

import argparse
import json
from typing import Any, get_args

from weave_tui.broker import Registry
from weave_tui.broker.registry import build_registry
from weave_tui.cli import common
from weave_tui.cli.common import ANSWERED, NOTHING, say
from weave_tui.skills import Activation
from weave_tui.text import one_line


def add_arguments(parser: argparse.ArgumentParser) -> None:
    common.add_where(parser)
    parser.add_argument("--activation", choices=get_args(Activation), help="only skills that are read so")
    parser.add_argument("--json", action="store_true", help="print a JSON array, one object a skill")


def run(arguments: argparse.Namespace) -> int:
    registry = build_registry(common.load_skills(arguments, common.settings(arguments)).skills)
    listed = [i for i, skill in enumerate(registry.skills) if arguments.activation in (None, skill.activation)]
    if arguments.json:
        say(json.dumps([as_dict(registry, i) for i in listed], ensure_ascii=False, indent=2))
        return ANSWERED if listed else NOTHING
    for position in listed:
        skill = registry.skills[position]
        shadowed = " (shadowed)" if position in registry.shadowed else ""
        name = one_line(skill.name)
        say(f"{skill.platform:<12} {skill.activation:<10} {name:<36} {one_line(str(skill.locations[0]))}{shadowed}")
    return ANSWERED if listed else NOTHING


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
        "globs": list(skill.globs),
        "cites": list(skill.cites),
        "variants": registry.variants[position],
    }
