"""Disclaimers: what a skill says it is not for must not attract the query it sends away.

A third of real descriptions name what they are not for, and often the sibling that is. Cutting those
clauses before anything is counted was worth 1.1 points of hit@1 (docs/ranking.md).
"""

from __future__ import annotations

import re

_NOT_FOR = re.compile(
    r"""(?ix) \b (?:
      (?:do|does|must|should) \s+ not \s+ (?:use|trigger|activate|invoke|load|apply) \b
    | don['’]t \s+ (?:use|trigger|activate|invoke) \b (?! \s+ (?:the\s+)? (?:word|exact) )
    | not \s+ (?:for | to\s+be\s+used | intended | suitable | when | use) \b
    | (?:never|avoid) \s+ (?:use|trigger|using|invoke) \b
    | skip \s+ (?:for|if|when|only) \b
    | when \s+ not \s+ to \s+ use
    ) [^.!?;)]* (?: \.(?=\w) [^.!?;)]* )* [.!?;]?"""
)
"""From "NOT for" and the like to the end of the sentence; the dot of `.flow` or 3.5 ends none."""

_CLAUSE_END = re.compile(r"(?<=[.;])(?!\w)")
_SIBLING = r"\s*[`/]?\w+-[\w-]+`?(?:\s*\([^)]{0,200}\))?[.,;]?"
_HANDED_OVER = re.compile(
    rf"(?s).*[\w)`'\"?]→{_SIBLING}|(?i:\s*(?:for|if|when|to)\b).*(?:→|->){_SIBLING}",
)
""""X→other-skill", and "For X -> other-skill"."""
_INSTEAD = re.compile(r"(?i)\buse\s+(?:the\s+)?[`/]?\w+[-:][\w:-]+`?\s+(?:skill\s+)?instead\b")
_HINTS = ("→", "->", "instead")


def without_disclaimers(text: str) -> str:
    """`text` without what it says the skill is not for, and without what it hands to a sibling."""
    text = _NOT_FOR.sub(" ", text)
    if not any(hint in text for hint in _HINTS):
        return text
    return "".join(_kept(clause) for clause in _CLAUSE_END.split(text))


def _kept(clause: str) -> str:
    if _INSTEAD.search(clause):
        return " "
    handed = _HANDED_OVER.match(clause)
    return " " + clause[handed.end() :] if handed else clause
