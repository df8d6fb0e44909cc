"""From the action table to Textual's bindings: the one place where a key gets its meaning."""

from __future__ import annotations

from collections.abc import Iterable

from textual.binding import Binding, BindingsMap
from textual.dom import DOMNode

from weave_tui.tui.actions import Action
from weave_tui.tui.keys import anywhere


def bind(node: DOMNode, actions: Iterable[Action], *, types: bool = False) -> None:
    """Give a screen or widget the keys of these actions. `types`: one types there, so letters take Alt too."""
    bindings = []
    for action in actions:
        runs = action.runs or f"do('{action.name}')"
        over = anywhere(action) if types else ()
        bindings += [Binding(key, runs, action.title, show=False) for key in action.keys if key not in over]
        bindings += [Binding(key, runs, action.title, show=False, priority=True) for key in over]
    # Textual binds at run time only on the app; a node's own map is what its BINDINGS are made into.
    own = BindingsMap(bindings)
    node._bindings = BindingsMap.from_keys({**node._bindings.key_to_bindings, **own.key_to_bindings})
