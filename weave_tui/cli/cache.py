"""`weave-tui cache`: what is remembered of earlier loads, and how to forget it."""

from __future__ import annotations

import argparse

from weave_tui.broker import KeptIndexes
from weave_tui.cli.common import ANSWERED, say
from weave_tui.resources import cache_file, index_folder
from weave_tui.skills.store import Remembered, forget


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--clear", action="store_true", help="forget everything; it comes back by itself")


def run(arguments: argparse.Namespace) -> int:
    path, kept = cache_file(), KeptIndexes(index_folder())
    if arguments.clear:
        say(f"{path.parent}: {forget(path) + kept.forget():,} bytes freed")
        return ANSWERED
    files, size = Remembered(path).extent()
    say(f"{path}: {files:,} files, {size:,} bytes")
    indexes, size = kept.extent()
    say(f"{index_folder()}: {indexes:,} indexes, {size:,} bytes")
    return ANSWERED
