"""The examples of docs/interop.md are what the commands print; `...` stands for anything."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tools.interop_tables import PAGE

ROOT = PAGE.parent.parent
BLOCKS = re.findall(r"```console\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS, ids=[block.splitlines()[0][2:60] for block in BLOCKS])
def test_an_example_prints_what_the_page_says(block: str, tmp_path: Path) -> None:
    commands = [line[2:] for line in block.splitlines() if line.startswith("$ ")]
    expected = "".join(line for line in block.splitlines(keepends=True) if not line.startswith("$ "))
    (tmp_path / "sample_skills").symlink_to(ROOT / "sample_skills")
    # Errors after results, wherever each of them comes from in a pipe.
    script = "\n".join([f'weave-tui() {{ PYTHONPATH="{ROOT}" "{sys.executable}" -m weave_tui "$@"; }}', *commands])
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)
    pattern = ".*?".join(map(re.escape, expected.split("...")))
    assert re.fullmatch(pattern, done.stdout + done.stderr, re.DOTALL), done.stdout + done.stderr
