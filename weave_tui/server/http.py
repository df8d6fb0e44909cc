"""The HTTP app: what is asked at which path, and what every refusal looks like."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, Any, TypeVar

from fastapi import FastAPI, HTTPException, Query, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BeforeValidator
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import JSONResponse, Response

from weave_tui.protocol import Platform, SchemaViolationError, UnsupportedVersionError, to_json
from weave_tui.server import answers, documents
from weave_tui.server.bodies import json_response, read_json
from weave_tui.server.guard import AccessLog, Door, Guard
from weave_tui.server.library import Desk
from weave_tui.server.openapi import describe
from weave_tui.skills import Activation, Kind

WORK_SECONDS = 20.0
"""How long an answer may take."""
THREADS = 4
MAX_PAGE = 200
MAX_OFFSET = 1_000_000_000

T = TypeVar("T")


def _digits(value: object) -> object:
    """Numbers of a query string are digits; pydantic would take " +1_0.0" too."""
    if isinstance(value, str) and not (value.isascii() and value.isdigit()):
        raise ValueError("expected a whole number")
    return value


Whole = BeforeValidator(_digits)


def create_app(desk: Desk, door: Door, write: Callable[[str], object], *, is_asked_logged: bool = False) -> FastAPI:
    """The app at a desk. `write` gets the access log; with `is_asked_logged` it has the documents asked."""
    app = FastAPI(docs_url=None, redoc_url=None, redirect_slashes=False)
    pool = ThreadPoolExecutor(THREADS, "answer")

    async def work(act: Callable[[], T]) -> T:
        try:
            async with asyncio.timeout(WORK_SECONDS):
                return await asyncio.get_running_loop().run_in_executor(pool, act)
        except TimeoutError as error:
            raise HTTPException(503, f"The answer took more than {WORK_SECONDS:g} s.", {"Retry-After": "5"}) from error

    async def asked(request: Request) -> Any:
        document = await read_json(request)
        if is_asked_logged:
            request.scope["state"]["asked"] = document
        return document

    @app.post("/query")
    async def query(request: Request) -> Response:
        document = await asked(request)
        return json_response(await work(lambda: to_json(answers.ask(desk, document).response, indent=None)))

    @app.post("/compose")
    async def compose(request: Request) -> Response:
        document = await asked(request)
        return json_response(await work(lambda: _dump(answers.compose(desk, document))))

    @app.get("/skills")
    async def skills(
        name: Annotated[str | None, Query(max_length=200)] = None,
        platform: Annotated[Platform | None, Query()] = None,
        kind: Annotated[Kind | None, Query()] = None,
        activation: Annotated[Activation | None, Query()] = None,
        offset: Annotated[int, Whole, Query(ge=0, le=MAX_OFFSET)] = 0,
        limit: Annotated[int, Whole, Query(ge=1, le=MAX_PAGE)] = 50,
    ) -> Response:
        filters = answers.Filters(name, platform, kind, activation)
        return json_response(await work(lambda: _dump(answers.listing(desk.broker.registry, filters, offset, limit))))

    @app.get("/schemas/{name}")
    async def schemas(name: str) -> Response:
        if name not in documents.SCHEMAS:
            raise HTTPException(404, f"There are the schemas {', '.join(documents.SCHEMAS)}.")
        return json_response(_dump(documents.schema(name)))

    @app.get("/healthz")
    async def healthz() -> Response:
        return json_response(_dump({"status": "ok", "skills": len(desk.broker.registry)}))

    for kind_, handler in _REFUSALS.items():
        app.add_exception_handler(kind_, handler)
    app.openapi = lambda: describe(desk.broker.encoder, door.token is not None)  # type: ignore[method-assign]
    # The last one added is asked first.
    if door.origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=sorted(door.origins),
            allow_methods=["GET", "POST"],
            allow_headers=["Authorization", "Content-Type"],
        )
    app.add_middleware(Guard, door=door)
    app.add_middleware(AccessLog, write=write)
    return app


def _dump(document: Any) -> str:
    return json.dumps(document, ensure_ascii=False)


async def _unsupported(_: Request, error: Exception) -> Response:
    return JSONResponse({"detail": str(error)}, 400)


_BROKEN = {answers.NoSuchSkillError: 404, answers.SeveralSkillsError: 409, SchemaViolationError: 422}


async def _violated(_: Request, error: Exception) -> Response:
    assert isinstance(error, SchemaViolationError)
    found = [{"path": violation.path, "message": violation.message} for violation in error.violations]
    status = next(status for kind, status in _BROKEN.items() if isinstance(error, kind))
    return JSONResponse({"detail": str(error), "violations": found}, status)


async def _misasked(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    found = [
        {"path": ".".join(["$", *map(str, problem["loc"][1:])]), "message": problem["msg"]}
        for problem in error.errors()
    ]
    return JSONResponse({"detail": "The request is not valid.", "violations": found}, 422)


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, StarletteHTTPException)
    return JSONResponse({"detail": error.detail}, error.status_code, error.headers)


async def _failed(_: Request, __: Exception) -> Response:
    return JSONResponse({"detail": "The server could not answer; its own log says why."}, 500)


_REFUSALS: dict[type[Exception], Any] = {
    UnsupportedVersionError: _unsupported,
    SchemaViolationError: _violated,
    RequestValidationError: _misasked,
    StarletteHTTPException: _refused,
    Exception: _failed,
}
