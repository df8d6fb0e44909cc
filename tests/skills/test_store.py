"""What is remembered: only what changed is read again, and nothing that happens to the cache loses a skill."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import Write
from weave_tui.skills import Loaded, Remembered, Where, load
from weave_tui.skills.find import Found
from weave_tui.skills.read import Reading, read
from weave_tui.skills.store import forget

FILES: dict[str, str | bytes] = {
    f"{name}/SKILL.md": f"---\nname: {name}\ndescription: Does {name}: well.\ntags: [x]\n---\nBody of {name}. é"
    for name in "abcde"
}


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were parsed."""
    seen: list[str] = []

    def counted(found: Found) -> Reading:
        seen.append(Path(found.path).parent.name)
        return read(found)

    monkeypatch.setattr("weave_tui.skills.store.read", counted)
    return seen


def warm(root: Path, database: Path | None) -> Loaded:
    return load(Where((root,)), Remembered(database))


def test_a_warm_load_reads_nothing_and_is_the_same(write: Write, tmp_path: Path, reads: list[str]) -> None:
    root, database = write(FILES), tmp_path / "cache.sqlite"
    cold = warm(root, database)
    assert sorted(reads) == list("abcde")
    reads.clear()
    assert warm(root, database) == cold
    assert reads == []


def test_only_what_changed_is_read(write: Write, tmp_path: Path, reads: list[str]) -> None:
    root, database = write(FILES), tmp_path / "cache.sqlite"
    warm(root, database)
    reads.clear()
    (root / "b" / "SKILL.md").write_text("---\nname: b\ndescription: New.\n---\nNew.")
    (root / "c" / "weave.skill.json").write_text('{"author": "me"}')
    os.utime(root / "d" / "SKILL.md", (1, 1))
    (root / "e" / "SKILL.md").unlink()
    loaded = warm(root, database)
    assert sorted(reads) == ["b", "c"], "a touched file with the same bytes is not parsed again"
    by_name = {skill.name: skill for skill in loaded.skills}
    assert by_name["b"].body == "New."
    assert by_name["c"].advertisement.author == "me"
    assert "e" not in by_name
    reads.clear()
    (root / "c" / "weave.skill.json").unlink()
    assert {s.name: s for s in warm(root, database).skills}["c"].advertisement.author == ""


def test_diagnostics_are_remembered_too(write: Write, tmp_path: Path) -> None:
    root, database = write(FILES | {"x/SKILL.md": b"\xff", "y.md": "no skill"}), tmp_path / "cache.sqlite"
    cold = warm(root, database)
    assert {d.code for d in cold.diagnostics} == {"frontmatter-repaired", "not-text", "not-a-skill"}
    assert warm(root, database).diagnostics == cold.diagnostics


@pytest.mark.parametrize(
    "damage",
    [b"", b"not a database at all, not even close", b"SQLite format 3\0" + b"\xff" * 4_000],
    ids=["empty", "text", "torn"],
)
def test_a_damaged_database_is_made_anew(write: Write, tmp_path: Path, damage: bytes) -> None:
    root, database = write(FILES), tmp_path / "cache.sqlite"
    cold = warm(root, database)
    forget(database)
    database.write_bytes(damage)
    assert warm(root, database) == cold
    assert warm(root, database) == cold
    assert Remembered(database).extent()[0] == 5


def test_damage_in_the_middle_loses_nothing(write: Write, tmp_path: Path) -> None:
    root, database = write(FILES), tmp_path / "cache.sqlite"
    cold = warm(root, database)
    data = bytearray(database.read_bytes())
    for at in range(100, len(data), 97):
        data[at] ^= 0x5A
    database.write_bytes(data)
    assert warm(root, database).skills == cold.skills


def test_a_cache_that_cannot_be_written_is_done_without(write: Write, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    assert len(warm(write(FILES), blocked / "cache.sqlite").skills) == 5


def test_forgetting(write: Write, tmp_path: Path) -> None:
    root, database = write(FILES), tmp_path / "cache.sqlite"
    warm(root, database)
    count, size = Remembered(database).extent()
    assert count == 5 and size > 0
    assert forget(database) >= size
    assert Remembered(database).extent() == (0, 0)


def test_what_nobody_asks_for_is_dropped(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root, database = write(FILES), tmp_path / "cache.sqlite"
    warm(root, database)
    later = time.time() + 40 * 86_400
    monkeypatch.setattr("weave_tui.skills.store.time.time", lambda: later)
    (root / "a" / "SKILL.md").write_text("---\nname: a\ndescription: d\n---\nNew.")
    for name in "bcde":
        (root / name / "SKILL.md").unlink()
    warm(root, database)
    assert Remembered(database).extent()[0] == 1


LOADER = """
import sys
from pathlib import Path
from weave_tui.skills import Remembered, Where, load
print(len(load(Where((Path(sys.argv[1]),)), Remembered(Path(sys.argv[2]))).skills), flush=True)
"""


def start(root: Path, database: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", LOADER, str(root), str(database)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_two_processes_at_once(write: Write, tmp_path: Path) -> None:
    root = write({f"s{i}/SKILL.md": f"---\nname: s{i}\ndescription: d\n---\nBody {i}." for i in range(300)})
    database = tmp_path / "cache.sqlite"
    both = [start(root, database) for _ in range(2)]
    for process in both:
        out, err = process.communicate(timeout=60)
        assert (out.strip(), err) == ("300", "")
    assert len(warm(root, database).skills) == 300


def test_killed_while_writing(write: Write, tmp_path: Path) -> None:
    root = write({f"s{i}/SKILL.md": f"---\nname: s{i}\ndescription: d\n---\n{'Body. ' * 300}{i}" for i in range(300)})
    database = tmp_path / "cache.sqlite"
    for attempt in range(8):
        process = start(root, database)
        for _ in range(400):
            if database.with_name("cache.sqlite-wal").exists() or process.poll() is not None:
                break
            time.sleep(0.005)
        time.sleep(0.002 * attempt)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert len(warm(root, None).skills) == 300
    loaded = warm(root, database)
    assert len(loaded.skills) == 300
    assert loaded == warm(root, database)
