"""A screen over the main one, of panes that are gone to by number or in turn."""

from __future__ import annotations

from textual.widget import Widget

from weave_tui.tui.screens.base import Answer, WorkScreen
from weave_tui.tui.widgets.small import TabsLine


class PanedScreen(WorkScreen[Answer]):
    """A subclass makes `tabs` and says which panes there are."""

    tabs: TabsLine

    @property
    def panes(self) -> dict[str, Widget]:
        """What has the focus in each pane, by its name, in the order of tab."""
        raise NotImplementedError

    def show_pane(self, name: str) -> None:
        """Where there is room for one pane, it is this one."""
        for pane in self.panes:
            self.set_class(pane == name, f"-pane-{pane}")
        self.tabs.current = name

    def action_pane(self, name: str) -> None:
        self.show_pane(name)
        self.panes[name].focus()

    def action_next_pane(self, by: int) -> None:
        names = list(self.panes)
        at = next((i for i, widget in enumerate(self.panes.values()) if widget is self.focused), 0)
        self.action_pane(names[(at + by) % len(names)])

    def action_back(self) -> None:
        self.dismiss()
