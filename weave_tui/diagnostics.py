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
        ("hidden-characters", "The text holds characters that are not shown.", "Look at them in the app; remove them."),
        ("cited-missing", "The body points at files that are not there.", "Add the files, or drop the references."),
        ("plugin-missing", "An enabled plugin is not in the plugin cache.", "Install it again, or disable it."),
        ("settings-ignored", "A project's settings may not decide this.", "Put it into your own settings file."),
        (
            "key-ignored",
            "A key of the settings cannot be had, and was left as it was.",
            "Choose another: docs/keys.md.",
        ),
        ("settings-invalid", "A settings file of the tool cannot be read.", "Fix its JSON."),
        ("name-case", "The file is not named SKILL.md exactly.", "Rename it: other tools will not find it."),
        ("limit-hit", "A discovery limit was reached; there may be more.", "Give the folder by hand."),
    ),
    *_table(
        Severity.INFO,
        ("not-a-skill", "The file looks like plain Markdown, not like a skill.", "Give it a name or a description."),
        ("beside-skill", "An AGENTS.md beside a SKILL.md belongs to that skill.", "Nothing to do."),
        ("overridden", "AGENTS.override.md stands in for the AGENTS.md beside it.", "Nothing to do."),
        ("ignored", "A .gitignore leaves the file out.", "Give the file by hand to load it."),
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
        ("name-case-clash", "Names differ in upper and lower case alone.", "Rename one: some tools mix them up."),
        ("budget-exceeded", "The smallest prompt is longer than the token budget.", "Raise --max-tokens."),
    ),
    *_table(
        Severity.INFO,
        ("name-clash", "Several distinct skills have one name.", "Rename the others to exclude or need only one."),
    ),
]

_LAB = [
    *_table(
        Severity.WARNING,
        ("case-invalid", "A labelled query is malformed.", 'Write {"query": "...", "expected": ["skill"]}.'),
        ("case-skill-unknown", "A labelled query names a skill that is not loaded.", "Correct the name, or load it."),
    ),
    *_table(
        Severity.INFO,
        ("cases-foreign", "The entry evaluates outcomes, not which skill is triggered.", "Nothing to do."),
    ),
]

# Prompt composition: one code for each error type and kind of weave_tui.prompts.errors (see `code_of`), then lints.
_PROMPTS = [
    *_table(
        Severity.ERROR,
        (
            "prompt-file-read",
            "A configuration or prompt file could not be read.",
            "Check that it exists and is UTF-8 text.",
        ),
        ("prompt-parse", "The file is not valid YAML or JSON.", "Fix the place that is named."),
        ("prompt-unterminated-string", "A string is not closed.", 'Close it with ", or with """ over several lines.'),
        ("prompt-invalid-number", "A number is written wrong.", "Write digits with at most one point."),
        ("prompt-unexpected-character", "A character cannot stand there.", "Put text into double quotes."),
        ("prompt-unexpected-token", "Something else was expected there.", "Write what the message expects."),
        ("prompt-missing-block-name", "A block has no name.", "Write agent NAME { ... }."),
        ("prompt-unclosed-block", "A block or list is never closed.", "Close it with } or ]."),
        ("prompt-validation", "A value is not what its key takes.", "Write what the message expects."),
        ("prompt-unknown-key", "The key does not exist there.", "Take the suggested one, or delete it."),
        ("prompt-duplicate-key", "A key or a block is given twice.", "Keep one of the two."),
        ("prompt-exclusive", "Two keys exclude each other.", "Keep one of the two."),
        ("prompt-missing", "A required key is missing.", "Add it."),
        ("prompt-unknown-extends-target", "A workflow extends one that does not exist.", "Correct the name."),
        ("prompt-unknown-insertion-anchor", "A step is anchored at one that does not exist.", "Correct the name."),
        ("prompt-both-insert-before-and-after", "Layers anchor a step at two places.", "Keep one anchor."),
        ("prompt-extends-cycle", "Workflows extend each other in a circle.", "Break the circle."),
        (
            "prompt-malformed-syntax",
            "A tag is not closed, or does not name a path.",
            "Write {{path}}, or \\{{ for braces.",
        ),
        ("prompt-unsupported-tag", "Partials, delimiters and the like are not supported.", "Write the text itself."),
        ("prompt-section-mismatch", "Section tags do not match.", "Close the innermost section first."),
        ("prompt-unknown-path", "The path is not declared at that place.", "Take the suggested one."),
        ("prompt-unsafe-path", "The path reaches into an object's machinery.", "Use declared paths only."),
        ("prompt-function-value", "The context holds a callable.", "Pass plain data."),
        ("prompt-template-context-build", "The context is not plain data.", "Pass plain data."),
        ("prompt-unresolved-tag", "A value looks like a tag that was not filled in.", "Change the value."),
        ("prompt-output-too-large", "The output grows beyond the limit.", "Do not nest a list in itself."),
        ("prompt-source-missing", "An agent has no prompt.", "Give it prompt or prompt_file."),
        ("prompt-category-shuttle-conflict", "An agent has the name of a generated shuttle.", "Rename one."),
        ("prompt-review-variant-conflict", "A generated reviewer's name is taken.", "Rename one."),
        ("prompt-unknown-target", "There is no such agent or step.", "Take the suggested one."),
        ("prompt-renderers-differ", "Two renderers disagree: an error of ours.", "Please report the template."),
    ),
    *_table(
        Severity.WARNING,
        ("prompt-escaped-value", "Escaping altered a value.", "Use triple braces: {{{path}}}."),
        ("prompt-self-nested", "A list section inside itself repeats the list per item.", "Use delegation.hasTargets."),
        ("prompt-append-empty", "The append renders empty but still adds a blank line.", "Drop it, or test outside."),
        ("prompt-target-bare", "A delegation target has no description or no triggers.", "Say when to delegate to it."),
        ("prompt-name-unknown", "A disabled or excluded name does not exist.", "Correct the name."),
        ("prompt-literal-typo", "Literal text looks like a tag.", "Remove the backslash, or write two braces."),
        ("prompt-append-shadowed", "A step's append hides its workflow's.", "Repeat what should stay."),
        ("prompt-append-collision", "Layers give the same append; the higher one counts.", "Drop the lower one."),
        ("prompt-step-agent-unknown", "A step's agent is not declared or is disabled.", "Declare it, or name another."),
        ("prompt-skill-unknown", "An agent names a skill that is not loaded.", "Correct the name, or load the skill."),
        (
            "prompt-anchor-unused",
            "A step is anchored, but its workflow extends none.",
            "Add extends, or drop the anchor.",
        ),
        ("prompt-category-unserved", "Categories need an enabled agent named shuttle.", "Declare agent shuttle."),
        ("prompt-tag-like-text", "A value looks like a tag; it was let through.", "Change the value."),
    ),
]

CODES: dict[str, Code] = {code.name: code for code in (*_READING, *_REGISTRY, *_LAB, *_PROMPTS)}
"""Every diagnostic the project can give, by name; the docs are generated from it."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One thing to know about one place.

    `line` and `column` are 1-based, 0 when the whole file or line is meant. `done` says what was done about it
    ("loaded without the field"), empty when nothing was.
    """

    code: str
    message: str
    path: Path | None = None
    line: int = 0
    field: str = ""
    done: str = ""
    column: int = 0

    @property
    def severity(self) -> Severity:
        return CODES[self.code].severity

    @property
    def hint(self) -> str:
        return CODES[self.code].hint

    @property
    def place(self) -> str:
        """`path:line:column` as far as known, as editors and compilers write it; empty without a path."""
        if self.path is None:
            return ""
        return ":".join([str(self.path), *(str(number) for number in (self.line, self.column) if number)])


def worst_first(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Errors, then warnings, then notes; within each by path and line."""
    order = list(Severity)
    return sorted(diagnostics, key=lambda d: (order.index(d.severity), str(d.path or ""), d.line, d.code))
