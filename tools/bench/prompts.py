"""What a plan costs: N agents that may each delegate to all others, in time and memory for each byte of output."""

from __future__ import annotations

import gc
import time
import tracemalloc
from dataclasses import dataclass
from pathlib import Path

from tools.bench.measure import Figure
from weave_tui.prompts import Layer, Plan
from weave_tui.prompts.compose import Composer
from weave_tui.prompts.layers import load

AGENTS = (25, 50, 100, 200)

TEMPLATE = """
  # {{agent.name}}

  {{#delegation.targets}}
  ### {{name}}

  {{#description}}{{description}}{{/description}}

  **Handles**: {{#domains}}{{.}}{{^last}}, {{/last}}{{/domains}}

  {{#triggers}}
  - {{trigger}}{{#routing_hint}} ({{routing_hint}}){{/routing_hint}}
  {{/triggers}}

  {{/delegation.targets}}
"""


@dataclass(frozen=True, slots=True)
class PlanCost:
    """One measurement. `peak` is the memory that loading and composing needed at most, in bytes."""

    agents: int
    load_seconds: float
    plan_seconds: float
    output: int
    peak: int

    def figures(self) -> list[Figure]:
        name, rate = f"{self.agents} agents", self.plan_seconds / self.output * 1e9
        return [
            Figure(f"load {name}", self.load_seconds * 1000, "ms"),
            Figure(f"plan {name}, all targets of each other", self.plan_seconds * 1000, "ms", f"{rate:.0f} ns a byte"),
            Figure(f"output of {name}", self.output / 1e6, "MB"),
            Figure(f"peak memory of {name}", self.peak / 1e6, "MB"),
        ]


def configuration(agents: int) -> str:
    """A configuration in which everyone may delegate to everyone."""
    return "\n".join(
        f"agent agent-{number} {{\n"
        f'  description "Looks after area {number}"\n'
        f"  tool_policy {{ read allow delegate allow }}\n"
        f'  triggers [ {{ domain "Area {number}" trigger "work in area {number}" routing_hint "first" }}\n'
        f'             {{ domain "Common" trigger "anything" }} ]\n'
        f'  prompt """{TEMPLATE}"""\n}}'
        for number in range(agents)
    )


def measure(agents: int) -> PlanCost:
    """Load and compose a configuration of `agents` agents with as many targets each.

    Time and memory are measured in runs of their own: tracing memory slows the other down.
    """
    layers = [Layer("project", Path("bench"), configuration(agents))]
    gc.collect()
    started = time.perf_counter()
    loaded = load(layers).value
    assert loaded is not None
    middle = time.perf_counter()
    plan = Composer(loaded).plan()
    ended = time.perf_counter()
    output = sum(len(composition.prompt.text) for composition in plan.agents)
    del plan, loaded
    return PlanCost(agents, middle - started, ended - middle, output, _peak(layers))


def _peak(layers: list[Layer]) -> int:
    gc.collect()
    tracemalloc.start()
    loaded = load(layers).value
    assert loaded is not None
    plan: Plan = Composer(loaded).plan()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del plan
    return peak


def run() -> list[Figure]:
    return [figure for agents in AGENTS for figure in measure(agents).figures()]
