"""Words, fields and disclaimers: what is counted of a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weave_tui.broker.disclaimers import without_disclaimers
from weave_tui.broker.words import Kind, stem, words


def terms(text: str) -> list[str]:
    return [token.term for word in words(text) for token in word.tokens]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rename the columns", ["renam", "column"]),
        ("pre-commit", ["pre", "commit", "precommit"]),
        ("useEffect", ["effect", "useeffect"]),
        ("HTTPServer", ["http", "server", "httpserver"]),
        ("to-do", ["todo"]),
        ("review.flow", ["review", "flow", "reviewflow", ".flow"]),
        ("日本語", ["日本", "本語"]),
        ("数", ["数"]),
        ("Ｆｕｌｌ width", ["full", "width"]),
        ("🎉 !!!", []),
        ("a/b/c/d/e", ["b", "c", "e"]),
    ],
)
def test_terms(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("queries", "queri"),
        ("query", "queri"),
        ("classes", "class"),
        ("status", "status"),
        ("running", "run"),
        ("needed", "need"),
        ("sing", "sing"),
        ("ref", "ref"),
        ("k8ses", "k8ses"),
    ],
)
def test_stems(word: str, expected: str) -> None:
    assert stem(word) == expected


@given(st.text(max_size=200))
def test_words_are_where_they_say(text: str) -> None:
    for word in words(text):
        assert text[word.start : word.end] == word.text
        assert sum(token.closes for token in word.tokens if token.kind is Kind.WORD) <= 1


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Writes tests. NOT for load tests, see load-test.", "Writes tests."),
        ("Writes tests. Do not use when there is no code. Runs them.", "Writes tests. Runs them."),
        ("Edits .flow files, not for .trigger files. Fast.", "Edits .flow files, Fast."),
        ("Draws charts. For tables -> table-maker. Quick.", "Draws charts. Quick."),
        ("Draws charts; for maps use the map-maker skill instead.", "Draws charts;"),
        ("Don't use the word synergy.", "Don't use the word synergy."),
        ("Nothing here is sent away.", "Nothing here is sent away."),
    ],
)
def test_what_a_skill_is_not_for_is_cut(text: str, left: str) -> None:
    assert " ".join(without_disclaimers(text).split()) == left


@given(st.text(alphabet="ab-→>.;() forusenti", max_size=400))
def test_cutting_only_cuts(text: str) -> None:
    left = without_disclaimers(text)
    assert len(left.replace(" ", "")) <= len(text.replace(" ", ""))
