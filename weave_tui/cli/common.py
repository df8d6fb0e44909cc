"""What the commands share: arguments, loading, and how they complain."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weave_tui.config import Resolved, SettingsError, resolve, resolve_alone
from weave_tui.protocol import PLATFORMS, PROTOCOL, SchemaViolationError, WeaveRequest, parse_request
from weave_tui.resources import cache_file, index_folder
from weave_tui.skills import Loaded, MissingPathError, Remembered, Skill, Where, load
from weave_tui.text import one_line

if TYPE_CHECKING:
    from weave_tui.broker import Broker, Encoder, Manner, Rules
    from weave_tui.server.library import Library

ANSWERED, NOTHING, USAGE, UNREADABLE = 0, 1, 2, 3


class CommandError(Exception):
    """A command cannot go on; the message says what, where and what to do."""

    def __init__(self, message: str, code: int) -> None:
        self.code = code
        super().__init__(message)


def complain(message: str, level: str = "error") -> None:
    """One line on standard error."""
    print(f"weave-tui: {level}: {one_line(message)}", file=sys.stderr)  # noqa: T201


def say(text: str) -> None:
    """A result on standard output."""
    print(text)  # noqa: T201


def number(low: float, high: float) -> Callable[[str], float]:
    def parse(text: str) -> float:
        value = float(text)
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"expected a number from {low:g} to {high:g}, got {text}")
        return value

    return parse


def add_where(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH", help="skill files or folders; default: discover")
    add_reading(parser)


def add_reading(parser: argparse.ArgumentParser) -> None:
    """How what is found is read."""
    parser.add_argument("--platform", choices=PLATFORMS, help="read the given paths as this platform's")
    parser.add_argument("--no-user", action="store_true", help="leave out the user's own folders")
    parser.add_argument("--no-cache", action="store_true", help="read every file anew and remember nothing")


def add_against(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--against", action="append", type=Path, default=[], metavar="DIR", help="rivals: skills that are ranked too"
    )


def add_request(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--top-n", type=int, default=1, metavar="N", help="how many matches at most: 1 or 2; default: 1"
    )
    parser.add_argument("--exclude", action="append", default=[], metavar="NAME", help="leave out skills of that name")
    add_rules(parser)


def add_rules(parser: argparse.ArgumentParser) -> None:
    """The cut-offs and the model: what holds for every request."""
    parser.add_argument("--threshold", type=number(0, 1), help="gap under which two answer; default: 0.1")
    parser.add_argument("--min-score", type=number(0, 1), help="floor for a match; default: 0.15")
    add_model(parser)


def add_model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--model", metavar="FOLDER|NAME", help="another static embedding model; default: the bundled one"
    )


def add_manner(parser: argparse.ArgumentParser) -> None:
    """How skills are composed."""
    parser.add_argument("--max-tokens", type=whole, metavar="N", help="cut sections, last ones first, to about so many")
    parser.add_argument(
        "--keep-conflicts", action="store_true", help="keep both of two lines that contradict each other"
    )


def whole(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1 on, got {text}")
    return value


GIVEN: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "threshold": ("composition.confidence_threshold", float),
    "min_score": ("composition.min_score", float),
    "model": ("composition.model", str),
    "max_tokens": ("composition.max_tokens", int),
    "keep_conflicts": ("composition.keep_conflicts", bool),
    "theme": ("app.theme", str),
    "no_user": ("user_folders", lambda value: not value),
    "no_cache": ("cache", lambda value: not value),
    "no_state": ("app.state", lambda value: not value),
    "no_watch": ("app.watch", lambda value: not value),
}
"""Options that are settings: what each sets, and to what."""


def settings(arguments: argparse.Namespace) -> Resolved:
    """The settings in force, the command line strongest. Raises `CommandError`; says what was ignored."""
    try:
        resolved = resolve(Path.cwd(), command_line=_given(arguments))
    except SettingsError as error:
        raise CommandError(str(error), USAGE) from error
    for diagnostic in resolved.diagnostics:
        complain(f"{diagnostic.place}: {diagnostic.message} ({diagnostic.done})", "warning")
    return resolved


def hermetic_settings(arguments: argparse.Namespace) -> Resolved:
    """The settings of the command line alone, the same on every machine. Raises `CommandError`."""
    try:
        return resolve_alone({"user_folders": False, "cache": False, **_given(arguments)})
    except SettingsError as error:
        raise CommandError(str(error), USAGE) from error


def _given(arguments: argparse.Namespace) -> dict[str, Any]:
    """What options set, by the dotted field of the setting."""
    return {
        field: convert(value)
        for option, (field, convert) in GIVEN.items()
        if (value := getattr(arguments, option, None)) not in (None, False)
    }


def where(arguments: argparse.Namespace, resolved: Resolved) -> Where:
    """Where the arguments and settings say to look. Raises `CommandError` for a path that is not there."""
    there((*arguments.paths, *(path for path, _ in resolved.folders if not arguments.paths)))
    return Where(tuple(arguments.paths), arguments.platform, resolved.settings.user_folders, resolved.folders)


def there(paths: Iterable[Path]) -> None:
    """Raises `CommandError` for a path that is not there."""
    for path in paths:
        try:
            path.expanduser().stat()
        except OSError as error:
            raise CommandError(str(MissingPathError(path, error)), UNREADABLE) from error


def remembered(resolved: Resolved) -> Remembered:
    """What earlier loads remembered, unless the settings say to do without."""
    return Remembered(cache_file() if resolved.settings.cache else None)


def load_skills(arguments: argparse.Namespace, resolved: Resolved) -> Loaded:
    """The skills the arguments name. Raises `CommandError` for paths that are not there or hold no skill."""
    loaded = load(where(arguments, resolved), remembered(resolved))
    if not loaded.skills:
        raise CommandError(no_skills(arguments, loaded), NOTHING)
    return loaded


def no_skills(arguments: argparse.Namespace, loaded: Loaded) -> str:
    """One sentence for when nothing was loaded: where, why, what to do."""
    places = ", ".join(f"'{path}'" for path in arguments.paths) or "this project and your own skill folders"
    skipped = f" ({loaded.total} files looked at)" if loaded.total else ""
    return f"No skills found in {places}{skipped}. Give a folder with SKILL.md, *.mdc or AGENTS.md files."


def request(arguments: argparse.Namespace, text: str) -> WeaveRequest:
    """The request the arguments make. Raises `CommandError` with the JSON path of what is wrong."""
    document = {"weave_protocol": PROTOCOL, "query": text, "top_n": arguments.top_n, "exclude": arguments.exclude}
    try:
        return parse_request(document)
    except SchemaViolationError as error:
        raise CommandError(str(error), USAGE) from error


def encoder(resolved: Resolved) -> Encoder:
    """The embedding model of the settings. Raises `CommandError` when it cannot be loaded."""
    from weave_tui.broker import ModelError, load_encoder

    try:
        model = resolved.settings.composition.model
        return load_encoder(model) if model else load_encoder()
    except ModelError as error:
        raise CommandError(str(error), UNREADABLE) from error


def broker(resolved: Resolved, loaded: Loaded) -> Broker:
    """A broker that holds what was loaded."""
    from weave_tui.broker import Broker, KeptIndexes

    built = Broker(encoder(resolved))
    kept = KeptIndexes(index_folder() if resolved.settings.cache else None)
    built.draw_on(kept, loaded.roots)
    built.replace(loaded.skills)
    built.keep(kept, loaded.roots)
    return built


def rules(resolved: Resolved) -> Rules:
    """The cut-offs of the settings."""
    from weave_tui.broker import Rules

    chosen = resolved.settings.composition
    return Rules(chosen.confidence_threshold, chosen.min_score, chosen.max_active_skills)


def manner(resolved: Resolved, text: Callable[[Skill], str] | None = None) -> Manner:
    """How the settings say to compose; `text` is what is taken of each skill, its body by default."""
    from weave_tui.broker.composition import Manner, full_text

    chosen = resolved.settings.composition
    return Manner(text or full_text, chosen.max_tokens, chosen.keep_conflicts)


def library(arguments: argparse.Namespace) -> Library:
    """What a server answers from, its registry read. Raises `CommandError`."""
    from weave_tui.broker import Broker
    from weave_tui.server.library import Desk, Library

    resolved = settings(arguments)
    desk = Desk(Broker(encoder(resolved)), rules(resolved), manner(resolved))
    return Library(where(arguments, resolved), remembered(resolved), desk)


def missing_extra(extra: str, error: ModuleNotFoundError) -> CommandError:
    """What to install for a command whose packages are not there."""
    return CommandError(f"This needs the package {error.name}: pip install 'weave-tui[{extra}]'", USAGE)
