"""`weave-tui cache`: what is remembered of earlier loads, and how to forget it."""

from __future__ import annotations

import argparse

from weave_tui.cli.common import ANSWERED, say
from weave_tui.resources import cache_file
from weave_tui.skills.store import Remembered, forget


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--clear", action="store_true", help="forget everything; it comes back by itself")


def run(arguments: argparse.Namespace) -> int:
    path = cache_file()
    if arguments.clear:
        say(f"{path}: {forget(path):,} bytes freed")
        return ANSWERED
    files, size = Remembered(path).extent()
    say(f"{path}: {files:,} files, {size:,} bytes")
    return ANSWERED
