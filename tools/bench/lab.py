"""The lab: judging 1,000 queries over 1,000 skills, the self-test of 500, and a keystroke in the editor."""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path

from tools.bench.generate import write_library
from tools.bench.measure import Figure, spread
from weave_tui.broker import Broker, Rules, load_encoder
from weave_tui.lab import selftest
from weave_tui.lab.cases import find_case_files, read_cases
from weave_tui.lab.draft import edited, open_draft, ranked, reworded
from weave_tui.lab.verdicts import judge
from weave_tui.lab.winning import winning_edit
from weave_tui.skills import Where, load

SKILLS, TESTED, KEYSTROKES, EDITS = 1_000, 500, 40, 20


def run() -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        return [*_judging(Path(folder) / "large", SKILLS), *_self_test(Path(folder) / "small", TESTED)]


def _broker(root: Path, count: int) -> Broker:
    write_library(root, count)
    broker = Broker(load_encoder())
    broker.replace(load(Where((root,))).skills)
    return broker


def _judging(root: Path, count: int) -> list[Figure]:
    broker = _broker(root, count)
    skills = broker.registry.skills
    lines = [
        json.dumps({"query": skill.description.split(".")[0].lower(), "expected": [skill.name]}) for skill in skills
    ]
    (root / "evals").mkdir()
    (root / "evals" / "queries.jsonl").write_text("\n".join(lines), "utf-8")
    loaded = load(Where((root,)))
    started = time.perf_counter()
    found = read_cases(find_case_files(loaded), broker.registry)
    read = time.perf_counter() - started
    started = time.perf_counter()
    verdicts = list(judge(broker, found.cases, Rules()))
    judged = time.perf_counter() - started
    draft = open_draft(skills[0])
    typed, all_again = [], []
    for number in range(KEYSTROKES):
        started = time.perf_counter()
        now = reworded(draft, draft.description + " and more"[:number], draft.triggers, draft.homes[0])
        changed = edited(broker, 0, now.skill)
        ranked(changed, 0, found.cases[1].query, Rules())
        typed.append(time.perf_counter() - started)
        if number % 10 == 0:
            list(judge(changed, found.cases, Rules()))
            all_again.append(time.perf_counter() - started)
    wins = []
    for verdict in [one for one in verdicts if one.right][:EDITS]:
        started = time.perf_counter()
        winning_edit(broker, verdict.right.position if verdict.right else 0, verdict.case.query + " today")
        wins.append(time.perf_counter() - started)
    about = f"{len(found.cases):,} queries, {count:,} skills"
    return [
        Figure("find and read labelled queries", read * 1000, "ms", about),
        Figure("one lab run", judged, "s", about),
        *spread("keystroke in the editor to its ranking", typed),
        *spread("keystroke in the editor to all new verdicts", all_again, about),
        *spread("what would make it win", wins),
    ]


def _self_test(root: Path, count: int) -> list[Figure]:
    broker = _broker(root, count)
    phrases = selftest.phrases(broker)
    started = time.perf_counter()
    echoes = list(selftest.ask(broker, phrases))
    seconds = time.perf_counter() - started
    return [Figure("self-test", seconds, "s", f"{len(echoes):,} phrases of {count:,} skills")]
