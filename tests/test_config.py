"""Settings: their layers, where each value came from, and one clear error for each mistake."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from weave_tui.config import Resolved, SettingsError, fields, resolve, rows, settings_schema, user_file, variable

PROJECT = "version: '1'\nskills:\n  - path: skills\n    platform: claude_code\n"


def project(tmp_path: Path, text: str) -> Path:
    folder = tmp_path / "project"
    (folder / "skills").mkdir(parents=True, exist_ok=True)
    (folder / "weave.yaml").write_text(text)
    return folder


def user(text: str) -> Path:
    path = user_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def value(resolved: Resolved, field: str) -> tuple[Any, str]:
    return next((found, origin) for name, found, origin in rows(resolved) if name == field)


def test_defaults(tmp_path: Path) -> None:
    resolved = resolve(tmp_path, {})
    chosen = resolved.settings.composition
    assert (chosen.strategy, chosen.max_active_skills, chosen.confidence_threshold) == ("dynamic", 2, 0.1)
    assert (resolved.settings.output.verbose, resolved.settings.output.explain) == (False, False)
    assert {origin for _, _, origin in rows(resolved)} == {"default"}


def test_each_layer_is_stronger_than_the_last(tmp_path: Path) -> None:
    field = "composition.min_score"
    mine = user("composition:\n  min_score: 0.2\n")
    assert value(resolve(tmp_path, {}), field) == (0.2, f"{mine}:2")
    folder = project(tmp_path, PROJECT + "composition: {min_score: 0.3}\n")
    assert value(resolve(folder, {}), field) == (0.3, f"{folder}/weave.yaml:5")
    environ = {variable(field): "0.4"}
    assert value(resolve(folder, environ), field) == (0.4, "WEAVE_TUI_COMPOSITION_MIN_SCORE")
    assert value(resolve(folder, environ, {field: 0.5}), field) == (0.5, "command line")


def test_the_peers_file_is_read(tmp_path: Path) -> None:
    folder = project(
        tmp_path,
        PROJECT + "composition:\n  strategy: always-merge\n  max_active_skills: 1\n  confidence_threshold: 0.2\n"
        "  model: all-MiniLM-L6-v2\noutput:\n  verbose: true\n",
    )
    resolved = resolve(folder, {})
    chosen = resolved.settings.composition
    assert (chosen.strategy, chosen.max_active_skills, chosen.confidence_threshold) == ("always-merge", 1, 0.2)
    assert chosen.model is None
    assert [(d.code, d.line) for d in resolved.diagnostics] == [("settings-ignored", 9)]
    assert resolved.folders == ((folder / "skills", "claude_code"),)


def test_a_project_reads_nothing_outside_itself(tmp_path: Path) -> None:
    folder = project(tmp_path, "version: 1\nskills: [{path: ../elsewhere}, {path: skills}]\n")
    resolved = resolve(folder, {})
    assert resolved.folders == ((folder / "skills", None),)
    assert [d.code for d in resolved.diagnostics] == ["settings-ignored"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("skills: [{path: skills}]", "weave.yaml: version: required"),
        ("version: '1'", "weave.yaml: skills: required"),
        ("version: '1'\nskills: []", "weave.yaml: skills: required"),
        ("version: '1'\nskills: [{path: x, platform: vscode}]", "weave.yaml:2: skills.0.platform: Input should be"),
        (PROJECT + "composition:\n  strategy: random", "weave.yaml:6: composition.strategy: Input should be 'dynamic'"),
        (PROJECT + "composition:\n  min_scor: 1", "weave.yaml:6: composition.min_scor: unknown setting; did you mean"),
        (PROJECT + "min_score: 1", "did you mean 'composition.min_score'?"),
        (PROJECT + "composition: {min_score: 2}", "composition.min_score: Input should be less than or equal to 1"),
        (PROJECT + "composition: x", "weave.yaml:5: composition: expected keys"),
        ("- a", "weave.yaml:1: the file: expected keys"),
        ("a: [", "weave.yaml:1: not valid YAML"),
        (PROJECT + "cache: &a [*a]", "cache"),
        ("version: !!python/object/apply:os.system [x]\nskills: x", "version: not a plain value"),
    ],
)
def test_one_clear_error(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(SettingsError) as caught:
        resolve(project(tmp_path, text), {})
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_environment_is_checked_too(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"WEAVE_TUI_APP_THEME: app\.theme: Input should be 'dark', 'light'"):
        resolve(tmp_path, {"WEAVE_TUI_APP_THEME": "pink"})


def test_the_schema_accepts_what_is_read(tmp_path: Path) -> None:
    schema = settings_schema()
    Draft202012Validator.check_schema(schema)
    assert Draft202012Validator(schema).is_valid({"version": "1", "skills": [{"path": "x"}]})
    assert not Draft202012Validator(schema).is_valid({"compositon": {}})
    assert json.dumps(schema)


def test_every_setting_has_its_words() -> None:
    assert all(info.description for info in fields().values())
