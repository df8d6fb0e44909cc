"""The conformance vectors, one test a case."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.vector_forms.prompts import run_config, run_template, with_callables

DATA = Path(__file__).parents[1] / "data" / "prompt_composition.json"
DOCUMENT: dict[str, Any] = json.loads(DATA.read_text(encoding="utf-8"))
CONTEXTS = {name: with_callables(context) for name, context in DOCUMENT["contexts"].items()}


def _id(case: dict[str, Any]) -> str:
    return f"{case['id']} {case['title']}"


@pytest.mark.parametrize("case", DOCUMENT["template"], ids=_id)
def test_template(case: dict[str, Any]) -> None:
    assert run_template(case, CONTEXTS).difference == ""


@pytest.mark.parametrize("case", DOCUMENT["config"], ids=_id)
def test_config(case: dict[str, Any]) -> None:
    assert run_config(case).difference == ""


def _run(path: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.vectors", str(path)]
    return subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[2], check=False)


def test_the_runner_counts() -> None:
    done = _run(DATA)
    assert (done.returncode, done.stdout) == (
        0,
        f"{len(DOCUMENT['template']) + len(DOCUMENT['config'])} passed, 0 failed\n",
    )


def test_the_runner_names_what_fails(tmp_path: Path) -> None:
    case = {**DOCUMENT["template"][0], "id": "X1", "expect": {"output": "something else"}}
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps({**DOCUMENT, "template": [case], "config": []}), encoding="utf-8")
    done = _run(path)
    assert done.returncode == 1
    assert done.stdout.splitlines()[0].startswith("X1: output: expected 'something else'")
    assert done.stdout.splitlines()[-1] == "0 passed, 1 failed"


def test_the_runner_refuses_other_files(tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text("{}", encoding="utf-8")
    assert _run(path).returncode == 2
