"""Fixtures: a folder of files, the bundled model, and an environment of its own for every test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from weave_tui.broker import Broker, Encoder, load_encoder
from weave_tui.resources import sample_skills_dir
from weave_tui.skills import Loaded, Skill, Where, load

_PATIENT = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile("ci", max_examples=100, deadline=None, suppress_health_check=_PATIENT)
settings.register_profile("fuzz", max_examples=2_000, deadline=None, suppress_health_check=_PATIENT)
settings.load_profile("ci")  # 'make fuzz' asks for the other by --hypothesis-profile

SHARED = Path(__file__).resolve().parents[2] / "shared"
"""Material for measuring that may lie beside the project; tests that read it skip without it."""

Write = Callable[[dict[str, str | bytes]], Path]


@pytest.fixture(autouse=True)
def isolated(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """No test sees the person's own folders, clipboard, editor or colours."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name in ("TMUX", "DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME", "EDITOR", "VISUAL"):
        monkeypatch.delenv(name, raising=False)
    yield home


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write files below a fresh folder and give the folder back."""

    def files(tree: dict[str, str | bytes]) -> Path:
        root = tmp_path / "library"
        for name, content in tree.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        root.mkdir(exist_ok=True)
        return root

    return files


@pytest.fixture
def load_files(write: Write) -> Callable[[dict[str, str | bytes]], Loaded]:
    """Write files and load the folder as one given by hand."""
    return lambda tree: load(Where((write(tree),)))


@pytest.fixture(scope="session")
def encoder() -> Encoder:
    return load_encoder()


@pytest.fixture(scope="session")
def samples() -> tuple[Skill, ...]:
    return load(Where((sample_skills_dir(),))).skills


@pytest.fixture
def broker(encoder: Encoder, samples: tuple[Skill, ...]) -> Broker:
    """A broker over the sample skills."""
    built = Broker(encoder)
    built.replace(samples)
    return built


@pytest.fixture(scope="session")
def shared() -> Path:
    if not SHARED.is_dir():
        pytest.skip("the shared material is not beside this checkout")
    return SHARED
