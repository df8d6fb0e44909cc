"""`weave-tui serve`: the broker over HTTP, for other tools on this machine."""

from __future__ import annotations

import argparse
import sys

from weave_tui.cli import common
from weave_tui.cli.common import ANSWERED, UNREADABLE, USAGE, CommandError

PORT = 7842


def add_arguments(parser: argparse.ArgumentParser) -> None:
    common.add_where(parser)
    common.add_rules(parser)
    common.add_manner(parser)
    parser.add_argument("--host", default="127.0.0.1", help="address to listen at; default: this machine only")
    parser.add_argument("--port", type=int, default=PORT, help=f"0 takes a free one; default: {PORT}")
    parser.add_argument("--token", help="what every request must carry; needed for any other host than this machine")
    parser.add_argument("--allow-host", action="append", default=[], metavar="NAME", help="a name it is called by")
    parser.add_argument("--allow-origin", action="append", default=[], metavar="URL", help="web pages that may ask")
    parser.add_argument("--log-queries", action="store_true", help="put what is asked into the access log")


def run(arguments: argparse.Namespace) -> int:
    try:
        from weave_tui.server.guard import LOOPBACK, Door
        from weave_tui.server.http import create_app
        from weave_tui.server.run import address, bind, is_loopback, serve
    except ModuleNotFoundError as error:
        raise common.missing_extra("server", error) from error

    if not is_loopback(arguments.host) and not arguments.token:
        raise CommandError(f"Listening at {arguments.host} needs a --token: other machines can reach it.", USAGE)
    try:
        bound = bind(arguments.host, arguments.port)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise CommandError(f"Cannot listen at {arguments.host}, port {arguments.port}: {reason}", UNREADABLE) from error
    library = common.library(arguments)
    hosts = LOOPBACK | {name.lower() for name in (arguments.host, *arguments.allow_host)}
    door = Door(hosts, frozenset(arguments.allow_origin), arguments.token)

    def write(line: str) -> None:
        print(line, file=sys.stderr, flush=True)  # noqa: T201

    app = create_app(library.desk, door, write, is_asked_logged=arguments.log_queries)
    count = len(library.loaded.skills)
    with library.watched(lambda _: None):
        serve(app, bound, lambda: write(f"weave-tui: {count:,} skills at {address(bound)}"))
    return ANSWERED
