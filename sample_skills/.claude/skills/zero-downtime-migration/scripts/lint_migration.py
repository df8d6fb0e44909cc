"""Report statements in SQL migrations that would block a live PostgreSQL table.

Usage: python lint_migration.py FILE [FILE ...]
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/", re.S)
CREATED = re.compile(r"\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?([\w.\"]+)", re.I)
TARGET = re.compile(
    r"\balter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?([\w.\"]+)"
    r"|\bcreate\s+(?:unique\s+)?index\b.*?\bon\s+(?:only\s+)?([\w.\"]+)",
    re.I | re.S,
)

# Each rule: a message, a pattern that finds the statement, a pattern that excuses it.
RULES = [
    (
        "plain index build stops writes: use concurrently",
        r"create (unique )?index",
        r"index concurrently",
    ),
    (
        "foreign key scans both tables: add it not valid",
        r"foreign key|add column .* references",
        r"not valid",
    ),
    (
        "check constraint scans the table: add it not valid",
        r"add constraint .* check",
        r"not valid",
    ),
    (
        "unique constraint builds its index under a lock: use a ready index",
        r"add constraint .* (unique|primary key)",
        r"using index",
    ),
    (
        "new NOT NULL column needs a default",
        r"add column .* not null",
        r"\bdefault\b|\bgenerated\b",
    ),
    ("type change rewrites the table", r"alter column \S+ (set data )?type", None),
    ("rename breaks the running release", r"\brename\b", r"rename constraint"),
    ("drop column needs a release of its own", r"drop column", None),
]


def up_section(text: str) -> str:
    """Return the text before `migrate:down`, with comments blanked to keep line numbers."""
    text = text.split("-- migrate:down")[0]
    return COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def findings(text: str) -> list[tuple[int, str]]:
    sql = up_section(text)
    new_tables = {name.lower() for name in CREATED.findall(sql)}
    found: list[tuple[int, str]] = []
    altered = 0
    start = 0
    for statement in sql.split(";"):
        line = sql.count("\n", 0, start + len(statement) - len(statement.lstrip())) + 1
        start += len(statement) + 1
        target = TARGET.search(statement)
        if not target or (target[1] or target[2]).lower() in new_tables:
            continue
        flat = " ".join(statement.lower().split())
        if flat.startswith("alter table") and "validate constraint" not in flat:
            altered = altered or line
        for message, pattern, excuse in RULES:
            if re.search(pattern, flat) and not (excuse and re.search(excuse, flat)):
                found.append((line, message))
    if altered and "lock_timeout" not in sql.lower():
        found.append((altered, "alter table without lock_timeout"))
    return sorted(found)


def main(paths: list[str]) -> int:
    if not paths:
        sys.stderr.write(f"{__doc__.strip()}\n")
        return 2
    status = 0
    for path in paths:
        for line, message in findings(Path(path).read_text(encoding="utf-8")):
            sys.stdout.write(f"{path}:{line}: {message}\n")
            status = 1
    return status


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
