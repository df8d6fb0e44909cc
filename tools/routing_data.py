"""Make a routing benchmark out of nothing: skills in the shape of real ones, and labelled queries.

Nobody's text: words are drawn from lists, so the figures say whether ranking works, not how well it does
on what people write. Also the source of large registries for the speed benchmarks.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ACTIONS = (
    "deploy migrate review refactor document translate summarise monitor benchmark encrypt validate schedule archive "
    "provision rotate lint package publish debug profile seed restore import export redact compare annotate simulate"
).split()
THINGS = (
    "cluster database endpoint component invoice dashboard pipeline certificate schema notebook container queue "
    "spreadsheet changelog contract dataset webhook sidebar ledger firmware newsletter incident translation backlog "
    "playlist storefront timesheet glossary heatmap regression"
).split()
TOOLS = (
    "postgres kubernetes react terraform salesforce excel pytest kafka stripe figma grafana django openapi helm redis "
    "webpack latex airflow sentry shopify jira snowflake swift ffmpeg graphql ansible tableau nginx unity zotero"
).split()
QUALITIES = "nightly broken customer internal legacy quarterly multilingual flaky public staging".split()
ALIKE = {
    "deploy": "ship",
    "review": "look over",
    "archive": "put away",
    "restore": "bring back",
    "debug": "find a bug in",
}
BODY_SENTENCES = 40


def skills(count: int, seed: int = 1) -> Iterator[dict[str, Any]]:
    """`count` skills as the benchmark's objects, without `dataset`; the same for the same seed."""
    draw = random.Random(seed)
    for number in range(count):
        action, thing, tool = draw.choice(ACTIONS), draw.choice(THINGS), draw.choice(TOOLS)
        other = draw.choice(ACTIONS)
        yield {
            "id": f"skill-{number}",
            "name": f"{tool}-{thing}-{action}-{number}",
            "description": f"{action.title()} a {draw.choice(QUALITIES)} {thing} with {tool}. Use when a {thing} must "
            f"be checked before somebody wants to {action} it. NOT for a {thing} to {other} -> {tool}-{other}.",
            "triggers": [f"{action} the {thing} in {tool}", f"{thing} {action} checklist"][: draw.randint(0, 2)],
            "capabilities": draw.sample([action, thing, tool, "automation", "quality"], draw.randint(0, 3)),
            "body": " ".join(_sentence(draw, action, thing, tool) for _ in range(BODY_SENTENCES)),
        }


def _sentence(draw: random.Random, action: str, thing: str, tool: str) -> str:
    noun = draw.choice((thing, thing, draw.choice(THINGS)))
    return f"{draw.choice((action, draw.choice(ACTIONS))).title()} the {noun} in {tool} and {draw.choice(ACTIONS)} it."


def shuffled(of: list[dict[str, Any]], count: int, seed: int = 1) -> Iterator[dict[str, Any]]:
    """`count` skills in the shape of `of`, each put together from parts of several."""
    draw = random.Random(seed)
    names = [part for skill in of for part in skill["name"].split("-")]
    sentences = [part for skill in of for part in re.split(r"(?<=[.!?])\s+", skill["description"])]
    bodies = [skill["body"] for skill in of if skill["body"]]
    for number in range(count):
        model = draw.choice(of)
        yield {
            "id": f"skill-{number}",
            "name": "-".join((*draw.sample(names, 3), str(number))),
            "description": " ".join(draw.sample(sentences, 3)),
            "triggers": draw.choice(of)["triggers"],
            "capabilities": model["capabilities"],
            "body": draw.choice(bodies)[:750] + draw.choice(bodies)[750:1_500],
        }


def queries(of: list[dict[str, Any]], count: int, seed: int = 2) -> Iterator[dict[str, Any]]:
    """`count` labelled queries, some in other words than their skill's."""
    draw = random.Random(seed)
    for _ in range(count):
        skill = draw.choice(of)
        tool, thing, action, _ = skill["name"].split("-")
        said = ALIKE.get(action, action)
        text = draw.choice((f"please {said} our {thing} on {tool}", f"{tool} {thing}: how do I {said} it?"))
        yield {
            "query": text,
            "expected": [other["id"] for other in of if other["name"].startswith(f"{tool}-{thing}-{action}-")],
            "low_overlap": False,
        }


def write(folder: Path, sizes: dict[str, tuple[int, int]]) -> None:
    """Write `skills.jsonl` and `queries.jsonl`: for each catalogue so many skills and queries."""
    folder.mkdir(parents=True, exist_ok=True)
    made = {name: list(skills(count, seed)) for seed, (name, (count, _)) in enumerate(sizes.items())}
    asked = {name: queries(made[name], count, seed) for seed, (name, (_, count)) in enumerate(sizes.items())}
    for file, groups in (("skills.jsonl", made), ("queries.jsonl", asked)):
        lines = (json.dumps({"dataset": name} | line) for name, group in groups.items() for line in group)
        (folder / file).write_text("\n".join(lines) + "\n", encoding="utf-8")


SIZES = {"small": (60, 120), "large": (600, 300)}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.routing_data", description=__doc__)
    parser.add_argument("folder", type=Path, help="where to write")
    write(parser.parse_args().folder, SIZES)
    return 0


if __name__ == "__main__":
    sys.exit(main())
