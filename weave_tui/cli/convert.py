"""`weave-tui convert`: a document of contextweaver as weaver-spec has it, or the other way; flows as items."""

from __future__ import annotations

import argparse

from weave_tui.cli import documents
from weave_tui.cli.common import ANSWERED, USAGE, CommandError

_OPTIONS = {"frame_id": "--id", "decision_id": "--id", "capability_id": "--capability"}
"""Names that a conversion may lack, and the option that gives each."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    documents.add_file(parser)
    documents.add_names(parser)
    parser.add_argument("--capability", default="", metavar="ID", help="the capability whose result becomes a frame")
    documents.add_output(parser)


def run(arguments: argparse.Namespace) -> int:
    from weave_tui.interop import Names, ValidationError, convert

    names = Names(
        frame_id=arguments.id,
        capability_id=arguments.capability,
        created_at=arguments.at,
        menu_id=arguments.id or None,
        decision_id=arguments.id,
    )
    document = documents.read(arguments.file)
    with documents.told(arguments.file):
        try:
            made = convert(document, names=names)
        except ValidationError as error:
            if error.path not in _OPTIONS:
                raise
            raise CommandError(f"{error.message}; give it with {_OPTIONS[error.path]}", USAGE) from error
    documents.put(made, arguments.output)
    return ANSWERED
