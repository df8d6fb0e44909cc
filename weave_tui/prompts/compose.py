"""Final prompts: sources loaded, rendered and joined, with the way back from every span (spec C).

An error never leaves as an exception and never crosses to another agent: a plan holds what
could be composed and why the rest could not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from weave_tui.diagnostics import Severity
from weave_tui.prompts.context import ContextBuilder, targets_of, undeclared, with_samples
from weave_tui.prompts.errors import CompositionError, Result, TemplateError, did_you_mean, failure, success
from weave_tui.prompts.files import FileProblem, FileText, PromptFiles
from weave_tui.prompts.layers import Loaded
from weave_tui.prompts.model import APPEND, PROMPT
from weave_tui.prompts.places import Lines, Place, TextMap
from weave_tui.prompts.render import Piece, Rendered, compile_template, fill
from weave_tui.prompts.roster import Member, Roster, Source, declared, roster, source_of
from weave_tui.prompts.schema import RUNTIME, STANDARD, Record, with_runtime

AppendScope = Literal["step", "workflow", "none"]

JOIN = "\n\n"
"""Between the primary prompt and its append. Nothing is trimmed (C.1)."""

PIECE_JOIN = "\n"
"""Between a shuttle's own append and its category's (C.6)."""


@dataclass(frozen=True, slots=True)
class Part:
    """One rendered source of a prompt; `glue` stands before it."""

    source: Source
    rendered: Rendered
    origin: TextMap
    glue: str

    def place(self, offset: int) -> Place:
        """The file position of an offset in the template."""
        return self.origin.place(offset)


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the final prompt. `piece` and `part` are None for the glue between sources."""

    start: int
    end: int
    piece: Piece | None = None
    part: Part | None = None

    @property
    def place(self) -> Place | None:
        return self.part.place(self.piece.token.start) if self.part and self.piece else None


@dataclass(frozen=True, slots=True)
class Prompt:
    """A composed prompt and its parts."""

    parts: tuple[Part, ...]
    text: str = field(default="")

    def spans(self) -> Iterator[Span]:
        """Every stretch of `text` in order, each with the tag and the file line that made it."""
        at = 0
        for part in self.parts:
            if part.glue:
                yield Span(at, at + len(part.glue))
            at += len(part.glue)
            for start, end, piece in part.rendered.spans():
                yield Span(at + start, at + end, piece, part)
            at += len(part.rendered.text)

    def at(self, offset: int) -> Span | None:
        """The span that holds an offset of `text`."""
        return next((span for span in self.spans() if span.start <= offset < span.end), None)

    @property
    def warnings(self) -> list[tuple[Part, TemplateError]]:
        return [(part, warning) for part in self.parts for warning in part.rendered.warnings]


@dataclass(frozen=True, slots=True)
class AgentComposition:
    """An agent's prompt, and what it was composed from."""

    member: Member
    prompt: Prompt
    targets: tuple[Member, ...]
    context: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class StepComposition:
    """A workflow step's prompt; `append_scope` says whose append it ends with."""

    workflow: str
    step: str
    agent: str
    prompt: Prompt
    append_scope: AppendScope
    context: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Plan:
    """Every agent that composes, in order, and why the others do not."""

    agents: tuple[AgentComposition, ...]
    errors: tuple[CompositionError, ...]


def origin_of(source: Source, read: FileText) -> TextMap:
    """The way back from the text of a source to the file it stands in."""
    return TextMap(read.path, Lines(read.text).runs()) if source.is_file else source.origin


def step_label(step: str) -> str:
    """The name that a step's errors carry as their agent (C.2)."""
    return f"workflow-step:{step}"


class Composer:
    """Composes from one loaded configuration. Files are read once; make a new composer to see their changes.

    `unresolved` is how tag-like text in an output is taken (decision D7).
    """

    def __init__(self, loaded: Loaded, *, unresolved: Severity = Severity.ERROR) -> None:
        self.loaded = loaded
        self.roster: Roster = roster(loaded)
        self._files = PromptFiles()
        self._contexts = ContextBuilder(self.roster)
        self._unresolved = unresolved

    def plan(self) -> Plan:
        """Everything. One failing agent never stops the others."""
        agents: list[AgentComposition] = []
        errors = list(self.roster.errors)
        for member in self.roster.members:
            result = self._member(member)
            if result.value is not None:
                agents.append(result.value)
            else:
                causes = tuple(error for error in result.errors if isinstance(error, CompositionError))
                message = f"{member.name} could not be composed."
                failed = CompositionError("DescriptorCompositionFailure", message, member.name, causes=causes)
                errors.append(failed)
        return Plan(tuple(agents), tuple(errors))

    def agent(self, name: str) -> Result[AgentComposition]:
        """One agent, declared or generated.

        Errors: those of C.2, a conflict that kept it from being generated, an unknown name.
        """
        member = self.roster.get(name)
        if member is not None:
            return self._member(member)
        generated = [error for error in self.roster.errors if error.agent == name]
        return failure(generated or [self._no_agent(name)])

    def step(self, workflow: str, step: str, values: Mapping[str, str] | None = None) -> Result[StepComposition]:
        """One workflow step, with its own append or else the workflow's (C.4).

        `values` are sample values for run-time names (`instance.goal`); without them those names
        are unknown.
        """
        config = self.loaded.config.workflows.get(workflow)
        if config is None or step not in config.steps:
            return failure([self._no_step(workflow, step)])
        label = step_label(step)
        agent = config.steps[step].agent
        member = self._known(agent)
        context = self._contexts.build(member, []) if member else undeclared(agent)
        schema = STANDARD
        if values:
            wrong = [_not_runtime(label, name) for name in values if not _is_runtime(name)]
            if wrong:
                return failure(wrong)
            context = with_samples(context, values)
            schema = with_runtime(name.partition(".")[2] for name in values if name.startswith("artifacts."))
        primary, append, scope = self.step_sources(workflow, step)
        result = self._prompt(label, primary, (append,) if append else (), context, schema)
        if result.value is None:
            return failure(result.errors)
        return success(StepComposition(workflow, step, agent, result.value, scope, context))

    def step_sources(self, workflow: str, step: str) -> tuple[Source | None, Source | None, AppendScope]:
        """A step's prompt, the append that counts for it, and whose that is; no source of an unknown step."""
        path = ("workflows", workflow, "steps", step)
        own, shared = source_of(self.loaded, path, APPEND), source_of(self.loaded, path[:2], APPEND)
        scope: AppendScope = "step" if own else "workflow" if shared else "none"
        return source_of(self.loaded, path, PROMPT), own or shared, scope

    def _known(self, name: str) -> Member | None:
        """The step's agent: enabled, generated, or declared and disabled; None when there is none."""
        member = self.roster.get(name)
        if member is None and name in self.loaded.config.agents:
            return declared(self.loaded, name)
        return member

    def _member(self, member: Member) -> Result[AgentComposition]:
        targets = targets_of(member, self.roster)
        context = self._contexts.build(member, targets)
        if member.primary is None:
            hint = "Give it prompt or prompt_file."
            message = "It has no prompt."
            missing = CompositionError("PromptSourceMissingError", message, member.name, hint, place=member.place)
            return failure([missing])
        result = self._prompt(member.name, member.primary, member.appends, context, STANDARD)
        if result.value is None:
            return failure(result.errors)
        return success(AgentComposition(member, result.value, tuple(targets), context))

    def _prompt(
        self,
        label: str,
        primary: Source | None,
        appends: tuple[Source, ...],
        context: Mapping[str, Any],
        schema: Record,
    ) -> Result[Prompt]:
        """The primary source, and only when it rendered the appends."""
        parts: list[Part] = []
        for source in (primary, *appends):
            if source is None:
                continue
            glue = (JOIN, PIECE_JOIN)[len(parts) > 1] if parts else ""
            result = self._part(label, source, context, schema, glue)
            if result.value is None:
                return failure(result.errors)
            parts.append(result.value)
        return success(Prompt(tuple(parts), "".join(part.glue + part.rendered.text for part in parts)))

    def template(self, source: Source) -> FileText | FileProblem:
        """The template of a source as it is written, whether or not it is right."""
        if source.is_file:
            return self._files.get(source.root, source.value)
        return FileText(source.place.file, source.value)

    @property
    def files(self) -> list[Path]:
        """The configuration files, and every prompt file asked for so far: what to watch for changes."""
        return [*(layer.file for layer in self.loaded.layers), *self._files.paths]

    def _part(self, label: str, source: Source, context: Mapping[str, Any], schema: Record, glue: str) -> Result[Part]:
        read = self.template(source)
        if isinstance(read, FileProblem):
            return failure([_unreadable(label, source, read)])
        origin = origin_of(source, read)
        compiled = compile_template(read.text, schema)
        if compiled.value is None:
            return failure(_in_template(label, source, origin, compiled))
        rendered = fill(compiled.value, context, self._unresolved)
        if rendered.value is None:
            return failure(_in_template(label, source, origin, rendered))
        return success(Part(source, rendered.value, origin, glue))

    def _no_agent(self, name: str) -> CompositionError:
        names = [member.name for member in self.roster.members]
        disabled = name in self.loaded.config.disabled.agents
        hint = "It is disabled." if disabled else did_you_mean(name, names) or f"Known: {', '.join(names)}."
        return CompositionError("UnknownTargetError", f"There is no agent {name} to compose.", name, hint)

    def _no_step(self, workflow: str, step: str) -> CompositionError:
        known = [f"{name}/{one}" for name, flow in self.loaded.config.workflows.items() for one in flow.steps]
        asked = f"{workflow}/{step}"
        hint = did_you_mean(asked, known) or f"Known: {', '.join(known)}."
        return CompositionError("UnknownTargetError", f"There is no step {asked}.", step_label(step), hint)


def _in_template(label: str, source: Source, origin: TextMap, result: Result[Any]) -> list[CompositionError]:
    """Template errors with the agent, the source and the file line (C.2)."""
    return [
        CompositionError(
            "PromptTemplateError",
            error.message,
            label,
            error.hint,
            source.kind,
            source.value if source.is_file else None,
            origin.place(error.start) if error.line else source.place,
            error,
        )
        for error in result.errors
        if isinstance(error, TemplateError)
    ]


def _unreadable(label: str, source: Source, problem: FileProblem) -> CompositionError:
    message = f"{source.value} cannot be read: {problem.cause}."
    return CompositionError(
        "PromptFileReadError",
        message,
        label,
        problem.hint,
        source.kind,
        source.value,
        source.place,
        facts={"cause": problem.cause},
    )


_RUNTIME_PATHS = frozenset(row.path for row in RUNTIME if row.type == "string")


def _is_runtime(name: str) -> bool:
    head, _, rest = name.partition(".")
    return name in _RUNTIME_PATHS or (head == "artifacts" and rest != "" and "." not in rest)


def _not_runtime(label: str, name: str) -> CompositionError:
    hint = f"Known: {', '.join(sorted(_RUNTIME_PATHS))}, artifacts.NAME."
    return CompositionError("TemplateContextBuildError", f"{name} is not a run-time name.", label, hint)
