"""What the import contracts cannot see: what is really loaded when a command runs."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEADLESS = [
    "import weave_tui",
    "import weave_tui.protocol",
    "import weave_tui.skills",
    "import weave_tui.broker",
    "import weave_tui.cli.query, weave_tui.cli.list, weave_tui.cli.check, weave_tui.cli.prompt",
    "import weave_tui.interop.from_broker, weave_tui.interop.flows",
    "import weave_tui.cli.serve, weave_tui.server.library, weave_tui.server.answers, weave_tui.server.face",
    "import weave_tui.tui.session, weave_tui.tui.preview, weave_tui.tui.clipboard, weave_tui.tui.editor",
    "from weave_tui.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass",
]


def loaded_after(statement: str, modules: tuple[str, ...]) -> list[str]:
    code = f"{statement}\nimport sys\nprint('\\n@' + ' '.join(m for m in {modules!r} if m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.rpartition("@")[2].split()


@pytest.mark.parametrize("statement", HEADLESS)
def test_no_screen_no_textual(statement: str) -> None:
    assert loaded_after(statement, ("textual",)) == []


@pytest.mark.parametrize("command", ["export catalog", "export decision --query x", "import -", "convert -"])
def test_the_interop_commands_run_without_a_screen(command: str) -> None:
    statement = f"from weave_tui.cli import main\ntry: main({command.split()!r})\nexcept SystemExit: pass"
    assert loaded_after(statement, ("textual",)) == []


def test_interop_is_loaded_by_its_own_commands_only() -> None:
    code = "from weave_tui.cli import main\ntry: main(['query', 'x', '.'])\nexcept SystemExit: pass"
    assert loaded_after(code, ("weave_tui.interop",)) == []


@pytest.mark.parametrize(("module", "package"), [("http", "fastapi"), ("run", "uvicorn"), ("mcp", "mcp")])
def test_a_server_needs_no_textual(module: str, package: str) -> None:
    pytest.importorskip(package, reason="its extra is not installed")
    assert loaded_after(f"import weave_tui.server.{module}", ("textual", "weave_tui.tui")) == []


def test_a_command_names_the_extra_it_needs() -> None:
    code = "import sys; sys.modules['{0}'] = None\nfrom weave_tui.cli import main\nmain(['{1}', 'sample_skills'])"
    for package, command, extra in (("fastapi", "serve", "server"), ("mcp", "mcp", "mcp")):
        run = [sys.executable, "-c", code.format(package, command)]
        done = subprocess.run(run, capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert f"pip install 'weave-tui[{extra}]'" in done.stderr


def test_the_bundled_model_needs_no_hub_client() -> None:
    statement = "from weave_tui.broker import load_encoder; load_encoder().encode(['x'])"
    assert loaded_after(statement, ("huggingface_hub", "torch", "transformers")) == []


def test_importing_the_broker_does_not_load_the_model_library() -> None:
    assert loaded_after("import weave_tui.broker", ("model2vec", "jsonschema")) == []
