"""The wheel, in an environment outside the checkout: it starts, finds its data and answers, with no network."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from what git tracks, as a clean clone would."""
    pytest.importorskip("hatchling", reason="building without isolation needs hatchling")
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    clone = tmp_path_factory.mktemp("clone")
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, capture_output=True, check=True).stdout
    subprocess.run(["tar", "x", "-C", str(clone)], input=archive, check=True)
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)]
    subprocess.run(command, cwd=clone, check=True, capture_output=True)
    (built,) = out.glob("*.whl")
    return built


def test_the_wheel_carries_its_data(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for wanted in (
        "weave_tui/model/model.safetensors",
        "weave_tui/model/LICENSE",
        "weave_tui/_data/schemas/response.json",
        "weave_tui/_data/sample_skills/AGENTS.md",
        "weave_tui/_data/sample_skills/.claude/skills/design-system/SKILL.md",
        "weave_tui/tui/screens/main.tcss",
    ):
        assert wanted in names
    assert not [name for name in names if name.startswith(("tests/", "tools/"))]


def test_the_wheel_answers_outside_the_checkout(wheel: Path, tmp_path: Path) -> None:
    """Only the package itself comes from the wheel: its dependencies are this environment's, so no network is asked."""
    place = tmp_path / "environment"
    venv.create(place, with_pip=False, symlinks=True)
    (site,) = place.glob("lib/python*/site-packages")
    zipfile.ZipFile(wheel).extractall(site)
    here = next(path for path in sys.path if path.endswith("site-packages"))
    (site / "dependencies.pth").write_text(here + "\n")
    code = (
        "import weave_tui, sys; from weave_tui.resources import sample_skills_dir, schemas_dir\n"
        "assert (schemas_dir() / 'request.json').is_file()\n"
        "from weave_tui.cli import main\n"
        "sys.stderr.write(weave_tui.__file__)\n"
        "main(['query', 'rename a column without downtime', str(sample_skills_dir()), '--json'])"
    )
    done = subprocess.run(
        [str(place / "bin" / "python"), "-c", code],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "HF_HUB_OFFLINE": "1"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith(str(site))
    assert json.loads(done.stdout)["skills"][0]["name"] == "zero-downtime-migration"
