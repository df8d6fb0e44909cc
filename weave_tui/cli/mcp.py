"""`weave-tui mcp`: the broker as an MCP server over standard input and output."""

from __future__ import annotations

import argparse
from pathlib import Path

from weave_tui.cli import common
from weave_tui.cli.common import ANSWERED
from weave_tui.prompts import Layer, find_layers


def add_arguments(parser: argparse.ArgumentParser) -> None:
    common.add_where(parser)
    common.add_rules(parser)
    common.add_manner(parser)


def run(arguments: argparse.Namespace) -> int:
    try:
        from weave_tui.server.mcp import serve
    except ModuleNotFoundError as error:
        raise common.missing_extra("mcp", error) from error
    from weave_tui.server.face import Face

    library = common.library(arguments)
    serve(library, Face(library.desk, _layers), [layer.root for layer in _layers()])
    return ANSWERED


def _layers() -> tuple[Layer, ...]:
    """The configuration of agent prompts for who works here; none where there is none, or where it is broken."""
    return find_layers(Path.cwd()).value or ()
