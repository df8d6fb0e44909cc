"""Tables that any page may want: diagnostics, keys."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from weave_tui.diagnostics import CODES
from weave_tui.tui.actions import ACTIONS, AGENT_ACTIONS, AGENT_KEYS, FIXED_KEYS, Action


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; a pipe in a cell is escaped."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |" for cells in lines)


def diagnostics() -> str:
    rows = ((f"`{code.name}`", code.severity.value, code.meaning, code.hint) for code in CODES.values())
    return table(("code", "severity", "meaning", "what to do"), rows)


def main_keys() -> str:
    return _keys(FIXED_KEYS, ACTIONS)


def agent_keys() -> str:
    return _keys(AGENT_KEYS, AGENT_ACTIONS)


def _keys(fixed: Iterable[tuple[str, str]], actions: Iterable[Action]) -> str:
    rows = [*fixed, *((action.key, f"{action.title}: {action.help}") for action in actions)]
    return table(("key", ""), ((f"`{key}`", text) for key, text in rows))
