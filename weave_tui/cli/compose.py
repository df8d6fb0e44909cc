"""`weave-tui compose`: named skills as one prompt, without a ranking."""

from __future__ import annotations

import argparse
import difflib
import json
from collections.abc import Iterable
from pathlib import Path

from weave_tui.broker.by_hand import AmbiguousNameError, compose_by_hand, position_of
from weave_tui.broker.composition import minimal_text
from weave_tui.broker.layouts import LAYOUTS
from weave_tui.broker.provenance import as_dict, as_text
from weave_tui.broker.registry import Registry, build_registry
from weave_tui.cli import common
from weave_tui.cli.common import ANSWERED, NOTHING, UNREADABLE, USAGE, CommandError, say
from weave_tui.text import one_line

STRATEGIES = {
    "manual": "the named skills, in that order, and what they need",
    "always-merge": "the same, and every other skill of the given paths, or else of the folders in the settings",
    "minimal": "as manual, but of each skill only its triggers and capabilities",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    width = max(map(len, STRATEGIES))
    parser.epilog = "strategies:\n" + "\n".join(f"  {name:<{width}}  {text}" for name, text in STRATEGIES.items())
    parser.add_argument(
        "what",
        nargs="*",
        metavar="NAME|PATH",
        help="skills by name; what exists on disk is a path instead: a file is composed, a folder is where to look",
    )
    common.add_reading(parser)
    parser.add_argument("--strategy", choices=tuple(STRATEGIES), default="manual", help="default: manual")
    parser.add_argument("--layout", choices=tuple(LAYOUTS), default="default", help="how parts are set apart")
    common.add_manner(parser)
    parser.add_argument(
        "--model", metavar="FOLDER|NAME", help="another static embedding model; default: the bundled one"
    )
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--explain", action="store_true", help="print what became of every skill's lines, and why")
    shape.add_argument("--json", action="store_true", help="print the same, and the prompt, as JSON")


def run(arguments: argparse.Namespace) -> int:
    names, arguments.paths = _told_apart(arguments.what)
    is_all = arguments.strategy == "always-merge"
    if not names and not is_all and not any(path.is_file() for path in arguments.paths):
        raise CommandError("Name at least one skill or give its file: weave-tui compose NAME... [PATH...]", USAGE)
    resolved = common.settings(arguments)
    if is_all and not arguments.paths:
        arguments.paths = [path for path, _ in resolved.folders]
    registry = build_registry(common.load_skills(arguments, resolved).skills)
    positions = [*_named(registry, names), *_of_files(registry, arguments.paths)]
    positions += (position for position in range(len(registry)) if is_all and position not in registry.shadowed)
    manner = common.manner(resolved, minimal_text) if arguments.strategy == "minimal" else common.manner(resolved)
    composition = compose_by_hand(registry, positions, common.encoder(resolved), manner)
    if arguments.json:
        say(json.dumps(as_dict(composition), ensure_ascii=False, indent=2))
    elif arguments.explain:
        say(as_text(composition))
    elif composition.text:
        say(LAYOUTS[arguments.layout](composition))
    for diagnostic in composition.diagnostics:
        common.complain(f"{diagnostic.message} ({diagnostic.done})", "warning")
    return ANSWERED if composition.text else NOTHING


def _told_apart(what: Iterable[str]) -> tuple[list[str], list[Path]]:
    """The names and the paths among the arguments. Raises `CommandError` for a path that is not there."""
    names: list[str] = []
    paths: list[Path] = []
    for text in what:
        path = Path(text)
        if path.expanduser().exists():
            paths.append(path)
        elif text.startswith((".", "~", "/")) or text.endswith("/"):
            raise CommandError(f"Path does not exist: '{text}'.", UNREADABLE)
        else:
            names.append(text)
    return names, paths


def _named(registry: Registry, names: Iterable[str]) -> list[int]:
    positions = []
    for name in names:
        try:
            position = position_of(registry, name)
        except AmbiguousNameError as error:
            raise CommandError(str(error), USAGE) from error
        if position is None:
            close = difflib.get_close_matches(name, [skill.name for skill in registry.skills], 1)
            hint = f"did you mean '{close[0]}'?" if close else "'weave-tui list' shows what there is."
            raise CommandError(f"No skill is named '{name}', and no such path exists; {one_line(hint)}", NOTHING)
        positions.append(position)
    return positions


def _of_files(registry: Registry, paths: Iterable[Path]) -> list[int]:
    """The skills of the paths that are files."""
    files = [path.expanduser().resolve() for path in paths if path.expanduser().is_file()]
    return [i for file in files for i, skill in enumerate(registry.skills) if skill.path == file]
