"""Transcripts: prompts a person typed, the skill used for each, and nothing a strange line can break."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli.test_commands import run
from tests.conftest import Write
from weave_tui.lab.outcomes import Used
from weave_tui.lab.transcripts import read_transcripts, transcripts_folder

HERE = "/home/someone/shop"


def user(text: Any, **more: Any) -> dict[str, Any]:
    return {"type": "user", "cwd": HERE, "message": {"role": "user", "content": text}, **more}


def uses(skill: str, key: str = "skill") -> dict[str, Any]:
    block = {"type": "tool_use", "name": "Skill", "input": {key: skill}}
    return {"type": "assistant", "cwd": HERE, "message": {"role": "assistant", "content": [block]}}


def session(folder: Path, name: str, *entries: Any, age: int = 0) -> None:
    path = folder / "-home-someone-shop" / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    os.utime(path, (1_000_000 - age, 1_000_000 - age))


def test_a_prompt_and_the_first_skill_after_it(tmp_path: Path) -> None:
    session(
        tmp_path,
        "one",
        {"type": "summary", "summary": "x"},
        user("deploy it"),
        user([{"type": "tool_result", "content": "done"}]),
        uses("deploy-app"),
        uses("later"),
        user(
            [{"type": "text", "text": "now review"}, {"type": "text", "text": "<system-reminder>no</system-reminder>"}]
        ),
        uses("/pr-review --deep", "command"),
        user("thanks"),
        user("ignored", isMeta=True),
        user("<command-name>/clear</command-name>"),
    )
    assert read_transcripts(tmp_path, Path(HERE), 10) == [
        Used("thanks", ""),
        Used("now review", "pr-review"),
        Used("deploy it", "deploy-app"),
    ]


def test_the_newest_first_and_only_of_this_project(tmp_path: Path) -> None:
    session(tmp_path, "old", user("old one"), age=100)
    session(tmp_path, "new", user("new one"), user("elsewhere", cwd="/tmp/other"))
    assert [used.query for used in read_transcripts(tmp_path, Path(HERE), 10)] == ["new one", "old one"]
    assert [used.query for used in read_transcripts(tmp_path, None, 2)] == ["elsewhere", "new one"]


def test_the_folder_is_claude_codes(isolated: Path) -> None:
    assert transcripts_folder({}) == isolated / ".claude" / "projects"
    assert transcripts_folder({"CLAUDE_CONFIG_DIR": "/c"}) == Path("/c/projects")


@given(st.lists(st.binary(max_size=60), max_size=5))
def test_no_bytes_make_it_fail(tmp_path_factory: pytest.TempPathFactory, lines: list[bytes]) -> None:
    folder = tmp_path_factory.mktemp("projects")
    (folder / "p").mkdir()
    (folder / "p" / "s.jsonl").write_bytes(b"\n".join(lines))
    read_transcripts(folder, None, 10)


LIKE = st.recursive(
    st.none() | st.text(max_size=5) | st.integers(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "message", "content", "text", "input", "name", "cwd"]), inner)
    ),
    max_leaves=10,
)


@given(st.lists(LIKE, max_size=4))
def test_no_entries_make_it_fail(tmp_path_factory: pytest.TempPathFactory, entries: list[Any]) -> None:
    folder = tmp_path_factory.mktemp("projects")
    session(folder, "s", *entries, *({"type": "user", "message": entry} for entry in entries))
    assert all(used.query for used in read_transcripts(folder, None, 10))


def test_the_command_says_where_both_agreed(write: Write, tmp_path: Path) -> None:
    root = write({"deploy-app/SKILL.md": "---\nname: deploy-app\ndescription: Deploy to production.\n---\nShip.\n"})
    session(tmp_path / "t", "s", user("deploy to production now", cwd=str(root)), uses("deploy-app"))
    session(tmp_path / "t", "u", user("deploy to production", cwd=str(root)))
    arguments = ("replay", str(root), "--transcripts", str(tmp_path / "t"))
    done = run(*arguments, cwd=root)
    assert done.returncode == 0, done.stderr
    assert "2 prompts, 1 of them used a skill" in done.stdout and "for 1 (100%)" in done.stdout
    assert "1 prompts had a clear skill and used none" in done.stdout
    assert len(json.loads(run(*arguments, "--json", cwd=root).stdout)) == 2
    none = run(*arguments)
    assert none.returncode == 1 and "--everywhere" in none.stderr
    missing = run("replay", str(root), "--transcripts", str(tmp_path / "nowhere"))
    assert missing.returncode == 3 and "nowhere" in missing.stderr and "Traceback" not in missing.stderr
