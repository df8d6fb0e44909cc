"""Statements: what the instruction lines of a body tell to do, and what they forbid.

An instruction line is a sentence of prose or of a list item, by the outline; code, tables, HTML
and headings instruct nothing. A statement is one clause of it: its sign, and the words that are left
when the words that carry the sign are taken away.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from weave_tui.broker.outline import Line, Outline, outline
from weave_tui.broker.polarity import (
    ACTIONS,
    BEING,
    CONDITIONS,
    DUTIES,
    FACTS,
    FILLERS,
    HEDGES,
    NEGATIONS,
    QUALIFIERS,
    REASONS,
    SIGNPOSTS,
)

MAX_WORDS = 24
"""A clause of more words than this is an explanation."""

_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')*_`]*\s+(?=[\"'(*_`]*[A-Z0-9])")
_CLAUSE_END = re.compile(
    r"\s*[;()\u2014\u2013]+\s*|\s+--?\s+|,?\s+but\s+"
    r"|,\s+(?=(?:and |or )?(?:never|always|avoid|use|do not|don't|must|prefer)\b)",
    re.IGNORECASE,
)
_CHOICE = re.compile(
    r"\b(?P<verb>prefer|favou?r|use|choose)\s+(?P<chosen>[^,;:]+?),?\s+"
    r"(?P<than>over|to|instead of|rather than|not)\s+(?P<other>[^,;:.]+)",
    re.IGNORECASE,
)
_TAIL = re.compile(r"\s+(?:for|in|on|when|if|unless|where)\s+")
_SET_APART = ("instead of", "rather than", "not")
_COMPARED = dict.fromkeys(("use", "choose"), _SET_APART) | dict.fromkeys(
    ("prefer", "favor", "favour"), ("over", "to", *_SET_APART)
)
"""By the verb, what sets the other side of a choice apart ("use X to Y" is no choice)."""
_EMPTY = FILLERS | BEING | QUALIFIERS
_BEFORE_NEGATION = BEING | DUTIES | {"may", "can", "will"}
_BEFORE_ACTION = BEING | DUTIES | NEGATIONS
_LABEL = re.compile(r"^(?P<label>[^:]{1,40}):[*_]*\s+(?=\S)")
_WORD = re.compile(r"`[^`]+`|[@#]?[^\W_](?:[\w'./@-]*\w)?")
_MARKER = re.compile(r"^[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*(?:\[[ xX]\][ \t]+)?")
_CROSSED = re.compile(
    r"[\u274c\u2717\u2718\U0001f6ab\u26d4\u2715\u2716]|^\W*(?:bad|wrong|incorrect|instead of)\b", re.I
)


Lines = tuple[int, int]
"""Lines of a body, 0-based: the first, and the one after the last."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One clause of an instruction.

    lines: the lines of the body its sentence stands on. sign: +1 tells to do, -1 forbids. is_marked: a word says that
    it instructs. has_action: it is about doing a listed action to a thing ("use", "avoid"). verb: the stem of what
    else is (not) to be done, "" where only a thing is named. order: the stems that are left; bounds: the words that
    bound it. text: the words that are left, for the line embedding.
    chosen, other: of "prefer X over Y" the stems of X and Y.
    """

    lines: Lines
    sign: int
    is_marked: bool
    has_action: bool
    verb: str
    order: tuple[str, ...]
    bounds: frozenset[str]
    text: str
    chosen: frozenset[str] = frozenset()
    other: frozenset[str] = frozenset()

    @property
    def words(self) -> frozenset[str]:
        return frozenset(self.order)


def stem(word: str) -> str:
    """A word without the endings that change nothing here: plural, -ing, -ed."""
    if word.startswith("`"):
        return word.strip("`")
    word = word.removesuffix("'s")
    for ending, least in (("ing", 6), ("ies", 5), ("ied", 5), ("ed", 5), ("es", 5), ("s", 4)):
        if len(word) >= least and word.endswith(ending) and not word.endswith("ss"):
            word = word[: -len(ending)] + ("y" if ending[0] == "i" and ending != "ing" else "")
            break
    word = word.removesuffix("e") if len(word) > 3 else word
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "sl" else word


@functools.lru_cache(maxsize=512)
def statements(body: str) -> tuple[Statement, ...]:
    """Every statement of a body, in order."""
    return tuple(
        statement
        for start, end in _instructing(outline(body))
        for lines, sentence in sentences(outline(body), start, end)
        for statement in read(sentence, lines)
    )


def _instructing(shape: Outline) -> Iterator[Lines]:
    """The paragraphs that are not merely listed under words like "Common mistakes:"."""
    headings = iter([*shape.headings, (len(shape.lines), 1)])
    next_heading, heading_lists = next(headings)[0], False
    leads: list[tuple[int, bool]] = []
    for start, end in shape.paragraphs:
        while next_heading < start:
            heading_lists, leads = _is_signpost(shape.lines[next_heading]), []
            next_heading = next(headings)[0]
        last = shape.lines[end - 1].rstrip(" *_")
        indent = len(shape.lines[start]) - len(shape.lines[start].lstrip()) if shape.kinds[start] is Line.ITEM else -1
        leads = [lead for lead in leads if lead[0] < indent]
        if shape.kinds[start] is not Line.ITEM or not (heading_lists or any(lists for _, lists in leads)):
            yield start, end
        if last.endswith(":"):
            leads.append((indent, _is_signpost(shape.lines[end - 1])))


def _is_signpost(line: str) -> bool:
    return not SIGNPOSTS.isdisjoint(_WORD.findall(line.lower().replace("\u2019", "'"))) or bool(_CROSSED.search(line))


def sentences(shape: Outline, start: int, end: int) -> Iterator[tuple[Lines, str]]:
    """The sentences of a paragraph, each with the lines it stands on."""
    pieces: list[str] = []
    starts: list[int] = []
    position = 0
    for line in range(start, end):
        text = _MARKER.sub("", shape.lines[line]).strip() if line == start else shape.lines[line].strip(" \t>")
        starts.append(position)
        pieces.append(text)
        position += len(text) + 1
    whole = " ".join(pieces)
    cuts = [0, *(match.end() for match in _SENTENCE_END.finditer(whole)), len(whole)]
    for left, right in itertools.pairwise(cuts):
        first = sum(at <= left for at in starts) - 1
        last = sum(at < right for at in starts) - 1
        yield (start + first, start + max(first, last) + 1), whole[left:right]


def read(sentence: str, lines: Lines = (0, 1)) -> list[Statement]:
    """The statements of one sentence."""
    if sentence.rstrip(" *_").endswith(("?", ":")) or _CROSSED.search(sentence):
        return []
    plain = sentence.replace("\u2019", "'").replace("**", "").replace("__", "").lower()
    scope: list[str] = []
    if label := _LABEL.match(plain):
        scope = _content(label["label"])
        plain = plain[label.end() :]
    return [found for clause in _CLAUSE_END.split(plain) for found in _read_clause(clause, scope, lines)]


def _read_clause(clause: str, scope: list[str], lines: Lines) -> list[Statement]:
    """What one clause says: a preference, what it chooses and rejects, or one statement."""
    choice = _CHOICE.search(clause)
    if not choice or choice["than"] not in _COMPARED[choice["verb"]]:
        statement = _statement(_WORD.findall(clause), scope, lines)
        return [statement] if statement else []
    rejected, _, tail = _TAIL.sub("\n", choice["other"], count=1).partition("\n")
    sides = _content(choice["chosen"]), _content(rejected)
    if not all(sides) or not NEGATIONS.isdisjoint(_WORD.findall(clause[: choice.start()])):
        return []
    scope = [*scope, *_content(tail)]
    chosen, other = (frozenset(map(stem, side)) for side in sides)
    found = [_made(lines, 1, [*sides[0], *sides[1]], tuple(map(stem, scope)), chosen, other)]
    if choice["verb"] in {"use", "choose"}:
        found += [_made(lines, sign, [*side, *scope]) for sign, side in zip((1, -1), sides, strict=True)]
    return found


def _made(
    lines: Lines,
    sign: int,
    about: list[str],
    order: tuple[str, ...] | None = None,
    chosen: frozenset[str] = frozenset(),
    other: frozenset[str] = frozenset(),
) -> Statement:
    """A statement that says what to take."""
    stems = tuple(map(stem, about)) if order is None else order
    return Statement(lines, sign, True, True, "", stems, frozenset(), " ".join(about), chosen, other)


def _statement(tokens: list[str], scope: list[str], lines: Lines) -> Statement | None:
    """One clause as a statement, or None where it neither tells nor forbids."""
    tokens = tokens[: next((i for i, token in enumerate(tokens) if i and token in REASONS), len(tokens))]
    if not 0 < len(tokens) <= MAX_WORDS or not FACTS.isdisjoint(tokens):
        return None
    sign, negation, verb, has_action, is_marked = 1, "", "", False, False
    rest: list[str] = []
    bounds: set[str] = set()
    for before, token, after in zip(["", *tokens], tokens, [*tokens[1:], ""], strict=False):
        if token in NEGATIONS:
            if negation or bounds or after in HEDGES or (rest and before not in _BEFORE_NEGATION):
                return None
            sign, negation, is_marked, verb = -sign, token, True, ""
        elif token in ACTIONS and (not rest or before in _BEFORE_ACTION):
            sign = sign if has_action else sign * ACTIONS[token]
            is_marked = has_action = True
        elif token in DUTIES:
            is_marked = True
        elif token in CONDITIONS:
            bounds.add(token)
        elif token not in _EMPTY:
            if not verb and not has_action and negation != "no":
                verb = stem(token)
            rest.append(token)
    if not rest:
        return None
    about = [*rest, *scope]
    order, text = tuple(map(stem, about)), " ".join(about)
    return Statement(lines, sign, is_marked, has_action, verb, order, frozenset(bounds), text)


def _content(text: str) -> list[str]:
    """The words of a text that have a subject of their own."""
    return [word for word in _WORD.findall(text) if word not in _EMPTY | DUTIES]
