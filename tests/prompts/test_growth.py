"""Planning costs no more than its output: N agents with N targets each write N * N entries."""

from __future__ import annotations

from tools.bench.prompts import PlanCost, measure


def _best(agents: int) -> PlanCost:
    return min((measure(agents) for _ in range(3)), key=lambda cost: cost.plan_seconds)


def test_time_and_memory_grow_with_the_output() -> None:
    small, large = _best(20), _best(60)
    growth = large.output / small.output
    assert growth > 8
    # Twice the linear growth leaves room for a busy machine; quadratic growth would be nine times as much.
    assert large.plan_seconds < 2 * growth * small.plan_seconds
    assert large.peak < 2 * growth * small.peak
