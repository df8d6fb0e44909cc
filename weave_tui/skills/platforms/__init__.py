"""The four platforms: where each keeps its files and how it decides to read them.

A platform is data (`PlatformFiles`), one module each; finding and reading are the same code
for all. To add one: write its module, add it to `PLATFORM_FILES`, and name it in
`weave_tui.protocol.Platform`.
"""

from __future__ import annotations

import functools

from weave_tui.protocol import Platform
from weave_tui.skills.model import Kind
from weave_tui.skills.platforms import claude_code, codex, cursor, windsurf
from weave_tui.skills.platforms.base import Pattern, PlatformFiles, UserFolder

__all__ = ["PLATFORM_FILES", "Pattern", "PlatformFiles", "UserFolder", "classify", "is_never"]

PLATFORM_FILES: dict[Platform, PlatformFiles] = {
    files.platform: files for files in (cursor.FILES, windsurf.FILES, codex.FILES, claude_code.FILES)
}
"""In the order in which they claim a path: the more particular places come first."""


Claim = tuple[Platform, Kind]


def classify(folder: str, name: str) -> Claim | None:
    """The platform and kind of the skill file `name` in `folder`, from its name and folders alone.

    None for files that are no platform's, and for loose Markdown, which its content decides.
    """
    stem, dot, suffix = name.rpartition(".")
    if dot and not suffix.islower():
        name = f"{stem}.{suffix.lower()}"
    # A hidden folder, or Windsurf's own, may decide from further up.
    if "/." in folder or "windsurf/" in folder:
        folder = "/".join(folder.split("/")[-7:])
    else:
        # Only the last folders count, so that thousands of folders share one entry of the cache.
        parent, _, last = folder.rpartition("/")
        folder = last if last == "agents" else "skills/x" if parent.endswith("/skills") else ""
    return _claim(f"{folder}/{name}")


@functools.lru_cache(maxsize=4_096)
def _claim(posix: str) -> Claim | None:
    for particular in (True, False):
        for files in PLATFORM_FILES.values():
            for pattern in files.project if particular else files.loose:
                if pattern.ends(posix):
                    return files.platform, pattern.kind
    return None


def is_never(folder: str, name: str) -> bool:
    """Whether the Markdown file lies where its platform passes over it."""
    return any(pattern.ends(f"{folder}/{name}") for files in PLATFORM_FILES.values() for pattern in files.never)
