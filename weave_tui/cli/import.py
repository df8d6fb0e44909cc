# ruff: noqa: N999 - a command is the module of its name, and modules of commands are loaded by name only
"""`weave-tui import`: any document of contextweaver, weaver-spec or ChainWeaver in our terms, and what is lost.

The result is JSON; what could not be carried is in it, and on standard error for people.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from weave_tui.cli import common, documents
from weave_tui.cli.common import ANSWERED
from weave_tui.protocol import PLATFORMS

if TYPE_CHECKING:
    from weave_tui.interop import Imported
    from weave_tui.interop.contextweaver import SelectableItem

TOLD = 20
"""How many losses standard error names; the result has all."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    documents.add_file(parser)
    parser.add_argument("--platform", choices=PLATFORMS, help="whose an item is said to be that names no platform")
    parser.add_argument(
        "--flows", metavar="FILE", help="the flows that a decision or candidate chose among: give the chosen one's JSON"
    )
    documents.add_output(parser)


def run(arguments: argparse.Namespace) -> int:
    from weave_tui.interop import import_document, plain

    with documents.told(arguments.file):
        found = import_document(documents.read(arguments.file), platform=arguments.platform)
    result = {
        "form": f"{found.form.side} {found.form.name}",
        "advertisements": found.advertisements,
        "items": found.items,
        "decisions": found.decisions,
        "results": found.results,
        "candidates": found.candidates,
        "lost": [{"path": lost.path, "reason": lost.reason} for lost in found.lost],
    }
    if arguments.flows:
        with documents.told(arguments.flows):
            items = import_document(documents.read(arguments.flows)).items
        with documents.told(arguments.file):
            result["flows"] = list(_chosen(found, items))
    for lost in found.lost[:TOLD]:
        common.complain(str(lost), "warning")
    if len(found.lost) > TOLD:
        common.complain(f"and {len(found.lost) - TOLD} more", "warning")
    documents.put({name: plain(value) for name, value in result.items()}, arguments.output)
    return ANSWERED


def _chosen(found: Imported, items: Iterable[SelectableItem]) -> Iterator[dict[str, Any]]:
    """The runnable document of each flow that a decision or candidate chose."""
    from weave_tui.interop.flows import runnable_flow

    for chosen in (*found.decisions, *found.candidates):
        yield runnable_flow(chosen, items)
