"""Every action of the working screens: its name, keys, words, and where it is offered.

The bindings, the settings, the footer, the help screen, the palette and the docs all read this table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Action:
    """One thing a person can do, by the name that settings remap it with.

    key: one key, or several with commas between. A plain letter acts in lists; where one types it takes Alt.
    footer: the word for the footer, with the key's letter in it; "" keeps it out.
    runs: what Textual runs; "" for the deed of that name.
    pane: the pane it is about: only there the footer offers it, and the help begins with it; "" for all of them.
    """

    name: str
    key: str
    title: str
    help: str
    footer: str = ""
    runs: str = ""
    pane: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        """Each of its keys; none when the settings took them away."""
        return tuple(key.strip() for key in self.key.split(",") if key.strip())

    @property
    def is_deed(self) -> bool:
        return not self.runs


ACTIONS: tuple[Action, ...] = (
    Action("pin", "p,space", "Pin", "keep the current skill in the prompt whatever its score", "pin"),
    Action("exclude", "x", "Exclude", "leave the current skill's name out of selection", "xclude"),
    Action("undo", "u", "Undo", "take the last pin or exclusion back"),
    Action("yank", "y", "Yank as ...", "copy the prompt, the task, an invocation, one body, a path or JSON", "yank"),
    Action("save", "o", "Write to a file", "write the prompt to a file", ""),
    Action("hand_off", "t", "To a tmux pane", "paste the prompt into another pane of tmux, without Enter", ""),
    Action("edit", "e", "Edit", "open the current skill in $EDITOR", "edit"),
    Action("edit_here", "i", "Edit here", "the current skill's description and triggers, ranked as you type", ""),
    Action("one_or_two", "n", "One or two", "ask for at most one match, or for two", ""),
    Action("scope", "s", "Scope", "rank as one tool sees it: all tools, then each in turn", ""),
    Action("bands", "b", "Bands", "move the threshold and the floor and watch", ""),
    Action("fold", "z", "Fold", "fold or unfold long parts; in the prompt the one in view", "z fold", pane="prompt"),
    Action(
        "removed",
        "v",
        "Removed lines",
        "show what was left out, where it is kept, what it gave way to",
        "v removed",
        pane="prompt",
    ),
    Action("why", "w", "Why", "what each word of the query brings to the current skill", "why"),
    Action("compare", "c", "Compare", "the current skill with the first one, word by word; what would make it win"),
    Action("mark", "m", "Mark as expected", "write the query and the current skill into the labelled queries"),
    Action("lab", "l", "Lab", "labelled queries: which fire, who takes whose, self-test", "lab"),
    Action("diagnostics", "d", "Diagnostics", "what was skipped, repaired or only partly understood", ""),
    Action("agents", "a", "Agents", "the agents of .weave: templates and final prompts", "agents"),
    Action("reload", "r", "Reload", "read all skills again", ""),
    Action("print", "Q", "Quit and print", "quit and print the prompt on standard output", ""),
    Action("quit", "q", "Quit", "quit; what was copied stays copied"),
)

LIST_KEYS: tuple[Action, ...] = (
    Action("up", "up,k,ctrl+p", "Up", "a row up, from the query too", runs="move(-1)"),
    Action("down", "down,j,ctrl+n", "Down", "a row down, from the query too", runs="move(1)"),
    Action("page_up", "pageup", "Page up", "a page up, from the query too", runs="page(-1)"),
    Action("page_down", "pagedown", "Page down", "a page down, from the query too", runs="page(1)"),
    Action("first", "home,g", "First", "to the first row", runs="go(0)"),
    Action("last", "end,G", "Last", "to the last row", runs="go(-1)"),
)
"""What every list has, in dialogs too."""

TREE_KEYS: tuple[Action, ...] = (
    Action("flip", "enter,space", "Open or close", "open or close a branch", "open", runs="flip"),
    Action("open", "right", "Open", "open a branch", runs="open(True)"),
    Action("close", "left", "Close", "close a branch", runs="open(False)"),
)
"""The registry's own."""

COMMON_KEYS: tuple[Action, ...] = (
    Action("next_pane", "tab", "Next pane", "to the next pane", runs="next_pane(1)"),
    Action("previous_pane", "shift+tab", "Previous pane", "to the pane before", runs="next_pane(-1)"),
    Action("help", "?", "Keys", "every key and what it does; in an empty query too", runs="help"),
    Action("palette", ":,f1", "Palette", "all actions by name; : in an empty query too", runs="app.command_palette"),
)
"""What every working screen has."""


def pane_keys(names: Iterable[str]) -> tuple[Action, ...]:
    """The numbers that go to the panes of a screen."""
    return tuple(
        Action(f"pane_{number}", str(number), f"Pane {number}", f"to the {name}", runs=f"pane('{name}')")
        for number, name in enumerate(names, 1)
    )


MAIN_KEYS: tuple[Action, ...] = (
    Action("copy", "enter", "Copy", "copy the composed prompt", "copy", runs="accept"),
    *COMMON_KEYS,
    Action("escape", "escape", "To and fro", "from the query to the ranking, and back", runs="escape"),
    Action("slash", "/", "Query or find", "back to the query; in the prompt find there", runs="slash"),
    Action("history", "ctrl+r", "Earlier queries", "the queries of this project, to search", runs="history"),
    Action("scroll_up", "shift+up", "Prompt up", "scroll the prompt from anywhere", runs="scroll_prompt(-1)"),
    Action("scroll_down", "shift+down", "Prompt down", "scroll the prompt from anywhere", runs="scroll_prompt(1)"),
    *pane_keys(("registry", "ranking", "prompt", "why")),
)
"""What the main screen has beside its actions."""

Row = tuple[str, str]

ALWAYS: tuple[Row, ...] = (
    ("mouse, then ctrl+c", "select text, copy it"),
    ("click, wheel", "focus and move, scroll; twice on a row of the ranking is enter"),
    ("ctrl+q, ctrl+c twice", "quit"),
)
"""Keys that cannot be others, for the help screen and the docs."""

FROM_QUERY: tuple[Row, ...] = (
    ("alt+letter", "the same action without leaving the query (but alt+b, which is a word left)"),
    ("tag: platform: ...", "only skills of that; source: name: is: path: too, -tag: leaves out, → completes"),
)
"""What a letter and a word do in the query line."""

AGENT_ACTIONS: tuple[Action, ...] = (
    Action("skills", "s", "Skills", "make the agent's skills a part of the prompt, or only name them", "skills"),
    Action("edit", "e", "Edit", "open what the cursor is about in $EDITOR, at its line", "edit"),
    Action("descriptor", "y", "Yank the descriptor", "copy what a tool that runs agents is told, as JSON", "yank"),
    Action("save", "o", "Write to a file", "write the prompt to a file"),
    Action("diagnostics", "d", "Diagnostics", "every error and lint of the configuration"),
    Action("reload", "r", "Reload", "read the configuration again; changed files are noticed by themselves"),
)
"""The agents screen's."""

AGENT_KEYS: tuple[Action, ...] = (
    Action("copy", "enter", "Copy", "copy the prompt", "copy", runs="do('copy')"),
    *COMMON_KEYS,
    Action("back", "escape,a,q", "Back", "back to the skills", runs="back"),
    *pane_keys(("agents", "template", "prompt", "rules")),
)

LAB_ACTIONS: tuple[Action, ...] = (
    Action("self_test", "h", "Self-test", "ask with every phrase of every skill, removed from it first", "h self-test"),
    Action("win", "w", "What would win", "a smallest edit that makes the expected skill win", "win"),
    Action("tune", "t", "Tune", "edit the expected skill here, ranked for this query as you type", "tune"),
    Action("edit", "e", "Edit", "open the case in $EDITOR, at its line", "edit"),
    Action("use_file", "i", "Use a file", "judge the labelled queries of a file too", "i use a file"),
    Action("write_first", "n", "Write one", "back to the query: m there marks the current skill as expected", "new"),
    Action("diagnostics", "d", "Diagnostics", "cases that could not be used"),
    Action("reload", "r", "Judge again", "read the cases and judge them again"),
)
"""The lab's."""

LAB_KEYS: tuple[Action, ...] = (
    Action("try", "enter", "Try", "try the query on the main screen", "try", runs="do('try')"),
    *COMMON_KEYS,
    Action("back", "escape,l,q", "Back", "back to the skills", runs="back"),
    *pane_keys(("cases", "figures", "detail")),
)


@dataclass(frozen=True, slots=True)
class Place:
    """Actions whose keys must differ: a screen's with its lists', or one widget's.

    The footer begins with the first of `keys`.
    """

    title: str
    actions: tuple[Action, ...]
    keys: tuple[Action, ...]
    types: bool = False
    """Whether one types there, so that a letter acts with Alt too."""

    @property
    def all(self) -> tuple[Action, ...]:
        return (*self.actions, *self.keys)


PLACES: Mapping[str, Place] = {
    "skills": Place("skills", ACTIONS, (*MAIN_KEYS, *LIST_KEYS), types=True),
    "registry": Place("registry", (), (*TREE_KEYS, *LIST_KEYS)),
    "agents": Place("agents", AGENT_ACTIONS, (*AGENT_KEYS, *LIST_KEYS)),
    "lab": Place("lab", LAB_ACTIONS, (*LAB_KEYS, *LIST_KEYS)),
}
"""All there is; a name means the same key wherever it stands."""


def about(place: Place, pane: str) -> tuple[Action, ...]:
    """What is about the focused pane before all else."""
    own = PLACES[pane].keys if pane in PLACES else ()
    return (*own, *(action for action in place.all if action.pane and action.pane == pane))


def footer_actions(actions: Iterable[Action], pane: str) -> Iterator[Action]:
    """What the footer offers while that pane has the focus, what is about it first."""
    offered = [action for action in actions if action.footer and action.pane in ("", pane)]
    return iter(sorted(offered, key=lambda action: not action.pane))
