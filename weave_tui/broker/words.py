"""Words: how text becomes the tokens that the words part of the score counts.

The same function splits skills and queries. Identifiers are split and kept whole (`useEffect` is
also `use` and `effect`), endings are cut lightly, and scripts written without spaces become pairs
of characters.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

_UNSPACED_SCRIPTS = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
WORD = re.compile(r"[^\W_]+(?:[-_./'’][^\W_]+)*")
"""A word as people see it: an identifier, a path or a hyphenated compound is one."""
EXTENSION = re.compile(r"\.([A-Za-z][A-Za-z0-9]{1,9})(?!\w)")
CALL = re.compile(r"(?:(?<=^)|(?<=[\s`'\"(]))/([A-Za-z][\w:-]*)(?![\w/.])")
"""A skill called by its name with a slash."""

_PIECE = re.compile(r"[^\W_]+")
_RUN = re.compile(f"[{_UNSPACED_SCRIPTS}]+|[^{_UNSPACED_SCRIPTS}]+")
_UNSPACED = re.compile(f"[{_UNSPACED_SCRIPTS}]")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_LONGEST_JOINED = 40
_MOST_JOINED = 4

STOP_WORDS = frozenset(
    """
    a about above after again all also am an and any are aren as at be because been before being below between both
    but by can could d did didn do does doesn doing don down during each few for from further get gets got had has
    have having he her here hers him his how i if in into is isn it its itself just let lets ll m me more most my
    myself need needs no nor not now of off on once only or other our ours out over own please re s same she should
    skill skills so some such t than that the their theirs them then there these they this those through to too
    trigger triggers under until up us use used user users uses using ve very want wants was wasn we were what when
    where which while who whom why will with won would you your yours
    """.split()
)
"""Words that say nothing about a task; "skill", "user" and "trigger" say nothing where everything is a skill."""


class Kind(IntEnum):
    """What a token is: only words stand in pairs, only words and joined ones have a stub."""

    WORD = 0
    JOINED = 1
    CHARACTERS = 2
    EXTENSION = 3


class Token(NamedTuple):
    """A counted part of a word: its term, the part as written in lower case, and whether the word ends with it."""

    kind: Kind
    term: str
    surface: str
    closes: bool


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text as written, its place (character offsets), and the tokens it counts as."""

    text: str
    start: int
    end: int
    tokens: tuple[Token, ...]


def words(text: str) -> list[Word]:
    """The words of `text` in order; stop words have no tokens."""
    extensions = {match.end(): extension_of(match.group(1)) for match in EXTENSION.finditer(text)}
    found = []
    for match in WORD.finditer(text):
        own = [token for end, token in extensions.items() if match.start() < end <= match.end()] if extensions else []
        found.append(Word(match.group(), match.start(), match.end(), (*tokens_of(match.group()), *own)))
    return found


def extension_of(letters: str) -> Token:
    """The token of a file's ending, given without its dot."""
    return Token(Kind.EXTENSION, "." + letters.lower(), letters.lower(), True)


@functools.lru_cache(maxsize=65_536)
def tokens_of(word: str) -> tuple[Token, ...]:
    """The tokens of one word, in order: its pieces without stop words, and what joins several of them."""
    word = unicodedata.normalize("NFKC", word)
    found: list[Token] = []
    pieces: list[str] = []
    for piece in _PIECE.finditer(word):
        for match in _RUN.finditer(piece.group()):
            run, end = match.group(), piece.start() + match.end()
            if _UNSPACED.match(run):
                pairs = (run[i : i + 2] for i in range(max(1, len(run) - 1)))
                found += [Token(Kind.CHARACTERS, pair, pair, False) for pair in pairs]
                continue
            humps = [hump.lower() for hump in _HUMP.split(run)]
            pieces += humps
            last = end == len(word)
            found += [
                Token(Kind.WORD, stem(hump), hump, last and i == len(humps) - 1)
                for i, hump in enumerate(humps)
                if hump not in STOP_WORDS
            ]
            if len(humps) > 1 and len(run) != len(word):
                found.append(_joined(run.lower(), last))
    if 2 <= len(pieces) <= _MOST_JOINED and len(word) < _LONGEST_JOINED:
        whole = "".join(pieces)
        if whole not in STOP_WORDS:
            found.append(_joined(whole, True))
    return tuple(found)


def _joined(text: str, closes: bool) -> Token:
    return Token(Kind.JOINED, stem(text), text, closes)


_VOWELS = frozenset("aeiouy")
_HISSING = ("sses", "shes", "ches", "xes", "zes")


@functools.lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """A lower-case ASCII word without its plural, -ing or -ed, final e or y; short and other words stay."""
    if len(word) < 4 or not (word.isascii() and word.isalpha()):
        return word
    word = _without_verb_ending(_without_plural(word))
    if len(word) > 3 and word.endswith("e"):
        return word[:-1]
    if len(word) > 3 and word.endswith("y") and word[-2] not in _VOWELS:
        return word[:-1] + "i"
    return word


def _without_plural(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(_HISSING):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _without_verb_ending(word: str) -> str:
    for ending in ("ing", "ed"):
        base = word.removesuffix(ending)
        if base != word and len(base) >= 3 and _VOWELS & set(base) and not word.endswith("eed"):
            doubled = len(base) > 3 and base[-1] == base[-2] and base[-1] not in "lsz"
            return base[:-1] if doubled else base
    return word


def squashed(name: str) -> str:
    """A skill's name as it is called, without its namespace, marks and case."""
    return re.sub(r"[\W_]", "", name.split(":")[-1].lower())
