"""Where frontmatter starts and ends, what its fields say, and what is repaired."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weave_tui.skills.frontmatter import Split, split
from weave_tui.skills.repairs import repair


def parse(text: str) -> Split:
    return split(text, repair)


def values(text: str) -> dict[str, object]:
    return {key: field.value for key, field in parse(text).fields.items()}


def codes(text: str) -> list[str]:
    return [code for code, *_ in parse(text).issues]


@pytest.mark.parametrize(
    ("text", "fields", "body"),
    [
        ("---\nname: a\n---\nBody", {"name": "a"}, "Body"),
        ("\ufeff---\r\nname: a\r\n---\r\n\r\nBody\r\n", {"name": "a"}, "Body"),
        ("no frontmatter", {}, "no frontmatter"),
        ("---\nname: a\n---\n\n---\n\nText\n\n---\n", {"name": "a"}, "---\n\nText\n\n---"),
        ("<!-- licence\nof file -->\n---\nname: a\n---\nBody", {"name": "a"}, "Body"),
        ("----\nname: a\n---\nBody", {}, "----\nname: a\n---\nBody"),
        ("---\n\nA rule, then text\n---\nBody: x", {}, "---\n\nA rule, then text\n---\nBody: x"),
        ("---\n---\nBody", {}, "Body"),
        ("\n    ---\n    name: a\n    ---\n    Body", {"name": "a"}, "Body"),
        ("---\nversion: 1.10\non: yes\nnull: ~\n---\n", {"version": "1.10", "on": "yes", "null": None}, ""),
        ("---\n2024: x\nmeta: &m\n  again: *m\n---\nB", {"2024": "x", "meta": None}, "B"),
        ("---\ntags: [a, b]\n---\n", {"tags": ("a", "b")}, ""),
        ("---\ndescription: |\n  one\n  two\n---\n", {"description": "one\ntwo"}, ""),
    ],
)
def test_split(text: str, fields: dict[str, object], body: str) -> None:
    assert values(text) == fields
    assert parse(text).body == body


@pytest.mark.parametrize(
    ("source", "fields"),
    [
        ("globs: *.ts, **/*.tsx", {"globs": "*.ts, **/*.tsx"}),
        ("description: Use this: when needed\nname: a", {"description": "Use this: when needed", "name": "a"}),
        ("description: @media rules", {"description": "@media rules"}),
        ('description: "a" and: b', {"description": '"a" and: b'}),
        ("name: a\n\tindented: b", {"name": "a indented: b"}),
        ("triggers:\n  - plain\n  - odd: [", {"triggers": ("plain", "odd: [")}),
        ("allowed-tools: - Read\n- Write\nname: a", {"allowed-tools": "- Read - Write", "name": "a"}),
        ("description: one: two\n  and: three", {"description": "one: two and: three"}),
        ("a: it's: fine", {"a": "it's: fine"}),
    ],
)
def test_repairs_keep_what_a_person_reads(source: str, fields: dict[str, object]) -> None:
    text = f"---\n{source}\n---\nBody"
    assert values(text) == fields
    assert "frontmatter-repaired" in codes(text)
    assert parse(text).body == "Body"


def test_a_repair_names_its_line() -> None:
    (issue,) = parse("---\nname: a\nglobs: *.ts\n---\n").issues
    assert issue[:2] == ("frontmatter-repaired", 3)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("---\nname: a\nno end", "frontmatter-unclosed"),
        ("---\n- a\n- b\n---\nBody", "frontmatter-not-mapping"),
        ("---\ntrigger: manual\n---\n---\ndescription: d\n---\nBody", "frontmatter-twice"),
    ],
)
def test_what_cannot_be_meant_is_said(text: str, code: str) -> None:
    assert codes(text) == [code]


def test_a_second_block_fills_what_the_first_lacks_and_leaves_the_body() -> None:
    text = "---\nname: first\n---\n---\nname: second\ndescription: d\n---\nBody"
    assert values(text) == {"name": "first", "description": "d"}
    assert parse(text).body == "Body"


@pytest.mark.parametrize(
    "source",
    [
        "a: " + "[" * 50_000,
        "a: " + "- " * 30_000,
        "\n".join(f"{' ' * i}k{i}:" for i in range(400)),
        "a: &a [x]\n" + "\n".join(f"{chr(98 + i)}: &{chr(98 + i)} [*{chr(97 + i)}, *{chr(97 + i)}]" for i in range(20)),
        "a: &a\n  <<: *a",
        "? " * 5_000,
        "{" * 5_000,
        "a: !!python/object/apply:os.system [x]",
    ],
)
def test_no_yaml_hangs_or_breaks(source: str) -> None:
    assert isinstance(parse(f"---\nname: x\n{source}\n---\nBody").fields, dict)


@pytest.mark.fuzz
@given(st.text())
def test_any_text_is_split(text: str) -> None:
    parse(text)


LINES = st.lists(
    st.sampled_from(
        ["name: a", "description: b: c", "globs: *.ts", "- item", "\tx: y", "---", "", "  more", "k: [", 'q: "x', "'"]
    )
    | st.text(st.characters(exclude_characters="\r\n"), max_size=20),
    max_size=8,
)


@pytest.mark.fuzz
@given(LINES)
def test_mutated_frontmatter_never_raises(lines: list[str]) -> None:
    parsed = parse("---\n" + "\n".join(lines) + "\n---\nThe body stays.")
    assert parsed.body.endswith("The body stays.")
