"""Claude Code's plugins and overrides, as its own settings files state them.

Enabled plugins live in `plugins/cache` and are named by the settings; `plugins/marketplaces` is
what could be installed, and is never read (spec: skill-files, activation).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from weave_tui.diagnostics import Diagnostic
from weave_tui.skills.files import UnreadableError, decode, read_bytes
from weave_tui.skills.model import Activation


@dataclass(frozen=True, slots=True)
class Plugin:
    """An installed plugin: its name, its folder in the cache, and "off" as `override` when it is disabled."""

    name: str
    folder: Path
    override: Activation | None


OVERRIDES: dict[str, Activation | None] = {"off": "off", "user-invocable-only": "manual", "name-only": None, "on": None}
"""What a value of `skillOverrides` makes of a skill's activation; None leaves it."""


def claude_plugins(home: Path, folders: Iterable[Path]) -> tuple[list[Plugin], list[Diagnostic]]:
    """The installed plugins that the settings in `folders` (weakest first) name; the last word counts."""
    enabled: dict[str, bool] = {}
    problems: list[Diagnostic] = []
    for settings in _settings(folders, problems):
        listed = settings.get("enabledPlugins")
        if isinstance(listed, dict):
            enabled |= {str(key): value is True for key, value in listed.items()}
    cache = home / "plugins" / "cache"
    places = _installed(home, problems) if enabled else {}
    plugins = []
    for key, is_enabled in enabled.items():
        folder = places.get(key) or _newest(cache, key)
        if folder and _is_below(folder, cache):
            plugins.append(Plugin(key.partition("@")[0], folder, None if is_enabled else "off"))
        elif is_enabled:
            problems.append(Diagnostic("plugin-missing", f"'{key}' is not in {cache}", home / "settings.json"))
    return plugins, problems


def skill_overrides(folders: Iterable[Path]) -> dict[str, Activation]:
    """Activations that `skillOverrides` sets, by skill name."""
    found: dict[str, Activation] = {}
    for settings in _settings(folders, []):
        listed = settings.get("skillOverrides")
        for name, value in listed.items() if isinstance(listed, dict) else ():
            activation = OVERRIDES.get(str(value))
            if activation:
                found[str(name)] = activation
            else:
                found.pop(str(name), None)
    return found


def _settings(folders: Iterable[Path], problems: list[Diagnostic]) -> Iterator[dict[str, Any]]:
    """The settings of each folder, shared ones before local ones."""
    for folder in dict.fromkeys(folders):
        for name in ("settings.json", "settings.local.json"):
            if document := _read(folder / name, problems):
                yield document


def _read(path: Path, problems: list[Diagnostic]) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        document = json.loads(decode(read_bytes(path)))
    except (UnreadableError, ValueError, RecursionError) as error:
        problems.append(Diagnostic("settings-invalid", str(error).split("\n")[0], path, done="ignored"))
        return {}
    return document if isinstance(document, dict) else {}


def _installed(home: Path, problems: list[Diagnostic]) -> dict[str, Path]:
    """Where `installed_plugins.json` says each plugin is; the last entry of several counts."""
    document = _read(home / "plugins" / "installed_plugins.json", problems)
    listed = document.get("plugins", document)
    places: dict[str, Path] = {}
    for key, value in listed.items() if isinstance(listed, dict) else ():
        for entry in value if isinstance(value, list) else [value]:
            place = entry.get("installPath") if isinstance(entry, dict) else None
            if isinstance(place, str):
                places[str(key)] = Path(place)
    return places


def _newest(cache: Path, key: str) -> Path | None:
    """The newest version of a plugin in the cache: `cache/MARKETPLACE/PLUGIN/VERSION` or `cache/PLUGIN`."""
    name, _, marketplace = key.partition("@")
    if not name or {name, marketplace} & {".", ".."} or "/" in key or os.sep in key:
        return None
    versions = [path for path in (cache / marketplace / name).glob("*") if path.is_dir()] if marketplace else []
    versions = [path for path in versions if path.name not in {"skills", "agents", "commands"}] or [
        path for path in (cache / marketplace / name, cache / name) if path.is_dir()
    ]
    return max(versions, key=lambda path: path.stat().st_mtime, default=None)


def _is_below(folder: Path, cache: Path) -> bool:
    return folder.is_dir() and Path(os.path.realpath(folder)).is_relative_to(os.path.realpath(cache))
