"""Composition: parts with offsets, fences closed, sources of every line."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.broker.test_dedupe import BODIES
from tests.factory import Letters, skill
from weave_tui.broker import Composition, Piece, Role
from weave_tui.broker.composition import ADDED, FULL, SEPARATOR, Manner, compose
from weave_tui.broker.dedupe import Reason
from weave_tui.broker.outline import Line, outline


def composition(*bodies: str, manner: Manner = FULL) -> Composition:
    return compose([Piece(skill(f"s{i}", body), Role.MATCH) for i, body in enumerate(bodies)], Letters(), manner)


def texts(made: Composition) -> list[str]:
    return [made.text[part.start : part.end] for part in made.parts]


BUDGETS = st.none() | st.integers(0, 200)


@given(BODIES, BUDGETS)
def test_the_text_is_its_parts_and_every_missing_line_has_a_reason(bodies: list[str], budget: int | None) -> None:
    made = composition(*bodies, manner=Manner(max_tokens=budget))
    assert SEPARATOR.join(texts(made)) == made.text
    assert made.sources == tuple(bodies)
    shown: dict[int, list[int]] = {index: [] for index in range(len(bodies))}
    for part, text in zip(made.parts, texts(made), strict=True):
        own, lines = bodies[part.index].split("\n"), text.split("\n")
        assert len(lines) == len(part.lines)
        for line, source in zip(lines, part.lines, strict=True):
            assert source == ADDED or own[source] == line
        shown[part.index] = [source for source in part.lines if source != ADDED]
    for index, body in enumerate(bodies):
        gone = [removed.line for removed in made.removed if removed.part == index]
        assert shown[index] == sorted(shown[index]), "order is kept"
        assert body == "" or sorted([*shown[index], *gone]) == list(range(len(body.split("\n"))))


@given(BODIES)
@example(["```", "```\n```"])
def test_composing_the_composed_parts_changes_nothing(bodies: list[str]) -> None:
    once = texts(composition(*bodies))
    assert texts(composition(*once)) == once


@given(BODIES)
def test_the_first_part_is_its_skill(bodies: list[str]) -> None:
    made = composition(*bodies)
    first = next((body for body in bodies if body), "")
    assert made.text.startswith(first)


@given(BODIES, BUDGETS)
def test_fences_are_closed_and_tables_whole(bodies: list[str], budget: int | None) -> None:
    for text in texts(composition(*bodies, manner=Manner(max_tokens=budget))):
        assert outline(text).open_fence == ""
        rows = [i for i, line in enumerate(text.split("\n")) if line.startswith("|")]
        assert len(rows) % 3 == 0


@given(BODIES, BODIES)
def test_conflicts_never_reach_what_is_kept(bodies: list[str], more: list[str]) -> None:
    made = composition(*bodies, *more)
    for conflict in made.conflicts:
        assert conflict.kept_part < conflict.gone_part
        gone = {(removed.part, removed.line) for removed in made.removed if removed.reason is Reason.CONFLICT}
        assert {(conflict.gone_part, line) for line in conflict.removed} <= gone
        assert (conflict.kept_part, conflict.kept_lines[0]) not in gone


TABS, NO_TABS = "# A\n\n- Always use tabs for indentation.\n- One.", "# B\n\n- Never use tabs for indentation.\n- Two."


def test_the_line_of_the_later_part_gives_way() -> None:
    made = composition(TABS, NO_TABS)
    assert texts(made) == [TABS, "# B\n\n- Two."]
    (removed,) = made.removed
    assert (removed.part, removed.line, removed.reason, removed.kept) == (1, 2, Reason.CONFLICT, (0, 2))


def test_a_setting_keeps_both() -> None:
    made = composition(TABS, NO_TABS, manner=Manner(keep_conflicts=True))
    assert texts(made) == [TABS, NO_TABS]
    assert len(made.conflicts) == 1 and made.removed == ()


def test_a_heading_goes_when_all_under_it_gave_way() -> None:
    assert texts(composition("Use tabs.", "# Tabs\n\nNever use tabs.\n\n# Rest\n\nMore.")) == [
        "Use tabs.",
        "# Rest\n\nMore.",
    ]


LONG = "# One\n\nFirst.\n\n## Two\n\n### Three\n\nDeep.\n\n# Four\n\nLast."


@pytest.mark.parametrize(
    ("budget", "left", "cut"),
    [
        (1000, [LONG, "# X\n\nOther.\n\n# Y\n\nEnd."], []),
        (77, [LONG, "# X\n\nOther."], ["Y"]),
        (62, [LONG], ["Y", "X"]),
        (50, ["# One\n\nFirst.\n\n## Two\n\n### Three\n\nDeep."], ["Y", "X", "Four"]),
        (30, ["# One\n\nFirst."], ["Y", "X", "Four", "Two"]),
        (1, ["# One\n\nFirst."], ["Y", "X", "Four", "Two"]),
    ],
)
def test_a_budget_cuts_sections_from_the_last_part_on(budget: int, left: list[str], cut: list[str]) -> None:
    made = composition(LONG, "# X\n\nOther.\n\n# Y\n\nEnd.", manner=Manner(max_tokens=budget))
    assert texts(made) == left
    assert [section.heading for section in made.cuts] == cut
    assert made.tokens <= budget or [diagnostic.code for diagnostic in made.diagnostics] == ["budget-exceeded"]
    assert {removed.reason for removed in made.removed} <= {Reason.CUT, Reason.EDGE}


@given(BODIES, st.integers(0, 200))
def test_a_cut_leaves_no_heading_without_its_text(bodies: list[str], budget: int) -> None:
    made = composition(*bodies, manner=Manner(max_tokens=budget))
    for part in made.parts:
        cut = [section for section in made.cuts if section.part == part.index]
        shape = outline(bodies[part.index])
        if cut and part.index and shape.kinds[part.lines[-1]] is Line.HEADING:
            levels = dict(shape.headings)
            last = max(line for line in levels if line <= part.lines[-1])
            assert levels.get(cut[-1].lines[0], 0) <= levels[last], "only a heading that never had a text"


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
