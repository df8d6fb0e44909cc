"""`weave-tui query`: one request, answered on standard output."""

from __future__ import annotations

import argparse

from weave_tui.broker import EmptyQueryError, Result, Role, Row, band
from weave_tui.broker.listing import Listing
from weave_tui.cli import common, offered
from weave_tui.cli.common import ANSWERED, NOTHING, USAGE, CommandError, say
from weave_tui.protocol import PLATFORMS, to_json
from weave_tui.text import one_line

ROWS = 10
"""How many rows of the ranking are shown; chosen ones below them are shown too."""

_MARKS = {Role.MATCH: "✓", Role.PINNED: "+", Role.DEPENDENCY: "↳"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", metavar="TEXT", help="the task, in plain words")
    common.add_where(parser)
    common.add_request(parser)
    common.add_manner(parser)
    offered.add_arguments(parser)
    parser.add_argument("--scope", choices=PLATFORMS, help="rank as that tool sees it: its skills, by what it lists")
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--json", action="store_true", help="print a WeaveResponse")
    shape.add_argument("--prompt", action="store_true", help="print only the composed prompt")


def run(arguments: argparse.Namespace) -> int:
    request = common.request(arguments, arguments.text)
    if not request.query.strip():
        raise CommandError(str(EmptyQueryError()), USAGE)
    resolved = common.settings(arguments)
    broker = common.broker(resolved, offered.load_offered(arguments, resolved).loaded)
    if arguments.scope:
        broker = broker.scoped(arguments.scope)
    result = broker.compose(broker.select(request, common.rules(resolved)), common.manner(resolved))
    for diagnostic in result.selection.diagnostics:
        common.complain(diagnostic.message, "warning")
    if arguments.json:
        say(to_json(result.response))
    elif not arguments.prompt:
        say(report(result, broker.listing))
    elif result.composition.text:
        say(result.composition.text)
    return ANSWERED if result.selection.chosen else NOTHING


def report(result: Result, listing: Listing | None) -> str:
    """The verdict and the ranking's head, for people; in a tool's scope how its listing has each skill."""
    selection, ranking = result.selection, result.ranking
    chosen = {entry.position: entry for entry in selection.chosen}
    head = range(min(ROWS, len(ranking)))
    shown = [ranking[place] for place in head]
    shown += [ranking.row(position) for position in chosen if position not in {row.position for row in shown}]
    lines = [verdict(result), *([f"as {listing.platform} lists it: {listing.summary}"] if listing else []), ""]
    for row in shown:
        entry = chosen.get(row.position)
        mark = _MARKS[entry.role] if entry else "✕" if row.position in selection.excluded else " "
        tag = f"{listing.tags[row.position]:<10} " if listing else ""
        lines.append(
            f"{mark} {row.score:.3f}  {tag}{one_line(row.skill.name):<32} {row.skill.platform:<12} {_note(row, result)}"
        )
    return "\n".join(line.rstrip() for line in lines)


def verdict(result: Result) -> str:
    """One line: how sure, the gap, what follows and what it costs."""
    selection = result.selection
    if not selection.is_known:
        return "unknown: no word of the query is known to any skill"
    matched = len(selection.with_role(Role.MATCH))
    if not matched:
        return f"nothing fits: best {selection.best:.3f} is under the floor {selection.rules.min_score:.3f}"
    counts = [f"{matched} {'skill' if matched == 1 else 'skills'}"]
    if needed := len(selection.with_role(Role.DEPENDENCY)):
        counts.append(f"{needed} needed")
    gap = "the only skill"
    if selection.gap is not None:
        gap = f"gap {selection.gap:.3f}, the first is right in about {selection.chance:.0%}"
    second = ""
    if result.second:
        more, chance = result.second
        second = f", {more:,} of them for the second, right in about {chance:.0%}"
    return f"{band(selection.gap)}: {gap} -> {' + '.join(counts)}, about {result.composition.tokens:,} tokens{second}"


def _note(row: Row, result: Result) -> str:
    registry = result.ranking.registry
    words = [str(row.skill.locations[0])]
    if row.skill.kind == "flow":
        words.append("(flow)")
    if row.position in registry.shadowed:
        words.append("(shadowed)")
    asked = next((entry.asked_by for entry in result.selection.chosen if entry.position == row.position), ())
    if asked:
        words.append(f"(needed by {', '.join(asked)})")
    return one_line(" ".join(words))
