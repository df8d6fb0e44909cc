"""`weave-tui eval` as CI runs it: the same everywhere, with exit codes and three forms of report."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.test_commands import run
from tests.conftest import Write

DEPLOY = "---\nname: deploy-app\ndescription: Deploy an application to production servers.\n---\n\nShip it.\n"
REVIEW = "---\nname: pr-review\ndescription: Review a pull request and comment on the code.\n---\n\nRead it.\n"
CASES = (
    '{"query": "deploy to production", "expected": ["deploy-app"]}\n'
    '{"query": "review this pull request", "expected": ["deploy-app"]}\n'
    '{"query": "qzxv", "expected": []}\n'
    '{"query": "gone", "expected": ["nobody"]}\n'
)
FILES: dict[str, str | bytes] = {
    "deploy-app/SKILL.md": DEPLOY,
    "pr-review/SKILL.md": REVIEW,
    "evals/queries.jsonl": CASES,
}


def test_the_text_names_every_failure_with_its_line(write: Write) -> None:
    root = write(FILES)
    done = run("eval", str(root))
    assert done.returncode == 0
    assert "2 of 3 pass" in done.stdout and "hit@1 50.0%" in done.stdout
    assert "pr-review from deploy-app" in done.stdout
    assert f"{root}/evals/queries.jsonl:2: second:" in done.stdout
    assert f"{root}/evals/queries.jsonl:4: " in done.stderr and "'nobody'" in done.stderr


def test_json_and_junit_say_the_same(write: Write) -> None:
    root = write(FILES)
    document = json.loads(run("eval", str(root), "--format", "json").stdout)
    assert [verdict["outcome"] for verdict in document["verdicts"]] == ["first", "second", "quiet"]
    assert document["figures"]["hit_1"] == 0.5
    suite = ElementTree.fromstring(run("eval", str(root), "--format", "junit").stdout)
    assert (suite.get("tests"), suite.get("failures")) == ("3", "1")
    assert [case.get("line") for case in suite if case.find("failure") is not None] == ["2"]


def test_it_ends_with_1_below_the_wanted_hit_rate(write: Write) -> None:
    root = str(write(FILES))
    assert run("eval", root, "--min-hit1", "0.5").returncode == 0
    below = run("eval", root, "--min-hit1", "0.6")
    assert below.returncode == 1 and "hit@1 0.500 is below --min-hit1 0.6" in below.stderr


def test_no_folder_or_setting_of_the_person_counts(write: Write, isolated: Path) -> None:
    root = write(FILES)
    mine = isolated / ".claude/skills/rival/SKILL.md"
    mine.parent.mkdir(parents=True)
    mine.write_text("---\nname: rival\ndescription: deploy to production\n---\nBody.\n")
    settings = isolated / ".config/weave-tui/config.yaml"
    settings.parent.mkdir(parents=True)
    settings.write_text("composition:\n  min_score: 0.9\n")
    document = json.loads(run("eval", "--format", "json", cwd=root).stdout)
    assert document["skills"] == 2
    assert document["verdicts"][0]["outcome"] == "first"
    assert not (isolated / ".cache").exists(), "nothing is remembered"


def test_rivals_compete_and_their_cases_are_not_judged(write: Write, tmp_path: Path) -> None:
    root = write(FILES)
    rival = tmp_path / "theirs/rival/SKILL.md"
    rival.parent.mkdir(parents=True)
    rival.write_text("---\nname: rival\ndescription: deploy to production, deploy to production\n---\nBody.\n")
    (tmp_path / "theirs/evals").mkdir()
    (tmp_path / "theirs/evals/q.jsonl").write_text('{"query": "x", "expected": ["rival"]}\n')
    document = json.loads(run("eval", str(root), "--against", str(tmp_path / "theirs"), "--format", "json").stdout)
    assert len(document["verdicts"]) == 3
    assert document["verdicts"][0]["first"]["name"] == "rival"


def test_the_self_test_is_called_a_list_to_look_at(write: Write) -> None:
    files = dict(FILES)
    del files["evals/queries.jsonl"]
    root = str(write(files))
    assert "a list to look at, not an accuracy" in run("eval", root, "--self-test").stdout
    without = run("eval", root)
    assert without.returncode == 1 and "--self-test" in without.stderr and "evals/queries.jsonl" in without.stderr


def test_a_baseline_file_names_what_changed(write: Write, tmp_path: Path) -> None:
    root = write(FILES)
    report = tmp_path / "before.json"
    report.write_text(run("eval", str(root), "--format", "json").stdout)
    (root / "deploy-app/SKILL.md").write_text(DEPLOY.replace("servers.", "servers. Review this pull request."))
    (root / "pr-review/SKILL.md").write_text(REVIEW.replace("Review a pull request and comment", "Comments"))
    done = run("eval", str(root), "--baseline", str(report))
    assert "against the baseline: +1 −0" in done.stdout
    assert "gained: review this pull request" in done.stdout


def test_a_baseline_revision_is_what_git_has(write: Write) -> None:
    root = write(FILES)

    def git(*arguments: str) -> None:
        identity = ("-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false")
        subprocess.run(["git", "-C", str(root), *identity, *arguments], check=True, capture_output=True)

    git("init", "--quiet")
    git("add", "-A")
    git("commit", "--quiet", "-m", "first")
    (root / "deploy-app/SKILL.md").write_text(DEPLOY.replace("Deploy an application to production", "Paint"))
    (root / "pr-review/SKILL.md").write_text(REVIEW.replace("Review a pull request", "Deploy to production"))
    done = run("eval", str(root), "--baseline", "HEAD")
    assert "against the baseline: +0 −1, robs deploy-app" in done.stdout and "lost: deploy to production" in done.stdout
    wrong = run("eval", str(root), "--baseline", "no-such")
    assert wrong.returncode == 2 and "--baseline no-such" in wrong.stderr and "Traceback" not in wrong.stderr


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("not.json", "[]", "not a report of"),
        ("broken.json", "{", "not a report of"),
    ],
)
def test_a_wrong_baseline_is_told(write: Write, tmp_path: Path, name: str, content: str, said: str) -> None:
    (tmp_path / name).write_text(content)
    done = run("eval", str(write(FILES)), "--baseline", str(tmp_path / name))
    assert done.returncode == 2 and said in done.stderr and name in done.stderr


def test_outcomes_of_real_runs_are_compared(write: Write, tmp_path: Path) -> None:
    outcomes = tmp_path / "runs.jsonl"
    outcomes.write_text(
        '{"query": "deploy to production", "skill": "deploy-app"}\n'
        '{"query": "review this pull request", "skill": "deploy-app"}\n'
        '{"query": "review this pull request", "skill": null}\n'
        '{"query": "anything", "skill": "elsewhere"}\n'
    )
    done = run("eval", str(write(FILES)), "--outcomes", str(outcomes))
    assert "4 prompts, 2 of them used a skill that is loaded" in done.stdout
    assert "chose the same skill for 1 (50%)" in done.stdout
    assert "used deploy-app, text routing says pr-review" in done.stdout
    assert "not loaded: elsewhere, used 1 time" in done.stdout
    outcomes.write_text('{"query": "x"}\n{"skill": "y"}\n')
    wrong = run("eval", str(tmp_path / "library"), "--outcomes", str(outcomes))
    assert wrong.returncode == 3 and "runs.jsonl:2: query: expected text" in wrong.stderr
