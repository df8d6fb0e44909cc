"""Finding the configuration files of a project and its user (spec A.5, G)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from weave_tui.prompts import ConfigError, Layer, check, find_layers, find_root
from weave_tui.resources import sample_skills_dir
from weave_tui.skills import Skill


def write(path: Path, text: str = 'agent a { prompt "x" }') -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def found(start: Path, home: Path, root: Path | None = None) -> list[tuple[str, Path, str]]:
    result = find_layers(start, root=root, home=home)
    assert result.value is not None, result.errors
    return [(layer.name, layer.root, layer.format) for layer in result.value]


def message(start: Path, home: Path, root: Path | None = None) -> str:
    error = find_layers(start, root=root, home=home).errors[0]
    assert isinstance(error, ConfigError)
    assert error.type == "FileReadError"
    return error.message


def test_the_nearest_folder_upward_and_the_users_own(tmp_path: Path) -> None:
    home, work = tmp_path / "home", tmp_path / "work"
    write(home / ".weave" / "config.weave")
    write(work / ".weave" / "config.weave")
    write(work / "inner" / ".weave" / "config.yaml", "agents: {a: {prompt: x}}")
    deep = work / "inner" / "a" / "b"
    deep.mkdir(parents=True)
    assert find_root(deep) == work / "inner"
    user = ("global", home / ".weave", "weave")
    assert found(deep, home) == [user, ("project", work / "inner" / ".weave", "yaml")]
    assert found(work, home) == [user, ("project", work / ".weave", "weave")]
    assert found(deep, home, root=work) == [user, ("project", work / ".weave", "weave")]
    assert found(deep, home, root=work / ".weave") == [user, ("project", work / ".weave", "weave")]


def test_the_users_own_is_not_taken_twice(tmp_path: Path) -> None:
    write(tmp_path / ".weave" / "config.json", "{}")
    (tmp_path / "work").mkdir()
    assert found(tmp_path / "work", tmp_path) == [("global", tmp_path / ".weave", "json")]


def test_two_formats_beside_each_other(tmp_path: Path) -> None:
    write(tmp_path / ".weave" / "config.weave")
    write(tmp_path / ".weave" / "config.yaml", "{}")
    assert "config.weave and config.yaml are beside each other" in message(tmp_path, tmp_path / "home")


def test_nothing_there(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    write(tmp_path / "home" / ".weave" / "config.weave")
    assert "There is no configuration" in message(tmp_path, tmp_path / "nobody")
    assert "There is no configuration" in message(tmp_path, tmp_path / "home", root=tmp_path / "work")


@pytest.mark.parametrize("data", [b"\xff\xfe", b"#" * 1_000_001])
def test_unreadable_configurations(data: bytes, tmp_path: Path) -> None:
    write(tmp_path / ".weave" / "config.weave").write_bytes(data)
    assert "cannot be read" in message(tmp_path, tmp_path / "home")


def test_a_broken_link_is_not_passed_over(tmp_path: Path) -> None:
    (tmp_path / ".weave").mkdir()
    (tmp_path / ".weave" / "config.weave").symlink_to("nothing")
    assert "does not exist" in message(tmp_path, tmp_path / "home")


def test_a_configuration_that_is_a_link_outside(tmp_path: Path) -> None:
    (tmp_path / "work" / ".weave").mkdir(parents=True)
    (tmp_path / "work" / ".weave" / "config.weave").symlink_to(write(tmp_path / "outside"))
    assert "link out of" in message(tmp_path / "work", tmp_path / "home")


def test_the_sample_configuration_is_right(samples: tuple[Skill, ...]) -> None:
    layers = find_layers(Path.cwd(), root=sample_skills_dir(), home=Path("/nowhere"))
    assert layers.value is not None
    report = check(layers.value, skills={skill.name for skill in samples})
    assert [found.code for found in report.diagnostics] == ["prompt-append-shadowed"]
    assert report.plan is not None
    members = [composition.member for composition in report.plan.agents]
    assert any(member.agent.skills for member in members)
    explicit = [member.name for member in members if member.origin == "explicit"]
    assert len(explicit) >= 6
    assert {member.origin for member in members} == {"explicit", "category-shuttle", "review-variant"}
    assert len({step.workflow for step in report.steps}) >= 2
    assert {step.append_scope for step in report.steps} == {"step", "workflow"}


def test_the_library_does_without_textual() -> None:
    script = "import sys, weave_tui.prompts; sys.exit('textual' in sys.modules or 'weave_tui.broker' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_layers_know_their_file() -> None:
    assert Layer("project", Path("/x"), "", "json").file == Path("/x/config.json")
