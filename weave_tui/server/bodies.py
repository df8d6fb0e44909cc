"""Bodies in and out: bounded in size and time, strict JSON, and never more than was promised."""

from __future__ import annotations

import asyncio
import json
from typing import Any, NoReturn

from fastapi import HTTPException
from starlette.requests import Request
from starlette.responses import Response

MAX_REQUEST = 1024 * 1024
"""Bytes of a request's body."""
MAX_RESPONSE = 16 * 1024 * 1024
"""Bytes of an answer: eight skill files of the largest size that is read."""
BODY_SECONDS = 10.0
"""How long a body may take to arrive."""


async def read_json(request: Request) -> Any:
    """The decoded body of a request. Raises `HTTPException` with 400, 408, 413 or 415."""
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise HTTPException(415, "The body must be application/json.")
    body = await _read(request)
    try:
        document = json.loads(body.decode("utf-8"), parse_constant=_no_constant)
        # Escapes can write half a surrogate pair, which is no text.
        json.dumps(document, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError) as error:
        raise HTTPException(400, "The body is not valid JSON in UTF-8.") from error
    return document


async def _read(request: Request) -> bytes:
    declared = request.headers.get("content-length", "0")
    if not declared.isdecimal() or int(declared[:20]) > MAX_REQUEST:
        raise _too_large()
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for chunk in request.stream():
                body += chunk
                if len(body) > MAX_REQUEST:
                    raise _too_large()
    except TimeoutError as error:
        raise HTTPException(408, f"The body did not arrive in {BODY_SECONDS:g} s.", {"Connection": "close"}) from error
    return bytes(body)


def _too_large() -> HTTPException:
    return HTTPException(413, f"The body is larger than {MAX_REQUEST:,} bytes.", {"Connection": "close"})


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def json_response(text: str) -> Response:
    """An answer as it goes out. Raises `HTTPException` with 422 for one that is larger than the limit."""
    # A sidecar can write half a surrogate pair into a name, which UTF-8 cannot say.
    body = text.encode("utf-8", "replace")
    if len(body) > MAX_RESPONSE:
        raise HTTPException(422, f"The answer would be larger than {MAX_RESPONSE:,} bytes; ask for less.")
    return Response(body, media_type="application/json")
