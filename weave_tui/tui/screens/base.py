"""What the working screens share: their sizes, what the footer says, copying, and the person's editor."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, TypeVar, cast

from textual import work
from textual.app import SuspendNotSupported
from textual.events import Resize
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from weave_tui.text import hidden_characters, one_line
from weave_tui.tui.actions import Place, Row
from weave_tui.tui.bindings import bind
from weave_tui.tui.clipboard import OSC52_SAFE_BYTES, TERMINAL, Copied, copy_by_program
from weave_tui.tui.editor import editor_command
from weave_tui.tui.screens.help import HelpScreen
from weave_tui.tui.widgets.bars import FooterBar
from weave_tui.tui.widgets.pane import Pane
from weave_tui.tui.widgets.small import TabsLine

if TYPE_CHECKING:
    from weave_tui.tui.app import WeaveApp

MESSAGE_SECONDS = 6.0
SIZES = ("-wide", "-medium", "-small", "-tiny")


def size_class(width: int, height: int) -> str:
    """Which layout fits (design: three sizes, and below 40x12 a sentence)."""
    if width < 40 or height < 12:
        return "-tiny"
    if width < 72 or height < 18:
        return "-small"
    return "-wide" if width >= 100 and height >= 24 else "-medium"


Answer = TypeVar("Answer")


class WorkScreen(Screen[Answer], inherit_bindings=False):
    """A screen with tabs and a footer, which a subclass makes, in one of four sizes. `too_small` is yielded last."""

    @dataclass
    class Sent(Message):
        """A copy went out by a program, or only the terminal is left (None)."""

        what: str
        text: str
        copied: Copied | None

    PLACE: ClassVar[Place]
    """Its actions and keys; which keys those are, the settings say."""

    MARKS: ClassVar[tuple[Row, ...]]
    """What its help says about signs."""

    footer: FooterBar
    tabs: TabsLine
    """Which panes there are; where there is room for one, it says which."""

    def __init__(self) -> None:
        super().__init__()
        self._message_number = 0
        self._warned_of_hidden = False
        self.too_small = Static("weave-tui needs 40 columns and 12 lines.", id="too-small", markup=False)

    @property
    def _app(self) -> WeaveApp:
        return cast("WeaveApp", self.app)

    # Keys ---------------------------------------------------------------------------------

    def on_mount(self) -> None:
        bind(self, self._app.keys.of(self.PLACE.all), types=self.PLACE.types)

    def key(self, name: str) -> str:
        """How a sentence names the key of an action."""
        return self._app.keys.letter(name)

    @property
    def pane(self) -> str:
        """The pane that has the focus, as the action table names it."""
        return (self.focused.id or "") if self.focused else ""

    def on_descendant_focus(self) -> None:
        self.footer.pane = self.pane

    def action_help(self) -> None:
        self.app.push_screen(HelpScreen(self.PLACE, self._app.keys, self.pane, self.MARKS))

    def action_do(self, name: str) -> None:
        """Do the action of that name."""
        raise NotImplementedError

    # Sizes --------------------------------------------------------------------------------

    def on_resize(self, event: Resize) -> None:
        wanted = size_class(event.size.width, event.size.height)
        for name in SIZES:
            self.set_class(name == wanted, name)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Where nothing can be seen, nothing is done."""
        return super().check_action(action, parameters) if not self.has_class("-tiny") else False

    def show_pane(self, name: str) -> None:
        """Where there is room for one pane, it is this one."""
        for pane in self.tabs.names:
            self.set_class(pane == name, f"-pane-{pane}")
        self.tabs.current = name

    # Saying -------------------------------------------------------------------------------

    def note(self, pane: str, text: str) -> None:
        """What stands at the right of a pane's title."""
        self.query_one(pane, Pane).title_line.note = text

    def say(self, message: str, severity: str = "success") -> None:
        """Tell something in the footer for a while."""
        self.footer.severity, self.footer.message = severity, one_line(message)
        self._message_number += 1
        number = self._message_number

        def clear() -> None:
            if number == self._message_number:
                self.footer.message = ""

        self.set_timer(MESSAGE_SECONDS, clear)

    # Copying ------------------------------------------------------------------------------

    @work(thread=True, group="copy", description="copy")
    def send(self, what: str, text: str) -> None:
        """Copy in the background: a clipboard program may take its time."""
        self.post_message(self.Sent(what, text, copy_by_program(text)))

    def on_work_screen_sent(self, event: Sent) -> None:
        copied = event.copied
        if copied is None:
            self.app.copy_to_clipboard(event.text)
            copied = Copied(TERMINAL, confirmed=False)
        size = len(event.text.encode("utf-8", "surrogatepass"))
        long = copied.route == TERMINAL and size > OSC52_SAFE_BYTES
        warning = f"; {size:,} bytes, which some terminals cut: {self.key('save')} writes a file" if long else ""
        hidden = 0 if self._warned_of_hidden else hidden_characters(event.text)
        if hidden:
            self._warned_of_hidden = True
            warning += f"; it holds {hidden:,} hidden characters, shown as marks here (said once)"
        self.say(f"copied {event.what} · {copied}{warning}", "warning" if warning else "success")

    # Editing ------------------------------------------------------------------------------

    def open_in_editor(self, path: Path, line: int) -> None:
        """Leave the screen to the person's editor; read everything again when it ends."""
        command = editor_command(path, line)
        if not command:
            self.say("no editor: set $EDITOR", "warning")
            return
        try:
            with self.app.suspend():
                done = subprocess.run(command, check=False)
        except SuspendNotSupported:
            self.say("this terminal cannot be left to an editor", "warning")
        except OSError as error:
            self.say(f"{command[0]} did not start: {error.strerror or error}; set $EDITOR", "error")
        else:
            if done.returncode:
                self.say(f"{command[0]} ended with {done.returncode}", "warning")
            self.reread()

    def reread(self) -> None:
        """Read the files again."""
        raise NotImplementedError
