"""Write the generated parts of the docs, or with --check say which are out of date.

A part stands between `<!-- generated: NAME -->` and `<!-- end -->` in README.md or a page of docs/;
NAME is a row of `PARTS`. The rest of a page is written by people and never touched.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from tools.docs import prompts, tables

ROOT = Path(__file__).resolve().parents[2]
PART = re.compile(r"(<!-- generated: ([a-z-]+) -->\n).*?(<!-- end -->)", re.DOTALL)

PARTS: dict[str, Callable[[], str]] = {
    "diagnostics": tables.diagnostics,
    "keys": partial(tables.keys, "skills"),
    "registry-keys": partial(tables.keys, "registry"),
    "agent-keys": partial(tables.keys, "agents"),
    "lab-keys": partial(tables.keys, "lab"),
    "key-presets": tables.presets,
    "prompt-keys": prompts.keys,
    "prompt-paths": partial(prompts.paths, runtime=False),
    "prompt-runtime-paths": partial(prompts.paths, runtime=True),
    "prompt-errors": partial(prompts.examples, lints=False),
    "prompt-lints": partial(prompts.examples, lints=True),
}


def pages() -> Iterator[Path]:
    yield ROOT / "README.md"
    yield from sorted((ROOT / "docs").glob("*.md"))


def generated(text: str) -> str:
    """A page with all of its parts made anew. Raises KeyError for a part that nobody makes."""
    return PART.sub(lambda match: f"{match[1]}\n{PARTS[match[2]]().strip()}\n\n{match[3]}", text)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.docs", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when a page is out of date")
    check = parser.parse_args().check
    stale = []
    for page in pages():
        text = page.read_text(encoding="utf-8")
        if (made := generated(text)) != text:
            stale.append(page.name)
            if not check:
                page.write_text(made, encoding="utf-8")
    if stale:
        print(("out of date, run 'make docs': " if check else "written: ") + ", ".join(stale))
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
