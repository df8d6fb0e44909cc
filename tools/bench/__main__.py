"""Run the benchmarks: `python -m tools.bench [NAME...]`, all of them by default."""

from __future__ import annotations

import argparse
import importlib
import json
import platform
import sys

from tools.bench.measure import Figure

BENCHMARKS = {
    "routing": "how often the right skill is first, beside peers (`weave-tui bench routing` says more)",
    "scale": "building, asking and changing an index of 100 to 10,000 skills",
    "process": "the whole process of `weave-tui query` on the samples",
    "prompts": "agent prompts: a plan in which everyone may delegate to everyone",
    "interop": "10,000 items to weaver-spec and back, beside contextweaver where it is installed",
    "composition": "composing two bodies: median, 99th percentile, 300 KB",
    "big": "the app with two 300 KB skills in the prompt: keystroke to repaint, through a pseudo-terminal",
    "app": "first paint, and from keystroke to repaint with the corpus loaded, through a pseudo-terminal",
    "keystrokes": "10,000 skills while one types, and first paint, beside the smallest Textual apps",
    "lab": "judging labelled queries, the self-test, a keystroke in the editor, a winning edit",
    "server": "the HTTP server under load, while files change",
    "load": "a registry of 10,000 files, cold and warm, beside a bare walk",
}
"""Each is a module of this package with `run() -> list[Figure]`."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHMARKS))
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    if unknown := set(arguments.names) - set(BENCHMARKS):
        parser.error(f"unknown benchmark {', '.join(sorted(unknown))}; there are {', '.join(BENCHMARKS)}")
    figures: list[Figure] = []
    for name in arguments.names or BENCHMARKS:
        if not arguments.json:
            print(f"\n{name}: {BENCHMARKS[name]}")
        for figure in importlib.import_module(f"tools.bench.{name}").run():
            figures.append(figure)
            if not arguments.json:
                print(f"  {figure}", flush=True)
    if arguments.json:
        machine = {"python": platform.python_version(), "machine": platform.machine()}
        print(json.dumps({"machine": machine, "figures": [figure._asdict() for figure in figures]}, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
