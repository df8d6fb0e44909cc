"""What is made of one file: names, descriptions, activation, and what is said about it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weave_tui.skills import Loaded, Skill
from weave_tui.skills.files import MAX_BYTES
from weave_tui.skills.find import Found
from weave_tui.skills.read import read
from weave_tui.skills.walk import stamp_of

LoadFiles = Callable[[dict[str, str | bytes]], Loaded]


def only(loaded: Loaded) -> Skill:
    (skill,) = loaded.skills
    return skill


@pytest.mark.parametrize(
    ("place", "content", "name"),
    [
        ("a-skill/SKILL.md", "Body.", "a-skill"),
        ("a-skill/SKILL.md", "---\nname: [TODO]\n---\nBody.", "a-skill"),
        ("a-skill/SKILL.md", "---\nname:\n  - x\n---\nBody.", "a-skill"),
        ("agents/helper.md", "Body.", "helper"),
        ("rule.mdc", "Body.", "rule"),
        ("shop/.cursorrules", "Body.", "shop"),
        ("x.windsurfrules", "Body.", "x"),
        ("shop/AGENTS.md", "No heading.", "shop"),
        ("shop/AGENTS.md", "```\n# not this\n```\n\n# The *Guide*", "The *Guide*"),
        (".codex/ops.md", "No heading.", "ops"),
        ("日本/SKILL.md", "---\nname: 日本語スキル\n---\nBody.", "日本語スキル"),
    ],
)
def test_names(load_files: LoadFiles, place: str, content: str, name: str) -> None:
    assert only(load_files({place: content})).name == name


@pytest.mark.parametrize(
    ("fields", "triggers"),
    [
        ("description: d", ("d",)),
        ("description: d\ntriggers: [a, b]", ("a", "b")),
        ("trigger_patterns: a\ntriggers: b", ("a",)),
        ("triggers: one, two", ("one", "two")),
        ("description: d\nwhen_to_use: w", ("d", "w")),
        ("name: x", ("First prose.",)),
    ],
)
def test_triggers(load_files: LoadFiles, fields: str, triggers: tuple[str, ...]) -> None:
    skill = only(load_files({"x/SKILL.md": f"---\n{fields}\n---\n# Title\n\nFirst\nprose.\n\nMore."}))
    assert skill.advertisement.trigger_patterns == triggers


@pytest.mark.parametrize(
    ("place", "fields", "activation"),
    [
        ("x/SKILL.md", "description: d", "described"),
        ("x/SKILL.md", "disable-model-invocation: true", "manual"),
        (".claude/agents/x.md", "description: d", "described"),
        (".claude/commands/x.md", "description: d", "manual"),
        ("x.mdc", "alwaysApply: true", "always"),
        ("x.mdc", "globs: *.ts\ndescription: d", "glob"),
        ("x.mdc", "globs:\nalwaysApply: false\ndescription: d", "described"),
        ("x.mdc", "alwaysApply: false", "manual"),
        (".windsurf/rules/x.md", "trigger: always_on", "always"),
        (".windsurf/rules/x.md", "trigger: model_decision", "described"),
        (".windsurf/rules/x.md", "trigger: glob\nglobs: **/*.ts", "glob"),
        (".windsurf/rules/x.md", "trigger: manual", "manual"),
        ("AGENTS.md", "name: x", "always"),
        (".cursorrules", "name: x", "always"),
    ],
)
def test_activation(load_files: LoadFiles, place: str, fields: str, activation: str) -> None:
    assert only(load_files({place: f"---\n{fields}\n---\nBody."})).activation == activation


def test_globs_keep_their_braces(load_files: LoadFiles) -> None:
    skill = only(load_files({"x.mdc": "---\nglobs: **/*.{ts,tsx}, src/**\n---\nBody."}))
    assert skill.globs == ("**/*.{ts,tsx}", "src/**")
    assert skill.advertisement.capabilities == ()


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "empty-file"),
        (b"caf\xe9", "not-text"),
        ("x".encode("utf-16"), "not-text"),
        (b"a\0b", "not-text"),
        (b"x" * (MAX_BYTES + 1), "too-large"),
    ],
)
def test_what_is_not_loaded_has_a_reason(load_files: LoadFiles, content: bytes, code: str) -> None:
    loaded = load_files({"a/SKILL.md": content, "b/SKILL.md": "---\nname: b\ndescription: d\n---\nBody."})
    assert [skill.name for skill in loaded.skills] == ["b"]
    assert [d.code for d in loaded.diagnostics] == [code]


@pytest.mark.parametrize(
    ("place", "fields", "code"),
    [
        ("x/SKILL.md", "name: Not Kebab\ndescription: d", "name-format"),
        ("x/SKILL.md", f"name: {'n' * 65}\ndescription: d", "name-format"),
        ("x/SKILL.md", "name: y\ndescription: d", "name-folder"),
        ("x/SKILL.md", "name: x", "description-missing"),
        ("x/SKILL.md", f"name: x\ndescription: {'d ' * 600}", "description-long"),
        ("x/SKILL.md", "name: x\ndescription: d\nversion: 1", "version-format"),
        ("x/SKILL.md", "name: {a: b}\ndescription: d", "field-invalid"),
        ("x/SKILL.MD", "name: x\ndescription: d", "name-case"),
    ],
)
def test_breaches_warn_and_load(load_files: LoadFiles, place: str, fields: str, code: str) -> None:
    loaded = load_files({place: f"---\n{fields}\n---\nBody."})
    assert len(loaded.skills) == 1
    assert code in {d.code for d in loaded.diagnostics}


def test_a_long_rule_is_said(load_files: LoadFiles) -> None:
    loaded = load_files({".windsurf/rules/x.md": "---\ntrigger: manual\n---\n" + "word " * 3_000})
    assert [d.code for d in loaded.diagnostics] == ["rule-too-long"]


def test_cited_files(load_files: LoadFiles) -> None:
    body = "See `references/a.md`, [b](./scripts/b.py) and https://x.org/assets/c.png or assets/."
    assert only(load_files({"x/SKILL.md": body})).cites == ("references/a.md", "scripts/b.py")


def reading(folder: Path, data: bytes, sidecar: bytes | None) -> None:
    file = folder / "SKILL.md"
    file.write_bytes(data)
    beside = folder / "SKILL.skill.json"
    beside.unlink(missing_ok=True)
    if sidecar is not None:
        beside.write_bytes(sidecar)
    place, stamp = str(file), stamp_of(file.stat())
    named = str(beside) if sidecar is not None else ""
    found = Found(place, place, stamp, folder, "given", "claude_code", "skill", sidecar=named)
    result = read(found)
    assert result.skill is not None or result.diagnostics, "a skill or a reason"


JSONISH = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
KEYS = ["weave_protocol", "name", "version", "platform", "capabilities", "trigger_patterns", "author", "dependencies"]


@pytest.mark.fuzz
@given(data=st.binary(max_size=200) | st.text(max_size=200).map(str.encode), sidecar=st.none() | st.binary(max_size=50))
def test_any_bytes_are_read(tmp_path_factory: pytest.TempPathFactory, data: bytes, sidecar: bytes | None) -> None:
    reading(tmp_path_factory.getbasetemp(), data, sidecar)


@pytest.mark.fuzz
@given(st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=4), JSONISH, max_size=5))
def test_any_sidecar_is_read(tmp_path_factory: pytest.TempPathFactory, document: dict[str, object]) -> None:
    import json

    reading(tmp_path_factory.getbasetemp(), b"---\nname: x\n---\nBody.", json.dumps(document).encode())
