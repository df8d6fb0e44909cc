"""Which files are found, whose they are, and which are passed over."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Write
from weave_tui.skills import Loaded, Where, load
from weave_tui.skills.walk import DISCOVERY

SKILL = "---\nname: n\ndescription: Does n.\n---\nBody."

DISCOVERED = {
    ".claude/skills/a/SKILL.md": "claude_code",
    ".claude/agents/b.md": "claude_code",
    ".claude/commands/deep/c.md": "claude_code",
    "skills/d/SKILL.md": "claude_code",
    ".agents/skills/e/SKILL.md": "codex",
    ".codex/skills/f/SKILL.md": "codex",
    ".codex/g.md": "codex",
    "AGENTS.md": "codex",
    ".cursor/rules/deep/h.mdc": "cursor",
    ".cursor/skills/i/SKILL.md": "cursor",
    ".cursorrules": "cursor",
    ".windsurf/rules/j.md": "windsurf",
    ".windsurf/skills/k/SKILL.md": "windsurf",
    ".windsurfrules": "windsurf",
}
PASSED_OVER = [
    ".cursor/rules/readme.md",
    "node_modules/x/SKILL.md",
    ".claude/skills/node_modules/SKILL.md",
    "docs/SKILL.md",
    "notes.md",
    "skills/too/deep/SKILL.md",
]
USER = {
    ".claude/skills/u/SKILL.md": "claude_code",
    ".codex/AGENTS.md": "codex",
    ".config/agents/skills/v/SKILL.md": "codex",
    ".cursor/skills/w/SKILL.md": "cursor",
    ".codeium/windsurf/memories/global_rules.md": "windsurf",
}

LoadFiles = Callable[[dict[str, str | bytes]], Loaded]


def places(loaded: Loaded) -> dict[str, str]:
    return {skill.place: skill.platform for skill in loaded.skills}


def test_a_project_is_discovered(write: Write) -> None:
    root = write(dict.fromkeys([*DISCOVERED, *PASSED_OVER], SKILL))
    loaded = load(Where(cwd=root, home=root / "nobody"))
    assert places(loaded) == DISCOVERED
    assert {skill.source for skill in loaded.skills} == {"project"}


def test_up_to_the_git_root_nearest_first(write: Write) -> None:
    root = write({".git/HEAD": "", "AGENTS.md": "# Top", "app/AGENTS.md": "# App", "app/x/AGENTS.md": "# X"})
    (root.parent / "AGENTS.md").write_text("# Outside")
    loaded = load(Where(cwd=root / "app", home=root / "nobody"))
    assert {skill.name for skill in loaded.skills} == {"Top", "App"}
    alone = load(Where(cwd=root / "app" / "x", home=root / "nobody"))
    assert {skill.name for skill in alone.skills} == {"Top", "App", "X"}


def test_the_users_folders(write: Write, tmp_path: Path) -> None:
    home = write(dict.fromkeys(USER, SKILL))
    empty = tmp_path / "empty"
    empty.mkdir()
    loaded = load(Where(cwd=empty, home=home, environ={}))
    assert len(loaded.skills) == len(USER)
    assert {skill.source for skill in loaded.skills} == {"user"}
    assert load(Where(cwd=empty, home=home, environ={}, with_user=False)).skills == ()
    moved = load(Where(cwd=empty, home=empty, environ={"CLAUDE_CONFIG_DIR": str(home / ".claude")}))
    assert [skill.place for skill in moved.skills] == ["skills/u/SKILL.md"]


def test_a_folder_by_hand_is_walked_whole(load_files: LoadFiles) -> None:
    loaded = load_files(
        {
            "very/deep/down/here/SKILL.md": SKILL,
            "x.mdc": SKILL,
            "y.cursorrules": "Use Y.",
            "agents/z.md": SKILL,
            "loose.md": SKILL,
            "readme.md": "# Readme\n\nNot a skill.",
            "skill.md": "A page.",
            "node_modules/SKILL.md": SKILL,
            "backups/SKILL.md": SKILL,
        }
    )
    assert set(places(loaded)) == {"very/deep/down/here/SKILL.md", "x.mdc", "y.cursorrules", "agents/z.md", "loose.md"}
    assert sorted(d.path.name for d in loaded.diagnostics if d.path and d.code == "not-a-skill") == [
        "readme.md",
        "skill.md",
    ]


def test_one_agents_file_a_folder(load_files: LoadFiles) -> None:
    loaded = load_files(
        {
            "a/AGENTS.md": "# A",
            "a/AGENTS.override.md": "# Override",
            "b/AGENTS.md": "# B",
            "b/SKILL.md": SKILL,
        }
    )
    assert {skill.name for skill in loaded.skills} == {"Override", "n"}
    assert {d.code for d in loaded.diagnostics if d.severity == "info"} == {"overridden", "beside-skill"}


def test_the_platform_can_be_given(write: Write) -> None:
    root = write({"loose.md": "Plain text."})
    loaded = load(Where((root,), "codex"))
    assert places(loaded) == {"loose.md": "codex"}


def test_links_stay_inside_and_count_once(write: Write) -> None:
    root = write({"a/SKILL.md": SKILL, "outside/SKILL.md": SKILL})
    (root / "outside").rename(root.parent / "outside")
    (root / "again").symlink_to(root / "a")
    (root / "loop").symlink_to(root)
    (root / "dangling.mdc").symlink_to(root / "gone")
    (root / "out").symlink_to(root.parent / "outside")
    loaded = load(Where((root,)))
    (skill,) = loaded.skills
    assert skill.path == (root / "a" / "SKILL.md").resolve()
    assert {d.code for d in loaded.diagnostics if d.path != skill.locations[0]} == {"link-outside", "not-a-file"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_what_is_no_file_is_said_and_never_waited_for(write: Write) -> None:
    root = write({"ok/SKILL.md": SKILL.replace("name: n", "name: ok")})
    (root / "pipe").mkdir()
    os.mkfifo(root / "pipe" / "SKILL.md")
    (root / "folder" / "SKILL.md").mkdir(parents=True)
    loaded = load(Where((root,)))
    assert [skill.name for skill in loaded.skills] == ["ok"]
    assert [d.code for d in loaded.diagnostics] == ["not-a-file"]
    assert load(Where((root / "pipe" / "SKILL.md",))).diagnostics[0].code == "not-a-file"


def test_discovery_ends_at_its_limits(write: Write) -> None:
    deep = "/".join(["d"] * (DISCOVERY.levels + 2))
    root = write({f".agents/skills/{deep}/SKILL.md": SKILL})
    loaded = load(Where(cwd=root, home=root / "nobody"))
    assert loaded.skills == ()
    assert [d.code for d in loaded.diagnostics] == ["limit-hit"]
