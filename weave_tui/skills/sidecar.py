"""Sidecars: the JSON file beside a skill that says what it advertises.

`<stem>.skill.json` speaks for its skill, `weave.skill.json` for the one skill of its folder;
the two are never merged. Valid fields overlay what was inferred, one by one, and nothing in a
sidecar stops a skill from loading (spec: protocol, Advertisement).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from weave_tui.diagnostics import Diagnostic
from weave_tui.protocol import PLATFORMS, UnsupportedVersionError, WeaveAdvertisement, check_version
from weave_tui.skills.files import UnreadableError, decode, read_bytes


def overlay(
    inferred: WeaveAdvertisement, sidecar: Path, text: str | None = None
) -> tuple[WeaveAdvertisement, list[Diagnostic]]:
    """`inferred` with every valid field of the sidecar over it, and what was ignored.

    `text` is what the sidecar says; None reads it.
    """
    try:
        text = (decode(read_bytes(sidecar)) if text is None else text).removeprefix("\ufeff")
        document = json.loads(text)
    except UnreadableError as error:
        return inferred, [Diagnostic("sidecar-invalid", str(error), sidecar, done="ignored")]
    except json.JSONDecodeError as error:
        return inferred, [Diagnostic("sidecar-invalid", error.msg, sidecar, error.lineno, done="ignored")]
    except (ValueError, RecursionError) as error:
        return inferred, [Diagnostic("sidecar-invalid", f"not JSON: {error}", sidecar, done="ignored")]
    if not isinstance(document, dict):
        return inferred, [Diagnostic("sidecar-invalid", "not a JSON object", sidecar, 1, done="ignored")]
    try:
        check_version(document)
    except UnsupportedVersionError as error:
        line = _line_of(text, "weave_protocol")
        return inferred, [Diagnostic("sidecar-version", str(error), sidecar, line, "weave_protocol", "ignored")]
    return _field_by_field(inferred, document, text, sidecar)


def _field_by_field(
    inferred: WeaveAdvertisement, document: dict[str, Any], text: str, sidecar: Path
) -> tuple[WeaveAdvertisement, list[Diagnostic]]:
    diagnostics: list[Diagnostic] = []
    result = inferred
    for key, value in document.items():
        try:
            candidate = WeaveAdvertisement.model_validate({**result.model_dump(), key: _without_blanks(value)})
        except ValidationError as error:
            problem = error.errors(include_url=False)[0]
            place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in problem["loc"])
            message = f"${place}: {problem['msg']}"
            diagnostics.append(Diagnostic("sidecar-field", message, sidecar, _line_of(text, key), key, "field ignored"))
            continue
        if key == "platform" and candidate.platform != inferred.platform:
            message = f"'{value}', but the file is {inferred.platform}'s (platforms: {', '.join(PLATFORMS)})"
            line = _line_of(text, key)
            diagnostics.append(Diagnostic("sidecar-platform", message, sidecar, line, key, "the file's counts"))
            continue
        result = candidate
    return result, diagnostics


def _without_blanks(value: object) -> object:
    """Blank text is empty text, and an empty entry of a list is none."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, list):
        return [item for item in value if not (isinstance(item, str) and not item.strip())]
    return value


def _line_of(text: str, key: str) -> int:
    position = text.find(json.dumps(key, ensure_ascii=False))
    return text.count("\n", 0, position) + 1 if position >= 0 else 0
