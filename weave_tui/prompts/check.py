"""Every tag of a template resolved before anything is rendered (spec B.4, B.6).

Names are looked up on a stack of typed frames, once, here. Rendering only follows what this
module decided, so a value that is absent can never let an outer one through.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from weave_tui.prompts.errors import TemplateError, did_you_mean
from weave_tui.prompts.nodes import Node, Section, Tree
from weave_tui.prompts.scanner import Token
from weave_tui.prompts.schema import FLAG, RUNTIME, TEXT, Items, Record, Scalar, Type, dotted

DENIED = frozenset(
    {"prototype", "constructor", "valueOf", "toString", "toLocaleString"}
    | {"hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable"}
)
"""Names that reach into an object's machinery; names that begin with two underscores are denied as well."""

_MOVED = {
    "delegation.section": "The generated section is gone: write your own with {{#delegation.targets}}.",
    "else": "There is no else: close the section and open {{^path}}...{{/path}}.",
    "this": "The current item is {{.}}.",
    "end": "Close a section with {{/path}}.",
}
"""Names that people bring along from elsewhere, and what to write here."""

MAX_SUGGESTIONS = 50
"""Errors of one template that get a near name: finding it costs a thousand times more than the error."""

_RUNTIME_ROOTS = frozenset(row.path.partition(".")[0] for row in RUNTIME)


@dataclass(frozen=True, slots=True)
class Ref:
    """A resolved name: the frame (0 is the context), the keys below it, and its absolute path.

    `end` is "first" or "last" when the name asks where the frame's item stands in its list.
    """

    frame: int
    keys: tuple[str, ...]
    type: Type
    path: str
    end: str = ""


@dataclass(frozen=True, slots=True)
class Show:
    """A value tag, resolved."""

    token: Token
    ref: Ref

    @property
    def escaped(self) -> bool:
        return self.token.kind == "value"


@dataclass(frozen=True, slots=True)
class Block:
    """A section, resolved. `pushes` tells whether its body sees a new frame."""

    token: Token
    ref: Ref
    children: tuple[Checked, ...]
    pushes: bool

    @property
    def inverted(self) -> bool:
        return self.token.kind == "inverted"


Checked = Token | Show | Block
"""What the renderer walks; a Token is text or a literal."""


@dataclass(frozen=True, slots=True)
class _Frame:
    """What a name may resolve to; `type` None answers every name, for sections that are unknown themselves."""

    type: Type | None
    path: str
    is_item: bool = False

    def declares(self, name: str) -> bool:
        return self.type is None or (isinstance(self.type, Record) and name in self.type.fields)

    def names(self) -> list[str]:
        own = list(self.type.fields) if isinstance(self.type, Record) else []
        return [*own, "first", "last"] if self.is_item else own


def check(tree: Tree, schema: Type) -> tuple[tuple[Checked, ...], list[TemplateError]]:
    """The checked nodes, and every path error in document order."""
    checker = _Checker(tree, schema)
    nodes = checker.nodes(tree.nodes, (_Frame(schema, ""),))
    return nodes, checker.errors


class _Checker:
    def __init__(self, tree: Tree, schema: Type) -> None:
        self._scan = tree.scan
        self._schema = schema
        self.errors: list[TemplateError] = []

    def nodes(self, nodes: Iterable[Node], frames: Sequence[_Frame]) -> tuple[Checked, ...]:
        checked = []
        for node in nodes:
            one = self._section(node, frames) if isinstance(node, Section) else self._leaf(node, frames)
            if one is not None:
                checked.append(one)
        return tuple(checked)

    def _leaf(self, token: Token, frames: Sequence[_Frame]) -> Checked | None:
        match token.kind:
            case "text" | "literal":
                return token
            case "partial":
                hint = "Partials are not supported; use prompt_append, or copy the text."
                self.errors.append(self._scan.error("UnsupportedTag", token, "A prompt cannot load other files.", hint))
                return None
            case _:
                ref = self._resolve(token, frames)
                if ref is None or not self._printable(ref, token, frames):
                    return None
                return Show(token, ref)

    def _section(self, section: Section, frames: Sequence[_Frame]) -> Checked | None:
        token = section.opener
        ref = self._resolve(token, frames)
        if ref is None:
            # What an unknown section would make visible is unknown too: only certain errors are told inside.
            self.nodes(section.children, frames if token.kind == "inverted" else (*frames, _Frame(None, token.text)))
            return None
        pushes = token.kind == "section" and ref.type != FLAG
        if pushes:
            is_item = isinstance(ref.type, Items)
            frames = (*frames, _Frame(ref.type.item if isinstance(ref.type, Items) else ref.type, ref.path, is_item))
        return Block(token, ref, self.nodes(section.children, frames), pushes)

    def _resolve(self, token: Token, frames: Sequence[_Frame]) -> Ref | None:
        if token.text == ".":
            return self._current(token, frames)
        names = token.text.split(".")
        if any(name in DENIED or name.startswith("__") for name in names):
            hint = "Templates see declared paths only."
            message = "This path reaches into an object's machinery."
            self.errors.append(self._scan.error("UnsafePath", token, message, hint, token.text))
            return None
        for index in range(len(frames) - 1, -1, -1):
            frame = frames[index]
            if frame.declares(names[0]):
                return self._below(token, names, frames, index)
            if frame.is_item and names[0] in ("first", "last"):
                if len(names) > 1:
                    self._unknown(token, frames, f"{names[0]} is true or false and has no fields.")
                    return None
                return Ref(index, (), FLAG, f"{frame.path}.{names[0]}", names[0])
        self._unknown(token, frames, "This path is not declared here.", self._nearest(token.text, frames))
        return None

    def _current(self, token: Token, frames: Sequence[_Frame]) -> Ref | None:
        frame = frames[-1]
        if len(frames) == 1 and isinstance(frame.type, Record):
            self._unknown(token, frames, "There is no current item here.", "Use {{.}} inside a list section.")
            return None
        return Ref(len(frames) - 1, (), frame.type, frame.path) if frame.type is not None else None

    def _below(self, token: Token, names: list[str], frames: Sequence[_Frame], index: int) -> Ref | None:
        """Follow the names from the frame that declares the first one."""
        frame = frames[index]
        reached = frame.type
        for position, name in enumerate(names):
            if reached is None:
                return None
            if isinstance(reached, Items):
                listed = ".".join(names[:position])
                self._unknown(token, frames, f"{listed} is a list.", f"Iterate: {{{{#{listed}}}}}...{{{{/{listed}}}}}.")
                return None
            if not isinstance(reached, Record) or name not in reached.fields:
                self._unknown(token, frames, "This path is not declared here.", self._nearest(token.text, frames))
                return None
            reached = reached.fields[name]
        if reached is None:
            return None
        path = ".".join(([frame.path] if frame.path else []) + names)
        return Ref(index, tuple(names), reached, path)

    def _printable(self, ref: Ref, token: Token, frames: Sequence[_Frame]) -> bool:
        match ref.type:
            case Scalar():
                return True
            case Items(item) if item == TEXT:
                return True
            case Items():
                message = "A list of objects cannot be printed."
            case _:
                message = "An object cannot be printed."
        name = token.text
        hint = "Name one of its fields." if name == "." else f"Open it: {{{{#{name}}}}}...{{{{/{name}}}}}."
        self._unknown(token, frames, message, hint)
        return False

    def _unknown(self, token: Token, frames: Sequence[_Frame], message: str, hint: str = "") -> None:
        outer = frames[-1].path
        path = token.text if "." in token.text or not outer else f"{outer}.{token.text}"
        self.errors.append(self._scan.error("UnknownPath", token, message, hint, path))

    def _nearest(self, name: str, frames: Sequence[_Frame]) -> str:
        if len(self.errors) >= MAX_SUGGESTIONS:
            return ""
        if moved := _MOVED.get(name) or _MOVED.get(name.partition(".")[0]):
            return moved
        if name.partition(".")[0] in _RUNTIME_ROOTS:
            return "This name exists only while a workflow runs; give a sample value to preview it."
        if name in ("first", "last"):
            return f"{name} is about the item of a list; use it inside one."
        known = dict.fromkeys(known for frame in reversed(frames) for known in frame.names())
        paths = list(dotted(self._schema))
        if whole := [path for path in paths if path.endswith(f".{name}")]:
            return f"Did you mean {' or '.join(whole)}?"
        return did_you_mean(name, [*known, *paths]) or f"Known here: {', '.join(known)}."
