"""The template pane: what was written, tags by their kind, and what is wrong at its place."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from weave_tui import prompts
from weave_tui.diagnostics import Diagnostic, Severity
from weave_tui.prompts.compose import origin_of
from weave_tui.prompts.files import FileProblem
from weave_tui.prompts.places import Lines, TextMap
from weave_tui.prompts.roster import Source
from weave_tui.prompts.scanner import TokenKind, scan
from weave_tui.tui.agents.state import Entry, Project, diagnostics_of
from weave_tui.tui.lines import Origin, ShownLine, Stretch, Tone, plain, split_lines

TONES: dict[TokenKind, Tone] = {
    "text": "text",
    "literal": "warning",
    "value": "success",
    "raw": "success",
    "section": "accent",
    "inverted": "accent",
    "close": "accent",
    "comment": "muted",
    "partial": "error",
}
"""What prints is drawn as what goes into the prompt; what decides, as what is needed by it."""

_MARKS: dict[Severity, tuple[str, Tone]] = {
    Severity.ERROR: ("✕", "error"),
    Severity.WARNING: ("!", "warning"),
    Severity.INFO: ("·", "muted"),
}
_WORD = re.compile(r"\S+")

Notes = dict[tuple[Path, int], list[Diagnostic]]


def template_lines(project: Project, entry: Entry, errors: Sequence[prompts.AnyError]) -> list[ShownLine]:
    """The sources of an agent or a step in the order of its prompt, or a configuration file as it is."""
    composer = project.report.composer if project.report else None
    if composer is None or entry.kind == "file":
        layer = next(layer for layer in project.layers if str(layer.file) == entry.name)
        return _file(layer, project.diagnostics)
    notes = _by_line(_noted(project, diagnostics_of(project, entry, errors)))
    wrong = [error for error in _flat(errors) if error.template is not None]
    lines: list[ShownLine] = []
    for part, source in enumerate(sources_of(composer, entry)):
        lines += [ShownLine(stop=False)] if lines else []
        lines += _source(composer, part, source, wrong, notes)
    return lines


def sources_of(composer: prompts.Composer, entry: Entry) -> list[Source]:
    """The sources that the entry's prompt is made of."""
    if entry.kind == "step":
        primary, append, _ = composer.step_sources(entry.group, entry.name)
        return [source for source in (primary, append) if source]
    member = composer.roster.get(entry.name)
    return [source for source in (member.primary, *member.appends) if source] if member else []


def _noted(project: Project, own: list[Diagnostic]) -> list[Diagnostic]:
    """The entry's own errors, then all else; a source that others share has the same errors for them."""
    told = {(found.code, found.path, found.line, found.column) for found in own}
    others = [found for found in project.diagnostics if (found.code, found.path, found.line, found.column) not in told]
    return [*own, *others]


def _flat(errors: Iterable[prompts.AnyError]) -> Iterator[prompts.CompositionError]:
    for error in errors:
        if isinstance(error, prompts.CompositionError):
            yield from (error, *error.causes)


def _by_line(diagnostics: Iterable[Diagnostic]) -> Notes:
    notes: Notes = defaultdict(list)
    for found in diagnostics:
        if found.path:
            notes[found.path, found.line].append(found)
    return notes


def _source(
    composer: prompts.Composer,
    part: int,
    source: Source,
    errors: Iterable[prompts.CompositionError],
    notes: Notes,
) -> list[ShownLine]:
    read = composer.template(source)
    kind = (Stretch(source.kind, "muted"),)
    if isinstance(read, FileProblem):
        title = ShownLine((Stretch(source.value, "text", bold=True),), right=kind, wraps=False, stop=False)
        return [title, *_notes(notes, (source.place.file, source.place.line))]
    name = source.value if source.is_file else source.place.file.name
    title = ShownLine((Stretch(name, "text", bold=True),), right=kind, wraps=False, stop=False)
    origin = origin_of(source, read)
    wrong = [
        (error.template.start, max(error.template.end, error.template.start + 1))
        for error in errors
        if error.template and error.template.line and error.source_kind == source.kind and _is_in(error, origin)
    ]
    return [title, *_numbered(split_lines(_coloured(part, read.text, wrong)), read.text, origin, notes)]


def _is_in(error: prompts.CompositionError, origin: TextMap) -> bool:
    return error.template is not None and error.place == origin.place(error.template.start)


def _coloured(part: int, text: str, wrong: Sequence[tuple[int, int]]) -> Iterator[Stretch]:
    """The whole text: tokens in their tone, what belongs to none as plain text, errors underlined."""
    at = 0
    for token in scan(text).tokens:
        yield from _cut_out(part, text, (at, token.start), "text", wrong)
        yield from _cut_out(part, text, (max(at, token.start), token.end), TONES[token.kind], wrong)
        at = max(at, token.end)
    yield from _cut_out(part, text, (at, len(text)), "text", wrong)


def _cut_out(
    part: int, text: str, span: tuple[int, int], tone: Tone, wrong: Sequence[tuple[int, int]]
) -> Iterator[Stretch]:
    """One token in stretches: its errors underlined, the rest in its tone."""
    start, end = span
    edges = sorted({start, end, *(edge for pair in wrong for edge in pair if start < edge < end)})
    for left, right in pairwise(edges):
        bad = any(one <= left < other for one, other in wrong)
        shown: Tone = "error" if bad else tone
        yield Stretch(text[left:right], shown, underlined=bad, origin=Origin(part, left, right))


def _numbered(lines: Iterable[list[Stretch]], text: str, origin: TextMap, notes: Notes) -> Iterator[ShownLine]:
    """Lines with the numbers of their file in the margin, and under each what is wrong with it."""
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    for start, stretches in zip(starts, lines, strict=True):
        if start == len(text) and start and not stretches:
            return
        place = origin.place(start)
        yield ShownLine(tuple(stretches), f"{place.line}", "hairline", place=place)
        yield from _notes(notes, (place.file, place.line))


def _notes(notes: Notes, place: tuple[Path, int]) -> Iterator[ShownLine]:
    # Taken out, so that a line of the file that is several lines of the template is annotated once.
    for found in notes.pop(place, ()):
        mark, tone = _MARKS[found.severity]
        yield ShownLine((Stretch(found.message, tone),), mark, tone, stop=False)


def _file(layer: prompts.Layer, diagnostics: Sequence[Diagnostic]) -> list[ShownLine]:
    """A configuration that cannot be read, with the word underlined at which each error is."""
    own = [found for found in diagnostics if found.path == layer.file]
    text = layer.source.replace("\r\n", "\n").replace("\r", "\n")
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    wrong = []
    for found in own:
        if 0 < found.line <= len(starts) and found.column:
            word = _WORD.match(text, starts[found.line - 1] + found.column - 1)
            wrong += [word.span()] if word else []
    title = plain(layer.file.name, bold=True)
    origin = TextMap(layer.file, Lines(text).runs())
    stretches = _cut_out(0, text, (0, len(text)), "text", wrong)
    return [title, *_numbered(split_lines(stretches), text, origin, _by_line(own))]
