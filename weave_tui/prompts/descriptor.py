"""The descriptor: what a tool that runs agents is told about one (spec C.8).

It holds the final prompt and metadata; never a prompt's source, a path or a skill's content.
"""

from __future__ import annotations

from typing import Any

from weave_tui.prompts.compose import AgentComposition, Plan, StepComposition
from weave_tui.prompts.context import effective_policy, raw_policy, target_of, trigger_fields
from weave_tui.prompts.roster import Member


def descriptor(composition: AgentComposition) -> dict[str, Any]:
    """The descriptor as JSON data; optional keys are left out when they were not declared."""
    member = composition.member
    agent = member.agent
    return _declared(
        name=member.name,
        displayName=agent.display_name,
        description=agent.description,
        category=_category(member),
        composedPrompt=composition.prompt.text,
        models=list(agent.models),
        mode=agent.mode,
        temperature=agent.temperature,
        effectiveToolPolicy=effective_policy(agent.tool_policy),
        rawToolPolicy=raw_policy(agent.tool_policy),
        delegationTargets=[_target(target) for target in composition.targets],
        skills=list(agent.skills),
    )


def document(composition: AgentComposition | StepComposition) -> dict[str, Any]:
    """Whatever was composed as JSON data."""
    return descriptor(composition) if isinstance(composition, AgentComposition) else step_document(composition)


def plan_document(plan: Plan) -> dict[str, Any]:
    """A plan as JSON data: agents with their source, then errors."""
    return {
        "agents": [_entry(composition) for composition in plan.agents],
        "errors": [error.as_json() for error in plan.errors],
    }


def step_document(composition: StepComposition) -> dict[str, Any]:
    """A composed step as JSON data."""
    return {
        "workflow": composition.workflow,
        "step": composition.step,
        "agent": composition.agent,
        "composedPrompt": composition.prompt.text,
        "appendScope": composition.append_scope,
    }


def _entry(composition: AgentComposition) -> dict[str, Any]:
    member = composition.member
    review = member.review and {"sourceAgent": member.review.source_agent, "model": member.review.model}
    return _declared(agentName=member.name, descriptor=descriptor(composition), source=member.origin, reviewMeta=review)


def _category(member: Member) -> dict[str, Any] | None:
    served = member.category
    if served is None:
        return None
    return _declared(name=served.name, description=served.description, patterns=list(served.patterns))


def _target(member: Member) -> dict[str, Any]:
    target = target_of(member)
    return _declared(
        name=target.name,
        description=target.description,
        triggers=[trigger_fields(trigger) for trigger in target.triggers],
        isCategory=target.is_category,
    )


def _declared(**fields: Any) -> dict[str, Any]:
    return {key: value for key, value in fields.items() if value is not None}
