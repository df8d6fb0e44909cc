"""Files that change while the app runs: noticed, re-read alone, and told in a few words."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Write
from tests.factory import skill
from tests.tui.conftest import Run
from weave_tui.skills.globs import MAX_PATTERNS, expand, matches
from weave_tui.tui.loader import difference

ONE = "---\nname: {0}\ndescription: Paint {0}.\n---\nBody of {0}."


async def test_changes_arrive_and_keep_the_query_and_pins(run_app: Run, write: Write) -> None:
    root = write({f"{name}/SKILL.md": ONE.format(name) for name in "abc"})
    async with run_app(root, query="paint", watch=True) as app:
        await app.press("down", "alt+p")
        pinned = app.session.choices.pinned
        await app.pilot.pause(0.5)
        write({"d/SKILL.md": ONE.format("d")})
        await app.until(lambda: len(app.session.registry) == 4)
        write({"d/SKILL.md": ONE.format("d").replace("Body", "New body")})
        await app.until(lambda: any(s.body.startswith("New body") for s in app.session.registry.skills))
        (root / "d").rename(root / "e")
        await app.until(lambda: "moved" in app.said)
        (root / "e" / "SKILL.md").unlink()
        await app.until(lambda: len(app.session.registry) == 3)
        assert app.said == "1 gone (d)"
        assert app.session.query == "paint"
        assert app.session.choices.pinned == pinned


async def test_a_half_written_file_is_looked_at_again(run_app: Run, write: Write) -> None:
    root = write({"a/SKILL.md": ONE.format("a")})
    async with run_app(root, watch=True) as app:
        await app.pilot.pause(0.5)
        write({"b/SKILL.md": b"---\nname: b\xff"})
        await app.until(lambda: any(d.code == "not-text" for d in app.session.loaded.diagnostics))
        assert len(app.session.registry) == 1
        write({"b/SKILL.md": ONE.format("b")})
        await app.until(lambda: len(app.session.registry) == 2)


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (["a"], ["a"], ""),
        (["a"], ["a", "b"], "1 new (b)"),
        (["a", "b"], [], "2 gone (a, b)"),
        ([], ["a", "b", "c"], "3 new"),
    ],
)
def test_what_a_reload_brought(before: list[str], after: list[str], said: str) -> None:
    assert difference(map(skill, before), map(skill, after)) == said


def test_moved_and_changed() -> None:
    assert difference([skill("a", "B.", path="1.md")], [skill("a", "B.", path="2.md")]) == "1 moved (a)"
    assert difference([skill("a", "B.", path="1.md")], [skill("a", "C.", path="1.md")]) == "1 changed (a)"


@pytest.mark.parametrize(
    ("globs", "path", "expected"),
    [
        (("*.ts",), "src/a.ts", True),
        (("src/**/*.{ts,tsx}",), "src/deep/a.tsx", True),
        (("src/**/*.{ts,tsx}",), "lib/a.tsx", False),
        (("*.py", "docs/**"), "docs/a.md", True),
        ((), "a", False),
        (("[",), "a", False),
    ],
)
def test_globs(globs: tuple[str, ...], path: str, expected: bool) -> None:
    assert matches(globs, path) is expected


def test_braces_do_not_explode() -> None:
    assert sorted(expand("{a,b}/{c,d}")) == ["a/c", "a/d", "b/c", "b/d"]
    assert len(expand("{a,b}" * 60)) <= MAX_PATTERNS


async def test_path_marks_the_rules_that_match(run_app: Run, tmp_path: Path) -> None:
    async with run_app(query="style path:apps/storefront/src/app.tsx") as app:
        words = {row.row.skill.name: row.word for row in app.screen.ranking.rows if row}
        assert words["typescript-style"] == "path"
        assert "ci-pipelines" not in words, "its globs do not match"
        assert app.session.selection.query == "style "
