"""`weave-tui export`: skills, and answers made of them, as documents that contextweaver and weaver-spec read."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from weave_tui.cli import common, documents, offered
from weave_tui.cli.common import ANSWERED, NOTHING, USAGE, CommandError
from weave_tui.protocol import WeaveRequest

if TYPE_CHECKING:
    from weave_tui.interop.from_broker import Answer

CATALOG = "catalog"
WHAT = (CATALOG, "decision", "frame", "candidate")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=WHAT, help="every skill, or the answer to a query in one of three forms")
    common.add_where(parser)
    parser.add_argument(
        "--query", metavar="TEXT", help="the task; - reads it from standard input; a catalog then has what answers it"
    )
    common.add_request(parser)
    offered.add_arguments(parser)
    parser.add_argument("--spec", action="store_true", help="in weaver-spec's form; default: contextweaver's")
    documents.add_names(parser)
    documents.add_output(parser)


def run(arguments: argparse.Namespace) -> int:
    if arguments.what == CATALOG and (arguments.id or arguments.at):
        raise CommandError("A catalog has no id and no time: leave out --id and --at.", USAGE)
    if arguments.query is None and arguments.what != CATALOG:
        raise CommandError(f"A {arguments.what} is an answer: give the task with --query TEXT.", USAGE)
    made, code = _catalog(arguments) if arguments.query is None else _answered(arguments)
    documents.put(made, arguments.output)
    return code


def _catalog(arguments: argparse.Namespace) -> tuple[Any, int]:
    from weave_tui.broker.registry import build_registry
    from weave_tui.interop import to_weaver_selectable_item
    from weave_tui.interop.from_broker import registry_catalog

    there = offered.load_offered(arguments, common.settings(arguments))
    items = registry_catalog(build_registry(there.loaded.skills), there.items)
    return list(map(to_weaver_selectable_item, items)) if arguments.spec else items, ANSWERED


def _answered(arguments: argparse.Namespace) -> tuple[Any, int]:
    from weave_tui.interop import CatalogError
    from weave_tui.interop.from_broker import DOCUMENTS

    text = arguments.query
    if text == documents.STANDARD:
        text = documents.read_text(text).decode("utf-8", "replace").strip()
    request = common.request(arguments, text)
    answer = _answer(arguments, request)
    kind = DOCUMENTS[arguments.what]
    try:
        made = (kind.spec if arguments.spec else kind.ours)(answer)
    except CatalogError as error:
        raise CommandError(f"No {arguments.what}: {error.message}.", NOTHING) from error
    return made, ANSWERED if answer.result.selection.chosen else NOTHING


def _answer(arguments: argparse.Namespace, request: WeaveRequest) -> Answer:
    from weave_tui.broker import EmptyQueryError
    from weave_tui.interop.from_broker import Answer

    resolved = common.settings(arguments)
    there = offered.load_offered(arguments, resolved)
    broker = common.broker(resolved, there.loaded)
    try:
        result = broker.query(request, common.rules(resolved))
    except EmptyQueryError as error:
        raise CommandError(str(error), USAGE) from error
    for diagnostic in result.selection.diagnostics:
        common.complain(diagnostic.message, "warning")
    return Answer(request, result, there.items, arguments.id, arguments.at)
