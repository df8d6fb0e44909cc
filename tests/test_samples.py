"""The sample skills show every feature, and load without a warning."""

from __future__ import annotations

from collections import Counter

import pytest

from weave_tui.broker import Broker
from weave_tui.protocol import PLATFORMS, PROTOCOL, WeaveRequest
from weave_tui.resources import sample_skills_dir
from weave_tui.skills import Skill, Where, load


def answer(broker: Broker, query: str) -> list[str]:
    result = broker.query(WeaveRequest(weave_protocol=PROTOCOL, query=query))
    return [skill.name for skill in result.skills]


def test_they_load_without_a_warning() -> None:
    loaded = load(Where((sample_skills_dir(),)))
    assert [d for d in loaded.diagnostics if d.severity != "info"] == []
    assert len(loaded.skills) == 24


def test_all_platforms_and_activations_are_there(samples: tuple[Skill, ...]) -> None:
    assert {skill.platform for skill in samples} == set(PLATFORMS)
    assert {skill.activation for skill in samples} == {"always", "described", "glob", "manual"}
    assert all(40 <= skill.body.count("\n") + 1 <= 200 for skill in samples)


def test_cited_files_are_there(samples: tuple[Skill, ...]) -> None:
    cited = [(skill.path.parent / cite) for skill in samples for cite in skill.cites]
    assert cited
    assert [path for path in cited if not path.is_file()] == []


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("design a REST endpoint with a React form", {"Naksha Design System", "backend-api"}),
        (
            "rename a column in a live table without downtime",
            {"zero-downtime-migration", "postgres-schema", "sql-style"},
        ),
        ("write a commit message for the staged changes", {"commit-messages"}),
        ("TypeScript style for enums and comments", {"typescript-style", "house-style"}),
        ("hide unfinished checkout work behind a feature flag", {"feature-flags"}),
        ("the shop is down, lead the incident", {"incident-response"}),
    ],
)
def test_the_demonstrations(broker: Broker, query: str, names: set[str]) -> None:
    assert set(answer(broker, query)) == names


def test_the_near_duplicate_pair_is_one_skill(broker: Broker) -> None:
    pair = broker.registry.named("commit-messages")
    assert len(pair) == 2
    assert len({broker.registry.groups[i] for i in pair}) == 1
    assert Counter(broker.registry.variants)[2] == 2


def test_the_conflicting_pair_shares_lines(broker: Broker) -> None:
    request = WeaveRequest(weave_protocol=PROTOCOL, query="TypeScript style for enums and comments", top_n=2)
    composition = broker.query(request).composition
    assert len([removed for removed in composition.removed if removed.kept]) >= 2
    assert "- Always use enums for fixed sets of string values." in composition.text
