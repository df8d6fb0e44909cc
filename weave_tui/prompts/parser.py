"""The .weave grammar: tokens to a tree (spec A.2), with several errors in one run.

After an error the parser goes on where a person would: behind the token that is wrong, or at
the next top-level block. `lexer` says why both are written by hand.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from weave_tui.prompts.errors import ConfigError, ConfigErrorType, did_you_mean
from weave_tui.prompts.lexer import Token, TokenKind, lex, normalized
from weave_tui.prompts.places import Place
from weave_tui.prompts.tree import MAX_NESTING, Fields, Leaf, Listing, Node, Table, unknown_key

COLLECTIONS = {"agent": "agents", "category": "categories", "workflow": "workflows"}
"""Keywords of named blocks, and where the model keeps them."""

FORMS = (*COLLECTIONS, "disable", "settings")

OUT_OF_SCOPE = {
    "extend": "'extend before-plan' is not supported: give the workflow the step itself.",
    "hooks": "Hooks belong to the tool that runs the agents and are not supported here.",
    "continuation": "Continuation is not supported.",
    "analytics": "Analytics are not supported.",
    "tool_map": "The map from tools to capabilities belongs to the tool that runs the agents.",
}
"""Keys that other engines know; they are refused with a reason (spec G)."""

MISPLACED = {
    "step": "Steps stand inside a workflow block.",
    "log_level": "Write settings { log_level ... }.",
    "disabled": 'Write disable agents ["name"] or disable skills ["name"].',
    "agents": "Write one block each: agent NAME { ... }.",
    "categories": "Write one block each: category NAME { ... }.",
    "workflows": "Write one block each: workflow NAME { ... }.",
    **OUT_OF_SCOPE,
}
"""Top-level keys that do not exist, and what their author probably wants."""

TAG = "method"
"""Where `completion plan_created { ... }` keeps the name before its block."""

_VALUE_STARTS: frozenset[TokenKind] = frozenset({"string", "number", "name", "[", "{"})
_BOOLEANS = {"true": True, "false": False}


class _TooDeepError(Exception):
    """Nesting beyond the limit: nothing after it can be trusted."""


def parse(source: str, file: Path) -> tuple[Table, list[ConfigError]]:
    """The tree of a .weave file, and its errors.

    Stages hide each other (spec A.6): lexing errors come alone, then parsing errors, then keys
    that are repeated or unknown at the top level.
    """
    tokens, errors = lex(normalized(source), file)
    if errors:
        return Table(Place(file, 1, 1), {}, {}), errors
    parser = _Parser(tokens)
    tree = parser.file()
    return tree, parser.errors or parser.findings


class _Parser:
    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._at = 0
        self.errors: list[ConfigError] = []
        self.findings: list[ConfigError] = []

    # Moving through the tokens

    @property
    def _now(self) -> Token:
        return self._tokens[self._at]

    @property
    def _ahead(self) -> Token:
        return self._tokens[min(self._at + 1, len(self._tokens) - 1)]

    def _take(self) -> Token:
        token = self._now
        self._at = min(self._at + 1, len(self._tokens) - 1)
        return token

    def _taken(self, kind: TokenKind) -> bool:
        if self._now.kind != kind:
            return False
        self._take()
        return True

    def _error(self, type_: ConfigErrorType, place: Place, message: str, hint: str = "", **facts: str) -> None:
        self.errors.append(ConfigError(type_, message, place, hint, facts=facts))

    def _unexpected(self, expected: str, hint: str = "") -> None:
        found = self._now
        message = f"Expected {expected}, found {found}."
        self._error("UnexpectedToken", found.place, message, hint, found=str(found), expected=expected)

    # Forms

    def file(self) -> Table:
        root = Fields(self._now.place, ())
        start = self._now.place
        collections = {name: Fields(start, (name,)) for name in COLLECTIONS.values()}
        disabled: dict[str, list[Node]] = {}
        try:
            while self._now.kind != "end":
                self._form(root, collections, disabled)
        except _TooDeepError:
            self._unexpected(f"at most {MAX_NESTING} blocks inside each other")
        for name, fields in collections.items():
            if fields.fields:
                root.add(name, start, fields.done())
        if disabled:
            lists: dict[str, Node] = {kind: Listing(items[0].place, tuple(items)) for kind, items in disabled.items()}
            places = {kind: node.place for kind, node in lists.items()}
            root.add("disabled", start, Table(start, lists, places))
        return root.done()

    def _form(self, root: Fields, collections: dict[str, Fields], disabled: dict[str, list[Node]]) -> None:
        key = self._now
        if key.kind != "name":
            self._unexpected(f"{', '.join(FORMS[:-1])} or {FORMS[-1]}")
            self._skip_to_form()
        elif key.text in COLLECTIONS:
            self._named(collections[COLLECTIONS[key.text]], with_steps=key.text == "workflow")
        elif key.text == "disable":
            self._disable(disabled)
        else:
            self._setting(root)

    def _named(self, into: Fields, *, with_steps: bool) -> None:
        """`KEYWORD NAME { ... }`, for agents, categories, workflows and steps."""
        keyword = self._take()
        name = self._now
        if name.kind == "name":
            self._take()
        else:
            message = f"This {keyword.text} has no name."
            hint = f"Write {keyword.text} NAME {{ ... }}; a name has letters, digits, - and _, without quotes."
            self._error("MissingBlockName", name.place, message, hint, blockType=keyword.text)
            self._taken("string")
            if self._now.kind == "end":
                return
        if self._now.kind == "name" and self._ahead.kind == "{":
            self._unexpected("{", f"A name is one word: {name.text}-{self._now.text}?")
            self._take()
        if not self._taken("{"):
            self._unexpected("{")
            if self._now.kind != "name":
                # Not a forgotten brace before the first key: this block cannot be read.
                self._skip_to_form()
                return
        block = self._block(Fields(name.place, (*into.path, name.text)), keyword.place, 1, with_steps=with_steps)
        if name.kind == "name":
            self.findings.extend(into.add(name.text, name.place, block))

    def _disable(self, disabled: dict[str, list[Node]]) -> None:
        self._take()
        kind = self._now
        if kind.kind != "name" or kind.text not in ("agents", "skills", "hooks"):
            self._unexpected("agents or skills", did_you_mean(kind.text, ("agents", "skills")))
            self._skip_to_form()
            return
        self._take()
        if self._now.kind != "[":
            self._unexpected("[")
            self._skip_to_form()
            return
        items = self._list(2)
        if kind.text == "hooks":
            path = "disabled.hooks"
            self.findings.append(unknown_key(path, kind.place, ("agents", "skills"), OUT_OF_SCOPE["hooks"]))
        elif items.items:
            disabled.setdefault(kind.text, []).extend(items.items)

    def _setting(self, root: Fields) -> None:
        """`settings { ... }`; any other top-level key is read in order to be refused."""
        key = self._take()
        if self._now.kind not in _VALUE_STARTS:
            self._unexpected("a value")
            self._skip_to_form()
            return
        value = self._value(1)
        if key.text == "settings":
            self.findings.extend(root.add("settings", key.place, value))
            return
        if key.text == "extend" and self._now.kind == "[":
            self._list(1)
        self.findings.append(unknown_key(key.text, key.place, FORMS, MISPLACED.get(key.text, "")))

    # Values

    def _block(self, fields: Fields, opener: Place, depth: int, *, with_steps: bool = False) -> Table:
        """Keys and values up to the closing brace; the opening one is taken already."""
        steps = Fields(opener, (*fields.path, "steps"))
        while not self._taken("}"):
            if self._now.kind == "end":
                self._error("UnclosedBlock", opener, "This block is never closed.", "Close it with }.")
                break
            if self._now.kind != "name":
                hint = "Properties need no separator." if self._now.kind == "," else ""
                self._unexpected("a key or }", hint)
                self._skip_one(depth)
            elif with_steps and self._now.text == "step" and self._ahead.kind in ("name", "string", "{"):
                self._named(steps, with_steps=False)
            else:
                self._property(fields, depth)
        if steps.fields:
            self.findings.extend(fields.add("steps", next(iter(steps.keys.values())), steps.done()))
        return fields.done()

    def _property(self, fields: Fields, depth: int) -> None:
        key = self._take()
        if self._now.kind == "}":
            self.findings.extend(fields.add(key.text, key.place, Leaf(key.place, True)))
        elif self._now.kind in _VALUE_STARTS:
            self.findings.extend(fields.add(key.text, key.place, self._value(depth, (*fields.path, key.text))))
        elif self._now.kind != "end":
            self._unexpected("a value")
            self._skip_one(depth)

    def _value(self, depth: int, path: tuple[str | int, ...] = ()) -> Node:
        if depth > MAX_NESTING:
            raise _TooDeepError
        read: dict[TokenKind, Callable[[], Node]] = {
            "[": lambda: self._list(depth + 1, path),
            "{": lambda: self._block(Fields(self._now.place, path), self._take().place, depth + 1),
            "number": self._number,
            "string": self._text,
            "name": lambda: self._word(depth, path),
        }
        return read[self._now.kind]()

    def _number(self) -> Leaf:
        token = self._take()
        return Leaf(token.place, float(token.text) if "." in token.text else int(token.text))

    def _text(self) -> Leaf:
        token = self._take()
        return Leaf(token.place, token.text, token.origin)

    def _word(self, depth: int, path: tuple[str | int, ...]) -> Node:
        """`true`, `false`, a name, or a name with a block of its own."""
        token = self._take()
        if self._now.kind == "{":
            fields = Fields(token.place, path)
            fields.add(TAG, token.place, Leaf(token.place, token.text))
            return self._block(fields, self._take().place, depth + 1)
        return Leaf(token.place, _BOOLEANS.get(token.text, token.text))

    def _list(self, depth: int, path: tuple[str | int, ...] = ()) -> Listing:
        opener = self._take()
        items: list[Node] = []
        comma_allowed = False
        while not self._taken("]"):
            if self._now.kind == "end":
                self._error("UnclosedBlock", opener.place, "This list is never closed.", "Close it with ].")
                break
            if self._now.kind == "," and comma_allowed:
                self._take()
                comma_allowed = False
            elif self._now.kind in _VALUE_STARTS:
                items.append(self._value(depth, (*path, len(items))))
                comma_allowed = True
            elif self._now.kind == "}":
                self._unexpected("a value or ]")
                break
            else:
                self._unexpected("a value or ]")
                self._take()
        return Listing(opener.place, tuple(items))

    # Recovery

    def _skip_one(self, depth: int) -> None:
        """Pass the wrong token, or the whole bracket that it opens."""
        if self._now.kind in ("{", "["):
            self._value(depth)
        elif self._now.kind not in ("}", "end"):
            self._take()

    def _skip_to_form(self) -> None:
        """Pass everything up to the next top-level keyword outside brackets."""
        depth = 0
        self._take()
        while self._now.kind != "end" and not (depth <= 0 and self._now.kind == "name" and self._now.text in FORMS):
            depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(self._now.kind, 0)
            self._take()
