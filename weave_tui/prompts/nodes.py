"""Tokens to a tree: sections hold what they enclose (spec B.6, SectionMismatch).

Only this module matches opening and closing tags.
"""

from __future__ import annotations

from dataclasses import dataclass

from weave_tui.prompts.errors import TemplateError
from weave_tui.prompts.scanner import Scan, Token

MAX_DEPTH = 64
"""Sections nested deeper than this are refused, so that recursion stays bounded (spec B.4)."""


@dataclass(frozen=True, slots=True)
class Section:
    """A section or inverted section; `opener.text` is its path."""

    opener: Token
    children: tuple[Node, ...]


Node = Token | Section
"""A leaf is its token: text, literal, value, raw or partial. Comments are gone."""


@dataclass(frozen=True, slots=True)
class Tree:
    """The nodes of a template, or what is wrong with its structure."""

    scan: Scan
    nodes: tuple[Node, ...]
    errors: tuple[TemplateError, ...]


@dataclass(slots=True)
class _Open:
    opener: Token | None
    children: list[Node]


def grow(scan: Scan) -> Tree:
    """The tree of a scan. Errors come in the order in which a reading from left to right meets them."""
    stack = [_Open(None, [])]
    found: list[TemplateError] = []
    for token in scan.tokens:
        match token.kind:
            case "comment":
                continue
            case "section" | "inverted":
                if len(stack) > MAX_DEPTH:
                    message = f"Sections are nested deeper than {MAX_DEPTH}."
                    deep = scan.error("MalformedSyntax", token, message, "Close some before opening more.")
                    before = [error for error in scan.errors if error.start < token.start]
                    return Tree(scan, (), (*_in_order(before, found), deep))
                stack.append(_Open(token, []))
            case "close":
                found.extend(_close(scan, stack, token))
            case _:
                stack[-1].children.append(token)
    errors = _in_order(scan.errors, found)
    if not scan.stopped:
        errors += [_never_closed(scan, opened.opener) for opened in stack if opened.opener]
    return Tree(scan, tuple(stack[0].children), tuple(errors))


def _close(scan: Scan, stack: list[_Open], closer: Token) -> list[TemplateError]:
    """Close the innermost section, or say why not and close the one that was meant."""
    openers = [opened.opener.text for opened in stack if opened.opener]
    if openers and openers[-1] == closer.text:
        _fold(stack)
        return []
    if not openers:
        hint = f"Open it with {{{{#{closer.text}}}}}, or delete the tag."
        return [scan.error("SectionMismatch", closer, "This tag closes a section that is not open.", hint)]
    inner = openers[-1]
    levels = openers[::-1].index(closer.text) + 1 if closer.text in openers else 1
    for _ in range(levels):
        _fold(stack)
    message = f"This tag closes {closer.text}, but the innermost open section is {inner}."
    return [scan.error("SectionMismatch", closer, message, f"Write {{{{/{inner}}}}} first.")]


def _fold(stack: list[_Open]) -> None:
    done = stack.pop()
    if done.opener:
        stack[-1].children.append(Section(done.opener, tuple(done.children)))


def _never_closed(scan: Scan, opener: Token) -> TemplateError:
    return scan.error(
        "SectionMismatch", opener, "This section is never closed.", f"Close it with {{{{/{opener.text}}}}}."
    )


def _in_order(*groups: tuple[TemplateError, ...] | list[TemplateError]) -> list[TemplateError]:
    return sorted((error for group in groups for error in group), key=lambda error: error.start)
