"""Which configuration files there are: the project's, nearest upward, and the user's own (spec A.5, G)."""

from __future__ import annotations

import os
from pathlib import Path

from weave_tui.prompts.errors import ConfigError, Result, failure, success
from weave_tui.prompts.files import FileProblem, read_inside
from weave_tui.prompts.places import Format, Layer, LayerName, Place

FOLDER = ".weave"

FORMATS: tuple[Format, ...] = ("weave", "yaml", "json")
"""`config.weave` or one of its stand-ins; two beside each other are an error."""


def config_files(folder: Path) -> list[Path]:
    """The configuration files in a layer's folder; more than one is an error for `find_layers`."""
    # lexists: a broken link is there, and reading it says what is wrong; it never raises.
    return [path for path in (folder / f"config.{format_}" for format_ in FORMATS) if os.path.lexists(path)]


def find_root(start: Path) -> Path | None:
    """The nearest folder from `start` upward whose `.weave` has a configuration."""
    start = start.absolute()
    return next((folder for folder in (start, *start.parents) if config_files(folder / FOLDER)), None)


def find_layers(start: Path, *, root: Path | None = None, home: Path | None = None) -> Result[tuple[Layer, ...]]:
    """The layers on disk for someone who works in `start`.

    `root` names the project folder (or its `.weave`) instead of searching for it; `home` is
    where the global `.weave` is, the user's home folder by default.
    Errors: FileReadError when there is no configuration, when two formats stand side by side,
    when a file cannot be read.
    """
    global_folder = (home or _home()) / FOLDER
    project = root or find_root(start)
    project_folder = _layer_folder(project) if project else None
    folders: list[tuple[LayerName, Path]] = [("global", global_folder)]
    if project_folder and not _same(project_folder, global_folder):
        folders.append(("project", project_folder))
    errors = [_nothing_in(project_folder)] if root and project_folder and not config_files(project_folder) else []
    found = [_read_layer(name, folder) for name, folder in folders if config_files(folder)]
    errors += [layer for layer in found if isinstance(layer, ConfigError)]
    layers = tuple(layer for layer in found if isinstance(layer, Layer))
    if not errors and not layers:
        errors = [_nothing_in(start.absolute() / FOLDER)]
    return failure(errors) if errors else success(layers)


def _layer_folder(root: Path) -> Path:
    return root if config_files(root) and not config_files(root / FOLDER) else root / FOLDER


def _same(one: Path, other: Path) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def _home() -> Path:
    """The user's home folder; `~`, which does not exist, for a user who has none."""
    return Path(os.path.expanduser("~"))  # noqa: PTH111  (Path.home() raises where there is no home)


def _read_layer(name: LayerName, folder: Path) -> Layer | ConfigError:
    files = config_files(folder)
    if len(files) > 1:
        names = " and ".join(path.name for path in files)
        message = f"{names} are beside each other in {folder}."
        return ConfigError("FileReadError", message, Place(files[1], 1, 1), "Keep one of them.")
    read = read_inside(files[0], folder)
    if isinstance(read, FileProblem):
        message = f"{files[0]} cannot be read: {read.cause}."
        return ConfigError("FileReadError", message, Place(files[0], 1, 1), read.hint)
    format_ = next(format_ for format_ in FORMATS if files[0].suffix == f".{format_}")
    return Layer(name, folder, read.text, format_)


def _nothing_in(folder: Path) -> ConfigError:
    message = f"There is no configuration in {folder} or above it."
    return ConfigError(
        "FileReadError", message, hint=f"Write {folder / 'config.weave'}, or name the folder that has one."
    )
