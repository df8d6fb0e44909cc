"""The registry as a tree to look at: platforms, their folders, the skills in them. No Textual here."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from weave_tui.broker import Registry
from weave_tui.protocol import PLATFORMS
from weave_tui.skills import Skill
from weave_tui.tui.session import Session

FEW_FOLDERS = 8
"""As many folders are shown from the start."""


@dataclass(frozen=True, slots=True)
class TreeRow:
    """One line of the tree. key: what is open or closed, () for a leaf; position: the skill of a leaf."""

    depth: int
    label: str
    count: int = 0
    key: tuple[str, ...] = ()
    position: int | None = None


Branch = tuple[tuple[str, ...], str, list[int]]


def tree_rows(session: Session, opened: frozenset[tuple[str, ...]]) -> list[TreeRow]:
    """All lines that show with these branches open."""
    registry = session.registry
    rows: list[TreeRow] = []
    for platform in PLATFORMS:
        own = [i for i, skill in enumerate(registry.skills) if skill.platform == platform]
        if not own:
            continue
        rows.append(TreeRow(0, platform, len(own), (platform,)))
        if (platform,) in opened:
            folders: dict[str, list[int]] = defaultdict(list)
            for position in own:
                folders[folder_of(registry.skills[position])].append(position)
            for folder, positions in sorted(folders.items()):
                rows += _branch(registry, 1, (platform, folder), folder, positions, opened)
    for name, is_in in _SPECIAL.items():
        positions = [i for i in range(len(registry)) if is_in(session, i)]
        if positions:
            rows += _branch(registry, 0, ("", name), name, positions, opened)
    return rows


def first_opened(session: Session) -> frozenset[tuple[str, ...]]:
    """The branches that are open at the start: the first platform's, unless its folders would fill the pane."""
    for platform in PLATFORMS:
        folders = {folder_of(skill) for skill in session.registry.skills if skill.platform == platform}
        if folders:
            return frozenset({(platform,)}) if len(folders) <= FEW_FOLDERS else frozenset()
    return frozenset()


def _branch(
    registry: Registry,
    depth: int,
    key: tuple[str, ...],
    label: str,
    positions: Iterable[int],
    opened: frozenset[tuple[str, ...]],
) -> list[TreeRow]:
    leaves = [TreeRow(depth + 1, registry.skills[i].name, position=i) for i in positions]
    leaves.sort(key=lambda row: row.label.casefold())
    return [TreeRow(depth, label, len(leaves), key), *(leaves if key in opened else [])]


_SPECIAL: dict[str, Callable[[Session, int], bool]] = {
    "always read": lambda session, i: session.registry.skills[i].activation == "always",
    "by glob": lambda session, i: session.registry.skills[i].activation == "glob",
    "by hand": lambda session, i: session.registry.skills[i].activation == "manual",
    "off": lambda session, i: session.registry.skills[i].activation == "off",
    "shadowed": lambda session, i: i in session.registry.shadowed,
    "same text": lambda session, i: session.registry.variants[i] > 1,
    "pinned": lambda session, i: session.registry.skills[i].id in session.choices.pinned,
    "excluded": lambda session, i: i in session.selection.excluded,
}
"""Branches across the platforms, in order: name to which skills are in it."""


def folder_of(skill: Skill) -> str:
    """The folder a skill is listed under: of its kind, relative to where it was looked for."""
    path = skill.locations[0]
    folder = path.parent.parent if path.stem == "SKILL" and path.parent != skill.root else path.parent
    try:
        relative = folder.relative_to(skill.root).as_posix()
    except ValueError:
        relative = str(folder)
    relative = "." if relative == "." else relative
    return f"{_short(skill.root)}/{relative}".removesuffix("/.") if skill.source == "user" else relative


def _short(path: Path) -> str:
    home = Path.home()
    return f"~/{path.relative_to(home).as_posix()}" if path.is_relative_to(home) else str(path)
