"""Publisher side: finding skill files and reading them.

`load` and `load_in_steps` are the ways in. No file aborts it: what could not be read is a diagnostic.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from weave_tui.diagnostics import Diagnostic
from weave_tui.skills.find import MissingPathError, Where, find
from weave_tui.skills.model import Activation, Kind, Skill, Source, skill_id
from weave_tui.skills.store import Remembered, placed

__all__ = [
    "Activation",
    "Kind",
    "Loaded",
    "MissingPathError",
    "Remembered",
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
    differ only while the load goes on. `roots` are the folders and files a watcher should watch.
    """

    skills: tuple[Skill, ...]
    diagnostics: tuple[Diagnostic, ...]
    files: int
    total: int
    roots: tuple[Path, ...]


def load(where: Where, remembered: Remembered | None = None) -> Loaded:
    """Find and read every skill there. Raises `MissingPathError` for a given path that does not exist."""
    *_, last = load_in_steps(where, remembered)
    return last


def load_in_steps(where: Where, remembered: Remembered | None = None) -> Iterator[Loaded]:
    """The same, yielding what is there so far each time it has doubled: reading goes on while one types.

    `remembered` spares reading what has not changed; it is saved at the end.
    """
    remembered = remembered or Remembered()
    with collector_paused():
        finder = find(where)
        files = sorted(finder.found.values(), key=lambda found: found.path)
        remembered.recall(files)
    roots, diagnostics = tuple(finder.roots), list(finder.diagnostics)
    skills: list[Skill] = []
    done = 0
    while True:
        step = min(len(files), max(FIRST_STEP, 2 * done))
        with collector_paused():
            for found in files[done:step]:
                reading = remembered.read(found)
                diagnostics += reading.diagnostics
                if reading.skill:
                    skill = placed(reading.skill, found, finder.locations[found.real], finder.overrides)
                    skills.append(skill)
                    if skill.cites:
                        diagnostics += _missing_citations(skill)
        done = step
        if done == len(files):
            break
        yield Loaded(tuple(skills), tuple(diagnostics), done, len(files), roots)
    remembered.save()
    yield Loaded(tuple(skills), tuple(diagnostics), done, len(files), roots)


@contextlib.contextmanager
def collector_paused() -> Iterator[None]:
    """No garbage collection inside: it would walk the ten thousand objects being made, a quarter of a warm load."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _missing_citations(skill: Skill) -> Iterator[Diagnostic]:
    """Files that a body points at and that are not beside it: asked anew each time, since they come and go."""
    missing = [cited for cited in skill.cites if not (skill.path.parent / cited).exists()]
    if missing:
        named = ", ".join(missing[:3]) + (", ..." if len(missing) > 3 else "")
        message = f"{len(missing)} of {len(skill.cites)} cited files: {named}"
        yield Diagnostic("cited-missing", message, skill.locations[0], done="loaded")
