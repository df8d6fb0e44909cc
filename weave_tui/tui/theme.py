"""Colours: the themes, and the roles that everything on screen is drawn in.

A role says what a thing is (it goes into the prompt, it is pinned, it is secondary); only this
module knows which colour that is. A test computes the contrast of each on the background and on the
current row: at least 4.8:1, and 7:1 where it is to be high. The terminal's own colours cannot be known:
there the current row is reversed and what is secondary is dim, which is as readable as the terminal is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rich.style import Style
from textual.color import Color
from textual.theme import Theme

from weave_tui.config import ThemeName

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

HIGH_DARK = Theme(
    name="weave-high-contrast-dark",
    primary="#7fd0ff",
    secondary="#c8ccd4",
    success="#9be28a",
    warning="#ffcf70",
    error="#ffa8a2",
    accent="#d2c0ff",
    foreground="#ffffff",
    background="#000000",
    surface="#0d0d0d",
    panel="#2b2b2b",
    dark=True,
    variables={"muted": "#c8ccd4", "hairline": "#8a8a8a"},
)

HIGH_LIGHT = Theme(
    name="weave-high-contrast-light",
    primary="#004a6b",
    secondary="#333a44",
    success="#1c4d07",
    warning="#573800",
    error="#84110c",
    accent="#41278c",
    foreground="#000000",
    background="#ffffff",
    surface="#f4f4f4",
    panel="#dedede",
    dark=False,
    variables={"muted": "#333a44", "hairline": "#767676"},
)

ANSI = Theme(
    name="weave-ansi",
    ansi=True,
    primary="ansi_blue",
    secondary="ansi_default",
    success="ansi_green",
    warning="ansi_yellow",
    error="ansi_red",
    accent="ansi_magenta",
    foreground="ansi_default",
    background="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    boost="ansi_default",
    variables={
        "muted": "ansi_default",
        "hairline": "ansi_bright_black",
        # What Textual derives from a background has none here to derive it from.
        **dict.fromkeys(
            (
                *("ansi-background", "ansi-foreground", "border", "border-blurred", "block-hover-background"),
                *("input-cursor-background", "input-cursor-foreground", "block-cursor-background"),
                *("block-cursor-foreground", "scrollbar-background", "scrollbar-background-hover"),
                *("scrollbar-background-active", "scrollbar-corner-color"),
            ),
            "ansi_default",
        ),
        **dict.fromkeys(("scrollbar", "scrollbar-hover", "scrollbar-active"), "ansi_bright_black"),
        "input-cursor-text-style": "reverse",
        "block-cursor-text-style": "reverse",
        "input-selection-background": "ansi_bright_blue",
        "input-selection-foreground": "ansi_default",
        "screen-selection-background": "ansi_bright_blue",
        "screen-selection-foreground": "ansi_default",
    },
)

THEMES: Mapping[ThemeName, Theme] = {
    "dark": DARK,
    "light": LIGHT,
    "high-contrast-dark": HIGH_DARK,
    "high-contrast-light": HIGH_LIGHT,
    "ansi": ANSI,
}


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


def roles(variables: Mapping[str, str], *, ansi: bool = False) -> Roles:
    """The roles of any theme, from its variables. `ansi`: its colours are the terminal's own."""

    def color(name: str) -> Style:
        return Style(color=Color.parse(variables[name]).rich_color)

    return Roles(
        text=color("foreground"),
        muted=color("muted") + Style(dim=ansi or None),
        primary=color("primary"),
        success=color("success"),
        warning=color("warning"),
        error=color("error"),
        accent=color("accent"),
        hairline=color("hairline"),
        current=Style(reverse=True) if ansi else Style(bgcolor=Color.parse(variables["panel"]).rich_color),
    )


def variable_defaults(variables: Mapping[str, str]) -> dict[str, str]:
    """What a theme that is not ours lacks: muted text and hairlines between foreground and background."""
    front, back = Color.parse(variables["foreground"]), Color.parse(variables["background"])
    return {"muted": back.blend(front, 0.65).hex, "hairline": back.blend(front, 0.3).hex}
