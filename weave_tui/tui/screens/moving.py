"""The part of the main screen that keys move about in: panes, lists, the query and back."""

from __future__ import annotations

from textual.widget import Widget

from weave_tui.tui.rows import RowList
from weave_tui.tui.screens.find import FindScreen
from weave_tui.tui.screens.keeping import KeepingScreen
from weave_tui.tui.widgets.prompt import PromptView
from weave_tui.tui.widgets.query import QueryInput
from weave_tui.tui.widgets.ranking import RankingList
from weave_tui.tui.widgets.registry import RegistryTree


class MovingScreen(KeepingScreen):
    """Knows what has the focus in each pane. The query is where one comes from and goes back to."""

    ranking: RankingList
    prompt: PromptView
    registry: RegistryTree

    @property
    def _list(self) -> RowList:
        """The list that keys move: the focused one, and from the query the ranking."""
        return self.focused if isinstance(self.focused, RowList) else self.ranking

    def action_move(self, by: int) -> None:
        self._list.move(by)

    def action_page(self, direction: int) -> None:
        self._list.action_page(direction)

    def action_go(self, index: int) -> None:
        self._list.action_go(index)

    def action_scroll_prompt(self, by: int) -> None:
        self.prompt.scroll_relative(y=by, animate=False)

    def action_slash(self) -> None:
        """In the prompt find something there, elsewhere go back to the query."""
        if self.prompt.has_focus:
            self.app.push_screen(FindScreen(self.prompt))
        else:
            self.action_focus_query()

    def action_focus_query(self) -> None:
        self.query_input.focus()

    def action_escape(self) -> None:
        if self.focused is not self.query_input:
            self.show_pane("ranking")
            self.query_input.focus()
        elif self._app.is_picker:
            self._app.leave(130)
        else:
            self.action_pane("ranking")

    @property
    def _places(self) -> dict[str, Widget]:
        """What takes the focus, in the order of tab. The reasons have none of their own: the ranking has it then."""
        return {
            "query": self.query_input,
            "ranking": self.ranking,
            "prompt": self.prompt,
            "registry": self.registry,
        }

    def action_pane(self, name: str) -> None:
        self.show_pane(name)
        self._places.get(name, self.ranking).focus()

    def action_next_pane(self, by: int) -> None:
        names = list(self._places)
        at = next((i for i, widget in enumerate(self._places.values()) if widget is self.focused), 0)
        name = names[(at + by) % len(names)]
        self.show_pane("ranking" if name == "query" else name)
        self._places[name].focus()

    def on_query_input_asked(self, event: QueryInput.Asked) -> None:
        if event.action == "help":
            self.action_help()
        else:
            self.app.action_command_palette()
