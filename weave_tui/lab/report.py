"""What an evaluation found, as text for people, as JSON for programs and as JUnit XML for CI."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from weave_tui.broker import Rules
from weave_tui.lab.cutoffs import Floor, Spread, Threshold, floors, gap_spread, score_spread, thresholds
from weave_tui.lab.outcomes import Agreement
from weave_tui.lab.selftest import Echo, worst_first
from weave_tui.lab.verdicts import Change, Figures, Outcome, Seen, Verdict, figures
from weave_tui.text import one_line

MOST_THEFTS = 12
_BLOCKS = " ▁▂▃▄▅▆▇█"
_ILLEGAL = dict.fromkeys((*range(9), 11, 12, *range(14, 32), *range(55296, 57344), 65534, 65535), "�")
"""Characters that XML 1.0 cannot hold."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One run over a library. What was not asked for is None."""

    skills: int
    files: tuple[Path, ...]
    rules: Rules
    verdicts: tuple[Verdict, ...]
    echoes: tuple[Echo, ...] | None = None
    change: Change | None = None
    agreement: Agreement | None = None


def as_text(run: Evaluation) -> str:
    """Figures first, then who steals whose queries, then every case that did not pass."""
    blocks = [_head(run)]
    if run.verdicts:
        found = figures(run.verdicts)
        blocks += [
            [f"text routing: {line}" for line in shares(found)],
            advice(run.verdicts, run.rules),
            _plots(run.verdicts),
        ]
        blocks += [_thefts(found), _failures(run.verdicts)]
    if run.change:
        blocks.append(_change(run.change))
    if run.agreement:
        blocks.append(run.agreement.lines())
    if run.echoes is not None:
        blocks.append(_self_test(run.echoes))
    return "\n\n".join("\n".join(block) for block in blocks if block)


def _head(run: Evaluation) -> list[str]:
    count = len(run.verdicts)
    files = f" in {len(run.files)} {'file' if len(run.files) == 1 else 'files'}" if run.files else ""
    return [f"{run.skills} skills, {count} labelled {'query' if count == 1 else 'queries'}{files}"]


def shares(found: Figures) -> list[str]:
    """The figures, a line each."""
    lines = [f"{found.passed} of {found.cases} pass"]
    if found.hit_1 is not None and found.hit_2 is not None:
        lines.append(f"hit@1 {found.hit_1:.1%}, hit@2 {found.hit_2:.1%}")
    if found.false_triggers is not None:
        lines.append(f"false triggers {found.false_triggers:.1%}")
    if under := found.outcomes[Outcome.FLOOR]:
        lines.append(f"{under} first but under the floor")
    return lines


def advice(verdicts: Sequence[Verdict], rules: Rules) -> list[str]:
    """What the cut-offs in force do, and which would do best."""
    threshold, floor = thresholds(verdicts, rules), floors(verdicts, rules)
    lines = _advised("threshold", *threshold) if threshold else []
    return [*lines, *(_advised("floor", *floor) if floor else [NO_FLOOR])]


NO_FLOOR = "floor: no query that nothing should answer, so it cannot be judged"


def _advised(name: str, now: Threshold | Floor, best: Threshold | Floor) -> list[str]:
    return [f"{name} {now}", f"  {best}: this does best" if best != now else "  none does better"]


def bars(counts: Sequence[int], most: int) -> str:
    """A bar a count, up to the height of `most`; whatever is not 0 is seen."""
    return "".join(_BLOCKS[-(-count * (len(_BLOCKS) - 1) // most) if most else 0] for count in counts)


def spread_lines(name: str, spread: Spread) -> list[str]:
    """The spread of passed and of other cases, on one scale."""
    most = max((*spread.right, *spread.wrong))
    return [
        f"{name:<6} 0 {bars(spread.right, most)} {spread.most:g}+  passed",
        f"{'':<6} 0 {bars(spread.wrong, most)} {spread.most:g}+  not passed",
    ]


def _plots(verdicts: Sequence[Verdict]) -> list[str]:
    return [*spread_lines("gap", gap_spread(verdicts)), *spread_lines("score", score_spread(verdicts))]


def _thefts(found: Figures) -> list[str]:
    if not found.thefts:
        return []
    rows = [f"{theft.times:>5}  {one_line(theft.thief)} from {one_line(theft.victim)}" for theft in found.thefts]
    more = [f"       and {len(rows) - MOST_THEFTS} pairs more"] if len(rows) > MOST_THEFTS else []
    return ["who takes whose queries", *rows[:MOST_THEFTS], *more]


def verdict_line(verdict: Verdict) -> str:
    """One case on one line, as compilers write them."""
    case = verdict.case
    first = f", first is {verdict.first.name} {verdict.first.score:.3f}" if verdict.first else ", no word is known"
    right = f", {verdict.right.name} is number {verdict.place} {verdict.right.score:.3f}" if verdict.right else ""
    return one_line(f'{case.path}:{case.line}: {verdict.outcome}: "{case.query}" wants {case.wish}{first}{right}')


def _failures(verdicts: Sequence[Verdict]) -> list[str]:
    failed = [verdict_line(verdict) for verdict in verdicts if not verdict.passed]
    return [f"not passed ({len(failed)})", *failed] if failed else []


def _change(change: Change) -> list[str]:
    lines = [f"against the baseline: {change}"]
    lines += [f"  gained: {one_line(verdict.case.query)}" for verdict in change.gained]
    lines += [f"  lost: {one_line(verdict.case.query)}" for verdict in change.lost]
    return lines


def echo_line(echo: Echo) -> str:
    """One lost phrase on one line."""
    here, first = f"{echo.name}: number {echo.place} {echo.score:.3f}", f"{echo.first} {echo.first_score:.3f}"
    return one_line(f"{here}, {first}: {echo.phrase.text}")


def _self_test(echoes: Sequence[Echo]) -> list[str]:
    lost = worst_first(echoes)
    head = f"self-test: {len(lost)} of {len(echoes)} phrases go to another skill; a list to look at, not an accuracy"
    return [head, *(f"  {echo_line(echo)}" for echo in lost)]


def as_json(run: Evaluation) -> str:
    """Everything as one object; `--baseline` reads it back."""
    document: dict[str, Any] = {
        "skills": run.skills,
        "files": [str(path) for path in run.files],
        "figures": asdict(figures(run.verdicts)),
        "cutoffs": {
            "threshold": _cutoffs(thresholds(run.verdicts, run.rules)),
            "floor": _cutoffs(floors(run.verdicts, run.rules)),
        },
        "verdicts": [_verdict(verdict) for verdict in run.verdicts],
    }
    if run.change:
        changed = {"gained": run.change.gained, "lost": run.change.lost}
        document["change"] = {name: [_verdict(verdict) for verdict in found] for name, found in changed.items()}
    if run.agreement:
        document["agreement"] = run.agreement.document()
    if run.echoes is not None:
        document["self_test"] = {
            "phrases": len(run.echoes),
            "lost": [_echo(echo) for echo in worst_first(run.echoes)],
        }
    return json.dumps(document, ensure_ascii=False, indent=2)


def _cutoffs(found: tuple[Threshold, Threshold] | tuple[Floor, Floor] | None) -> dict[str, Any] | None:
    return {"now": asdict(found[0]), "best": asdict(found[1])} if found else None


def _verdict(verdict: Verdict) -> dict[str, Any]:
    case = verdict.case
    return {
        "query": case.query,
        "expected": list(case.expected),
        "unwanted": list(case.unwanted),
        "file": str(case.path),
        "line": case.line,
        "outcome": verdict.outcome,
        "passed": verdict.passed,
        "first": _seen(verdict.first),
        "right": _seen(verdict.right),
        "place": verdict.place,
        "gap": verdict.gap,
    }


def _seen(seen: Seen | None) -> dict[str, Any] | None:
    return {"name": seen.name, "score": seen.score} if seen else None


def _echo(echo: Echo) -> dict[str, Any]:
    return {
        "skill": echo.name,
        "field": echo.phrase.field,
        "phrase": echo.phrase.text,
        "place": echo.place,
        "score": echo.score,
        "first": echo.first,
        "first_score": echo.first_score,
    }


def as_junit(run: Evaluation) -> str:
    """A test case a labelled query, in the form CI servers read."""
    suite = ElementTree.Element("testsuite", name="weave-tui eval", tests=str(len(run.verdicts)))
    suite.set("failures", str(sum(not verdict.passed for verdict in run.verdicts)))
    for verdict in run.verdicts:
        case = verdict.case
        entry = ElementTree.SubElement(suite, "testcase", name=_xml(case.query), classname=_xml(case.wish))
        entry.set("file", _xml(str(case.path)))
        entry.set("line", str(case.line))
        if not verdict.passed:
            failure = ElementTree.SubElement(entry, "failure", type=verdict.outcome)
            failure.text = failure.attrib["message"] = _xml(verdict_line(verdict))
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True)


def _xml(text: str) -> str:
    return text.translate(_ILLEGAL)


FORMATS: Mapping[str, Callable[[Evaluation], str]] = {"text": as_text, "json": as_json, "junit": as_junit}
"""How an evaluation is printed, by name."""
