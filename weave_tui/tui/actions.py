"""Every action of the working screens: its name, key, words, and where it is offered.

The bindings, the footer, the help screen, the palette and the docs all read this table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Action:
    """One thing a person can do. `key` is a plain letter in lists and Alt with it everywhere.

    footer: the word for the footer, with the key's letter in it where it has one; "" keeps it out.
    """

    name: str
    key: str
    title: str
    help: str
    footer: str = ""


ACTIONS: tuple[Action, ...] = (
    Action("pin", "p", "Pin", "keep the current skill in the prompt whatever its score", "pin"),
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
    Action("fold", "z", "Fold", "fold or unfold long parts; in the prompt the one in view", ""),
    Action(
        "removed",
        "v",
        "Removed lines",
        "show what was left out, where it is kept, what it gave way to",
        "",
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

FIXED_KEYS: tuple[tuple[str, str], ...] = (
    ("enter", "copy the composed prompt"),
    ("platform: source: tag:", "in the query: only skills of that; name: is: path: too, -tag: leaves out, → completes"),
    ("ctrl+r", "earlier queries of this project"),
    ("up down PgUp PgDn", "move in the ranking, also from the query (ctrl+n, ctrl+p too)"),
    ("shift+up shift+down", "scroll the prompt"),
    ("tab shift+tab", "next or previous pane"),
    ("esc", "from the query to the ranking, and back; then a letter acts"),
    ("alt+letter", "the same action without leaving the query (but alt+b, which is a word left)"),
    ("1 2 3 4", "registry, ranking, prompt, why (in lists)"),
    ("j k g G", "down, up, first, last (in lists)"),
    ("space", "pin (in lists); open or close a branch of the registry"),
    ("/", "find (in the prompt), back to the query (in lists)"),
    ("mouse, then ctrl+c", "select text of the prompt, copy it"),
    ("? :", "this help, the palette; in an empty query too (F1: palette)"),
    ("ctrl+q, ctrl+c twice", "quit"),
)
"""Keys that are not letters of `ACTIONS`, for the help screen and the docs."""

AGENT_ACTIONS: tuple[Action, ...] = (
    Action("skills", "s", "Skills", "make the agent's skills a part of the prompt, or only name them", "skills"),
    Action("edit", "e", "Edit", "open what the cursor is about in $EDITOR, at its line", "edit"),
    Action("descriptor", "y", "Yank the descriptor", "copy what a tool that runs agents is told, as JSON", "yank"),
    Action("save", "o", "Write to a file", "write the prompt to a file"),
    Action("diagnostics", "d", "Diagnostics", "every error and lint of the configuration"),
    Action("reload", "r", "Reload", "read the configuration again; changed files are noticed by themselves"),
)
"""The agents screen's."""

AGENT_KEYS: tuple[tuple[str, str], ...] = (
    ("enter", "copy the prompt"),
    ("up down j k g G", "move; in the prompt, the template shows what made the line, and the other way round"),
    ("PgUp PgDn", "move by a page"),
    ("tab shift+tab", "next or previous pane"),
    ("1 2 3 4", "agents, template, prompt, rules"),
    ("esc a q", "back to the skills"),
    ("? :", "this help, the palette (F1: palette)"),
    ("ctrl+q, ctrl+c twice", "quit"),
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

LAB_KEYS: tuple[tuple[str, str], ...] = (
    ("enter", "try the query on the main screen"),
    ("up down j k g G", "move; the case under the cursor is explained"),
    ("PgUp PgDn", "move by a page"),
    ("tab shift+tab", "next or previous pane"),
    ("1 2 3", "cases, figures, why"),
    ("esc l q", "back to the skills"),
    ("? :", "this help, the palette (F1: palette)"),
    ("ctrl+q, ctrl+c twice", "quit"),
)

BY_NAME: dict[str, Action] = {action.name: action for action in ACTIONS}


def footer_actions(actions: Iterable[Action] = ACTIONS) -> Iterator[Action]:
    return (action for action in actions if action.footer)
