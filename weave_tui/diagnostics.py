"""Diagnostics: everything a user should know about a file, as data.

A file that was skipped, repaired or only partly understood is never silent: the reader
returns a `Diagnostic`. The app, `weave-tui check` and the docs all show the same data, and
`CODES` is the one table of what can be said.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class Severity(StrEnum):
    """How much a diagnostic matters. ERROR: something was not loaded or not applied at all."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Code:
    """One kind of diagnostic: its stable name, what it means and what a person can do."""

    name: str
    severity: Severity
    meaning: str
    hint: str


def _table(severity: Severity, *rows: tuple[str, str, str]) -> list[Code]:
    return [Code(name, severity, meaning, hint) for name, meaning, hint in rows]


_READING = [
    *_table(
        Severity.ERROR,
        ("unreadable", "The file or folder could not be read.", "Check its permissions and that it still exists."),
        ("not-text", "The file is not UTF-8 text.", "Save it as UTF-8."),
        ("too-large", "The file is larger than the limit and was not read.", "Split it, or move the data out of it."),
        ("not-a-file", "The path is a device, a pipe or a socket.", "Point at a regular file."),
        ("empty-file", "The file is empty, so there is no skill in it.", "Write the skill or delete the file."),
    ),
    *_table(
        Severity.WARNING,
        (
            "frontmatter-invalid",
            "The frontmatter is not valid YAML.",
            "Quote values that hold ': ' or begin with * & @.",
        ),
        ("frontmatter-unclosed", "The frontmatter has no closing '---' line.", "Close it with a line '---'."),
        ("frontmatter-not-mapping", "The frontmatter is not a mapping of keys.", "Write 'key: value' lines."),
        ("frontmatter-repaired", "A part of the frontmatter is not valid YAML and was read as text.", "Quote it."),
        ("frontmatter-twice", "Two frontmatter blocks follow each other.", "Merge them into one."),
        ("file-indented", "The whole file is indented.", "Remove the indentation."),
        ("field-invalid", "A frontmatter field has a value of the wrong kind.", "Write text, or a list of text."),
        ("name-missing", "The skill has no usable name, so the file or folder names it.", "Add 'name:'."),
        ("name-format", "The name is not lower-case kebab-case of at most 64 characters.", "Rename the skill."),
        ("name-folder", "The name differs from the folder's.", "Make both the same; other tools insist."),
        ("description-missing", "The skill has no description, so its first paragraph stands in.", "Add one."),
        ("description-long", "The description is longer than 1,024 characters.", "Shorten it; tools cut it."),
        ("rule-too-long", "The rule is longer than its tool reads.", "Split it."),
        ("version-format", "The version is not a semantic version.", "Write it like 1.2.3."),
        ("sidecar-invalid", "The sidecar is not a JSON object in UTF-8, and was ignored.", "Fix the JSON."),
        ("sidecar-version", "The sidecar speaks another protocol version, and was ignored.", 'Use "1.0".'),
        ("sidecar-field", "A sidecar field is invalid or unknown, and was ignored.", "See schemas/advertisement.json."),
        ("sidecar-platform", "The sidecar names another platform; the file's own counts.", "Make them agree."),
        (
            "sidecar-ambiguous",
            "A folder sidecar cannot say which of several skills it means.",
            "Name it <stem>.skill.json.",
        ),
        ("link-outside", "A symbolic link leads out of the folder and was not followed.", "Give its target by hand."),
        ("name-case", "The file is not named SKILL.md exactly.", "Rename it: other tools will not find it."),
        ("limit-hit", "A discovery limit was reached; there may be more.", "Give the folder by hand."),
    ),
    *_table(
        Severity.INFO,
        ("not-a-skill", "The file looks like plain Markdown, not like a skill.", "Give it a name or a description."),
        ("beside-skill", "An AGENTS.md beside a SKILL.md belongs to that skill.", "Nothing to do."),
        ("overridden", "AGENTS.override.md stands in for the AGENTS.md beside it.", "Nothing to do."),
        ("empty-body", "The skill has frontmatter only: nothing would go into a prompt.", "Write its body."),
    ),
]

_REGISTRY = [
    *_table(
        Severity.WARNING,
        ("dependency-unknown", "A skill needs a skill that is not loaded.", "Load it, or drop it from dependencies."),
        ("dependency-cycle", "Skills need each other in a circle; each is still used once.", "Break the circle."),
        ("dependency-self", "A skill names itself as a dependency.", "Drop it."),
        ("exclude-unknown", "An excluded name matches no skill.", "Check the name with 'weave-tui list'."),
        (
            "fence-open",
            "A code fence is left open in a body; it was closed at the end of its part.",
            "Close the fence.",
        ),
        ("top-n-ignored", "No query word is known, so nothing was ranked.", "Use other words."),
    ),
]

CODES: dict[str, Code] = {code.name: code for code in (*_READING, *_REGISTRY)}
"""Every diagnostic the project can give, by name; the docs are generated from it."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One thing to know about one place.

    `line` is 1-based, 0 when the whole file is meant. `done` says what was done about it
    ("loaded without the field"), empty when nothing was.
    """

    code: str
    message: str
    path: Path | None = None
    line: int = 0
    field: str = ""
    done: str = ""

    @property
    def severity(self) -> Severity:
        return CODES[self.code].severity

    @property
    def hint(self) -> str:
        return CODES[self.code].hint

    @property
    def place(self) -> str:
        """`path:line`, as editors and compilers write it; empty without a path."""
        if self.path is None:
            return ""
        return f"{self.path}:{self.line}" if self.line else str(self.path)


def worst_first(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Errors, then warnings, then notes; within each by path and line."""
    order = list(Severity)
    return sorted(diagnostics, key=lambda d: (order.index(d.severity), str(d.path or ""), d.line, d.code))
