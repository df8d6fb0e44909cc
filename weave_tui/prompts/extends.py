"""`extends`: a workflow that builds on another one (spec A.5).

Steps of the same name replace in place, anchored steps are inserted, the rest is appended.
"""

from __future__ import annotations

from collections.abc import Iterable

from weave_tui.prompts.errors import ConfigError, did_you_mean
from weave_tui.prompts.tree import Leaf, Node, Table, find, place_of

_ANCHORS = ("insert_before", "insert_after")
"""Keys that anchor a step."""


def extended(tree: Node) -> tuple[Node, list[ConfigError]]:
    """The tree with every `extends` followed, and what stood in the way."""
    workflows = find(tree, ("workflows",))
    if not isinstance(tree, Table) or not isinstance(workflows, Table):
        return tree, []
    resolver = _Resolver(workflows)
    done = {name: resolver.resolve(name) for name in workflows.fields}
    resolved = Table(workflows.place, done, workflows.keys)
    return Table(tree.place, {**tree.fields, "workflows": resolved}, tree.keys), resolver.errors


def extend_lower(name: str, lower: Table, merged: Table, higher: Table) -> tuple[Table, list[ConfigError]]:
    """A workflow that extends the lower layer's of its own name: `merged` with the steps of both.

    What the lower one extends itself stays to be followed.
    """
    fields = {key: node for key, node in merged.fields.items() if key != "extends"}
    if "extends" in lower.fields:
        fields["extends"] = lower.fields["extends"]
    fields["steps"], unplaced = _joined_steps(_steps(lower), _steps(higher))
    return Table(merged.place, fields, merged.keys), _unknown_anchors(name, higher, unplaced, _steps(lower))


class _Resolver:
    def __init__(self, workflows: Table) -> None:
        self._own = workflows
        self._done: dict[str, Node] = {}
        self.errors: list[ConfigError] = []

    def resolve(self, name: str) -> Node:
        """The workflow with its bases' steps; itself when a base cannot be used.

        Bases first, in a loop: a chain of workflows may be longer than the interpreter's stack.
        """
        chain: list[str] = []
        following: str | None = name
        while following is not None and following not in self._done and following not in chain:
            chain.append(following)
            following = self._base_of(following)
        for link in reversed(chain):
            self._done[link] = self._on_base(link, chain)
        return self._done[name]

    def _base_of(self, name: str) -> str | None:
        target = find(self._own.fields[name], ("extends",))
        known = isinstance(target, Leaf) and target.value in self._own.fields
        return str(target.value) if isinstance(target, Leaf) and known else None

    def _on_base(self, name: str, chain: list[str]) -> Node:
        own = self._own.fields[name]
        target = find(own, ("extends",))
        if not isinstance(own, Table):
            return own
        self._check_anchors(name, own)
        if not isinstance(target, Leaf) or not isinstance(target.value, str) or not target.value:
            return own
        path = f"workflows.{name}.extends"
        base = self._done.get(target.value)
        if target.value not in self._own.fields:
            hint = did_you_mean(target.value, self._own.fields)
            message = f"{name} extends {target.value}, which does not exist."
            self.errors.append(ConfigError("UnknownExtendsTarget", message, target.place, hint, path))
        elif base is None:
            circle = " -> ".join((*chain[chain.index(target.value) :], target.value))
            message = f"Workflows extend each other in a circle: {circle}."
            self.errors.append(ConfigError("ExtendsCycle", message, target.place, "Let one stand alone.", path))
        if not isinstance(base, Table):
            return own
        steps, unplaced = _joined_steps(_steps(base), _steps(own))
        self.errors.extend(_unknown_anchors(name, own, unplaced, steps))
        inherited = {key: node for key, node in base.fields.items() if key not in ("extends", *_shadowed(own))}
        keys = {**base.keys, **own.keys, "steps": own.keys.get("steps", base.keys.get("steps", own.place))}
        return Table(own.place, {**inherited, **own.fields, "steps": steps}, keys)

    def _check_anchors(self, name: str, workflow: Table) -> None:
        for step, node in _steps(workflow).fields.items():
            if isinstance(node, Table) and all(key in node.fields for key in _ANCHORS):
                place = node.keys["insert_after"]
                message = f"Step {step} is anchored both before and after another, in different layers."
                path = f"workflows.{name}.steps.{step}"
                self.errors.append(ConfigError("BothInsertBeforeAndAfter", message, place, "Keep one.", path))


def _shadowed(own: Table) -> Iterable[str]:
    """The other append of a pair: a workflow's choice replaces its base's other kind (decision D11)."""
    if "prompt_append" in own.fields:
        yield "prompt_append_file"
    if "prompt_append_file" in own.fields:
        yield "prompt_append"


def _steps(workflow: Table) -> Table:
    steps = workflow.fields.get("steps")
    return steps if isinstance(steps, Table) else Table(workflow.place, {}, {})


def _joined_steps(base: Table, own: Table) -> tuple[Table, list[str]]:
    """Base steps with `own` ones among them, and the names of those whose anchor is missing.

    Steps with the same anchor keep their declared order.
    """
    order = list(base.fields)
    nodes = {**base.fields, **own.fields}
    behind: dict[str, str] = {}
    unplaced = []
    for name, node in own.fields.items():
        if name in base.fields:
            continue
        anchor = _anchor(node)
        if anchor is None:
            order.append(name)
        elif anchor[1] not in order:
            order.append(name)
            unplaced.append(name)
        elif anchor[0] == "insert_before":
            order.insert(order.index(anchor[1]), name)
        else:
            order.insert(order.index(behind.get(anchor[1], anchor[1])) + 1, name)
            behind[anchor[1]] = name
    return Table(own.place, {name: nodes[name] for name in order}, {**base.keys, **own.keys}), unplaced


def _anchor(step: Node) -> tuple[str, str] | None:
    for key in _ANCHORS:
        target = find(step, (key,))
        if isinstance(target, Leaf) and isinstance(target.value, str):
            return key, target.value
    return None


def _unknown_anchors(workflow: str, own: Table, steps: Iterable[str], known: Table) -> list[ConfigError]:
    errors = []
    for step in steps:
        node = _steps(own).fields[step]
        key, target = _anchor(node) or ("", "")
        place = place_of(node, (key,))
        path = f"workflows.{workflow}.steps.{step}.{key}"
        hint = did_you_mean(target, [name for name in known.fields if name != step])
        message = f"Step {step} is anchored at {target}, which is not a step of the extended workflow."
        errors.append(ConfigError("UnknownInsertionAnchor", message, place, hint, path))
    return errors
