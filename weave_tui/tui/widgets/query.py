"""The query box: an Input that shows which of its words decide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.highlighter import Highlighter
from rich.text import Text
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.suggester import Suggester
from textual.widgets import Input

from weave_tui.broker.words import words
from weave_tui.tui.query_line import completion, parse
from weave_tui.tui.strips import BOLD, UNDERLINED
from weave_tui.tui.widgets.line import roles_of

DECISIVE = 0.3
"""A word with this part of the heaviest share, or more, is underlined; one under a tenth of it is dimmed."""


class QueryInput(Input):
    """One line of plain text. `?` and `:` as the first character ask for help and the palette."""

    DEFAULT_CSS = """
    QueryInput { border: none; height: 1; padding: 0; background: $background; }
    QueryInput:focus { border: none; background-tint: $foreground 0%; }
    """

    virtual_size = reactive(Size(0, 0))
    """As wide as the text. In Textual a change, thus every key, lays the screen out anew; this box fills its line."""

    class Asked(Message):
        """A first character that is a key: `?` or `:`."""

        def __init__(self, action: str) -> None:
            super().__init__()
            self.action = action

    def __init__(self) -> None:
        self._shares: Mapping[int, float] = {}
        self.completing = Completing()
        super().__init__(
            placeholder="what do you want done?",
            id="query",
            compact=True,
            select_on_focus=False,
            suggester=self.completing,
        )
        self.highlighter = _ByWeight(self)

    @property
    def shares(self) -> Mapping[int, float]:
        """What the words bring to the first place, by the character they start at."""
        return self._shares

    def show_shares(self, shares: Mapping[int, float]) -> None:
        self._shares = shares
        self.refresh()

    async def _on_key(self, event: events.Key) -> None:
        if not self.value and event.character in {"?", ":"}:
            event.stop()
            event.prevent_default()
            self.post_message(self.Asked("help" if event.character == "?" else "palette"))
            return
        await super()._on_key(event)


class Completing(Suggester):
    """Completes keys, and their values once skills are read."""

    def __init__(self) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self.values: Mapping[str, Sequence[str]] = {}

    async def get_suggestion(self, value: str) -> str | None:
        return completion(value, self.values)


class _ByWeight(Highlighter):
    def __init__(self, query: QueryInput) -> None:
        self._query = query

    def highlight(self, text: Text) -> None:
        line = parse(text.plain)
        role = roles_of(self._query)
        for start, end in line.spans:
            text.stylize(role.primary, start, end)
        shares = self._query.shares
        heaviest = max(shares.values(), default=0.0)
        if heaviest <= 0:
            return
        # Shares are told by the place in the text that was ranked, where the filters are gone.
        shown = [word for word in words(text.plain) if not any(start <= word.start < end for start, end in line.spans)]
        for word, ranked in zip(shown, words(line.text), strict=False):
            share = shares.get(ranked.start)
            if share is None:
                continue
            if share >= DECISIVE * heaviest:
                text.stylize(role.text + BOLD + UNDERLINED, word.start, word.end)
            elif share < 0.1 * heaviest:
                text.stylize(role.muted, word.start, word.end)
