"""What is on disk now: the configuration, everything in it that can be looked at, and which files to watch.

A `Project` never changes; a file that changes makes a new one.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from weave_tui import prompts
from weave_tui.diagnostics import Diagnostic
from weave_tui.prompts.compose import step_label
from weave_tui.prompts.project import FOLDER, FORMATS
from weave_tui.skills import Where

Kind = Literal["agent", "step", "file"]

_ORIGIN_WORDS = {"explicit": "", "category-shuttle": "category", "review-variant": "reviewer"}


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the list. A file stands there only while the configuration cannot be read.

    `group` is the heading above it, `name` the agent, the step or the path, `word` what is special.
    """

    kind: Kind
    group: str
    name: str
    word: str = ""
    failed: bool = False

    @property
    def target(self) -> str:
        """What one gives to `weave-tui prompt` (with --step for a step)."""
        return f"{self.group}/{self.name}" if self.kind == "step" else self.name


@dataclass(frozen=True, slots=True)
class Project:
    """One reading of the configuration. `report` is None where there is none; `problem` then says so."""

    folder: Path
    layers: tuple[prompts.Layer, ...]
    report: prompts.Report | None
    entries: tuple[Entry, ...]
    diagnostics: tuple[Diagnostic, ...]
    watched: tuple[Path, ...]
    problem: str = ""


def folders_of(watched: Iterable[Path]) -> frozenset[Path]:
    """The folders to watch for files that may not be there yet: of each the nearest that is."""
    return frozenset(next(folder for folder in path.absolute().parents if folder.is_dir()) for path in watched)


def concerns(changed: Iterable[Path], watched: Iterable[Path]) -> bool:
    """Whether a change is about one of the files, or about a folder on the way to one."""
    ways = {os.path.realpath(way) for path in watched for way in (path, *path.absolute().parents)}
    return any(os.path.realpath(path) in ways for path in changed)


def start_folder(where: Where) -> Path:
    """Where to look for a configuration: the first given folder that has one upward, else the working folder."""
    given = (path.expanduser().absolute() for path in where.paths)
    return next((path for path in given if path.is_dir() and prompts.find_root(path)), where.cwd.absolute())


def read_project(where: Where, skills: Iterable[str] | None) -> Project:
    """Read and compose everything. `skills` are the names of the loaded skills, None while nobody knows."""
    start = start_folder(where)
    folder = (prompts.find_root(start) or start) / FOLDER
    homes = (folder, where.home / FOLDER)
    candidates = tuple(home / f"config.{format_}" for home in homes for format_ in FORMATS)
    found = prompts.find_layers(start, home=where.home)
    if found.value is None:
        there = any(path.exists() for path in candidates)
        diagnostics = tuple(prompts.diagnostics_of(found.errors)) if there else ()
        problem = diagnostics[0].message if diagnostics else f"there are no agents here, for want of a {FOLDER} folder"
        return Project(folder, (), None, (), diagnostics, candidates, problem)
    report = prompts.check(found.value, skills=skills)
    composer = report.composer
    entries = _entries(report, composer) if composer else _files(found.value, report)
    watched = (*candidates, *(composer.files if composer else ()))
    problem = "" if entries else f"{found.value[-1].file.name} declares no agent yet"
    return Project(
        folder, found.value, report, tuple(entries), report.diagnostics, tuple(dict.fromkeys(watched)), problem
    )


def _entries(report: prompts.Report, composer: prompts.Composer) -> list[Entry]:
    composed = {one.member.name for one in report.plan.agents} if report.plan else set()
    entries = [
        Entry("agent", "agents", member.name, _ORIGIN_WORDS[member.origin], member.name not in composed)
        for member in composer.roster.members
    ]
    done = {(one.workflow, one.step) for one in report.steps}
    for workflow, config in composer.loaded.config.workflows.items():
        entries += [
            Entry("step", workflow, name, step.type, (workflow, name) not in done)
            for name, step in config.steps.items()
        ]
    return entries


def _files(layers: Iterable[prompts.Layer], report: prompts.Report) -> list[Entry]:
    wrong = {diagnostic.path for diagnostic in report.diagnostics}
    return [Entry("file", "configuration", str(layer.file), layer.name, layer.file in wrong) for layer in layers]


def composed(
    project: Project, entry: Entry
) -> prompts.Result[prompts.AgentComposition] | prompts.Result[prompts.StepComposition] | None:
    """The composition of an agent or a step, or why there is none; None for a file."""
    composer = project.report.composer if project.report else None
    if composer is None or entry.kind == "file":
        return None
    return composer.agent(entry.name) if entry.kind == "agent" else composer.step(entry.group, entry.name)


def diagnostics_of(project: Project, entry: Entry, errors: Iterable[prompts.AnyError]) -> list[Diagnostic]:
    """The entry's errors as they are told beside it: without its name, and with short paths."""
    label = step_label(entry.name) if entry.kind == "step" else entry.name
    folder = f"{project.folder}{os.sep}"
    return [
        replace(found, message=found.message.removeprefix(f"{label}: ").replace(folder, ""))
        for found in prompts.diagnostics_of(errors)
    ]
