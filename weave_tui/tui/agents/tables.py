"""The rules pane: what the agent may do, and to whom it may delegate, as tables."""

from __future__ import annotations

from weave_tui import prompts
from weave_tui.prompts.context import effective_policy, raw_policy, target_of, targets_of
from weave_tui.prompts.roster import Member
from weave_tui.text import one_line
from weave_tui.tui.agents.state import Entry
from weave_tui.tui.lines import ShownLine, Stretch, Tone, plain

_SCOPES = {"step": "with its own append", "workflow": "with the workflow's append", "none": "without an append"}
_WIDEST = len("allow")
_PERMISSIONS: dict[str, Tone] = {"allow": "success", "ask": "warning", "deny": "error"}


def rule_lines(composer: prompts.Composer, entry: Entry) -> list[ShownLine]:
    """Facts, policy and targets of an agent, whether it composes or not; of a step, those of its agent."""
    if entry.kind == "agent":
        member = composer.roster.get(entry.name)
        return [*_facts(member), *_policy(member), *_targets(composer, member)] if member else []
    step = composer.loaded.config.workflows[entry.group].steps[entry.name]
    _, _, scope = composer.step_sources(entry.group, entry.name)
    lines = [_row(Stretch(f"{step.type} step by {step.agent}, {_SCOPES[scope]}"))]
    member = composer.roster.get(step.agent)
    if member is None:
        return [*lines, plain(f"{step.agent} is disabled or not declared", "warning")]
    return [*lines, *_policy(member), *_targets(composer, member)]


def _row(*stretches: Stretch) -> ShownLine:
    return ShownLine(stretches, wraps=False)


def _facts(member: Member) -> list[ShownLine]:
    agent = member.agent
    facts = [agent.mode, *agent.models]
    facts += [f"temperature {agent.temperature:g}"] if agent.temperature is not None else []
    facts += [f"skills {', '.join(agent.skills)}"] if agent.skills else []
    lines = [ShownLine((Stretch(one_line(agent.description)),))] if agent.description else []
    return [*lines, ShownLine((Stretch(one_line(" · ".join(facts)), "muted"),))]


def _policy(member: Member) -> list[ShownLine]:
    """Two rows: capabilities, and under each what it is; muted where nobody declared it."""
    declared = raw_policy(member.agent.tool_policy) or {}
    heads: list[Stretch] = []
    values: list[Stretch] = []
    for capability, permission in effective_policy(member.agent.tool_policy).items():
        gap = "" if not heads else " "
        width = max(len(capability), _WIDEST)
        heads.append(Stretch(f"{gap}{capability:<{width}}", "muted"))
        tone = _PERMISSIONS[permission] if capability in declared else "muted"
        values.append(Stretch(f"{gap}{permission:<{width}}", tone, bold=capability in declared))
    return [ShownLine(stop=False), _row(*heads), _row(*values), ShownLine(stop=False)]


def _targets(composer: prompts.Composer, member: Member) -> list[ShownLine]:
    """Two rows a target: its name and domains, and what it is for."""
    targets = [target_of(other) for other in targets_of(member, composer.roster)]
    if not targets:
        allowed = effective_policy(member.agent.tool_policy)["delegate"]
        why = "nobody is left after the filters" if allowed == "allow" else f"delegate is {allowed}, not allow"
        return [plain(f"no delegation targets: {why}", "muted", stop=True)]
    lines = [ShownLine((Stretch("may delegate to", "muted"),), right=(Stretch("domains", "muted"),), wraps=False)]
    for target in targets:
        name = Stretch(target.name, "accent" if target.is_category else "text", bold=True)
        domains = Stretch(one_line(", ".join(target.domains)))
        lines.append(ShownLine((name,), right=(domains,) if target.domains else (), wraps=False))
        lines.append(_row(Stretch(f"  {one_line(target.description or 'no description')}", "muted")))
    return lines
