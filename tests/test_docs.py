"""The docs: every error kind has an example that shows it, and the generated parts are those of the code."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.docs.__main__ import PARTS, generated, pages
from tools.docs.prompt_examples import EXAMPLES, NO_EXAMPLE
from weave_tui.diagnostics import CODES


def test_every_kind_is_in_the_docs() -> None:
    assert {code for code in CODES if code.startswith("prompt-")} == EXAMPLES.keys() | NO_EXAMPLE.keys()


@pytest.mark.parametrize("code", EXAMPLES)
def test_an_example_shows_what_it_is_for(code: str) -> None:
    found = [diagnostic.code for diagnostic in EXAMPLES[code].diagnostics()]
    assert code in found
    assert all(CODES[other].severity != "error" for other in found if other != code), "one mistake at a time"


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_pages_are_up_to_date(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert generated(text) == text, "run 'make docs'"


def test_a_part_is_made_again_and_the_rest_is_left_alone() -> None:
    page = "before\n<!-- generated: keys -->\nstale words\n<!-- end -->\nafter\n"
    made = generated(page)
    assert made.startswith("before\n<!-- generated: keys -->\n\n| key |") and made.endswith("<!-- end -->\nafter\n")
    assert "stale words" not in made and generated(made) == made
    assert all(PARTS)
