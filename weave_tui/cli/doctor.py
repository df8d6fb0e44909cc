"""`weave-tui doctor`: what this terminal can do, how a copy would go, and where everything is.

Exit code 0 when there is nothing to do, 1 when a line says what to do.
"""

from __future__ import annotations

import argparse
import json
import locale
import os
import platform
import shutil
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

from weave_tui import __version__, config
from weave_tui.cli import common
from weave_tui.cli.common import ANSWERED, NOTHING, CommandError, say
from weave_tui.resources import cache_file
from weave_tui.skills import load
from weave_tui.text import one_line
from weave_tui.tui import clipboard
from weave_tui.tui.keys import keymap_of


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at. `advice`: what to do; "" where all is well."""

    subject: str
    found: str
    advice: str = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    common.add_where(parser)
    parser.add_argument("--json", action="store_true", help="print a JSON list, one entry a finding")


def run(arguments: argparse.Namespace) -> int:
    findings = [*terminal(os.environ), *copying(os.environ), *installed(arguments)]
    if arguments.json:
        say(json.dumps([asdict(finding) for finding in findings], ensure_ascii=False, indent=2))
    else:
        for finding in findings:
            state = "ok  " if not finding.advice else "todo"
            say(f"{state}  {finding.subject:<10} {one_line(finding.found)}")
            if finding.advice:
                say(f"{'':<17}{one_line(finding.advice)}")
    return NOTHING if any(finding.advice for finding in findings) else ANSWERED


def terminal(environ: Mapping[str, str]) -> Iterator[Finding]:
    """Size, colours, characters, and what stands between the app and the terminal."""
    if not sys.stdout.isatty():
        yield Finding("terminal", "none: the output is redirected, so its size is not known")
    else:
        columns, lines = shutil.get_terminal_size()
        small = columns < 40 or lines < 12
        yield Finding("size", f"{columns}x{lines}", "make the window 40x12 at least" if small else "")
    name = environ.get("TERM", "")
    if "NO_COLOR" in environ:
        yield Finding("colours", "greys: NO_COLOR is set")
    elif environ.get("COLORTERM") in {"truecolor", "24bit"}:
        yield Finding("colours", f"16 million ({name})")
    else:
        poor = "256" not in name
        advice = "set TERM to what the terminal is (such as xterm-256color), or use --theme ansi"
        yield Finding("colours", f"{16 if poor else 256} ({name or 'TERM is not set'})", advice if poor else "")
    encoding = locale.getpreferredencoding(False)
    is_utf8 = encoding.lower().replace("-", "") == "utf8"
    yield Finding("characters", encoding, "" if is_utf8 else "set LANG to a UTF-8 locale, such as C.UTF-8")
    if environ.get("TMUX"):
        setting = (clipboard.read_program(("tmux", "show-options", "-gv", "set-clipboard")) or b"?").decode().strip()
        off = "tmux set -s set-clipboard external: else a copy stays in tmux" if setting == "off" else ""
        yield Finding("tmux", f"set-clipboard {setting}", off)
    if environ.get("SSH_TTY") or environ.get("SSH_CONNECTION"):
        yield Finding("ssh", "a copy travels as OSC 52, which the terminal at your end must allow")


def copying(environ: Mapping[str, str]) -> Iterator[Finding]:
    """Which route a copy takes, and whether a text came back from it as it was sent."""
    routes = clipboard.routes(environ)
    for route in routes:
        came_back = clipboard.tried(route)
        if came_back is False:
            yield Finding("copy", f"{route.name} ({route.command[0]}): does not work", "the next route is taken")
            continue
        how = "a text came back as it was sent" if came_back else "not tried: there is no text that could be put back"
        beyond = "" if route.confirms else "; the terminal beyond it: sent, not confirmed"
        yield Finding("copy", f"{route.name} ({route.command[0]}): {how}{beyond}")
        return
    yield Finding("copy", f"{clipboard.TERMINAL} (OSC 52): sent, not confirmed; the terminal must allow it")


def installed(arguments: argparse.Namespace) -> Iterator[Finding]:
    """Versions, the model, settings, cache, and the skills of each place."""
    yield Finding(
        "versions", f"weave-tui {__version__}, Textual {version('textual')}, Python {platform.python_version()}"
    )
    try:
        resolved = common.settings(arguments)
    except CommandError as error:
        yield Finding("settings", str(error), "correct it; nothing else can be said before")
        return
    mine, project = config.user_file(), config.project_file(Path.cwd())
    there = "" if mine.is_file() else " (not there yet)"
    yield Finding("settings", f"{mine}{there}" + (f", {project}" if project else ""))
    for problem in keymap_of(resolved).problems:
        yield Finding("keys", f"{problem.place}: {problem.message}", "choose another key: docs/keys.md")
    try:
        encoder = common.encoder(resolved)
        yield Finding(
            "model", f"{resolved.settings.composition.model or 'the bundled one'}, {encoder.dimensions} numbers"
        )
    except CommandError as error:
        yield Finding("model", str(error), "give another composition.model, or none")
    cache = str(cache_file().parent)
    usable = not resolved.settings.cache or os.access(_nearest(cache_file().parent), os.W_OK)
    yield Finding("cache", cache if resolved.settings.cache else "off", "" if usable else "make it writable")
    loaded = load(common.where(arguments, resolved), common.remembered(resolved))
    places = Counter(str(skill.root) for skill in loaded.skills)
    for place, count in sorted(places.items()):
        yield Finding("skills", f"{count:,} in {place}")
    if not places:
        yield Finding("skills", "none", common.no_skills(arguments, loaded))


def _nearest(folder: Path) -> Path:
    """The folder, or the nearest one above that is there."""
    return next(path for path in (folder, *folder.parents) if path.exists())
