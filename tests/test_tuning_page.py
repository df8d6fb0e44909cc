"""docs/tuning.md run as it is written: its commands in their order, and what it says they print."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from weave_tui.resources import sample_skills_dir

ROOT = Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"^```(sh|text)\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.mark.skipif(shutil.which("sh") is None, reason="needs sh")
def test_the_page_runs_and_prints_what_it_says(tmp_path: Path) -> None:
    shutil.copytree(sample_skills_dir(), tmp_path / "sample_skills")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)}
    printed = ""
    compared = 0
    for kind, block in BLOCK.findall((ROOT / "docs" / "tuning.md").read_text("utf-8")):
        if kind == "sh":
            done = subprocess.run(
                ["sh", "-ec", block], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, f"{block}{done.stderr}"
            printed = done.stdout
        else:
            for line in block.splitlines():
                assert line in printed, f"{line!r} is not in what was printed:\n{printed}"
                compared += 1
    assert compared > 10
