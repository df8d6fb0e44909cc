"""The SDK's own client drives `weave-tui mcp` as a process; nothing but the protocol is on its standard output."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Write
from tools.serving import ROOT
from weave_tui.broker import Broker
from weave_tui.protocol import parse_request, published_schema, to_json, violations
from weave_tui.resources import sample_skills_dir
from weave_tui.server.face import Face, MisaskedError
from weave_tui.server.library import Desk

TASK = "design a REST endpoint with a React form"
SKILL = "---\nname: {0}\ndescription: Paint {0}.\n---\nBody of {0}.\n"
AGENTS = """agent painter {
  description "Paints."
  prompt "You are {{agent.name}}."
}
"""


def plain(model: Any) -> Any:
    """A result of either generation of the SDK, as it is on the wire."""
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


@asynccontextmanager
async def client(root: Path, heard: list[str], command: str = "mcp") -> AsyncIterator[Any]:
    """An initialized session with a server over `root`, in `root`; `heard` gets the methods of notifications."""
    mcp = pytest.importorskip("mcp", reason="the extra 'mcp' is not installed")
    from mcp.client.stdio import stdio_client

    async def hear(message: Any) -> None:
        method = getattr(getattr(message, "root", message), "method", None)
        if method:
            heard.append(method)

    arguments = ["-m", "weave_tui", command, "--no-cache", str(root)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    server = mcp.StdioServerParameters(command=sys.executable, args=arguments, env=environment, cwd=str(root))
    async with stdio_client(server) as (read, write), mcp.ClientSession(read, write, message_handler=hear) as session:
        await session.initialize()
        yield session


async def test_tools(write: Write) -> None:
    async with client(sample_skills_dir(), []) as session:
        tools = {tool["name"]: tool for tool in plain(await session.list_tools())["tools"]}
        assert tools["compose_prompt"]["outputSchema"] == published_schema("response")
        found = plain(await session.call_tool("find_skills", {"query": TASK}))["structuredContent"]
        assert found["band"] and found["gap"] >= 0
        assert [skill["role"] for skill in found["skills"][:2]] == ["match", "match"]
        assert {share["word"] for share in found["skills"][0]["reasons"]} >= {"REST", "React"}
        answer = plain(await session.call_tool("compose_prompt", {"query": TASK, "top_n": 2}))["structuredContent"]
        assert violations("response", answer) == ()
        refused = plain(await session.call_tool("compose_prompt", {"query": TASK, "weave_protocol": "2"}))
        assert refused["isError"]
        assert refused["content"][0]["text"] == "Unsupported protocol version: 2. This broker supports: 1.0"


async def test_resources_prompts_and_changes(write: Write) -> None:
    heard: list[str] = []
    root = write({"a/SKILL.md": SKILL.format("a"), ".weave/config.weave": AGENTS})
    async with client(root, heard) as session:
        (resource,) = plain(await session.list_resources())["resources"]
        assert resource["name"] == "a" and str(root) not in json.dumps(resource)
        read = plain(await session.read_resource(resource["uri"]))
        assert read["contents"][0]["text"] == "Body of a."
        (prompt,) = plain(await session.list_prompts())["prompts"]
        assert prompt == {"name": "painter", "description": "Paints."}
        got = plain(await session.get_prompt("painter"))
        assert got["messages"][0]["content"]["text"] == "You are painter."
        for number in range(100):
            if "notifications/resources/list_changed" in heard:
                break
            write({"b/SKILL.md": SKILL.format("b") + f"{number}\n"})
            await asyncio.sleep(0.2)
        assert "notifications/resources/list_changed" in heard
        assert [entry["name"] for entry in plain(await session.list_resources())["resources"]] == ["a", "b"]


def test_standard_output_is_the_protocol_alone(write: Write) -> None:
    pytest.importorskip("mcp", reason="the extra 'mcp' is not installed")
    about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    asked = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": about},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    ]
    with subprocess.Popen(
        [sys.executable, "-m", "weave_tui", "mcp", "--no-cache", str(write({"a/SKILL.md": SKILL.format("a")}))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as process:
        assert process.stdin and process.stdout
        process.stdin.write("".join(json.dumps(message) + "\n" for message in asked))
        process.stdin.flush()
        answers = [json.loads(process.stdout.readline()) for _ in range(2)]
        process.stdin.close()
        assert process.stdout.read() == ""
        assert process.wait(timeout=20) == 0
    assert [answer["id"] for answer in answers] == [1, 2]


def test_compose_prompt_is_the_brokers_own_answer(broker: Broker) -> None:
    answer = Face(Desk(broker), tuple).call_tool({"name": "compose_prompt", "arguments": {"query": TASK}})
    request = parse_request({"weave_protocol": "1.0", "query": TASK})
    assert answer["structuredContent"] == json.loads(to_json(broker.query(request).response))


@pytest.mark.parametrize(
    ("act", "parameters"),
    [
        ("call_tool", {"name": "rm"}),
        ("read_resource", {"uri": "file:///etc/passwd"}),
        ("read_resource", {"uri": "skill://../../etc/passwd"}),
        ("list_resources", {"cursor": "-1"}),
        ("get_prompt", {"name": "nobody"}),
    ],
)
def test_what_is_misasked(broker: Broker, act: str, parameters: dict[str, str]) -> None:
    with pytest.raises(MisaskedError):
        getattr(Face(Desk(broker), tuple), act)(parameters)
