"""`weave-tui bench routing`: how often ranking finds the right skill, beside peers, on labelled queries."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from weave_tui.bench.catalogue import BenchDataError, Catalogue, read_catalogues
from weave_tui.bench.measures import MEASURES
from weave_tui.bench.routers import OURS, PEERS
from weave_tui.bench.run import run as measure
from weave_tui.cli import common
from weave_tui.cli.common import ANSWERED, UNREADABLE, CommandError, complain, say

_KINDS = ("routing",)
_OPTIONAL = tuple(peer.name for peer in PEERS if peer.is_optional)
_COLUMNS: Mapping[str, tuple[str, float]] = {
    **{name: (name, 100) for name in MEASURES[:3]},
    "MRR": ("MRR", 1),
    "wrong_sibling": ("sibling", 100),
    "low_overlap": ("low", 100),
    "keystrokes": ("keys", 100),
    "first_place_changes": ("changes", 1),
    "ms_per_query": ("ms", 1),
}
"""Column of the table: its heading and what its numbers are multiplied by."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("kind", choices=_KINDS, help="what is measured")
    parser.add_argument("folder", type=Path, metavar="DIR", help="folder with skills.jsonl and queries.jsonl")
    parser.add_argument(
        "--peer", action="append", default=[], choices=_OPTIONAL, help="compare with this one too, if it is installed"
    )
    parser.add_argument("--no-typing", action="store_true", help="leave out the keystrokes, which take longest")
    common.add_model(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    try:
        catalogues = read_catalogues(arguments.folder)
    except BenchDataError as error:
        raise CommandError(str(error), UNREADABLE) from error
    if not catalogues:
        raise CommandError(f"{arguments.folder / 'queries.jsonl'}: no query", UNREADABLE)
    report = measure(
        catalogues, common.encoder(common.settings(arguments)), arguments.peer, typed=not arguments.no_typing
    )
    for name, reason in report["skipped"].items():
        complain(f"{name} does not take part: {reason}", "warning")
    say(json.dumps(report, indent=2) if arguments.json else table(catalogues, report))
    return ANSWERED


def table(catalogues: Sequence[Catalogue], report: Mapping[str, Any]) -> str:
    """The report for people: a block for each catalogue and the mean of all, then gap and floor."""
    systems = {OURS: report, **report["peers"]}
    sizes = {c.name: f"{len(c.skills)} skills, {len(c.queries)} queries" for c in catalogues}
    lines = []
    for block in (*sizes, "macro"):
        lines.append(f"{block} ({sizes[block]})" if block in sizes else block)
        lines.append(" " * 18 + "".join(f"{heading:>9}" for heading, _ in _COLUMNS.values()))
        for name, system in systems.items():
            row = system["macro"] if block == "macro" else system["catalogues"][block]
            lines.append(f"  {name:<16}" + "".join(_cell(row[key], times) for key, (_, times) in _COLUMNS.items()))
        lines.append("")
    return "\n".join([*lines, *_calibration(report["calibration"])])


def _cell(value: float | None, times: float) -> str:
    digits = 1 if times == 100 else 3
    return f"{'-':>9}" if value is None else f"{value * times:9.{digits}f}"


def _calibration(found: Mapping[str, Any]) -> list[str]:
    line, threshold = found["chance"], found["threshold"]
    right = threshold["right"]
    lines = [
        "chance that the first is right: "
        f"1 / (1 + exp(-({line['a']:.2f} + {line['b']:.2f} ln(gap + {line['shift']}))))",
        *(f"  left out {name:<16} off by {off:.3f}" for name, off in found["left_out_error"].items()),
        *(
            f"  gap {row['from']:.3f} to {row['to']:.3f}  {row['queries']:>5} queries, right {row['right']:.3f}"
            for row in found["gaps"]
        ),
        f"threshold {threshold['value']}: one answer in {threshold['one_answer']:.1%}"
        + (f", right in {right:.1%}" if right is not None else ""),
    ]
    for row in found["floors"]:
        foreign = row["foreign_dropped"]
        dropped = f", drops {foreign:6.1%} of foreign queries" if foreign is not None else ""
        lines.append(f"floor {row['floor']:.3f} loses {row['real_lost']:6.1%} of real{dropped}")
    return lines
