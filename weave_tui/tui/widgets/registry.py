"""The registry pane: a tree whose branches open, over all skills there are."""

from __future__ import annotations

from collections.abc import Sequence

from weave_tui.text import one_line
from weave_tui.tui.actions import TREE_KEYS
from weave_tui.tui.rows import RowList
from weave_tui.tui.session import Session
from weave_tui.tui.strips import Sides, Span
from weave_tui.tui.tree import TreeRow, first_opened, tree_rows
from weave_tui.tui.widgets.line import roles_of

_TONES = {"pinned": "warning", "excluded": "error", "shadowed": "muted", "same text": "muted"}


class RegistryTree(RowList):
    """Platforms, folders and skills; the skill under the cursor is what the screen shows."""

    OWN_KEYS = TREE_KEYS

    def __init__(self) -> None:
        super().__init__(id="registry")
        self.rows: Sequence[TreeRow] = ()
        self._opened: frozenset[tuple[str, ...]] = frozenset()
        self._session: Session | None = None

    def show(self, session: Session) -> None:
        """Show the session's registry, keeping open what is open and the cursor where it is."""
        if self._session is None:
            self._opened = first_opened(session)
        self._session = session
        self.rows = tree_rows(session, self._opened)
        self.show_rows(len(self.rows), self.cursor)

    @property
    def current(self) -> TreeRow | None:
        return self.rows[self.cursor] if self.cursor < len(self.rows) else None

    def is_marked(self, index: int) -> bool:
        return self.has_focus and index == self.cursor

    def draw(self, index: int, width: int) -> Sides:
        role = roles_of(self)
        shown = self.rows[index]
        arrow = ("▾ " if shown.key in self._opened else "▸ ") if shown.key else "  "
        tone = _TONES.get(shown.label) if shown.depth == 0 else None
        style = getattr(role, tone) if tone else role.text if shown.depth == 0 or not shown.key else role.muted
        left: list[Span] = [
            (" " + "  " * shown.depth + arrow, role.muted),
            (one_line(shown.label), style),
        ]
        right = [(f"{shown.count} ", role.muted)] if shown.key else []
        return left, right

    def action_open(self, opened: bool) -> None:
        shown = self.current
        if self._session is None or shown is None or not shown.key:
            return
        self._opened = self._opened | {shown.key} if opened else self._opened - {shown.key}
        self.show(self._session)

    def action_flip(self) -> None:
        if self.current:
            self.action_open(self.current.key not in self._opened)

    def on_row_list_pressed(self, event: RowList.Pressed) -> None:
        event.stop()
        self.action_flip()
