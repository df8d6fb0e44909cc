"""Publisher side: finding skill files and reading them.

`load` and `load_in_steps` are the ways in. No file aborts it: what could not be read is a diagnostic.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from weave_tui.diagnostics import Diagnostic
from weave_tui.skills.find import Found, MissingPathError, Where, find
from weave_tui.skills.model import Activation, Kind, Skill, Source, skill_id
from weave_tui.skills.read import read
from weave_tui.skills.sidecar import FOLDER_SIDECAR

__all__ = [
    "Activation",
    "Kind",
    "Loaded",
    "MissingPathError",
    "Skill",
    "Source",
    "Where",
    "load",
    "load_in_steps",
    "skill_id",
]

FIRST_STEP = 250
"""Files after which a load shows what it has for the first time."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """The skills of one load, sorted by the place they were found at, and all there is to know about it.

    `files` is how many files were looked at, skipped ones included; `total` how many there are. The two
    differ only while the load goes on.
    """

    skills: tuple[Skill, ...]
    diagnostics: tuple[Diagnostic, ...]
    files: int
    total: int


def load(where: Where) -> Loaded:
    """Find and read every skill there. Raises `MissingPathError` for a given path that does not exist."""
    *_, last = load_in_steps(where)
    return last


def load_in_steps(where: Where) -> Iterator[Loaded]:
    """The same, yielding what is there so far each time it has doubled: reading goes on while one types."""
    finder = find(where)
    files = sorted(finder.found.values(), key=lambda found: str(found.path))
    diagnostics = list(finder.diagnostics)
    spoken_for = _folder_sidecars(files, diagnostics)
    skills: list[Skill] = []
    next_step = FIRST_STEP
    for done, found in enumerate(files, 1):
        reading = read(found, finder.locations[found.real], spoken_for.get(found.path))
        diagnostics += reading.diagnostics
        if reading.skill:
            skills.append(reading.skill)
        if done == next_step and done < len(files):
            next_step *= 2
            yield Loaded(tuple(skills), tuple(diagnostics), done, len(files))
    yield Loaded(tuple(skills), tuple(diagnostics), len(files), len(files))


def _folder_sidecars(files: Iterable[Found], diagnostics: list[Diagnostic]) -> dict[Path, Path]:
    """Which file each `weave.skill.json` speaks for: the one skill of its folder, SKILL.md first."""
    folders: dict[Path, list[Path]] = defaultdict(list)
    for found in files:
        if not found.loose or (found.path.with_name(found.path.stem + ".skill.json")).is_file():
            folders[found.path.parent].append(found.path)
    result: dict[Path, Path] = {}
    for folder, paths in folders.items():
        sidecar = folder / FOLDER_SIDECAR
        if not sidecar.is_file():
            continue
        named = [path for path in paths if path.stem == "SKILL"] or paths
        if len(named) == 1:
            result[named[0]] = sidecar
        else:
            message = f"{len(named)} skill files in the folder, none of them SKILL.md"
            diagnostics.append(Diagnostic("sidecar-ambiguous", message, sidecar, done="applied to none"))
    return result
