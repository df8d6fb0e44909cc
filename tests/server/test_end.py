"""Being told to end: what was asked is answered, the port is free, and it is no failure."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time

import pytest

from tools.serving import served
from weave_tui.resources import sample_skills_dir

pytest.importorskip("uvicorn", reason="the extra 'server' is not installed")

BODY = json.dumps({"weave_protocol": "1.0", "query": "review a pull request"}).encode()
HEAD = b"POST /query HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(
    BODY
)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_requests_finish(number: signal.Signals) -> None:
    with served(str(sample_skills_dir())) as server:
        callers = [socket.create_connection(("127.0.0.1", server.port), timeout=20) for _ in range(3)]
        for caller in callers:
            caller.sendall(HEAD + BODY[:20])
        time.sleep(0.3)
        server.process.send_signal(number)
        time.sleep(0.3)
        for caller in callers:
            caller.sendall(BODY[20:])
            with caller, caller.makefile("rb") as stream:
                head, _, body = stream.read().partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200")
            assert json.loads(body)["skills"]
        assert server.process.wait(timeout=20) == 0
        with socket.socket() as free:
            free.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            free.bind(("127.0.0.1", server.port))


def test_a_port_that_is_taken_is_said() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        command = [sys.executable, "-m", "weave_tui", "serve", "--port", str(taken.getsockname()[1])]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)
    assert done.returncode == 3
    assert "Cannot listen at 127.0.0.1" in done.stderr
