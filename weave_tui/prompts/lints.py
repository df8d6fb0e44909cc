"""What composes but is probably not meant (spec G), as diagnostics.

Each lint is one function over an `Inspection`; `LINTS` lists them.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from weave_tui.diagnostics import Diagnostic
from weave_tui.prompts.check import Block, Checked
from weave_tui.prompts.collisions import append_collisions
from weave_tui.prompts.compose import AgentComposition, Composer, Part, StepComposition
from weave_tui.prompts.errors import did_you_mean
from weave_tui.prompts.model import ANCHOR, APPEND
from weave_tui.prompts.places import Place
from weave_tui.prompts.roster import SHUTTLE, shuttle_name, source_of, variant_name
from weave_tui.prompts.scanner import Token
from weave_tui.prompts.schema import ALLOWED, Items
from weave_tui.prompts.tree import Leaf, Table, find, strings


@dataclass(frozen=True, slots=True)
class Inspection:
    """What the lints look at. `skills` are the names of the skills that are loaded, None when nobody knows."""

    composer: Composer
    agents: tuple[AgentComposition, ...]
    steps: tuple[StepComposition, ...]
    skills: frozenset[str] | None = None

    @property
    def compositions(self) -> tuple[AgentComposition | StepComposition, ...]:
        return (*self.agents, *self.steps)

    def parts(self) -> Iterator[Part]:
        """Each source once: shuttles and reviewers share those of their base."""
        seen: set[Place] = set()
        for composition in self.compositions:
            for part in composition.prompt.parts:
                if part.source.place not in seen:
                    seen.add(part.source.place)
                    yield part

    def names(self) -> set[str]:
        """Every agent name there could be, disabled ones too."""
        config = self.composer.loaded.config
        names = {*config.agents, *(shuttle_name(category) for category in config.categories)}
        for name, agent in config.agents.items():
            names.update(variant_name(name, model) for model in agent.review_models or ())
        return names


Lint = Callable[[Inspection], Iterator[Diagnostic]]


def lint(inspection: Inspection) -> list[Diagnostic]:
    """Everything that the lints find, each finding once."""
    return list(dict.fromkeys(found for one in LINTS for found in one(inspection)))


def _at(code: str, place: Place, message: str, field: str = "") -> Diagnostic:
    return Diagnostic(code, message, path=place.file, line=place.line, column=place.column, field=field)


def _escaped_values(inspection: Inspection) -> Iterator[Diagnostic]:
    for composition in inspection.compositions:
        for span in composition.prompt.spans():
            # Escaping puts an ampersand into every value that it alters, and into no other.
            if span.piece and span.place and span.piece.token.kind == "value" and "&" in span.piece.text:
                name = span.piece.token.text
                message = f"{{{{{name}}}}} escapes its value: {_short(span.piece.text)}. Write {{{{{{{name}}}}}}}."
                yield _at("prompt-escaped-value", span.place, message, name)


def _self_nested(inspection: Inspection) -> Iterator[Diagnostic]:
    for part in inspection.parts():
        for block in _nested_in_itself(part.rendered.template.nodes, ()):
            place = part.place(block.token.start)
            message = f"{{{{#{block.token.text}}}}} stands inside itself and repeats the whole list for each item."
            yield _at("prompt-self-nested", place, message, block.ref.path)


def _nested_in_itself(nodes: Iterable[Checked], around: tuple[str, ...]) -> Iterator[Block]:
    for node in nodes:
        if isinstance(node, Block):
            loops = node.pushes and isinstance(node.ref.type, Items)
            if loops and node.ref.path in around:
                yield node
            yield from _nested_in_itself(node.children, (*around, node.ref.path) if loops else around)


def _empty_appends(inspection: Inspection) -> Iterator[Diagnostic]:
    for composition in inspection.compositions:
        for part in composition.prompt.parts[1:]:
            if not part.rendered.text:
                name = composition.member.name if isinstance(composition, AgentComposition) else composition.step
                message = f"The append of {name} renders empty."
                yield _at("prompt-append-empty", part.source.place, message, part.source.kind)


def _bare_targets(inspection: Inspection) -> Iterator[Diagnostic]:
    targets = {target.name: target for composition in inspection.agents for target in composition.targets}
    for name, target in targets.items():
        missing = [key for key in ("description", "triggers") if not getattr(target.agent, key)]
        if missing and target.review is None:
            message = f"{name} is a delegation target without {' and '.join(missing)}."
            yield _at("prompt-target-bare", target.place, message, name)


def _unknown_names(inspection: Inspection) -> Iterator[Diagnostic]:
    known = inspection.names()
    tree = inspection.composer.loaded.tree
    paths: list[tuple[str, ...]] = [("disabled", "agents")]
    paths += [("agents", name, "routing", "delegation_exclude") for name in inspection.composer.loaded.config.agents]
    for path in paths:
        named = find(tree, path)
        for leaf in strings(named) if named else ():
            if leaf.value not in known:
                message = f"There is no agent {leaf.value}. {did_you_mean(str(leaf.value), known)}".strip()
                yield _at("prompt-name-unknown", leaf.place, message, ".".join(path))


_PATHS = tuple(row.path for row in ALLOWED)
_LITERAL_PATH = re.compile(r"[#^/&]?\s*([A-Za-z_][A-Za-z0-9_.-]*)\s*\}\}")
_SINGLE_BRACES = re.compile(r"(?<!\{)\{\s*([A-Za-z_][A-Za-z0-9_-]*\.[A-Za-z0-9_.-]+)\s*\}(?!\})")


def _literal_typos(inspection: Inspection) -> Iterator[Diagnostic]:
    """A literal whose path is nearly a real one, and a real path in single braces."""
    for part in inspection.parts():
        scan = part.rendered.template.scan
        for token in scan.tokens:
            for start, message in _typos(token, scan.source):
                yield _at("prompt-literal-typo", part.place(start), message)


def _typos(token: Token, source: str) -> Iterator[tuple[int, str]]:
    if token.kind == "literal" and (match := _LITERAL_PATH.match(source, token.end)):
        name = match.group(1)
        near = difflib.get_close_matches(name[:80], _PATHS, n=1, cutoff=0.85)
        if near and near[0] != name:
            yield token.start, f"The literal {{{{{name}}}}} looks like {{{{{near[0]}}}}}."
    if token.kind == "text":
        for match in _SINGLE_BRACES.finditer(source, token.start, token.end):
            if match.group(1) in _PATHS:
                yield match.start(), f"{match.group()} is text; write {{{{{match.group(1)}}}}} for the value."


def _shadowed_appends(inspection: Inspection) -> Iterator[Diagnostic]:
    loaded = inspection.composer.loaded
    for name, workflow in loaded.config.workflows.items():
        shared = source_of(loaded, ("workflows", name), APPEND)
        for step in workflow.steps if shared else ():
            own = source_of(loaded, ("workflows", name, "steps", step), APPEND)
            if own:
                # Without the workflow's name, so that a step which others inherit is told once.
                message = f"The append of step {step} hides its workflow's."
                yield _at("prompt-append-shadowed", own.place, message, own.kind)


def _collisions(inspection: Inspection) -> Iterator[Diagnostic]:
    loaded = inspection.composer.loaded
    for collision in append_collisions(loaded):
        loser, winner = loaded.layers[collision.loser].name, loaded.layers[collision.winner].name
        message = f"The {winner} layer replaces the {loser} layer's {_short(str(collision.losing.value))}."
        yield _at("prompt-append-collision", collision.winning.place, message, ".".join(collision.path))


def _step_agents(inspection: Inspection) -> Iterator[Diagnostic]:
    loaded, roster = inspection.composer.loaded, inspection.composer.roster
    known = [member.name for member in roster.members]
    for name, workflow in loaded.config.workflows.items():
        for step, config in workflow.steps.items():
            if config.agent not in known:
                state = "disabled" if config.agent in inspection.names() else "not declared"
                hint = did_you_mean(config.agent, known) if state == "not declared" else ""
                message = f"Step {step} names agent {config.agent}, which is {state}. {hint}".strip()
                place = loaded.place("workflows", name, "steps", step, "agent")
                yield _at("prompt-step-agent-unknown", place, message, config.agent)


def _unknown_skills(inspection: Inspection) -> Iterator[Diagnostic]:
    if inspection.skills is None:
        return
    tree = inspection.composer.loaded.tree
    paths = [("agents", name, "skills") for name in inspection.composer.loaded.config.agents]
    for path in (*paths, ("disabled", "skills")):
        named = find(tree, path)
        for leaf in strings(named) if named else ():
            if leaf.value not in inspection.skills:
                hint = did_you_mean(str(leaf.value), inspection.skills)
                message = f"There is no skill {leaf.value}. {hint}".strip()
                yield _at("prompt-skill-unknown", leaf.place, message, ".".join(path))


def _unused_anchors(inspection: Inspection) -> Iterator[Diagnostic]:
    """Looked for in each layer: merging follows `extends` and forgets it."""
    for tree in inspection.composer.loaded.trees:
        workflows = find(tree, ("workflows",))
        for name, workflow in workflows.fields.items() if isinstance(workflows, Table) else ():
            steps = find(workflow, ("steps",))
            if isinstance(steps, Table) and find(workflow, ("extends",)) is None:
                for step, node in steps.fields.items():
                    for key in ANCHOR:
                        if isinstance(leaf := find(node, (key,)), Leaf):
                            message = f"Step {step} has {key}, but workflow {name} extends none."
                            yield _at("prompt-anchor-unused", leaf.place, message, key)


def _unserved_categories(inspection: Inspection) -> Iterator[Diagnostic]:
    loaded = inspection.composer.loaded
    if inspection.composer.roster.get(SHUTTLE) is None:
        for name in loaded.config.categories:
            message = f"Category {name} makes no agent, because there is no enabled agent {SHUTTLE}."
            yield _at("prompt-category-unserved", loaded.place("categories", name), message, name)


def _tag_like_text(inspection: Inspection) -> Iterator[Diagnostic]:
    for composition in inspection.compositions:
        for part, warning in composition.prompt.warnings:
            yield _at("prompt-tag-like-text", part.place(warning.start), warning.message, warning.path)


LINTS: tuple[Lint, ...] = (
    _escaped_values,
    _self_nested,
    _empty_appends,
    _bare_targets,
    _unknown_names,
    _literal_typos,
    _shadowed_appends,
    _collisions,
    _step_agents,
    _unknown_skills,
    _unused_anchors,
    _unserved_categories,
    _tag_like_text,
)


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "...")
