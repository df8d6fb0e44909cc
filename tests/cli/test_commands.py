"""The commands as a person runs them: output, exit codes, and one clear message for each mistake."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Write
from weave_tui.protocol import parse_response, violations
from weave_tui.resources import sample_skills_dir

SAMPLES = str(sample_skills_dir())
TASK = "design a REST endpoint with a React form"


def run(*arguments: str, stdin: str = "", cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "weave_tui", *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])},
    )


def test_query_prints_a_ranking_with_the_gap() -> None:
    done = run("query", TASK, SAMPLES)
    assert (done.returncode, done.stderr) == (0, "")
    verdict, _, first, second, *_ = done.stdout.splitlines()
    assert verdict.startswith("close call: gap 0.0") and "-> 2 skills, about " in verdict
    assert {first.split()[0], second.split()[0]} == {"✓"}
    assert "\x1b" not in done.stdout


def test_query_json_is_a_valid_response() -> None:
    done = run("query", TASK, SAMPLES, "--json")
    document = json.loads(done.stdout)
    assert violations("response", document) == ()
    response = parse_response(document)
    assert {match.name for match in response.skills} == {"Naksha Design System", "backend-api"}


def test_query_prompt_is_the_composed_text_alone() -> None:
    composed = json.loads(run("query", TASK, SAMPLES, "--json").stdout)["composed"]
    assert run("query", TASK, SAMPLES, "--prompt").stdout == composed + "\n"


def test_options_may_stand_before_and_after_paths() -> None:
    assert run("query", "--top-n", "2", TASK, "--exclude", "backend-api", SAMPLES).returncode == 0


def test_nothing_answers() -> None:
    done = run("query", "hello", SAMPLES, "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout) == {"weave_protocol": "1.0", "skills": [], "composed": ""}
    assert run("query", "hello", SAMPLES, "--prompt").stdout == ""
    assert "nothing fits" in run("query", "hello", SAMPLES).stdout
    assert "unknown" in run("query", "🎉", SAMPLES).stdout


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("query", TASK, "/nope"), 3, "Path does not exist: '/nope'"),
        (("list", "/nope"), 3, "Path does not exist: '/nope'"),
        (("check", "/nope"), 3, "Path does not exist: '/nope'"),
        (("/nope",), 3, "Path does not exist: '/nope'"),
        (("query", "", SAMPLES), 2, "$.query: expected text, got an empty string"),
        (("query", "  ", SAMPLES), 2, "The query is empty"),
        (("query", TASK, SAMPLES, "--top-n", "3"), 2, "$.top_n: expected at most 2, got 3"),
        (("query", TASK, SAMPLES, "--top-n", "0"), 2, "$.top_n: expected at least 1, got 0"),
        (("query", TASK, SAMPLES, "--threshold", "7"), 2, "expected a number from 0 to 1, got 7"),
        (("query", TASK, SAMPLES, "--model", "/nope"), 3, "Model folder does not exist: '/nope'"),
        (("query", TASK, SAMPLES, "--model", SAMPLES), 3, "lacks config.json"),
        (("query", TASK, SAMPLES, "--platform", "vscode"), 2, "invalid choice: 'vscode'"),
        (("query",), 2, "required: TEXT"),
        ((SAMPLES,), 2, "The app needs a terminal"),
    ],
)
def test_one_clear_message(arguments: tuple[str, ...], code: int, message: str) -> None:
    done = run(*arguments)
    assert done.returncode == code
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("command", ["query", "list", "check"])
def test_a_folder_without_skills(command: str, write: Write) -> None:
    root = write({"readme.md": "# Nothing"})
    done = run(command, *(["x"] if command == "query" else []), str(root))
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert f"No skills found in '{root}' (1 files looked at)." in done.stderr


def test_list_json() -> None:
    listed = json.loads(run("list", SAMPLES, "--json").stdout)
    assert len(listed) == 24
    for entry in listed:
        assert {"id", "name", "platform", "path", "source", "activation", "locations", "shadowed"} <= set(entry)
        assert len(entry["id"]) == 16
        assert entry["source"] == "given"
        assert Path(entry["path"]).is_absolute()


def test_check_counts_and_fails_only_when_a_skill_was_not_loaded(write: Write) -> None:
    done = run("check", SAMPLES)
    assert done.returncode == 0
    assert "24 skills of 26 files" in done.stdout
    root = write({"a/SKILL.md": "---\nname: a\ndescription: d\n---\nBody.", "b/SKILL.md": b"\xff"})
    broken = run("check", str(root))
    assert broken.returncode == 1
    assert f"{root}/b/SKILL.md: error: byte 0 is not UTF-8 (skipped) [not-text]" in broken.stdout


def test_a_broken_sidecar_is_said_and_the_skill_loads(write: Write) -> None:
    root = write({"a/SKILL.md": "---\nname: a\ndescription: d\n---\nBody.", "a/weave.skill.json": "{bad"})
    done = run("check", str(root))
    assert done.returncode == 0
    assert "weave.skill.json:1: warning: Expecting property name" in done.stdout
    assert len(json.loads(run("list", str(root), "--json").stdout)) == 1


def test_hostile_text_never_reaches_the_terminal_raw(write: Write) -> None:
    name = "evil\x1b]52;c;aGk=\x07\x1b[2J\u202egnp"
    root = write({"a/SKILL.md": f'---\nname: "{name}"\ndescription: "paint \x1b[31m walls"\n---\nBody.'})
    for arguments in (("query", "paint walls", str(root)), ("list", str(root)), ("check", str(root))):
        done = run(*arguments)
        assert not any(mark in done.stdout + done.stderr for mark in ("\x1b", "\x07", "\u202e")), arguments


def test_a_closed_pipe_is_no_error() -> None:
    command = f"{sys.executable} -m weave_tui list {SAMPLES} | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout.count("\n") == 1


def test_version_and_help() -> None:
    assert run("--version").stdout.startswith("weave-tui ")
    helped = run("--help").stdout
    assert all(command in helped for command in ("query", "list", "check", "--pick"))


def test_config_says_where_each_value_comes_from(tmp_path: Path) -> None:
    (tmp_path / "weave.yaml").write_text("version: '1'\nskills: [{path: .}]\ncomposition:\n  min_score: 0.3\n")
    shown = json.loads(run("config", "--json", cwd=tmp_path).stdout)
    assert shown["composition.min_score"] == {"value": 0.3, "origin": f"{tmp_path}/weave.yaml:4"}
    assert shown["app.theme"]["origin"] == "default"
    assert "composition.min_score" in run("config", cwd=tmp_path).stdout
    (tmp_path / "weave.yaml").write_text("version: '1'\nskill: x\n")
    broken = run("config", cwd=tmp_path)
    assert (broken.returncode, broken.stdout) == (2, "")
    assert f"{tmp_path}/weave.yaml:2: skill: unknown setting; did you mean 'skills'?" in broken.stderr


def test_a_project_never_chooses_the_model(tmp_path: Path, write: Write) -> None:
    root = write({"a/SKILL.md": "---\nname: a\ndescription: Paint walls.\n---\nBody."})
    (root / "weave.yaml").write_text("version: '1'\nskills: [{path: .}]\ncomposition: {model: evil/model}\n")
    done = run("query", "paint walls", cwd=root)
    assert done.returncode == 0
    assert "a project may not choose the embedding model (ignored)" in done.stderr


def test_settings_skills_are_read_beside_what_is_discovered(write: Write) -> None:
    root = write(
        {
            "lib/x/SKILL.md": "---\nname: x\ndescription: d\n---\nB.",
            "AGENTS.md": "# Guide\n\nText.",
            "weave.yaml": "version: '1'\nskills: [{path: lib}]\n",
        }
    )
    names = {entry["name"]: entry["source"] for entry in json.loads(run("list", "--json", cwd=root).stdout)}
    assert names == {"x": "given", "Guide": "project"}


def test_cache_shows_and_clears(write: Write) -> None:
    root = write({"a/SKILL.md": "---\nname: a\ndescription: d\n---\nB."})
    assert ": 0 files" in run("cache").stdout
    run("list", str(root))
    assert ": 1 files" in run("cache").stdout
    run("list", str(root), "--no-cache")
    assert "bytes freed" in run("cache", "--clear").stdout
    assert ": 0 files" in run("cache").stdout


def test_check_as_json_and_sarif(write: Write) -> None:
    root = write({"a/SKILL.md": "---\nname: a\ndescription: x: y\n---\nB.", "b/SKILL.md": b"\xff"})
    document = json.loads(run("check", str(root), "--format", "json").stdout)
    assert document["files"] == 2 and document["skills"] == 1
    assert [d["code"] for d in document["diagnostics"]] == ["not-text", "frontmatter-repaired"]
    assert document["diagnostics"][1]["line"] == 3
    sarif = json.loads(run("check", str(root), "--format", "sarif").stdout)
    (only,) = sarif["runs"]
    assert [r["ruleId"] for r in only["results"]] == ["not-text", "frontmatter-repaired"]
    assert only["results"][1]["locations"][0]["physicalLocation"]["region"] == {"startLine": 3}
    assert {rule["id"] for rule in only["tool"]["driver"]["rules"]} == {"not-text", "frontmatter-repaired"}


def test_the_cache_changes_nothing(write: Write) -> None:
    root = write({f"{n}/SKILL.md": f"---\nname: {n}\ndescription: Paint {n}.\n---\nBody {n}." for n in "abc"})
    answers = [run("query", "paint b", str(root), "--json").stdout for _ in range(2)]
    assert answers[0] == answers[1] == run("query", "paint b", str(root), "--json", "--no-cache").stdout


def test_compose_merges_named_skills_in_the_given_order() -> None:
    done = run("compose", "house-style", "typescript-style", SAMPLES)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("# House Style\n") and "\n\n---\n\n# TypeScript Style\n" in done.stdout
    assert "Always use enums" not in done.stdout
    assert "Always use enums" in run("compose", "house-style", "typescript-style", SAMPLES, "--keep-conflicts").stdout


def test_compose_tells_names_from_paths() -> None:
    file = f"{SAMPLES}/.cursor/rules/typescript-style.mdc"
    assert run("compose", file).stdout.startswith("# TypeScript Style\n")
    for arguments, code, says in [
        ((SAMPLES,), 2, "Name at least one skill"),
        (("typescript-stile", SAMPLES), 1, "did you mean 'typescript-style'?"),
        (("./nowhere", SAMPLES), 3, "Path does not exist: './nowhere'"),
        (("house-style", "--max-tokens", "0", SAMPLES), 2, "expected a whole number from 1 on"),
    ]:
        done = run("compose", *arguments)
        assert (done.returncode, done.stdout) == (code, "") and says in done.stderr


def test_compose_explains_the_dependency_chain_and_keeps_to_a_budget() -> None:
    done = run("compose", "zero-downtime-migration", SAMPLES, "--explain", "--max-tokens", "1500")
    assert "needed by zero-downtime-migration" in done.stdout and "needed by postgres-schema" in done.stdout
    assert " was cut: " in done.stdout
    made = json.loads(run("compose", "zero-downtime-migration", SAMPLES, "--json", "--max-tokens", "1500").stdout)
    assert made["tokens"] <= 1500 and made["cuts"]


def test_compose_strategies() -> None:
    everything = json.loads(run("compose", "--strategy", "always-merge", SAMPLES, "--json").stdout)
    assert len({part["name"] for part in everything["parts"]}) == 23, "the 24 samples but for one variant"
    minimal = run("compose", "--strategy", "minimal", "house-style", SAMPLES).stdout
    assert minimal.startswith("House coding style for all Python") and "# House Style" not in minimal
