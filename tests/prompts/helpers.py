"""What the tests of prompt composition share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from weave_tui.prompts import (
    AgentComposition,
    ComposeAgent,
    ComposeAll,
    ComposeStep,
    Layer,
    Plan,
    Result,
    StepComposition,
    compose,
)

NOWHERE = Path("/nowhere/.weave")
"""A layer folder for configurations that name no file."""

SHARED = Path(__file__).parents[3] / "shared"
"""Material beside a checkout that is not part of it."""


def shared(name: str) -> Path:
    """A folder of the shared material; skips the test without it."""
    folder = SHARED / name
    if not folder.is_dir():
        pytest.skip(f"needs ../shared/{name} beside the checkout")
    return folder


def project(source: str, root: Path = NOWHERE) -> list[Layer]:
    return [Layer("project", root, source)]


def two_layers(lower: str, higher: str, root: Path = NOWHERE) -> list[Layer]:
    return [Layer("global", root / "global", lower), Layer("project", root / "project", higher)]


def good(result: Result[Any]) -> Any:
    assert result.value is not None, [error.as_json() for error in result.errors]
    return result.value


def agent(layers: list[Layer], name: str) -> AgentComposition:
    composition: AgentComposition = good(compose(layers, ComposeAgent(name)))
    return composition


def prompt(source: str, name: str = "a", root: Path = NOWHERE) -> str:
    return agent(project(source, root), name).prompt.text


def step(source: str, workflow: str, name: str) -> StepComposition:
    composition: StepComposition = good(compose(project(source), ComposeStep(workflow, name)))
    return composition


def plan(source: str) -> Plan:
    made: Plan = good(compose(project(source), ComposeAll()))
    return made


def first_error(result: Result[Any]) -> dict[str, Any]:
    assert result.errors, "expected an error"
    return result.errors[0].as_json()


def standard_context(**changes: Any) -> dict[str, Any]:
    """A context of the standard schema."""
    context: dict[str, Any] = {
        "agent": {"name": "scribe", "mode": "subagent", "skills": ["a", "b"], "isCategory": False},
        "toolPolicy": {"effective": dict.fromkeys(("read", "write", "execute", "delegate", "network"), "ask")},
        "delegation": {
            "targets": [
                {
                    "name": "lint",
                    "description": "Checks style",
                    "domains": ["Style", "Docs"],
                    "triggers": [
                        {"domain": "Style", "trigger": "format", "routing_hint": "before merge"},
                        {"domain": "Docs", "trigger": "typos"},
                    ],
                    "isCategory": False,
                },
                {"name": "shuttle-web", "domains": [], "triggers": [], "isCategory": True},
            ]
        },
    }
    return {**context, **changes}
