"""Skills and, where a person asks for them, flows: what the commands rank and export, gated by tags."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from weave_tui.cli import common, documents
from weave_tui.cli.common import NOTHING, CommandError
from weave_tui.config import Resolved
from weave_tui.skills import Loaded, load

if TYPE_CHECKING:
    from weave_tui.interop.contextweaver import SelectableItem


@dataclass(frozen=True, slots=True)
class Offered:
    """What was loaded, and the item of each skill that stands for a flow."""

    loaded: Loaded
    items: Mapping[str, SelectableItem] = field(default_factory=dict)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--flows", action="append", default=[], metavar="FILE", help="load ChainWeaver's flows too; - reads them"
    )
    parser.add_argument(
        "--allow-tag", action="append", metavar="TAG", help="load only what has one of these tags, such as flow"
    )
    parser.add_argument("--exclude-tag", action="append", default=[], metavar="TAG", help="load nothing with that tag")


def load_offered(arguments: argparse.Namespace, resolved: Resolved) -> Offered:
    """What the arguments name. Raises `CommandError` when that is nothing."""
    gated = arguments.allow_tag is not None or arguments.exclude_tag
    if not arguments.flows and not gated:
        return Offered(common.load_skills(arguments, resolved))
    offered = _with_flows(arguments, resolved)
    return _gated(arguments, offered) if gated else offered


def _with_flows(arguments: argparse.Namespace, resolved: Resolved) -> Offered:
    from weave_tui.interop import flows

    if arguments.flows:
        loaded = load(common.where(arguments, resolved), common.remembered(resolved))
    else:
        loaded = common.load_skills(arguments, resolved)
    items: dict[str, SelectableItem] = {}
    for name in arguments.flows:
        path = Path(name).expanduser().absolute()
        with documents.told(name):
            found = flows.load_flows(documents.read(name), path, platform=arguments.platform or flows.PLATFORM)
        loaded = replace(loaded, skills=(*loaded.skills, *found.skills))
        items |= found.items
    return Offered(loaded, items)


def _gated(arguments: argparse.Namespace, offered: Offered) -> Offered:
    from weave_tui.interop import flows, from_broker

    skills = offered.loaded.skills
    offers = from_broker.offers(skills, offered.items)
    passed = flows.admitted(offers, allowed_tags=arguments.allow_tag, excluded_tags=arguments.exclude_tag)
    if not passed:
        raise CommandError(f"None of {len(skills)} skills and flows has tags that are let through.", NOTHING)
    return replace(offered, loaded=replace(offered.loaded, skills=tuple(skills[position] for position in passed)))
