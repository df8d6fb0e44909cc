"""What each path answers, and that it is what the broker says in process."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.conftest import Write
from tools.serving import served
from weave_tui.broker import Broker, Encoder
from weave_tui.protocol import DOCUMENTS, parse_request, published_schema, to_json
from weave_tui.skills import Where, load

if TYPE_CHECKING:
    from starlette.testclient import TestClient

REQUEST = {"weave_protocol": "1.0", "query": "design a REST endpoint with a React form", "top_n": 2, "exclude": []}
NAMED = {"weave_protocol": "1.0", "skills": ["backend-api"]}
SEED: dict[str, str | bytes] = {
    "naksha-studio/SKILL.md": "---\nname: naksha\ndescription: Design.\n---\nYou are a design system expert.\n",
    "naksha-studio/weave.skill.json": json.dumps(
        {
            "weave_protocol": "1.0",
            "name": "Naksha Design System",
            "version": "1.0.0",
            "platform": "claude_code",
            "capabilities": ["design", "components", "tokens", "accessibility"],
            "trigger_patterns": ["design a component", "build a layout", "apply design tokens"],
            "dependencies": [],
        }
    ),
    "backend/SKILL.md": "---\nname: Backend API Engineer\ndescription: Design a REST endpoint with validation.\n---\n"
    "You are a REST API engineer.\n",
}
STRANGER = """
import json, sys, urllib.request
from jsonschema import Draft7Validator
url, document = sys.argv[1:]

def get(path, body=None):
    asked = urllib.request.Request(url + path, body and body.encode(), {"Content-Type": "application/json"})
    return json.load(urllib.request.urlopen(asked, timeout=20))

Draft7Validator(get("/schemas/request")).validate(json.loads(document))
answer = get("/query", document)
Draft7Validator(get("/schemas/response")).validate(answer)
assert not [name for name in sys.modules if name.startswith("weave_tui")]
print(json.dumps(answer))
"""
"""A client that knows nothing of this package but the published schemas."""


def test_the_seeds_example_over_http(write: Write, encoder: Encoder, tmp_path: Path) -> None:
    pytest.importorskip("uvicorn", reason="the extra 'server' is not installed")
    root = write(SEED)
    with served(str(root)) as server:
        command = [sys.executable, "-I", "-c", STRANGER, server.url, json.dumps(REQUEST)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert {match["name"] for match in answer["skills"]} == {"Naksha Design System", "Backend API Engineer"}
    broker = Broker(encoder)
    broker.replace(load(Where((root,))).skills)
    assert answer == json.loads(to_json(broker.query(parse_request(REQUEST)).response))


def test_nothing_answers(client: TestClient) -> None:
    answer = client.post("/query", json={"weave_protocol": "1.0", "query": "qqqq zzzz"})
    assert (answer.status_code, answer.json()) == (200, {"weave_protocol": "1.0", "skills": [], "composed": ""})


@pytest.mark.parametrize("path", ["/query", "/compose"])
@pytest.mark.parametrize("version", ["1.1", "", 1, 1.0, True, None, [], ["1.0"], {"a": "1.0"}])
def test_another_version(client: TestClient, path: str, version: object) -> None:
    shown = version if isinstance(version, str) else json.dumps(version)
    answer = client.post(path, json={"weave_protocol": version, "nonsense": 1})
    assert answer.status_code == 400
    assert answer.json() == {"detail": f"Unsupported protocol version: {shown}. This broker supports: 1.0"}


@pytest.mark.parametrize(
    ("path", "document", "places"),
    [
        ("/query", {}, ["$.query", "$.weave_protocol"]),
        ("/query", [], ["$"]),
        ("/query", {**REQUEST, "query": ""}, ["$.query"]),
        ("/query", {**REQUEST, "query": " \n"}, ["$.query"]),
        ("/query", {**REQUEST, "top_n": 3}, ["$.top_n"]),
        ("/query", {**REQUEST, "exclude": ["a", 1]}, ["$.exclude[1]"]),
        ("/query", {**REQUEST, "path": "/etc"}, ["$.path"]),
        ("/compose", {"weave_protocol": "1.0"}, ["$.skills"]),
        ("/compose", {**NAMED, "skills": []}, ["$.skills"]),
        ("/compose", {**NAMED, "skills": ["a"] * 21}, ["$.skills"]),
        ("/compose", {**NAMED, "layout": "html"}, ["$.layout"]),
        ("/compose", {**NAMED, "max_tokens": 0}, ["$.max_tokens"]),
    ],
)
def test_a_violation_names_its_place(client: TestClient, path: str, document: object, places: list[str]) -> None:
    answer = client.post(path, json=document)
    assert answer.status_code == 422
    assert sorted(violation["path"] for violation in answer.json()["violations"]) == places


def test_a_name_that_nobody_has_is_not_found(client: TestClient) -> None:
    answer = client.post("/compose", json={**NAMED, "skills": ["backend-api", "nobody"]})
    assert answer.status_code == 404
    assert answer.json()["violations"] == [{"path": "$.skills[1]", "message": "no skill has that name or id"}]


def test_compose_by_name_and_id(client: TestClient, broker: Broker) -> None:
    (position,) = broker.registry.named("backend-api")
    skill = broker.registry.skills[position]
    by_name, by_id = (client.post("/compose", json={**NAMED, "skills": [n]}).json() for n in (skill.name, skill.id))
    assert by_name == by_id
    assert by_name["parts"][0]["id"] == skill.id
    assert by_name["composed"].startswith(by_name["parts"][0]["text"])


def test_a_name_of_several_skills_needs_an_id(write: Write, encoder: Encoder) -> None:
    from weave_tui.server import answers
    from weave_tui.server.library import Desk

    text = "---\nname: twin\ndescription: A twin.\n---\nBody of {}.\n"
    broker = Broker(encoder)
    broker.replace(load(Where((write({f"{n}/SKILL.md": text.format(n) for n in ("one", "two")}),))).skills)
    with pytest.raises(answers.SeveralSkillsError) as refused:
        answers.compose(Desk(broker), {**NAMED, "skills": ["twin"]})
    for skill in broker.registry.skills:
        assert skill.id in str(refused.value) and str(skill.path) not in str(refused.value)


def test_compose_shorter(client: TestClient) -> None:
    whole, cut, minimal = (
        client.post("/compose", json={**NAMED, **more}).json()
        for more in ({}, {"max_tokens": 200}, {"strategy": "minimal"})
    )
    assert cut["tokens"] < whole["tokens"] and cut["cuts"]
    assert minimal["tokens"] < whole["tokens"]


def test_no_path_leaves(client: TestClient, broker: Broker) -> None:
    names = [skill.id for skill in broker.registry.skills][:10]
    root = str(broker.registry.skills[0].root)
    for layout in ("default", "xml", "markdown"):
        answer = client.post("/compose", json={"weave_protocol": "1.0", "skills": names, "layout": layout})
        assert answer.status_code == 200
        assert root not in answer.text
    assert root not in client.get("/skills").text


def test_skills_are_paged_and_filtered(client: TestClient, broker: Broker) -> None:
    pages = [client.get("/skills", params={"offset": offset, "limit": 10}).json() for offset in (0, 10, 20, 30)]
    assert [len(page["skills"]) for page in pages] == [10, 10, 4, 0]
    assert [row["id"] for page in pages for row in page["skills"]] == [s.id for s in broker.registry.skills]
    cursor = client.get("/skills", params={"platform": "cursor"}).json()
    assert cursor["total"] == len(cursor["skills"]) > 0
    assert {row["platform"] for row in cursor["skills"]} == {"cursor"}
    assert [row["name"] for row in client.get("/skills?name=BACKEND").json()["skills"]] == ["backend-api"]
    refused = client.get("/skills?limit=1_0")
    assert refused.status_code == 422 and refused.json()["violations"][0]["path"] == "$.limit"


def test_schemas_and_health(client: TestClient) -> None:
    for name in DOCUMENTS:
        assert client.get(f"/schemas/{name}").json() == published_schema(name)
    assert client.get("/schemas/settings").status_code == 404
    assert client.get("/healthz").json() == {"status": "ok", "skills": 24}


@pytest.mark.parametrize("path", ["/", "/docs", "/redoc", "/skills/", "/reload", "/schemas"])
def test_nothing_more(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_the_examples_are_what_is_answered(client: TestClient) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    query, compose = (paths[path]["post"] for path in ("/query", "/compose"))
    example = query["requestBody"]["content"]["application/json"]["example"]
    assert client.post("/query", json=example).status_code == 200
    answered = query["responses"]["200"]["content"]["application/json"]["example"]
    assert {match["name"] for match in answered["skills"]} == {"Naksha Design System", "Backend API Engineer"}
    composed = compose["responses"]["200"]["content"]["application/json"]["example"]
    assert [part["name"] for part in composed["parts"]] == ["Backend API Engineer", "Naksha Design System"]


def test_changed_files_are_served(write: Write) -> None:
    pytest.importorskip("uvicorn", reason="the extra 'server' is not installed")
    with served(str(write(SEED))) as server:
        for number in range(100):
            # Written anew each time: the first writes may come before the watcher is there.
            write({"new/SKILL.md": f"---\nname: new\ndescription: A new one.\n---\nBody {number}.\n"})
            with urllib.request.urlopen(f"{server.url}/skills?name=new", timeout=10) as answer:
                total = json.load(answer)["total"]
            if total:
                break
            time.sleep(0.1)
        assert total == 1
