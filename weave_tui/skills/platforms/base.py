"""The shape of a platform's data."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from weave_tui.protocol import Platform
from weave_tui.skills.frontmatter import Fields
from weave_tui.skills.model import Activation, Kind


def _regex(glob: str) -> str:
    pieces = {"**/": "(?:[^/]+/)*", "*": "[^/]*"}
    return "".join(pieces.get(part) or re.escape(part) for part in re.split(r"(\*\*/|\*)", glob) if part)


@dataclass(frozen=True)
class Pattern:
    """A glob that ends a path (`.claude/skills/**/SKILL.md`) and what the file is then.

    `base` is the folder before its first wildcard: all that discovery needs to walk.
    """

    glob: str
    kind: Kind
    base: str = field(init=False)
    _pattern: re.Pattern[str] = field(init=False, repr=False)
    _tail: re.Pattern[str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        fixed = self.glob.split("*", 1)[0]
        object.__setattr__(self, "base", fixed.rpartition("/")[0])
        regex = _regex(self.glob)
        object.__setattr__(self, "_pattern", re.compile(regex))
        object.__setattr__(self, "_tail", re.compile(rf"(?:.*/)?{regex}", re.DOTALL))

    def is_at(self, posix: str) -> bool:
        """Whether the whole of the relative path `posix` is this pattern's."""
        return self._pattern.fullmatch(posix) is not None

    def ends(self, posix: str) -> bool:
        """Whether some tail of the path `posix` is this pattern's."""
        return self._tail.fullmatch(posix) is not None


@dataclass(frozen=True)
class UserFolder:
    """A folder of the user's: `variable` (if set in the environment) names it, else `default` below the home."""

    default: str
    variable: str
    patterns: tuple[Pattern, ...]


@dataclass(frozen=True)
class PlatformFiles:
    """All that is particular to one platform.

    `project` patterns are looked for in a project's folders and claim files anywhere below
    a folder given by hand; `loose` ones only the latter. `max_characters` is what the tool
    reads of one file of a kind; longer ones get a diagnostic. `never` are Markdown files in
    a place of the platform's that the tool itself passes over.
    """

    platform: Platform
    project: tuple[Pattern, ...]
    loose: tuple[Pattern, ...]
    user: tuple[UserFolder, ...]
    activation: Callable[[Kind, Fields], Activation]
    never: tuple[Pattern, ...] = ()
    max_characters: dict[Kind, int] = field(default_factory=dict)


def text_of(fields: Fields, key: str) -> str:
    """The field as one line of text, "" when absent or of another kind."""
    found = fields.get(key)
    value = found.value if found else None
    return value if isinstance(value, str) else ""


def is_true(fields: Fields, key: str) -> bool:
    return text_of(fields, key).lower() == "true"


def skill_activation(fields: Fields) -> Activation:
    """A SKILL.md is chosen by its description, unless the model may not invoke it."""
    return "manual" if is_true(fields, "disable-model-invocation") else "described"


def rule_activation(fields: Fields) -> Activation:
    """A rule that says nothing else: by its globs, else by its description, else by hand."""
    if (globs := fields.get("globs")) and globs.value:
        return "glob"
    return "described" if text_of(fields, "description") else "manual"
