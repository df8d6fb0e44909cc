"""Walking folders: which regular files there are, within limits and inside a root.

Links are followed while they stay inside; each real folder is visited once. Strings, not
`Path`s: ten thousand folders are walked while a person waits.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

SKIPPED_FOLDERS = frozenset({".git", ".weave", "node_modules", ".venv", "backups", "__pycache__"})
"""Folders that are never walked into."""

Note = Callable[[str, str, str, str], None]
"""Tell (diagnostic code, path, message, what was done)."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How far one walk goes: levels below its root, and folders in all."""

    levels: int
    folders: int


DISCOVERY = Limits(levels=6, folders=2_000)
BY_HAND = Limits(levels=64, folders=50_000)


class Stamp(NamedTuple):
    """What changes when a file does."""

    mtime_ns: int
    size: int
    inode: int


class File(NamedTuple):
    """A regular file: its name, its real path, and its stamp."""

    name: str
    real: str
    stamp: Stamp


class Folder(NamedTuple):
    """A folder that was walked: its path as found, and its files by name, sorted."""

    path: str
    files: dict[str, File]


def stamp_of(status: os.stat_result) -> Stamp:
    return Stamp(status.st_mtime_ns, status.st_size, status.st_ino)


def walk(
    root: str, limits: Limits, note: Note, wanted: Callable[[str], bool], within: str | None = None
) -> Iterator[Folder]:
    """Every folder from `root` down that holds files which matter, parents first.

    `wanted` says by name which files matter: only those are looked at more closely, and only
    links and oddities among them are told. Links may lead anywhere inside `within` (default: `root`).
    """
    inside = os.path.realpath(within or root)
    seen: set[str] = set()
    pending = [(root, os.path.realpath(root), 0)]
    while pending:
        path, real, level = pending.pop()
        if real in seen:
            continue
        seen.add(real)
        if len(seen) > limits.folders:
            note("limit-hit", root, f"more than {limits.folders:,} folders", "the rest was not looked at")
            return
        files: dict[str, File] = {}
        folders: list[tuple[str, str, int]] = []
        try:
            with os.scandir(path) as entries:
                for entry in entries:
                    _sort_out(entry, real, level, inside, note, wanted, files, folders)
        except OSError as error:
            note("unreadable", path, error.strerror or str(error), "skipped")
            continue
        if folders and level >= limits.levels:
            note("limit-hit", path, f"deeper than {limits.levels} levels", "not looked into")
        elif folders:
            folders.sort(reverse=True)
            pending += folders
        if files:
            yield Folder(path, dict(sorted(files.items())) if len(files) > 1 else files)


def _sort_out(
    entry: os.DirEntry[str],
    real: str,
    level: int,
    inside: str,
    note: Note,
    wanted: Callable[[str], bool],
    files: dict[str, File],
    folders: list[tuple[str, str, int]],
) -> None:
    """Put one entry where it belongs: files, folders, or a note."""
    name = entry.name
    try:
        is_link, is_dir = entry.is_symlink(), entry.is_dir()
        if not (is_dir or wanted(name)):
            return
        target = os.path.realpath(entry.path) if is_link else f"{real}/{name}"
        if is_link and not _is_inside(target, inside):
            note("link-outside", entry.path, "the link leads out of the folder", "skipped")
        elif is_dir:
            if name not in SKIPPED_FOLDERS:
                folders.append((entry.path, target, level + 1))
        elif entry.is_file():
            files[name] = File(name, target, stamp_of(entry.stat()))
        else:
            what = "a link to nothing" if is_link else "neither a file nor a folder"
            note("not-a-file", entry.path, what, "skipped")
    except OSError as error:
        note("unreadable", entry.path, error.strerror or str(error), "skipped")


def _is_inside(real: str, root: str) -> bool:
    return real == root or real.startswith(root.rstrip(os.sep) + os.sep)
