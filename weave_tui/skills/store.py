"""What was read before: readings by file stamp and content, in memory and on disk.

A file is read again only when its modification time, size or inode changed, and parsed again only
when its content did. The database is a cache: whatever is wrong with it, it is made anew, and
whoever cannot write it goes on without. SQLite keeps two processes and a kill in the middle apart.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from weave_tui import __version__
from weave_tui.diagnostics import Diagnostic
from weave_tui.protocol import PROTOCOL, WeaveAdvertisement
from weave_tui.skills.files import UnreadableError, read_bytes
from weave_tui.skills.find import Found
from weave_tui.skills.model import Activation, Skill
from weave_tui.skills.read import Reading, read

RECIPE = f"{__version__}/1"
"""Changes whenever reading makes something else of the same bytes: older readings are then not used."""

KEPT_DAYS = 30
"""Readings that no load asked for in so many days are dropped."""
MAX_BYTES = 512 * 1024 * 1024
"""A database larger than this is emptied: it holds things that come back by themselves."""

BUSY_SECONDS = 2.0
"""How long another process may hold the database before a load goes on without it."""

_JSON = json.JSONDecoder()
_CHUNK = 500
_SCHEMA = """
CREATE TABLE IF NOT EXISTS readings (
    key TEXT PRIMARY KEY, stamp TEXT NOT NULL, digest TEXT NOT NULL, meta TEXT NOT NULL, body TEXT NOT NULL,
    day INTEGER NOT NULL
) WITHOUT ROWID
"""


class Remembered:
    """Readings of earlier loads. `path` None keeps them in memory only."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self._memory: dict[str, tuple[str, str, Reading]] = {}
        self._frozen: dict[str, tuple[str, str, str, str]] = {}
        self._fresh: dict[str, tuple[str, str, Reading]] = {}
        self._used: list[str] = []
        self._day = int(time.time() // 86_400)

    def recall(self, found: Iterable[Found]) -> None:
        """Fetch from disk what is known about these files."""
        keys = [key for key in map(_key, found) if key not in self._memory]

        def fetch(database: sqlite3.Connection) -> None:
            for key, stamp, digest, meta, body, day in _rows(database, keys):
                self._frozen[key] = (stamp, digest, meta, body)
                if day != self._day:
                    self._used.append(key)

        if keys and self.path is not None and self.path.exists():
            self._with_database(fetch)

    def read(self, found: Found) -> Reading:
        """The reading of one file: the remembered one while nothing changed."""
        key, stamp = _key(found), _stamp(found)
        frozen = self._frozen.pop(key, None)
        if frozen and (thawed := _thaw(*frozen[2:], found)):
            self._memory[key] = (*frozen[:2], thawed)
        known = self._memory.get(key)
        if known and known[0] == stamp:
            return known[2]
        digest = _digest(found)
        reading = known[2] if known and digest and known[1] == digest else read(found)
        if digest:
            self._memory[key] = self._fresh[key] = (stamp, digest, reading)
        return reading

    def save(self) -> None:
        """Write what is new, and drop what has not been asked for in a long time."""
        rows = [
            (key, stamp, digest, *_freeze(reading), self._day) for key, (stamp, digest, reading) in self._fresh.items()
        ]

        def write(database: sqlite3.Connection) -> None:
            with database:
                if self.extent()[1] > MAX_BYTES:
                    database.execute("DELETE FROM readings")
                database.executemany("INSERT OR REPLACE INTO readings VALUES (?, ?, ?, ?, ?, ?)", rows)
                used = [(self._day, key) for key in self._used]
                database.executemany("UPDATE readings SET day = ? WHERE key = ?", used)
                database.execute("DELETE FROM readings WHERE day < ?", (self._day - KEPT_DAYS,))

        if self.path is not None and (rows or self._used):
            self._with_database(write)
            self._fresh, self._used = {}, []

    def extent(self) -> tuple[int, int]:
        """How many files are remembered on disk, and in how many bytes."""
        counted: list[int] = [0]

        def count(database: sqlite3.Connection) -> None:
            counted[:] = database.execute("SELECT count(*) FROM readings").fetchone()

        if self.path is None or not self.path.exists():
            return 0, 0
        self._with_database(count)
        return counted[0], sum(file.stat().st_size for file in _database_files(self.path) if file.exists())

    def _with_database(self, act: Callable[[sqlite3.Connection], None]) -> None:
        """Let `act` use the database. What is wrong with it ends the act, not the load: a damaged one is removed."""
        assert self.path is not None
        connection = None
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self.path, timeout=BUSY_SECONDS)
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.execute(_SCHEMA)
            act(connection)
        except sqlite3.OperationalError:
            pass  # locked, read-only or full: the next load tries again
        except sqlite3.DatabaseError:
            forget(self.path)
        except OSError:
            pass  # no place for a cache: every load reads anew
        finally:
            if connection is not None:
                connection.close()


def _rows(database: sqlite3.Connection, keys: Sequence[str]) -> Iterator[tuple[str, str, str, str, str, int]]:
    """The rows of these keys: looked up in chunks, or all rows scanned where that is most of them."""
    select = "SELECT key, stamp, digest, meta, body, day FROM readings"
    (count,) = database.execute("SELECT count(*) FROM readings").fetchone()
    if len(keys) * 2 >= count:
        wanted = set(keys)
        yield from (row for row in database.execute(select) if row[0] in wanted)
        return
    for start in range(0, len(keys), _CHUNK):
        chunk = keys[start : start + _CHUNK]
        yield from database.execute(f"{select} WHERE key IN ({','.join('?' * len(chunk))})", chunk)


def forget(path: Path) -> int:
    """Remove the database at `path`; how many bytes that gave back."""
    freed = 0
    for file in _database_files(path):
        with contextlib.suppress(OSError):
            size = file.stat().st_size
            file.unlink()
            freed += size
    return freed


def _database_files(path: Path) -> list[Path]:
    return [path, *(path.with_name(path.name + ending) for ending in ("-wal", "-shm", "-journal"))]


def _key(found: Found) -> str:
    return "\0".join((found.real, found.path, found.platform, found.kind, str(int(found.loose)), found.plugin))


def _stamp(found: Found) -> str:
    mtime, size, inode = found.stamp
    beside = f"{found.sidecar}\0{found.sidecar_stamp}" if found.sidecar else ""
    return f"{RECIPE} {mtime} {size} {inode} {beside}"


def _digest(found: Found) -> str:
    """What the file and its sidecar hold, as a hash; "" for what cannot be read (that is never remembered)."""
    digest = hashlib.blake2b(f"{RECIPE}\0{found.sidecar}\0".encode("utf-8", "surrogateescape"), digest_size=16)
    try:
        digest.update(read_bytes(Path(found.real)))
        if found.sidecar:
            digest.update(b"\0" + read_bytes(Path(found.sidecar)))
    except UnreadableError:
        return ""
    return digest.hexdigest()


def _freeze(reading: Reading) -> tuple[str, str]:
    """A reading as JSON and the body beside it."""
    told = [[d.code, d.message, str(d.path or ""), d.line, d.field, d.done] for d in reading.diagnostics]
    skill = reading.skill
    if skill is None:
        return json.dumps([told, None], ensure_ascii=False), ""
    offered = skill.advertisement
    known = [
        skill.id,
        skill.description,
        skill.body_line,
        skill.activation,
        skill.globs,
        skill.cites,
        offered.name,
        offered.version,
        offered.capabilities,
        offered.trigger_patterns,
        offered.author,
        offered.dependencies,
    ]
    return json.dumps([told, known], ensure_ascii=False), skill.body


def _thaw(meta: str, body: str, found: Found) -> Reading | None:
    """The reading of `found` again; None when it is not what was written."""
    try:
        (told, known), _ = _JSON.raw_decode(meta)
        diagnostics = [
            Diagnostic(code, message, Path(path) if path else None, line, field, done)
            for code, message, path, line, field, done in told
        ]
        return Reading(_skill(known, body, found) if known else None, tuple(diagnostics))
    except (ValueError, TypeError, KeyError):
        return None


def _skill(known: list[Any], body: str, found: Found) -> Skill:
    identity, description, line, activation, globs, cites, *offered = known
    name, version, capabilities, patterns, author, dependencies = offered
    real = Path(found.real)
    return Skill(
        id=identity,
        path=real,
        locations=(real if found.path == found.real else Path(found.path),),
        root=found.root,
        source=found.source,
        kind=found.kind,
        advertisement=WeaveAdvertisement.model_validate(
            {
                "weave_protocol": PROTOCOL,
                "name": name,
                "version": version,
                "platform": found.platform,
                "capabilities": capabilities,
                "trigger_patterns": patterns,
                "author": author,
                "dependencies": dependencies,
            }
        ),
        description=description,
        body=body,
        body_line=line,
        activation=activation,
        globs=tuple(globs),
        cites=tuple(cites),
    )


def placed(skill: Skill, found: Found, locations: Sequence[str], overrides: Mapping[str, Activation]) -> Skill:
    """The skill as it was found this time: places, source, and what the tool's settings make of its activation."""
    activation = found.override or skill.activation
    if skill.platform == "claude_code":
        activation = overrides.get(skill.name, activation)
    if len(locations) == 1 and (skill.root, skill.source, skill.activation) == (found.root, found.source, activation):
        return skill
    places = tuple(map(Path, locations))
    return replace(skill, locations=places, root=found.root, source=found.source, activation=activation)
