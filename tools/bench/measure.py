"""What benchmarks share: figures, quantiles, and the material that may lie beside the checkout."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
"""Real skills and queries for measuring; benchmarks that want them use what there is instead."""


class Figure(NamedTuple):
    """One measured number; `note` says over what."""

    name: str
    value: float
    unit: str
    note: str = ""

    def __str__(self) -> str:
        return f"{self.name:<44} {self.value:>10,.2f} {self.unit:<4} {self.note}"


def corpus() -> Path:
    """The largest folder of skills at hand."""
    real = SHARED / "corpus"
    return real if real.is_dir() else ROOT / "sample_skills"


def spread(name: str, seconds: Sequence[float], note: str = "") -> list[Figure]:
    """Median and 99th percentile of measured times, in milliseconds."""
    ordered = sorted(seconds)
    high = ordered[min(len(ordered) - 1, round(0.99 * (len(ordered) - 1)))]
    about = f"{len(ordered)} runs{', ' + note if note else ''}"
    return [
        Figure(f"{name}, median", statistics.median(ordered) * 1000, "ms", about),
        Figure(f"{name}, p99", high * 1000, "ms"),
    ]
