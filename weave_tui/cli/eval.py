"""`weave-tui eval`: labelled queries judged without a screen, the same on every machine."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from weave_tui.broker import Broker, Rules
from weave_tui.cli import common
from weave_tui.cli.check import line_of
from weave_tui.cli.common import ANSWERED, NOTHING, UNREADABLE, USAGE, CommandError, complain, say
from weave_tui.lab import baseline, outcomes, selftest
from weave_tui.lab.cases import Case, find_case_files, read_cases
from weave_tui.lab.report import FORMATS, Evaluation
from weave_tui.lab.verdicts import change, figures, judge, passes
from weave_tui.skills import Loaded, MissingPathError, Skill, Where, load

HERE = Path()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH", help="skill files or folders; default: .")
    parser.add_argument(
        "--cases",
        action="append",
        type=Path,
        default=[],
        metavar="FILE",
        help="labelled queries; default: those beside the skills",
    )
    common.add_against(parser)
    parser.add_argument("--self-test", action="store_true", help="ask with every phrase of every skill too")
    parser.add_argument(
        "--outcomes",
        type=Path,
        metavar="FILE",
        help="JSON lines of query and skill used in real runs; shows the agreement",
    )
    parser.add_argument(
        "--baseline",
        metavar="REF|FILE",
        help="name what is gained and lost against a git revision, or an earlier JSON report",
    )
    parser.add_argument(
        "--min-hit1", type=common.number(0, 1), metavar="SHARE", help="end with 1 when hit@1 is below it"
    )
    common.add_rules(parser)
    parser.add_argument("--format", choices=sorted(FORMATS), default="text", help="how to print; default: text")


def run(arguments: argparse.Namespace) -> int:
    resolved = common.hermetic_settings(arguments)
    rules = common.rules(resolved)
    loaded = _loaded(arguments.paths or [HERE])
    if not loaded.skills:
        raise CommandError(common.no_skills(arguments, loaded), NOTHING)
    rivals = _loaded(arguments.against).skills if arguments.against else ()
    broker = Broker(common.encoder(resolved))
    broker.replace((*rivals, *loaded.skills))
    files = arguments.cases or find_case_files(loaded)
    found = read_cases(files, broker.registry)
    for diagnostic in found.diagnostics:
        complain(line_of(diagnostic), "note")
    if not found.cases and not arguments.self_test and not arguments.outcomes:
        raise CommandError(NO_CASES, NOTHING)
    verdicts = tuple(judge(broker, found.cases, rules))
    before = _before(arguments, broker, rivals, found.cases, rules) if arguments.baseline else None
    evaluation = Evaluation(
        skills=len(loaded.skills),
        files=found.files,
        rules=rules,
        verdicts=verdicts,
        echoes=tuple(selftest.ask(broker, selftest.phrases(broker))) if arguments.self_test else None,
        change=change(before, verdicts) if before is not None else None,
        agreement=outcomes.compare(broker, _outcomes(arguments.outcomes), rules) if arguments.outcomes else None,
    )
    say(FORMATS[arguments.format](evaluation))
    return _code(arguments, evaluation)


NO_CASES = (
    'No labelled queries. Lay evals/queries.jsonl with lines {"query": "...", "expected": ["skill"]} beside the '
    "skills, give a file with --cases, or ask with the skills' own words: --self-test."
)


def _loaded(paths: Sequence[Path]) -> Loaded:
    """What lies under the paths, and nothing else. Raises `CommandError`."""
    try:
        return load(Where(tuple(paths), with_user=False))
    except MissingPathError as error:
        raise CommandError(str(error), UNREADABLE) from error


def _before(
    arguments: argparse.Namespace, broker: Broker, rivals: Sequence[Skill], cases: Sequence[Case], rules: Rules
) -> dict[object, bool]:
    """Whether each case passed with the baseline. Raises `CommandError`."""
    try:
        if Path(arguments.baseline).is_file():
            return baseline.read_report(Path(arguments.baseline))
        with baseline.at_revision(arguments.paths or [HERE], arguments.baseline) as paths:
            skills = _loaded(paths).skills if paths else ()
    except baseline.BaselineError as error:
        raise CommandError(f"--baseline {arguments.baseline}: {error}", USAGE) from error
    earlier = Broker(broker.encoder)
    earlier.replace((*rivals, *skills))
    return passes(list(judge(earlier, cases, rules)))


def _outcomes(path: Path) -> list[outcomes.Used]:
    try:
        return outcomes.read_outcomes(path)
    except outcomes.OutcomesError as error:
        raise CommandError(str(error), UNREADABLE) from error


def _code(arguments: argparse.Namespace, evaluation: Evaluation) -> int:
    if arguments.min_hit1 is None:
        return ANSWERED
    hit = figures(evaluation.verdicts).hit_1
    if hit is None:
        raise CommandError("--min-hit1: no labelled query expects a skill", NOTHING)
    if hit < arguments.min_hit1:
        complain(f"hit@1 {hit:.3f} is below --min-hit1 {arguments.min_hit1:g}")
        return NOTHING
    return ANSWERED
