"""Verdicts: what ranking makes of each case, and the figures of many.

This judges *text routing*: the score decides here, while the tools themselves let a language model choose.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from weave_tui.broker import Broker, Rules, Selection
from weave_tui.broker.selection import is_below
from weave_tui.lab.cases import Case, meant
from weave_tui.protocol import PROTOCOL, WeaveRequest


class Outcome(StrEnum):
    """What came of a case. FIRST and QUIET pass."""

    FIRST = "first"
    """A right skill is first."""
    FLOOR = "under the floor"
    """A right skill is first, but scores less than the floor."""
    SECOND = "second"
    """A right skill is second: another one took the first place."""
    LOST = "lost"
    """No right skill is among the first two."""
    QUIET = "quiet"
    """What should not answer does not."""
    FALSE = "false trigger"
    """What should not answer does."""


PASSED = frozenset({Outcome.FIRST, Outcome.QUIET})


@dataclass(frozen=True, slots=True)
class Seen:
    """A skill in a ranking: its position in the registry, its name, its score in [0, 1]."""

    position: int
    name: str
    score: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """A case and what came of it.

    first: the best candidate, None when there is none or no word is known. right: the best of those that are
    expected (of the unwanted ones for a case of these), and its `place` among distinct skills, from 1.
    gap: first minus second score, None with fewer than two.
    """

    case: Case
    outcome: Outcome
    first: Seen | None
    right: Seen | None
    place: int | None
    gap: float | None

    @property
    def passed(self) -> bool:
        return self.outcome in PASSED

    @property
    def thief(self) -> str:
        """The skill that took the first place from a right one, "" when none did."""
        return self.first.name if self.first and self.outcome in (Outcome.SECOND, Outcome.LOST) else ""

    @property
    def victim(self) -> str:
        """The skill whose place was taken."""
        return (self.right.name if self.right else self.case.wish) if self.thief else ""


def judge(broker: Broker, cases: Sequence[Case], rules: Rules) -> Iterator[Verdict]:
    """The verdict of each case, in their order."""
    for case in cases:
        yield _verdict(case, asked(broker, case.query, rules))


def asked(broker: Broker, query: str, rules: Rules) -> Selection:
    """What the broker selects for a query, as the app asks it."""
    return broker.select(WeaveRequest(weave_protocol=PROTOCOL, query=query), rules)


def _verdict(case: Case, selection: Selection) -> Verdict:
    registry = selection.ranking.registry
    groups = {registry.groups[position] for position in meant(case.expected or case.unwanted, registry)}
    first = right = place = None
    for number, row in enumerate(selection.distinct() if selection.is_known else (), 1):
        seen = Seen(row.position, row.skill.name, row.score)
        first = first or seen
        if registry.groups[row.position] in groups:
            right, place = seen, number
        if right or not groups:
            break
    return Verdict(case, _outcome(case, selection.rules, first, place), first, right, place, selection.gap)


def _outcome(case: Case, rules: Rules, first: Seen | None, place: int | None) -> Outcome:
    fires = first is not None and not is_below(first.score, rules.min_score)
    if case.expected:
        if place == 1:
            return Outcome.FIRST if fires else Outcome.FLOOR
        return Outcome.SECOND if place == 2 else Outcome.LOST
    return Outcome.FALSE if fires and (place == 1 or not case.unwanted) else Outcome.QUIET


@dataclass(frozen=True, slots=True)
class Theft:
    """How often one skill takes another's queries."""

    victim: str
    thief: str
    times: int


@dataclass(frozen=True, slots=True)
class Figures:
    """What many verdicts come to. Shares are None where no case bears on them.

    hit_1, hit_2: of the cases that expect a skill, those with a right one first, or among two (rank alone, as in
    the benchmark). false_triggers: of the cases that expect none, those where it answers anyway.
    """

    cases: int
    passed: int
    outcomes: Mapping[Outcome, int]
    hit_1: float | None
    hit_2: float | None
    false_triggers: float | None
    thefts: tuple[Theft, ...]


def figures(verdicts: Sequence[Verdict]) -> Figures:
    """The figures; thefts most frequent first."""
    counts = Counter(verdict.outcome for verdict in verdicts)
    expecting = sum(bool(verdict.case.expected) for verdict in verdicts)
    first = counts[Outcome.FIRST] + counts[Outcome.FLOOR]
    thefts = Counter((verdict.victim, verdict.thief) for verdict in verdicts if verdict.thief)
    return Figures(
        cases=len(verdicts),
        passed=sum(verdict.passed for verdict in verdicts),
        outcomes={outcome: counts[outcome] for outcome in Outcome},
        hit_1=_share(first, expecting),
        hit_2=_share(first + counts[Outcome.SECOND], expecting),
        false_triggers=_share(counts[Outcome.FALSE], len(verdicts) - expecting),
        thefts=tuple(
            Theft(*pair, times) for pair, times in sorted(thefts.items(), key=lambda item: (-item[1], item[0]))
        ),
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


@dataclass(frozen=True, slots=True)
class Change:
    """What is different between two runs over the same cases."""

    gained: tuple[Verdict, ...]
    lost: tuple[Verdict, ...]

    @property
    def robbed(self) -> tuple[str, ...]:
        """The skills that lost cases to another one, those that lost most first."""
        return tuple(
            name for name, _ in Counter(verdict.victim for verdict in self.lost if verdict.thief).most_common()
        )

    def __str__(self) -> str:
        """`+3 −1, robs pr-review`."""
        robs = f", robs {', '.join(self.robbed)}" if self.robbed else ""
        return f"+{len(self.gained)} −{len(self.lost)}{robs}"


def change(before: Mapping[object, bool], after: Sequence[Verdict]) -> Change:
    """The verdicts that pass now and did not, and the other way round. before: whether a case passed, by its key."""
    return Change(
        gained=tuple(verdict for verdict in after if verdict.passed and before.get(verdict.case.key) is False),
        lost=tuple(verdict for verdict in after if not verdict.passed and before.get(verdict.case.key) is True),
    )


def passes(verdicts: Sequence[Verdict]) -> dict[object, bool]:
    """Whether each case passed, by its key."""
    return {verdict.case.key: verdict.passed for verdict in verdicts}
