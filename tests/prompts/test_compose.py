"""Composition: sources, files, targets, shuttles, reviewers, steps, descriptors, provenance (spec C)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.prompts.helpers import agent, first_error, good, plan, project, prompt, step, two_layers
from weave_tui.prompts import (
    ComposeAgent,
    ComposeAll,
    Composer,
    ComposeStep,
    CompositionError,
    compose,
    descriptor,
    load,
    plan_document,
    step_document,
)
from weave_tui.prompts.context import resolve_tools
from weave_tui.prompts.files import MAX_FILE, FileText

LIST = "{{#delegation.targets}}{{name}} {{/delegation.targets}}"
DELEGATE = "tool_policy { delegate allow }"


def write(root: Path, name: str, data: bytes | str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else data.encode("utf-8"))


def failed(source: str, name: str = "a", root: Path = Path("/nowhere")) -> dict[str, Any]:
    return first_error(compose(project(source, root), ComposeAgent(name)))


@pytest.mark.parametrize(
    ("files", "named", "expected"),
    [
        ({"prompts/x.md": "P", "x.md": "R"}, "x.md", "P"),
        ({"x.md": "R"}, "x.md", "R"),
        ({"prompts/x.md": "P"}, "prompts/x.md", "P"),
        ({"prompts/prompts/x.md": "PP", "prompts/x.md": "P"}, "prompts/x.md", "PP"),
        ({"prompts/a/b/x.md": "deep"}, "a/b/x.md", "deep"),
        ({"prompts/x.md": b"\xef\xbb\xbfBOM"}, "x.md", "BOM"),
        ({"prompts/x.md": "a\r\n{{#agent}}\r\nb\r\n{{/agent}}\r\n"}, "x.md", "a\r\nb\r\n"),
        ({"prompts/x.md": ""}, "x.md", ""),
    ],
)
def test_where_prompt_files_are_found(files: dict[str, bytes | str], named: str, expected: str, tmp_path: Path) -> None:
    for name, data in files.items():
        write(tmp_path, name, data)
    assert prompt(f'agent a {{ prompt_file "{named}" }}', root=tmp_path) == expected


def _outside(root: Path) -> None:
    write(root.parent, "secret.md", "SECRET")
    (root / "prompts").mkdir(parents=True)
    (root / "prompts" / "x.md").symlink_to(root.parent / "secret.md")


def _linked_folder(root: Path) -> None:
    write(root.parent, "elsewhere/x.md", "SECRET")
    root.mkdir()
    (root / "prompts").symlink_to(root.parent / "elsewhere")


def _circle(root: Path) -> None:
    (root / "prompts").mkdir(parents=True)
    (root / "prompts" / "x.md").symlink_to("x.md")


def _folder(root: Path) -> None:
    (root / "prompts" / "x.md").mkdir(parents=True)


def _pipe(root: Path) -> None:
    (root / "prompts").mkdir(parents=True)
    os.mkfifo(root / "prompts" / "x.md")


UNREADABLE: dict[str, tuple[Callable[[Path], None], str]] = {
    "missing": (lambda root: root.mkdir(), "does not exist"),
    "a link outside": (_outside, "link out of"),
    "a linked folder": (_linked_folder, "link out of"),
    "a circle of links": (_circle, ""),
    "a folder": (_folder, ""),
    "a pipe": (_pipe, "not a regular file"),
    "not UTF-8": (lambda root: write(root, "prompts/x.md", b"a\xff"), "not UTF-8 at byte 1"),
    "too large": (lambda root: write(root, "prompts/x.md", b"a" * (MAX_FILE + 1)), "larger than"),
}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs links and pipes")
@pytest.mark.parametrize("case", UNREADABLE)
def test_unreadable_files(case: str, tmp_path: Path) -> None:
    make, cause = UNREADABLE[case]
    make(tmp_path / "layer")
    error = failed('agent a { prompt "x" prompt_append_file "x.md" }', root=tmp_path / "layer")
    assert (error["type"], error["agent"], error["sourceKind"], error["file"]) == (
        "PromptFileReadError",
        "a",
        "prompt_append_file",
        "x.md",
    )
    assert cause in error["cause"]
    assert error["configPlace"]["column"] == 41


def test_links_inside_the_layer_are_followed(tmp_path: Path) -> None:
    write(tmp_path, "shared/x.md", "inside")
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "x.md").symlink_to(tmp_path / "shared" / "x.md")
    assert prompt('agent a { prompt_file "x.md" }', root=tmp_path) == "inside"


def test_a_file_is_read_once_per_plan(tmp_path: Path) -> None:
    write(tmp_path, "prompts/x.md", "one")
    source = 'agent a { prompt_file "x.md" }\nagent b { prompt_file "x.md" }'
    composer = Composer(good(load(project(source, tmp_path))))
    assert good(composer.agent("a")).prompt.text == "one"
    write(tmp_path, "prompts/x.md", "two")
    assert good(composer.agent("b")).prompt.text == "one"


@pytest.mark.parametrize(
    ("appends", "expected"),
    [("", "P"), ('prompt_append ""', "P\n\n"), ('prompt_append " x\n"'.replace("\n", "\\n"), "P\n\n x\n")],
)
def test_nothing_is_trimmed(appends: str, expected: str) -> None:
    assert prompt(f'agent a {{ prompt "P" {appends} }}') == expected


def test_the_append_is_not_loaded_when_the_primary_fails() -> None:
    result = compose(project('agent a { prompt "{{x}} {{y.z}}" prompt_append_file "none.md" }'), ComposeAgent("a"))
    kinds = [error.as_json().get("kind") for error in result.errors]
    assert kinds == ["UnknownPath", "UnknownPath"]


ROUTER = f'agent r {{ {DELEGATE} prompt "{LIST}" }}'

TARGETS: dict[str, tuple[str, str]] = {
    "self, primary and disabled stay out": (
        f"""{ROUTER} agent p {{ prompt "x" mode primary }} agent d {{ prompt "x" }} agent s {{ prompt "x" }}
        agent m {{ prompt "x" mode all }} disable agents [d]""",
        "s m ",
    ),
    "excluded names stay out, unknown ones are no-ops": (
        f'''agent r {{ {DELEGATE} routing {{ delegation_exclude [s, nobody] }} prompt "{LIST}" }}
        agent s {{ prompt "x" }} agent t {{ prompt "x" }}''',
        "t ",
    ),
    "deny gives none": (
        f'agent r {{ tool_policy {{ delegate deny }} prompt "{LIST}" }} agent s {{ prompt "x" }}',
        "",
    ),
    "an agent that cannot compose is still a target": (
        f'{ROUTER} agent s {{ prompt "{{{{nope}}}}" }}',
        "s ",
    ),
    "shuttles and reviewers come last": (
        f"""{ROUTER} category c {{ patterns [x] }} agent shuttle {{ prompt "x" }}
        agent w {{ prompt "x" review_models ["gpt-4.1"] }}""",
        "shuttle w shuttle-c w-gpt-4-1 ",
    ),
    "a declared shuttle-x is of the family": (
        f'''agent shuttle-r {{ {DELEGATE} prompt "{LIST}" }} agent shuttle {{ prompt "x" }}
        agent s {{ prompt "x" }} category c {{ patterns [x] }}''',
        "s ",
    ),
    "an agent named shuttled is not": (f'{ROUTER} agent shuttled {{ prompt "x" }}', "shuttled "),
}


@pytest.mark.parametrize(("source", "expected"), TARGETS.values(), ids=TARGETS.keys())
def test_delegation_targets(source: str, expected: str) -> None:
    assert prompt(source, source.split()[1]) == expected


def test_domains_are_in_order_without_repeats() -> None:
    source = f"""
    agent r {{ {DELEGATE} prompt "{{{{#delegation.targets}}}}{{{{domains}}}}{{{{/delegation.targets}}}}" }}
    agent s {{ prompt "x" triggers [ {{domain B trigger t}} {{domain A trigger t}} {{domain B trigger u}} ] }}
    """
    assert prompt(source, "r") == "B,A"


SHUTTLE = """
agent shuttle {
  description "Shared" prompt "{{agent.name}}|{{agent.description}}|{{category.name}}|{{agent.isCategory}}"
  prompt_append "base" mode all models [m1] temperature 0.2 skills [s] tool_policy { read allow write allow }
}
category web {
  patterns ["src/**"] description "Pages" models [m2] temperature 0 tool_policy { write deny network ask }
  prompt_append "for {{category.description}}"
}
category api { patterns ["api/**"] }
"""


def test_category_shuttles() -> None:
    composed = {composition.member.name: composition for composition in plan(SHUTTLE).agents}
    assert list(composed) == ["shuttle", "shuttle-web", "shuttle-api"]
    web = descriptor(composed["shuttle-web"])
    assert web["composedPrompt"] == "shuttle-web|Pages|web|true\n\nbase\nfor Pages"
    assert (web["mode"], web["models"], web["temperature"], web["skills"]) == ("subagent", ["m2"], 0, ["s"])
    assert web["rawToolPolicy"] == {"read": "allow", "write": "deny", "network": "ask"}
    assert web["category"] == {"name": "web", "description": "Pages", "patterns": ["src/**"]}
    api = descriptor(composed["shuttle-api"])
    assert api["composedPrompt"] == "shuttle-api|Shared|api|true\n\nbase"
    assert (api["description"], api["models"], api["temperature"]) == ("Shared", ["m1"], 0.2)
    assert descriptor(composed["shuttle"])["composedPrompt"] == "shuttle|Shared||false\n\nbase"


@pytest.mark.parametrize(
    ("more", "agents", "errors"),
    [
        ("disable agents [shuttle]", [], []),
        ("disable agents [shuttle-web]", ["shuttle", "shuttle-api"], []),
        ('agent shuttle-web { prompt "y" }', ["shuttle", "shuttle-web"], ["CategoryShuttleConflictError"]),
        (
            'agent shuttle-web { prompt "y" } disable agents [shuttle-web]',
            ["shuttle"],
            ["CategoryShuttleConflictError"],
        ),
    ],
)
def test_which_shuttles_there_are(more: str, agents: list[str], errors: list[str]) -> None:
    made = plan(SHUTTLE + more)
    assert [composition.member.name for composition in made.agents] == agents
    assert [error.type for error in made.errors] == errors


def test_a_category_append_joins_a_shuttle_without_one() -> None:
    source = 'agent shuttle { prompt "P" } category c { patterns [x] prompt_append "C" }'
    assert prompt(source, "shuttle-c") == "P\n\nC"


REVIEWED = """
agent boss { mode primary tool_policy { delegate allow } prompt_file "boss.md" }
agent weft {
  description "Reviews" prompt "I am {{agent.name}}" prompt_append "go"
  review_models ["a/b:1", plain] models [m]
}
"""


def test_review_variants(tmp_path: Path) -> None:
    variants = "{{#variants}} {{name}}={{model}}{{/variants}}"
    text = f"{{{{#reviewRouting.groups}}}}{{{{sourceAgent}}}}:{variants}{{{{/reviewRouting.groups}}}}"
    write(tmp_path, "prompts/boss.md", text)
    made = good(compose(project(REVIEWED, tmp_path), ComposeAll()))
    entries = {entry["agentName"]: entry for entry in plan_document(made)["agents"]}
    assert list(entries) == ["boss", "weft", "weft-a-b-1", "weft-plain"]
    assert entries["boss"]["descriptor"]["composedPrompt"] == "weft: weft-a-b-1=a/b:1 weft-plain=plain"
    variant = entries["weft-a-b-1"]
    assert (variant["source"], variant["reviewMeta"]) == ("review-variant", {"sourceAgent": "weft", "model": "a/b:1"})
    assert variant["descriptor"]["composedPrompt"] == "I am weft-a-b-1\n\ngo"
    assert (variant["descriptor"]["models"], variant["descriptor"]["mode"]) == (["a/b:1"], "subagent")
    assert variant["descriptor"]["effectiveToolPolicy"] == {
        "read": "allow",
        "write": "deny",
        "execute": "deny",
        "delegate": "deny",
        "network": "deny",
    }


def test_review_variants_that_clash() -> None:
    source = 'agent w { prompt "x" review_models ["a/b", "a:b", c] } agent w-c { prompt "y" }'
    made = plan(source)
    assert [composition.member.name for composition in made.agents] == ["w", "w-c", "w-a-b"]
    assert [error.type for error in made.errors] == ["ReviewVariantConflictError"] * 2


def test_one_failing_agent_never_stops_the_others() -> None:
    made = plan('agent a { prompt "{{x}} {{y}}" } agent b { prompt "B" } agent c { }')
    assert [composition.prompt.text for composition in made.agents] == ["B"]
    assert [(error.type, error.agent) for error in made.errors] == [
        ("DescriptorCompositionFailure", "a"),
        ("DescriptorCompositionFailure", "c"),
    ]
    assert [len(error.causes) for error in made.errors] == [2, 1]
    assert plan_document(made)["errors"][1]["causes"][0]["type"] == "PromptSourceMissingError"


def test_descriptor_without_options() -> None:
    composed = descriptor(agent(project('agent a { prompt "secret source {{agent.mode}}" }'), "a"))
    assert composed == {
        "name": "a",
        "composedPrompt": "secret source subagent",
        "models": [],
        "mode": "subagent",
        "effectiveToolPolicy": dict.fromkeys(("read", "write", "execute", "delegate", "network"), "ask"),
        "delegationTargets": [],
        "skills": [],
    }


def test_concrete_tools_are_never_allowed_by_silence() -> None:
    policy = {"read": "allow", "write": "deny"}
    resolved = resolve_tools(policy, {"grep": "read", "edit": "write", "odd": "fly"}, ["edit", "grep", "odd", "none"])  # type: ignore[arg-type]
    assert [(tool.tool, tool.capability, tool.permission) for tool in resolved] == [
        ("edit", "write", "deny"),
        ("grep", "read", "allow"),
        ("odd", None, None),
        ("none", None, None),
    ]


@pytest.mark.parametrize(("name", "hint"), [("shutle", "shuttle"), ("gone", "disabled"), ("zzz", "Known:")])
def test_unknown_agents(name: str, hint: str) -> None:
    error = failed('agent shuttle { prompt "x" } agent gone { prompt "x" } disable agents [gone]', name)
    assert error["type"] == "UnknownTargetError"
    assert hint in error["hint"]


def test_a_shuttle_that_could_not_be_generated_says_why() -> None:
    source = SHUTTLE + 'agent shuttle-web { prompt "y" } disable agents [shuttle-web]'
    error = failed(source, "shuttle-web")
    assert (error["type"], error["categoryName"]) == ("CategoryShuttleConflictError", "web")


FLOW = """
agent scribe { description "S" prompt "x" skills [k] tool_policy { delegate allow } }
agent other { prompt "x" }
agent shuttle { prompt "x" }
category web { patterns [x] }
workflow w {
  version 1 prompt_append "flow {{agent.name}}"
  step one {
    type autonomous agent scribe completion agent_signal
    prompt "{{agent.description}} {{agent.skills}} {{delegation.hasTargets}}"
  }
  step two { type gate agent shuttle-web prompt "{{category.name}}" prompt_append "own" completion agent_signal }
  step three {
    type gate agent nobody completion agent_signal
    prompt "{{agent.name}} {{agent.mode}} {{toolPolicy.effective.read}}"
  }
  step four { type gate agent scribe prompt "{{nope}}" completion agent_signal }
  step five {
    type gate agent scribe completion agent_signal
    prompt "{{instance.goal}} {{artifacts.plan}} {{step.type}}" prompt_append ""
  }
}
workflow bare { version 1 step s { type gate agent scribe prompt "P" completion agent_signal } }
"""


@pytest.mark.parametrize(
    ("workflow", "name", "text", "scope"),
    [
        ("w", "one", "S k false\n\nflow scribe", "workflow"),
        ("w", "two", "web\n\nown", "step"),
        ("w", "three", "nobody subagent ask\n\nflow nobody", "workflow"),
        ("bare", "s", "P", "none"),
    ],
)
def test_steps(workflow: str, name: str, text: str, scope: str) -> None:
    composed = step(FLOW, workflow, name)
    assert (composed.prompt.text, composed.append_scope) == (text, scope)
    assert step_document(composed)["composedPrompt"] == text


def test_step_errors_carry_the_steps_label() -> None:
    error = first_error(compose(project(FLOW), ComposeStep("w", "four")))
    assert (error["agent"], error["sourceKind"], error["kind"]) == ("workflow-step:four", "prompt", "UnknownPath")


def test_run_time_names_need_sample_values() -> None:
    assert first_error(compose(project(FLOW), ComposeStep("w", "five")))["kind"] == "UnknownPath"
    values = {"instance.goal": "ship {{x", "artifacts.plan": "P"}
    composed = good(compose(project(FLOW), ComposeStep("w", "five", values)))
    assert composed.prompt.text == "ship {{x P \n\n"


@pytest.mark.parametrize("name", ["agent.name", "instance", "artifacts.a.b", "nope.x"])
def test_other_names_take_no_sample_values(name: str) -> None:
    error = first_error(compose(project(FLOW), ComposeStep("w", "five", {name: "v"})))
    assert error["type"] == "TemplateContextBuildError"


def test_unknown_steps() -> None:
    error = first_error(compose(project(FLOW), ComposeStep("w", "ones")))
    assert (error["type"], "w/one" in error["hint"]) == ("UnknownTargetError", True)


def test_every_span_of_a_prompt_knows_its_file_line(tmp_path: Path) -> None:
    write(tmp_path, "prompts/p.md", "# {{agent.name}}\n{{#agent.skills}}\n- {{.}}\n{{/agent.skills}}\n")
    append = 'prompt_append """\n    Mode:\n    {{agent.mode}}\n  """'
    source = f'agent a {{\n  prompt_file "p.md"\n  {append}\n  skills [one, two]\n}}'
    composed = agent(project(source, tmp_path), "a").prompt
    found = []
    for span in composed.spans():
        place = span.place
        where = place and (place.file.name, place.line, place.column)
        found.append((composed.text[span.start : span.end], where))
    assert "".join(text for text, _ in found) == composed.text
    assert found == [
        ("# ", ("p.md", 1, 1)),
        ("a", ("p.md", 1, 3)),
        ("\n", ("p.md", 1, 17)),
        ("- ", ("p.md", 3, 1)),
        ("one", ("p.md", 3, 3)),
        ("\n", ("p.md", 3, 8)),
        ("- ", ("p.md", 3, 1)),
        ("two", ("p.md", 3, 3)),
        ("\n", ("p.md", 3, 8)),
        ("\n\n", None),
        ("Mode:\n", ("config.weave", 4, 5)),
        ("subagent", ("config.weave", 5, 5)),
    ]
    second = composed.at(composed.text.index("two"))
    assert second is not None
    assert second.part is not None
    assert (second.part.source.kind, second.piece and second.piece.token.text) == ("prompt_file", ".")
    assert composed.at(len(composed.text)) is None


def test_errors_in_a_file_point_into_the_file(tmp_path: Path) -> None:
    write(tmp_path, "prompts/p.md", "\ufeffok\n  {{agnt.name}}\n")
    result = compose(project('agent a { prompt_file "p.md" }', tmp_path), ComposeAgent("a"))
    error = result.errors[0]
    assert isinstance(error, CompositionError)
    assert str(error.place) == f"{tmp_path / 'prompts' / 'p.md'}:2:3"
    assert error.as_json()["line"] == 2
    diagnostic = error.diagnostics()[0]
    assert (diagnostic.code, diagnostic.line, diagnostic.column) == ("prompt-unknown-path", 2, 3)
    assert diagnostic.place.endswith("p.md:2:3")


def test_layers_keep_their_own_folders(tmp_path: Path) -> None:
    write(tmp_path, "global/prompts/x.md", "G")
    write(tmp_path, "project/prompts/x.md", "P")
    step = 'step s { type gate agent a prompt "S" completion agent_signal }'
    layers = two_layers(
        f'agent a {{ prompt_file "x.md" }} workflow w {{ version 1 prompt_append_file "x.md" {step} }}',
        'agent b { prompt_file "x.md" }',
        tmp_path,
    )
    assert agent(layers, "a").prompt.text == "G"
    assert agent(layers, "b").prompt.text == "P"
    assert good(compose(layers, ComposeStep("w", "s"))).prompt.text == "S\n\nG"


def test_a_bare_word_is_a_prompt_with_a_place() -> None:
    span = agent(project("agent a { prompt hello }"), "a").prompt.at(0)
    assert span is not None
    assert (span.place and span.place.column) == 18


def test_templates_can_be_shown_although_they_are_wrong(tmp_path: Path) -> None:
    write(tmp_path, "prompts/x.md", "{{nope}}")
    source = 'agent a { prompt_file "x.md" prompt_append "{{" }\nagent b { prompt_file "none.md" }'
    composer = Composer(good(load(project(source, tmp_path))))
    composer.plan()
    member = composer.roster.members[0]
    assert member.primary is not None
    shown = [composer.template(source) for source in (member.primary, *member.appends)]
    assert [read.text for read in shown if isinstance(read, FileText)] == ["{{nope}}", "{{"]
    names = [str(path.relative_to(tmp_path)) for path in composer.files]
    assert names == ["config.weave", "prompts/x.md", "prompts/none.md"]
