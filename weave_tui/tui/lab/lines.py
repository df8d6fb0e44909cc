"""The lab's panes as lines: cases or phrases, what they come to, and one of them in full."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from weave_tui.broker import Broker, Row, Rules, Selection, WordShare, difference
from weave_tui.broker.words import STOP_WORDS
from weave_tui.lab.cutoffs import gap_spread, score_spread
from weave_tui.lab.report import MOST_THEFTS, advice, shares, spread_lines
from weave_tui.lab.selftest import Echo, removed, worst_first
from weave_tui.lab.verdicts import Change, Outcome, Verdict, asked, figures
from weave_tui.lab.winning import Win
from weave_tui.prompts import Place
from weave_tui.tui.lines import ShownLine, Stretch, Tone, plain
from weave_tui.tui.strips import thousandths

_TONES: dict[Outcome, Tone] = {
    Outcome.FALSE: "error",
    Outcome.LOST: "error",
    Outcome.SECOND: "warning",
    Outcome.FLOOR: "warning",
    Outcome.FIRST: "success",
    Outcome.QUIET: "success",
}
"""Worst first: the order of the cases too."""

DECIDES = 0.005
"""A word whose difference is smaller is not listed in a comparison."""


def ordered(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """The worst outcomes first; of one outcome in the order of the files."""
    order = list(_TONES)
    return sorted(verdicts, key=lambda verdict: order.index(verdict.outcome))


def case_lines(verdicts: Sequence[Verdict]) -> list[ShownLine]:
    """A line a case, in the order given; at the right what is expected and who came first."""
    return [
        ShownLine(
            (Stretch(verdict.case.query, "muted" if verdict.passed else "text"),),
            margin="✓" if verdict.passed else "✕",
            margin_tone=_TONES[verdict.outcome],
            wraps=False,
            right=_result(verdict),
            place=Place(verdict.case.path, verdict.case.line, 1),
        )
        for verdict in verdicts
    ]


def _result(verdict: Verdict) -> tuple[Stretch, ...]:
    if verdict.passed:
        return (Stretch(verdict.case.wish, "muted"),)
    if verdict.thief:
        return (Stretch(f"{verdict.victim} ← ", "muted"), Stretch(verdict.thief, _TONES[verdict.outcome]))
    fired = verdict.first.name if verdict.first and verdict.outcome is Outcome.FALSE else verdict.outcome
    return (Stretch(f"{verdict.case.wish} ← ", "muted"), Stretch(fired, _TONES[verdict.outcome]))


def figure_lines(verdicts: Sequence[Verdict], rules: Rules, change: Change | None) -> list[ShownLine]:
    """What the cases come to: figures, cut-offs, spreads, thefts."""
    found = figures(verdicts)
    lines = [plain(line, bold=number == 0) for number, line in enumerate(shares(found))]
    if change and (change.gained or change.lost):
        lines.append(plain(f"since the last run {change}", "warning" if change.lost else "success"))
    lines += [plain(""), *(plain(line, "muted") for line in advice(verdicts, rules)), plain("")]
    for name, spread in (("gap", gap_spread(verdicts)), ("score", score_spread(verdicts))):
        passed, failed = spread_lines(name, spread)
        lines += [_unwrapped(passed, "success"), _unwrapped(failed, "error")]
    if found.thefts:
        lines += [plain(""), plain("who takes whose queries", "muted")]
        lines += [_theft(theft.times, theft.thief, theft.victim) for theft in found.thefts[:MOST_THEFTS]]
    return lines


def _unwrapped(text: str, tone: Tone) -> ShownLine:
    return ShownLine((Stretch(text, tone),), stop=False, wraps=False)


def _theft(times: int, thief: str, victim: str) -> ShownLine:
    stretches = (Stretch(f"{times:>3} "), Stretch(thief, "error"), Stretch(" from ", "muted"), Stretch(victim))
    return ShownLine(stretches, stop=False)


def echo_lines(echoes: Sequence[Echo]) -> list[ShownLine]:
    """A line a lost phrase, those of the skill that loses most first."""
    return [
        ShownLine(
            (Stretch(echo.phrase.text),),
            margin="✕",
            margin_tone="warning",
            wraps=False,
            right=(Stretch(f"{echo.name} ← ", "muted"), Stretch(echo.first, "warning")),
        )
        for echo in worst_first(echoes)
    ]


def echo_figures(echoes: Sequence[Echo]) -> list[ShownLine]:
    """What a self-test comes to."""
    lost = worst_first(echoes)
    times: dict[str, int] = {}
    for echo in lost:
        times[echo.name] = times.get(echo.name, 0) + 1
    return [
        plain(f"{len(lost)} of {len(echoes)} phrases go to another skill", bold=True),
        plain("A list to look at, not an accuracy: a phrase may rightly belong to two skills.", "muted"),
        plain(""),
        *(plain(f"{number:>3} {name}") for name, number in list(times.items())[:MOST_THEFTS]),
    ]


@dataclass(frozen=True, slots=True)
class Question:
    """A query, and the position of the skill that should answer it, where there is one."""

    query: str
    position: int | None


def question_of(item: Verdict | Echo) -> Question:
    """What a case or a lost phrase asks for."""
    if isinstance(item, Echo):
        return Question(item.phrase.text, item.phrase.position)
    return Question(item.case.query, item.right.position if item.right and item.case.expected else None)


def detail_lines(
    broker: Broker, rules: Rules, item: Verdict | Echo, win: tuple[Win, Change | None] | None
) -> list[ShownLine]:
    """One case in full: what is asked and wanted, who is first, which words decide, what would make it win."""
    question = question_of(item)
    # A phrase of a skill was asked without it: so it is explained.
    broker = removed(broker, item.phrase) if isinstance(item, Echo) else broker
    selection = asked(broker, question.query, rules)
    lines = [plain(question.query, bold=True)]
    if not selection.is_known:
        return [*lines, plain("no word of it is known to any skill", "warning")]
    first = next(selection.distinct(), None)
    wanted = selection.ranking.row(question.position) if question.position is not None else None
    if isinstance(item, Verdict):
        lines.append(_pair("wants", item.case.wish + (f", number {item.place}" if item.place else "")))
    else:
        lines.append(_pair("wants", f"{item.name}, number {item.place} once this is taken out of it"))
    if first:
        lines.append(_pair("first", f"{first.skill.name} {thousandths(first.score)}"))
    if wanted is None or first is None:
        return lines
    rival = selection.rival(wanted.position)
    if rival is None:
        return lines
    if isinstance(item, Verdict):
        lines += win_lines(*win) if win else [plain("w finds what would make it win", "muted")]
    return [*lines, plain(""), *comparison_lines(broker, selection, wanted, rival)]


def _pair(name: str, value: str) -> ShownLine:
    return ShownLine((Stretch(f"{name:<6}", "muted"), Stretch(value)), stop=False)


def comparison_lines(broker: Broker, selection: Selection, own: Row, other: Row) -> list[ShownLine]:
    """Why one is above or below the other, word by word; the differences sum to that of the unclipped scores."""
    ranking = selection.ranking
    mine, its = broker.explain(ranking, own.position), broker.explain(ranking, other.position)
    apart = difference(mine, its)
    lines = [
        _scores(own.skill.name, own.score, other.skill.name, other.score),
        _unwrapped(f"{'':<16}{'own':>6} {'other':>6}   apart", "muted"),
    ]
    for number in sorted(range(len(apart)), key=lambda number: -abs(apart[number].total)):
        if mine[number].word.text.lower() not in STOP_WORDS or abs(apart[number].total) >= DECIDES:
            lines += _word(mine[number], its[number], apart[number])
    return lines


def _scores(own: str, own_score: float, other: str, other_score: float) -> ShownLine:
    text = f"{own} {thousandths(own_score)} against {other} {thousandths(other_score)}"
    return ShownLine((Stretch(text),), stop=False)


def _word(mine: WordShare, its: WordShare, apart: WordShare) -> list[ShownLine]:
    if not mine.fields and not its.fields:
        return [_unwrapped(f"{mine.word.text:<16} known to neither", "hairline")]
    tone: Tone = "success" if apart.total >= DECIDES else "error" if apart.total <= -DECIDES else "muted"
    numbers = f"{thousandths(mine.total):>6} {thousandths(its.total):>6}  "
    sign = "+" if apart.total > 0 else ""
    stretches = (
        Stretch(f"{mine.word.text:<16}"),
        Stretch(numbers, "muted"),
        Stretch(f"{sign}{thousandths(apart.total)}", tone),
    )
    lines = [ShownLine(stretches, stop=False, wraps=False)]
    if abs(apart.total) >= DECIDES:
        lines.append(ShownLine((Stretch(f"  {_fields(mine)}", "muted"),), stop=False))
    return lines


def _fields(share: WordShare) -> str:
    """`description .081 words, .020 meaning`, the heaviest field first."""
    by_field: dict[str, dict[str, float]] = {}
    for one in share.fields:
        part = "words" if one.part == "words" else "meaning"
        field = by_field.setdefault(one.field, {})
        field[part] = field.get(part, 0.0) + one.value
    heavy = sorted(by_field.items(), key=lambda entry: -abs(sum(entry[1].values())))
    told = [
        f"{name} {', '.join(f'{thousandths(value)} {part}' for part, value in parts.items())}"
        for name, parts in heavy
        if abs(sum(parts.values())) >= 0.001
    ]
    return " · ".join(told) or "nothing"


def win_lines(win: Win, change: Change | None) -> list[ShownLine]:
    """The edit that was found, what it was verified to do, and its net effect over the cases."""
    if not win.words:
        return [plain("it is first already", "success")]
    score = f"{thousandths(win.before)} → {thousandths(win.after)}, {win.rival} {thousandths(win.rival_score)}"
    words = " ".join(win.words)
    lines = [
        plain(
            f"“{words}” at the end of the description makes it win" if win.wins else f"not even “{words}” is enough",
            "success" if win.wins else "warning",
        ),
        plain(f"verified by ranking: {score}", "muted"),
    ]
    if change is not None:
        lines.append(plain(f"over all cases {change}", "warning" if change.lost else "muted"))
    return lines
