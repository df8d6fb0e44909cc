"""The HTTP server under load: workers that ask without a pause while files change and the registry is read again.

Alone, `python -m tools.bench.server SECONDS` bounds the run.
"""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path

from tools.bench.generate import THINGS, VERBS, skill_text, write_library
from tools.bench.measure import Figure, spread
from tools.serving import Served, served

SKILLS = 10_000
SECONDS = 30.0
WORKERS = 4
CHANGE_SECONDS = 5.0


@dataclass
class Seen:
    """What the workers saw together."""

    times: list[float] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)


def run(seconds: float = SECONDS) -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "library"
        write_library(root, SKILLS)
        with served(str(root)) as server:
            before = _memory(server)
            seen, changes = _load(root, server.port, seconds)
            after = _memory(server)
            code, _ = server.end()
    note = f"{WORKERS} workers, {seconds:g} s, {SKILLS:,} skills"
    return [
        Figure("requests per second", len(seen.times) / seconds, "1/s", note),
        *spread("POST /query", seen.times),
        Figure("lost requests", len(seen.lost), "", f"while {changes} files changed {' '.join(seen.lost[:1])}"),
        Figure("memory before", before, "MB"),
        Figure("memory after", after, "MB"),
        Figure("exit code", code, ""),
    ]


def _load(root: Path, port: int, seconds: float) -> tuple[Seen, int]:
    """What the workers saw, and how many files changed meanwhile."""
    seen, until = Seen(), time.perf_counter() + seconds
    workers = [threading.Thread(target=_ask, args=(port, number, until, seen)) for number in range(WORKERS)]
    for worker in workers:
        worker.start()
    changes = 0
    while (left := until - time.perf_counter()) > 0:
        (root / "new").mkdir(exist_ok=True)
        (root / "new" / "SKILL.md").write_text(skill_text(SKILLS + changes), encoding="utf-8")
        changes += 1
        time.sleep(min(left, CHANGE_SECONDS))
    for worker in workers:
        worker.join()
    return seen, changes


def _ask(port: int, number: int, until: float, seen: Seen) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    queries = cycle(f"{verb} the {thing}" for verb in VERBS for thing in THINGS[number:])
    while time.perf_counter() < until:
        body = json.dumps({"weave_protocol": "1.0", "query": next(queries), "top_n": 2})
        started = time.perf_counter()
        try:
            connection.request("POST", "/query", body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            content = json.loads(answer.read())
            if answer.status != 200 or not content["skills"]:
                seen.lost.append(f"{answer.status}")
        except (OSError, http.client.HTTPException) as error:
            seen.lost.append(repr(error))
            connection.close()
        seen.times.append(time.perf_counter() - started)


def _memory(server: Served) -> float:
    """Megabytes of the server."""
    done = subprocess.run(
        ["ps", "-o", "rss=", "-p", str(server.process.pid)], capture_output=True, text=True, check=True
    )
    return int(done.stdout) / 1024


if __name__ == "__main__":
    for figure in run(*map(float, sys.argv[1:2])):
        print(figure)
