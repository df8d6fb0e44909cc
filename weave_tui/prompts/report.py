"""Everything that there is to say about a configuration: errors, lints, and the second opinion.

This is `weave-tui prompt --check`, and what the app shows beside a prompt.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from weave_tui.diagnostics import Diagnostic, Severity, worst_first
from weave_tui.prompts.compose import AgentComposition, Composer, Plan, StepComposition
from weave_tui.prompts.errors import AnyError, diagnostics_of
from weave_tui.prompts.layers import load
from weave_tui.prompts.lints import Inspection, lint
from weave_tui.prompts.places import Layer
from weave_tui.prompts.second_opinion import disagreement


@dataclass(frozen=True, slots=True)
class Report:
    """Diagnostics, worst first, with all that could be composed."""

    diagnostics: tuple[Diagnostic, ...]
    errors: tuple[AnyError, ...]
    plan: Plan | None = None
    steps: tuple[StepComposition, ...] = ()
    composer: Composer | None = None
    """What composed them, for whoever wants to look closer; None when the configuration is wrong."""

    @property
    def failed(self) -> bool:
        return any(diagnostic.severity is Severity.ERROR for diagnostic in self.diagnostics)


def check(
    layers: Iterable[Layer], *, skills: Iterable[str] | None = None, unresolved: Severity = Severity.ERROR
) -> Report:
    """Load, compose every agent and step, and lint.

    `skills` are the names of loaded skills, for `agent.skills`; without them those names are
    not looked at. `unresolved` is decision D7.
    """
    loaded = load(layers)
    if loaded.value is None:
        return Report(tuple(worst_first(diagnostics_of(loaded.errors))), loaded.errors)
    composer = Composer(loaded.value, unresolved=unresolved)
    plan = composer.plan()
    errors: list[AnyError] = list(plan.errors)
    steps: list[StepComposition] = []
    for workflow, config in loaded.value.config.workflows.items():
        for step in config.steps:
            result = composer.step(workflow, step)
            errors.extend(result.errors)
            steps.extend([result.value] if result.value is not None else [])
    known = None if skills is None else frozenset(skills)
    found = diagnostics_of(errors)
    inspection = Inspection(composer, plan.agents, tuple(steps), known)
    found += lint(inspection)
    found += [one for composition in inspection.compositions for one in _second_opinion(composition)]
    return Report(tuple(worst_first(dict.fromkeys(found))), tuple(errors), plan, tuple(steps), composer)


def _second_opinion(composition: AgentComposition | StepComposition) -> Iterator[Diagnostic]:
    for part in composition.prompt.parts:
        if difference := disagreement(part.rendered, composition.context):
            place = part.source.place
            yield Diagnostic("prompt-renderers-differ", difference, path=place.file, line=place.line)
