"""`weave-tui config`: every setting, its value and where that came from."""

from __future__ import annotations

import argparse
import json

from weave_tui import config
from weave_tui.cli import common
from weave_tui.cli.common import ANSWERED, say
from weave_tui.text import one_line


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print a JSON object, one entry a setting")


def run(arguments: argparse.Namespace) -> int:
    resolved = common.settings(arguments)
    if arguments.json:
        document = {name: {"value": value, "origin": origin} for name, value, origin in config.rows(resolved)}
        say(json.dumps(document, ensure_ascii=False, indent=2))
        return ANSWERED
    for name, value, origin in config.rows(resolved):
        say(one_line(f"{name:<34}").ljust(34) + f" {json.dumps(value, ensure_ascii=False):<14} {one_line(origin)}")
    say("")
    say(f"your file: {config.user_file()}; a project's: {config.PROJECT_FILE}; schema: schemas/settings.json")
    return ANSWERED
