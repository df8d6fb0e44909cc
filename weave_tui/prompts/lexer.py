"""The tokens of the .weave language (spec A.1).

The language has its own lexer and parser, by hand, because of what errors must say: several
in one run, each with what was expected at that very place, recovery that a grammar library
would not know (a stray comma, a string left open on its line), and for every string a way
back from each of its characters to the file, through escapes and the dedent.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from weave_tui.prompts.errors import ConfigError, ConfigErrorType
from weave_tui.prompts.places import Lines, Place, Run, TextMap

TokenKind = Literal["name", "string", "number", "{", "}", "[", "]", ",", "end"]


@dataclass(frozen=True, slots=True)
class Token:
    """`text` is the name, the decoded string or the digits; strings know where their text lies."""

    kind: TokenKind
    text: str
    place: Place
    origin: TextMap | None = None

    def __str__(self) -> str:
        match self.kind:
            case "end":
                return "end of file"
            case "string":
                return "a string"
            case "name" | "number":
                return self.text
            case _:
                return repr(self.kind)


_SKIP = re.compile(r"(?:[ \t\n]|#[^\n]*)+")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_NUMBER = re.compile(r"\d[\d.]*", re.ASCII)
_PUNCTUATION: dict[str, TokenKind] = {"{": "{", "}": "}", "[": "[", "]": "]", ",": ","}
_STRAY = re.compile(r'[^\sA-Za-z0-9_"#{}\[\],]+')
_PLAIN = re.compile(r'[^"\\\n]+')

MAX_DIGITS = 20
"""More than any key needs; Python refuses to convert numbers of thousands of digits."""

ESCAPES = {"n": "\n", "t": "\t", "\\": "\\", '"': '"', "{": "\\{"}
"""What follows a backslash in a one-line string. `\\{` keeps its backslash, so that a literal tag
stays one (decision D9); after any other character the backslash is dropped."""

_STRAY_HINTS = {
    ".": "A name has letters, digits, - and _ only.",
    ":": "Write 'key value', without a colon.",
    "=": "Write 'key value', without an equals sign.",
    ";": "Properties need no separator.",
    "-": "Numbers have no sign here, and names begin with a letter.",
    "'": 'Strings are written in double quotes: "...".',
    "`": 'Strings are written in double quotes: "...".',
    "/": 'Comments begin with #, and text stands in double quotes: "...".',
}


def normalized(source: str) -> str:
    """`source` without byte-order mark and with LF line ends: what every position counts in."""
    return source.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def lex(source: str, file: Path) -> tuple[list[Token], list[ConfigError]]:
    """Tokens of a normalized source, closed by an "end" token; every lexing error of the file."""
    lexer = _Lexer(source, file)
    lexer.run()
    return lexer.tokens, lexer.errors


class _Lexer:
    def __init__(self, source: str, file: Path) -> None:
        self.source = source
        self.file = file
        self.lines = Lines(source)
        self.tokens: list[Token] = []
        self.errors: list[ConfigError] = []

    def run(self) -> None:
        position = 0
        while position < len(self.source):
            if skipped := _SKIP.match(self.source, position):
                position = skipped.end()
            elif name := _NAME.match(self.source, position):
                position = self._add("name", name.group(), position, name.end())
            elif number := _NUMBER.match(self.source, position):
                position = self._number(number.group(), position)
            elif self.source.startswith('"""', position):
                position = self._raw_string(position)
            elif self.source[position] == '"':
                position = self._string(position)
            elif kind := _PUNCTUATION.get(self.source[position]):
                position = self._add(kind, self.source[position], position, position + 1)
            else:
                position = self._stray(position)
        self._add("end", "", len(self.source), len(self.source))

    def _add(self, kind: TokenKind, text: str, start: int, end: int, origin: TextMap | None = None) -> int:
        self.tokens.append(Token(kind, text, self._place(start), origin))
        return end

    def _number(self, digits: str, start: int) -> int:
        if digits.count(".") > 1 or len(digits) > MAX_DIGITS:
            hint = f"Use one point at most, and at most {MAX_DIGITS} digits."
            self._error("InvalidNumber", start, f"{digits[:MAX_DIGITS]} is not a number.", hint, value=digits)
        return self._add("number", digits, start, start + len(digits))

    def _stray(self, start: int) -> int:
        """One error for a stretch of characters that nothing begins with."""
        stretch = _STRAY.match(self.source, start)
        char = self.source[start]
        hint = _STRAY_HINTS.get(char, "Text stands in double quotes.")
        self._error("UnexpectedCharacter", start, f"The character {char!r} cannot stand here.", hint, char=char)
        return stretch.end() if stretch else start + 1

    def _string(self, start: int) -> int:
        """A one-line string; every escape begins a new run of the way back."""
        position, offset = start + 1, 0
        parts: list[str] = []
        runs: list[Run] = []
        while position < len(self.source) and self.source[position] not in '"\n':
            place = self._place(position)
            runs.append(Run(offset, place.line, place.column))
            if plain := _PLAIN.match(self.source, position):
                part, position = plain.group(), plain.end()
            elif position + 1 < len(self.source) and self.source[position + 1] != "\n":
                char = self.source[position + 1]
                part, position = ESCAPES.get(char, char), position + 2
            else:
                break
            parts.append(part)
            offset += len(part)
        if self.source[position : position + 1] != '"':
            hint = 'Close it with ", or use """...""" for text of several lines.'
            self._error("UnterminatedString", start, "The string is not closed on its line.", hint)
            line_end = self.source.find("\n", position)
            return line_end if line_end >= 0 else len(self.source)
        place = self._place(start + 1)
        origin = TextMap(self.file, tuple(runs) or (Run(0, place.line, place.column),))
        return self._add("string", "".join(parts), start, position + 1, origin)

    def _raw_string(self, start: int) -> int:
        end = self.source.find('"""', start + 3)
        if end < 0:
            hint = 'Close it with """.'
            self._error("UnterminatedString", start, "The string is never closed.", hint)
            return len(self.source)
        text, runs = dedent(self.source[start + 3 : end])
        line, column = self.lines.at(start + 3)
        placed = tuple(Run(run.offset, line + run.line, run.column + (column if run.line == 0 else 1)) for run in runs)
        return self._add("string", text, start, end + 3, TextMap(self.file, placed))

    def _place(self, offset: int) -> Place:
        return Place(self.file, *self.lines.at(offset))

    def _error(self, type_: ConfigErrorType, start: int, message: str, hint: str, **facts: str) -> None:
        self.errors.append(ConfigError(type_, message, self._place(start), hint, facts=facts))


def dedent(raw: str) -> tuple[str, list[Run]]:
    """The text of a triple-quoted string, and one run a line.

    Lines of the runs count from 0 at the opener, and so do columns: the number of characters cut
    from the line. Blank lines before and after are dropped; the smallest count of leading blanks
    over the other lines is cut from each line.
    """
    lines = raw.split("\n")
    first = 1 if lines[0] == "" and len(lines) > 1 else 0
    last = len(lines)
    while first < last and not lines[first].strip(" \t"):
        first += 1
    while last > first and not lines[last - 1].strip(" \t"):
        last -= 1
    kept = lines[first:last]
    cut = min((len(line) - len(line.lstrip(" \t")) for line in kept if line.strip(" \t")), default=0)
    runs, offset = [], 0
    for number, line in enumerate(kept, start=first):
        runs.append(Run(offset, number, cut))
        offset += len(line[cut:]) + 1
    return "\n".join(line[cut:] for line in kept), runs or [Run(0, 0, 0)]
