"""Where the files that travel with the package are.

`schemas/` and `sample_skills/` live at the top of a checkout and inside the wheel; nobody
else may guess which of the two this is.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent

MODEL_DIR = _PACKAGE / "model"
"""The bundled static embedding model."""


def _bundled(name: str) -> Path:
    installed = _PACKAGE / "_data" / name
    return installed if installed.is_dir() else _PACKAGE.parent / name


def _cache_folder() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("weave-tui", appauthor=False)


def cache_file() -> Path:
    """The database of what was read before, in the user's cache folder."""
    return _cache_folder() / "readings.sqlite"


def index_folder() -> Path:
    """Where the indexes of earlier runs are kept, in the user's cache folder."""
    return _cache_folder() / "indexes"


def schemas_dir() -> Path:
    """The folder of the published JSON Schemas."""
    return _bundled("schemas")


def sample_skills_dir() -> Path:
    """The folder of the sample skills that show every feature."""
    return _bundled("sample_skills")
