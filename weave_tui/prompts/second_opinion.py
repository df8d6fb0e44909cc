"""chevron as a second opinion on our renderer (spec F).

chevron is never given a template to parse: it gets the accepted one as tokens, with a key of
its own for every name, so that neither its lookup nor its tokenizer decides anything. What it
does decide is looping, inversion and escaping, and there both must agree. Tests and
`prompt --check` ask for this; composing does not.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import chevron

from weave_tui.prompts.check import Block, Checked, Show
from weave_tui.prompts.render import Frame, Rendered, Template, lookup, printed
from weave_tui.prompts.scanner import Token

Tokens = list[tuple[str, str]]

_PRESENT = "present"
"""A key in every object, since chevron takes an empty one for false."""


def chevron_render(template: Template, context: Any) -> str:
    """What chevron makes of a checked template and its context."""
    tokens: Tokens = []
    keys: dict[int, str] = {}
    _rewrite(template.nodes, tokens, keys)
    data = _scope(template.nodes, [Frame(context)], keys)
    return str(chevron.render(template=tokens, data=data, partials_path=None))


def disagreement(rendered: Rendered, context: Any) -> str:
    """Empty when chevron gives the same text; else where the two differ first."""
    other = chevron_render(rendered.template, context)
    if other == rendered.text:
        return ""
    at = next(
        (index for index, (one, two) in enumerate(zip(rendered.text, other, strict=False)) if one != two),
        min(len(rendered.text), len(other)),
    )
    return f"output differs from chevron's at {at}: {rendered.text[at : at + 30]!r} and {other[at : at + 30]!r}"


def _rewrite(nodes: Iterable[Checked], tokens: Tokens, keys: dict[int, str]) -> None:
    for node in nodes:
        if isinstance(node, Token):
            tokens.append(("literal", node.text))
            continue
        key = keys.setdefault(node.token.start, f"key{node.token.start}")
        if isinstance(node, Show):
            tokens.append(("variable" if node.escaped else "no escape", key))
        else:
            tokens.append(("inverted section" if node.inverted else "section", key))
            _rewrite(node.children, tokens, keys)
            tokens.append(("end", key))


def _scope(nodes: Iterable[Checked], frames: list[Frame], keys: dict[int, str]) -> dict[str, Any]:
    """One object with everything that `nodes` ask for; a list becomes a list of such objects."""
    scope: dict[str, Any] = {_PRESENT: True}
    for node in nodes:
        if isinstance(node, Show):
            scope[keys[node.token.start]] = printed(lookup(node.ref, frames))
        elif isinstance(node, Block):
            _add_block(scope, node, frames, keys)
    return scope


def _add_block(scope: dict[str, Any], block: Block, frames: list[Frame], keys: dict[int, str]) -> None:
    value = lookup(block.ref, frames)
    key = keys[block.token.start]
    if not block.pushes:
        # The body sees the same frame: what it asks for lies in the same object.
        scope[key] = [{_PRESENT: True}] if value == {} else value
        scope.update({name: found for name, found in _scope(block.children, frames, keys).items() if name != _PRESENT})
    elif isinstance(value, list):
        scope[key] = [
            _scope(block.children, [*frames, Frame(item, index == 0, index == len(value) - 1)], keys)
            for index, item in enumerate(value)
        ]
    elif value or value == {}:
        scope[key] = _scope(block.children, [*frames, Frame(value)], keys)
    else:
        scope[key] = value
