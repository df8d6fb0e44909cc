"""Keys from the settings: what is refused and why, and that screens, footer, help and palette go by them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.tui.conftest import MEDIUM, TASK, Run
from tools.docs.tables import keys as documented
from weave_tui.config import resolve, user_file
from weave_tui.tui.actions import PLACES
from weave_tui.tui.keys import PRESETS, Keymap, keymap, keymap_of
from weave_tui.tui.screens.agents import AgentsScreen
from weave_tui.tui.screens.help import HelpScreen, help_rows
from weave_tui.tui.screens.lab import LabScreen


@pytest.mark.parametrize("preset", PRESETS)
def test_no_preset_has_two_actions_on_a_key(preset: str) -> None:
    # A remap to the key that an action has anyway changes nothing, so every clash of the tables would be told here.
    every = {action.name: action.key for place in PLACES.values() for action in place.all if action.name != "back"}
    assert not keymap(preset, {**every, **PRESETS[preset]}).problems
    assert PRESETS[preset].keys() <= every.keys()


@pytest.mark.parametrize(
    ("remaps", "message"),
    [
        ({"pin": "x"}, "x is the key of exclude (skills), which keeps it"),
        ({"pin": "P,Q"}, "Q is the key of print (skills), which keeps it"),
        ({"scroll_up": "alt+x"}, "alt+x is the key of exclude (skills), which keeps it"),
        ({"edit": "j"}, "j is the key of down (skills), which keeps it"),
        ({"descriptor": "s"}, "s is the key of skills (agents), which keeps it"),
        ({"open": "k"}, "k is the key of up (registry), which keeps it"),
        ({"pin": "P", "exclude": "P"}, "P is the key of pin (skills), which keeps it"),
        ({"pinn": "P"}, "there is no action of that name; did you mean 'pin'?"),
        ({"pin": "hyper+p"}, "'hyper+p' is not a key: write"),
        ({"pin": "shift+p"}, "'shift+p' is not a key of its own: write P"),
        ({"pin": "pp"}, "'pp' is not a key: write"),
        ({"pin": "\x1b"}, "is not a key: write"),
        ({"pin": "ctrl+i"}, "terminals send tab for ctrl+i"),
        ({"pin": "ctrl+c"}, "ctrl+c always quits"),
    ],
)
def test_a_key_that_cannot_be_had_is_told_and_left(remaps: Mapping[str, str], message: str) -> None:
    made = keymap("default", remaps, "/home/me/config.yaml:7")
    assert len(made.problems) == 1
    problem = made.problems[0]
    assert message in problem.message and "\x1b" not in problem.message
    name = list(remaps)[-1]
    assert (problem.path, problem.line, problem.field) == (Path("/home/me/config.yaml"), 7, f"app.keys.{name}")
    assert name not in made.changed, "what cannot be had leaves the key as it was"
    assert len(made.changed) == len(remaps) - 1


def test_two_actions_may_swap() -> None:
    made = keymap("default", {"pin": "x", "exclude": "p"})
    assert not made.problems and made.changed == {"pin": "x", "exclude": "p"}


def test_a_remap_that_falls_back_takes_its_key_back() -> None:
    """Pin cannot go to a place that is taken, so what wanted its old key cannot have that either."""
    made = keymap("default", {"exclude": "p", "pin": "u"})
    assert not made.changed and len(made.problems) == 2


def test_the_settings_say_where(tmp_path: Path) -> None:
    mine = user_file()
    mine.parent.mkdir(parents=True, exist_ok=True)
    mine.write_text("app:\n  key_preset: vim\n  keys: {pin: P, undo: x, quit: null}\n")
    made = keymap_of(resolve(tmp_path, {}))
    assert made.changed == {**PRESETS["vim"], "pin": "P", "quit": ""}
    assert [str(problem.place) for problem in made.problems] == [f"{mine}:3"]
    told = keymap_of(resolve(tmp_path, {"WEAVE_TUI_APP_KEYS": "{undo: x}"})).problems
    assert told[0].message.startswith("WEAVE_TUI_APP_KEYS: app.keys.undo: x is the key of exclude")


def test_a_project_cannot_change_keys(tmp_path: Path) -> None:
    (tmp_path / "skills").mkdir()
    (tmp_path / "weave.yaml").write_text("version: '1'\nskills: [{path: skills}]\napp: {keys: {copy: q}}\n")
    resolved = resolve(tmp_path, {})
    assert not keymap_of(resolved).changed
    assert [(d.code, d.line, d.field) for d in resolved.diagnostics] == [("settings-ignored", 3, "app.keys")]


async def test_the_app_goes_by_them(run_app: Run) -> None:
    keys = keymap("default", {"pin": "P", "agents": "f2,A", "up": "up,ctrl+k", "yank": "", "lab": "ctrl+l"})
    assert not keys.problems
    async with run_app(query=TASK, keys=keys) as app:
        footer = app.footer
        assert "P pin" in footer and "xclude" in footer and "yank" not in footer
        await app.press("alt+p")
        assert not app.session.choices.pinned, "the old key is free"
        await app.press("down", "down", "ctrl+k", "alt+P")
        assert app.screen.ranking.cursor == 1, "a key with a modifier acts in the query too"
        assert app.said.startswith("pinned ")
        await app.pilot.press("f2")
        await app.until(lambda: isinstance(app.pilot.app.screen, AgentsScreen))
        await app.pilot.press("escape", "ctrl+l")
        await app.until(lambda: isinstance(app.pilot.app.screen, LabScreen))
        await app.pilot.press("escape")
        palette = {command.title: command.help for command in app.pilot.app.get_system_commands(app.screen)}
        assert palette["Pin"].endswith("(P)") and palette["Yank as ..."].endswith("JSON")
        assert {action.title for action in app.screen.PLACE.actions} <= palette.keys()


@pytest.mark.parametrize(("preset", "key"), [("fzf", "ctrl+j"), ("fzf", "ctrl+n"), ("vim", "ctrl+f")])
async def test_presets_move_from_the_query(run_app: Run, preset: str, key: str) -> None:
    async with run_app(query=TASK, keys=keymap(preset, {})) as app:
        await app.press(key)
        assert app.screen.ranking.cursor > 0 and app.screen.query_input.value == TASK


async def test_in_the_fzf_preset_tab_pins(run_app: Run) -> None:
    async with run_app(query=TASK, keys=keymap("fzf", {})) as app:
        await app.press("tab")
        assert app.said.startswith("pinned ") and app.screen.query_input.has_focus
        await app.press("shift+tab")
        assert app.screen.ranking.has_focus


async def test_in_the_vim_preset_i_types(run_app: Run) -> None:
    async with run_app(query=TASK, keys=keymap("vim", {})) as app:
        await app.press("escape", "j", "i")
        assert app.screen.query_input.has_focus and app.screen.ranking.cursor == 1


async def test_an_action_that_cannot_be_done_says_why(run_app: Run) -> None:
    async with run_app(query="", keys=Keymap()) as app:
        await app.press("alt+u")
        assert app.said == "nothing to take back"
        await app.press("alt+c")
        assert "before there is a query" in app.said
        await app.press("alt+m")
        assert "a query first" in app.said


async def test_an_action_without_a_row_says_why(run_app: Run, tmp_path: Path) -> None:
    async with run_app(tmp_path) as app:
        for key in ("alt+p", "alt+x", "alt+e", "alt+i", "alt+c", "alt+m"):
            app.screen.footer.message = ""
            await app.press(key)
            assert app.said == "no skill is current", key


async def test_help_begins_with_the_focused_pane(run_app: Run) -> None:
    async with run_app(size=MEDIUM, keys=keymap("default", {"fold": "Z"})) as app:
        await app.press("escape", "3", "question_mark")
        assert isinstance(app.pilot.app.screen, HelpScreen)
        assert app.pilot.app.screen.title == "Keys · prompt"
        first = help_rows(app.screen.PLACE, app.screen._app.keys, "prompt", ())[0]
        assert [keys for keys, _ in first] == ["Z", "v"]
        await app.pilot.press("escape")
        await app.press("1", "question_mark")
        assert help_rows(app.screen.PLACE, Keymap(), "registry", ())[0][0][0] == "enter space"


async def test_the_footer_is_about_the_focused_pane(run_app: Run) -> None:
    async with run_app(query=TASK) as app:
        assert "then a letter" in app.footer
        await app.press("escape", "3")
        said = app.footer
        assert "z fold" in said and "then a letter" not in said and "esc query" in said
        await app.press("1")
        assert app.footer.strip().startswith("enter open")


async def test_the_prompt_scrolls_with_the_keys_of_lists(run_app: Run) -> None:
    async with run_app(query=TASK, size=MEDIUM) as app:
        await app.press("escape", "3", "j", "j", "k")
        assert round(app.screen.prompt.scroll_y) == 1
        await app.press("G")
        assert round(app.screen.prompt.scroll_y) == app.screen.prompt.max_scroll_y > 1
        await app.press("g")
        assert app.screen.prompt.scroll_y == 0


def test_the_docs_have_every_key_and_name() -> None:
    for name, place in PLACES.items():
        table = documented(name)
        assert all(f"`{action.name}`" in table for action in place.all)
