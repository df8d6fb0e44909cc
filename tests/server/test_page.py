"""The examples of docs/server.md, run as they are written but for the port, the paths and the interpreter."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server.test_mcp import client
from tools.serving import ROOT, served
from weave_tui.protocol import violations
from weave_tui.resources import sample_skills_dir

PAGE = (ROOT / "docs" / "server.md").read_text(encoding="utf-8")
EXAMPLES = dict(re.findall(r"<!-- example: (\w+) -->\n```\w+\n(.*?)```", PAGE, re.DOTALL))


def run_against_a_server(command: list[str], example: str, folder: Path) -> str:
    pytest.importorskip("uvicorn", reason="the extra 'server' is not installed")
    with served(str(sample_skills_dir())) as server:
        text = EXAMPLES[example].replace("http://127.0.0.1:7842", server.url)
        done = subprocess.run([*command, text], capture_output=True, text=True, check=True, cwd=folder, timeout=60)
    return done.stdout


def test_curl(tmp_path: Path) -> None:
    if not shutil.which("curl"):
        pytest.skip("curl is not installed")
    assert violations("response", json.loads(run_against_a_server(["sh", "-c"], "curl", tmp_path))) == ()


def test_python(tmp_path: Path) -> None:
    printed = run_against_a_server([sys.executable, "-I", "-c"], "python", tmp_path)
    assert {line.split(" ", 1)[1] for line in printed.splitlines()} == {"Naksha Design System", "backend-api"}


async def test_an_mcp_client() -> None:
    configured = json.loads(EXAMPLES["mcp"])["mcpServers"]["weave-tui"]
    assert configured["command"] == "weave-tui"
    command, folder = configured["args"]
    async with client(ROOT / folder, [], command) as session:
        assert len((await session.list_tools()).tools) == 2
