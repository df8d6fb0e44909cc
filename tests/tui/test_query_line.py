"""The query line: known keys filter, everything else is text, and the keys complete."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import Write
from tests.factory import skill
from tests.tui.conftest import Run
from weave_tui.broker.registry import build_registry
from weave_tui.tui.filters import outside, values_of
from weave_tui.tui.query_line import KEYS, Filter, completion, parse

PATH = Filter("path", "src/x.tsx")


@pytest.mark.parametrize(
    ("line", "text", "filters"),
    [
        ("fix it", "fix it", ()),
        ("path:src/x.tsx fix it", "fix it", (PATH,)),
        ("fix path:src/x.tsx", "fix ", (PATH,)),
        ("fix path:src/x.tsx it", "fix it", (PATH,)),
        (
            'platform:Cursor -tag:db name:"a B" go',
            "go",
            (Filter("platform", "cursor"), Filter("tag", "db", True), Filter("name", "a b")),
        ),
        ("a xpath:y http://z foo:bar tag :x", "a xpath:y http://z foo:bar tag :x", ()),
        ("tag: go", "go", ()),
        ('name:"open', "", (Filter("name", "open"),)),
    ],
)
def test_known_keys_filter_and_the_rest_is_text(line: str, text: str, filters: tuple[Filter, ...]) -> None:
    found = parse(line)
    assert (found.text, found.filters) == (text, filters)
    assert found.path == ("src/x.tsx" if PATH in filters else "")


@given(st.text(max_size=60))
def test_text_without_a_key_is_left_as_it_is(line: str) -> None:
    found = parse(line)
    if not any(f"{key}:" in line for key in KEYS):
        assert found.text == line and not found.filters and not found.spans
    assert all(0 <= start <= end <= len(line) for start, end in found.spans)


PIECES = st.lists(st.sampled_from(["go", " ", "tag:", "-", "name:", '"', "a", "is:", "path:x", "\t"]), max_size=12)


@given(PIECES)
def test_no_line_makes_it_fail(pieces: list[str]) -> None:
    line = "".join(pieces)
    found = parse(line)
    assert len(found.text) <= len(line) and all(one.value for one in found.filters)
    assert parse(" ".join(map(str, found.filters))).filters == found.filters or '"' in line
    done = completion(line, {"tag": ["db"], "name": ["a b"]})
    assert done is None or len(done) > len(line)


VALUES = {"platform": ["cursor", "codex"], "name": ["Big Name", "deploy"], "tag": ["db"]}


@pytest.mark.parametrize(
    ("line", "done"),
    [
        ("pla", "platform:"),
        ("fix -ta", "fix -tag:"),
        ("p", None),
        ("platform:cu", "platform:cursor"),
        ("x platform:C", "x platform:Cursor"),
        ("name:big", 'name:"big Name"'),
        ('name:"big n', 'name:"big name"'),
        ("name:deploy", None),
        ("tag:z", None),
        ("deploy", None),
        ("", None),
        ("tag:", "tag:db"),
    ],
)
def test_completion(line: str, done: str | None) -> None:
    assert completion(line, VALUES) == done


REGISTRY = build_registry(
    [
        skill("deploy", capabilities=("ops", "db"), platform="cursor"),
        skill("review", capabilities=("code",), source="project"),
        skill("db-tools", capabilities=("db",)),
    ]
)


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("", {"deploy", "review", "db-tools"}),
        ("platform:cursor", {"deploy"}),
        ("platform:claude", {"review", "db-tools"}),
        ("tag:db", {"deploy", "db-tools"}),
        ("tag:db -platform:cursor", {"db-tools"}),
        ("tag:ops tag:code", {"deploy", "review"}),
        ("name:DB", {"db-tools"}),
        ("source:project", {"review"}),
        ("is:described -is:skill", set()),
        ("-is:shadowed", {"deploy", "review", "db-tools"}),
    ],
)
def test_what_passes(line: str, names: set[str]) -> None:
    left_out = outside(REGISTRY, parse(line).filters)
    assert {one.name for position, one in enumerate(REGISTRY.skills) if position not in left_out} == names


def test_every_key_is_asked_and_has_values() -> None:
    filters = [Filter(key, "x") for key in KEYS]
    assert len(outside(REGISTRY, filters)) == len(REGISTRY)
    assert set(values_of(REGISTRY)) == set(KEYS) - {"path"}


SKILLS: dict[str, str | bytes] = {
    "a/SKILL.md": "---\nname: deploy-web\ndescription: Deploy the web app.\ntags: [ops]\n---\nShip.\n",
    "b/SKILL.md": "---\nname: deploy-db\ndescription: Deploy the database.\ntags: [data]\n---\nShip.\n",
}


async def test_a_filter_narrows_what_is_shown_and_chosen(run_app: Run, write: Write) -> None:
    async with run_app(write(SKILLS)) as app:
        await app.type("deploy the web app ")
        assert app.chosen[0] == "deploy-web"
        await app.type("tag:data")
        assert [row.row.skill.name for row in app.screen.ranking.rows if row] == ["deploy-db"]
        assert app.chosen == ["deploy-db"]
        assert app.session.request and app.session.request.query == "deploy the web app "
        await app.press("alt+p")
        await app.type(" -tag:data")
        assert app.chosen == ["deploy-db"], "what is pinned stays"
        assert app.screen.gap.lines(100)[0][0][1][0] == "  no skill passes tag:data -tag:data"


async def test_keys_and_values_complete_with_the_right_arrow(run_app: Run, write: Write) -> None:
    async with run_app(write(SKILLS)) as app:
        await app.pilot.press(*"ta", "right")
        assert app.screen.query_input.value == "tag:"
        await app.pilot.press("d")
        await app.pilot.pause()
        await app.pilot.press("right")
        assert app.screen.query_input.value == "tag:data"
