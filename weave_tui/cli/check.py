"""`weave-tui check`: what was skipped, repaired or only partly understood."""

from __future__ import annotations

import argparse
from collections import Counter

from weave_tui.broker.registry import build_registry
from weave_tui.cli import common
from weave_tui.cli.common import ANSWERED, NOTHING, say
from weave_tui.diagnostics import CODES, Diagnostic, Severity, worst_first
from weave_tui.skills import Loaded, load
from weave_tui.text import one_line


def add_arguments(parser: argparse.ArgumentParser) -> None:
    common.add_where(parser)


def run(arguments: argparse.Namespace) -> int:
    loaded = load(common.where(arguments))
    diagnostics = worst_first((*loaded.diagnostics, *build_registry(loaded.skills).diagnostics))
    for diagnostic in diagnostics:
        say(line_of(diagnostic))
    if diagnostics:
        say("")
    say(summary(loaded, diagnostics))
    failed = any(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics)
    if not loaded.skills:
        common.complain(common.no_skills(arguments, loaded))
    return NOTHING if failed or not loaded.skills else ANSWERED


def line_of(diagnostic: Diagnostic) -> str:
    """One diagnostic on one line, as compilers write them."""
    place = f"{diagnostic.place}: " if diagnostic.place else ""
    done = f" ({diagnostic.done})" if diagnostic.done else ""
    return one_line(f"{place}{diagnostic.severity}: {diagnostic.message}{done} [{diagnostic.code}]")


def summary(loaded: Loaded, diagnostics: list[Diagnostic]) -> str:
    """Counts by platform and by code, with what each code asks for."""
    platforms = Counter(skill.platform for skill in loaded.skills)
    lines = [f"{len(loaded.skills)} skills of {loaded.total} files"]
    lines += [f"  {platform:<24} {count:>5}" for platform, count in sorted(platforms.items())]
    codes = Counter(diagnostic.code for diagnostic in diagnostics)
    if codes:
        lines += ["", f"{len(diagnostics)} diagnostics"]
        lines += [f"  {code:<24} {count:>5}  {CODES[code].hint}" for code, count in codes.most_common()]
    return "\n".join(lines)
