"""Claude Code's plugins: read from the cache through the settings, never from marketplaces."""

from __future__ import annotations

import json
from pathlib import Path

from tests.conftest import Write
from weave_tui.skills import Loaded, Where, load

SKILL = "---\nname: {0}\ndescription: Does {0}.\n---\nBody of {0}."


def discover(home: Path) -> Loaded:
    empty = home / "empty"
    empty.mkdir(exist_ok=True)
    return load(Where(cwd=empty, home=home, environ={}))


def test_enabled_plugins_are_read_with_their_name(write: Write) -> None:
    home = write(
        {
            ".claude/settings.json": json.dumps(
                {"enabledPlugins": {"tools@market": True, "old@market": False, "gone@m": True}}
            ),
            ".claude/plugins/cache/market/tools/1.0.0/skills/lint/SKILL.md": SKILL.format("lint"),
            ".claude/plugins/cache/market/tools/1.0.0/agents/helper.md": SKILL.format("helper"),
            ".claude/plugins/cache/market/tools/1.0.0/commands/ship.md": SKILL.format("ship"),
            ".claude/plugins/cache/market/old/1.0.0/skills/past/SKILL.md": SKILL.format("past"),
            ".claude/plugins/marketplaces/market/tools/skills/never/SKILL.md": SKILL.format("never"),
        }
    )
    loaded = discover(home)
    assert {skill.name: skill.activation for skill in loaded.skills} == {
        "tools:lint": "described",
        "tools:helper": "described",
        "tools:ship": "manual",
        "old:past": "off",
    }
    assert [d.code for d in loaded.diagnostics if d.severity != "info"] == ["plugin-missing"]


def test_the_installed_list_says_where(write: Write) -> None:
    home = write(
        {".claude/plugins/cache/any/where/skills/x/SKILL.md": SKILL.format("x"), "out/skills/y/SKILL.md": "B."}
    )
    cache = home / ".claude/plugins/cache"
    installed = {
        "version": 2,
        "plugins": {
            "a@m": [{"installPath": str(cache / "any" / "where")}],
            "b@m": {"installPath": str(home / "out")},
        },
    }
    (home / ".claude/plugins/installed_plugins.json").write_text(json.dumps(installed))
    (home / ".claude/settings.json").write_text(json.dumps({"enabledPlugins": {"a@m": True, "b@m": True}}))
    loaded = discover(home)
    assert [skill.name for skill in loaded.skills] == ["a:x"], "nothing outside the cache is read"


def test_overrides_and_broken_settings(write: Write) -> None:
    home = write(
        {
            ".claude/settings.json": json.dumps(
                {"skillOverrides": {"a": "off", "b": "user-invocable-only", "c": "on"}}
            ),
            ".claude/settings.local.json": "{broken",
            **{f".claude/skills/{name}/SKILL.md": SKILL.format(name) for name in "abc"},
        }
    )
    loaded = discover(home)
    assert {skill.name: skill.activation for skill in loaded.skills} == {"a": "off", "b": "manual", "c": "described"}
    assert "settings-invalid" in {d.code for d in loaded.diagnostics}


def test_gitignore_leaves_out_and_says_so(write: Write) -> None:
    root = write(
        {
            ".git/HEAD": "",
            ".gitignore": "private/\n*.local.mdc\n",
            ".claude/skills/a/SKILL.md": SKILL.format("a"),
            ".claude/skills/private/SKILL.md": SKILL.format("private"),
            ".cursor/rules/x.local.mdc": SKILL.format("x"),
            ".cursor/rules/y.mdc": SKILL.format("y"),
        }
    )
    loaded = load(Where(cwd=root, home=root / "nobody"))
    assert sorted(skill.name for skill in loaded.skills) == ["a", "y"]
    assert [d.code for d in loaded.diagnostics] == ["ignored", "ignored"]
    assert len(load(Where((root,))).skills) == 4, "a folder given by hand is walked whole"
