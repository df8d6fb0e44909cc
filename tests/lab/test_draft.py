"""Drafts: what is previewed is what would be read, and the edit is the file's own characters and no others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Write
from weave_tui.broker import Broker, Encoder, Rules
from weave_tui.lab import selftest
from weave_tui.lab.draft import (
    Home,
    counters,
    echo_changes,
    edited,
    open_draft,
    ranked,
    reworded,
    scores_of,
)
from weave_tui.skills import Skill, Where, load
from weave_tui.skills.edits import commit
from weave_tui.skills.rewrite import EditError

DEPLOY = "---\nname: deploy-app\ndescription: Deploy an application. # short\ntriggers: [ship it]\n---\n\nShip.\n"
REVIEW = "---\nname: pr-review\ndescription: Review a pull request.\n---\n\nRead.\n"
FILES: dict[str, str | bytes] = {"deploy-app/SKILL.md": DEPLOY, "pr-review/SKILL.md": REVIEW}


def loaded(root: Path) -> dict[str, Skill]:
    return {skill.name: skill for skill in load(Where((root,))).skills}


def test_a_draft_says_what_the_file_says(write: Write) -> None:
    skills = loaded(write(FILES))
    draft = open_draft(skills["deploy-app"])
    assert (draft.description, draft.triggers, draft.homes) == ("Deploy an application.", ("ship it",), (Home.FILE,))
    assert open_draft(skills["pr-review"]).triggers == (), "a description that stands in is no trigger"
    unchanged = reworded(draft, draft.description, draft.triggers, Home.FILE)
    assert unchanged.edits == () and unchanged.skill == skills["deploy-app"]


def test_what_is_previewed_is_what_is_read_once_it_is_written(write: Write) -> None:
    root = write(FILES)
    draft = open_draft(loaded(root)["deploy-app"])
    now = reworded(draft, "Deploy: to\nproduction.", ["ship it", "roll out", ""], Home.FILE)
    for edit in now.edits:
        commit(edit)
    again = loaded(root)["deploy-app"]
    assert again == now.skill
    assert (root / "deploy-app/SKILL.md").read_text() == DEPLOY.replace(
        "Deploy an application. #", "'Deploy: to production.' #"
    ).replace("[ship it]", '["ship it", "roll out"]')


def test_triggers_live_in_the_sidecar_where_it_gives_them(write: Write) -> None:
    sidecar = '{"weave_protocol": "1.0", "trigger_patterns": ["go"]}'
    root = write({**FILES, "deploy-app/weave.skill.json": sidecar})
    draft = open_draft(loaded(root)["deploy-app"])
    assert (draft.triggers, draft.homes) == (("go",), (Home.SIDECAR,))
    now = reworded(draft, draft.description, ["go", "now"], draft.homes[0])
    assert [edit.path.name for edit in now.edits] == ["weave.skill.json"]
    commit(now.edits[0])
    assert json.loads((root / "deploy-app/weave.skill.json").read_text())["trigger_patterns"] == ["go", "now"]
    assert loaded(root)["deploy-app"] == now.skill
    assert (root / "deploy-app/SKILL.md").read_text() == DEPLOY


def test_a_person_chooses_where_both_could_hold_them(write: Write) -> None:
    root = write({**FILES, "pr-review/weave.skill.json": '{"weave_protocol": "1.0"}'})
    draft = open_draft(loaded(root)["pr-review"])
    assert draft.homes == (Home.FILE, Home.SIDECAR)
    for home, name in ((Home.FILE, "SKILL.md"), (Home.SIDECAR, "weave.skill.json")):
        now = reworded(draft, draft.description, ["look over it"], home)
        assert [edit.path.name for edit in now.edits] == [name]
        assert now.skill.advertisement.trigger_patterns == ("look over it",)


def test_what_cannot_be_edited_here_says_why(write: Write) -> None:
    root = write({**FILES, "AGENTS.md": "# Guide\n\nBuild with make.\n"})
    skills = loaded(root)
    with pytest.raises(EditError, match=r"AGENTS\.md has no frontmatter"):
        open_draft(skills["Guide"])
    (root / "pr-review/SKILL.md").unlink()
    with pytest.raises(EditError, match="pr-review"):
        open_draft(skills["pr-review"])
    with pytest.raises(EditError, match=r"U\+001B"):
        reworded(open_draft(skills["deploy-app"]), "a\x1b[31m", [], Home.FILE)


def test_a_draft_ranks_without_touching_the_broker(write: Write, encoder: Encoder) -> None:
    skills = loaded(write(FILES))
    broker = Broker(encoder)
    broker.replace(skills.values())
    position = broker.registry.positions[skills["pr-review"].id]
    before = ranked(broker, position, "roll out the release", Rules())
    now = reworded(open_draft(skills["pr-review"]), "Roll out the release.", (), Home.FILE)
    changed = edited(broker, position, now.skill)
    after = ranked(changed, position, "roll out the release", Rules())
    assert after and after.place == 1 and (before is None or before.score < after.score)
    assert ranked(broker, position, "roll out the release", Rules()) == before
    assert ranked(broker, position, "  ", Rules()) is None
    echoes = list(selftest.ask(broker, selftest.phrases(broker)))
    old = list(scores_of(broker, position, echoes, Rules()))
    assert echo_changes(echoes, position, old, old) == (0, 0), "no change takes nothing"
    rob = edited(broker, position, reworded(open_draft(skills["pr-review"]), "ship it. " * 3, (), Home.FILE).skill)
    home = [echo for echo in echoes if not echo.is_lost and echo.phrase.position != position]
    taken = echo_changes(echoes, position, old, list(scores_of(rob, position, echoes, Rules())))[1]
    assert taken <= len(home)


def test_counters_say_what_tools_read(write: Write, encoder: Encoder) -> None:
    skills = loaded(write(FILES))
    broker = Broker(encoder)
    broker.replace(skills.values())
    said = counters(broker, skills["pr-review"], "x" * 1_100)
    assert said.startswith("1,100 / 1,024 characters · 1,536 are listed · the listing takes 1,")
