"""The four platforms: where each keeps its files and how it decides to read them.

A platform is data (`PlatformFiles`), one module each; finding and reading are the same code
for all. To add one: write its module, add it to `PLATFORM_FILES`, and name it in
`weave_tui.protocol.Platform`.
"""

from __future__ import annotations

import functools
from pathlib import PurePath

from weave_tui.protocol import Platform
from weave_tui.skills.model import Kind
from weave_tui.skills.platforms import claude_code, codex, cursor, windsurf
from weave_tui.skills.platforms.base import Pattern, PlatformFiles, UserFolder

__all__ = ["PLATFORM_FILES", "Pattern", "PlatformFiles", "UserFolder", "classify", "is_never"]

PLATFORM_FILES: dict[Platform, PlatformFiles] = {
    files.platform: files for files in (cursor.FILES, windsurf.FILES, codex.FILES, claude_code.FILES)
}
"""In the order in which they claim a path: the more particular places come first."""


@functools.lru_cache(maxsize=65_536)
def _claim(posix: str) -> tuple[Platform, Kind] | None:
    for particular in (True, False):
        for files in PLATFORM_FILES.values():
            for pattern in files.project if particular else files.loose:
                if pattern.ends(posix):
                    return files.platform, pattern.kind
    return None


def classify(path: PurePath) -> tuple[Platform, Kind] | None:
    """The platform and kind of the skill file at `path`, from its name and folders alone.

    None for files that are no platform's, and for loose Markdown, which its content decides.
    """
    return _claim(_posix(path))


def is_never(path: PurePath) -> bool:
    """Whether the Markdown file at `path` lies where its platform passes over it."""
    return any(pattern.ends(_posix(path)) for files in PLATFORM_FILES.values() for pattern in files.never)


def _posix(path: PurePath) -> str:
    """The end of the path, with the suffix in lower case: SKILL.MD is one too."""
    return "/".join((*path.parts[-8:-1], path.stem + path.suffix.lower()))
