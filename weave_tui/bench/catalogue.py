"""Catalogues: skills and labelled queries, read from `skills.jsonl` and `queries.jsonl`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from weave_tui.broker.fields import SkillText
from weave_tui.json_lines import json_lines

Right = npt.NDArray[np.bool_]


class BenchDataError(ValueError):
    """A benchmark folder cannot be read; the message says file, line and field."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """A query and which skills answer it: bool (skills,)."""

    text: str
    right: Right
    is_low_overlap: bool


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The skills that one set of queries chooses from."""

    name: str
    skills: tuple[SkillText, ...]
    queries: tuple[Labelled, ...]


def read_catalogues(folder: Path) -> tuple[Catalogue, ...]:
    """The catalogues of a folder, in the order they first appear. Raises `BenchDataError`."""
    skills: dict[str, list[tuple[str, SkillText]]] = defaultdict(list)
    for place, line in _lines(folder / "skills.jsonl"):
        text = SkillText(
            name=_text(line, "name", place),
            description=_text(line, "description", place),
            triggers=_texts(line, "triggers", place),
            capabilities=_texts(line, "capabilities", place),
            body=_text(line, "body", place, optional=True),
        )
        skills[_text(line, "dataset", place)].append((_text(line, "id", place), text))
    queries: dict[str, list[Labelled]] = defaultdict(list)
    for place, line in _lines(folder / "queries.jsonl"):
        dataset = _text(line, "dataset", place)
        if dataset not in skills:
            raise BenchDataError(f"{place}: dataset: no skill is of '{dataset}'")
        right = _right(skills[dataset], _texts(line, "expected", place), place)
        queries[dataset].append(Labelled(_text(line, "query", place), right, bool(line.get("low_overlap"))))
    return tuple(
        Catalogue(name, tuple(text for _, text in skills[name]), tuple(asked)) for name, asked in queries.items()
    )


def _right(skills: list[tuple[str, SkillText]], expected: tuple[str, ...], place: str) -> Right:
    """The expected skills and those of the same name."""
    names = {text.name for identity, text in skills if identity in expected}
    if not names:
        raise BenchDataError(f"{place}: expected: no skill has the id {' or '.join(expected) or '(none given)'}")
    return np.array([text.name in names for _, text in skills])


def _lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BenchDataError(f"{path}: cannot be read: {error}") from error
    for line in json_lines(text):
        place = f"{path}:{line.number}"
        if line.problem:
            raise BenchDataError(f"{place}: {line.problem}")
        if not isinstance(line.value, dict):
            raise BenchDataError(f"{place}: expected an object")
        yield place, line.value


def _text(line: dict[str, Any], field: str, place: str, *, optional: bool = False) -> str:
    value = line.get(field)
    if value is None and optional:
        return ""
    if not isinstance(value, str):
        raise BenchDataError(f"{place}: {field}: expected text")
    return value


def _texts(line: dict[str, Any], field: str, place: str) -> tuple[str, ...]:
    value = line.get(field) or []
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise BenchDataError(f"{place}: {field}: expected a list of texts")
    return tuple(value)
