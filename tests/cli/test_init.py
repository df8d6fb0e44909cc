"""`weave-tui init`: the lines are sound in their shells, and the widget puts a choice where the cursor is."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.test_commands import run

PICKED = "#!/bin/sh\nprintf '%s\\n' \"$@\" > \"$ASKED\"\nprintf '/deploy %s' 'the \"app\" $HOME'\n"
LEFT = "#!/bin/sh\nexit 130\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_lines_are_sound(shell: str, tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"needs {shell}")
    script = tmp_path / "widget"
    script.write_text(run("init", shell).stdout)
    done = subprocess.run([shell, "-n", str(script)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(("picker", "line"), [(PICKED, '/deploy the "app" $HOME'), (LEFT, "deploy it")])
def test_bash_puts_the_choice_into_the_line(tmp_path: Path, picker: str, line: str) -> None:
    program = tmp_path / "weave-tui"
    program.write_text(picker)
    program.chmod(0o755)
    then = "READLINE_LINE='deploy it'\n__weave_tui_widget\nprintf %s \"$READLINE_LINE\""
    code = f"bind() {{ :; }}\n{run('init', 'bash').stdout}\n{then}"
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "ASKED": str(tmp_path / "asked")}
    done = subprocess.run(["bash", "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == (line, "")
    if picker is PICKED:
        asked = (tmp_path / "asked").read_text().split("\n")[:-1]
        assert asked == ["--pick", "--print", "invocation", "--query", "deploy it"]


@pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux")
def test_tmux_binds_the_key(tmp_path: Path) -> None:
    (tmp_path / "conf").write_text(run("init", "tmux").stdout)
    command = ["tmux", "-S", str(tmp_path / "s"), "-f", str(tmp_path / "conf")]
    try:
        subprocess.run([*command, "new-session", "-d", "sleep 60"], check=True, capture_output=True)
        keys = subprocess.run([*command, "list-keys", "-T", "prefix", "W"], check=True, capture_output=True, text=True)
    finally:
        subprocess.run([*command, "kill-server"], check=False, capture_output=True)
    assert "display-popup" in keys.stdout and "weave-tui --pick" in keys.stdout


def test_an_unknown_shell_is_told() -> None:
    done = run("init", "csh")
    assert done.returncode == 2 and "bash" in done.stderr
