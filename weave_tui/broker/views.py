"""What a result is handed out as: the texts that are copied, printed and piped."""

from __future__ import annotations

from collections.abc import Callable

from weave_tui.broker.broker import Result
from weave_tui.broker.selection import Role
from weave_tui.protocol import Platform, to_json
from weave_tui.skills import Skill

_CALL: dict[Platform, str] = {"claude_code": "/", "codex": "$", "cursor": "@", "windsurf": "@"}
"""How each tool calls a skill by name."""


def prompt(result: Result) -> str:
    """The composed prompt."""
    return result.composition.text


def part(result: Result, skill: Skill) -> str:
    """What the composed prompt has of one skill, "" when it has nothing of it."""
    composition = result.composition
    found = (part for part in composition.parts if part.piece.skill.id == skill.id)
    return next((composition.text[part.start : part.end] for part in found), "")


def prompt_and_task(result: Result) -> str:
    """The composed prompt with the query after it."""
    return f"{result.composition.text}\n\n{result.selection.query}".strip()


def invocation(result: Result) -> str:
    """The chosen skills called as their own tools do, then the task: `/a /b task`, `$a task`, `@rule task`.

    Needed skills are not called: the tool finds them itself.
    """
    chosen = zip(result.skills, result.selection.chosen, strict=True)
    called = [_CALL[skill.platform] + _tool_name(skill) for skill, entry in chosen if entry.role is not Role.DEPENDENCY]
    return " ".join([*called, result.selection.query]).strip()


def _tool_name(skill: Skill) -> str:
    """What the skill's own tool calls it: its folder or file, whatever a sidecar advertises."""
    path = skill.locations[0]
    own_folder = path.stem == "SKILL" or path.name.startswith(".")
    return path.absolute().parent.name if own_folder else path.stem


def paths(result: Result) -> str:
    """The files of the chosen skills, one a line."""
    return "\n".join(str(skill.path) for skill in result.skills)


def response_json(result: Result) -> str:
    """The WeaveResponse as JSON, validated."""
    return to_json(result.response)


VIEWS: dict[str, Callable[[Result], str]] = {
    "prompt": prompt,
    "task": prompt_and_task,
    "invocation": invocation,
    "paths": paths,
    "json": response_json,
}
"""By the name that `--print` and the yank menu know."""
