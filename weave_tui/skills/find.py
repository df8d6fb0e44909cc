"""Finding skill files: which there are, and whose.

Nothing is read here but Claude Code's settings, which say where plugins are. Paths given by
hand are walked whole; without any, the project's folders (up to the git root) and the user's are
looked through (spec: skill-files, Where to look).
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from weave_tui.diagnostics import Diagnostic
from weave_tui.protocol import Platform
from weave_tui.skills.ignore import Ignored
from weave_tui.skills.model import Activation, Kind, Source
from weave_tui.skills.platforms import PLATFORM_FILES, Pattern, classify, is_never
from weave_tui.skills.platforms.claude_code import PLUGIN_PATTERNS
from weave_tui.skills.plugins import Plugin, claude_plugins, skill_overrides
from weave_tui.skills.walk import BY_HAND, DISCOVERY, File, Folder, Stamp, stamp_of, walk

FOLDER_SIDECAR = "weave.skill.json"

Owned = tuple[Pattern, Platform]


class Claimed(NamedTuple):
    """A file of a folder, and what it is."""

    file: File
    platform: Platform
    kind: Kind
    loose: bool


class Found(NamedTuple):
    """A file to read.

    `real` has no links in it; `loose` Markdown is a skill only if its content says so. `sidecar` and
    its stamp: the JSON file that speaks for it. `plugin` is the plugin's name, with a colon, or "".
    `override` is what the tool's own settings make of its activation.
    """

    path: str
    real: str
    stamp: Stamp
    root: Path
    source: Source
    platform: Platform
    kind: Kind
    loose: bool = False
    sidecar: str = ""
    sidecar_stamp: Stamp | None = None
    plugin: str = ""
    override: Activation | None = None


@dataclass(frozen=True, slots=True)
class Where:
    """Where to look for skills: the given paths, or without any the project at `cwd` and the user's folders.

    `platform` overrides what the files' names say, for given paths. `extra` are folders that the
    settings add to what is discovered, each with its platform or None.
    """

    paths: tuple[Path, ...] = ()
    platform: Platform | None = None
    with_user: bool = True
    extra: tuple[tuple[Path, Platform | None], ...] = ()
    cwd: Path = field(default_factory=Path.cwd)
    home: Path = field(default_factory=Path.home)
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)


class MissingPathError(ValueError):
    """A path given by hand that is not there or may not be looked at."""

    def __init__(self, path: Path, error: OSError) -> None:
        missing = isinstance(error, FileNotFoundError | NotADirectoryError)
        shown = f"'{path}'"
        super().__init__(f"Path does not exist: {shown}" if missing else f"Cannot read {shown}: {error.strerror}")


@dataclass
class Finder:
    """Collects the files of one load; each real file once, with every place it was found at.

    `roots` are the folders and files that were looked at: what a watcher watches. `overrides` are
    activations that Claude Code's settings give its skills, by name.
    """

    found: dict[str, Found] = field(default_factory=dict)
    locations: dict[str, list[str]] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    roots: list[Path] = field(default_factory=list)
    overrides: dict[str, Activation] = field(default_factory=dict)

    def note(self, code: str, path: str, message: str, done: str) -> None:
        self.diagnostics.append(Diagnostic(code, message, Path(path), done=done))

    def by_hand(self, path: Path, platform: Platform | None) -> None:
        """All skill files of a file or folder given by hand. Raises `MissingPathError`."""
        try:
            status = path.stat()
        except OSError as error:
            raise MissingPathError(path, error) from error
        self.roots.append(path)
        if stat.S_ISDIR(status.st_mode):
            root, absolute = str(path), str(path.absolute())
            for folder in walk(root, BY_HAND, self.note, _matters):
                self._claim_folder(folder, absolute + folder.path[len(root) :], path, platform)
        elif stat.S_ISREG(status.st_mode):
            self._file_by_hand(path, stamp_of(status), platform)
        else:
            self.note("not-a-file", str(path), "neither a file nor a folder", "skipped")

    def project(self, folder: Path, ignored: Ignored) -> None:
        """The skill files that the tools would read in one folder of a project."""
        patterns = [(p, f.platform) for f in PLATFORM_FILES.values() for p in f.project]
        self._places(folder, "project", patterns, ignored, None)

    def user(self, home: Path, environ: Mapping[str, str]) -> None:
        """The skill files in the user's own folders."""
        for files in PLATFORM_FILES.values():
            for place in files.user:
                named = environ.get(place.variable, "") if place.variable else ""
                folder = Path(named).expanduser() if named else home / place.default
                owned = [(pattern, files.platform) for pattern in place.patterns]
                self._places(folder, "user", owned, None, None)

    def plugins(self, plugins: Iterable[Plugin]) -> None:
        """The skills, agents and commands of Claude Code's plugins."""
        patterns: list[Owned] = [(pattern, "claude_code") for pattern in PLUGIN_PATTERNS]
        for plugin in plugins:
            self._places(plugin.folder, "user", patterns, None, plugin)

    # What is in a folder ------------------------------------------------------------------

    def _claim_folder(self, folder: Folder, absolute: str, root: Path, platform: Platform | None) -> None:
        """Take in a folder that was walked by hand; `absolute` is its absolute path, which classifies."""
        claimed = []
        for file in self._skill_files(folder):
            claim = classify(absolute, file.name)
            if claim is None and (not file.name.lower().endswith(".md") or is_never(absolute, file.name)):
                continue
            owner = platform or (claim[0] if claim else "claude_code")
            claimed.append(Claimed(file, owner, claim[1] if claim else "skill", claim is None and platform is None))
        self._add(folder, claimed, root, "given")

    def _file_by_hand(self, path: Path, stamp: Stamp, platform: Platform | None) -> None:
        """One file, whatever it is. Its siblings are looked at too: they share the folder's sidecar."""
        absolute = str(path.absolute().parent)
        files = {path.name: File(path.name, os.path.realpath(path), stamp)}
        for sibling in sorted(path.parent.iterdir()) if os.access(path.parent, os.R_OK) else ():
            if _matters(sibling.name) and sibling.is_file():
                files.setdefault(sibling.name, File(sibling.name, str(sibling), stamp_of(sibling.stat())))
        claimed = []
        for file in files.values():
            claim = classify(absolute, file.name)
            if claim or file.name == path.name:
                owner = platform or (claim[0] if claim else "claude_code")
                claimed.append(Claimed(file, owner, claim[1] if claim else "skill", False))
        self._add(Folder(str(path.parent), files), claimed, path.parent, "given", only=path.name)

    def _places(
        self, folder: Path, source: Source, patterns: Sequence[Owned], ignored: Ignored | None, plugin: Plugin | None
    ) -> None:
        """The files of a folder that are at one of the patterns, which are relative to it."""
        start = len(str(folder)) + 1

        def take(inner: Folder) -> None:
            claimed = []
            for file in self._skill_files(inner):
                relative = f"{inner.path}/{file.name}"[start:]
                claim = next(((pattern, owner) for pattern, owner in patterns if pattern.is_at(relative)), None)
                if claim:
                    claimed.append(Claimed(file, claim[1], claim[0].kind, False))
            self._add(inner, claimed, folder, source, ignored, plugin)

        for base in dict.fromkeys(pattern.base for pattern, _ in patterns if "*" in pattern.glob):
            top = folder / base
            if top.is_dir():
                self.roots.append(top)
                for inner in walk(str(top), DISCOVERY, self.note, _matters, within=str(folder)):
                    take(inner)
        fixed = [folder / pattern.glob for pattern, _ in patterns if "*" not in pattern.glob]
        for parent in dict.fromkeys(path.parent for path in fixed):
            names = [*(path.name for path in fixed if path.parent == parent), FOLDER_SIDECAR]
            files = {name: file for name in names if (file := _file(parent / name))}
            if files:
                self.roots += [parent / name for name in files]
                take(Folder(str(parent), files))

    def _skill_files(self, folder: Folder) -> list[File]:
        """The files of a folder but sidecars, and but an AGENTS.md that an override or a SKILL.md stands in for."""
        kept = []
        for name, file in folder.files.items():
            if name.endswith(".json"):
                continue
            if name in {"AGENTS.md", "AGENTS.override.md"} and "SKILL.md" in folder.files:
                self.note("beside-skill", f"{folder.path}/{name}", "it belongs to the SKILL.md beside it", "skipped")
            elif name == "AGENTS.md" and "AGENTS.override.md" in folder.files:
                self.note("overridden", f"{folder.path}/{name}", "AGENTS.override.md beside it counts", "skipped")
            else:
                kept.append(file)
        return kept

    def _add(
        self,
        folder: Folder,
        claimed: Sequence[Claimed],
        root: Path,
        source: Source,
        ignored: Ignored | None = None,
        plugin: Plugin | None = None,
        only: str = "",
    ) -> None:
        """Take in the claimed files of a folder (or the one named `only`), each with the sidecar that speaks for it."""
        shared = self._folder_sidecar(folder, claimed) if FOLDER_SIDECAR in folder.files else ""
        for file, platform, kind, loose in claimed:
            path = f"{folder.path}/{file.name}"
            if only and file.name != only:
                continue
            if ignored is not None and Path(path) in ignored:
                self.note("ignored", path, "left out by .gitignore", "skipped")
                continue
            if file.name != "SKILL.md" and file.name.casefold() == "skill.md" and not loose:
                self.note("name-case", path, "other tools look for SKILL.md exactly", "loaded")
            sidecar = _stem_sidecar(folder, file.name) if len(folder.files) > 1 else None
            if sidecar is None and file.name == shared:
                sidecar = folder.files[FOLDER_SIDECAR]
            found = Found(
                path=path,
                real=file.real,
                stamp=file.stamp,
                root=root,
                source=source,
                platform=platform,
                kind=kind,
                loose=loose,
                sidecar=f"{folder.path}/{sidecar.name}" if sidecar else "",
                sidecar_stamp=sidecar.stamp if sidecar else None,
                plugin=f"{plugin.name}:" if plugin else "",
                override=plugin.override if plugin else None,
            )
            self.found.setdefault(file.real, found)
            places = self.locations.setdefault(file.real, [])
            if path not in places:
                places.append(path)

    def _folder_sidecar(self, folder: Folder, claimed: Sequence[Claimed]) -> str:
        """The name of the file that the folder's sidecar speaks for: its one skill, SKILL.md first."""
        sure = [entry.file.name for entry in claimed if not entry.loose or _stem_sidecar(folder, entry.file.name)]
        named = [name for name in sure if name.startswith("SKILL.")] or sure
        if len(named) > 1:
            message = f"{len(named)} skill files in the folder, none of them SKILL.md"
            self.note("sidecar-ambiguous", f"{folder.path}/{FOLDER_SIDECAR}", message, "applied to none")
        return named[0] if len(named) == 1 else ""


def _matters(name: str) -> bool:
    """Whether a file of that name can be a skill or speak for one."""
    lowered = name.lower()
    return lowered.endswith((".md", ".mdc", ".cursorrules", ".windsurfrules", ".skill.json"))


def _file(path: Path) -> File | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return File(path.name, os.path.realpath(path), stamp_of(status)) if stat.S_ISREG(status.st_mode) else None


def _stem_sidecar(folder: Folder, name: str) -> File | None:
    """`a.skill.json` for `a.md`, `.cursorrules.skill.json` for `.cursorrules`."""
    stem = name if name.startswith(".") and name.count(".") == 1 else name.rpartition(".")[0]
    return folder.files.get(f"{stem}.skill.json")


def project_folders(cwd: Path) -> tuple[list[Path], Path | None]:
    """From the working folder up to the git root, nearest first, and that root; without one the folder alone."""
    parents = [cwd, *cwd.parents]
    root = next((index for index, folder in enumerate(parents) if (folder / ".git").exists()), None)
    return (parents[: root + 1], parents[root]) if root is not None else (parents[:1], None)


def find(where: Where) -> Finder:
    """Every skill file there. Raises `MissingPathError` for a given path that does not exist."""
    finder = Finder()
    for path in where.paths:
        finder.by_hand(path.expanduser(), where.platform)
    if where.paths:
        return finder
    for path, platform in where.extra:
        finder.by_hand(path, platform)
    folders, root = project_folders(where.cwd)
    ignored = Ignored(root)
    for folder in folders:
        finder.project(folder, ignored)
    if where.with_user:
        finder.user(where.home, where.environ)
        named = where.environ.get("CLAUDE_CONFIG_DIR", "")
        home = Path(named).expanduser() if named else where.home / ".claude"
        settings = [home, *(folder / ".claude" for folder in reversed(folders))]
        plugins, problems = claude_plugins(home, settings)
        finder.diagnostics += problems
        finder.plugins(plugins)
        finder.overrides = skill_overrides(settings)
    return finder
