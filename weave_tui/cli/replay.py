"""`weave-tui replay`: what Claude Code used for your prompts, beside text routing. Nothing leaves the machine."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from weave_tui.cli import common
from weave_tui.cli.common import ANSWERED, NOTHING, UNREADABLE, CommandError, say
from weave_tui.lab.outcomes import compare
from weave_tui.lab.transcripts import read_transcripts, transcripts_folder

MOST = 1_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    common.add_where(parser)
    parser.add_argument(
        "--transcripts", type=Path, metavar="DIR", help="where they are; default: Claude Code's projects folder"
    )
    parser.add_argument("--everywhere", action="store_true", help="prompts of all projects, not of this one alone")
    parser.add_argument("--last", type=common.whole, default=MOST, metavar="N", help=f"how many; default: {MOST:,}")
    common.add_rules(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    resolved = common.settings(arguments)
    folder = arguments.transcripts or transcripts_folder()
    project = None if arguments.everywhere else Path.cwd()
    try:
        used = read_transcripts(folder, project, arguments.last)
    except OSError as error:
        said = f"{folder}: {error.strerror or error}; name the folder with --transcripts"
        raise CommandError(said, UNREADABLE) from error
    if not used:
        where = f" that were asked in {project}; --everywhere takes those of all projects" if project else ""
        raise CommandError(f"{folder} holds no prompts{where}", NOTHING)
    broker = common.broker(resolved, common.load_skills(arguments, resolved))
    agreement = compare(broker, used, common.rules(resolved))
    if arguments.json:
        say(json.dumps(agreement.document(), ensure_ascii=False, indent=2))
    else:
        say("\n".join(agreement.lines()))
    return ANSWERED
