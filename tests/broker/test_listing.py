"""A tool's scope: its own skills, what its listing shows of them, and what is chosen from it."""

from __future__ import annotations

import json
from dataclasses import replace

from tests.broker.test_ranking import request
from tests.cli.test_commands import SAMPLES, TASK, run
from tests.factory import skill
from weave_tui.broker import Broker, Encoder
from weave_tui.broker.listing import BUDGETS, Tag, listing
from weave_tui.broker.registry import build_registry


def test_a_listing_is_cut_where_the_budget_ends() -> None:
    long = "x" * 2_000
    skills = [skill(f"s{i}", str(i), description=long) for i in range(8)]
    seen = listing(build_registry(skills), "claude_code")
    assert seen.tags == (Tag.CUT,) * 5 + (Tag.NAME_ONLY,) * 3
    assert [len(text.description) for text in seen.texts] == [1_536] * 5 + [0] * 3
    assert seen.summary == "of 8 skills about 5 fit (an estimate of 2026-11)"
    assert listing(build_registry(skills), "cursor").counts == {Tag.FULL: 8}


def test_what_is_not_chosen_by_description_is_in_no_listing() -> None:
    described, always, glob, manual = (
        replace(skill(name, name, description="Does it."), activation=name)
        for name in ("described", "always", "glob", "manual")
    )
    registry = build_registry([described, always, glob, manual])
    seen = dict(zip((s.name for s in registry.skills), listing(registry, "cursor").tags, strict=True))
    assert seen == {"described": Tag.FULL, "always": Tag.ALWAYS, "glob": Tag.OFF, "manual": Tag.OFF}


def test_only_what_is_listed_counts(encoder: Encoder) -> None:
    broker = Broker(encoder)
    broker.advertise(
        [
            skill("walls", "Paint walls with lime.", description="Finish rooms.", triggers=("paint walls",)),
            skill("rooms", "Nothing.", description="Paint walls."),
            skill("rule", "Nothing else.", description="Paint walls now.", platform="cursor"),
            replace(skill("always", "Other.", description="Paint walls too."), activation="always"),
        ]
    )
    scoped = broker.scoped("claude_code")
    result = scoped.query(request("paint walls"))
    assert {s.platform for s in result.ranking.registry.skills} == {"claude_code"}
    assert [s.name for s in result.skills] == ["rooms"]
    walls = next(row for row in result.ranking if row.skill.name == "walls")
    assert (
        walls.score
        < next(row for row in broker.select(request("paint walls")).ranking if row.skill == walls.skill).score
    )


def test_every_tool_has_a_budget_with_its_source() -> None:
    assert all(budget.source and budget.date for budget in BUDGETS.values())


def test_the_commands_show_a_scope() -> None:
    asked = run("query", TASK, SAMPLES, "--scope", "claude_code")
    assert "as claude_code lists it: of " in asked.stdout and "full " in asked.stdout
    told = run("budget", SAMPLES).stdout
    assert "claude_code: of " in told and "cursor: of " in told
    documents = json.loads(run("budget", SAMPLES, "--scope", "cursor", "--json").stdout)
    assert [one["platform"] for one in documents] == ["cursor"]
    assert sum(documents[0]["counts"].values()) == len(documents[0]["skills"])
