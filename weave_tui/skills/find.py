"""Finding skill files: which there are, and whose.

Nothing is read here. Paths given by hand are walked whole; without any, the project's
folders (up to the git root) and the user's are looked through (spec: skill-files, Where to look).
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from weave_tui.diagnostics import Diagnostic
from weave_tui.protocol import Platform
from weave_tui.skills.model import Kind, Source
from weave_tui.skills.platforms import PLATFORM_FILES, Pattern, classify, is_never

SKIPPED_FOLDERS = frozenset({".git", ".weave", "node_modules", ".venv", "backups", "__pycache__"})
"""Folders that are never walked into."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How far one walk goes: levels below its root, and folders in all."""

    levels: int
    folders: int


DISCOVERY = Limits(levels=6, folders=2_000)
BY_HAND = Limits(levels=64, folders=50_000)


@dataclass(frozen=True, slots=True)
class Found:
    """A file to read. `real` has no links in it; `loose` Markdown is a skill only if its content says so."""

    path: Path
    real: Path
    root: Path
    source: Source
    platform: Platform
    kind: Kind
    loose: bool = False


@dataclass
class Finder:
    """Collects the files of one load; each real file once, with every place it was found at."""

    found: dict[Path, Found] = field(default_factory=dict)
    locations: dict[Path, list[Path]] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def add(self, found: Found) -> None:
        self.found.setdefault(found.real, found)
        places = self.locations.setdefault(found.real, [])
        if found.path not in places:
            places.append(found.path)

    def note(self, code: str, path: Path, message: str, done: str = "skipped") -> None:
        self.diagnostics.append(Diagnostic(code, message, path, done=done))

    # Places -------------------------------------------------------------------------------

    def by_hand(self, path: Path, platform: Platform | None) -> None:
        """All skill files of a file or folder given by hand. Raises `MissingPathError`."""
        try:
            mode = path.stat().st_mode
        except OSError as error:
            raise MissingPathError(path, error) from error
        if not stat.S_ISDIR(mode):
            self._file_by_hand(path, mode, platform)
            return
        for files in self._walk(path, BY_HAND):
            for entry in files:
                file = Path(entry.path)
                claimed = classify(file)
                loose = claimed is None and file.suffix.lower() == ".md"
                if claimed is None and (not loose or is_never(file)):
                    continue
                kind: Kind = claimed[1] if claimed else "skill"
                owner = platform or (claimed[0] if claimed else "claude_code")
                self._found(file, path, "given", owner, kind, loose=loose and platform is None)

    def project(self, folder: Path) -> None:
        """The skill files that the tools would read in one folder of a project."""
        patterns = [(p, f.platform) for f in PLATFORM_FILES.values() for p in f.project]
        self._places(folder, "project", patterns)

    def user(self, home: Path, environ: Mapping[str, str]) -> None:
        """The skill files in the user's own folders."""
        for files in PLATFORM_FILES.values():
            for place in files.user:
                named = environ.get(place.variable, "") if place.variable else ""
                folder = Path(named).expanduser() if named else home / place.default
                self._places(folder, "user", [(pattern, files.platform) for pattern in place.patterns])

    # Walking ------------------------------------------------------------------------------

    def _places(self, folder: Path, source: Source, patterns: Sequence[tuple[Pattern, Platform]]) -> None:
        for base in dict.fromkeys(pattern.base for pattern, _ in patterns if "*" in pattern.glob):
            top = folder / base
            if not top.is_dir():
                continue
            for files in self._walk(top, DISCOVERY, within=folder):
                for entry in files:
                    relative = Path(entry.path).relative_to(folder).as_posix()
                    claim = next(((p, f) for p, f in patterns if p.is_at(relative)), None)
                    if claim:
                        self._found(Path(entry.path), folder, source, claim[1], claim[0].kind)
        names = {pattern.glob: (pattern, platform) for pattern, platform in patterns if "*" not in pattern.glob}
        if names and folder.is_dir():
            present = [folder / name for name in names if (folder / name).is_file()]
            for file in self._without_agents_twins(present):
                pattern, platform = names[file.relative_to(folder).as_posix()]
                self._found(file, folder, source, platform, pattern.kind)

    def _walk(self, root: Path, limits: Limits, within: Path | None = None) -> Iterator[list[os.DirEntry[str]]]:
        """The regular files below `root`, one list a folder, sorted; each real folder once.

        Links are followed while they stay inside `within` (default: `root`).
        """
        inside = os.path.realpath(within or root)
        seen: set[str] = set()
        pending = [(str(root), 0)]
        while pending:
            folder, level = pending.pop()
            real = os.path.realpath(folder)
            if real in seen:
                continue
            seen.add(real)
            if len(seen) > limits.folders:
                self.note("limit-hit", root, f"more than {limits.folders:,} folders", "the rest was not looked at")
                return
            try:
                with os.scandir(folder) as scan:
                    entries = sorted(scan, key=lambda entry: entry.name)
            except OSError as error:
                self.note("unreadable", Path(folder), error.strerror or str(error))
                continue
            files, folders = self._sort_out(entries, inside)
            if folders and level >= limits.levels:
                self.note("limit-hit", Path(folder), f"deeper than {limits.levels} levels", "not looked into")
            else:
                pending.extend((entry.path, level + 1) for entry in reversed(folders))
            kept = {Path(entry.path): entry for entry in files}
            yield [kept[path] for path in self._without_agents_twins(list(kept))]

    def _sort_out(
        self, entries: list[os.DirEntry[str]], inside: str
    ) -> tuple[list[os.DirEntry[str]], list[os.DirEntry[str]]]:
        files, folders = [], []
        for entry in entries:
            try:
                if entry.is_symlink() and not _is_inside(os.path.realpath(entry.path), inside):
                    if entry.is_dir() or classify(Path(entry.path)):
                        self.note("link-outside", Path(entry.path), "the link leads out of the folder")
                elif entry.is_dir():
                    if entry.name not in SKIPPED_FOLDERS:
                        folders.append(entry)
                elif entry.is_file():
                    files.append(entry)
                elif classify(Path(entry.path)):
                    what = "a link to nothing" if entry.is_symlink() else "neither a file nor a folder"
                    self.note("not-a-file", Path(entry.path), what)
            except OSError as error:
                self.note("unreadable", Path(entry.path), error.strerror or str(error))
        return files, folders

    def _without_agents_twins(self, files: list[Path]) -> list[Path]:
        """The files of one folder, without an AGENTS.md that an override or a SKILL.md stands in for."""
        names = {file.name for file in files}
        kept = []
        for file in files:
            if file.name in {"AGENTS.md", "AGENTS.override.md"} and "SKILL.md" in names:
                self.note("beside-skill", file, "it belongs to the SKILL.md beside it")
            elif file.name == "AGENTS.md" and "AGENTS.override.md" in names:
                self.note("overridden", file, "AGENTS.override.md beside it counts instead")
            else:
                kept.append(file)
        return kept

    def _file_by_hand(self, path: Path, mode: int, platform: Platform | None) -> None:
        if not stat.S_ISREG(mode):
            self.note("not-a-file", path, "neither a file nor a folder")
            return
        claimed = classify(path.absolute())
        kind: Kind = claimed[1] if claimed else "skill"
        self._found(path, path.parent, "given", platform or (claimed[0] if claimed else "claude_code"), kind)

    def _found(
        self, path: Path, root: Path, source: Source, platform: Platform, kind: Kind, *, loose: bool = False
    ) -> None:
        if path.name.casefold() == "skill.md" and path.name != "SKILL.md" and not loose:
            self.note("name-case", path, "other tools look for SKILL.md exactly", "loaded")
        real = Path(os.path.realpath(path))
        self.add(Found(path, real, root, source, platform, kind, loose))


class MissingPathError(ValueError):
    """A path given by hand that is not there or may not be looked at."""

    def __init__(self, path: Path, error: OSError) -> None:
        missing = isinstance(error, FileNotFoundError | NotADirectoryError)
        shown = f"'{path}'"
        super().__init__(f"Path does not exist: {shown}" if missing else f"Cannot read {shown}: {error.strerror}")


def _is_inside(real: str, root: str) -> bool:
    return real == root or real.startswith(root.rstrip(os.sep) + os.sep)


def project_folders(cwd: Path) -> list[Path]:
    """From the working folder up to the git root, nearest first; the working folder alone without one."""
    parents = [cwd, *cwd.parents]
    root = next((index for index, folder in enumerate(parents) if (folder / ".git").exists()), 0)
    return parents[: root + 1]


@dataclass(frozen=True, slots=True)
class Where:
    """Where to look for skills: the given paths, or without any the project at `cwd` and the user's folders.

    `platform` overrides what the files' names say, for given paths.
    """

    paths: tuple[Path, ...] = ()
    platform: Platform | None = None
    with_user: bool = True
    cwd: Path = field(default_factory=Path.cwd)
    home: Path = field(default_factory=Path.home)
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)


def find(where: Where) -> Finder:
    """Every skill file there. Raises `MissingPathError` for a given path that does not exist."""
    finder = Finder()
    for path in where.paths:
        finder.by_hand(path.expanduser(), where.platform)
    if not where.paths:
        for folder in project_folders(where.cwd):
            finder.project(folder)
        if where.with_user:
            finder.user(where.home, where.environ)
    return finder
