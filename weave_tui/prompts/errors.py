"""The typed errors of prompt composition, and `Result`, which carries them.

Nothing in `weave_tui.prompts` raises for what a user wrote: every function that reads a
user's text returns a `Result`. The names of types and kinds are the spec's (A.6, B.6, C.2).
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from weave_tui.diagnostics import Diagnostic
from weave_tui.prompts.places import Place

T = TypeVar("T")

ConfigErrorType = Literal[
    "FileReadError",
    "ParseError",
    "UnterminatedString",
    "InvalidNumber",
    "UnexpectedCharacter",
    "UnexpectedToken",
    "MissingBlockName",
    "UnclosedBlock",
    "ValidationError",
    "UnknownExtendsTarget",
    "UnknownInsertionAnchor",
    "BothInsertBeforeAndAfter",
    "ExtendsCycle",
]

TemplateErrorKind = Literal[
    "MalformedSyntax",
    "UnsupportedTag",
    "SectionMismatch",
    "UnknownPath",
    "UnsafePath",
    "FunctionValue",
    "TemplateContextBuildError",
    "UnresolvedTag",
    "OutputTooLarge",
]

CompositionErrorType = Literal[
    "PromptSourceMissingError",
    "PromptFileReadError",
    "PromptTemplateError",
    "TemplateContextBuildError",
    "CategoryShuttleConflictError",
    "ReviewVariantConflictError",
    "DescriptorCompositionFailure",
    "UnknownTargetError",
]

SourceKind = Literal["prompt", "prompt_file", "prompt_append", "prompt_append_file"]


def code_of(name: str) -> str:
    """The diagnostic code of a type or kind: `UnknownPath` and `PromptUnknownPathError` are `prompt-unknown-path`."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name.removeprefix("Prompt").removesuffix("Error"))
    return f"prompt-{words.lower()}"


@dataclass(frozen=True, slots=True)
class ConfigError:
    """One thing wrong in a configuration (spec A.6).

    `path` is the place in the model (`agents.reviewer.tool_policy.read`) of a ValidationError,
    `reason` its finer kind ("UnknownKey", "DuplicateKey"); `facts` are the fields that the
    spec gives the type (found, expected, value, char, blockType).
    """

    type: ConfigErrorType
    message: str
    place: Place | None = None
    hint: str = ""
    path: str = ""
    reason: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return _present(
            type=self.type,
            kind=self.reason,
            message=self.message,
            hint=self.hint,
            path=self.path,
            **_placed(self.place),
            **self.facts,
        )

    def diagnostic(self) -> Diagnostic:
        return _diagnostic(self.reason or self.type, _sentence(self.message, self.hint), self.place, self.path)


@dataclass(frozen=True, slots=True)
class TemplateError:
    """One thing wrong in a template (spec B.6).

    `line` and `column` point at the first brace of the tag, `start` and `end` are its offsets;
    all are 0 where no tag is to blame (a callable in the context).
    """

    kind: TemplateErrorKind
    message: str
    hint: str = ""
    line: int = 0
    column: int = 0
    start: int = 0
    end: int = 0
    tag: str = ""
    path: str = ""

    def as_json(self) -> dict[str, Any]:
        return _present(
            kind=self.kind,
            message=self.message,
            hint=self.hint,
            path=self.path,
            tag=self.tag,
            line=self.line,
            column=self.column,
        )

    def diagnostic(self) -> Diagnostic:
        message = _sentence(self.message, self.hint)
        return Diagnostic(code_of(self.kind), message, line=self.line, column=self.column, field=self.path)


@dataclass(frozen=True, slots=True)
class CompositionError:
    """Why an agent, a step or a generated agent could not be composed (spec C.2, C.6, C.8).

    `agent` is the agent's name, or `workflow-step:<name>`. `place` is in a file: of the tag
    when a template is wrong, else of the key that asked. `template` keeps the position inside
    the source. `causes` are what made a descriptor fail in a plan.
    """

    type: CompositionErrorType
    message: str
    agent: str = ""
    hint: str = ""
    source_kind: SourceKind | None = None
    file: str | None = None
    place: Place | None = None
    template: TemplateError | None = None
    facts: Mapping[str, str] = field(default_factory=dict)
    causes: tuple[CompositionError, ...] = ()

    def as_json(self) -> dict[str, Any]:
        inner = self.template.as_json() if self.template else {}
        return inner | _present(
            type=self.type,
            message=self.message,
            hint=self.hint,
            agent=self.agent,
            sourceKind=self.source_kind,
            file=self.file,
            configPlace=_placed(self.place),
            causes=[cause.as_json() for cause in self.causes],
            **self.facts,
        )

    def diagnostics(self) -> list[Diagnostic]:
        """One diagnostic a root cause."""
        if self.causes:
            return [found for cause in self.causes for found in cause.diagnostics()]
        name = self.template.kind if self.template else self.type
        message = _sentence(f"{self.agent}: {self.message}" if self.agent else self.message, self.hint)
        return [_diagnostic(name, message, self.place, self.source_kind or "")]


AnyError = ConfigError | TemplateError | CompositionError


@dataclass(frozen=True, slots=True)
class Result(Generic[T]):
    """A value, or every error that prevented it. `errors[0]` is the one the spec's order puts first."""

    value: T | None
    errors: tuple[AnyError, ...] = ()

    @property
    def ok(self) -> bool:
        return self.value is not None


def success(value: T) -> Result[T]:
    return Result(value)


def failure(errors: Iterable[AnyError]) -> Result[Any]:
    return Result(None, tuple(errors))


def diagnostics_of(errors: Iterable[AnyError]) -> list[Diagnostic]:
    """What the app, `weave-tui prompt --check` and the docs show for `errors`."""
    found: list[Diagnostic] = []
    for error in errors:
        found.extend(error.diagnostics() if isinstance(error, CompositionError) else [error.diagnostic()])
    return found


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A suggestion sentence for a misspelt `word`, empty when nothing is near."""
    near = difflib.get_close_matches(word[:80], list(dict.fromkeys(known)), n=3, cutoff=0.6)
    return f"Did you mean {' or '.join(near)}?" if near else ""


def _placed(place: Place | None) -> dict[str, Any]:
    return {} if place is None else {"file": str(place.file), "line": place.line, "column": place.column}


def _present(**fields: Any) -> dict[str, Any]:
    return {key: value for key, value in fields.items() if value not in (None, "", 0, [], {})}


def _sentence(message: str, hint: str) -> str:
    return f"{message} {hint}" if hint else message


def _diagnostic(name: str, message: str, place: Place | None, field: str) -> Diagnostic:
    if place is None:
        return Diagnostic(code_of(name), message, field=field)
    return Diagnostic(code_of(name), message, path=place.file, line=place.line, column=place.column, field=field)
