"""JSON lines: each line by itself, with its number, and nothing that stops the rest."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from weave_tui.json_lines import json_lines

VALUES = st.lists(st.none() | st.integers() | st.text() | st.dictionaries(st.text(), st.text(), max_size=2), max_size=4)


@given(VALUES)
def test_what_was_written_is_read(values: list[object]) -> None:
    found = list(json_lines("\n\n".join(json.dumps(value, ensure_ascii=False) for value in values)))
    expected = [(2 * number + 1, value, "") for number, value in enumerate(values)]
    assert [tuple(line) for line in found] == expected


def test_a_broken_line_is_told_and_the_rest_is_read() -> None:
    first, second, third = json_lines('1\n{\n["x"]\n')
    assert (first.value, third.value) == (1, ["x"])
    assert second.number == 2 and second.problem.startswith("expected JSON: ")


def test_nesting_too_deep_is_a_problem_of_its_line() -> None:
    deep, fine = json_lines("[" * 100_000 + "\n1\n")
    assert deep.problem and fine.value == 1
