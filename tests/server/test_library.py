"""The watched library: what changed before the watcher was there, folders that come, and a path that goes."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path

from tests.conftest import Write
from weave_tui.broker import Broker, Encoder
from weave_tui.server.library import Desk, Library
from weave_tui.skills import Remembered, Where

SKILL = "---\nname: {0}\ndescription: Paint {0}.\n---\nBody of {0}.\n"


def until(happened: Callable[[], bool]) -> None:
    for _ in range(200):
        if happened():
            return
        time.sleep(0.05)
    raise TimeoutError


def test_what_changed_before_the_watcher_was_there(write: Write, encoder: Encoder) -> None:
    library = Library(Where((write({"a/SKILL.md": SKILL.format("a")}),)), Remembered(), Desk(Broker(encoder)))
    write({"b/SKILL.md": SKILL.format("b")})
    told: list[bool] = []
    with library.watched(told.append):
        until(lambda: len(library.desk.broker.registry) == 2 and told == [True])


def test_a_path_that_goes_leaves_the_registry_as_it_was(write: Write, encoder: Encoder) -> None:
    root = write({"a/SKILL.md": SKILL.format("a")})
    library = Library(Where((root,)), Remembered(), Desk(Broker(encoder)))
    shutil.rmtree(root)
    assert library.reload() is False
    assert [skill.name for skill in library.desk.broker.registry.skills] == ["a"]


def test_changes_beside_the_skills_are_told(write: Write, encoder: Encoder, tmp_path: Path) -> None:
    beside = tmp_path / "beside"
    beside.mkdir()
    library = Library(Where((write({"a/SKILL.md": SKILL.format("a")}),)), Remembered(), Desk(Broker(encoder)))
    told: list[bool] = []
    with library.watched(told.append, [beside]):
        for number in range(100):
            (beside / "config.weave").write_text(str(number))
            if told:
                break
            time.sleep(0.1)
    assert told[0] is False
