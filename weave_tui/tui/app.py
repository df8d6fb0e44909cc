"""The app: themes, the palette, and how it ends."""

from __future__ import annotations

import time
from collections.abc import Iterable
from functools import partial

from textual.app import App, SystemCommand
from textual.binding import Binding
from textual.screen import Screen
from textual.widgets import Input

from weave_tui.broker import Result
from weave_tui.broker.views import VIEWS
from weave_tui.tui.keys import shown
from weave_tui.tui.screens.base import WorkScreen
from weave_tui.tui.screens.main import MainScreen
from weave_tui.tui.start import Ending, Start
from weave_tui.tui.theme import THEMES, Roles, roles, variable_defaults

INTERRUPT_SECONDS = 2.0
"""A second ctrl+c within this quits."""


class WeaveApp(App[Ending]):
    """Shows one main screen; what it ends with is its `Ending`."""

    TITLE = "weave"
    CSS_PATH = ["screens/main.tcss", "screens/agents.tcss", "screens/lab.tcss"]
    COMMAND_PALETTE_BINDING = "f1"
    ENABLE_COMMAND_PALETTE = True
    BINDINGS = [
        Binding("ctrl+q", "quit_quietly", show=False, priority=True),
        Binding("ctrl+c", "interrupt", show=False, priority=True),
    ]

    def __init__(self, start: Start) -> None:
        super().__init__()
        self.start = start
        self.keys = start.keys
        self._interrupted = 0.0
        for theme in THEMES.values():
            self.register_theme(theme)
        # Without colours Textual paints the terminal's own as black on black; greys are its NO_COLOR.
        self._themes = [theme for theme in THEMES.values() if not (self.no_color and theme.ansi)]
        asked = THEMES[start.theme]
        self.theme = asked.name if asked in self._themes else THEMES["dark"].name
        self._roles: tuple[str, Roles] | None = None

    @property
    def roles(self) -> Roles:
        """The styles of everything on screen, in the theme in use."""
        if self._roles is None or self._roles[0] != self.theme:
            self._roles = (self.theme, roles(self.theme_variables, ansi=self.native_ansi_color))
        return self._roles[1]

    @property
    def is_picker(self) -> bool:
        return self.start.picked_view is not None

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return variable_defaults(self.current_theme.to_color_system().generate())

    def get_default_screen(self) -> Screen[None]:
        return MainScreen(self.start)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        if isinstance(screen, WorkScreen):
            for action in self.keys.of((*screen.PLACE.actions, *screen.PLACE.keys)):
                if action.name != "palette":
                    keys = f" ({' '.join(map(shown, action.keys))})" if action.keys else ""
                    run = action.runs or f"do('{action.name}')"
                    yield SystemCommand(action.title, action.help + keys, partial(self.run_action, run, screen))
        for theme in self._themes:
            if theme.name != self.theme:
                name = theme.name.removeprefix("weave-")
                yield SystemCommand(f"Theme {name}", "only for now; app.theme keeps it", partial(self._use, theme.name))

    def _use(self, theme: str) -> None:
        self.theme = theme

    def leave(self, code: int, text: str = "") -> None:
        self.exit(Ending(code, text))

    def pick(self, result: Result) -> None:
        """End with the choice, as a picker."""
        self.leave(0, VIEWS[self.start.picked_view or "prompt"](result))

    def action_quit_quietly(self) -> None:
        self.leave(130 if self.is_picker else 0)

    def action_interrupt(self) -> None:
        """ctrl+c: copy what is selected, in the prompt or an input; else quit, when pressed twice."""
        selected = self.screen.get_selected_text()
        if selected and isinstance(self.screen, WorkScreen):
            self.screen.send("the selection", selected)
            self.screen.clear_selection()
        elif isinstance(self.focused, Input) and not self.focused.selection.is_empty:
            self.focused.action_copy()
        elif self.is_picker or time.monotonic() - self._interrupted < INTERRUPT_SECONDS:
            self.action_quit_quietly()
        else:
            self._interrupted = time.monotonic()
            if isinstance(self.screen, WorkScreen):
                self.screen.say("ctrl+c again quits", "warning")
