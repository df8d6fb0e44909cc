"""Colours: the two themes, and the roles that everything on screen is drawn in.

A role says what a thing is (it goes into the prompt, it is pinned, it is secondary); only this
module knows which colour that is. The values are those of the design, with at least 4.8:1
contrast on the background and on the current row, which a test computes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rich.style import Style
from textual.color import Color
from textual.theme import Theme

DARK = Theme(
    name="weave-dark",
    primary="#7cb7d4",
    secondary="#949cab",
    success="#9cc27e",
    warning="#e3b76b",
    error="#e88a86",
    accent="#b9a4f0",
    foreground="#d8dbe2",
    background="#15171c",
    surface="#1b1e25",
    panel="#262b35",
    dark=True,
    variables={"muted": "#949cab", "hairline": "#4a515e"},
)

LIGHT = Theme(
    name="weave-light",
    primary="#0b6486",
    secondary="#5b6370",
    success="#37701f",
    warning="#7d5200",
    error="#a92a23",
    accent="#5f46a8",
    foreground="#22272e",
    background="#fbfaf6",
    surface="#f3f1ea",
    panel="#e4e6ea",
    dark=False,
    variables={"muted": "#5b6370", "hairline": "#b9b8b0"},
)

THEMES = {"dark": DARK, "light": LIGHT}


@dataclass(frozen=True, slots=True)
class Roles:
    """Rich styles by role; `current` is the background of the row under the cursor, the rest are foregrounds."""

    text: Style
    muted: Style
    primary: Style
    success: Style
    warning: Style
    error: Style
    accent: Style
    hairline: Style
    current: Style


def roles(variables: Mapping[str, str]) -> Roles:
    """The roles of any theme, from its variables."""

    def color(name: str) -> Style:
        return Style(color=Color.parse(variables[name]).rich_color)

    return Roles(
        text=color("foreground"),
        muted=color("muted"),
        primary=color("primary"),
        success=color("success"),
        warning=color("warning"),
        error=color("error"),
        accent=color("accent"),
        hairline=color("hairline"),
        current=Style(bgcolor=Color.parse(variables["panel"]).rich_color),
    )


def variable_defaults(variables: Mapping[str, str]) -> dict[str, str]:
    """What a theme that is not ours lacks: muted text and hairlines between foreground and background."""
    front, back = Color.parse(variables["foreground"]), Color.parse(variables["background"])
    return {"muted": back.blend(front, 0.65).hex, "hairline": back.blend(front, 0.3).hex}
