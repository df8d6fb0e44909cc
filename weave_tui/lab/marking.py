"""Marking: one more labelled query, written into a file of cases in the form that the file already has."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from weave_tui.broker.registry import Registry
from weave_tui.files import write_bytes_atomically
from weave_tui.lab.cases import LISTS, own_folders, read_cases
from weave_tui.skills import Loaded, Skill
from weave_tui.skills.files import UnreadableError, decode, read_bytes

FIRST_FILE = Path("evals/queries.jsonl")
"""The file that is made for the first case, below the folder that the skill was found in."""


class MarkingError(ValueError):
    """The case was not written; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Marked:
    """What was written where; is_new is False when the file had it already and nothing was written."""

    path: Path
    is_new: bool


def targets(files: Sequence[Path], loaded: Loaded, skill: Skill) -> list[Path]:
    """The files that could take a case of `skill`: those found, but not another skill's own; else the first one's."""
    folders = own_folders(loaded.skills).keys()
    own = skill.locations[0].absolute().parent
    usable = [path for path in files if own in path.parents or folders.isdisjoint(path.parents)]
    root = skill.root.absolute()
    return usable or [(root if root.is_dir() else root.parent) / FIRST_FILE]


def mark(path: Path, query: str, skill: str, registry: Registry) -> Marked:
    """Write that `query` is expected to find `skill`. Raises `MarkingError`; then the file is as it was."""
    old = _read(path)
    found = read_cases([path], registry) if old else None
    if found and any(case.query == query and skill in case.expected for case in found.cases):
        return Marked(path, is_new=False)
    takes_triggers = '"should_trigger"' in old and '"expected"' not in old
    entry: dict[str, Any] = {"query": query}
    entry |= {"should_trigger": True} if takes_triggers else {"expected": [skill]}
    text = json.dumps(entry, ensure_ascii=False)
    new = _with_line(old, text) if path.suffix == ".jsonl" else _with_entry(old, text, path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes_atomically(path, new.encode("utf-8", "surrogatepass"))
    except OSError as error:
        raise MarkingError(f"{path}: not written: {error.strerror or error}") from error
    return Marked(path, is_new=True)


def _read(path: Path) -> str:
    if not path.exists():
        return ""
    try:
        return decode(read_bytes(path))
    except UnreadableError as error:
        raise MarkingError(f"{path}: {error}") from error


def _with_line(old: str, entry: str) -> str:
    end = "\r\n" if "\r\n" in old else "\n"
    return f"{old}{'' if not old or old.endswith(chr(10)) else end}{entry}{end}"


def _with_entry(old: str, entry: str, path: Path) -> str:
    """The text of a JSON list, or of an object with one, with one more entry at its end; nothing else changes."""
    if not old.strip():
        return f"[\n  {entry}\n]\n"
    at = old.rfind("]")
    head = old[:at].rstrip() if at >= 0 else ""
    between = old[len(head) : at]
    indent = head[head.rfind("\n") + 1 :] if "\n" in head else ""
    indent = indent[: len(indent) - len(indent.lstrip())] or "  "
    comma = "" if head.endswith("[") else ","
    new = f"{head}{comma}\n{indent}{entry}{between or chr(10)}{old[at:]}"
    try:
        was, now = json.loads(old.removeprefix("\ufeff")), json.loads(new.removeprefix("\ufeff"))
    except (json.JSONDecodeError, RecursionError) as error:
        raise MarkingError(f"{path}: no JSON that one more entry fits into: {error}") from error
    if _count(now) != _count(was) + 1:
        raise MarkingError(f"{path}: its last list is not its list of cases; add the entry by hand: {entry}")
    return new


def _count(document: Any) -> int:
    """How many entries the list of cases has."""
    if isinstance(document, dict):
        return sum(len(document[key]) for key in LISTS if isinstance(document.get(key), list))
    return len(document)
