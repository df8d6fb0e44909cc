"""Which key does what: the action table, a preset over it, and the person's own settings over that. No Textual here.

A key of the settings that cannot be had is said and left out; what had the key keeps it.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from weave_tui.config import Resolved
from weave_tui.diagnostics import Diagnostic
from weave_tui.text import one_line
from weave_tui.tui.actions import PLACES, Action, Place

PRESETS: Mapping[str, Mapping[str, str]] = {
    "default": {},
    # Tab marks, as in fzf --multi; shift+tab is left for the panes.
    "fzf": {
        "up": "up,k,ctrl+k,ctrl+p",
        "down": "down,j,ctrl+j,ctrl+n",
        "pin": "p,space,tab",
        "next_pane": "shift+tab",
        "previous_pane": "",
    },
    # Nothing that edits the query is taken: ctrl+u, ctrl+d and ctrl+w stay the line's.
    "vim": {
        "up": "up,k,ctrl+p",
        "down": "down,j,ctrl+n",
        "page_up": "pageup,ctrl+b",
        "page_down": "pagedown,ctrl+f",
        "slash": "/,i",
        "edit_here": "I",
    },
}

NAMED = frozenset(
    "escape enter tab space backspace delete insert home end pageup pagedown up down left right comma plus".split()
) | {f"f{number}" for number in range(1, 25)}
MODIFIERS = ("ctrl", "alt", "shift")
RESERVED = {"ctrl+c": "always quits", "ctrl+q": "always quits"}
SAME_BYTES = {"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+[": "escape"}
"""What a terminal sends for another key."""


@dataclass(frozen=True, slots=True)
class Keymap:
    """The keys in force, by action name where they are not the table's own."""

    changed: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[Diagnostic, ...] = ()

    def of(self, actions: Iterable[Action]) -> tuple[Action, ...]:
        """The actions with the keys in force."""
        return tuple(replace(action, key=self.changed.get(action.name, action.key)) for action in actions)

    def letter(self, name: str) -> str:
        """How a sentence names the key of an action; its title where it has none."""
        found = next(action for place in PLACES.values() for action in place.all if action.name == name)
        keys = self.of([found])[0].keys
        return keys[0] if keys else f"{found.title} (F1)"


SHOWN = {"escape": "esc", "up": "↑", "down": "↓", "left": "←", "right": "→", "pageup": "PgUp", "pagedown": "PgDn"}


def shown(key: str) -> str:
    """A key as people read it."""
    *modifiers, base = key.split("+") if len(key) > 1 else [key]
    return "+".join([*modifiers, SHOWN.get(base, base)])


def anywhere(action: Action) -> tuple[str, ...]:
    """The keys of an action that act where one types too: its letters with Alt, and keys with a modifier."""
    letters = [f"alt+{key}" for key in action.keys if action.is_deed and len(key) == 1 and key.isalnum()]
    return (*letters, *(key for key in action.keys if key.startswith(("ctrl+", "alt+"))))


def keymap(preset: str, remaps: Mapping[str, str], origin: str = "") -> Keymap:
    """The keys of a preset with the person's own over it, in their order.

    origin: the file and line, or the variable, where `remaps` stands. Remaps count together, so that two may swap; of
    two on one key the later one is left out.
    """
    problems = {name: problem for name, keys in remaps.items() if (problem := _malformed(name, keys))}
    own = {name: keys for name, keys in remaps.items() if name not in problems}
    while clash := _clash({**PRESETS[preset], **own}, list(own)):
        name, problem = clash
        del own[name]
        problems[name] = problem
    told = tuple(_ignored(name, problems[name], origin) for name in remaps if name in problems)
    return Keymap({**PRESETS[preset], **own}, told)


def keymap_of(resolved: Resolved) -> Keymap:
    """The keys that the settings ask for."""
    app = resolved.settings.app
    remaps = {name: str(key or "") for name, key in app.keys.items()}
    return keymap(app.key_preset, remaps, resolved.origins["app.keys"])


def _malformed(name: str, keys: str) -> str:
    """What is wrong with a remap by itself; "" when nothing is."""
    names = {action.name for place in PLACES.values() for action in place.all}
    if name not in names:
        close = difflib.get_close_matches(name, names, 1, 0.5)
        meant = f"did you mean '{close[0]}'?" if close else "docs/keys.md lists them"
        return f"there is no action of that name; {meant}"
    return next(filter(None, map(_not_a_key, Action(name, keys, "", "").keys)), "")


def _clash(changed: Mapping[str, str], own: Sequence[str]) -> tuple[str, str] | None:
    """A remap to leave out because another action has its key, and why. `own`: the remaps, the first the strongest."""
    for place in PLACES.values():
        having: dict[str, str] = {}
        for action in Keymap(changed).of(place.all):
            for key in _claims(place, action):
                other = having.setdefault(key, action.name)
                if other == action.name:
                    continue
                loser = max(other, action.name, key=lambda name: own.index(name) if name in own else -1)
                keeper = other if loser == action.name else action.name
                return loser, f"{key} is the key of {keeper} ({place.title}), which keeps it"
    return None


def _claims(place: Place, action: Action) -> list[str]:
    """The keys that an action has to itself there."""
    return [*action.keys, *(key for key in anywhere(action) if place.types and key not in action.keys)]


def _not_a_key(key: str) -> str:
    """What is wrong with the name of a key; "" when nothing is."""
    if key in RESERVED:
        return f"{key} {RESERVED[key]}"
    if key in SAME_BYTES:
        return f"terminals send {SAME_BYTES[key]} for {key}"
    *modifiers, base = key.split("+") if key != "+" else ["plus"]
    known = base in NAMED or (len(base) == 1 and base.isprintable())
    if not known or len(set(modifiers)) < len(modifiers) or not set(modifiers) <= set(MODIFIERS):
        return f"'{one_line(key)}' is not a key: write p, P, ?, f2, enter, ctrl+t or alt+p"
    if "shift" in modifiers and len(base) == 1:
        return f"'{one_line(key)}' is not a key of its own: write {base.upper()}"
    return ""


def _ignored(name: str, problem: str, origin: str) -> Diagnostic:
    path, _, line = origin.rpartition(":")
    setting = f"app.keys.{one_line(name)}"
    if path and line.isdigit():
        return Diagnostic("key-ignored", problem, Path(path), int(line), setting, "left as it was")
    return Diagnostic("key-ignored", f"{origin}: {setting}: {problem}", done="left as it was")
