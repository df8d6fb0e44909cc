"""Who may ask: the checks before any request is looked at, and the access log.

The broker reads a person's files, so a page in their browser must not reach it (foreign `Origin`, or a foreign
`Host` after DNS rebinding), nor another machine without the token.
"""

from __future__ import annotations

import hmac
import json
import time
from collections.abc import Callable
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
MAX_PATH = 200
"""Characters of a path in the log."""


@dataclass(frozen=True, slots=True)
class Door:
    """Whom the server lets in: the names it is called by, the origins of web pages, the token if there is one."""

    hosts: frozenset[str] = LOOPBACK
    origins: frozenset[str] = frozenset()
    token: str | None = None


def host_name(header: str) -> str:
    """The host of a `Host` header, without its port and brackets, in lower case."""
    name, _, port = header.rpartition(":")
    if not name or not port.isdecimal():
        name = header
    return name.strip("[]").lower()


def _foreign_host(headers: Headers, door: Door) -> Response | None:
    named = headers.getlist("host")
    if len(named) == 1 and host_name(named[0]) in door.hosts:
        return None
    return refusal(403, "This server does not answer for that Host.")


def _foreign_origin(headers: Headers, door: Door) -> Response | None:
    if set(headers.getlist("origin")) <= door.origins:
        return None
    return refusal(403, "This server does not answer pages of that Origin.")


def _missing_token(headers: Headers, door: Door) -> Response | None:
    if door.token is None:
        return None
    given = headers.getlist("authorization")
    wanted = f"Bearer {door.token}".encode()
    if len(given) == 1 and hmac.compare_digest(given[0].encode("latin-1", "replace"), wanted):
        return None
    return refusal(401, "A token is needed: Authorization: Bearer TOKEN.", {"WWW-Authenticate": "Bearer"})


_CHECKS = (_foreign_host, _foreign_origin, _missing_token)


def refusal(status: int, detail: str, headers: dict[str, str] | None = None) -> Response:
    return JSONResponse({"detail": detail}, status, headers)


class Guard:
    """Lets a request through to `app` when every check passes."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self.app = app
        self.door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app = self.app
        if scope["type"] == "http":
            headers = Headers(scope=scope)
            # A browser asks without the token whether it may ask with it.
            is_preflight = scope["method"] == "OPTIONS" and "origin" in headers
            checks = _CHECKS[:-1] if is_preflight else _CHECKS
            app = next((refused for check in checks if (refused := check(headers, self.door))), app)
        await app(scope, receive, send)


class AccessLog:
    """One JSON object a request, without what was asked unless the app put it into `scope["state"]["asked"]`."""

    def __init__(self, app: ASGIApp, write: Callable[[str], object]) -> None:
        self.app = app
        self.write = write

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = time.perf_counter()
        scope.setdefault("state", {})
        status, size = 0, 0

        async def counted(message: Message) -> None:
            nonlocal status, size
            status = message.get("status", status)
            size += len(message.get("body", b""))
            await send(message)

        try:
            await self.app(scope, receive, counted)
        finally:
            entry = {
                "at": round(time.time(), 3),
                "client": (scope.get("client") or [""])[0],
                "method": scope["method"],
                "path": scope["path"][:MAX_PATH],
                "status": status,
                "bytes": size,
                "ms": round((time.perf_counter() - started) * 1000, 1),
            }
            asked = scope["state"].get("asked")
            self.write(json.dumps(entry if asked is None else {**entry, "asked": asked}))
