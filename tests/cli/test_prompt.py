"""`weave-tui prompt`: agents, steps, descriptors, and one line with its place for each thing that is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_commands import SAMPLES, run
from tests.conftest import Write
from weave_tui.diagnostics import CODES

ERRORS = {
    # What is written in config.weave, the place of the error, its code.
    "language": ('agent a {\n  prompt "x\n}', "2:10", "prompt-unterminated-string"),
    "key": ('agent a {\n  promt "x"\n}', "2:3", "prompt-unknown-key"),
    "path": ('agent a {\n  prompt "Hi {{agent.nam}}"\n}', "2:14", "prompt-unknown-path"),
    "section": ('agent a {\n  prompt """\n    {{#agent}}\n    x\n  """\n}', "3:5", "prompt-section-mismatch"),
    "partial": ('agent a { prompt "{{> x}}" }', "1:19", "prompt-unsupported-tag"),
    "file": ('agent a {\n  prompt_file "no.md"\n}', "2:15", "prompt-file-read"),
    "nothing": ("agent a { mode all }", "1:7", "prompt-source-missing"),
}


def project(write: Write, source: str, **files: str) -> Path:
    return write({".weave/config.weave": source, **{f".weave/prompts/{name}": text for name, text in files.items()}})


def test_an_agent_is_its_prompt_and_nothing_else() -> None:
    done = run("prompt", "lead", "--project", SAMPLES)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("# lead\n\nYou lead the work on a web shop.")
    assert (
        json.loads(run("prompt", "lead", "--project", SAMPLES, "--json").stdout)["composedPrompt"] == done.stdout[:-1]
    )


def test_the_descriptor() -> None:
    document = json.loads(run("prompt", "shuttle-orders", "--project", SAMPLES, "--json").stdout)
    assert document["category"]["name"] == "orders"
    assert document["effectiveToolPolicy"]["execute"] == "deny"
    assert "composedSkills" not in document


def test_the_folder_is_found_upward(write: Write) -> None:
    root = write({".weave/config.weave": 'agent a { prompt "I am {{agent.name}}" }', "deep/er/x": ""})
    assert run("prompt", "a", cwd=root / "deep" / "er").stdout == "I am a\n"


def test_a_step_and_its_sample_values() -> None:
    done = run("prompt", "--step", "release/write-notes", "--project", SAMPLES)
    assert done.stdout.endswith("Say at the end what you left undone.\n")
    document = json.loads(run("prompt", "--step", "feature/review", "--project", SAMPLES, "--json").stdout)
    assert (document["agent"], document["appendScope"]) == ("reviewer", "step")


def test_run_time_names_need_values(write: Write) -> None:
    source = (
        'workflow w { version 1 step s { type gate agent a prompt "Goal: {{instance.goal}}" completion user_confirm } }'
    )
    root = project(write, source)
    assert "error: workflow-step:s: " in run("prompt", "--step", "w/s", cwd=root).stderr
    assert run("prompt", "--step", "w/s", "--value", "instance.goal=a = b", cwd=root).stdout == "Goal: a = b\n"


def test_without_an_agent_it_says_what_there_is() -> None:
    listed = run("prompt", "--project", SAMPLES).stdout.splitlines()
    assert [line.split()[0] for line in listed][:2] == ["lead", "shuttle"]
    assert any(line.split()[:2] == ["release/write-notes", "autonomous"] for line in listed)
    plan = json.loads(run("prompt", "--project", SAMPLES, "--json").stdout)
    assert len(plan["agents"]) == 10 and plan["errors"] == []


def test_skills_are_appended_by_the_brokers_composition() -> None:
    arguments = ("prompt", "writer", "--project", SAMPLES)
    alone = run(*arguments).stdout.removesuffix("\n")
    done = run(*arguments, "--with-skills", "--skills", SAMPLES)
    assert done.stdout.startswith(f"{alone}\n\n---\n\n# ")
    document = json.loads(run(*arguments, "--with-skills", "--skills", SAMPLES, "--json").stdout)
    assert document["composedPrompt"] == alone
    assert done.stdout == f"{alone}\n\n---\n\n{document['composedSkills']}\n"


def test_a_skill_that_is_not_there_is_said(write: Write) -> None:
    root = project(write, 'agent a { prompt "x" skills ["gone"] }')
    done = run("prompt", "a", "--with-skills", cwd=root)
    assert (done.returncode, done.stdout) == (0, "x\n")
    assert done.stderr == "weave-tui: warning: there is no skill gone; it is left out\n"
    assert "1:30: warning: There is no skill gone. [prompt-skill-unknown]" in run("prompt", "--check", cwd=root).stdout


@pytest.mark.parametrize("name", ERRORS)
def test_an_error_is_one_line_with_its_place(name: str, write: Write) -> None:
    source, place, code = ERRORS[name]
    root = project(write, source)
    file = root / ".weave" / "config.weave"
    done = run("prompt", "a", "--project", str(root))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[0].startswith(f"{file}:{place}: error: ")
    assert done.stderr.splitlines()[0].endswith(f"[{code}]")
    checked = run("prompt", "--check", "--project", str(root))
    assert checked.returncode == 1
    assert done.stderr.splitlines()[0] in checked.stdout.splitlines()
    errors = json.loads(run("prompt", "a", "--project", str(root), "--json").stdout)["errors"]
    assert errors[0]["message"]


def test_check_tells_all_of_it(write: Write) -> None:
    root = project(
        write,
        'agent a { prompt_file "a.md" tool_policy { delegate allow } }\nagent b { prompt "{{nope}} {{no.pe}}" }',
        **{"a.md": "{{#delegation.targets}}{{name}}{{/delegation.targets}}\n{{> x}} {{nope}}"},
    )
    done = run("prompt", "--check", "--project", str(root))
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == "0 agents and 0 steps composed: 4 errors"
    report = json.loads(run("prompt", "--check", "--json", "--project", str(root)).stdout)
    assert not report["ok"] and len(report["diagnostics"]) == 4
    assert {entry["code"] for entry in report["diagnostics"]} <= set(CODES)
    assert all(Path(entry["path"]).is_file() and entry["line"] for entry in report["diagnostics"])


def test_check_of_the_samples_shows_the_one_lint_that_is_meant() -> None:
    done = run("prompt", "--check", "--project", SAMPLES)
    assert done.returncode == 0
    lint, summary = done.stdout.splitlines()
    assert lint.endswith(": warning: The append of step review hides its workflow's. [prompt-append-shadowed]")
    assert summary == "10 agents and 8 steps composed: 1 warning"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("led", "--project", SAMPLES), 1, "There is no agent led to compose. Did you mean lead?"),
        (("translator", "--project", SAMPLES), 1, "It is disabled."),
        (("--step", "release/wait", "--project", SAMPLES), 1, "There is no step release/wait."),
        (("--step", "release", "--project", SAMPLES), 2, "expected WORKFLOW/STEP, got 'release'"),
        (("lead", "--check", "--project", SAMPLES), 2, "give one of AGENT, --step and --check"),
        (("lead", "--value", "a=b", "--project", SAMPLES), 2, "--value belongs to --step"),
        (("--step", "release/plan", "--value", "a", "--project", SAMPLES), 2, "expected NAME=TEXT, got 'a'"),
        (("--with-skills", "--project", SAMPLES), 2, "--with-skills needs an AGENT or --step"),
        (("lead", "--with-skills", "--skills", "/nope", "--project", SAMPLES), 3, "Path does not exist: '/nope'"),
        (("lead", "--project", "/nope"), 3, "Path does not exist: '/nope'"),
    ],
)
def test_one_clear_message(arguments: tuple[str, ...], code: int, message: str) -> None:
    done = run("prompt", *arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_folder_without_a_configuration(write: Write) -> None:
    done = run("prompt", "--project", str(write({"readme.md": ""})))
    assert (done.returncode, done.stdout) == (3, "")
    assert "There is no configuration in" in done.stderr and "config.weave" in done.stderr


def test_hostile_text_in_messages_is_shown_safely(write: Write) -> None:
    root = project(write, 'agent a { prompt "{{x\x1b]0;evil\x07}}" description "\u202e" }')
    for arguments in (("a",), ("--check",), ()):
        done = run("prompt", *arguments, "--project", str(root))
        assert not any(mark in done.stdout + done.stderr for mark in ("\x1b", "\x07", "\u202e")), arguments
