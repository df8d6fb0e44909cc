"""The smallest Textual apps, to measure ours beside: `hello` paints one line, `echo` an Input and a Static."""

from __future__ import annotations

import sys

from textual.app import App, ComposeResult
from textual.widgets import Input, Static

# What any app with our dependencies has to load before it paints.
import weave_tui.tui.app  # noqa: F401


class Hello(App[None]):
    def compose(self) -> ComposeResult:
        yield Static("❯ hello")


class Echo(App[None]):
    def compose(self) -> ComposeResult:
        yield Input(compact=True)
        yield Static("❯ ready", id="said")

    def on_input_changed(self, event: Input.Changed) -> None:
        self.query_one("#said", Static).update(event.value)


if __name__ == "__main__":
    {"hello": Hello, "echo": Echo}[sys.argv[1]]().run()
