"""`weave-tui`: the app, and the app as a picker."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_args

from weave_tui import __version__
from weave_tui.cli import common
from weave_tui.cli.common import USAGE, CommandError, complain, say
from weave_tui.config import ThemeName
from weave_tui.resources import cache_file, index_folder
from weave_tui.skills import Where

PICKED_VIEWS = ("prompt", "invocation", "paths", "json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--version", action="version", version=f"weave-tui {__version__}")
    common.add_where(parser)
    common.add_request(parser)
    common.add_manner(parser)
    common.add_against(parser)
    parser.add_argument("--query", default="", metavar="TEXT", help="start with this query")
    parser.add_argument("--theme", choices=get_args(ThemeName), help="colours; default: dark")
    parser.add_argument("--no-watch", action="store_true", help="do not notice changed files")
    parser.add_argument("--no-state", action="store_true", help="keep nothing of this project, and take nothing back")
    parser.add_argument("--pick", action="store_true", help="be a picker, like fzf: print the choice and end")
    parser.add_argument("--print", dest="view", choices=PICKED_VIEWS, default="prompt", help="what --pick prints")


def run(arguments: argparse.Namespace) -> int:
    from weave_tui.tui import NoTerminalError
    from weave_tui.tui import run as run_app
    from weave_tui.tui.keys import keymap_of
    from weave_tui.tui.start import Start
    from weave_tui.tui.state import state_file

    resolved = common.settings(arguments)
    # The query may be empty here; everything else must be a valid request.
    request = common.request(arguments, arguments.query or "-")
    where = rivalled(common.where(arguments, resolved), arguments.against)
    keys = keymap_of(resolved)
    for problem in keys.problems:
        complain(f"{problem.place}: {problem.message} ({problem.done})", "warning")
    start = Start(
        where=where,
        rivals=tuple(arguments.against),
        query=arguments.query,
        top_n=request.top_n,
        exclude=request.exclude,
        rules=common.rules(resolved),
        manner=common.manner(resolved),
        model=resolved.settings.composition.model,
        theme=resolved.settings.app.theme,
        keys=keys,
        cache=cache_file() if resolved.settings.cache else None,
        indexes=index_folder() if resolved.settings.cache else None,
        watch=resolved.settings.app.watch,
        # A picker asks one question and ends: nothing of it is worth keeping.
        state=state_file(where) if resolved.settings.app.state and not arguments.pick else None,
        picked_view=arguments.view if arguments.pick else None,
    )
    try:
        ending = run_app(start)
    except NoTerminalError as error:
        raise CommandError(str(error), USAGE) from error
    if ending.text:
        say(ending.text)
    return ending.code


def rivalled(where: Where, rivals: Sequence[Path]) -> Where:
    """The same places and those of the rivals. Raises `CommandError` for one that is not there."""
    common.there(rivals)
    named = tuple((path.expanduser(), None) for path in rivals)
    return (
        replace(where, paths=(*where.paths, *rivals)) if where.paths else replace(where, extra=(*where.extra, *named))
    )
