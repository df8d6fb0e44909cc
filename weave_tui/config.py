"""Settings: one model, and for every value where it came from.

Weak to strong: defaults, the user's file, the project's `weave.yaml`, the environment, the command
line. Files are YAML; the peer's `weave.yaml` (weave-compose) is a project file as it stands. A
project may never choose the model: a cloned repository must not say what is downloaded.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from weave_tui.diagnostics import Diagnostic
from weave_tui.protocol import Platform
from weave_tui.skills.files import UnreadableError, decode, read_bytes

PROJECT_FILE = "weave.yaml"
USER_FILE = "config.yaml"
ENVIRONMENT_PREFIX = "WEAVE_TUI_"

ThemeName = Literal["dark", "light", "high-contrast-dark", "high-contrast-light", "ansi"]

NOT_IN_A_PROJECT = {
    "composition.model": "the embedding model",
    "app.keys": "your keys",
    "app.key_preset": "your keys",
}
"""What a cloned repository must not decide."""

Share = Annotated[float, Field(ge=0.0, le=1.0)]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SkillFolder(_Section):
    """A folder or file of skills that is read beside what is discovered."""

    path: Annotated[str, Field(min_length=1, description="Relative to the settings file; ~ is your home.")]
    platform: Annotated[Platform | None, Field(description="Read it as this platform's.")] = None


class CompositionSettings(_Section):
    """Ranking and composition."""

    strategy: Annotated[
        Literal["dynamic", "manual", "always-merge"],
        Field(description="Read and checked for weave-compose's files; here a command says how skills are chosen."),
    ] = "dynamic"
    max_active_skills: Annotated[int, Field(ge=1, le=2, description="At most so many matches.")] = 2
    confidence_threshold: Annotated[Share, Field(description="Gap under which two skills answer.")] = 0.1
    min_score: Annotated[Share, Field(description="A skill that scores less is never a match.")] = 0.15
    max_tokens: Annotated[int | None, Field(ge=1, description="Cut sections until the prompt has so many.")] = None
    keep_conflicts: Annotated[bool, Field(description="Keep both of two lines that contradict each other.")] = False
    model: Annotated[
        str | None, Field(description="Another static embedding model: a folder, or a hub name. Not in a project.")
    ] = None


class OutputSettings(_Section):
    """What weave-compose prints: read and checked so that its files work, and without effect here."""

    verbose: Annotated[bool, Field(description="Without effect here.")] = False
    explain: Annotated[bool, Field(description="Without effect here.")] = False


class AppSettings(_Section):
    """The app."""

    theme: Annotated[ThemeName, Field(description="Colours; `ansi` are the terminal's own sixteen.")] = "dark"
    watch: Annotated[bool, Field(description="Notice changed files while the app runs.")] = True
    state: Annotated[bool, Field(description="Keep each project's query, pins, exclusions, history.")] = True
    key_preset: Annotated[
        Literal["default", "fzf", "vim"], Field(description="Keys to begin with. Not in a project.")
    ] = "default"
    keys: Annotated[
        dict[str, str | int | None],
        Field(
            description="Other keys, by action name: `pin: P`; several with commas, null for none. Not in a project."
        ),
    ] = {}


class Settings(_Section):
    """Everything that can be set."""

    version: Annotated[str, Field(description='Version of the file\'s form: "1".')] = "1"
    skills: Annotated[tuple[SkillFolder, ...], Field(description="Folders read beside what is discovered.")] = ()
    user_folders: Annotated[bool, Field(description="Read your own skill folders too.")] = True
    cache: Annotated[bool, Field(description="Remember what was read, in the cache folder.")] = True
    composition: CompositionSettings = CompositionSettings()
    output: OutputSettings = OutputSettings()
    app: AppSettings = AppSettings()


class SettingsError(ValueError):
    """A setting is wrong; the text names the place, the field and what to do."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """The settings in force; `origins` says for every dotted field where its value came from."""

    settings: Settings
    origins: Mapping[str, str]
    diagnostics: tuple[Diagnostic, ...] = ()
    folders: tuple[tuple[Path, Platform | None], ...] = ()
    """`settings.skills` as paths."""


@dataclass
class _Layer:
    """Raw values by dotted field, each with its origin; nothing is validated yet."""

    values: dict[str, Any] = field(default_factory=dict)
    origins: dict[str, str] = field(default_factory=dict)


def fields() -> dict[str, Any]:
    """Every dotted field with its pydantic description: the one table that files, environment and docs go by."""
    found: dict[str, Any] = {}
    for name, info in Settings.model_fields.items():
        section = info.annotation
        if isinstance(section, type) and issubclass(section, _Section):
            found |= {f"{name}.{inner}": described for inner, described in section.model_fields.items()}
        else:
            found[name] = info
    return found


def user_file() -> Path:
    """The user's settings file."""
    from platformdirs import user_config_path

    return user_config_path("weave-tui", appauthor=False) / USER_FILE


def project_file(cwd: Path) -> Path | None:
    """The nearest `weave.yaml` from the working folder up to the git root."""
    from weave_tui.skills.find import project_folders

    folders, _ = project_folders(cwd)
    return next((folder / PROJECT_FILE for folder in folders if (folder / PROJECT_FILE).is_file()), None)


def resolve(
    cwd: Path,
    environ: Mapping[str, str] = os.environ,
    command_line: Mapping[str, Any] | None = None,
) -> Resolved:
    """The settings in force at `cwd`. `command_line`: dotted fields that were given. Raises `SettingsError`."""
    diagnostics: list[Diagnostic] = []
    layers: list[_Layer] = []
    base = cwd
    if (mine := user_file()).is_file():
        layers.append(_read(mine))
        base = mine.parent
    if project := project_file(cwd):
        layer = _read(project)
        _check_project(layer, project, diagnostics)
        layers.append(layer)
        if "skills" in layer.values:
            base = project.parent
    layers.append(_environment(environ))
    given = dict(command_line or {})
    layers.append(_Layer(given, dict.fromkeys(given, "command line")))
    values: dict[str, Any] = {}
    origins = dict.fromkeys(fields(), "default")
    for layer in layers:
        values |= layer.values
        origins |= layer.origins
    settings = _validated(values, origins)
    folders = _folders(settings, base, project, diagnostics)
    return Resolved(settings, origins, tuple(diagnostics), folders)


def resolve_alone(command_line: Mapping[str, Any]) -> Resolved:
    """The settings of a command line over the defaults: no file, no environment. Raises `SettingsError`."""
    origins = dict.fromkeys(fields(), "default") | dict.fromkeys(command_line, "command line")
    return Resolved(_validated(command_line, origins), origins)


def _folders(
    settings: Settings, base: Path, project: Path | None, diagnostics: list[Diagnostic]
) -> tuple[tuple[Path, Platform | None], ...]:
    found = []
    for entry in settings.skills:
        path = Path(entry.path).expanduser()
        path = path if path.is_absolute() else base / path
        # A cloned repository must not read what lies outside it.
        if project and base == project.parent and not path.resolve().is_relative_to(base.resolve()):
            message = f"'{entry.path}' leads out of the project"
            diagnostics.append(Diagnostic("settings-ignored", message, project, field="skills", done="not read"))
        else:
            found.append((path, entry.platform))
    return tuple(found)


def _check_project(layer: _Layer, path: Path, diagnostics: list[Diagnostic]) -> None:
    """What a project's file must have and may not decide (vectors: protocol 31)."""
    for name in ("version", "skills"):
        if not layer.values.get(name):
            raise SettingsError(f"{path}: {name}: required in a project's {PROJECT_FILE}, but missing or empty")
    for name, what in NOT_IN_A_PROJECT.items():
        if layer.values.pop(name, None) is not None:
            line = int(layer.origins.pop(name).rpartition(":")[2])
            message = f"a project may not choose {what}"
            diagnostics.append(Diagnostic("settings-ignored", message, path, line, name, "ignored"))


def _read(path: Path) -> _Layer:
    """The values of a settings file by dotted field. Raises `SettingsError`."""
    try:
        text = decode(read_bytes(path))
        loader = yaml.SafeLoader(text.removeprefix("\ufeff"))
        node = loader.get_single_node()
    except UnreadableError as error:
        raise SettingsError(f"{path}: {error}") from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{path}:{mark.line + 1}" if mark else str(path)
        raise SettingsError(f"{place}: not valid YAML: {getattr(error, 'problem', error)}") from error
    layer = _Layer()
    if node is None:
        return layer
    known = fields()
    for name, value, line in _entries(path, loader, node, known, ""):
        layer.values[name] = value
        layer.origins[name] = f"{path}:{line}"
    return layer


def _entries(
    path: Path, loader: yaml.SafeLoader, node: yaml.Node, known: Mapping[str, Any], prefix: str
) -> Iterator[tuple[str, Any, int]]:
    """(dotted field, value, line) of a mapping and its sections. Raises `SettingsError` for an unknown key."""
    if not isinstance(node, yaml.MappingNode):
        raise SettingsError(f"{path}:{node.start_mark.line + 1}: {prefix.rstrip('.') or 'the file'}: expected keys")
    for key, value in node.value:
        name, line = f"{prefix}{getattr(key, 'value', key)}", key.start_mark.line + 1
        if name in known:
            try:
                yield name, loader.construct_object(value, deep=True), line
            except (yaml.YAMLError, RecursionError) as error:
                raise SettingsError(f"{path}:{line}: {name}: not a plain value") from error
        elif any(other.startswith(f"{name}.") for other in known):
            yield from _entries(path, loader, value, known, f"{name}.")
        else:
            raise SettingsError(f"{path}:{line}: {name}: unknown setting{_nearest(name, known)}")


def _nearest(name: str, known: Mapping[str, Any]) -> str:
    names = [*known, *{other.partition(".")[0] for other in known}]
    close = difflib.get_close_matches(name, names, 1, 0.5) or [
        other for other in names if other.rpartition(".")[2] == name.rpartition(".")[2]
    ]
    return f"; did you mean '{close[0]}'?" if close else f"; there are {', '.join(sorted(known))}"


def variable(name: str) -> str:
    """The environment variable of a dotted field."""
    return ENVIRONMENT_PREFIX + name.replace(".", "_").upper()


def _environment(environ: Mapping[str, str]) -> _Layer:
    layer = _Layer()
    for name in fields():
        text = environ.get(variable(name))
        if text:
            try:
                layer.values[name] = yaml.safe_load(text)
            except yaml.YAMLError as error:
                raise SettingsError(f"{variable(name)}: not a plain value") from error
            layer.origins[name] = variable(name)
    return layer


def _validated(values: Mapping[str, Any], origins: Mapping[str, str]) -> Settings:
    nested: dict[str, Any] = {}
    for name, value in values.items():
        section, dot, inner = name.partition(".")
        if dot:
            nested.setdefault(section, {})[inner] = value
        else:
            nested[name] = value
    # YAML reads `version: 1` as a number; the peer writes both.
    if isinstance(nested.get("version"), int | float):
        nested["version"] = str(nested["version"])
    try:
        return Settings.model_validate(nested)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        parts = [str(part) for part in problem["loc"]]
        name = next((".".join(parts[:n]) for n in (2, 1) if ".".join(parts[:n]) in origins), parts[0])
        shown = f", got {problem['input']!r}" if not isinstance(problem["input"], dict) else ""
        raise SettingsError(f"{origins.get(name, '?')}: {'.'.join(parts)}: {problem['msg']}{shown}") from error


def rows(resolved: Resolved) -> Iterator[tuple[str, Any, str]]:
    """(dotted field, value, origin) of every setting, in the model's order."""
    plain = resolved.settings.model_dump(mode="json")
    for name in fields():
        section, dot, inner = name.partition(".")
        yield name, plain[section][inner] if dot else plain[name], resolved.origins[name]


def settings_schema() -> dict[str, Any]:
    """The JSON Schema of a settings file."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **Settings.model_json_schema()}
