"""The agents screen's list: agents, and under the name of each workflow its steps."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from weave_tui.text import one_line
from weave_tui.tui.agents.state import Entry
from weave_tui.tui.rows import RowList
from weave_tui.tui.strips import Sides, Span
from weave_tui.tui.widgets.line import roles_of


class AgentList(RowList):
    def __init__(self) -> None:
        super().__init__(id="agents")
        self.rows: Sequence[Entry | str] = ()
        """An entry, or the heading above some."""

    def show(self, entries: Sequence[Entry]) -> None:
        """Show these entries; the cursor stays on the same one as far as it is still there."""
        before = self.current
        rows: list[Entry | str] = []
        for entry in entries:
            if not rows or entry.group != _group(rows[-1]):
                rows.append(entry.group)
            rows.append(entry)
        self.rows = rows
        places = {(one.kind, one.target): index for index, one in enumerate(rows) if isinstance(one, Entry)}
        self.show_rows(len(rows), places.get((before.kind, before.target), 1) if before else 1)

    @property
    def current(self) -> Entry | None:
        found = self.rows[self.cursor] if self.cursor < len(self.rows) else None
        return found if isinstance(found, Entry) else None

    def is_stop(self, index: int) -> bool:
        return isinstance(self.rows[index], Entry)

    def draw(self, index: int, width: int) -> Sides:
        role = roles_of(self)
        shown = self.rows[index]
        if isinstance(shown, str):
            return [(f" {one_line(shown)}", role.muted)], []
        name = Path(shown.name).name if shown.kind == "file" else shown.name
        left: list[Span] = [
            ("❯" if self.is_marked(index) else " ", role.primary),
            ("✕ " if shown.failed else "  ", role.error),
        ]
        left.append((one_line(name), role.error if shown.failed else role.text))
        return left, [(f"{shown.word} ", role.muted)]


def _group(row: Entry | str) -> str:
    return row.group if isinstance(row, Entry) else row
