"""Run a file of conformance vectors: `python -m tests.vectors FILE...`.

Prints the cases that fail, and a closing line 'N passed, N failed'; exits with 1 when any
failed, with 2 when a file is of no known form.
"""

from __future__ import annotations

import argparse
import json
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

from tests.vector_forms import Document, Outcome

FORMS = ("prompts", "interop")
"""Modules of `tests.vector_forms`, in the order in which they are asked."""


def form_of(document: Document) -> ModuleType:
    """The module that runs `document`. Raises `LookupError` when none does."""
    for name in FORMS:
        form = import_module(f"tests.vector_forms.{name}")
        if form.recognises(document):
            return form
    raise LookupError(f"keys {', '.join(document)} are of no known form")


def run(path: Path) -> list[Outcome]:
    """Every case of a file. Raises `OSError`, `ValueError` or `LookupError` when it is no vector file."""
    document = json.loads(path.read_text(encoding="utf-8"))
    outcomes: list[Outcome] = form_of(document).run(document)
    return outcomes


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    outcomes: list[Outcome] = []
    for path in parser.parse_args().files:
        try:
            outcomes.extend(run(path))
        except (OSError, ValueError, LookupError) as error:
            print(f"{path}: {error}", file=sys.stderr)
            return 2
    failed = [outcome for outcome in outcomes if not outcome.passed]
    for outcome in failed:
        print(f"{outcome.id}: {outcome.difference}")
    print(f"{len(outcomes) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
