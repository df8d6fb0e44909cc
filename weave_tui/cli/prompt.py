"""`weave-tui prompt`: the final prompt of an agent or a workflow step, and everything wrong with any of them."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from weave_tui import prompts
from weave_tui.broker import Composition
from weave_tui.cli import common
from weave_tui.cli.check import entry_of, line_of
from weave_tui.cli.common import ANSWERED, NOTHING, UNREADABLE, USAGE, CommandError, complain, say
from weave_tui.config import Resolved
from weave_tui.prompts.agent_skills import appended, compose_skills, names_of, resolve
from weave_tui.skills import Loaded, MissingPathError, Where, load
from weave_tui.text import one_line, visible


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("agent", nargs="?", metavar="AGENT", help="the agent to compose; without it: what there is")
    parser.add_argument("--step", metavar="WORKFLOW/STEP", help="compose a workflow step instead")
    parser.add_argument("--check", action="store_true", help="compose everything; print every error and lint")
    parser.add_argument("--json", action="store_true", help="print the descriptor, or the report of --check, as JSON")
    parser.add_argument(
        "--project", "--root", type=Path, metavar="DIR", help="the folder of .weave; default: the nearest upward"
    )
    parser.add_argument(
        "--value", action="append", default=[], metavar="NAME=TEXT", help="a sample for a run-time name of --step"
    )
    parser.add_argument("--with-skills", action="store_true", help="append the agent's skills, composed")
    parser.add_argument(
        "--skills", action="append", default=[], type=Path, metavar="PATH", help="where skills are; default: discover"
    )
    parser.add_argument("--model", metavar="FOLDER|NAME", help="the embedding model for --with-skills")


def run(arguments: argparse.Namespace) -> int:
    _reject_what_does_not_go_together(arguments)
    if arguments.project is not None and not arguments.project.exists():
        raise CommandError(f"Path does not exist: '{arguments.project}'", UNREADABLE)
    layers = prompts.find_layers(Path.cwd(), root=arguments.project)
    if layers.value is None:
        _failed(layers.errors, as_json=arguments.json)
        return UNREADABLE
    if arguments.check:
        return _check(arguments, layers.value)
    loaded = prompts.load(layers.value)
    if loaded.value is None:
        return _failed(loaded.errors, as_json=arguments.json)
    composer = prompts.Composer(loaded.value)
    if arguments.agent is None and arguments.step is None:
        return _list(composer, as_json=arguments.json)
    result: prompts.Result[prompts.AgentComposition] | prompts.Result[prompts.StepComposition]
    if arguments.step is None:
        result = composer.agent(arguments.agent)
    else:
        workflow, _, step = arguments.step.partition("/")
        result = composer.step(workflow, step, _values(arguments.value))
    if result.value is None:
        return _failed(result.errors, as_json=arguments.json)
    skills = _composed_skills(arguments, composer, result.value) if arguments.with_skills else None
    if arguments.json:
        # A descriptor never holds a skill's text (C.8), so that stands beside the prompt.
        say(_json(prompts.document(result.value) | ({"composedSkills": skills.text} if skills else {})))
    else:
        text = result.value.prompt.text if skills is None else appended(result.value.prompt.text, skills)
        # A terminal obeys what it is shown; a pipe gets the prompt as it is.
        say(visible(text) if sys.stdout.isatty() else text)
    return ANSWERED


def _reject_what_does_not_go_together(arguments: argparse.Namespace) -> None:
    if sum(bool(asked) for asked in (arguments.agent, arguments.step, arguments.check)) > 1:
        raise CommandError("give one of AGENT, --step and --check", USAGE)
    if arguments.step is not None and not all(arguments.step.partition("/")):
        raise CommandError(f"--step: expected WORKFLOW/STEP, got '{arguments.step}'", USAGE)
    if arguments.value and not arguments.step:
        raise CommandError("--value belongs to --step", USAGE)
    if arguments.with_skills and not (arguments.agent or arguments.step):
        raise CommandError("--with-skills needs an AGENT or --step", USAGE)


def _values(given: Iterable[str]) -> dict[str, str]:
    for entry in given:
        if "=" not in entry:
            raise CommandError(f"--value: expected NAME=TEXT, got '{entry}'", USAGE)
    return {name: text for name, _, text in (entry.partition("=") for entry in given)}


def _failed(errors: Iterable[prompts.AnyError], *, as_json: bool) -> int:
    errors = tuple(errors)
    _complain_of(errors)
    if as_json:
        say(_json({"errors": [error.as_json() for error in errors]}))
    return NOTHING


def _complain_of(errors: Iterable[prompts.AnyError]) -> None:
    """One line each on standard error, with the place first, as compilers write them."""
    for diagnostic in prompts.diagnostics_of(errors):
        if diagnostic.path is None:
            complain(diagnostic.message)
        else:
            print(line_of(diagnostic), file=sys.stderr)  # noqa: T201


def _list(composer: prompts.Composer, *, as_json: bool) -> int:
    """Every agent and step there is."""
    if as_json:
        plan = composer.plan()
        say(_json(prompts.plan_document(plan)))
        return NOTHING if plan.errors else ANSWERED
    agents = [(member.name, member.origin, member.agent.description or "") for member in composer.roster.members]
    steps = [
        (f"{workflow}/{name}", step.type, f"by {step.agent}")
        for workflow, config in composer.loaded.config.workflows.items()
        for name, step in config.steps.items()
    ]
    width = max((len(name) for name, _, _ in (*agents, *steps)), default=0)
    for name, kind, about in (*agents, *steps):
        say(f"{name:<{width}}  {kind:<16}  {one_line(about)}".rstrip())
    _complain_of(composer.roster.errors)
    if not agents and not steps:
        complain(f"there is no agent in {', '.join(str(layer.file) for layer in composer.loaded.layers)}")
    return NOTHING if composer.roster.errors or not (agents or steps) else ANSWERED


def _json(document: object) -> str:
    return json.dumps(document, ensure_ascii=False, indent=2)


# Skills -----------------------------------------------------------------------------------


def _skills(arguments: argparse.Namespace, resolved: Resolved) -> Loaded:
    where = Where(
        tuple(arguments.skills),
        with_user=resolved.settings.user_folders,
        extra=resolved.folders,
        cwd=(arguments.project or Path.cwd()).absolute(),
    )
    try:
        return load(where, common.remembered(resolved))
    except MissingPathError as error:
        raise CommandError(str(error), UNREADABLE) from error


def _composed_skills(
    arguments: argparse.Namespace,
    composer: prompts.Composer,
    composition: prompts.AgentComposition | prompts.StepComposition,
) -> Composition:
    resolved = common.settings(arguments)
    broker = common.broker(resolved, _skills(arguments, resolved))
    names = names_of(composition, composer)
    skills = resolve(names, broker.registry, composer.loaded.config.disabled.skills)
    for name in skills.unknown:
        complain(f"there is no skill {name}; it is left out", "warning")
    return compose_skills(broker, skills)


# Check ------------------------------------------------------------------------------------


def _check(arguments: argparse.Namespace, layers: Iterable[prompts.Layer]) -> int:
    skills = _skills(arguments, common.settings(arguments)).skills
    report = prompts.check(layers, skills={skill.name for skill in skills})
    if arguments.json:
        say(_json(_report(report)))
    else:
        for diagnostic in report.diagnostics:
            say(line_of(diagnostic))
        say(_summary(report))
    return NOTHING if report.failed else ANSWERED


def _report(report: prompts.Report) -> dict[str, Any]:
    return {
        "ok": not report.failed,
        "agents": len(report.plan.agents) if report.plan else 0,
        "steps": len(report.steps),
        "diagnostics": [entry_of(diagnostic) for diagnostic in report.diagnostics],
        "errors": [error.as_json() for error in report.errors],
    }


def _summary(report: prompts.Report) -> str:
    """What composes, and how many of each severity."""
    counts = Counter(diagnostic.severity for diagnostic in report.diagnostics)
    found = ", ".join(_counted(count, severity) for severity, count in counts.items())
    agents = _counted(len(report.plan.agents) if report.plan else 0, "agent")
    return f"{agents} and {_counted(len(report.steps), 'step')} composed: {found or 'nothing to tell'}"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
