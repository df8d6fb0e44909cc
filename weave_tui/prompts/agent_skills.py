"""An agent's skills: its names found in the registry, and composed by the broker.

The package itself does not import this module: prompts are composed without the broker, and
only who wants the skills' text pays for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from weave_tui.broker import Broker, Composition, Registry
from weave_tui.broker.composition import SEPARATOR
from weave_tui.prompts.compose import AgentComposition, Composer, StepComposition


@dataclass(frozen=True, slots=True)
class AgentSkills:
    """What an agent's skill names stand for. `ids` are in the order of the names; `disabled` were left out."""

    ids: tuple[str, ...]
    unknown: tuple[str, ...]
    disabled: tuple[str, ...]


NO_SKILLS = AgentSkills((), (), ())


def names_of(composition: AgentComposition | StepComposition, composer: Composer) -> tuple[str, ...]:
    """The skills that a composed agent names; for a step those of its agent."""
    if isinstance(composition, AgentComposition):
        return composition.member.agent.skills
    member = composer.roster.get(composition.agent)
    return member.agent.skills if member else ()


def resolve(names: Iterable[str], registry: Registry, disabled: Iterable[str] = ()) -> AgentSkills:
    """Find each name among the skills; of several that share it, the first that is not shadowed."""
    barred = frozenset(disabled)
    ids: dict[str, None] = {}
    unknown: list[str] = []
    left_out: list[str] = []
    for name in names:
        if name in barred:
            left_out.append(name)
            continue
        free = [position for position in registry.named(name) if position not in registry.shadowed]
        if free:
            ids[registry.skills[free[0]].id] = None
        else:
            unknown.append(name)
    return AgentSkills(tuple(ids), tuple(unknown), tuple(left_out))


def compose_skills(broker: Broker, skills: AgentSkills) -> Composition:
    """The skills and all that they need as one text, without repeated lines."""
    return broker.compose(broker.browse(pinned=skills.ids)).composition


def appended(prompt: str, skills: Composition) -> str:
    """A prompt with its skills behind it."""
    return f"{prompt}{SEPARATOR}{skills.text}" if skills.text else prompt
