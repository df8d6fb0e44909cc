"""What the app starts with, and how it ends. No Textual here."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from weave_tui.broker import Manner, Rules
from weave_tui.config import ThemeName
from weave_tui.skills import Where
from weave_tui.tui.keys import Keymap


@dataclass(frozen=True, slots=True)
class Ending:
    """How the app ended: its exit code and what is then printed."""

    code: int
    text: str = ""


@dataclass(frozen=True, slots=True)
class Start:
    """What the app starts with. `picked_view` makes it a picker that ends with that view of the choice."""

    where: Where
    rivals: tuple[Path, ...] = ()
    """Paths of `where` whose skills only compete: their labelled queries are not judged."""
    query: str = ""
    top_n: int = 1
    exclude: tuple[str, ...] = ()
    rules: Rules = field(default_factory=Rules)
    manner: Manner = field(default_factory=Manner)
    model: str | None = None
    cache: Path | None = None
    indexes: Path | None = None
    watch: bool = False
    state: Path | None = None
    """Where what is kept of this project is; None keeps nothing."""
    theme: ThemeName = "dark"
    keys: Keymap = field(default_factory=Keymap)
    picked_view: str | None = None
