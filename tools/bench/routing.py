"""Routing: how often the right skill is first, on the development benchmark or on generated data, beside peers."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tools.bench.measure import SHARED, Figure
from tools.routing_data import SIZES, write
from weave_tui.bench.catalogue import Catalogue, read_catalogues
from weave_tui.bench.routers import OURS
from weave_tui.bench.run import run as measure
from weave_tui.broker import load_encoder

UNITS = {"hit@1": 100, "hit@2": 100, "hit@5": 100, "MRR": 1, "low_overlap": 100, "keystrokes": 100}


def run() -> list[Figure]:
    report = measure(catalogues(), load_encoder())
    figures = []
    for name, system in {OURS: report, **report["peers"]}.items():
        notes = ", ".join(f"{key} {found['hit@1']:.1%}" for key, found in system["catalogues"].items())
        for measured, times in UNITS.items():
            value = system["macro"][measured]
            if value is not None:
                unit, note = "%" if times == 100 else "", notes if measured == "hit@1" else ""
                figures.append(Figure(f"{name}, {measured}", value * times, unit, note))
    return figures


def catalogues() -> tuple[Catalogue, ...]:
    """The development benchmark where it lies beside the checkout, else generated catalogues."""
    real = SHARED / "bench" / "routing"
    if real.is_dir():
        return read_catalogues(real)
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), SIZES)
        return read_catalogues(Path(folder))
