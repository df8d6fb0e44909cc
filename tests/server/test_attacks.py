"""What a hostile page, machine or client may try."""

from __future__ import annotations

import json
import socket
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("fastapi", reason="the extra 'server' is not installed")
pytest.importorskip("uvicorn", reason="the extra 'server' is not installed")

from tests.server.conftest import Open
from tools.serving import served
from weave_tui.resources import sample_skills_dir
from weave_tui.server import answers, bodies, http
from weave_tui.server.guard import LOOPBACK, Door, host_name
from weave_tui.server.run import is_loopback

if TYPE_CHECKING:
    from starlette.testclient import TestClient

REQUEST = {"weave_protocol": "1.0", "query": "a secret plan"}
SECRET = Door(token="t0ken")
JSON = {"Content-Type": "application/json"}
HEAD = b"POST /query HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


@pytest.mark.parametrize("host", ["evil.example", "evil.example:7842", "127.0.0.1.evil.example", "", "[::2]"])
def test_a_foreign_host_is_refused(client: TestClient, host: str) -> None:
    assert client.get("/healthz", headers={"Host": host}).status_code == 403


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:1", "[::1]:7842", "LocalHost:7842"])
def test_this_machines_names_are_not(client: TestClient, host: str) -> None:
    assert client.get("/healthz", headers={"Host": host}).status_code == 200


def test_the_name_in_a_host_header() -> None:
    assert [host_name(text) for text in ("a:1", "A", "[::1]:2", "[::1]", ":80")] == ["a", "a", "::1", "::1", ":80"]


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:7842", ""])
def test_a_foreign_origin_is_refused(client: TestClient, origin: str) -> None:
    answer = client.post("/query", json=REQUEST, headers={"Origin": origin})
    assert answer.status_code == 403
    assert not [name for name in answer.headers if name.startswith("access-control")]


def test_a_named_origin_may_ask(open_app: Open) -> None:
    client = open_app(Door(LOOPBACK, frozenset({"https://good.example"}), "t0ken"))
    origin = {"Origin": "https://good.example"}
    asked = {**origin, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}
    preflight = client.options("/query", headers=asked)
    assert preflight.status_code == 200
    assert preflight.headers["access-control-allow-origin"] == "https://good.example"
    assert client.post("/query", json=REQUEST, headers=origin).status_code == 401
    answer = client.post("/query", json=REQUEST, headers={**origin, "Authorization": "Bearer t0ken"})
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == "https://good.example"
    assert client.options("/query", headers={**asked, "Origin": "https://evil.example"}).status_code == 403


@pytest.mark.parametrize("given", [None, "t0ken", "Bearer", "Bearer t0ke", "Basic t0ken", "Bearer tökén"])
@pytest.mark.parametrize("path", ["/healthz", "/openapi.json", "/skills", "/nowhere"])
def test_a_missing_token(open_app: Open, path: str, given: str | None) -> None:
    headers = {} if given is None else {"Authorization": given.encode()}
    answer = open_app(SECRET).get(path, headers=headers)  # type: ignore[arg-type]
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"


def test_the_token_opens(open_app: Open) -> None:
    assert open_app(SECRET).get("/healthz", headers={"Authorization": "Bearer t0ken"}).status_code == 200


@pytest.mark.parametrize(
    ("host", "expected"), [("127.0.0.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("a.b", False)]
)
def test_what_only_this_machine_reaches(host: str, expected: bool) -> None:
    assert is_loopback(host) is expected


def test_another_address_needs_a_token() -> None:
    from weave_tui.cli import main

    with pytest.raises(SystemExit) as ended:
        main(["serve", "--host", "0.0.0.0", "--port", "0", str(sample_skills_dir())])
    assert ended.value.code == 2


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "/etc/passwd", "..\\x", "file:///etc/passwd", "~/.ssh/id", "a\0b"]
)
def test_a_path_is_only_a_name_that_nothing_has(client: TestClient, name: str) -> None:
    answer = client.post("/compose", json={"weave_protocol": "1.0", "skills": [name]})
    assert answer.status_code == 404
    assert "root:" not in answer.text
    assert client.post("/query", json={**REQUEST, "exclude": [name]}).status_code == 200
    assert client.get("/skills", params={"name": name}).json()["total"] == 0


@pytest.mark.parametrize("name", ["..%2f..%2fetc%2fpasswd", "%2e%2e%2f", "request.json", "request%00", "REQUEST"])
def test_no_schema_of_a_path(client: TestClient, name: str) -> None:
    assert client.get(f"/schemas/{name}").status_code == 404


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"\xff", 400),
        (b'{"weave_protocol": NaN}', 400),
        (b"[" * 100_000, 400),
        (b'{"a":' * 50_000 + b"1" + b"}" * 50_000, 400),
        (b"1" * 5_000, 400),
        (b'{"weave_protocol": "1.0", "query": "\\ud800"}', 400),
        (b"1" * (bodies.MAX_REQUEST + 1), 413),
    ],
    ids=["empty", "open", "bytes", "nan", "deep", "deep-objects", "long-number", "half-a-pair", "large"],
)
def test_bodies_that_are_no_json(client: TestClient, body: bytes, status: int) -> None:
    answer = client.post("/query", content=body, headers=JSON)
    assert answer.status_code == status
    assert set(answer.json()) == {"detail"}


@pytest.mark.parametrize("media_type", ["text/plain", "", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_what_a_form_can_send_is_refused(client: TestClient, media_type: str) -> None:
    headers = {"Content-Type": media_type}
    assert client.post("/query", content=json.dumps(REQUEST), headers=headers).status_code == 415


def test_an_answer_is_not_larger_than_promised(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "MAX_RESPONSE", 1_000)
    assert client.get("/skills").status_code == 422
    assert client.get("/healthz").status_code == 200


def test_an_answer_does_not_take_longer_than_promised(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "WORK_SECONDS", 0.0)
    assert client.post("/query", json=REQUEST).status_code == 503


def test_an_error_tells_nothing(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("/home/someone/secret")

    monkeypatch.setattr(answers, "ask", fail)
    answer = client.post("/query", json=REQUEST)
    assert (answer.status_code, list(answer.json())) == (500, ["detail"])
    assert "someone" not in answer.text and "RuntimeError" not in answer.text


def test_the_log_does_not_tell_what_was_asked(open_app: Open, log: list[str]) -> None:
    open_app().post("/query", json=REQUEST)
    open_app().get("/skills", params={"name": "secret"})
    entries = [json.loads(line) for line in log]
    assert [(e["method"], e["path"], e["status"]) for e in entries] == [
        ("POST", "/query", 200),
        ("GET", "/skills", 200),
    ]
    assert "secret" not in "".join(log)
    open_app(is_asked_logged=True).post("/query", json=REQUEST)
    assert json.loads(log[-1])["asked"] == REQUEST


def test_large_and_slow_bodies() -> None:
    """100 MB that are announced, 100 MB that are not, a body and a head that do not come: the server goes on."""
    with served(str(sample_skills_dir())) as server:
        with socket.create_connection(("127.0.0.1", server.port), timeout=20) as caller:
            caller.sendall(HEAD + b"Content-Length: 104857600\r\n\r\n")
            assert caller.recv(4_096).startswith(b"HTTP/1.1 413")
        with socket.create_connection(("127.0.0.1", server.port), timeout=20) as caller:
            caller.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
            chunk = b"10000\r\n" + b"1" * 65_536 + b"\r\n"
            with pytest.raises(OSError, match=r"reset|pipe"):
                for _ in range(1_600):
                    caller.sendall(chunk)
        with (
            socket.create_connection(("127.0.0.1", server.port), timeout=30) as slow,
            socket.create_connection(("127.0.0.1", server.port), timeout=30) as silent,
        ):
            slow.sendall(HEAD + b"Content-Length: 50\r\n\r\n{")
            silent.sendall(b"GET /healthz HTT")
            assert slow.recv(4_096).startswith(b"HTTP/1.1 408")
            assert silent.recv(4_096) == b""
        code, log = server.end()
        assert code == 0
        assert [json.loads(line)["status"] for line in log.splitlines()] == [413, 413, 408]
