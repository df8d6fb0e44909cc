"""Verdicts, figures, cut-offs, self-tests and winning edits, on a small library with the bundled model."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.factory import skill
from weave_tui.broker import Broker, Encoder, Rules
from weave_tui.lab import selftest
from weave_tui.lab.cases import Case
from weave_tui.lab.cutoffs import Floor, Threshold, floors, gap_spread, thresholds
from weave_tui.lab.verdicts import Outcome, Seen, Verdict, change, figures, judge, passes
from weave_tui.lab.winning import described, winning_edit, with_words

RULES = Rules()
SKILLS = [
    skill("deploy-app", description="Deploy an application to production servers. Roll back a failed release."),
    skill("pr-review", description="Review a pull request and comment on the code."),
    skill("write-tests", description="Write unit tests for Python code. Measure coverage."),
    skill("paint-icons", description="Draw icons as SVG."),
]


@pytest.fixture(scope="module")
def broker(encoder: Encoder) -> Broker:
    made = Broker(encoder)
    made.replace(SKILLS)
    return made


def case(query: str, *expected: str, unwanted: tuple[str, ...] = ()) -> Case:
    return Case(query, expected, unwanted, Path("q.jsonl"), 1)


def outcome(broker: Broker, one: Case) -> Outcome:
    return next(judge(broker, [one], RULES)).outcome


def test_each_outcome(broker: Broker) -> None:
    assert outcome(broker, case("deploy the application to production", "deploy-app")) is Outcome.FIRST
    assert outcome(broker, case("review the pull request", "write-tests")) in (Outcome.SECOND, Outcome.LOST)
    assert outcome(broker, case("review the pull request")) is Outcome.FALSE
    assert outcome(broker, case("qzxv wvut")) is Outcome.QUIET
    assert outcome(broker, case("review the pull request", unwanted=("pr-review",))) is Outcome.FALSE
    assert outcome(broker, case("review the pull request", unwanted=("paint-icons",))) is Outcome.QUIET
    strict = Rules(min_score=0.99)
    assert next(judge(broker, [case("deploy it", "deploy-app")], strict)).outcome is Outcome.FLOOR
    assert outcome(broker, case("qzxv wvut", "pr-review")) is Outcome.LOST


def test_a_verdict_says_who_took_the_place(broker: Broker) -> None:
    verdict = next(judge(broker, [case("review the pull request", "write-tests")], RULES))
    assert verdict.thief == "pr-review" and verdict.victim == "write-tests"
    assert verdict.first and verdict.right and verdict.place and verdict.first.score > verdict.right.score
    assert verdict.place >= 2


def verdict(outcome: Outcome, gap: float = 0.05, score: float = 0.3, query: str = "q") -> Verdict:
    expects = outcome not in (Outcome.QUIET, Outcome.FALSE)
    place = {Outcome.FIRST: 1, Outcome.FLOOR: 1, Outcome.SECOND: 2, Outcome.LOST: 3}.get(outcome)
    return Verdict(
        case(query, *(["a"] if expects else [])),
        outcome,
        Seen(1, "b", score),
        Seen(0, "a", score / 2) if place else None,
        place,
        gap,
    )


def test_figures_count_ranks_and_false_triggers_apart() -> None:
    many = [verdict(one) for one in (Outcome.FIRST, Outcome.FLOOR, Outcome.SECOND, Outcome.LOST)]
    found = figures([*many, verdict(Outcome.QUIET), verdict(Outcome.FALSE), verdict(Outcome.LOST)])
    assert (found.cases, found.passed) == (7, 2)
    assert (found.hit_1, found.hit_2, found.false_triggers) == (2 / 5, 3 / 5, 1 / 2)
    assert [(theft.victim, theft.thief, theft.times) for theft in found.thefts] == [("a", "b", 3)]
    assert figures([]).hit_1 is None


def test_what_changed_between_two_runs() -> None:
    before = [verdict(Outcome.FIRST, query="x"), verdict(Outcome.LOST, query="y"), verdict(Outcome.FIRST, query="z")]
    after = [verdict(Outcome.SECOND, query="x"), verdict(Outcome.FIRST, query="y"), verdict(Outcome.FIRST, query="new")]
    moved = change(passes(before), after)
    assert str(moved) == "+1 −1, robs a"
    assert ([one.case.query for one in moved.gained], [one.case.query for one in moved.lost]) == (["y"], ["x"])


def test_the_best_threshold_lets_two_answer_where_that_rescues() -> None:
    close = [verdict(Outcome.SECOND, gap=0.02) for _ in range(5)]
    found = thresholds([*close, *(verdict(Outcome.FIRST, gap=0.08) for _ in range(5))], RULES)
    assert found is not None
    now, best = found
    assert isinstance(now, Threshold) and now.value == 0.1 and now.covered == 1.0 and now.skills == 2.0
    assert 0.02 < best.value <= 0.08 and best.covered == 1.0 and best.skills == 1.5 and best.f2 > now.f2
    assert thresholds([verdict(Outcome.QUIET)], RULES) is None


def test_the_best_floor_parts_what_should_answer_from_what_should_not() -> None:
    low, high = [verdict(Outcome.FALSE, score=0.2)] * 3, [verdict(Outcome.FIRST, score=0.4)] * 3
    found = floors([*low, *high], RULES)
    assert found is not None
    now, best = found
    assert isinstance(best, Floor) and now.good == 0.5 and best.good == 1.0 and 0.2 < best.value <= 0.4
    assert floors(high, RULES) is None


@given(st.lists(st.tuples(st.sampled_from(list(Outcome)), st.floats(0, 1), st.floats(0, 1))))
def test_the_spread_counts_every_gap_once_and_no_cut_off_is_worse_than_the_one_in_force(
    drawn: list[tuple[Outcome, float, float]],
) -> None:
    verdicts = [verdict(*one) for one in drawn]
    spread = gap_spread(verdicts)
    assert sum(spread.right) + sum(spread.wrong) == len(verdicts)
    for pair in (thresholds(verdicts, RULES), floors(verdicts, RULES)):
        if pair and isinstance(pair[0], Threshold) and isinstance(pair[1], Threshold):
            assert pair[1].f2 >= pair[0].f2
        elif pair and isinstance(pair[0], Floor) and isinstance(pair[1], Floor):
            assert pair[1].good >= pair[0].good


def test_the_self_test_asks_each_phrase_without_it(broker: Broker) -> None:
    asked = selftest.phrases(broker)
    assert ("description", "Roll back a failed release.") in {(phrase.field, phrase.text) for phrase in asked}
    echoes = {echo.phrase.text: echo for echo in selftest.ask(broker, asked)}
    assert len(echoes) == len(asked)
    whole = next(judge(broker, [case("Draw icons as SVG.", "paint-icons")], RULES))
    assert whole.right and echoes["Draw icons as SVG."].score < whole.right.score, "its own words no longer count"


def test_what_is_taken_out_is_gone_and_the_rest_stays(broker: Broker) -> None:
    text = broker.texts[0]
    phrase = text.description.split(". ")[0] + "."
    left = selftest.without(text, phrase)
    assert phrase not in left.description and left.description and left.name == text.name
    assert not any(phrase in trigger for trigger in left.triggers)


def test_a_sentence_that_disclaims_is_not_asked(encoder: Encoder) -> None:
    made = Broker(encoder)
    made.replace([skill("a", description="Ships parcels abroad. NOT for letters within the country.")])
    assert [phrase.text for phrase in selftest.phrases(made)] == ["Ships parcels abroad."]


def test_a_winning_edit_wins_when_it_is_made(broker: Broker) -> None:
    query = "check the pull request for missing coverage of the new branch"
    position = next(i for i, one in enumerate(broker.registry.skills) if one.name == "paint-icons")
    win = winning_edit(broker, position, query)
    assert win.words and win.wins and win.after > win.before
    edited = described(broker, position, win.description)
    made = next(judge(edited, [case(query, "paint-icons")], RULES))
    assert made.first and made.first.name == "paint-icons" and made.first.score == win.after
    unchanged = next(judge(broker, [case(query, "paint-icons")], RULES))
    assert unchanged.first and unchanged.first.name != "paint-icons", "the broker it was tried on stays as it was"


def test_what_is_first_needs_no_edit(broker: Broker) -> None:
    position = next(i for i, one in enumerate(broker.registry.skills) if one.name == "pr-review")
    assert winning_edit(broker, position, "review a pull request").words == ()


@pytest.mark.parametrize(
    ("description", "expected"),
    [("Ships.", "Ships. a b."), ("Ships", "Ships. a b."), ("", "a b."), ("Really? ", "Really? a b.")],
)
def test_words_make_a_sentence_at_the_end(description: str, expected: str) -> None:
    assert with_words(description, ("a", "b")) == expected
    assert with_words(description, ()) == description
