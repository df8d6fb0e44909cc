"""Cases: labelled queries, read from the files where people keep them.

Three forms are read. skill-creator's: a JSON list of `{"query", "should_trigger"}` that belongs to the skill in
whose folder it lies. Ours: JSON or JSON lines of `{"query", "expected": [names]}`, where an empty list means that
nothing should answer. Both may name their skill: `"skill"`, in an entry or around the list.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from weave_tui.broker.registry import Registry
from weave_tui.diagnostics import Diagnostic
from weave_tui.json_lines import json_lines
from weave_tui.skills import Loaded, Skill
from weave_tui.skills.files import UnreadableError, decode, read_bytes

EVALS, TRIGGER_EVAL, ENDINGS = "evals", "trigger-eval", (".json", ".jsonl")
"""Labelled queries are `evals/*` and `trigger-eval*`, beside a skill or in a folder that was loaded."""

LISTS = ("queries", "evals")
"""Under which keys an object has its list of cases."""
_SKILL_KEYS = ("skill", "skill_name")


@dataclass(frozen=True, slots=True)
class Case:
    """A query and what should answer it.

    expected: names of skills, any of which is right; none with `unwanted` empty too: nothing should answer.
    unwanted: skills that should not answer, whatever else does.
    """

    query: str
    expected: tuple[str, ...]
    unwanted: tuple[str, ...]
    path: Path
    line: int

    @property
    def key(self) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
        """What makes it the same case in another run."""
        return self.query, self.expected, self.unwanted

    @property
    def wish(self) -> str:
        """What is expected, in a few words."""
        if self.expected:
            return " or ".join(self.expected)
        return f"not {' or '.join(self.unwanted)}" if self.unwanted else "none"


@dataclass(frozen=True, slots=True)
class CaseSet:
    """All cases that were read, the files they came from, and what could not be used."""

    cases: tuple[Case, ...]
    files: tuple[Path, ...]
    diagnostics: tuple[Diagnostic, ...]


def find_case_files(loaded: Loaded, rivals: Sequence[Path] = ()) -> list[Path]:
    """The files of labelled queries that lie beside what was loaded, sorted; none of those below `rivals`."""
    folders = {skill.locations[0].absolute().parent for skill in loaded.skills}
    folders |= {root.absolute() if root.is_dir() else root.absolute().parent for root in loaded.roots}
    barred = [rival.expanduser().absolute() for rival in rivals]
    found = {path.absolute() for folder in folders for path in _beside(folder)}
    return sorted(path for path in found if not any(path.is_relative_to(rival) for rival in barred))


def _beside(folder: Path) -> Iterator[Path]:
    """The case files of one folder. One listing each, not one a pattern: there may be ten thousand folders."""
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries]
        inner = [path.name for path in (folder / EVALS).iterdir()] if EVALS in names else []
    except OSError:
        return
    yield from (folder / name for name in names if name.startswith(TRIGGER_EVAL) and name.endswith(ENDINGS))
    yield from (folder / EVALS / name for name in inner if name.endswith(ENDINGS))


def read_cases(files: Iterable[Path], registry: Registry) -> CaseSet:
    """The cases of all `files`. What is malformed or names an unknown skill is a diagnostic; the rest is used."""
    cases: dict[tuple[object, ...], Case] = {}
    diagnostics: list[Diagnostic] = []
    read: list[Path] = []
    owners = own_folders(registry.skills)
    for path in files:
        try:
            text = decode(read_bytes(path)).removeprefix("\ufeff")
        except UnreadableError as error:
            diagnostics.append(Diagnostic(error.code, str(error), path, done="its cases are not used"))
            continue
        read.append(path)
        for found in _cases(path, text, _owner(path, owners)):
            problem = _unknown(found, registry) if isinstance(found, Case) else found
            if problem:
                diagnostics.append(problem)
            elif isinstance(found, Case):
                cases.setdefault(found.key, found)
    return CaseSet(tuple(cases.values()), tuple(read), tuple(diagnostics))


def own_folders(skills: Iterable[Skill]) -> dict[Path, str]:
    """The folders that are one skill's alone, with its name."""
    return {skill.locations[0].absolute().parent: skill.name for skill in skills if skill.path.stem == "SKILL"}


def _owner(path: Path, owners: dict[Path, str]) -> str:
    """The skill in whose folder a file lies, "" for none."""
    return next((owners[folder] for folder in path.absolute().parents if folder in owners), "")


def positions_of(name: str, registry: Registry) -> tuple[int, ...]:
    """The skills that a label means: by name, else by the place of their file or folder."""
    if found := registry.named(name):
        return found
    wanted = name.strip("/")
    places = ((position, skill.place) for position, skill in enumerate(registry.skills))
    return tuple(position for position, place in places if wanted in (place, place.rpartition("/")[0]))


def _unknown(case: Case, registry: Registry) -> Diagnostic | None:
    """Of several expected names one is enough; of unwanted ones too."""
    names = (*case.expected, *case.unwanted)
    if not names or any(positions_of(name, registry) for name in names):
        return None
    message = f"no skill is named '{names[0]}'" if len(names) == 1 else f"no skill is named {' or '.join(names)}"
    return Diagnostic("case-skill-unknown", message, case.path, case.line, "expected", "case not used")


def _cases(path: Path, text: str, owner: str) -> Iterator[Case | Diagnostic]:
    entries = _json_lines(path, text) if path.suffix == ".jsonl" else _json_list(path, text)
    for line, entry, skill in entries:
        if isinstance(entry, Diagnostic):
            yield entry
        else:
            yield _case(entry, path, line, skill or owner)


_Entry = tuple[int, Any, str]
"""Line, value or diagnostic, and the skill that stood around it."""


def _json_lines(path: Path, text: str) -> Iterator[_Entry]:
    for line in json_lines(text):
        yield line.number, _invalid(path, line.number, line.problem) if line.problem else line.value, ""


def _json_list(path: Path, text: str) -> Iterator[_Entry]:
    """The entries of a list, which may stand in an object; each with the line it begins at."""
    try:
        document = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        line = getattr(error, "lineno", 1)
        yield line, _invalid(path, line, f"expected JSON: {error}"), ""
        return
    skill, start = "", 0
    if isinstance(document, dict):
        key = next((name for name in LISTS if isinstance(document.get(name), list)), None)
        if key is None:
            yield 1, _invalid(path, 1, "expected a list, or an object with a list 'queries'"), ""
            return
        skill = next((document[name] for name in _SKILL_KEYS if isinstance(document.get(name), str)), "")
        start, document = text.find("[", text.find(f'"{key}"')), document[key]
    elif not isinstance(document, list):
        yield 1, _invalid(path, 1, "expected a list of objects"), ""
        return
    yield from ((line, entry, skill) for line, entry in zip(_lines_of(text, start), document, strict=False))


def _lines_of(text: str, start: int) -> Iterator[int]:
    """The lines on which the entries of the list from `start` on begin, over again from the last when lost."""
    decoder = json.JSONDecoder()
    at = text.find("[", start) + 1
    while True:
        while at < len(text) and text[at] in " \t\r\n,":
            at += 1
        yield text.count("\n", 0, at) + 1
        try:
            _, at = decoder.raw_decode(text, at)
        except (json.JSONDecodeError, RecursionError):
            at = len(text)


def _case(entry: Any, path: Path, line: int, skill: str) -> Case | Diagnostic:
    if not isinstance(entry, dict):
        return _invalid(path, line, "expected an object")
    if "query" not in entry and "prompt" in entry:
        return Diagnostic(
            "cases-foreign", "an evaluation of outcomes, not of triggering", path, line, "prompt", "skipped"
        )
    query = entry.get("query")
    if not isinstance(query, str) or not query.strip():
        return _invalid(path, line, "expected text", "query")
    skill = next((entry[name] for name in _SKILL_KEYS if isinstance(entry.get(name), str)), skill)
    if "expected" in entry:
        expected = [entry["expected"]] if isinstance(entry["expected"], str) else entry["expected"] or []
        if not isinstance(expected, list) or not all(isinstance(name, str) and name.strip() for name in expected):
            return _invalid(path, line, "expected a list of skill names, empty for none of them", "expected")
        return Case(query, tuple(dict.fromkeys(expected)), (), path, line)
    wanted = entry.get("should_trigger")
    if not isinstance(wanted, bool):
        return _invalid(path, line, "expected 'expected': [names] or 'should_trigger': true or false", "should_trigger")
    if not skill:
        return _invalid(
            path, line, "nothing says which skill is meant: lay the file beside it, or add 'skill'", "skill"
        )
    return Case(query, (skill,) if wanted else (), () if wanted else (skill,), path, line)


def _invalid(path: Path, line: int, message: str, field: str = "") -> Diagnostic:
    said = f"{field}: {message}" if field else message
    return Diagnostic("case-invalid", said, path, line, field, "case not used")


def meant(names: Sequence[str], registry: Registry) -> frozenset[int]:
    """The positions of all skills that the names mean."""
    return frozenset(position for name in names for position in positions_of(name, registry))
