"""The pages run as they are written: their `sh` blocks in order, and what their `text` blocks say is printed.

Each page has a folder of its own with a copy of sample_skills. Every line of a `text` block must be in what the
`sh` block before it printed. A block is run unless the line above it says otherwise, for all readers of the source:
`<!-- not run: REASON -->`, or `<!-- example: NAME -->` for those of tests/server/test_page.py. `console` blocks are
run by tests/interop/test_docs.py.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from weave_tui.resources import sample_skills_dir

ROOT = Path(__file__).resolve().parents[1]
PAGES = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")))
FENCE = re.compile(r"(?:^<!-- (?:not run|example): (\S[^\n]*) -->\n)?^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
GENERATED = re.compile(r"<!-- generated: .*?<!-- end -->", re.DOTALL)
"""Its examples are run when they are made, and by tests/test_docs.py."""
LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block; `not_run`: why it is not run here, "" when it is."""

    kind: str
    text: str
    not_run: str


def blocks(text: str) -> list[Block]:
    return [Block(kind, inside, why) for why, kind, inside in FENCE.findall(text)]


def run_page(text: str, folder: Path) -> int:
    """Run the page's commands in that folder; how many lines were compared. Fails with what went wrong."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "HOME": str(folder / "home")}
    printed, compared = None, 0
    for block in blocks(text):
        if block.kind == "sh" and block.not_run:
            printed = None
        elif block.kind == "sh":
            done = subprocess.run(
                ["sh", "-ec", block.text], cwd=folder, env=environment, capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, f"{block.text}{done.stderr}"
            printed = done.stdout
        elif block.kind == "text":
            assert printed is not None, f"no command before it was run:\n{block.text}"
            for line in block.text.splitlines():
                assert line in printed, f"{line!r} is not in what was printed:\n{printed}"
                compared += 1
    return compared


@pytest.mark.skipif(shutil.which("sh") is None, reason="needs sh")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_runs_and_prints_what_it_says(page: Path, tmp_path: Path) -> None:
    shutil.copytree(sample_skills_dir(), tmp_path / "sample_skills")
    run_page(page.read_text("utf-8"), tmp_path)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_no_command_is_shown_where_it_would_not_be_run(page: Path) -> None:
    written = GENERATED.sub("", page.read_text("utf-8"))
    other = [block.text for block in blocks(written) if block.kind not in ("sh", "console", "text")]
    assert not [text for text in other if re.search(r"^(\$ )?weave-tui ", text, re.MULTILINE)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_and_pictures_are_there(page: Path) -> None:
    links = LINK.findall(page.read_text("utf-8"))
    assert not [link for link in links if not (page.parent / link).exists()]


@pytest.mark.skipif(shutil.which("sh") is None, reason="needs sh")
def test_a_page_that_is_wrong_fails(tmp_path: Path) -> None:
    assert run_page("```sh\necho one\n```\n\n```text\none\n```\n", tmp_path) == 1
    assert run_page("<!-- not run: it ends with 1 -->\n```sh\nfalse\n```\n", tmp_path) == 0
    for page in ("```sh\nfalse\ntrue\n```\n", "```sh\necho one\n```\n```text\ntwo\n```\n", "```text\none\n```\n"):
        with pytest.raises(AssertionError):
            run_page(page, tmp_path)
