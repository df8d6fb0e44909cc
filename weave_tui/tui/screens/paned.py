"""A screen over the main one, of panes that are gone to by number or in turn."""

from __future__ import annotations

from textual.widget import Widget

from weave_tui.tui.screens.base import Answer, WorkScreen


class PanedScreen(WorkScreen[Answer]):
    """A subclass says what is in its panes."""

    @property
    def panes(self) -> dict[str, Widget]:
        """What has the focus in each pane, by its name, in the order of tab."""
        raise NotImplementedError

    def action_pane(self, name: str) -> None:
        self.show_pane(name)
        self.panes[name].focus()

    def action_next_pane(self, by: int) -> None:
        names = list(self.panes)
        at = next((i for i, widget in enumerate(self.panes.values()) if widget is self.focused), 0)
        self.action_pane(names[(at + by) % len(names)])

    def action_back(self) -> None:
        self.dismiss()
