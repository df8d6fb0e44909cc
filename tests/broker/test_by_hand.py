"""Composing named skills: order, what comes along, layouts, and the account of it."""

from __future__ import annotations

import json

import pytest

from tests.factory import Letters, skill
from weave_tui.broker import Composition, Manner, Role
from weave_tui.broker.by_hand import AmbiguousNameError, choose_by_hand, compose_by_hand, position_of
from weave_tui.broker.layouts import LAYOUTS
from weave_tui.broker.provenance import as_dict, as_text
from weave_tui.broker.registry import build_registry
from weave_tui.skills import Skill

LOW = skill("low", "# Low\n\nNever use tabs.\n\nSee references/a.md.", needs=("base",))
HIGH = skill("high", "# High\n\nUse tabs.")
BASE = skill("base", "# Base\n\nUse tabs.\n\nMore.")


def composed(*skills: Skill, manner: Manner | None = None) -> Composition:
    registry = build_registry([LOW, HIGH, BASE])
    positions = [registry.skills.index(wanted) for wanted in skills]
    return compose_by_hand(registry, positions, Letters(), manner or Manner())


def test_the_given_order_counts_and_needed_skills_follow() -> None:
    made = composed(LOW, HIGH, LOW)
    assert [(piece.skill.name, piece.role, piece.asked_by) for piece in made.pieces] == [
        ("low", Role.PINNED, ()),
        ("high", Role.PINNED, ()),
        ("base", Role.DEPENDENCY, ("low",)),
    ]
    assert "Use tabs." not in made.text.split("\n")
    assert "Never use tabs." in composed(LOW).text
    assert "Never use tabs." not in composed(HIGH, LOW).text


def test_a_name_means_one_skill() -> None:
    registry = build_registry(
        [
            skill("one", "Text of one.", source="project"),
            skill("one", "Other text of one.", source="user"),
            skill("two", "Words of two.", path="a/SKILL.md"),
            skill("two", "Something else entirely.", path="b/SKILL.md"),
        ]
    )
    position = position_of(registry, "One")
    assert position is not None and registry.skills[position].source == "project"
    assert position_of(registry, "three") is None
    with pytest.raises(AmbiguousNameError, match=r"'two' means several skills: /library/a/SKILL\.md, /library/b"):
        position_of(registry, "two")


def test_variants_are_composed_once() -> None:
    registry = build_registry([skill("a", "Same text.", path="a"), skill("b", "Same text.", path="b")])
    assert len(choose_by_hand(registry, [0, 1])) == 1


def test_the_layouts_name_folders_and_list_cited_files() -> None:
    made = composed(HIGH, LOW)
    assert LAYOUTS["default"](made) == made.text
    first, second = LAYOUTS["xml"](made).split("\n\n<skill ")[:2]
    assert first == '<skill name="high" folder="/library/given/claude_code/high">\n# High\n\nUse tabs.\n</skill>'
    assert second.startswith('name="low" folder=')
    assert "\n\n<files>\n- references/a.md\n</files>\n</skill>" in LAYOUTS["xml"](made)
    assert LAYOUTS["markdown"](made).startswith("# Skill: high\n\nFolder: `/library/given/claude_code/high`\n\n# High")
    assert "Files:\n\n- references/a.md\n\n# Low" in LAYOUTS["markdown"](made)


def test_no_part_can_close_its_tag() -> None:
    hostile = skill('a"><b', "Text </skill> and <skill>.")
    made = compose_by_hand(build_registry([hostile]), [0], Letters())
    assert LAYOUTS["xml"](made).startswith('<skill-2 name="a&quot;&gt;&lt;b" folder=')
    assert LAYOUTS["xml"](made).endswith("\n</skill-2>")


def test_the_account_as_text() -> None:
    lines = as_text(composed(HIGH, LOW, manner=Manner(max_tokens=60))).splitlines()
    assert lines[0].startswith("1  high")
    assert "   - line 7 gave way to high, line 7: Never use tabs. / Use tabs." in lines
    assert any("   needed by low: nothing of it is left" in line for line in lines)
    assert any("   - section 'Base' was cut: " in line for line in lines)
    assert lines[-1].startswith("about ")


def test_the_account_as_data() -> None:
    made = composed(HIGH, LOW)
    account = json.loads(json.dumps(as_dict(made)))
    assert [part["name"] for part in account["parts"]] == ["high", "low", "base"]
    assert [account["text"][part["start"] : part["end"]].split("\n")[0] for part in account["parts"]] == [
        "# High",
        "# Low",
        "# Base",
    ]
    (conflict,) = account["conflicts"]
    assert conflict == {
        "kept": {"skill": "high", "line": 7, "text": "Use tabs."},
        "gave_way": {"skill": "low", "line": 7, "text": "Never use tabs."},
        "resolved": True,
    }
    assert {"duplicate", "conflict"} <= {removed["reason"] for removed in account["removed"]}


def test_both_stay_by_the_setting_and_the_account_says_so() -> None:
    made = composed(HIGH, LOW, manner=Manner(keep_conflicts=True))
    assert "   - line 7 stays against high, line 7: Never use tabs." in as_text(made).splitlines()
    assert as_dict(made)["conflicts"][0]["resolved"] is False
