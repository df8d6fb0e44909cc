"""`weave-tui check`: what was skipped, repaired or only partly understood."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from weave_tui import __version__
from weave_tui.broker.registry import build_registry
from weave_tui.cli import common
from weave_tui.cli.common import ANSWERED, NOTHING, say
from weave_tui.diagnostics import CODES, Diagnostic, Severity, worst_first
from weave_tui.skills import Loaded, load
from weave_tui.text import one_line


def add_arguments(parser: argparse.ArgumentParser) -> None:
    common.add_where(parser)
    parser.add_argument("--format", choices=sorted(FORMATS), default="text", help="how to print; default: text")


def run(arguments: argparse.Namespace) -> int:
    resolved = common.settings(arguments)
    loaded = load(common.where(arguments, resolved), common.remembered(resolved))
    registry = build_registry(loaded.skills)
    diagnostics = worst_first((*resolved.diagnostics, *loaded.diagnostics, *registry.diagnostics))
    say(FORMATS[arguments.format](loaded, diagnostics))
    if not loaded.skills:
        common.complain(common.no_skills(arguments, loaded))
    failed = any(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics)
    return NOTHING if failed or not loaded.skills else ANSWERED


def as_text(loaded: Loaded, diagnostics: Sequence[Diagnostic]) -> str:
    """A line a diagnostic, as compilers write them, then counts by platform and by code."""
    lines = [line_of(diagnostic) for diagnostic in diagnostics]
    lines += [""] if lines else []
    lines.append(f"{len(loaded.skills)} skills of {loaded.total} files; with a description of their own:")
    for platform, (count, described) in sorted(_platforms(loaded).items()):
        lines.append(f"  {platform:<24} {count:>5} {described / count:>6.0%}")
    codes = Counter(diagnostic.code for diagnostic in diagnostics)
    if codes:
        lines += ["", f"{len(diagnostics)} diagnostics"]
        lines += [f"  {code:<24} {count:>5}  {CODES[code].hint}" for code, count in codes.most_common()]
    return "\n".join(lines)


def line_of(diagnostic: Diagnostic) -> str:
    """One diagnostic on one line, as compilers write them."""
    place = f"{diagnostic.place}: " if diagnostic.place else ""
    done = f" ({diagnostic.done})" if diagnostic.done else ""
    return one_line(f"{place}{diagnostic.severity}: {diagnostic.message}{done} [{diagnostic.code}]")


def _platforms(loaded: Loaded) -> dict[str, tuple[int, int]]:
    """Skills and skills with a description, by platform."""
    counts = Counter(skill.platform for skill in loaded.skills)
    described = Counter(skill.platform for skill in loaded.skills if skill.description)
    return {platform: (count, described[platform]) for platform, count in counts.items()}


def as_json(loaded: Loaded, diagnostics: Sequence[Diagnostic]) -> str:
    """Counts and diagnostics as one object."""
    document = {
        "files": loaded.total,
        "skills": len(loaded.skills),
        "platforms": {
            platform: {"skills": count, "described": described}
            for platform, (count, described) in sorted(_platforms(loaded).items())
        },
        "diagnostics": [entry_of(diagnostic) for diagnostic in diagnostics],
    }
    return json.dumps(document, ensure_ascii=False, indent=2)


def entry_of(diagnostic: Diagnostic) -> dict[str, Any]:
    """One diagnostic as JSON data."""
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "path": str(diagnostic.path) if diagnostic.path else None,
        "line": diagnostic.line or None,
        "column": diagnostic.column or None,
        "field": diagnostic.field or None,
        "message": diagnostic.message,
        "done": diagnostic.done or None,
        "hint": diagnostic.hint,
    }


_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def as_sarif(loaded: Loaded, diagnostics: Sequence[Diagnostic]) -> str:
    """SARIF 2.1.0, for code hosts and editors."""
    used = sorted({diagnostic.code for diagnostic in diagnostics})
    rules = [
        {
            "id": code,
            "shortDescription": {"text": CODES[code].meaning},
            "help": {"text": CODES[code].hint},
            "defaultConfiguration": {"level": _LEVELS[CODES[code].severity]},
        }
        for code in used
    ]
    document = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "weave-tui", "version": __version__, "rules": rules}},
                "results": [_result(diagnostic, used) for diagnostic in diagnostics],
            }
        ],
    }
    return json.dumps(document, ensure_ascii=False, indent=2)


def _result(diagnostic: Diagnostic, used: Sequence[str]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "ruleIndex": used.index(diagnostic.code),
        "level": _LEVELS[diagnostic.severity],
        "message": {"text": diagnostic.message + (f" ({diagnostic.done})" if diagnostic.done else "")},
    }
    if diagnostic.path:
        path = diagnostic.path
        uri = path.as_posix() if not path.is_absolute() else _relative_uri(path)
        place: dict[str, Any] = {"artifactLocation": {"uri": uri}}
        if diagnostic.line:
            place["region"] = {"startLine": diagnostic.line}
        result["locations"] = [{"physicalLocation": place}]
    return result


def _relative_uri(path: Path) -> str:
    """Relative to the working folder where it lies below it, as code hosts want it."""
    return path.relative_to(Path.cwd()).as_posix() if path.is_relative_to(Path.cwd()) else path.as_uri()


FORMATS: dict[str, Callable[[Loaded, Sequence[Diagnostic]], str]] = {
    "text": as_text,
    "json": as_json,
    "sarif": as_sarif,
}
"""How diagnostics are printed, by name."""
