"""Layouts: a composition as text. The protocol's `composed` is always the default one.

The other two say where each skill's folder is and which files of it the part cites, so that a pasted
skill does not lose its references.
"""

from __future__ import annotations

import html
from collections.abc import Callable

from weave_tui.broker.composition import Composition, Part
from weave_tui.skills.prose import cited_files


def default(composition: Composition) -> str:
    """The parts with a rule between them."""
    return composition.text


def tags(composition: Composition) -> str:
    """Each part in a tag with its name and folder, the files it cites in one of their own."""
    name = _free_tag(composition.text)
    blocks = []
    for part in composition.parts:
        files = _files(part, composition)
        listing = f"\n\n<files>\n{files}\n</files>" if files else ""
        about = f'name="{_attribute(part.piece.skill.name)}" folder="{_attribute(str(part.piece.skill.path.parent))}"'
        blocks.append(f"<{name} {about}>\n{composition.text[part.start : part.end]}{listing}\n</{name}>")
    return "\n\n".join(blocks)


def headings(composition: Composition) -> str:
    """Each part under a heading with its name; its own headings stay as they are written."""
    blocks = []
    for part in composition.parts:
        files = _files(part, composition)
        about = f"Folder: `{_line(str(part.piece.skill.path.parent))}`" + (f"\n\nFiles:\n\n{files}" if files else "")
        text = composition.text[part.start : part.end]
        blocks.append(f"# Skill: {_line(part.piece.skill.name)}\n\n{about}\n\n{text}")
    return "\n\n".join(blocks)


LAYOUTS: dict[str, Callable[[Composition], str]] = {"default": default, "xml": tags, "markdown": headings}
"""By the name that `--layout` knows."""


def _files(part: Part, composition: Composition) -> str:
    """The files that the text of a part cites, one an item, relative to its folder."""
    return "\n".join(f"- {path}" for path in cited_files(composition.text[part.start : part.end]))


def _free_tag(text: str) -> str:
    """A tag that no part can close."""
    number, tag = 1, "skill"
    while f"</{tag}" in text:
        number += 1
        tag = f"skill-{number}"
    return tag


def _attribute(text: str) -> str:
    return html.escape(_line(text))


def _line(text: str) -> str:
    return " ".join(text.split())
