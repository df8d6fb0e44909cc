"""The broker as MCP shows it: tools, resources and prompts, as the protocol's own JSON. No SDK here.

Each method takes the parameters of one MCP request and gives its result, both in wire form. A skill is the resource
`skill://ID`; no path of a file leaves the server.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from weave_tui.broker import Broker, Result, band
from weave_tui.prompts import ComposeAgent, ComposeAll, Layer, compose
from weave_tui.protocol import (
    PROTOCOL,
    SchemaViolationError,
    UnsupportedVersionError,
    parse_request,
    published_schema,
    to_json,
)
from weave_tui.server import answers
from weave_tui.server.documents import Schema
from weave_tui.server.library import Desk
from weave_tui.skills import Skill

SCHEME = "skill://"
PAGE = 200
"""Resources of a page."""
FOUND = 10
"""Skills that `find_skills` lists; chosen ones below them are listed too."""

Json = dict[str, Any]


class MisaskedError(ValueError):
    """Parameters that no result belongs to: an unknown name, a cursor of another list."""


def _asked() -> Schema:
    """A WeaveRequest as a tool's arguments: a model need not know the protocol's version."""
    request = published_schema("request")
    return {
        "type": "object",
        "required": ["query"],
        "additionalProperties": False,
        "properties": {**request["properties"], "weave_protocol": {"type": "string", "default": PROTOCOL}},
    }


_NUMBER: Schema = {"type": "number"}
_TEXT: Schema = {"type": "string"}
_FOUND: Schema = {
    "type": "object",
    "required": ["known", "gap", "band", "skills"],
    "properties": {
        "known": {"type": "boolean", "description": "Whether any skill knows a word of the query."},
        "gap": {"type": ["number", "null"], "description": "From the first score to the second."},
        "band": {**_TEXT, "description": "How sure the first place is."},
        "skills": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["id", "uri", "name", "platform", "description", "score", "role", "reasons"],
                "properties": {
                    "id": _TEXT,
                    "uri": _TEXT,
                    "name": _TEXT,
                    "platform": _TEXT,
                    "description": _TEXT,
                    "score": _NUMBER,
                    "role": {"type": ["string", "null"], "description": "match or dependency; null: not chosen."},
                    "reasons": {
                        "type": "array",
                        "description": "The share of each word of the query in the score.",
                        "items": {
                            "type": "object",
                            "required": ["word", "share"],
                            "properties": {"word": _TEXT, "share": _NUMBER},
                        },
                    },
                },
            },
        },
    },
}


@dataclass(frozen=True)
class Face:
    """What an MCP client sees of a desk. `layers` gives the agent prompts' configuration as it is now."""

    desk: Desk
    layers: Callable[[], tuple[Layer, ...]]

    def list_tools(self, _: Json) -> Json:
        about = {
            "find_skills": ("Rank all skills for a task: scores, the gap, how sure, and why.", _FOUND),
            "compose_prompt": ("Merge the best skills for a task into one prompt.", published_schema("response")),
        }
        return {
            "tools": [
                {
                    "name": name,
                    "description": description,
                    "inputSchema": _asked(),
                    "outputSchema": answered,
                    "annotations": {"readOnlyHint": True, "openWorldHint": False},
                }
                for name, (description, answered) in about.items()
            ]
        }

    def call_tool(self, parameters: Json) -> Json:
        tool = {"find_skills": self._find, "compose_prompt": self._compose}.get(parameters["name"])
        if tool is None:
            raise MisaskedError("There are the tools find_skills and compose_prompt.")
        try:
            document = parse_request({"weave_protocol": PROTOCOL, **(parameters.get("arguments") or {})})
            answer = tool(answers.answer(self.desk, document))
        except (UnsupportedVersionError, SchemaViolationError) as error:
            return {"content": [{"type": "text", "text": str(error)}], "isError": True}
        text = json.dumps(answer, ensure_ascii=False)
        return {"content": [{"type": "text", "text": text}], "structuredContent": answer}

    def _compose(self, result: Result) -> Json:
        answer: Json = json.loads(to_json(result.response))
        return answer

    def _find(self, result: Result) -> Json:
        selection, ranking = result.selection, result.ranking
        roles = {entry.position: entry.role for entry in selection.chosen}
        head = [ranking[place] for place in range(min(FOUND, len(ranking)))]
        seen = {row.position for row in head}
        rows = [*head, *(ranking.row(position) for position in roles if position not in seen)]
        return {
            "known": selection.is_known,
            "gap": selection.gap,
            "band": band(selection.gap),
            "skills": [
                {
                    "id": row.skill.id,
                    "uri": SCHEME + row.skill.id,
                    "name": row.skill.name,
                    "platform": row.skill.platform,
                    "description": row.skill.description[: answers.MAX_DESCRIPTION],
                    "score": row.score,
                    "role": roles.get(row.position),
                    "reasons": [
                        {"word": share.word.text, "share": round(share.total, 4)}
                        for share in self.desk.broker.explain(ranking, row.position)
                    ],
                }
                for row in rows
            ],
        }

    def list_resources(self, parameters: Json) -> Json:
        cursor = parameters.get("cursor") or "0"
        if not (cursor.isascii() and cursor.isdigit() and len(cursor) < 10):
            raise MisaskedError("Unknown cursor.")
        start, skills = int(cursor), self.desk.broker.registry.skills
        more = {"nextCursor": str(start + PAGE)} if start + PAGE < len(skills) else {}
        return {"resources": [_resource(skill) for skill in skills[start : start + PAGE]], **more}

    def read_resource(self, parameters: Json) -> Json:
        uri = str(parameters["uri"])
        skill = _skill(self.desk.broker, uri.removeprefix(SCHEME).rstrip("/")) if uri.startswith(SCHEME) else None
        if skill is None:
            raise MisaskedError("No such resource.")
        return {"contents": [{"uri": uri, "mimeType": "text/markdown", "text": skill.body}]}

    def list_prompts(self, _: Json) -> Json:
        plan = compose(self.layers(), ComposeAll()).value
        agents = plan.agents if plan else ()
        return {"prompts": [{"name": a.member.name, "description": a.member.agent.description or ""} for a in agents]}

    def get_prompt(self, parameters: Json) -> Json:
        composed = compose(self.layers(), ComposeAgent(parameters["name"])).value
        if composed is None:
            raise MisaskedError("No agent of that name has a prompt.")
        message = {"role": "user", "content": {"type": "text", "text": composed.prompt.text}}
        return {"description": composed.member.agent.description or "", "messages": [message]}


def _resource(skill: Skill) -> Json:
    return {
        "uri": SCHEME + skill.id,
        "name": skill.name,
        "description": skill.description[: answers.MAX_DESCRIPTION],
        "mimeType": "text/markdown",
    }


def _skill(broker: Broker, identity: str) -> Skill | None:
    registry = broker.registry
    position = registry.positions.get(identity)
    return None if position is None else registry.skills[position]
