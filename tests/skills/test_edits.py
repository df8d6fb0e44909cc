"""Edits are written whole or not at all, and say so: changed meanwhile, read-only, full disk, killed half-way."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weave_tui.skills.edits import ChangedMeanwhileError, Edit, commit
from weave_tui.skills.rewrite import EditError
from weave_tui.skills.rewrite_json import rewritten_json

OLD = b"---\r\nname: a\r\ndescription: old\r\n---\r\nBody\r\n"
NEW = OLD.replace(b"old", b"new")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "skill" / "SKILL.md"
    made.parent.mkdir()
    made.write_bytes(OLD)
    return made


def left(path: Path) -> list[str]:
    return [entry.name for entry in path.parent.iterdir()]


def test_it_is_written_with_its_mode_and_nothing_is_left_beside_it(path: Path) -> None:
    path.chmod(0o640)
    edit = Edit(path, OLD, NEW)
    assert [line for line in edit.diff() if line[:1] in "+-" and line[:3] not in ("+++", "---")] == [
        "-description: old",
        "+description: new",
    ]
    commit(edit)
    assert path.read_bytes() == NEW and path.stat().st_mode & 0o777 == 0o640 and left(path) == ["SKILL.md"]


def test_a_file_that_changed_meanwhile_is_left_alone(path: Path) -> None:
    path.write_bytes(OLD + b"more")
    with pytest.raises(ChangedMeanwhileError, match="changed on disk"):
        commit(Edit(path, OLD, NEW))
    assert path.read_bytes() == OLD + b"more" and left(path) == ["SKILL.md"]
    path.unlink()
    with pytest.raises(EditError, match="nothing was written"):
        commit(Edit(path, OLD, NEW))


@pytest.mark.skipif(os.geteuid() == 0 and not Path("/usr/bin/setpriv").exists(), reason="root may write anything")
@pytest.mark.parametrize("what", ["file", "folder"])
def test_what_is_read_only_stays(path: Path, what: str) -> None:
    (path if what == "file" else path.parent).chmod(0o444 if what == "file" else 0o555)
    for folder in (path.parent, *path.parent.parents[:3]):
        if folder.stat().st_uid == os.geteuid() and what == "file":
            folder.chmod(folder.stat().st_mode | 0o755)
    code = f"""
        from pathlib import Path
        from weave_tui.skills.edits import Edit, commit
        from weave_tui.skills.rewrite import EditError
        try:
            commit(Edit(Path({str(path)!r}), {OLD!r}, {NEW!r}))
        except EditError as error:
            print(error)
    """
    said = as_somebody(code)
    assert ("read-only" if what == "file" else "Permission denied") in said or "nothing was written" in said
    path.parent.chmod(0o755)
    assert path.read_bytes() == OLD and left(path) == ["SKILL.md"]


def as_somebody(code: str) -> str:
    """Run as a user whom permissions bind."""
    command = [sys.executable, "-c", textwrap.dedent(code)]
    if os.geteuid() == 0:
        command = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", *command]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False).stdout


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 KB."""
    place = tmp_path / "disk"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode:
        pytest.skip("may not mount a file system")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_full_disk_loses_nothing(small_disk: Path) -> None:
    path = small_disk / "SKILL.md"
    path.write_bytes(OLD)
    (small_disk / "filler").write_bytes(b"x" * 56 * 1024)
    with pytest.raises(EditError, match="the file is as it was"):
        commit(Edit(path, OLD, NEW + b"y" * 32 * 1024))
    assert path.read_bytes() == OLD and sorted(left(path)) == ["SKILL.md", "filler"]


def test_a_kill_before_the_rename_leaves_the_old_file(path: Path) -> None:
    code = f"""
        import os, signal
        from pathlib import Path
        from weave_tui.skills.edits import Edit, commit
        Path.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
        commit(Edit(Path({str(path)!r}), {OLD!r}, {NEW!r}))
    """
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], env=environment, check=False)
    assert done.returncode == -signal.SIGKILL
    assert path.read_bytes() == OLD


SIDECAR = '{\n  "weave_protocol": "1.0",\n  "trigger_patterns": [\n    "a"\n  ],\n  "author": "me"\n}\n'


def test_a_sidecar_keeps_the_rest_of_its_text() -> None:
    assert rewritten_json(SIDECAR, "trigger_patterns", ("b", "c")) == SIDECAR.replace('[\n    "a"\n  ]', '["b", "c"]')
    added = rewritten_json(SIDECAR, "capabilities", ("x",))
    assert added == SIDECAR.replace('"author": "me"', '"author": "me",\n  "capabilities": ["x"]')
    assert json.loads(rewritten_json("{}", "author", "x")) == {"author": "x"}


@pytest.mark.parametrize("text", ["[]", "{", "1", ""])
def test_a_sidecar_that_is_not_sound_is_not_touched(text: str) -> None:
    with pytest.raises(EditError):
        rewritten_json(text, "author", "x")


@given(
    st.dictionaries(st.sampled_from(["a", "b", 'c"d']), st.none() | st.lists(st.text(max_size=3), max_size=2)),
    st.sampled_from([None, 2]),
    st.text(st.characters(exclude_categories=["Cc", "Cs", "Co", "Cn"]), max_size=10),
)
def test_any_object_gets_the_field_and_keeps_the_others(
    document: dict[str, object], indent: int | None, value: str
) -> None:
    new = rewritten_json(json.dumps(document, indent=indent), "a", (value,))
    wanted = [" ".join(value.split())] if value.split() else []
    assert json.loads(new) == {**document, "a": wanted}
