"""Deduplication between parts: what goes, what stays, and that every missing line has its reason."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weave_tui.broker.dedupe import Reason, dedupe
from weave_tui.broker.outline import outline


def left(*bodies: str) -> list[str]:
    """What stays of each body."""
    kept = dedupe(bodies).kept
    return ["\n".join(body.split("\n")[line] for line in lines) for body, lines in zip(bodies, kept, strict=True)]


@pytest.mark.parametrize(
    ("first", "second", "rest"),
    [
        ("Same line.", "Other.\nSame line.", "Other."),
        ("Same line.  ", "Other.\nSame line.", "Other."),
        ("Same line.", "Other.\n  Same line.", "Other.\n  Same line."),
        ("- one\n- two", "- one\n- three", "- three"),
        ("- one", "- one\n  and more\n- three", "- one\n  and more\n- three"),
        ("- one\n  and more", "- one\n  and more\n- three", "- three"),
        ("- one\n  - inner", "- one\n  - inner\n  - other", "- one\n  - other"),
        ("# Title\n\nText.", "# Title\n\nOther.", "# Title\n\nOther."),
        ("Text.", "# Title\n\nText.\n\n# Next\n\nMore.", "# Next\n\nMore."),
        ("Text.", "# Title\n\n## Inner\n\nText.\n\n# Next\n\nMore.", "# Next\n\nMore."),
        ("Text.", "Title\n=====\n\nText.\n\nNext\n====\n\nMore.", "Next\n====\n\nMore."),
        ("a", "# Empty\n\n# Full\n\nMore.", "# Empty\n\n# Full\n\nMore."),
        ("```\ncode\n```", "Text.\n\n```\ncode\n```", "Text.\n\n```\ncode\n```"),
        ("code", "```\ncode\n```", "```\ncode\n```"),
        ("```\nprose\n```", "prose", "prose"),
        ("    indented", "Text\n\n    indented", "Text\n\n    indented"),
        ("|a|\n|-|\n|1|", "x\n\n|a|\n|-|\n|1|", "x\n\n|a|\n|-|\n|1|"),
        ("a\n\n---\n\nb", "c\n\n---\n\nd", "c\n\n---\n\nd"),
        ("<b>x</b>", "y\n\n<b>x</b>", "y\n\n<b>x</b>"),
        ("- a\n\n  ```\n  x\n  ```", "- a\n\n  ```\n  x\n  ```\n- b", "- a\n\n  ```\n  x\n  ```\n- b"),
        ("One.\nTwo.\nThree.", "Two.\nThree.", ""),
        ("# T\nOne.", "# T\n# T\nOne.", ""),
        ("One.\n\n# T\n\n```\nx\n```", "# T\n\n```\nx\n```", ""),
    ],
)
def test_what_a_later_part_loses(first: str, second: str, rest: str) -> None:
    assert left(first, second) == [first, rest]


def test_never_within_one_part() -> None:
    body = "Same.\n\nSame.\n\n- a\n- a"
    assert left(body) == [body]


def test_a_removed_line_says_where_it_is_kept() -> None:
    removed = dedupe(["Zero.\n\nOne.", "Own.\n\nOne."]).removed
    assert [(r.part, r.line, r.text, r.reason, r.kept) for r in removed if r.reason is Reason.DUPLICATE] == [
        (1, 2, "One.", Reason.DUPLICATE, (0, 2))
    ]


def test_the_third_part_is_compared_with_what_the_first_two_kept() -> None:
    assert left("A.", "A.\nB.", "A.\nB.\nC.") == ["A.", "B.", "C."]


PIECES = st.sampled_from(
    [
        "# Title",
        "## Inner",
        "Always lint.",
        "Never guess.",
        "Never lint.",
        "Always guess.",
        "- Never lint.\n  - nested",
        "We care. Always guess.\nDo it",
        "- item",
        "- other item\n  continued",
        "  - nested",
        "1. first",
        "```\ncode\n```",
        "~~~ py\nAlways lint.\n~~~",
        "```",
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "---",
        "Setext\n======",
        "> quoted",
        "<!-- note -->",
        "<div>\nAlways lint.\n</div>",
        "    indented code",
        "",
    ]
)
BODIES = st.lists(
    st.lists(PIECES, max_size=8).map("\n".join).map(lambda text: text.strip("\n")), min_size=1, max_size=4
)


@given(BODIES)
def test_every_missing_line_has_a_reason(bodies: list[str]) -> None:
    result = dedupe(bodies)
    for part, (body, kept) in enumerate(zip(bodies, result.kept, strict=True)):
        lines = range(len(body.split("\n")))
        gone = [removed.line for removed in result.removed if removed.part == part]
        assert sorted([*kept, *gone]) == list(lines), "each line stays or is removed, once"
        assert list(kept) == sorted(kept), "order is kept"
    assert result.kept[0] == tuple(range(len(bodies[0].split("\n")))), "the first part is whole"


@given(BODIES)
def test_what_was_removed_is_kept_elsewhere(bodies: list[str]) -> None:
    result = dedupe(bodies)
    for removed in result.removed:
        if removed.kept:
            part, line = removed.kept
            assert part < removed.part
            assert bodies[part].split("\n")[line].rstrip() == removed.text.rstrip()


@given(BODIES)
def test_structure_is_never_touched_alone(bodies: list[str]) -> None:
    result = dedupe(bodies)
    for removed in result.removed:
        if removed.reason is Reason.CONTAINED:
            continue
        kind = outline(bodies[removed.part]).kinds[removed.line].value
        allowed = {"duplicate": {"prose", "item"}, "section": {"heading"}, "edge": {"fixed"}}
        assert kind in allowed[removed.reason]


@given(BODIES)
def test_deduplication_is_idempotent(bodies: list[str]) -> None:
    once = left(*bodies)
    filled = [text for text in once if text]
    assert left(*filled) == filled


@given(st.lists(st.text(max_size=40), min_size=1, max_size=3))
def test_any_text_is_outlined(bodies: list[str]) -> None:
    for body, shape in zip(bodies, map(outline, bodies), strict=True):
        assert "\n".join(shape.lines) == body
        assert all(0 <= start < end <= len(shape.lines) for start, end in shape.items)
        assert all(itertools.pairwise(line for line, _ in shape.headings))
    dedupe(bodies)
