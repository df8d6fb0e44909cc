"""The OpenAPI document holds for whatever is sent: no status that it does not name, and no 5xx.

CI sends twenty requests an operation, right ones and wrong ones; `make fuzz` four hundred.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings

from tools.serving import served
from weave_tui.resources import sample_skills_dir


@pytest.mark.fuzz
def test_schemathesis_finds_nothing(tmp_path: Path) -> None:
    pytest.importorskip("uvicorn", reason="the extra 'server' is not installed")
    pytest.importorskip("schemathesis", reason="it comes with the extra 'dev'")
    count = str(settings.default.max_examples // 5 if settings.default else 20)
    options = ["--checks", "all", "--mode", "all", "-n", count, "--no-color", "--continue-on-failure"]
    # With a token it also tries what happens without one.
    with served("--token", "t0ken", str(sample_skills_dir())) as server:
        run = [sys.executable, "-m", "schemathesis.cli", "run", f"{server.url}/openapi.json", *options]
        command = [*run, "--header", "Authorization: Bearer t0ken"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=500)
        assert done.returncode == 0, done.stdout + done.stderr
        code, log = server.end()
    assert code == 0
    assert '"status": 5' not in log
