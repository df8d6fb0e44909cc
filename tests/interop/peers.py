"""What the tests with the real peers share. They run in an environment of their own (`make weaver-conformance`), since
contextweaver pins packages that the app does not want; elsewhere whoever imports this is skipped.
"""

from __future__ import annotations

import importlib
import subprocess
import sys
from datetime import UTC, datetime
from typing import Any

import pytest

from weave_tui import interop
from weave_tui.protocol import WeaveAdvertisement

REASON = "the peers are not installed here; make weaver-conformance runs these"
pytest.importorskip("contextweaver", reason=REASON)
pytest.importorskip("chainweaver", reason=REASON)
pytest.importorskip("weaver_contracts", reason=REASON)


def peer(path: str) -> Any:
    """A name of a peer's module, untyped: the peers are not installed where types are checked."""
    module, _, name = path.rpartition(".")
    return getattr(importlib.import_module(module), name)


ADAPTER = "contextweaver.adapters.weaver_contracts."
NOW = datetime(2031, 3, 4, 5, 6, 7, tzinfo=UTC)

SKILLS = [
    (
        "claude_code",
        "Harbor Typography",
        ["Type", "layout "],
        ["pick a font pairing", "fix line height"],
        ["Grid Basics"],
    ),
    ("claude_code", "Grid Basics", ["layout"], ["lay out a page on a grid"], []),
    ("cursor", "Grid Basics", [], ["use the grid  component\nof the design system"], []),
    ("codex", "Log Reader", ["logs", "LOGS"], ["summarise a service log", "find the first error"], []),
]


def offers() -> list[interop.Offer]:
    made = []
    for platform, name, capabilities, triggers, needs in SKILLS:
        fields = {"weave_protocol": "1.0", "name": name, "platform": platform, "capabilities": capabilities}
        fields |= {"trigger_patterns": triggers, "dependencies": needs}
        made.append(interop.Offer(WeaveAdvertisement.model_validate(fields), path=f"{platform}/{name}/SKILL.md"))
    return made


def routed(items: list[Any], query: str, **filters: Any) -> Any:
    """contextweaver's own route over items of its own."""
    graph = peer("contextweaver.routing.tree.TreeBuilder")().build(items)
    return peer("contextweaver.routing.router.Router")(graph, items=items, top_k=3).route(query, **filters)


def command(*arguments: str, stdin: str = "") -> str:
    """What one of our commands prints on the samples, in this environment."""
    line = [sys.executable, "-m", "weave_tui", *arguments]
    return subprocess.run(line, input=stdin, capture_output=True, text=True, check=True).stdout
