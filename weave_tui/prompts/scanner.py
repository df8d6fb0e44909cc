"""The one tokenizer of templates: text, literals and tags with their positions (spec B.1 to B.3).

Only this module reads braces. Everything after it works on tokens, so a value can never
become a tag and a literal can never be forged. A scan never fails: what is wrong becomes an
error in the list, in the order of a reading from left to right, and scanning goes on where a
person would.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from weave_tui.prompts.errors import TemplateError, TemplateErrorKind
from weave_tui.prompts.places import Lines

BLANKS = "\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(map(chr, range(0x2000, 0x200B)))
"""JavaScript's white space: what mustache.js calls blank, and so what the seed's engine does."""

TokenKind = Literal["text", "literal", "value", "raw", "section", "inverted", "close", "comment", "partial"]

SIGNS: dict[str, TokenKind] = {
    "&": "raw",
    "#": "section",
    "^": "inverted",
    "/": "close",
    "!": "comment",
    ">": "partial",
}
"""The signs after `{{`; a triple brace is `raw` and no sign is `value`."""

UNSUPPORTED = {
    "=": "Delimiters cannot change, because that would bypass the path check.",
    "<": "Template inheritance is not supported.",
    "$": "Template blocks are not supported.",
    "%": "Pragmas are not supported.",
}
"""Signs that end the scan: what follows them cannot be read as the author meant it."""

PATH = re.compile(r"\.|[A-Za-z_][A-Za-z0-9_-]*(?:\.[A-Za-z_][A-Za-z0-9_-]*)*")

_SYNTAX_HINTS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), hint)
    for pattern, hint in (
        (r"\s*$", "Name a path, or delete the tag."),
        (r"#\s*(if|with)\b", "There are no helpers: write {{#path}}...{{/path}} to test a value."),
        (r"#\s*each\b", "There are no helpers: write {{#path}}...{{/path}} to loop over a list."),
        (r"#\s*unless\b", "There are no helpers: write {{^path}}...{{/path}}."),
        (r"@(first|last)\b", "Write {{#first}} or {{^last}}, without the @."),
        (r"@", "There is no index; {{#first}} and {{^last}} tell the ends of a list."),
        (r".*\|", "There are no filters."),
        (r".*\(", "There are no function calls."),
        (r".*[\"']", r"Text in quotes (a Mermaid hexagon?) is not a path: write \{{ to print the braces."),
        (r"\{", r"Three braces are the most a tag can have: write \{{{ to print them."),
        (r".*\.\.", "There is no parent path; outer names are visible by themselves."),
        (r".*\s", "A path has no blanks, and there are no helpers or arguments."),
    )
)
MAX_TAG = 200
"""Characters of a tag that an error quotes; an unclosed one may be as long as its file."""

_NO_PATH = "This tag does not name a path."
_ANY_HINT = r"A path is names joined by dots; write \{{ to print the braces."
_DOLLAR_HINT = r"For text like ${{ ... }} write $\{{ so that the braces are printed."


@dataclass(frozen=True, slots=True)
class Token:
    """A stretch of the template: `text` is what a text prints, or the path (or comment) of a tag."""

    kind: TokenKind
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Scan:
    """Tokens in order, what was wrong, and whether an unsupported sign ended the scan early."""

    source: str
    tokens: tuple[Token, ...]
    errors: tuple[TemplateError, ...]
    stopped: bool
    lines: Lines

    def error(
        self, kind: TemplateErrorKind, token: Token, message: str, hint: str = "", path: str = ""
    ) -> TemplateError:
        return tag_error(self.source, self.lines, kind, (token.start, token.end), message, hint, path)


def tag_error(
    source: str,
    lines: Lines,
    kind: TemplateErrorKind,
    span: tuple[int, int],
    message: str,
    hint: str = "",
    path: str = "",
) -> TemplateError:
    """An error of the tag at `span`."""
    start, end = span
    line, column = lines.at(start)
    return TemplateError(
        kind, message, hint, line, column, start, end, tag=source[start : min(end, start + MAX_TAG)], path=path
    )


def scan(source: str) -> Scan:
    """Tokens of `source`; standalone lines (B.3) have lost their white space already."""
    scanner = _Scanner(source)
    scanner.run()
    tokens = tuple(_without_standalone_blanks(scanner.tokens))
    return Scan(source, tokens, tuple(scanner.errors), scanner.stopped, scanner.lines)


class _Scanner:
    def __init__(self, source: str) -> None:
        self.source = source
        self.lines = Lines(source)
        self.tokens: list[Token] = []
        self.errors: list[TemplateError] = []
        self.stopped = False
        self._closers: dict[str, int] = {}

    def run(self) -> None:
        position = 0
        while (opening := self.source.find("{{", position)) >= 0:
            escaped = opening > position and self.source[opening - 1] == "\\"
            self._text(position, opening - escaped)
            position = self._literal(opening) if escaped else self._tag(opening)
            if self.stopped:
                return
        self._text(position, len(self.source))

    def _text(self, start: int, end: int) -> None:
        for line in self.source[start:end].splitlines(keepends=True) if start < end else ():
            # splitlines also splits at \r, \v, U+2028 and others; harmless, since only \n ends a line below.
            self.tokens.append(Token("text", start, start + len(line), line))
            start += len(line)

    def _literal(self, opening: int) -> int:
        braces = "{{{" if self.source.startswith("{{{", opening) else "{{"
        end = opening + len(braces)
        self.tokens.append(Token("literal", opening - 1, end, braces))
        return end

    def _tag(self, opening: int) -> int:
        body = opening + 2
        while body < len(self.source) and self.source[body] in BLANKS:
            body += 1
        sign = self.source[body : body + 1]
        triple = sign == "{"
        closer = "}}}" if triple else "}}"
        content = body + 1 if triple or sign in SIGNS else body
        closing = self._next(closer, content)
        end = closing + len(closer)
        if closing == len(self.source):
            return self._unclosed(opening, closer)
        if sign in UNSUPPORTED:
            self._error("UnsupportedTag", opening, end, "This kind of tag is not supported.", UNSUPPORTED[sign])
            self.stopped = True
            return end
        kind = "raw" if triple else SIGNS.get(sign, "value")
        if kind != "comment" and (inner := self.source.find("{{", content, closing)) > 0:
            hint = "The tag is not closed before the next one opens."
            self._error("MalformedSyntax", opening, inner, _NO_PATH, hint)
            return inner
        path = self.source[content:closing].strip(BLANKS)
        if kind not in ("comment", "partial") and not PATH.fullmatch(path):
            return self._malformed(opening, end, kind, path)
        self.tokens.append(Token(kind, opening, end, path))
        return end

    def _next(self, closer: str, start: int) -> int:
        """Where `closer` comes next, or the end. Remembered, so that many open tags stay linear."""
        known = self._closers.get(closer, -1)
        if known < start:
            found = self.source.find(closer, start)
            known = self._closers[closer] = found if found >= 0 else len(self.source)
        return known

    def _unclosed(self, opening: int, closer: str) -> int:
        """No closer follows: say so, and go on behind a double one that was meant for a triple."""
        line_end = self.source.find("\n", opening)
        end = len(self.source) if line_end < 0 else line_end
        self._error(
            "MalformedSyntax", opening, end, f"The tag is never closed with {closer}.", f"Close it with {closer}."
        )
        return min(self._next("}}", opening) + 2, len(self.source))

    def _malformed(self, opening: int, end: int, kind: TokenKind, path: str) -> int:
        known = _DOLLAR_HINT if self.source[opening - 1 : opening] == "$" else _syntax_hint(kind, path)
        self._error("MalformedSyntax", opening, end, _NO_PATH, known)
        if path and kind in ("section", "inverted", "close"):
            # Kept as a bracket, so that `{{#if x}}...{{/if}}` is one error and not two.
            self.tokens.append(Token(kind, opening, end, path.partition(" ")[0]))
        return end

    def _error(self, kind: TemplateErrorKind, start: int, end: int, message: str, hint: str) -> None:
        self.errors.append(tag_error(self.source, self.lines, kind, (start, end), message, hint))


def _syntax_hint(kind: TokenKind, path: str) -> str:
    sign = next((sign for sign, named in SIGNS.items() if named == kind and kind != "raw"), "")
    return next((hint for pattern, hint in _SYNTAX_HINTS if pattern.match(sign + path)), _ANY_HINT)


def _without_standalone_blanks(tokens: Iterable[Token]) -> list[Token]:
    kept: list[Token] = []
    line: list[Token] = []
    for token in tokens:
        line.append(token)
        if token.kind == "text" and token.text.endswith("\n"):
            _extend(kept, line)
            line = []
    _extend(kept, line)
    return kept


def _extend(kept: list[Token], line: list[Token]) -> None:
    """Add a line's tokens, texts that touch as one."""
    for token in _line(line):
        if kept and token.kind == "text" == kept[-1].kind and kept[-1].end == token.start:
            kept[-1] = Token("text", kept[-1].start, token.end, kept[-1].text + token.text)
        else:
            kept.append(token)


def _line(line: list[Token]) -> list[Token]:
    tags = [token for token in line if token.kind != "text"]
    visible = any(token.kind in ("value", "raw", "literal") for token in tags) or any(
        token.kind == "text" and token.text.strip(BLANKS) for token in line
    )
    return line if visible or not tags else tags
