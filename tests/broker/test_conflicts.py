"""Conflicts: the labelled pairs and what the rule makes of them."""

from __future__ import annotations

import re

import pytest

from tests.broker.conflict_pairs import Pair, labelled
from weave_tui.broker import Encoder
from weave_tui.broker.conflicts import Conflict, find_conflicts
from weave_tui.broker.statements import read, statements, stem

LISTED = re.compile(
    r"\b(always|never|us(e|es|ed|ing)|avoid\w*|must|enabl\w*|disabl\w*|add\w*|remov\w*|requir\w*|forbid\w*|prefer\w*)\b",
    re.IGNORECASE,
)


def test_the_labelled_pairs_are_many_and_hard() -> None:
    pairs = labelled()
    plain = [pair for pair in pairs if not LISTED.search(pair.first) and not LISTED.search(pair.second)]
    assert len(set(pairs)) == len(pairs) >= 120
    assert len(plain) >= 40
    assert sum(pair.kind == "same" for pair in pairs) >= 30
    assert 1 / 4 < sum(pair.is_held_back for pair in pairs) / len(pairs) < 5 / 12


def conflicts(encoder: Encoder, *bodies: str) -> list[Conflict]:
    return list(find_conflicts(bodies, encoder.encode))


@pytest.mark.parametrize("held_back", [False, True])
def test_precision_and_recall_on_the_labelled_pairs(encoder: Encoder, held_back: bool) -> None:
    pairs = [pair for pair in labelled() if pair.is_held_back is held_back]

    def finds(pair: Pair) -> bool:
        return bool(conflicts(encoder, pair.first, pair.second))

    right = sum(finds(pair) for pair in pairs if pair.conflicts)
    assert right / sum(map(finds, pairs)) >= 0.9
    assert right / sum(pair.conflicts for pair in pairs) >= 0.7


def test_the_order_of_two_lines_does_not_matter(encoder: Encoder) -> None:
    for pair in labelled():
        assert bool(conflicts(encoder, pair.first, pair.second)) == bool(conflicts(encoder, pair.second, pair.first))


@pytest.mark.parametrize(
    ("sentence", "signs"),
    [
        ("Always use tabs.", [("+", "tab")]),
        ("Never use tabs, avoid tabs completely, use spaces only.", [("-", "tab"), ("-", "tab"), ("+", "spac")]),
        ("Source maps must be disabled.", [("-", "map sourc")]),
        ("Never disable certificate checks.", [("+", "certificat check")]),
        ("Do not remove failing tests.", [("+", "fail test")]),
        ("Choose it because it is avoidable.", [("+", "choos")]),
        ("Avoidable.", [("+", "avoidabl")]),
        ("The tool does not support tabs.", []),
        ("Not only tabs.", []),
        ("Should we use tabs?", []),
        ("❌ Use tabs.", []),
        ("Use pnpm instead of npm.", [("+", ""), ("+", "pnpm"), ("-", "npm")]),
        ("**Python**: use tabs.", [("+", "python tab")]),
        ("Do not use `any`.", [("-", "any")]),
    ],
)
def test_what_a_sentence_tells_and_forbids(sentence: str, signs: list[tuple[str, str]]) -> None:
    assert [("+" if s.sign > 0 else "-", " ".join(sorted(s.words))) for s in read(sentence)] == signs


def test_instructions_are_found_by_structure() -> None:
    body = (
        "# Always use headings\n\nUse prose. Use items:\n\n- Use lists\n  over two lines.\n\n"
        "```\nNever use code.\n```\n\n"
        "| Never use | tables |\n|---|---|\n\n## Common mistakes\n\n- Use globals.\n\nDon't do this:\n\n1. Use magic.\n"
    )
    assert [(s.lines, s.text) for s in statements(body)] == [((2, 3), "prose"), ((4, 6), "lists two lines")]


@pytest.mark.parametrize(
    ("words", "one"),
    [("tabs tab", "tab"), ("commits commit", "commit"), ("retries retried retry", "retry"), ("class classes", "class")],
)
def test_endings_that_change_nothing(words: str, one: str) -> None:
    assert {stem(word) for word in words.split()} == {one}


def test_the_vector(encoder: Encoder) -> None:
    first = "always use tabs for indentation in all files"
    second = "never use tabs, avoid tabs completely, use spaces only"
    (conflict,) = conflicts(encoder, first, second)
    assert (conflict.kept_part, conflict.kept_text, conflict.gone_part, conflict.gone_text) == (0, first, 1, second)
    assert conflicts(encoder, "because of it", "Avoidable") == []


def test_what_gave_way_contradicts_nobody_any_more(encoder: Encoder) -> None:
    found = conflicts(encoder, "Use semicolons.", "Avoid semicolons.", "Use semicolons.\n\nMore.", "Avoid semicolons.")
    assert [(conflict.kept_part, conflict.gone_part) for conflict in found] == [(0, 1), (0, 3)]


@pytest.mark.parametrize(
    ("body", "gone"),
    [
        ("Never use tabs.", (0,)),
        ("Intro.\n- Never use tabs\n  at all\n- next", (1, 2)),
        ("- Never use tabs.\n  - Not here.\n- next", (0, 1)),
        ("We care. Never use\ntabs. Spaces\nalign.\nOther line.", (0, 1, 2)),
        ("One. Two. Three. Four. Never use tabs. Six.", ()),
        ("- Never use tabs.\n\n  ```\n  x", ()),
    ],
)
def test_which_lines_give_way(encoder: Encoder, body: str, gone: tuple[int, ...]) -> None:
    (conflict,) = conflicts(encoder, "Use tabs.", body)
    assert conflict.removed == gone
