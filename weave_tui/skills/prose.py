"""What the body of a skill says about itself: its title, its first paragraph, the files it cites."""

from __future__ import annotations

import functools
import re

from markdown_it import MarkdownIt

_HEAD = 6_000
"""Characters of a body that can hold its title and first paragraph."""

_CITED = re.compile(
    r"(?<![\w/.:@-])(?:\./)?((?:references|scripts|assets|templates|examples|resources)/[\w./-]*\w\.\w{1,8})"
)


@functools.cache
def markdown() -> MarkdownIt:
    """The one Markdown parser: CommonMark with tables."""
    return MarkdownIt("commonmark", {"html": True}).enable("table")


def first_heading(body: str) -> str:
    """The text of the first `# ` heading, or "" when there is none."""
    tokens = markdown().parse(body[:_HEAD])
    for index, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag == "h1":
            return _plain(tokens[index + 1].content)
    return ""


def first_paragraph(body: str) -> str:
    """The first paragraph of prose outside lists, tables, quotes and code, on one line; "" when there is none."""
    tokens = markdown().parse(body[:_HEAD])
    for index, token in enumerate(tokens):
        if token.type == "paragraph_open" and token.level == 0:
            text = _plain(tokens[index + 1].content)
            if text:
                return text
    return ""


def _plain(inline: str) -> str:
    return " ".join(inline.split())


def cited_files(body: str) -> tuple[str, ...]:
    """Relative paths of bundled files that a body points at, in order, without repeats."""
    return tuple(dict.fromkeys(match[1] for match in _CITED.finditer(body)))
