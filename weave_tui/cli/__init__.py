"""The command line: the same broker without a screen, and the way into the app.

Exit codes: 0 answered, 1 nothing answered or a skill not loaded, 2 usage, 3 unreadable; the
picker ends with 130 when it is left without a choice. Results go to standard output, plain;
what went wrong goes to standard error. Only `app` imports Textual.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence

from weave_tui.cli.common import CommandError, complain

COMMANDS: dict[str, str] = {
    "query": "rank skills for a task and print the ranking, the prompt or a WeaveResponse",
    "compose": "compose named skills into one prompt, and say where each line is from",
    "list": "list the skills there are",
    "budget": "say how much of what there is each tool's listing holds",
    "eval": "judge labelled queries: which skill fires, who takes whose queries; for CI",
    "replay": "say where text routing and Claude Code's own choices agreed, from its transcripts on this machine",
    "bench": "measure ranking on labelled queries, beside peers",
    "check": "say what was skipped, repaired or only partly understood",
    "prompt": "compose the prompt of an agent or workflow step of .weave, or check them all",
    "serve": "answer other tools over HTTP on this machine",
    "mcp": "answer an MCP client over standard input and output",
    "config": "show every setting and where its value came from",
    "init": "print a key binding for bash, zsh, fish or tmux that picks a skill",
    "doctor": "say what this terminal can do, how a copy would go, and where everything is",
    "cache": "show or clear what is remembered of earlier loads",
    "export": "write skills or an answer as JSON of contextweaver or weaver-spec",
    "import": "read such JSON, or ChainWeaver's flows, and say what could not be carried",
    "convert": "turn such JSON into the other side's",
}
"""Each command is the module of that name, with `add_arguments(parser)` and `run(arguments) -> exit code`."""


def main(argv: Sequence[str] | None = None) -> None:
    """Run `weave-tui` and exit with its code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    # A path or a terminal's locale may hold what the output cannot encode: show it escaped, never fail.
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except CommandError as error:
        complain(str(error))
        code = error.code
    except BrokenPipeError:
        # The reader has seen enough (`| head`). Python would complain once more when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)


def _run(arguments: list[str]) -> int:
    name = arguments[0] if arguments and arguments[0] in COMMANDS else "app"
    module = importlib.import_module(f"weave_tui.cli.{name}")
    parser = argparse.ArgumentParser(prog="weave-tui" if name == "app" else f"weave-tui {name}")
    parser.description = COMMANDS.get(name, "Compose prompts from the agent skills, rules and prompts on disk.")
    if name == "app":
        width = max(map(len, COMMANDS))
        parser.formatter_class = argparse.RawDescriptionHelpFormatter
        listing = "\n".join(f"  {command:<{width}}  {text}" for command, text in COMMANDS.items())
        parser.epilog = f"commands without a screen (each has --help):\n{listing}"
        arguments = ["app", *arguments]
    module.add_arguments(parser)
    code: int = module.run(parser.parse_intermixed_args(arguments[1:]))
    return code
