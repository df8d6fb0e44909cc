"""MCP over standard input and output, through the official SDK: one table of requests for both of its generations.

The SDK's first generation registers handlers by request type and knows notifications from a session; its second by
method name, and serves newer clients' subscriptions too. What is answered is `face`'s.
"""

from __future__ import annotations

import asyncio
import importlib
import os
import sys
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import anyio
import anyio.to_thread
from mcp import types
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.stdio import stdio_server
from mcp.shared import exceptions

from weave_tui import __version__
from weave_tui.server.face import Face, Json, MisaskedError
from weave_tui.server.library import Library

IS_FIRST = not hasattr(Server, "add_request_handler")
"""Whether the SDK is of its first generation (mcp below 2)."""

_Announce = Callable[[bool], Coroutine[Any, Any, None]]
"""Tells the client that the prompts may be others, and whether the skills are."""
_INVALID = -32602


@dataclass
class _Heard:
    """The one client of standard input: the session of its last request, None before the first."""

    session: Any = None


class _Request(NamedTuple):
    """A method, its types in the SDK by name, and the `Face` method that answers it."""

    method: str
    asked: str
    parameters: str
    answered: str
    act: str


_REQUESTS = (
    _Request("tools/list", "ListToolsRequest", "PaginatedRequestParams", "ListToolsResult", "list_tools"),
    _Request("tools/call", "CallToolRequest", "CallToolRequestParams", "CallToolResult", "call_tool"),
    _Request(
        "resources/list", "ListResourcesRequest", "PaginatedRequestParams", "ListResourcesResult", "list_resources"
    ),
    _Request(
        "resources/read", "ReadResourceRequest", "ReadResourceRequestParams", "ReadResourceResult", "read_resource"
    ),
    _Request("prompts/list", "ListPromptsRequest", "PaginatedRequestParams", "ListPromptsResult", "list_prompts"),
    _Request("prompts/get", "GetPromptRequest", "GetPromptRequestParams", "GetPromptResult", "get_prompt"),
)


def _misasked(error: MisaskedError) -> Exception:
    sdk: Any = exceptions
    if IS_FIRST:
        failure: Exception = sdk.McpError(types.ErrorData(code=_INVALID, message=str(error)))
    else:
        failure = sdk.MCPError(_INVALID, str(error))
    return failure


async def _answer(face: Face, request: _Request, parameters: Any) -> Any:
    plain: Json = parameters.model_dump(mode="json", by_alias=True, exclude_none=True) if parameters else {}
    try:
        answer = await anyio.to_thread.run_sync(getattr(face, request.act), plain)
    except MisaskedError as error:
        raise _misasked(error) from error
    return getattr(types, request.answered).model_validate(answer)


def first_generation(face: Face, heard: _Heard) -> tuple[Any, _Announce]:
    """A server of mcp 1, and how the lists' changes are announced once it has asked anything."""
    server: Any = Server("weave-tui", version=__version__)
    sdk: Any = types

    async def handle(request: _Request, asked: Any) -> Any:
        heard.session = server.request_context.session
        return sdk.ServerResult(await _answer(face, request, asked.params))

    for request in _REQUESTS:
        server.request_handlers[getattr(types, request.asked)] = partial(handle, request)
    return server, partial(_announce, heard)


def second_generation(face: Face, heard: _Heard) -> tuple[Any, _Announce]:
    """A server of mcp 2, and how the lists' changes are announced: to sessions, and to newer clients' subscriptions."""
    subscriptions: Any = importlib.import_module("mcp.server.subscriptions")
    bus = subscriptions.InMemorySubscriptionBus()
    listen = subscriptions.ListenHandler(bus)
    server: Any = Server("weave-tui", version=__version__, on_subscriptions_listen=listen)

    async def handle(request: _Request, context: Any, parameters: Any) -> Any:
        heard.session = context.session
        return await _answer(face, request, parameters)

    for request in _REQUESTS:
        server.add_request_handler(request.method, getattr(types, request.parameters), partial(handle, request))

    async def announce(are_skills_new: bool) -> None:
        if are_skills_new:
            await bus.publish(subscriptions.ResourcesListChanged())
        await bus.publish(subscriptions.PromptsListChanged())
        await _announce(heard, are_skills_new)

    return server, announce


async def _announce(heard: _Heard, are_skills_new: bool) -> None:
    if heard.session is not None:
        if are_skills_new:
            await heard.session.send_resource_list_changed()
        await heard.session.send_prompt_list_changed()


def _wire() -> dict[str, Any]:
    """Standard output for the protocol alone. The second generation sees to that itself, the first even closes it."""
    if not IS_FIRST:
        return {}
    wire = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return {"stdout": anyio.wrap_file(wire)}


def serve(library: Library, face: Face, beside: Sequence[Path]) -> None:
    """Serve until standard input ends. `beside` are the folders of agent prompts to watch with the skills."""

    async def run() -> None:
        build = first_generation if IS_FIRST else second_generation
        server, announce = build(face, _Heard())
        changed = NotificationOptions(prompts_changed=True, resources_changed=True)
        loop = asyncio.get_running_loop()

        def tell(are_skills_new: bool) -> None:
            asyncio.run_coroutine_threadsafe(announce(are_skills_new), loop)

        with library.watched(tell, beside):
            async with stdio_server(**_wire()) as (read, write):
                await server.run(read, write, server.create_initialization_options(changed))

    asyncio.run(run())
