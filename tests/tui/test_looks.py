"""Looks: contrast by numbers, and a few pictures of the app on the sample skills."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import pytest
from rich.cells import cell_len
from textual.color import Color
from textual.pilot import Pilot

from tests.conftest import Write
from weave_tui.config import ThemeName
from weave_tui.tui.actions import PLACES
from weave_tui.tui.screens.agents_actions import DEEDS as AGENT_DEEDS
from weave_tui.tui.screens.lab_actions import DEEDS as LAB_DEEDS
from weave_tui.tui.screens.main_actions import DEEDS
from weave_tui.tui.strips import cut, row, thousandths, wrap
from weave_tui.tui.theme import THEMES

ROLES = ("foreground", "muted", "primary", "success", "warning", "error", "accent")


LEAST = {"dark": 4.8, "light": 4.8, "high-contrast-dark": 7.0, "high-contrast-light": 7.0}


def test_the_settings_take_every_theme() -> None:
    assert set(get_args(ThemeName)) == THEMES.keys() == {*LEAST, "ansi"}


@pytest.mark.parametrize("name", LEAST)
@pytest.mark.parametrize("role", ROLES)
def test_every_text_role_can_be_read(name: ThemeName, role: str) -> None:
    theme = THEMES[name]
    color = theme.variables.get(role) or getattr(theme, role)
    for ground in (theme.background, theme.panel):
        assert ground
        assert contrast(Color.parse(color), Color.parse(ground)) >= LEAST[name]


def contrast(a: Color, b: Color) -> float:
    """WCAG 2 contrast ratio."""

    def luminance(color: Color) -> float:
        channels = [c / 255 for c in color.rgb]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    bright, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(
    ("place", "deeds"),
    [("skills", DEEDS), ("agents", AGENT_DEEDS), ("lab", LAB_DEEDS)],
    ids=["skills", "agents", "lab"],
)
def test_every_action_has_a_key_words_and_a_deed(place: str, deeds: Mapping[str, object]) -> None:
    every, actions = PLACES[place].all, PLACES[place].actions
    keys = [key for action in every for key in action.keys]
    assert len(set(keys)) == len(keys)
    assert {action.name for action in actions} | {PLACES[place].keys[0].name} == set(deeds)
    assert all(action.title and action.help and action.keys for action in every)
    assert all(action.keys[0] in action.footer for action in actions if action.footer)


@pytest.mark.parametrize("width", range(30))
@pytest.mark.parametrize("text", ["plain words here", "日本語の名前です", "a日b本c語" * 4, "🎉🎉 party", ""])
def test_lines_are_as_wide_as_they_must_be(text: str, width: int) -> None:
    from rich.style import Style

    assert cell_len(cut(text, width)) <= width
    strip = row(width, [(text, Style()), (text, Style())], [(text, Style())], Style())
    assert sum(cell_len(segment.text) for segment in strip) == width
    if width >= 2:
        pieces = wrap(text, width)
        assert all(cell_len(piece) <= width for piece in pieces)
        assert "".join("".join(pieces).split()) == "".join(text.split())


@pytest.mark.parametrize(
    ("value", "text"), [(0.447, ".447"), (1.0, "1.00"), (0.0, ".000"), (-0.011, "−.011"), (-0.0001, ".000")]
)
def test_scores_are_written_one_way(value: float, text: str) -> None:
    assert thousandths(value) == text


@dataclass(frozen=True)
class Picture:
    size: tuple[int, int]
    query: str = ""
    theme: ThemeName = "dark"
    press: tuple[str, ...] = ()
    config: str = ""
    """A configuration of its own instead of the samples'."""


WRONG = """agent a {
  prompt \"\"\"
    I am {{agent.nam}}, and {{agent.name}} is right.
    {{! a comment }}
    {{#delegation.targets}}{{name}}: {{__class__}}{{/delegation.targets}}
    {{> header}}
  \"\"\"
}
"""

PICTURES = {
    "wide": Picture((120, 40), "TypeScript style for enums and comments"),
    "wide_light": Picture((120, 40), "TypeScript style for enums and comments", "light"),
    "medium": Picture((80, 24), "rename a column in a live table without downtime"),
    "small": Picture((60, 20), "rename a column in a live table without downtime"),
    "start": Picture((100, 30)),
    "nothing": Picture((100, 30), "hello"),
    "help": Picture((100, 44), press=("question_mark",)),
    "yank": Picture((100, 30), "write a commit message", press=("alt+y",)),
    "agents_wide": Picture((120, 40), press=("alt+a", "3", *"j" * 15)),
    "agents_medium": Picture((80, 24), press=("alt+a", "j", "4")),
    "agents_errors": Picture((80, 24), theme="light", press=("alt+a", "2"), config=WRONG),
}


@pytest.mark.parametrize("name", PICTURES)
def test_picture(name: str, snap_compare: object, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    from weave_tui.resources import sample_skills_dir
    from weave_tui.skills import Where
    from weave_tui.tui.app import WeaveApp
    from weave_tui.tui.screens.agents import AgentsScreen
    from weave_tui.tui.screens.main import MainScreen
    from weave_tui.tui.start import Start

    # Times and the place of the checkout differ between machines; neither is what the picture is for.
    monkeypatch.setattr("weave_tui.tui.screens.main.short_path", lambda path: f"~/{path.name}")
    monkeypatch.setattr("weave_tui.tui.widgets.gap_line.milliseconds", lambda selection: "0.5 ms")
    picture = PICTURES[name]
    monkeypatch.setattr("weave_tui.tui.screens.agents.short_path", lambda path: f"~/{path.name}")
    root = write({".weave/config.weave": picture.config}) if picture.config else sample_skills_dir()
    where = Where((root,), home=Path("/nobody"))
    app = WeaveApp(Start(where, query=picture.query, theme=picture.theme))
    app.animation_level = "none"

    async def settle(pilot: Pilot[object]) -> None:
        screen = app.screen_stack[0]
        for _ in range(200):
            screen = app.screen_stack[0]
            if isinstance(screen, MainScreen) and screen.session and screen.session.is_current:
                break
            await pilot.pause(0.02)
        assert isinstance(screen, MainScreen)
        screen.query_input.cursor_blink = False
        await pilot.press(*picture.press[:1])
        for _ in range(200):
            if not isinstance(app.screen, AgentsScreen) or app.screen.project:
                break
            await pilot.pause(0.02)
        await pilot.press(*picture.press[1:])
        await pilot.pause(0.4)

    assert snap_compare(app, terminal_size=picture.size, run_before=settle)  # type: ignore[operator]
