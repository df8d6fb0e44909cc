"""Identity, shadowing, variants, and which skills a name means."""

from __future__ import annotations

import pytest

from tests.factory import skill
from weave_tui.broker import Broker, Encoder
from weave_tui.broker.registry import build_registry
from weave_tui.protocol import PROTOCOL, WeaveRequest

LONG = "One two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen. " * 4


def test_the_same_file_again_replaces(encoder: Encoder) -> None:
    broker = Broker(encoder)
    broker.advertise([skill("a", "Old.", path="a.md"), skill("b", path="b.md")])
    broker.advertise([skill("a", "New.", path="a.md")])
    assert [(found.name, found.body) for found in broker.registry.skills] == [("a", "New."), ("b", "")]


def test_a_project_skill_shadows_the_users_of_its_name_and_platform() -> None:
    registry = build_registry(
        [
            skill("a", "P.", source="project"),
            skill("a", "U.", source="user"),
            skill("a", "C.", source="user", platform="cursor"),
            skill("b", "B.", source="user"),
        ]
    )
    hidden = [registry.skills[i] for i in registry.shadowed]
    assert [(found.source, found.platform, found.body) for found in hidden] == [("user", "claude_code", "U.")]


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        (("a", "Same body."), ("b", "Same body."), True),
        (("my-skill", LONG), ("My Skill", LONG + "!"), True),
        (("my-skill", LONG), ("other", LONG + "More."), False),
        (("a", "Some body."), ("a", "Another text altogether."), False),
        (("a", ""), ("b", ""), False),
    ],
)
def test_variants(a: tuple[str, str], b: tuple[str, str], same: bool) -> None:
    registry = build_registry([skill(*a, path="1.md"), skill(*b, path="2.md")])
    assert (registry.groups[0] == registry.groups[1]) is same
    assert registry.variants == ((2, 2) if same else (1, 1))


def test_variants_are_one_candidate(encoder: Encoder) -> None:
    broker = Broker(encoder)
    same = "Paint the walls of a house."
    broker.advertise(
        [
            skill("paint", LONG, description=same, path="1.md"),
            skill("paint", LONG, description=same, path="2.md"),
            skill("bake", "Bake.", description="Bake bread."),
        ]
    )
    selection = broker.select(WeaveRequest(weave_protocol=PROTOCOL, query="paint the walls", top_n=2))
    assert selection.gap is not None and selection.gap > 0.2
    assert len(selection.chosen) == 1, "bread is below the floor, and the other variant is no second skill"


def test_names_match_exactly_first() -> None:
    registry = build_registry([skill("Lint", path="1.md"), skill("lint", path="2.md"), skill("TEST", path="3.md")])
    assert len(registry.named("Lint")) == 1
    assert len(registry.named("LINT")) == 2
    assert len(registry.named("test")) == 1
    assert registry.named("nothing") == ()


def test_clashing_names_are_said_and_variants_are_none() -> None:
    same = [skill("twin", LONG, path="a.md"), skill("twin", LONG, path="b.md")]
    assert build_registry(same).diagnostics == ()
    two = build_registry([skill("a", "One.", path="a.md"), skill("a", "Other.", path="b.md")])
    assert [(d.code, d.message) for d in two.diagnostics] == [("name-clash", "'a' is the name of 2 skills")]
    case = build_registry([skill("Lint", "One.", path="a.md"), skill("lint", "Other.", path="b.md")])
    assert [(d.code, d.message) for d in case.diagnostics] == [("name-case-clash", "'Lint', 'lint'")]


def test_exclude_means_all_of_a_name_and_unknown_names_are_said(broker: Broker) -> None:
    request = WeaveRequest(
        weave_protocol=PROTOCOL, query="write a commit message", exclude=("commit-messages", "Ghost")
    )
    selection = broker.select(request)
    assert len(selection.excluded) == 2
    assert "commit-messages" not in [broker.registry.skills[c.position].name for c in selection.chosen]
    assert len(selection.ranking) == len(broker.registry), "excluded skills keep their row"
    assert [d.message for d in selection.diagnostics] == ["no skill is named 'Ghost'"]


def test_a_pinned_skill_comes_along_with_what_it_needs(broker: Broker) -> None:
    pinned = broker.registry.skills[broker.registry.named("zero-downtime-migration")[0]]
    request = WeaveRequest(weave_protocol=PROTOCOL, query="write a commit message")
    selection = broker.select(request, pinned=[pinned.id])
    roles = [(broker.registry.skills[c.position].name, str(c.role)) for c in selection.chosen]
    assert roles[0] == ("commit-messages", "match")
    assert dict(roles[1:]) == {
        "zero-downtime-migration": "pinned",
        "postgres-schema": "dependency",
        "sql-style": "dependency",
    }
    scores = [c.score for c in selection.chosen]
    assert scores == sorted(scores, reverse=True), "what is not a match never outscores one"


def test_nothing_asked_is_the_registrys_order(broker: Broker) -> None:
    ranking = broker.browse().ranking
    assert [row.position for row in ranking] == list(range(len(broker.registry)))
