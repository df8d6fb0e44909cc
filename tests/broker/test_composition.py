"""Composition: parts with offsets, fences closed, sources of every line."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.broker.test_dedupe import BODIES
from tests.factory import skill
from weave_tui.broker import Composition, Piece, Role
from weave_tui.broker.composition import ADDED, SEPARATOR, compose


def composition(*bodies: str) -> Composition:
    return compose([Piece(skill(f"s{i}", body), Role.MATCH) for i, body in enumerate(bodies)], len)


@given(BODIES)
def test_the_text_is_its_parts(bodies: list[str]) -> None:
    made = composition(*bodies)
    texts = [made.text[part.start : part.end] for part in made.parts]
    assert SEPARATOR.join(texts) == made.text
    for part, text in zip(made.parts, texts, strict=True):
        body = part.piece.skill.body.split("\n")
        lines = text.split("\n")
        assert len(lines) == len(part.lines)
        for line, source in zip(lines, part.lines, strict=True):
            assert source == ADDED or body[source] == line


@given(BODIES)
def test_the_same_skills_give_the_same_bytes(bodies: list[str]) -> None:
    assert composition(*bodies).text == composition(*bodies).text


@pytest.mark.parametrize(
    ("body", "end"),
    [
        ("```py\ncode", "code\n```"),
        ("````\n```\ncode", "code\n````"),
        ("~~~\ncode", "code\n~~~"),
        ("- a\n\n  ```\n  code", "  code\n  ```"),
        ("```", "```\n```"),
    ],
)
def test_an_open_fence_is_closed_and_said(body: str, end: str) -> None:
    made = composition(body, "Next.")
    assert made.text.split(SEPARATOR)[0].endswith(end)
    assert [diagnostic.code for diagnostic in made.diagnostics] == ["fence-open"]
    assert made.parts[0].lines[-1] == ADDED


@pytest.mark.parametrize("body", ["```\nx\n```", "~~~~\n```\n~~~~", "text ``` text", "- a\n  ```\n  x\n  ```"])
def test_a_closed_fence_is_left_alone(body: str) -> None:
    assert composition(body).text == body
    assert composition(body).diagnostics == ()


def test_an_empty_part_leaves_no_separator() -> None:
    assert composition("A.", "", "A.", "B.").text == "A.\n\n---\n\nB."
