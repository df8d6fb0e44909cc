"""Reading one found file into a `Skill`: fields, fallbacks, sidecar, diagnostics."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from weave_tui.diagnostics import Diagnostic
from weave_tui.protocol import PROTOCOL, WeaveAdvertisement
from weave_tui.skills import frontmatter, sidecar
from weave_tui.skills.files import UnreadableError, decode, read_bytes
from weave_tui.skills.find import Found
from weave_tui.skills.frontmatter import Field, Fields, Split
from weave_tui.skills.model import Kind, Skill, skill_id
from weave_tui.skills.platforms import PLATFORM_FILES
from weave_tui.skills.prose import cited_files, first_heading, first_paragraph
from weave_tui.skills.repairs import repair
from weave_tui.text import hidden_characters

NAME_LIMIT, DESCRIPTION_LIMIT = 64, 1_024
_KEBAB = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_SEMVER = re.compile(r"\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?")
_COMMAS = re.compile(r",(?![^{}]*\})")
"""Commas outside braces: `**/*.{ts,tsx}` is one glob. Braces are never expanded."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What became of one file: the skill, or None with a diagnostic that says why."""

    skill: Skill | None
    diagnostics: tuple[Diagnostic, ...] = ()


def read(found: Found) -> Reading:
    """Read one file and its sidecar. Nothing in them, or about them, raises."""
    try:
        text = decode(read_bytes(Path(found.real)))
        if not text.strip().strip("\ufeff"):
            raise UnreadableError("empty-file", "nothing in it")
    except UnreadableError as error:
        return Reading(None, (Diagnostic(error.code, str(error), Path(found.path), done="skipped"),))
    return read_text(found, text)


def read_text(found: Found, text: str, sidecar_text: str | None = None) -> Reading:
    """What becomes of a file that holds `text`, and whose sidecar holds `sidecar_text` (None: what it holds now)."""
    split = frontmatter.split(text, repair)
    if found.loose and not found.sidecar and not ({"name", "description"} & split.fields.keys()):
        return Reading(
            None, (Diagnostic("not-a-skill", "no name and no description", Path(found.path), done="skipped"),)
        )
    notes = _Notes(found, split)
    notes.add_issues(split.issues)
    advertisement = _infer(found, split, notes)
    if found.sidecar:
        advertisement, ignored = sidecar.overlay(advertisement, Path(found.sidecar), sidecar_text)
        notes.diagnostics += ignored
    if found.plugin:
        advertisement = advertisement.model_copy(update={"name": found.plugin + advertisement.name})
    skill = _skill(found, split, advertisement)
    _check(skill, split, notes)
    if hidden := hidden_characters(text):
        notes.add("hidden-characters", f"{hidden:,} that a terminal obeys or does not show", done="shown as marks")
    return Reading(skill, tuple(notes.diagnostics))


class _Notes:
    """Collects the diagnostics of one file."""

    def __init__(self, found: Found, split: Split) -> None:
        self.path = Path(found.path)
        self.fields = split.fields
        self.diagnostics: list[Diagnostic] = []

    def add_issues(self, issues: Iterable[frontmatter.Issue]) -> None:
        self.diagnostics += [
            Diagnostic(code, message, self.path, line, done=done) for code, line, message, done in issues
        ]

    def add(self, code: str, message: str, field: str = "", done: str = "loaded") -> None:
        line = self.fields[field].line if field in self.fields else 0
        self.diagnostics.append(Diagnostic(code, message, self.path, line, field, done))


def _infer(found: Found, split: Split, notes: _Notes) -> WeaveAdvertisement:
    """The advertisement that the file itself makes (spec: protocol, Advertisement)."""
    fields = split.fields
    name = _text(fields, "name", notes)
    if not name:
        if found.kind == "skill" and split.has_frontmatter and not found.loose:
            notes.add("name-missing", "no name in the frontmatter", "name", "named after its folder or file")
        name = _fallback_name(found, split.body)
    description = _text(fields, "description", notes)
    triggers = _list(fields, "trigger_patterns", notes) or _list(fields, "triggers", notes)
    patterns = [*(triggers or [description]), _text(fields, "when_to_use", notes)]
    patterns = [pattern for pattern in patterns if pattern]
    return WeaveAdvertisement(
        weave_protocol=PROTOCOL,
        name=name,
        version=_text(fields, "version", notes) or "0.0.0",
        platform=found.platform,
        capabilities=tuple(_list(fields, "capabilities", notes) or _list(fields, "tags", notes)),
        trigger_patterns=tuple(patterns or [first_paragraph(split.body) or name]),
        author=_text(fields, "author", notes),
        dependencies=tuple(_list(fields, "dependencies", notes)),
    )


def _fallback_name(found: Found, body: str) -> str:
    """The name of a file that states none (spec: skill-files, What each looks like)."""
    path = Path(found.path).absolute()
    stem = path.stem.lstrip(".")
    if path.name.startswith(".") or (found.kind == "skill" and stem == "SKILL"):
        stem = path.parent.name
    if found.kind != "skill" and found.platform == "codex":
        folder_named = path.name.startswith("AGENTS.")
        return first_heading(body) or (path.parent.name if folder_named else stem) or path.stem
    return stem or path.parent.name or path.name


def _text(fields: Fields, key: str, notes: _Notes) -> str:
    """The field as one line of text; "" when it is absent, empty or no text (then with a diagnostic)."""
    found = fields.get(key)
    if found is None or found.kind == "null" or found.value == ():
        return ""
    if not isinstance(found.value, str):
        notes.add("field-invalid", f"'{key}' is a {found.kind}, expected text", key, "field ignored")
        return ""
    return " ".join(found.value.split())


def _list(fields: Fields, key: str, notes: _Notes) -> list[str]:
    """The field as a list: YAML lists, comma strings and single strings are all accepted."""
    found = fields.get(key)
    if found is None or found.value is None:
        if found and found.kind != "null":
            notes.add("field-invalid", f"'{key}' is a {found.kind}, expected a list of text", key, "field ignored")
        return []
    if found.kind == "mapping":
        notes.add("field-invalid", f"an entry of '{key}' is not text", key, "entry ignored")
    return as_list(found)


def as_list(found: Field | None) -> list[str]:
    """A field's texts: those of a list, or of a text with commas; none where it is neither."""
    if found is None or found.value is None:
        return []
    items = _COMMAS.split(found.value.strip("[]")) if isinstance(found.value, str) else found.value
    texts = (" ".join(item.split()).strip("\"'") for item in items)
    return list(dict.fromkeys(text for text in texts if text))


def _skill(found: Found, split: Split, advertisement: WeaveAdvertisement) -> Skill:
    silent = _Notes(found, split)
    globs = _list(split.fields, "globs", silent) or _list(split.fields, "paths", silent)
    return Skill(
        id=skill_id(found.real),
        path=Path(found.real),
        locations=(Path(found.path),),
        root=found.root,
        source=found.source,
        kind=found.kind,
        advertisement=advertisement,
        description=_text(split.fields, "description", silent),
        body=split.body,
        body_line=split.body_line,
        activation=PLATFORM_FILES[found.platform].activation(found.kind, split.fields),
        globs=tuple(globs),
        cites=cited_files(split.body),
    )


_DESCRIBED_KINDS: frozenset[Kind] = frozenset({"skill", "agent"})


def _check(skill: Skill, split: Split, notes: _Notes) -> None:
    """Breaches that warn and load (spec: skill-files)."""
    version = skill.advertisement.version
    written = split.fields["name"].value if "name" in split.fields else None
    if isinstance(written, str) and skill.kind == "skill" and skill.path.stem == "SKILL":
        name, folder = " ".join(written.split()), skill.locations[0].absolute().parent.name
        if len(name) > NAME_LIMIT or not _KEBAB.fullmatch(name):
            shown = name if len(name) <= NAME_LIMIT else f"{name[:40]}... ({len(name)} characters)"
            notes.add("name-format", f"'{shown}'", "name")
        elif name != folder:
            notes.add("name-folder", f"'{name}' in the folder '{folder}'", "name")
    if (
        skill.kind in _DESCRIBED_KINDS
        and skill.activation == "described"
        and not skill.description
        and "trigger_patterns" not in split.fields
    ):
        notes.add("description-missing", "no description", "description", "the first paragraph stands in")
    if len(skill.description) > DESCRIPTION_LIMIT:
        notes.add("description-long", f"{len(skill.description):,} characters", "description")
    if not _SEMVER.fullmatch(version):
        notes.add("version-format", f"'{version}'", "version", "kept as written")
    limit = PLATFORM_FILES[skill.platform].max_characters.get(skill.kind)
    if limit and len(skill.body) > limit:
        notes.add("rule-too-long", f"{len(skill.body):,} characters; {skill.platform} reads {limit:,}")
    if not skill.body:
        notes.add("empty-body", "frontmatter only")
