"""Make a library of skill files with labelled queries out of a benchmark's catalogue, to try the lab on.

    python -m tools.labelled ../shared/bench/routing uipath /tmp/library --skills 300

writes a SKILL.md for each skill, and `evals/queries.jsonl` with the queries whose skills are among them.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml


def lines(path: Path, catalogue: str) -> list[dict[str, Any]]:
    """The entries of one catalogue."""
    entries = (json.loads(line) for line in path.read_text("utf-8").split("\n") if line.strip())
    return [entry for entry in entries if entry["dataset"] == catalogue]


def chosen(skills: Sequence[dict[str, Any]], queries: Sequence[dict[str, Any]], most: int) -> list[dict[str, Any]]:
    """At most so many skills, those that queries ask for first."""
    asked = {identity for query in queries for identity in query["expected"]}
    return sorted(skills, key=lambda skill: skill["id"] not in asked)[:most]


def skill_file(skill: dict[str, Any]) -> str:
    """The skill as a SKILL.md."""
    fields: dict[str, Any] = {"name": skill["name"], "description": skill["description"]}
    fields |= {"trigger_patterns": skill["triggers"]} if skill["triggers"] else {}
    fields |= {"capabilities": skill["capabilities"]} if skill["capabilities"] else {}
    header = yaml.safe_dump(fields, allow_unicode=True, sort_keys=False, width=1_000_000)
    return f"---\n{header}---\n\n{skill.get('body') or ''}\n"


def write(source: Path, catalogue: str, target: Path, most: int) -> tuple[int, int]:
    """Write the library. Returns the numbers of skills and queries."""
    queries = lines(source / "queries.jsonl", catalogue)
    skills = chosen(lines(source / "skills.jsonl", catalogue), queries, most)
    names = {skill["id"]: skill["name"] for skill in skills}
    for number, skill in enumerate(skills):
        folder = target / "skills" / f"{number:04}-{re.sub(r'[^a-z0-9-]+', '-', skill['name'].lower())[:60]}"
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(skill_file(skill), "utf-8")
    known = [query for query in queries if any(identity in names for identity in query["expected"])]
    labelled = [
        {"query": query["query"], "expected": sorted({names[i] for i in query["expected"] if i in names})}
        for query in known
    ]
    (target / "evals").mkdir()
    text = "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in labelled)
    (target / "evals" / "queries.jsonl").write_text(text, "utf-8")
    return len(skills), len(labelled)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path, help="folder with skills.jsonl and queries.jsonl")
    parser.add_argument("catalogue")
    parser.add_argument("target", type=Path, help="a folder that does not exist yet")
    parser.add_argument("--skills", type=int, default=300)
    arguments = parser.parse_args()
    skills, queries = write(arguments.source, arguments.catalogue, arguments.target, arguments.skills)
    print(f"{skills} skills, {queries} labelled queries in {arguments.target}")


if __name__ == "__main__":
    main()
