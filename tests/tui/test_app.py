"""The app by its keys: type, move, pin, exclude, copy, and what each says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Write
from tests.tui.conftest import MEDIUM, SMALL, TASK, TINY, WIDE, Run
from weave_tui.interop import import_document
from weave_tui.protocol import violations
from weave_tui.tui.preview import Look
from weave_tui.tui.screens.bands import BandsScreen
from weave_tui.tui.screens.diagnostics import DiagnosticsScreen
from weave_tui.tui.screens.help import HelpScreen
from weave_tui.tui.start import Ending


async def test_typing_ranks_and_composes_while_the_query_keeps_focus(run_app: Run) -> None:
    async with run_app() as app:
        assert app.chosen == []
        await app.type(TASK)
        assert app.session.query == TASK
        assert app.chosen == ["zero-downtime-migration", "postgres-schema", "sql-style"]
        assert app.pilot.app.focused is app.screen.query_input
        assert app.screen.ranking.current and app.screen.ranking.current.row.skill.name == "zero-downtime-migration"


async def test_the_ranking_moves_from_the_query_and_starts_anew_with_it(run_app: Run) -> None:
    async with run_app(query=TASK) as app:
        await app.press("down", "down")
        assert app.screen.ranking.cursor == 2
        await app.press("down")
        assert app.screen.ranking.cursor == 4, "the floor is no row to stand on"
        await app.press("ctrl+p", "up")
        assert app.screen.ranking.cursor == 1
        assert app.pilot.app.focused is app.screen.query_input
        await app.type("x")
        assert app.screen.ranking.cursor == 0


async def test_pin_exclude_undo(run_app: Run) -> None:
    async with run_app(query=TASK) as app:
        await app.press("down", "down", "down", "alt+p")
        pinned = app.session.choices.pinned
        assert len(pinned) == 1 and len(app.chosen) == 4
        assert app.said.startswith("pinned ")
        await app.press("escape", "g", "x")
        assert app.session.choices.excluded == ("zero-downtime-migration",)
        assert "zero-downtime-migration" not in app.chosen
        await app.press("u", "u")
        assert app.session.choices.pinned == ()
        assert app.chosen[0] == "zero-downtime-migration"
        await app.press("u")
        assert app.said == "nothing to take back"


async def test_enter_copies_by_the_terminal_when_nothing_else_is_there(run_app: Run) -> None:
    async with run_app(query=TASK) as app:
        await app.press("enter")
        await app.until(lambda: bool(app.copied))
        assert app.copied == [app.session.composed().composition.text]
        await app.until(lambda: "terminal clipboard (sent, not confirmed)" in app.said)


async def test_nothing_chosen_nothing_copied(run_app: Run) -> None:
    async with run_app(query="hello") as app:
        await app.press("enter")
        assert "nothing to copy" in app.said
        assert app.copied == []


@pytest.mark.parametrize("key", "ptibfj")
async def test_yank_as(run_app: Run, key: str) -> None:
    async with run_app(query=TASK) as app:
        await app.press("alt+y")
        await app.press(key)
        await app.until(lambda: bool(app.copied))
        (text,) = app.copied
        composition = app.session.composed().composition.text
        current = app.screen.ranking.current
        assert current
        if key == "j":
            assert violations("response", json.loads(text)) == ()
        else:
            expected = {
                "p": composition,
                "t": f"{composition}\n\n{TASK}",
                "i": f"/zero-downtime-migration {TASK}",
                "b": current.row.skill.body,
                "f": str(current.row.skill.path),
            }
            assert text == expected[key]


@pytest.mark.parametrize(("key", "name"), [("d", "decision"), ("r", "frame"), ("c", "candidate")])
async def test_yank_for_other_tools(run_app: Run, key: str, name: str) -> None:
    async with run_app(query=TASK) as app:
        await app.press("alt+y")
        await app.press(key)
        await app.until(lambda: bool(app.copied))
        found = import_document(json.loads(app.copied[0]))
        assert (found.form.side, found.form.name, found.lost) == ("weaver-spec", name, ())
        assert app.session.composed().composition.text not in app.copied[0]


@pytest.mark.parametrize("query", ["", "hello"])
async def test_without_an_answer_there_is_nothing_to_yank_for_other_tools(run_app: Run, query: str) -> None:
    async with run_app(query=query) as app:
        await app.press("alt+y")
        await app.press("d")
        await app.until(lambda: "nothing to copy" in app.said)
        assert app.copied == []


async def test_write_to_a_file_asks_before_it_replaces(
    run_app: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "prompt.md").write_text("mine")
    async with run_app(query=TASK) as app:
        await app.press("alt+o")
        await app.press("enter")
        assert (tmp_path / "prompt.md").read_text() == "mine"
        await app.press("enter")
        await app.until(lambda: app.said.startswith("written to"))
        assert (tmp_path / "prompt.md").read_text() == app.session.composed().composition.text + "\n"
        assert [path.name for path in tmp_path.iterdir()] == ["prompt.md"]


async def test_one_or_two_and_bands(run_app: Run) -> None:
    async with run_app(query="the shop is down, lead the incident") as app:
        assert app.chosen == ["incident-response"]
        await app.press("alt+n")
        assert app.session.top_n == 2
        await app.press("escape", "b", "down", *["left"] * 10)
        assert isinstance(app.pilot.app.screen, BandsScreen)
        assert app.session.rules.min_score == pytest.approx(0.05)
        assert len(app.chosen) == 2
        await app.press("0", "escape")
        assert app.session.rules.min_score == 0.15


async def test_a_scope_is_one_tool_after_the_other(run_app: Run) -> None:
    async with run_app(query="design a REST endpoint with a React form") as app:
        everything = len(app.session.registry)
        await app.press("alt+s")
        assert app.said.startswith("as claude_code lists it: of ")
        assert {skill.platform for skill in app.session.registry.skills} == {"claude_code"}
        assert {row.word for row in app.screen.ranking.rows if row} & {"full", "cut", "name only"}
        assert app.screen.why.reasons is not None
        await app.press("alt+s", "alt+s", "alt+s")
        await app.until(lambda: app.session.scope == "windsurf")
        assert app.screen.tabs.note.endswith("1 always read")
        assert "house-style" not in {row.row.skill.name for row in app.screen.ranking.rows if row}
        await app.press("alt+s")
        await app.until(lambda: app.session.scope is None)
        assert len(app.session.registry) == everything


async def test_removed_lines_are_counted_and_shown(run_app: Run) -> None:
    async with run_app(query="TypeScript style for enums and comments") as app:
        texts = [line.text for line in app.screen.prompt.preview]
        assert any("3 lines already in 1, 1 line gave way to 1  (v shows)" in text for text in texts)
        await app.press("alt+v")
        texts = [line.text for line in app.screen.prompt.preview]
        assert any("kept in 1, line " in text for text in texts)
        assert any("Never use enums" in text and "gave way to 1, line " in text for text in texts)


async def test_the_prompt_follows_the_ranking_and_folds_the_part_in_view(run_app: Run) -> None:
    async with run_app(query="TypeScript style for enums and comments", size=(120, 24)) as app:
        prompt = app.screen.prompt
        assert prompt.part_in_view == 0
        await app.press("down")
        assert prompt.part_in_view == 1
        await app.press("up", "escape", "3", "z")
        folds = [line.part for line in prompt.preview if line.look is Look.FOLD]
        assert folds == [1], "only the part in view unfolds"
        await app.press("z")
        assert [line.part for line in prompt.preview if line.look is Look.FOLD] == [0, 1]


async def test_one_part_is_copied_as_it_stands_in_the_prompt(run_app: Run) -> None:
    async with run_app(query="TypeScript style for enums and comments") as app:
        await app.press("down", "escape", "y", "s")
        await app.until(lambda: bool(app.copied))
        assert app.copied[-1].startswith("# House Style") and "Never use enums" not in app.copied[-1]


async def test_help_palette_diagnostics(run_app: Run) -> None:
    async with run_app() as app:
        await app.press("question_mark")
        assert isinstance(app.pilot.app.screen, HelpScreen)
        await app.press("escape", "colon")
        assert type(app.pilot.app.screen).__name__ == "CommandPalette"
        await app.press("escape")
        assert app.session.query == "", "neither key was typed"
        await app.press("alt+d")
        assert isinstance(app.pilot.app.screen, DiagnosticsScreen)


async def test_reload_sees_new_files_and_keeps_the_query_and_the_cursor(run_app: Run, write: Write) -> None:
    root = write({f"{name}/SKILL.md": f"---\nname: {name}\ndescription: Paint {name}.\n---\nB." for name in "abcd"})
    async with run_app(root, query="paint") as app:
        await app.press("down", "down")
        current = app.screen.ranking.current
        assert current
        write({"e/SKILL.md": "---\nname: e\ndescription: Paint e.\n---\nB."})
        await app.press("alt+r")
        await app.until(lambda: len(app.session.registry) == 5)
        assert app.session.query == "paint"
        again = app.screen.ranking.current
        assert again and again.row.skill.name == current.row.skill.name


async def test_edit_says_when_there_is_no_way_to(run_app: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    async with run_app(query=TASK) as app:
        monkeypatch.setenv("EDITOR", "true")
        await app.press("alt+e")
        assert "cannot be left to an editor" in app.said


async def test_the_registry_shows_the_skill_under_its_cursor(run_app: Run) -> None:
    async with run_app(query=TASK) as app:
        await app.press("escape", "1", "down", "right", "down")
        row = app.screen.registry.current
        assert row and row.label == "code-reviewer"
        assert app.screen.prompt.preview[0].text == "code-reviewer"
        await app.press("p")
        assert app.session.choices.pinned, "letters act on the skill that shows"
        await app.press("slash")
        assert app.screen.prompt.preview[0].text == "# Zero-Downtime Migration"


@pytest.mark.parametrize(
    ("size", "name"), [(WIDE, "-wide"), (MEDIUM, "-medium"), (SMALL, "-small"), (TINY, "-tiny"), ((250, 60), "-wide")]
)
async def test_every_size_has_a_layout(run_app: Run, size: tuple[int, int], name: str) -> None:
    async with run_app(query=TASK, size=size) as app:
        assert app.screen.has_class(name)
        await app.press("tab", "tab", "tab", "shift+tab")
        if name != "-tiny":
            await app.press("escape")
            assert app.pilot.app.focused is app.screen.query_input


async def test_too_small_does_nothing_unseen(run_app: Run) -> None:
    async with run_app(query=TASK, size=TINY) as app:
        await app.press("x", "p")
        assert app.session.choices.pinned == app.session.choices.excluded == ()


async def test_a_folder_without_skills_says_what_to_do(run_app: Run, write: Write) -> None:
    root = write({"readme.md": "# Nothing"})
    async with run_app(root) as app:
        assert "no skills found" in str(app.screen.gap.lines(100)[0][0][0][0])
        await app.type("anything")
        await app.press("enter", "alt+p", "alt+y", "escape", "alt+d", "escape", "tab", "j", "x", "w", "z", "v")


async def test_hostile_and_wide_text_breaks_no_row(run_app: Run, write: Write) -> None:
    evil = "[bold]x[/] \x1b]52;c;aGk=\x07 日本語の名前 \u202egnp 🎉"
    body = f"# {evil}\n\n" + "very " * 3_000 + "\n\ttab\r\n" + "漢" * 500
    root = write({"a/SKILL.md": f'---\nname: "{evil}"\ndescription: "paint {evil}"\n---\n{body}'})
    async with run_app(root, query="paint 日本語") as app:
        for size in (WIDE, MEDIUM, SMALL):
            await app.pilot.resize_terminal(*size)
            await app.pilot.pause()
            for widget in (app.screen.ranking, app.screen.prompt, app.screen.registry):
                for y in range(widget.size.height):
                    strip = widget.render_line(y)
                    text = "".join(segment.text for segment in strip)
                    assert strip.cell_length == widget.scrollable_content_region.width
                    assert not any(c in text for c in "\x1b\x07\u202e\r\t")
        await app.press("enter")
        await app.until(lambda: bool(app.copied))
        assert "\r" not in app.copied[0] and app.copied[0].startswith("# [bold]x[/] \x1b]52")


async def test_a_model_that_cannot_be_loaded_is_one_sentence(run_app: Run) -> None:
    from weave_tui.resources import sample_skills_dir
    from weave_tui.skills import Where
    from weave_tui.tui.app import WeaveApp
    from weave_tui.tui.start import Start

    app = WeaveApp(Start(Where((sample_skills_dir(),)), model="/nowhere"))
    async with app.run_test(size=WIDE) as pilot:
        for _ in range(50):
            await pilot.pause(0.02)
        screen = app.screen
        said = screen.footer.message  # type: ignore[attr-defined]
        assert "Model folder does not exist: '/nowhere'" in said


@pytest.mark.parametrize(
    ("view", "expected"),
    [("invocation", f"/zero-downtime-migration {TASK}"), ("paths", "zero-downtime-migration/SKILL.md")],
)
async def test_the_picker_ends_with_the_choice(run_app: Run, view: str, expected: str) -> None:
    async with run_app(query=TASK, picked_view=view) as app:
        await app.pilot.press("enter")
        await app.pilot.pause()
        ending = app.pilot.app.return_value
    assert ending and ending.code == 0 and expected in ending.text


@pytest.mark.parametrize(
    ("query", "key", "code"), [("hello", "enter", 1), (TASK, "escape", 130), (TASK, "ctrl+c", 130)]
)
async def test_the_picker_without_a_choice(run_app: Run, query: str, key: str, code: int) -> None:
    async with run_app(query=query, picked_view="prompt") as app:
        await app.pilot.press(key)
        await app.pilot.pause()
        ending = app.pilot.app.return_value
    assert ending == Ending(code)


async def test_quit_and_print(run_app: Run) -> None:
    async with run_app(query=TASK) as app:
        text = app.session.composed().composition.text
        await app.pilot.press("escape", "Q")
        await app.pilot.pause()
        assert app.pilot.app.return_value == Ending(0, text)


async def test_ctrl_c_quits_when_pressed_twice(run_app: Run) -> None:
    async with run_app() as app:
        await app.press("ctrl+c")
        assert app.said == "ctrl+c again quits"
        await app.pilot.press("ctrl+c")
        await app.pilot.pause()
        assert app.pilot.app.return_value == Ending(0)


async def test_a_pin_of_what_answers_anyway_is_seen(run_app: Run) -> None:
    async with run_app(query="the shop is down, lead the incident") as app:
        await app.press("alt+p")
        assert app.screen.ranking.current and app.screen.ranking.current.word == "pinned"
        assert app.chosen == ["incident-response"]
