"""The seed's own examples, as it prints them (spec, opening: its own examples must compose).

An `# OR` in an example block means two examples.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.prompts.helpers import agent, first_error, good, project, prompt, shared, standard_context, step
from weave_tui.prompts import ComposeAgent, Layer, check, compose, render

REVIEWER = [
    (
        'agent reviewer {\n  prompt "Review code changes for quality and security."\n}',
        "Review code changes for quality and security.",
    ),
    ('agent reviewer {\n  prompt_file "prompts/reviewer.md"\n}', "You review.\n"),
    (
        'agent reviewer {\n  prompt_file "prompts/reviewer.md"\n'
        '  prompt_append "Focus on security vulnerabilities."\n}',
        "You review.\n\n\nFocus on security vulnerabilities.",
    ),
    (
        'agent reviewer {\n  prompt_file "prompts/reviewer.md"\n  prompt_append_file "prompts/security-focus.md"\n}',
        "You review.\n\n\nFocus.\n",
    ),
]


@pytest.mark.parametrize(("source", "expected"), REVIEWER)
def test_prompt_sources(source: str, expected: str, tmp_path: Path) -> None:
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "reviewer.md").write_text("You review.\n", encoding="utf-8")
    (tmp_path / "prompts" / "security-focus.md").write_text("Focus.\n", encoding="utf-8")
    assert prompt(source, "reviewer", tmp_path) == expected


def test_no_source() -> None:
    error = first_error(compose(project('agent reviewer { description "d" }'), ComposeAgent("reviewer")))
    assert error["type"] == "PromptSourceMissingError"


def test_both_appends_exclude_each_other() -> None:
    source = 'agent reviewer { prompt "x" prompt_append "Focus." prompt_append_file "prompts/security-focus.md" }'
    assert first_error(compose(project(source), ComposeAgent("reviewer")))["type"] == "ValidationError"


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{{agent.name}}", "scribe"),
        ("{{toolPolicy.effective.read}}", "ask"),
        ("{{#delegation.targets}}T{{/delegation.targets}}", "TT"),
        ("{{^delegation.targets}}T{{/delegation.targets}}", ""),
        ("{{! This is a comment }}", ""),
        (
            r"To reference an agent, use \{{agent.name}} in your template.",
            "To reference an agent, use {{agent.name}} in your template.",
        ),
        ("{{#category}}\n{{{category.description}}}\n{{/category}}", ""),
        ("{{#agent.description}}\nDescription: {{agent.description}}\n{{/agent.description}}", ""),
    ],
)
def test_features(template: str, expected: str) -> None:
    assert good(render(template, standard_context())).text == expected


@pytest.mark.parametrize(
    ("template", "kind"),
    [
        ("{{> footer}}", "UnsupportedTag"),
        ("{{=<% %>=}}", "UnsupportedTag"),
        ("{{artifact.contents}}", "UnknownPath"),
        ("{{chat.history}}", "UnknownPath"),
        ("{{raw.prompt}}", "UnknownPath"),
        ("{{agnt.name}}", "UnknownPath"),
        ("{{__proto__}}", "UnsafePath"),
        ("{{constructor}}", "UnsafePath"),
        ("{{prototype}}", "UnsafePath"),
        ("{{agent.__proto__}}", "UnsafePath"),
        ("{{#foo}}...{{/bar}}", "SectionMismatch"),
        ("{{{delegation.section}}}", "UnknownPath"),
    ],
)
def test_refusals(template: str, kind: str) -> None:
    assert first_error(render(template, standard_context()))["kind"] == kind


TARGET_LINES = """{{#delegation.targets}}
- **{{name}}**: {{description}}
  Domains: {{#domains}}{{.}}{{^last}}, {{/last}}{{/domains}}
{{/delegation.targets}}
"""


def test_context_stack_example() -> None:
    expected = "- **lint**: Checks style\n  Domains: Style, Docs\n- **shuttle-web**: \n  Domains: \n"
    assert good(render(TARGET_LINES, standard_context())).text == expected


DELEGATION = """## Delegation

You can delegate tasks to these specialized agents:

{{#delegation.targets}}
### {{name}}

{{#description}}{{description}}{{/description}}

**Domains**: {{#domains}}{{.}}{{^last}}, {{/last}}{{/domains}}

**Triggers**:
{{#triggers}}
- `{{trigger}}`{{#routing_hint}} - {{routing_hint}}{{/routing_hint}}
{{/triggers}}

{{/delegation.targets}}

{{^delegation.targets}}
No delegation targets are available.
{{/delegation.targets}}
"""


def test_delegation_example() -> None:
    assert good(render(DELEGATION, standard_context())).text == (
        "## Delegation\n\nYou can delegate tasks to these specialized agents:\n\n"
        "### lint\n\nChecks style\n\n**Domains**: Style, Docs\n\n**Triggers**:\n"
        "- `format` - before merge\n- `typos`\n\n"
        "### shuttle-web\n\n\n\n**Domains**: \n\n**Triggers**:\n\n\n"
    )


def test_delegation_example_without_targets() -> None:
    text = good(render(DELEGATION, standard_context(delegation={"targets": []}))).text
    assert text.endswith("agents:\n\n\nNo delegation targets are available.\n")


FLOW = """workflow secure-feature {
  version 1
  prompt_append "Always write tests."

  step implement {
    name "Implement"
    type autonomous
    agent shuttle
    prompt "Execute the plan."
    prompt_append "Focus on security."
    completion agent_signal
  }
}
"""

FALLBACK = """workflow secure-feature {
  version 1
  prompt_append "Always write tests."

  step review {
    name "Review"
    type gate
    agent weft
    prompt "Review the changes."
    completion review_verdict
    on_reject pause
  }
}
"""


@pytest.mark.parametrize(
    ("source", "name", "expected", "scope"),
    [
        (FLOW, "implement", "Execute the plan.\n\nFocus on security.", "step"),
        (FALLBACK, "review", "Review the changes.\n\nAlways write tests.", "workflow"),
    ],
)
def test_workflow_examples_with_undeclared_agents(source: str, name: str, expected: str, scope: str) -> None:
    composed = step(source, "secure-feature", name)
    assert (composed.prompt.text, composed.append_scope) == (expected, scope)
    assert "prompt-step-agent-unknown" in {found.code for found in check(project(source)).diagnostics}


ROLE = (
    "You are a specialized code review agent. "
    "Your role is to analyze code changes for quality, security, and maintainability."
)

CODE_REVIEWER = (
    f"# Code Reviewer\n\n{ROLE}\n"
    + """
## Your Capabilities

- **Read**: {{toolPolicy.effective.read}}
- **Write**: {{toolPolicy.effective.write}}
- **Execute**: {{toolPolicy.effective.execute}}
- **Delegate**: {{toolPolicy.effective.delegate}}

## Review Guidelines

1. Check for security vulnerabilities
2. Verify test coverage
3. Ensure code follows project conventions
4. Look for performance issues

{{#delegation.targets}}
## Delegation

When you encounter specialized concerns, delegate to these agents:

{{#delegation.targets}}
### {{name}}

{{#description}}{{description}}{{/description}}

**Handles**: {{#domains}}{{.}}{{^last}}, {{/last}}{{/domains}}

**Delegate when**:
{{#triggers}}
- {{trigger}}{{#routing_hint}} ({{routing_hint}}){{/routing_hint}}
{{/triggers}}

{{/delegation.targets}}
{{/delegation.targets}}

## Output Format

Provide your review as:

- **APPROVE** if changes are acceptable
- **BLOCK** if changes require fixes

Include specific feedback for any issues found.
"""
)

REVIEW_TEAM = """
agent reviewer { prompt_file "reviewer.md" tool_policy { read allow delegate allow } }
agent security {
  description "Finds holes" prompt "x"
  triggers [ { domain "Security" trigger "auth changes" routing_hint "always" } { domain "Crypto" trigger "keys" } ]
}
agent speed { description "Finds waste" prompt "x" triggers [ { domain "Performance" trigger "hot loops" } ] }
"""

ENTRIES = """### security

Finds holes

**Handles**: Security, Crypto

**Delegate when**:
- auth changes (always)
- keys

### speed

Finds waste

**Handles**: Performance

**Delegate when**:
- hot loops

"""


def _review_team(root: Path) -> list[Layer]:
    (root / "prompts").mkdir()
    (root / "prompts" / "reviewer.md").write_text(CODE_REVIEWER, encoding="utf-8")
    return project(REVIEW_TEAM, root)


def test_code_review_agent_repeats_its_targets_and_is_told_so(tmp_path: Path) -> None:
    layers = _review_team(tmp_path)
    text = agent(layers, "reviewer").prompt.text
    block = "## Delegation\n\nWhen you encounter specialized concerns, delegate to these agents:\n\n" + ENTRIES
    assert text.startswith("# Code Reviewer\n")
    assert "- **Read**: allow\n- **Write**: ask\n" in text
    assert block * 2 + "\n## Output Format\n" in text
    nested = [found for found in check(layers).diagnostics if found.code == "prompt-self-nested"]
    line = CODE_REVIEWER[: CODE_REVIEWER.rindex("{{#delegation")].count("\n") + 1
    assert [(found.path, found.line) for found in nested] == [(tmp_path / "prompts" / "reviewer.md", line)]


def test_the_quotations_are_the_seeds() -> None:
    seed = (shared("seeds") / "002_25e17d87425bc43d.txt").read_text(encoding="utf-8")
    for quoted in (CODE_REVIEWER, DELEGATION, TARGET_LINES, FLOW, FALLBACK):
        assert quoted.strip() in seed
