"""Tables that any page may want: diagnostics, keys."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from weave_tui.diagnostics import CODES
from weave_tui.tui.actions import ALWAYS, FROM_QUERY, PLACES, Place
from weave_tui.tui.keys import PRESETS, Keymap, shown


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; a pipe in a cell is escaped."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |" for cells in lines)


def diagnostics() -> str:
    rows = ((f"`{code.name}`", code.severity.value, code.meaning, code.hint) for code in CODES.values())
    return table(("code", "severity", "meaning", "what to do"), rows)


def keys(place: str) -> str:
    """The keys of a place, each with the name that settings remap it with."""
    return _keys(PLACES[place])


def presets() -> str:
    """What each preset changes."""
    rows = (
        (f"`{preset}`", f"`{name}`", " ".join(f"`{shown(key)}`" for key in changed.split(",")) if changed else "none")
        for preset, changes in PRESETS.items()
        for name, changed in changes.items()
    )
    return table(("preset", "action", "keys"), rows)


def _keys(place: Place) -> str:
    rows = [
        (" ".join(f"`{shown(key)}`" for key in action.keys), f"`{action.name}`", f"{action.title}: {action.help}")
        for action in Keymap().of(place.all)
    ]
    fixed = [(f"`{key}`", "", text) for key, text in (*(FROM_QUERY if place.types else ()), *ALWAYS)]
    return table(("key", "action", ""), [*rows, *fixed])
