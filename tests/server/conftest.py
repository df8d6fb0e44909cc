"""The HTTP app over the sample skills, without a socket."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from weave_tui.broker import Broker
from weave_tui.server.library import Desk

if TYPE_CHECKING:
    from starlette.testclient import TestClient

Open = Callable[..., "TestClient"]


@pytest.fixture
def log() -> list[str]:
    """What the app wrote into its access log."""
    return []


@pytest.fixture
def open_app(broker: Broker, log: list[str]) -> Open:
    """A client of the app behind a door; by default one that only this machine's names open."""
    pytest.importorskip("fastapi", reason="the extra 'server' is not installed")
    pytest.importorskip("httpx", reason="the test client needs httpx")
    from starlette.testclient import TestClient

    from weave_tui.server.guard import Door
    from weave_tui.server.http import create_app

    def opened(door: Door | None = None, *, is_asked_logged: bool = False) -> TestClient:
        app = create_app(Desk(broker), door or Door(), log.append, is_asked_logged=is_asked_logged)
        return TestClient(app, base_url="http://127.0.0.1:7842", raise_server_exceptions=False)

    return opened


@pytest.fixture
def client(open_app: Open) -> TestClient:
    return open_app()
