"""Repairs: frontmatter that a person understands and YAML does not.

Two in five Cursor rules are not valid YAML (`globs: *.ts`), and tools that give up on them
lose skills without a word. Each rule takes the lines of the frontmatter and gives them back
mended, saying what it did; they run in order until PyYAML agrees. The last one cannot fail.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import yaml

from weave_tui.skills.frontmatter import KEY_LINE, Issue, compose

Rule = Callable[[list[str], int], tuple[list[str], list[Issue]]]

_LEADING_TABS = re.compile(r"^[ \t]*\t[ \t]*")
_ITEM = re.compile(r"(?P<dash>[ \t]*-[ \t]+)(?P<value>.*)$")


def repair(source: str, line: int) -> tuple[str, list[Issue]]:
    """YAML that composes to a mapping, made of `source` (whose first line is `line`), and what was done."""
    lines = source.split("\n")
    issues: list[Issue] = []
    for rule in RULES:
        lines, done = rule(lines, line)
        issues += done
        if _composes("\n".join(lines)):
            break
    return "\n".join(lines), issues


def _composes(source: str) -> bool:
    try:
        return isinstance(compose(source), yaml.MappingNode)
    except yaml.YAMLError:
        return False


def quote(value: str) -> str:
    """`value` as a single-quoted YAML scalar, printable characters only."""
    printable = "".join(c if c.isprintable() else " " for c in value)
    return "'" + printable.replace("'", "''") + "'"


def tabs(lines: list[str], line: int) -> tuple[list[str], list[Issue]]:
    """Tabs that indent become spaces: YAML allows none."""
    mended = [_LEADING_TABS.sub(lambda m: m.group().replace("\t", "  "), text) for text in lines]
    found = next((i for i, (old, new) in enumerate(zip(lines, mended, strict=True)) if old != new), None)
    if found is None:
        return lines, []
    return mended, [("frontmatter-repaired", line + found, "a tab indents YAML", "read as spaces")]


def entries(lines: list[str], line: int) -> tuple[list[str], list[Issue]]:
    """Each top-level entry that is not YAML by itself is read as plain text."""
    mended: list[str] = []
    issues: list[Issue] = []
    for start, end in _entries(lines):
        entry = lines[start:end]
        key = KEY_LINE.match(entry[0])
        if _composes("\n".join(entry)):
            mended += entry
        elif key is None:
            issues.append(("frontmatter-repaired", line + start, "not a 'key: value' line", "ignored"))
            mended += [""] * len(entry)
        else:
            mended += _as_text(key, entry)
            what = f"the value of '{key['key']}' is not valid YAML"
            issues.append(("frontmatter-repaired", line + start, what, "read as plain text"))
    return mended, issues


def scan(lines: list[str], line: int) -> tuple[list[str], list[Issue]]:
    """The last resort: first lines of entries only, every value quoted."""
    mended, seen = [""] * len(lines), set()
    for index, text in enumerate(lines):
        key = KEY_LINE.match(text)
        if key and key["key"] not in seen:
            seen.add(key["key"])
            mended[index] = f"{quote(key['key'])}: {quote(text[key.end() :].strip())}"
    return mended, [("frontmatter-invalid", line, "not valid YAML", "only the first line of each field was read")]


RULES: tuple[Rule, ...] = (tabs, entries, scan)
"""In the order in which they are tried."""


def _entries(lines: list[str]) -> list[tuple[int, int]]:
    """(start, end) of every top-level entry: a key line and all up to the next."""
    starts = [i for i, text in enumerate(lines) if KEY_LINE.match(text)]
    starts = sorted({0, *starts}) if lines else []
    return list(zip(starts, [*starts[1:], len(lines)], strict=True))


def _as_text(key: re.Match[str], entry: list[str]) -> list[str]:
    """The entry's lines with its value quoted: item by item where it is a list, else as one text."""
    head, rest = entry[0][key.end() :].strip(), entry[1:]
    items = [_ITEM.match(text) for text in rest if text.strip()]
    if not head and items and all(items):
        return [entry[0], *(f"  - {quote(item['value'].strip())}" for item in items if item)]
    text = " ".join(part for part in (head, *(text.strip() for text in rest)) if part)
    name = key["key"] if _composes(f"{key['key']}: x") else quote(key["key"])
    return [f"{name}: {quote(_unquoted(text))}", *[""] * len(rest)]


def _unquoted(text: str) -> str:
    for mark in ('"', "'"):
        if len(text) > 1 and text.startswith(mark) and text.endswith(mark):
            return text[1:-1]
    return text
