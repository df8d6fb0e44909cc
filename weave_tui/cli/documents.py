"""What the interop commands share: documents from files and standard input, names, times, and where results go."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weave_tui.cli.common import UNREADABLE, USAGE, CommandError
from weave_tui.files import write_atomically

if TYPE_CHECKING:
    from datetime import datetime

STANDARD = "-"
"""Stands for standard input and standard output."""


def add_file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a JSON document; - reads standard input")


def add_output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-o", "--output", default=STANDARD, metavar="FILE", help="where the result goes; default: -, standard output"
    )


def add_names(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--id", default="", metavar="ID", help="the id of the document that is made")
    parser.add_argument("--at", type=_time, metavar="TIME", help="its time, such as 2031-03-04T05:06:07Z; default: now")


def _time(text: str) -> datetime:
    from weave_tui.interop.data import read_time

    try:
        return read_time(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def shown(name: str) -> str:
    """What a message calls the file."""
    return "standard input" if name == STANDARD else f"'{name}'"


def read_text(name: str) -> bytes:
    """The bytes of a file or of standard input. Raises `CommandError`."""
    try:
        return sys.stdin.buffer.read() if name == STANDARD else Path(name).expanduser().read_bytes()
    except OSError as error:
        raise CommandError(f"Cannot read {shown(name)}: {error.strerror or error}", UNREADABLE) from error


def read(name: str) -> Any:
    """The decoded JSON of a file or of standard input. Raises `CommandError`."""
    from weave_tui.interop.data import from_json

    with told(name):
        return from_json(read_text(name))


@contextmanager
def told(name: str) -> Iterator[None]:
    """Says which document an error of interop is about: the message has the JSON path."""
    from weave_tui.interop.errors import InteropError

    try:
        yield
    except InteropError as error:
        raise CommandError(f"{shown(name)}: {error}", UNREADABLE) from error


def put(value: Any, output: str) -> None:
    """A result as JSON, always in UTF-8: JSON knows no other encoding. Raises `CommandError`."""
    from weave_tui.interop.data import to_json

    text = to_json(value) + "\n"
    if output == STANDARD:
        sys.stdout.buffer.write(text.encode())
        return
    try:
        write_atomically(Path(output).expanduser(), text)
    except OSError as error:
        raise CommandError(f"Cannot write {shown(output)}: {error.strerror or error}", USAGE) from error
