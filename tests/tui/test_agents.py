"""The agents screen by its keys: what it shows, what belongs to what, and that it follows the files."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.conftest import Write
from tests.tui.conftest import MEDIUM, SMALL, WIDE, Driver, Run
from weave_tui.tui.screens.agents import AgentsScreen
from weave_tui.tui.screens.diagnostics import DiagnosticsScreen
from weave_tui.tui.screens.help import HelpScreen
from weave_tui.tui.screens.main import MainScreen
from weave_tui.tui.widgets.text_rows import TextRows

CONFIG = """agent a {
  prompt_file "a.md"
  prompt_append "End of {{agent.name}}."
  skills ["greeting", "gone"]
}
agent b { prompt "I am b." description "R & D" }
workflow w { version 1 step s { type gate agent a prompt "Step." completion user_confirm } }
"""
SKILL = "---\nname: greeting\ndescription: say hello\n---\n# Greeting\n\nSay hello."
FILES: dict[str, str | bytes] = {
    ".weave/config.weave": CONFIG,
    ".weave/prompts/a.md": "# {{agent.name}}\n\n{{#agent.skills}}\n- {{.}}\n{{/agent.skills}}\n",
    ".claude/skills/greeting/SKILL.md": SKILL,
}


class AgentsDriver(Driver):
    """Drives the agents screen, once everything is read."""

    @property
    def agents(self) -> AgentsScreen:
        screen = next(screen for screen in self.pilot.app.screen_stack if isinstance(screen, AgentsScreen))
        assert isinstance(screen, AgentsScreen)
        return screen

    @property
    def told(self) -> str:
        return self.agents.footer.message

    def texts(self, pane: TextRows) -> list[str]:
        return [line.text for line in pane.shown]

    async def read_again(self, path: Path, text: str) -> None:
        """Write a file as an editor beside the app does, and wait until it is noticed."""
        before = self.agents.project
        for _ in range(8):
            path.write_text(text, encoding="utf-8")
            # Once more after a second: the folders may not be watched yet.
            for _ in range(50):
                if self.agents.project is not before:
                    await self.pilot.pause()
                    return
                await self.pilot.pause(0.02)
        raise AssertionError(f"{path} was written, and nobody noticed")


@asynccontextmanager
async def opened(
    run_app: Run, *paths: Path, size: tuple[int, int] = WIDE, watch: bool = False
) -> AsyncIterator[AgentsDriver]:
    async with run_app(*paths, size=size, watch=watch) as app:
        driver = AgentsDriver(app.pilot)
        driver.copied = app.copied
        await driver.press("alt+a")
        await driver.until(lambda: driver.agents.project is not None)
        yield driver


async def test_the_key_opens_it_and_escape_returns(run_app: Run) -> None:
    async with opened(run_app) as app:
        names = [entry.target for entry in app.agents.project.entries] if app.agents.project else []
        assert names[:2] == ["lead", "shuttle"] and "release/write-notes" in names
        assert app.texts(app.agents.prompt)[0] == "# lead"
        await app.press("escape")
        assert isinstance(app.pilot.app.screen, MainScreen)
        await app.press("escape", "a", "a")
        assert isinstance(app.pilot.app.screen, MainScreen)


async def test_the_list_shows_each(run_app: Run) -> None:
    async with opened(run_app) as app:
        await app.press("G")
        assert app.agents.agents.current and app.agents.agents.current.target == "release/write-notes"
        assert app.texts(app.agents.prompt)[0].startswith("Write release notes")
        assert app.texts(app.agents.rules)[0] == "autonomous step by writer, with the workflow's append"


async def test_policy_and_targets(run_app: Run) -> None:
    async with opened(run_app) as app:
        rules = app.texts(app.agents.rules)
        assert "allow ask   deny    allow    deny   " in rules
        assert {"reviewer", "dba", "shuttle-orders"} <= set(rules)
        assert "archivist" not in rules, "excluded by routing"
        await app.press("j")
        assert "no delegation targets: delegate is deny, not allow" in app.texts(app.agents.rules)


async def test_a_line_of_the_prompt_shows_the_tag_that_made_it(run_app: Run, write: Write) -> None:
    async with opened(run_app, write(FILES)) as app:
        prompt, template = app.agents.prompt, app.agents.template
        assert app.texts(prompt)[:6] == ["# a", "", "- greeting", "- gone", "", ""]
        await app.press("3", "j", "j")
        assert prompt.line and prompt.line.text == "- greeting"
        assert template.line and template.line.text == "- {{.}}"
        marked = [
            stretch.text
            for line in template.shown
            for stretch in line.stretches
            if stretch.origin and any(stretch.origin.meets(mark) for mark in template.marks)
        ]
        assert marked == ["- ", "{{.}}"]
        await app.press(*"jjjj")
        assert prompt.line.text == "End of a."
        assert template.line and template.line.text == "End of {{agent.name}}."
        await app.press("2", "g")
        assert prompt.line.text == "# a"


async def test_copy_the_prompt_with_and_without_skills(run_app: Run, write: Write) -> None:
    async with opened(run_app, write(FILES)) as app:
        shown = app.texts(app.agents.prompt)
        assert "there is no skill gone" in shown and "Say hello." in shown
        await app.press("enter")
        await app.until(lambda: len(app.copied) == 1)
        await app.press("s", "enter")
        await app.until(lambda: len(app.copied) == 2)
        plain, equipped = app.copied
        assert plain == "# a\n\n- greeting\n- gone\n\n\nEnd of a."
        assert equipped == f"{plain}\n\n---\n\n# Greeting\n\nSay hello."
        await app.until(lambda: app.told.startswith("copied the prompt of a"))
        await app.press("y")
        await app.until(lambda: len(app.copied) == 3)
        assert json.loads(app.copied[2])["composedPrompt"] == plain
        await app.press("j", "s")
        assert app.told == "b has no skills here"


async def test_files_are_followed(run_app: Run, write: Write) -> None:
    root = write(FILES)
    template = root / ".weave" / "prompts" / "a.md"
    async with opened(run_app, root, watch=True) as app:
        await app.read_again(template, "Now {{agent.name}}")
        assert app.texts(app.agents.prompt)[0] == "Now a"
        await app.read_again(template, "Now {{agent.nam}}")
        assert app.agents.agents.current and app.agents.agents.current.failed
        wrong = [stretch for line in app.agents.template.shown for stretch in line.stretches if stretch.underlined]
        assert [stretch.text for stretch in wrong] == ["{{agent.nam}}"]
        assert app.texts(app.agents.prompt)[1] == "prompts/a.md:1:5"
        await app.press("enter")
        assert "there is no prompt" in app.told and app.copied == []
        await app.read_again(template, "{{agent.name}}")
        assert app.texts(app.agents.prompt)[0] == "a"


async def test_a_configuration_that_cannot_be_read_is_shown_with_its_errors(run_app: Run, write: Write) -> None:
    root = write(FILES)
    file = root / ".weave" / "config.weave"
    async with opened(run_app, root, watch=True) as app:
        await app.press("j")
        await app.read_again(file, CONFIG.replace("skills", "skils").replace("version 1", "version 0"))
        entry = app.agents.agents.current
        assert entry and (entry.kind, entry.failed) == ("file", True)
        texts = app.texts(app.agents.template)
        assert texts[texts.index('  skils ["greeting", "gone"]') + 1].startswith("Unknown key skils.")
        wrong = [stretch.text for line in app.agents.template.shown for stretch in line.stretches if stretch.underlined]
        assert wrong == ["skils", "0"]
        await app.read_again(file, CONFIG)
        assert app.agents.agents.current and app.agents.agents.current.kind == "agent"


async def test_edit_opens_what_the_cursor_is_about(run_app: Run, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    root = write(FILES) / ".weave"
    asked: list[tuple[str, int]] = []
    async with opened(run_app, root.parent) as app:
        monkeypatch.setattr(
            app.agents, "open_in_editor", lambda path, line: asked.append((str(path.relative_to(root)), line))
        )
        await app.press("e", "j", "e", "k")
        await app.press("3", "G", "g", "j", "j", "j", "e")
        await app.press("2", "G", "e")
        assert asked == [("config.weave", 1), ("config.weave", 6), ("prompts/a.md", 4), ("config.weave", 3)]


async def test_where_there_is_no_configuration(run_app: Run, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    root = write({".claude/skills/greeting/SKILL.md": SKILL})
    monkeypatch.chdir(root)
    made: list[Path] = []
    async with opened(run_app, root, watch=True) as app:
        assert app.agents.nothing.text.startswith("there are no agents here")
        assert "e writes" in app.agents.nothing.text
        monkeypatch.setattr(app.agents, "open_in_editor", lambda path, line: made.append(path))
        await app.press("enter", "d", "y", "o", "tab", "e")
        assert made == [root / ".weave" / "config.weave"]
        assert not (root / ".weave").exists(), "nothing was written into it"
        (root / ".weave").mkdir()
        await app.read_again(root / ".weave" / "config.weave", 'agent new { prompt "x" }')
        assert app.texts(app.agents.prompt) == ["x"]


async def test_diagnostics_help_and_palette(run_app: Run) -> None:
    async with opened(run_app) as app:
        await app.press("d")
        assert isinstance(app.pilot.app.screen, DiagnosticsScreen)
        await app.press("escape", "question_mark")
        assert isinstance(app.pilot.app.screen, HelpScreen)
        await app.press("escape", "colon")
        assert type(app.pilot.app.screen).__name__ == "CommandPalette"


@pytest.mark.parametrize("size", [MEDIUM, SMALL])
async def test_panes_at_small_sizes(run_app: Run, size: tuple[int, int]) -> None:
    async with opened(run_app, size=size) as app:
        screen = app.agents
        for key, pane in (("2", screen.template), ("3", screen.prompt), ("4", screen.rules), ("1", screen.agents)):
            await app.press(key)
            assert pane.has_focus and pane.region.height > 5, key
        await app.press("tab", "tab")
        assert screen.prompt.has_focus


async def test_hostile_text_is_drawn_safely(run_app: Run, write: Write) -> None:
    root = write({**FILES, ".weave/prompts/a.md": "a \x1b[31m{{agent.name}}\u202e\n\tb"})
    async with opened(run_app, root) as app:
        assert "\x1b" not in "".join(app.texts(app.agents.prompt) + app.texts(app.agents.template))
        assert app.agents.text.startswith("a \x1b[31ma\u202e\n\tb"), "what is copied is as it is"


async def test_what_is_wrong_with_a_shared_source_is_told_once(run_app: Run, write: Write) -> None:
    source = 'agent shuttle { prompt_file "s.md" }\ncategory web { patterns ["web/**"] }'
    root = write({".weave/config.weave": source, ".weave/prompts/s.md": "I am {{agent.nam}}."})
    async with opened(run_app, root) as app:
        for _ in range(2):
            told = [text for text in app.texts(app.agents.template) if text.startswith("This path is not declared")]
            assert len(told) == 1
            await app.press("j")
        assert len(app.agents.project.diagnostics if app.agents.project else ()) == 2
