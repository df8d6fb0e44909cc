"""What one sitting at the app knows: the query, the pins, the exclusions, the cut-offs.

No Textual here: the screen shows a `Session` and changes it, and tests read it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from weave_tui.broker import Broker, Manner, Registry, Result, Rules, Selection
from weave_tui.protocol import PLATFORMS, PROTOCOL, Platform, WeaveRequest
from weave_tui.skills import Loaded, Skill
from weave_tui.tui.filters import outside
from weave_tui.tui.query_line import Filter, QueryLine, parse

MAX_UNDO = 100


@dataclass(frozen=True, slots=True)
class Choices:
    """What a person decided beside the query: skill ids that are pinned, names that are excluded."""

    pinned: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()


def _toggled(items: tuple[str, ...], item: str) -> tuple[str, ...]:
    return tuple(other for other in items if other != item) if item in items else (*items, item)


@dataclass
class Session:
    """The state of the app over one broker. Whoever changes it calls `ask` and shows what comes back."""

    broker: Broker
    loaded: Loaded
    query: str = ""
    top_n: int = 1
    rules: Rules = field(default_factory=Rules)
    manner: Manner = field(default_factory=Manner)
    choices: Choices = field(default_factory=Choices)
    undone: list[Choices] = field(default_factory=list)
    scoped: tuple[Platform, Broker] | None = None
    """The tool whose listing is ranked, and the broker that sees it so; None for everything there is."""
    _filtered: tuple[Registry, tuple[Filter, ...], frozenset[int]] | None = field(init=False, default=None)
    selection: Selection = field(init=False)
    result: Result | None = field(init=False, default=None)
    """The last composition; of an earlier selection while a new one is on its way."""

    def __post_init__(self) -> None:
        self.ask()

    @property
    def registry(self) -> Registry:
        """The registry that `selection` is of. The broker's own may be newer already."""
        return self.selection.ranking.registry

    @property
    def line(self) -> QueryLine:
        """The query as typed, taken apart."""
        return parse(self.query)

    def asked(self) -> Broker:
        """Who answers: the broker, or in a tool's scope one that sees what the tool lists."""
        return self.scoped[1] if self.scoped else self.broker

    @property
    def scope(self) -> Platform | None:
        return self.scoped[0] if self.scoped else None

    def next_scope(self) -> Platform | None:
        """The scope after this one: all tools, then each tool that has skills, then all again."""
        present = {skill.platform for skill in self.broker.registry.skills}
        scopes: list[Platform | None] = [None, *(platform for platform in PLATFORMS if platform in present)]
        at = scopes.index(self.scope) if self.scope in scopes else 0
        return scopes[(at + 1) % len(scopes)]

    @property
    def is_current(self) -> bool:
        """Whether `result` is the composition of `selection`."""
        return self.result is not None and self.result.selection is self.selection

    @property
    def request(self) -> WeaveRequest | None:
        """What is asked, in the protocol's terms; None while the query is empty."""
        text = self.line.text
        if not text.strip():
            return None
        return WeaveRequest(weave_protocol=PROTOCOL, query=text, top_n=self.top_n, exclude=self.choices.excluded)

    def ask(self) -> Selection:
        """Rank and select for the state as it is; nothing is composed yet."""
        left_out = self._outside()
        if request := self.request:
            self.selection = self.asked().select(request, self.rules, self.choices.pinned, left_out)
        else:
            self.selection = self.asked().browse(self.choices.excluded, self.rules, self.choices.pinned, left_out)
        return self.selection

    def _outside(self) -> frozenset[int]:
        """What the line filters out; asked again only when the filters or the skills are others."""
        registry, filters = self.asked().registry, self.line.filters
        if self._filtered is None or self._filtered[0] is not registry or self._filtered[1] != filters:
            self._filtered = registry, filters, outside(registry, filters)
        return self._filtered[2]

    def composed(self) -> Result:
        """The result of the selection as it is, composed now if it is not yet."""
        if self.result is None or not self.is_current:
            self.result = self.broker.compose(self.selection, self.manner)
        return self.result

    def toggle_pin(self, skill: Skill) -> bool:
        """Pin the skill or let it go; whether it is pinned now."""
        pinned = _toggled(self.choices.pinned, skill.id)
        excluded = tuple(name for name in self.choices.excluded if name != skill.name)
        self._choose(Choices(pinned, excluded if skill.id in pinned else self.choices.excluded))
        return skill.id in pinned

    def toggle_exclude(self, skill: Skill) -> bool:
        """Exclude the skill's name or admit it again; whether it is excluded now."""
        excluded = _toggled(self.choices.excluded, skill.name)
        pinned = tuple(identity for identity in self.choices.pinned if identity != skill.id)
        self._choose(Choices(pinned if skill.name in excluded else self.choices.pinned, excluded))
        return skill.name in excluded

    def _choose(self, choices: Choices) -> None:
        self.undone = [*self.undone, self.choices][-MAX_UNDO:]
        self.choices = choices

    def undo(self) -> bool:
        """Take the last pin or exclusion back; False when there is none."""
        if not self.undone:
            return False
        self.choices = self.undone.pop()
        return True
