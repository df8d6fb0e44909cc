"""Rewriting a field: the new value is read back exactly, and no other byte that says something changed."""

from __future__ import annotations

import difflib
import re

import pytest
import yaml
from hypothesis import assume, example, given
from hypothesis import strategies as st

from tests.conftest import SHARED
from weave_tui.skills import frontmatter
from weave_tui.skills.repairs import repair
from weave_tui.skills.rewrite import EditError, checked, field_name, rewritten

FORMS = {
    "plain": "description: Ships the app.",
    "commented": "description: Ships the app. # for now",
    "single": "description: 'Ships: the app.'",
    "double": 'description: "Ships: the \\"app\\"."',
    "folded": "description: >-\n  Ships the app\n  to production.",
    "folded, clipped": "description: >\n  Ships the app\n  to production.\n",
    "literal": "description: |\n  Ships the app\n  # no comment\n  to production.",
    "plain over lines": "description: Ships the app\n  to production.",
    "quoted over lines": 'description: "Ships the app\n  # no comment\n  to production."',
    "empty": "description:",
    "null": "description: ~",
    "missing": "",
}
OTHERS = "# about\nname: deploy   # its name\n{}\n# before the tools\ntools: [a, b]\nversion: 1.10\n"
BODY = "\n# Deploy\n\n---\n\nname: not a field\n"


def document(form: str, end: str = "\n", mark: str = "") -> str:
    return mark + f"---\n{OTHERS.format(FORMS[form])}---\n{BODY}".replace("\n", end)


def strict(text: str) -> dict[str, object]:
    source = text.removeprefix("\ufeff").replace("\r\n", "\n").split("---\n")[1]
    loaded = yaml.safe_load(source)
    assert isinstance(loaded, dict)
    return loaded


VALUES = [
    "Deploys.",
    "It's: a 'test' # of \"quotes\"",
    "- dash",
    "yes",
    "1.10",
    "{{x}} & *y",
    "日本語 🚀 é",
    "a" * 300,
    "@x",
    "? y",
]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("value", VALUES)
def test_a_description_is_replaced_and_nothing_else(form: str, end: str, value: str) -> None:
    old = document(form, end, "\ufeff")
    new = rewritten(old, "description", value)
    assert strict(new)["description"] == value
    assert frontmatter.split(new, repair).fields["description"].value == value
    assert new.count("\n") == new.count(end), "line ends are kept"
    own = set(FORMS[form].replace("\n", end).split(end)) | {""}
    gone = [line[2:] for line in difflib.ndiff(old.splitlines(), new.splitlines()) if line.startswith("- ")]
    assert set(gone) <= own, "only lines of the field change"
    if form == "commented":
        assert "# for now" in new
    assert new.startswith("\ufeff") and new.endswith(BODY.replace("\n", end))


LISTS = {
    "block": "triggers:\n  - deploy it\n  # the next one is rare\n  - 'roll: back'   # why\n",
    "block, not indented": "triggers:\n- deploy it\n- roll back\n",
    "flow": "triggers: [deploy it, 'roll: back']",
    "text": "triggers: deploy it, roll back",
    "empty": "triggers: []",
    "missing": "",
}


@pytest.mark.parametrize("form", LISTS)
@pytest.mark.parametrize("value", [("deploy it", "new: one"), ("x",), (), ("roll: back", "a, b", "[c]")])
def test_triggers_are_replaced_in_their_form(form: str, value: tuple[str, ...]) -> None:
    old = f"---\n{OTHERS.format(LISTS[form])}---\n{BODY}"
    new = rewritten(old, "trigger_patterns", value)
    name = field_name(new, "triggers") if value else ("triggers" if LISTS[form] else "trigger_patterns")
    assert list(strict(new)[name]) == list(value)  # type: ignore[call-overload]
    assert "# before the tools\ntools: [a, b]\nversion: 1.10\n---\n" in new
    if form == "block" and "deploy it" in value:
        assert "  - deploy it\n" in new
    if form == "block" and "roll: back" in value:
        assert "  # the next one is rare\n  - 'roll: back'   # why\n" in new, "an item that stays keeps its comments"


def test_a_file_without_frontmatter_gets_one() -> None:
    new = rewritten("\ufeff# Title\r\n\r\nText.\r\n", "description", "Says: something.")
    assert new == "\ufeff---\r\ndescription: 'Says: something.'\r\n---\r\n\r\n# Title\r\n\r\nText.\r\n"


@pytest.mark.parametrize(
    "text",
    [
        "---\nglobs: *.ts\ndescription: x\n---\nBody\n",
        "---\nname: x\ndescription: y\nBody without a close\n",
        "  ---\n  name: x\n  ---\n  Body\n",
    ],
)
def test_frontmatter_that_is_not_sound_is_not_touched(text: str) -> None:
    with pytest.raises(EditError, match="mend"):
        rewritten(text, "description", "new")


@pytest.mark.parametrize("value", ["a\x1bb", "a\0", "\ud800"])
def test_what_no_file_may_hold_is_refused(value: str) -> None:
    with pytest.raises(EditError, match=r"U\+"):
        checked(value)


def test_lines_become_one() -> None:
    assert checked("a\n  b\tc ") == "a b c"
    assert checked((" a ", "", "a", "b\nc")) == ("a", "b c")


KEYS = st.sampled_from(["name", "globs", "tools", "version", "license", "x-y"])
SCALARS = st.sampled_from(
    ["a", "'b'", '"c d"', ">-\n  folded\n  text", "|\n  lit\n\n  eral", "[1, 2]", "", "{a: b}", "\n  - 1"]
)
TEXTS = st.text(st.characters(exclude_categories=["Cc", "Cs", "Co", "Cn"]), max_size=60)


@given(st.dictionaries(KEYS, SCALARS, max_size=4), st.sampled_from(list(FORMS.values())), TEXTS, st.booleans())
@example({}, "description: x", "0", False)
@example({"name": "a"}, "", "# not a comment", True)
def test_any_text_is_read_back_from_any_frontmatter(others: dict[str, str], form: str, value: str, first: bool) -> None:
    entries = [f"{key}: {text}" for key, text in others.items()]
    entries = [form, *entries] if first else [*entries, form]
    old = "---\n" + "".join(f"{entry}\n" for entry in entries if entry) + "---\n\nBody\n"
    assume(frontmatter.split(old, repair).has_frontmatter)
    wanted = checked(value)
    new = rewritten(old, "description", value)
    after, before = frontmatter.split(new, repair), frontmatter.split(old, repair)
    assert (after.fields["description"].value or "") == wanted
    assert after.body == before.body
    assert {k: v.value for k, v in after.fields.items() if k != "description"} == {
        k: v.value for k, v in before.fields.items() if k != "description"
    }
    again = rewritten(new, "description", value)
    assert frontmatter.split(again, repair).fields["description"].value == after.fields["description"].value


@given(st.text(max_size=200), TEXTS)
def test_no_file_makes_it_fail_otherwise(text: str, value: str) -> None:
    try:
        new = rewritten(text, "description", value)
    except EditError:
        return
    assert frontmatter.split(new, repair).body == frontmatter.split(text, repair).body


@pytest.mark.skipif(not (SHARED / "corpus").is_dir(), reason="no corpus beside the project")
def test_hundreds_of_real_files_change_in_their_description_alone() -> None:
    done = 0
    for path in sorted((SHARED / "corpus").rglob("*.md*")):
        if not path.is_file():
            continue
        text = path.read_bytes().decode("utf-8", "replace")
        before = frontmatter.split(text, repair)
        if "description" not in before.fields:
            continue
        try:
            new = rewritten(text, "description", "Says: something else, for once.")
        except EditError:
            continue
        after = frontmatter.split(new, repair)
        assert after.fields["description"].value == "Says: something else, for once."
        own = before.fields["description"].line - 1
        others = [field.line - 1 for field in before.fields.values()]
        following = min((line for line in others if line > own), default=before.body_line - 1)
        old_lines, new_lines = (re.findall(r"[^\n]*\n|[^\n]+", one) for one in (text, new))
        head = next(i for i, (a, b) in enumerate(zip(old_lines, new_lines, strict=False)) if a != b)
        tail = next(i for i, (a, b) in enumerate(zip(old_lines[::-1], new_lines[::-1], strict=False)) if a != b)
        assert head >= own and len(old_lines) - tail <= following, path
        done += 1
    assert done >= 300
