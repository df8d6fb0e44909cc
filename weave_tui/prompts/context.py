"""What an agent's templates see: policy, delegation targets and the rest (spec A.4, C.5, C.7).

Only this module builds template contexts; they hold plain data and nothing that `schema` does
not declare.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from weave_tui.prompts.model import Permission, ToolPolicy, Trigger
from weave_tui.prompts.roster import Member, Roster, in_shuttle_family
from weave_tui.prompts.schema import CAPABILITIES

Capability = Literal["read", "write", "execute", "delegate", "network"]

ToolPermissions = dict[str, Permission]


@dataclass(frozen=True, slots=True)
class Target:
    """An agent that another may delegate to."""

    name: str
    description: str | None
    triggers: tuple[Trigger, ...]
    is_category: bool

    @property
    def domains(self) -> tuple[str, ...]:
        """The triggers' domains, first occurrence order, no repeats."""
        return tuple(dict.fromkeys(trigger.domain for trigger in self.triggers))


@dataclass(frozen=True, slots=True)
class ResolvedTool:
    """A concrete tool; `capability` and `permission` are None when nothing maps it, which allows nothing."""

    tool: str
    capability: str | None
    permission: Permission | None


def effective_policy(policy: ToolPolicy | None) -> ToolPermissions:
    """Declared, or ask, for each capability."""
    declared = raw_policy(policy) or {}
    return {capability: declared.get(capability, "ask") for capability in CAPABILITIES}


def raw_policy(policy: ToolPolicy | None) -> ToolPermissions | None:
    """The block as declared, None without one."""
    return None if policy is None else policy.model_dump(exclude_none=True)


def resolve_tools(
    policy: Mapping[str, Permission], capabilities: Mapping[str, str], tools: Iterable[str]
) -> list[ResolvedTool]:
    """Each tool of a host with its permission, in input order; a tool that nothing maps gets none."""
    resolved = []
    for tool in tools:
        capability = capabilities.get(tool)
        permission = policy.get(capability) if capability else None
        resolved.append(ResolvedTool(tool, capability if permission else None, permission))
    return resolved


def target_of(member: Member) -> Target:
    agent = member.agent
    return Target(member.name, agent.description, agent.triggers, member.is_category)


def targets_of(member: Member, everyone: Roster) -> list[Member]:
    """Whom `member` may delegate to, in plan order: none unless its policy says allow (C.5)."""
    policy = member.agent.tool_policy
    if policy is None or policy.delegate != "allow":
        return []
    excluded = {member.name, *member.agent.routing.delegation_exclude}
    family = in_shuttle_family(member.name)
    return [
        other
        for other in everyone.members
        if other.name not in excluded
        and other.agent.mode != "primary"
        and not (family and in_shuttle_family(other.name))
    ]


class ContextBuilder:
    """Contexts of one roster; what a target looks like is built once and shared by all who may delegate to it."""

    def __init__(self, everyone: Roster) -> None:
        self._targets = {member.name: _target_fields(target_of(member)) for member in everyone.members}

    def build(self, member: Member, targets: list[Member]) -> dict[str, Any]:
        """The context of an agent with the given targets."""
        agent = member.agent
        context: dict[str, Any] = {
            "agent": {
                "name": member.name,
                **_declared(description=agent.description),
                "mode": agent.mode,
                "skills": list(agent.skills),
                "isCategory": member.is_category,
            },
            "toolPolicy": {"effective": effective_policy(agent.tool_policy)},
            "delegation": {
                "hasTargets": bool(targets),
                "targets": [self._targets[target.name] for target in targets],
            },
        }
        if member.category:
            served = member.category
            context["category"] = {"name": served.name, **_declared(description=served.description)}
        groups = _review_groups(targets) if agent.mode == "primary" else []
        if groups:
            context["reviewRouting"] = {"groups": groups}
        return context


def undeclared(name: str) -> dict[str, Any]:
    """The context of a step whose agent is not declared."""
    return {
        "agent": {"name": name, "mode": "subagent", "skills": [], "isCategory": False},
        "toolPolicy": {"effective": effective_policy(None)},
        "delegation": {"hasTargets": False, "targets": []},
    }


def with_samples(context: dict[str, Any], values: Mapping[str, str]) -> dict[str, Any]:
    """`context` with sample values for run-time names (`instance.goal`)."""
    samples: dict[str, dict[str, str]] = {}
    for path, value in values.items():
        head, _, rest = path.partition(".")
        samples.setdefault(head, {})[rest] = value
    return {**context, **samples}


def _review_groups(targets: list[Member]) -> list[dict[str, Any]]:
    """One group for each target that has review variants among the targets."""
    variants: dict[str, list[dict[str, str]]] = {}
    for target in targets:
        if target.review:
            variant = {"name": target.name, "model": target.review.model}
            variants.setdefault(target.review.source_agent, []).append(variant)
    names = [target.name for target in targets if target.name in variants]
    return [{"sourceAgent": name, "variants": variants[name]} for name in names]


def _target_fields(target: Target) -> dict[str, Any]:
    return {
        "name": target.name,
        **_declared(description=target.description),
        "domains": list(target.domains),
        "triggers": [trigger_fields(trigger) for trigger in target.triggers],
        "isCategory": target.is_category,
    }


def trigger_fields(trigger: Trigger) -> dict[str, str]:
    """A trigger as data; without a routing hint when none was declared."""
    return {
        "domain": trigger.domain,
        "trigger": trigger.trigger,
        **_declared(routing_hint=trigger.routing_hint),
    }


def _declared(**fields: str | None) -> dict[str, str]:
    return {key: value for key, value in fields.items() if value is not None}
