"""What is kept of a project from one start to the next: query, pins, exclusions, scope, and earlier queries.

One small JSON file a project, in the user's state folder, readable by nobody else. No Textual here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from weave_tui.files import write_atomically
from weave_tui.protocol import Platform
from weave_tui.skills import Where
from weave_tui.skills.files import UnreadableError, decode, read_bytes
from weave_tui.skills.find import project_folders

MOST_QUERIES = 200
"""Earlier queries that are kept."""
LONGEST_QUERY = 4_000
"""A longer one is pasted material, and is not kept."""


class Kept(BaseModel):
    """What is kept of one project. `history`: earlier queries, newest first; pins are skill ids, exclusions names."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    version: int = Field(default=1, ge=1, le=1)
    root: str = ""
    query: str = ""
    pinned: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    top_n: int = Field(default=1, ge=1, le=2)
    scope: Platform | None = None
    history: tuple[str, ...] = ()


class StateError(ValueError):
    """The state cannot be used or kept; the message says why."""


def state_file(where: Where) -> Path:
    """The file of the project at `where`: of its git root, or of the paths that were given."""
    from platformdirs import user_state_path

    name = hashlib.sha256(root_of(where).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return user_state_path("weave-tui", appauthor=False) / "projects" / f"{name}.json"


def root_of(where: Where) -> str:
    """What a state belongs to, as text."""
    if where.paths:
        return "\n".join(sorted(str(path.expanduser().absolute()) for path in where.paths))
    folders, root = project_folders(where.cwd)
    return str(root or folders[0])


def read_state(path: Path) -> Kept:
    """What was kept; nothing where there is no file. Raises `StateError` for a file that cannot be used."""
    if not path.exists():
        return Kept()
    try:
        return Kept.model_validate_json(decode(read_bytes(path)))
    except UnreadableError as error:
        raise StateError(f"{path}: {error}; starting anew") from error
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        field = ".".join(map(str, problem["loc"])) or "the file"
        raise StateError(f"{path}: {field}: {problem['msg']}; starting anew") from error


def write_state(path: Path, kept: Kept) -> None:
    """Keep it; queries that another window kept meanwhile stay. Raises `StateError`."""
    try:
        others = read_state(path).history
    except StateError:
        others = ()
    kept = kept.model_copy(update={"history": merged(kept.history, others)})
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_atomically(path, json.dumps(kept.model_dump(mode="json"), ensure_ascii=False, indent=1) + "\n")
        path.chmod(0o600)
    except OSError as error:
        raise StateError(f"{path}: not kept: {error.strerror or error}") from error


def merged(own: Iterable[str], others: Iterable[str]) -> tuple[str, ...]:
    """Both histories, each query once, newest first."""
    usable = (query for query in (*own, *others) if query.strip() and len(query) <= LONGEST_QUERY)
    return tuple(dict.fromkeys(usable))[:MOST_QUERIES]


def with_query(history: tuple[str, ...], query: str) -> tuple[str, ...]:
    """The history with that query as its newest."""
    return merged((query.strip(),), history)
