"""Stretches: splitting and wrapping keep every character and its origin."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from weave_tui.tui.lines import Origin, Stretch, split_lines, wrapped

TEXTS = st.lists(st.text(alphabet="ab 日\né", max_size=12), max_size=6)


def stretches(texts: list[str]) -> list[Stretch]:
    made, at = [], 0
    for text in texts:
        made.append(Stretch(text, origin=Origin(0, at, at + len(text))))
        at += len(text)
    return made


@given(TEXTS)
def test_lines_know_where_they_come_from(texts: list[str]) -> None:
    whole = "".join(texts)
    lines = list(split_lines(stretches(texts)))
    assert ["".join(stretch.text for stretch in line) for line in lines] == whole.split("\n")
    for line in lines:
        for stretch in line:
            assert stretch.origin and whole[stretch.origin.start : stretch.origin.end] == stretch.text


def test_a_value_of_several_lines_comes_from_its_one_tag() -> None:
    tag = Origin(0, 4, 12)
    lines = list(split_lines([Stretch("one\r\ntwo words and more", origin=tag)]))
    assert [[stretch.text for stretch in line] for line in lines] == [["one"], ["two words and more"]]
    assert {stretch.origin for line in lines for stretch in line} == {tag}


@given(TEXTS, st.integers(2, 30))
def test_wrapping_loses_nothing_but_blanks(texts: list[str], width: int) -> None:
    parts = stretches([text.replace("\n", "") for text in texts])
    rows = wrapped(parts, width)
    shown = ["".join(stretch.text for stretch in row) for row in rows]
    assert all(cell_len(row) <= width for row in shown)
    assert "".join(shown).replace(" ", "") == "".join(texts).replace("\n", "").replace(" ", "")


def test_rows_break_at_blanks() -> None:
    rows = wrapped([Stretch("one two "), Stretch("three four")], 9)
    assert ["".join(stretch.text for stretch in row) for row in rows] == ["one two", "three", "four"]
