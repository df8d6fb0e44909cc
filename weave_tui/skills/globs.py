"""Whether a rule's globs match a path, as the tools read them: gitignore patterns with braces."""

from __future__ import annotations

import re
from collections.abc import Iterable

MAX_PATTERNS = 64
"""Braces multiply; what they make beyond this is left out."""

_BRACES = re.compile(r"\{([^{}]*)\}")


def expand(glob: str) -> list[str]:
    """The globs that `a/{b,c}` stands for, at most `MAX_PATTERNS`."""
    pending: list[str] = [glob]
    done: list[str] = []
    while pending and len(done) + len(pending) <= MAX_PATTERNS:
        current = pending.pop()
        found = _BRACES.search(current)
        if found is None:
            done.append(current)
            continue
        before, after = current[: found.start()], current[found.end() :]
        pending += [f"{before}{choice}{after}" for choice in found[1].split(",")[:MAX_PATTERNS]]
    return done[:MAX_PATTERNS]


def matches(globs: Iterable[str], path: str) -> bool:
    """Whether any of `globs` matches the relative path."""
    from pathspec import GitIgnoreSpec

    try:
        spec = GitIgnoreSpec.from_lines([pattern for glob in globs for pattern in expand(glob)])
    except ValueError:
        return False
    return spec.match_file(path)
