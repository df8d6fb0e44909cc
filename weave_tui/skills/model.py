"""What was read from disk: a `Skill`, and the small words that describe it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from weave_tui.protocol import Platform, WeaveAdvertisement

Source = Literal["project", "user", "given"]
"""Where a skill was found: in the project, in the user's folders, or under a path given by hand."""

Kind = Literal["skill", "agent", "command", "rule", "instructions", "flow"]
"""What kind of file it is: SKILL.md, a Claude agent or command, a Cursor or Windsurf rule, an AGENTS.md; a flow of
ChainWeaver, which only interop loads."""

Activation = Literal["always", "described", "glob", "manual", "off"]
"""When the skill's own tool reads it (spec: skill-files, When a tool reads it)."""


@dataclass(frozen=True, slots=True)
class Skill:
    """One skill file, read.

    `id` is the first 16 hex digits of the SHA-256 of the real path: identity is the file,
    never the name. `locations` are the paths it was found at (links included, the first one
    shown); `body` is the text after the frontmatter, without outer blank lines, starting at
    line `body_line` of the file. `description` is "" where the file has none.
    """

    id: str
    path: Path
    locations: tuple[Path, ...]
    root: Path
    source: Source
    kind: Kind
    advertisement: WeaveAdvertisement
    description: str
    body: str
    body_line: int
    activation: Activation
    globs: tuple[str, ...]
    cites: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.advertisement.name

    @property
    def platform(self) -> Platform:
        return self.advertisement.platform

    @property
    def place(self) -> str:
        """Where the file is below the folder it was looked for in."""
        path = self.locations[0]
        return path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else str(path)


def skill_id(real: str | Path) -> str:
    """The identity of the skill in the file at the real path `real`."""
    return hashlib.sha256(str(real).encode("utf-8", "surrogateescape")).hexdigest()[:16]
