"""Running the HTTP app: the socket, uvicorn, and an end that loses no request."""

from __future__ import annotations

import asyncio
import ipaddress
import signal
import socket
from collections.abc import Callable

import h11
import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER_SECONDS = 10.0
"""How long the head of a request may take to arrive."""
IDLE_SECONDS = 5
FINISH_SECONDS = 30
"""How long requests may take to finish once the server is told to end."""
MAX_CONNECTIONS = 256


class _Patient(H11Protocol):
    """uvicorn's connection, closed when the head of a request does not arrive in time."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait_for_head()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is h11.IDLE and self._deadline is None:
            self._wait_for_head()
        elif self.conn.their_state is not h11.IDLE and self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _wait_for_head(self) -> None:
        self._deadline = self.loop.call_later(HEADER_SECONDS, self._give_up)

    def _give_up(self) -> None:
        if self.conn.their_state is h11.IDLE:
            self.transport.close()


class _Told(uvicorn.Server):
    """uvicorn's server, which says when it listens and for which being told to end is no failure."""

    def __init__(self, config: uvicorn.Config, tell: Callable[[], object]) -> None:
        super().__init__(config)
        self._tell = tell
        # uvicorn puts its own handlers before these, and when it has finished it raises the signal once more.
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._end)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._tell()

    def _end(self, *_: object) -> None:
        self.should_exit = True


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach `host`."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def bind(host: str, port: int) -> socket.socket:
    """A socket at that address; port 0 takes a free one. Raises `OSError`."""
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    bound = socket.socket(family, kind, protocol)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
    except OSError:
        bound.close()
        raise
    return bound


def address(bound: socket.socket) -> str:
    """The URL of a bound socket."""
    host, port = bound.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def serve(app: FastAPI, bound: socket.socket, tell: Callable[[], object]) -> None:
    """Serve until SIGTERM or SIGINT; what was asked by then is answered. `tell` hears when it starts."""
    config = uvicorn.Config(
        app,
        http=_Patient,
        ws="none",
        access_log=False,
        log_level="warning",
        server_header=False,
        proxy_headers=False,
        limit_concurrency=MAX_CONNECTIONS,
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=FINISH_SECONDS,
    )

    asyncio.run(_Told(config, tell).serve([bound]))
