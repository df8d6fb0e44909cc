"""What is kept of a project: taken back at the next start, private, and never in the way when it is damaged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import Write
from tests.tui.conftest import Run
from weave_tui.skills import Where
from weave_tui.tui.screens.choose import ChoiceList
from weave_tui.tui.screens.history import HistoryScreen
from weave_tui.tui.state import (
    LONGEST_QUERY,
    MOST_QUERIES,
    Kept,
    StateError,
    merged,
    read_state,
    root_of,
    state_file,
    with_query,
    write_state,
)

SKILLS: dict[str, str | bytes] = {
    "a/SKILL.md": "---\nname: deploy-web\ndescription: Deploy the web app.\n---\nShip.\n",
    "b/SKILL.md": "---\nname: deploy-db\ndescription: Deploy the database.\n---\nMigrate.\n",
}


def test_it_is_read_back_as_it_was_written_and_by_nobody_else(tmp_path: Path) -> None:
    path = tmp_path / "state" / "x.json"
    assert read_state(path) == Kept()
    kept = Kept(query="go\nthere", pinned=("1",), excluded=("x",), top_n=2, scope="cursor", history=("b", "a"))
    write_state(path, kept)
    assert read_state(path) == kept
    assert path.stat().st_mode & 0o777 == 0o600


def test_another_windows_queries_stay(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    write_state(path, Kept(history=("theirs", "both")))
    write_state(path, Kept(history=("mine", "both")))
    assert read_state(path).history == ("mine", "both", "theirs")


@given(st.lists(st.text(max_size=5)), st.lists(st.text(max_size=5)))
def test_a_history_has_each_query_once(own: list[str], others: list[str]) -> None:
    found = merged(own, others)
    assert len(found) == len(set(found)) <= MOST_QUERIES and all(query.strip() for query in found)
    assert set(found) <= {*own, *others}


def test_the_newest_query_is_first_and_pasted_material_is_not_kept() -> None:
    assert with_query(("a", "b"), " b ") == ("b", "a")
    assert with_query(("a",), "x" * (LONGEST_QUERY + 1)) == ("a",)


@pytest.mark.parametrize("text", ["{", "[]", '{"version": 2}', '{"top_n": 9}', "\x00", '{"scope": "elsewhere"}'])
def test_a_damaged_file_is_told(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(StateError, match=r"x\.json: .*starting anew"):
        read_state(path)


def test_each_project_has_its_own(tmp_path: Path, isolated: Path) -> None:
    (tmp_path / "p" / ".git").mkdir(parents=True)
    (tmp_path / "p" / "deep").mkdir()
    inside, top = Where(cwd=tmp_path / "p" / "deep"), Where(cwd=tmp_path / "p")
    assert state_file(inside) == state_file(top) != state_file(Where(cwd=tmp_path))
    assert root_of(Where((Path("b"), Path("a")))) == root_of(Where((Path("a"), Path("b"))))
    assert state_file(top).is_relative_to(isolated)


async def test_the_next_start_goes_on_where_the_last_one_ended(run_app: Run, write: Write, tmp_path: Path) -> None:
    root, state = write(SKILLS), tmp_path / "state.json"
    async with run_app(root, state=state) as app:
        await app.type("deploy the web app")
        await app.press("down", "alt+p", "up", "alt+x")
    kept = json.loads(state.read_text())
    assert kept["query"] == "deploy the web app" and kept["excluded"] == ["deploy-web"] and len(kept["pinned"]) == 1
    async with run_app(root, state=state) as app:
        assert app.screen.query_input.value == "deploy the web app"
        assert app.chosen == ["deploy-db"] and app.session.choices.excluded == ("deploy-web",)
        await app.type("new")
        assert app.screen.query_input.value == "new", "what is typed replaces the query of the last start"
    async with run_app(root, state=state, query="given") as app:
        assert app.screen.query_input.value == "given", "the command line is stronger"
        await app.type(" more")
        assert app.screen.query_input.value == "given more"
    async with run_app(root) as app:
        assert app.screen.query_input.value == ""


async def test_ctrl_r_takes_an_earlier_query_back(run_app: Run, write: Write, tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    write_state(state, Kept(history=("second query", "first one")))
    async with run_app(write(SKILLS), state=state) as app:
        await app.pilot.press("ctrl+r")
        await app.until(lambda: isinstance(app.pilot.app.screen, HistoryScreen))
        await app.pilot.press(*"first")
        assert list(app.pilot.app.screen.query_one(ChoiceList).choices) == ["first one"]
        await app.pilot.press("enter")
        await app.until(lambda: app.screen.query_input.value == "first one")


async def test_a_copied_query_is_remembered_at_once(run_app: Run, write: Write, tmp_path: Path) -> None:
    async with run_app(write(SKILLS), state=tmp_path / "state.json") as app:
        await app.type("deploy the web app")
        await app.pilot.press("enter")
        await app.until(lambda: app.screen.kept.history == ("deploy the web app",))
        await app.until(lambda: "deploy the web app" in read_state(tmp_path / "state.json").history)


async def test_a_damaged_state_is_said_and_does_not_stop_the_app(run_app: Run, write: Write, tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    state.write_text("{broken")
    async with run_app(write(SKILLS), state=state) as app:
        assert "starting anew" in app.said
    assert json.loads(state.read_text())["version"] == 1


async def test_without_state_nothing_is_written(run_app: Run, write: Write, isolated: Path) -> None:
    async with run_app(write(SKILLS)) as app:
        await app.type("deploy")
        await app.pilot.press("ctrl+r")
        assert "nothing is kept" in app.said
    assert not list(isolated.rglob("*.json"))
