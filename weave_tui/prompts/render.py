"""Checked templates to text, with the source tag of every span (spec B.5).

Only this module produces prompt text. It walks checked nodes and yields pieces; a value is
copied or escaped and never read as a template again.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from weave_tui.diagnostics import Severity
from weave_tui.prompts.check import Block, Checked, Ref, Show, check
from weave_tui.prompts.errors import Result, TemplateError, failure, success
from weave_tui.prompts.nodes import grow
from weave_tui.prompts.scanner import Scan, Token, scan, tag_error
from weave_tui.prompts.schema import STANDARD, Type, context_errors

MAX_OUTPUT = 4_000_000
"""Bytes of one rendered source (spec B.4)."""

MAX_STEPS = 400_000
"""Nodes visited for one source. Lists nested in themselves grow as a power without printing much;
this many visits take well under a second, and a prompt that needs more is not one."""

_UNRESOLVED = re.compile(r"\{\{[#^/!>&]?[A-Za-z0-9_.-]+\}\}")


class Piece(NamedTuple):
    """A span of the output and the token that made it. A literal's text is braces that are meant to be seen."""

    text: str
    token: Token


@dataclass(frozen=True, slots=True)
class Template:
    """A template without errors, ready to be rendered with any context of its schema."""

    scan: Scan
    nodes: tuple[Checked, ...]
    schema: Type


@dataclass(frozen=True, slots=True)
class Rendered:
    """The text of one source, in pieces; `warnings` are unresolved tags that were let through."""

    template: Template
    pieces: tuple[Piece, ...]
    warnings: tuple[TemplateError, ...] = ()
    text: str = field(default="")

    def spans(self) -> Iterator[tuple[int, int, Piece]]:
        """Start, end and piece, for every span of `text`."""
        start = 0
        for piece in self.pieces:
            end = start + len(piece.text)
            yield start, end, piece
            start = end


@dataclass(frozen=True, slots=True)
class Frame:
    """One level of the value stack: the value, and where it stands in its list."""

    value: Any
    first: bool = False
    last: bool = False


def compile_template(source: str, schema: Type = STANDARD) -> Result[Template]:
    """Check `source` against `schema`. Errors: structure, or else paths and partials (B.6)."""
    scanned = scan(source)
    tree = grow(scanned)
    if tree.errors:
        return failure(tree.errors)
    nodes, errors = check(tree, schema)
    return failure(errors) if errors else success(Template(scanned, nodes, schema))


def render(
    template: str, context: object, *, schema: Type = STANDARD, unresolved: Severity | None = Severity.ERROR
) -> Result[Rendered]:
    """Render one template.

    The context is plain data; `delegation.hasTargets` is filled in when it is absent.
    `unresolved` says what a tag-like text in the output is: an error (as in the seed), a
    warning in `Rendered.warnings`, or with None nothing (decision D7).
    Errors, in this order: structure; paths and partials; callables and foreign objects in the
    context; unresolved tags and size.
    """
    compiled = compile_template(template, schema)
    if compiled.value is None:
        return failure(compiled.errors)
    if errors := context_errors(context, schema):
        return failure(errors)
    return fill(compiled.value, with_has_targets(context) if schema is STANDARD else context, unresolved)


def with_has_targets(context: Any) -> Any:
    """`context` with `delegation.hasTargets` (decision D5), unless it says so itself."""
    delegation = context.get("delegation") if isinstance(context, dict) else None
    if not isinstance(delegation, dict) or "hasTargets" in delegation:
        return context
    return {**context, "delegation": {**delegation, "hasTargets": bool(delegation.get("targets"))}}


def fill(template: Template, context: Any, unresolved: Severity | None = Severity.ERROR) -> Result[Rendered]:
    """Render a checked template with a context that `context_errors` accepts, or that the library built."""
    walk = _Walk()
    walk.nodes(template.nodes, [Frame(context)])
    if walk.stopped_at is not None:
        return failure([_too_large(template.scan, walk.stopped_at)])
    rendered = Rendered(template, tuple(walk.pieces), text="".join(piece.text for piece in walk.pieces))
    tags = _unresolved(rendered) if unresolved else []
    if tags and unresolved is Severity.ERROR:
        return failure(tags)
    return success(Rendered(template, rendered.pieces, tuple(tags), rendered.text))


def lookup(ref: Ref, frames: list[Frame]) -> Any:
    """The value of a resolved name; None when it is absent."""
    frame = frames[ref.frame]
    if ref.end:
        return frame.first if ref.end == "first" else frame.last
    value = frame.value
    for key in ref.keys:
        if value is None:
            return None
        value = value.get(key)
    return value


def printed(value: Any) -> str:
    """A value as text: nothing for null, lower-case booleans, lists joined with commas."""
    match value:
        case str():
            return value
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case list():
            return ",".join(map(printed, value))
        case _:
            return str(value)


def truthy(value: Any) -> bool:
    """Whether a section shows its body: an object always does, blank text too, empty text and lists do not."""
    return isinstance(value, dict) or bool(value)


def escape(text: str) -> str:
    """`& < > "` as entities, nothing else (decision D6)."""
    return html.escape(text, quote=False).replace('"', "&quot;")


class _Walk:
    """One pass over the nodes, within the limits."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self.stopped_at: Token | None = None
        self._size = 0
        self._steps = 0

    def nodes(self, nodes: Iterable[Checked], frames: list[Frame]) -> None:
        for node in nodes:
            self._steps += 1
            if self.stopped_at is not None:
                return
            match node:
                case Token():
                    self._put(node.text, node)
                case Show():
                    text = printed(lookup(node.ref, frames))
                    self._put(escape(text) if node.escaped else text, node.token)
                case Block():
                    self._block(node, frames)

    def _put(self, text: str, token: Token) -> None:
        if not text:
            return
        self._size += len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
        self.pieces.append(Piece(text, token))
        if self._size > MAX_OUTPUT:
            self.stopped_at = token

    def _block(self, block: Block, frames: list[Frame]) -> None:
        value = lookup(block.ref, frames)
        if truthy(value) is block.inverted:
            return
        if not block.pushes:
            self.nodes(block.children, frames)
            return
        items = value if isinstance(value, list) else [value]
        ends = len(items) - 1
        for index, item in enumerate(items):
            self._steps += 1
            if self._steps > MAX_STEPS:
                self.stopped_at = self.stopped_at or block.token
            if self.stopped_at is not None:
                return
            frames.append(Frame(item, index == 0, index == ends))
            self.nodes(block.children, frames)
            frames.pop()


def _too_large(scanned: Scan, token: Token) -> TemplateError:
    message = f"The output grows beyond {MAX_OUTPUT:,} bytes or {MAX_STEPS:,} steps here."
    return scanned.error("OutputTooLarge", token, message, "A list section inside itself repeats the list per item.")


def _unresolved(rendered: Rendered) -> list[TemplateError]:
    """Tag-like text in the output. Literals are blanked out first: they are meant to be seen."""
    if "{{" not in rendered.text:
        return []
    shown = "".join(
        "\n" * len(piece.text) if piece.token.kind == "literal" else piece.text for piece in rendered.pieces
    )
    found = list(_UNRESOLVED.finditer(shown))
    errors = []
    spans = rendered.spans()
    end, piece = 0, None
    for match in found:
        while end <= match.start():
            _, end, piece = next(spans)
        if piece is not None:
            errors.append(_unresolved_error(rendered.template.scan, piece.token, match.group()))
    return errors


def _unresolved_error(scanned: Scan, token: Token, tag: str) -> TemplateError:
    message = f"The value of this tag contains {tag}, which would look like a tag that was not filled in."
    hint = "Values are never rendered again; change the value, or put blanks inside its braces."
    placed = tag_error(scanned.source, scanned.lines, "UnresolvedTag", (token.start, token.end), message, hint)
    return TemplateError(
        placed.kind, message, hint, placed.line, placed.column, placed.start, placed.end, tag=tag, path=token.text
    )
