"""`weave-tui budget`: what each tool's listing holds of the skills there are, and what it cuts."""

from __future__ import annotations

import argparse
import json
from typing import Any

from weave_tui.broker.listing import Listing, Tag, listing
from weave_tui.broker.registry import build_registry
from weave_tui.cli import common
from weave_tui.cli.common import ANSWERED, say
from weave_tui.protocol import PLATFORMS
from weave_tui.text import one_line


def add_arguments(parser: argparse.ArgumentParser) -> None:
    common.add_where(parser)
    parser.add_argument("--scope", choices=PLATFORMS, help="only this tool, with every skill of its listing")
    parser.add_argument("--json", action="store_true", help="print JSON, one object a tool")


def run(arguments: argparse.Namespace) -> int:
    skills = common.load_skills(arguments, common.settings(arguments)).skills
    wanted = [arguments.scope] if arguments.scope else PLATFORMS
    registries = {name: build_registry(skill for skill in skills if skill.platform == name) for name in wanted}
    seen = [listing(registry, name) for name, registry in registries.items() if len(registry) or arguments.scope]
    if arguments.json:
        say(json.dumps([as_dict(one) for one in seen], ensure_ascii=False, indent=2))
        return ANSWERED
    for one in seen:
        say(report(one))
        if arguments.scope:
            for tag, text in zip(one.tags, one.texts, strict=True):
                say(f"  {tag:<10} {len(text.description):>6,}  {one_line(text.name)}")
    return ANSWERED


def report(seen: Listing) -> str:
    """One tool's listing in a few lines."""
    counts = ", ".join(f"{seen.counts[tag]:,} {tag}" for tag in Tag if seen.counts[tag])
    limit = f"{seen.budget.total:,}" if seen.budget.total else "no limit known"
    return (
        f"{seen.platform}: {seen.summary}\n  {counts or 'none'}\n"
        f"  {seen.characters:,} characters in full; limit: {limit} ({seen.budget.source})"
    )


def as_dict(seen: Listing) -> dict[str, Any]:
    return {
        "platform": seen.platform,
        "counts": {tag.value: seen.counts[tag] for tag in Tag},
        "characters": seen.characters,
        "limit": seen.budget.total,
        "description_limit": seen.budget.description,
        "source": seen.budget.source,
        "estimated": seen.budget.date,
        "skills": [{"name": text.name, "listed": tag.value} for tag, text in zip(seen.tags, seen.texts, strict=True)],
    }
