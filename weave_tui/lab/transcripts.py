"""Claude Code's transcripts: what was asked, and which skill was used for it.

A transcript is a file of JSON lines below `projects/` in Claude Code's folder, one a session. Only prompts that a
person typed count, and the first skill that is used before the next one. Files are read line by line and never
changed; a line that is no JSON or of another form is passed over, since the form is Claude Code's own.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from weave_tui.lab.outcomes import Used

LONGEST_LINE = 8 * 1024 * 1024
LONGEST_PROMPT = 4_000
"""Characters of a prompt that are asked with: what is behind them is pasted material."""

_NOT_TYPED = ("<command-", "<local-command", "<system-reminder", "<user-prompt", "[Request interrupted", "Caveat: ")
"""How texts begin that stand as a person's but were written by the tool."""


def transcripts_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Where Claude Code keeps its transcripts."""
    named = environ.get("CLAUDE_CONFIG_DIR", "")
    return (Path(named).expanduser() if named else Path.home() / ".claude") / "projects"


def read_transcripts(folder: Path, project: Path | None, most: int) -> list[Used]:
    """The last `most` prompts, newest files first. `project`: only those asked in that folder or below it.

    Raises OSError when the folder cannot be read.
    """
    files = sorted(
        (path for slug in folder.iterdir() if slug.is_dir() for path in slug.glob("*.jsonl")),
        key=lambda path: (-path.stat().st_mtime, path.name),
    )
    found: list[Used] = []
    for path in files:
        found += list(_prompts(path, project))[::-1]
        if len(found) >= most:
            break
    return found[:most]


def _prompts(path: Path, project: Path | None) -> Iterator[Used]:
    """The prompts of one session, in their order."""
    asked, used = "", ""
    for entry in _entries(path):
        if entry.get("isSidechain") or entry.get("isMeta"):
            continue
        if text := _typed(entry):
            if asked:
                yield Used(asked, used)
            asked, used = (text if _is_in(entry, project) else ""), ""
        elif not used:
            used = _skill(entry)
    if asked:
        yield Used(asked, used)


def _entries(path: Path) -> Iterator[dict[str, Any]]:
    try:
        with path.open("rb") as file:
            while line := file.readline(LONGEST_LINE):
                try:
                    entry = json.loads(line)
                except (ValueError, RecursionError):
                    continue
                if isinstance(entry, dict):
                    yield entry
    except OSError:
        return


def _is_in(entry: Mapping[str, Any], project: Path | None) -> bool:
    where = entry.get("cwd")
    return project is None or (isinstance(where, str) and Path(where).is_relative_to(project))


def _content(entry: Mapping[str, Any], role: str) -> list[dict[str, Any]]:
    """The blocks of a message of that role; plain text is one block."""
    message = entry.get("message")
    if entry.get("type") != role or not isinstance(message, dict):
        return []
    content = message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _typed(entry: Mapping[str, Any]) -> str:
    """The prompt that a person typed, "" for anything else."""
    blocks = _content(entry, "user")
    if any(block.get("type") == "tool_result" for block in blocks):
        return ""
    texts = (block.get("text") for block in blocks if block.get("type") == "text")
    typed = [text for text in texts if isinstance(text, str) and not text.lstrip().startswith(_NOT_TYPED)]
    return "\n".join(typed).strip()[:LONGEST_PROMPT]


def _skill(entry: Mapping[str, Any]) -> str:
    """The skill that a message uses, "" for none."""
    for block in _content(entry, "assistant"):
        given = block.get("input")
        if block.get("type") == "tool_use" and block.get("name") == "Skill" and isinstance(given, dict):
            # Older versions name it `command`.
            name = given.get("skill") or given.get("command")
            if isinstance(name, str):
                return name.lstrip("/").split(" ")[0]
    return ""
