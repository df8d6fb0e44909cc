"""Agent prompt composition: the .weave language, strict templates, delegation and workflows.

The source is the seed document "Prompt Composition". `compose` and `render` are the door;
`find_layers` finds the layers on disk, `check` gives every error and lint. Nothing here
raises for what a user wrote: see `Result`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import overload

from weave_tui.diagnostics import Severity
from weave_tui.prompts.compose import AgentComposition, Composer, Plan, StepComposition
from weave_tui.prompts.descriptor import descriptor, document, plan_document, step_document
from weave_tui.prompts.errors import (
    AnyError,
    CompositionError,
    ConfigError,
    Result,
    TemplateError,
    diagnostics_of,
    failure,
    success,
)
from weave_tui.prompts.layers import Loaded, load
from weave_tui.prompts.places import Layer, Place
from weave_tui.prompts.project import find_layers, find_root
from weave_tui.prompts.render import Rendered, render
from weave_tui.prompts.report import Report, check

__all__ = [
    "AgentComposition",
    "AnyError",
    "ComposeAgent",
    "ComposeAll",
    "ComposeStep",
    "Composer",
    "CompositionError",
    "ConfigError",
    "Layer",
    "Loaded",
    "Place",
    "Plan",
    "Rendered",
    "Report",
    "Result",
    "StepComposition",
    "TemplateError",
    "check",
    "compose",
    "descriptor",
    "diagnostics_of",
    "document",
    "find_layers",
    "find_root",
    "load",
    "plan_document",
    "render",
    "step_document",
]


@dataclass(frozen=True, slots=True)
class ComposeAgent:
    """Compose one agent."""

    name: str


@dataclass(frozen=True, slots=True)
class ComposeStep:
    """Compose one workflow step; `values` are sample values for run-time names."""

    workflow: str
    step: str
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ComposeAll:
    """Compose every agent."""


@overload
def compose(
    layers: Iterable[Layer], target: ComposeAgent, *, unresolved: Severity = ...
) -> Result[AgentComposition]: ...
@overload
def compose(layers: Iterable[Layer], target: ComposeStep, *, unresolved: Severity = ...) -> Result[StepComposition]: ...
@overload
def compose(layers: Iterable[Layer], target: ComposeAll, *, unresolved: Severity = ...) -> Result[Plan]: ...
def compose(
    layers: Iterable[Layer],
    target: ComposeAgent | ComposeStep | ComposeAll,
    *,
    unresolved: Severity = Severity.ERROR,
) -> Result[AgentComposition] | Result[StepComposition] | Result[Plan]:
    """Load `layers`, in any order, and compose `target`.

    Errors: those of the configuration (A.6), which prevent everything; those of the target
    (C.2). A plan is a value even when agents in it failed: see `Plan.errors`. `unresolved`
    says whether tag-like text in an output is an error, as in the seed, or a warning (D7).
    """
    loaded = load(layers)
    if loaded.value is None:
        return failure(loaded.errors)
    composer = Composer(loaded.value, unresolved=unresolved)
    match target:
        case ComposeAgent(name):
            return composer.agent(name)
        case ComposeStep(workflow, step, values):
            return composer.step(workflow, step, values)
        case ComposeAll():
            return success(composer.plan())
