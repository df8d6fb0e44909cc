"""One example for each thing that can be wrong with a configuration; a test holds each to its code."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from weave_tui import prompts
from weave_tui.diagnostics import Diagnostic, Severity
from weave_tui.prompts.places import Format

PROJECT, USER = Path(".weave"), Path("~/.weave")


@dataclass(frozen=True, slots=True)
class Example:
    """A project's configuration, and what else it takes: the user's, another format, an agent that is asked for."""

    source: str
    user: str = ""
    format: Format = "weave"
    agent: str = ""
    unresolved: Severity = Severity.ERROR

    def layers(self) -> list[prompts.Layer]:
        user = [prompts.Layer("global", USER, self.user)] if self.user else []
        return [*user, prompts.Layer("project", PROJECT, self.source, self.format)]

    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What is said about it."""
        if self.agent:
            result = prompts.compose(self.layers(), prompts.ComposeAgent(self.agent))
            return tuple(prompts.diagnostics_of(result.errors))
        return prompts.check(self.layers(), skills=["sql-style"], unresolved=self.unresolved).diagnostics


def _step(text: str, name: str = "s") -> str:
    return f"step {name} {{\n    type gate agent a completion user_confirm\n    {text}\n  }}"


_AGENT = 'agent a { prompt "You review." }'
_TWO = 'agent b { prompt "You test." description "Tests" triggers [{ domain "Tests" trigger "a change is ready" }] }'
_ANCHORED = "workflow w {\n  version 1\n  extends base\n  " + _step('prompt "Do." {anchor}') + "\n}"
_BASE = (
    "workflow base {\n  version 1\n  "
    + _step('prompt "Begin."', "one")
    + "\n  "
    + _step('prompt "End."', "two")
    + "\n}"
)

EXAMPLES: dict[str, Example] = {
    "prompt-file-read": Example('agent a { prompt_file "reviewer.md" }'),
    "prompt-parse": Example("agents: {a: {prompt: x}", format="yaml"),
    "prompt-unterminated-string": Example('agent a { prompt "You review. }'),
    "prompt-invalid-number": Example('agent a { prompt "x" temperature 0.2.5 }'),
    "prompt-unexpected-character": Example('agent a { prompt "x" mode = all }'),
    "prompt-unexpected-token": Example("agent a prompt { }"),
    "prompt-missing-block-name": Example('agent { prompt "x" }'),
    "prompt-unclosed-block": Example('agent a {\n  prompt "x"'),
    "prompt-validation": Example('agent a { prompt "x" mode helper }'),
    "prompt-unknown-key": Example('agent a { promt "x" }'),
    "prompt-duplicate-key": Example('agent a { prompt "x" mode all mode primary }'),
    "prompt-exclusive": Example('agent a { prompt "x" prompt_file "a.md" }'),
    "prompt-missing": Example('category web { description "Pages" }'),
    "prompt-unknown-extends-target": Example(
        "workflow w { version 1 extends featur }\nworkflow feature { version 1 "
        + 'step s { type gate agent a prompt "x" completion user_confirm } }'
    ),
    "prompt-unknown-insertion-anchor": Example(_BASE + "\n" + _ANCHORED.replace("{anchor}", "insert_after thre")),
    "prompt-both-insert-before-and-after": Example(
        _ANCHORED.replace("{anchor}", "insert_after one"),
        user=_BASE + "\n" + _ANCHORED.replace("{anchor}", "insert_before two"),
    ),
    "prompt-extends-cycle": Example("workflow v { version 1 extends w }\nworkflow w { version 1 extends v }"),
    "prompt-malformed-syntax": Example('agent a { prompt "{{#if agent.name}}x{{/if}}" }'),
    "prompt-unsupported-tag": Example('agent a { prompt "{{> header}}" }'),
    "prompt-section-mismatch": Example('agent a { prompt "{{#agent}}{{#skills}}{{.}}{{/agent}}" }'),
    "prompt-unknown-path": Example('agent a { prompt "I am {{agent.nam}}." }'),
    "prompt-unsafe-path": Example('agent a { prompt "{{agent.__class__}}" }'),
    "prompt-unresolved-tag": Example('agent a { prompt "{{{agent.description}}}" description "fills in {{name}}" }'),
    "prompt-output-too-large": Example(
        _TWO
        + '\nagent a {\n  tool_policy { delegate allow }\n  # and so on, forty deep\n  prompt "'
        + "{{#delegation.targets}}" * 40
        + "x"
        + "{{/delegation.targets}}" * 40
        + '"\n}\n'
        + _TWO.replace("agent b", "agent c")
    ),
    "prompt-source-missing": Example("agent a { mode primary }"),
    "prompt-category-shuttle-conflict": Example(
        'agent shuttle { prompt "You work." }\nagent shuttle-web { prompt "x" }\ncategory web { patterns ["web/**"] }'
    ),
    "prompt-review-variant-conflict": Example(
        'agent a { prompt "x" review_models ["large"] }\nagent a-large { prompt "x" }'
    ),
    "prompt-unknown-target": Example(_AGENT.replace("agent a", "agent reviewer"), agent="reviwer"),
    "prompt-escaped-value": Example('agent a { prompt "{{agent.description}}" description "R & D" }'),
    "prompt-self-nested": Example(
        _TWO + "\nagent a {\n  tool_policy { delegate allow }\n"
        '  prompt "{{#delegation.targets}}{{#delegation.targets}}{{name}}'
        '{{/delegation.targets}}{{/delegation.targets}}"\n}'
    ),
    "prompt-append-empty": Example(
        'agent a { prompt "x" prompt_append "{{#agent.description}}y{{/agent.description}}" }'
    ),
    "prompt-target-bare": Example('agent a { prompt "x" tool_policy { delegate allow } }\nagent b { prompt "y" }'),
    "prompt-name-unknown": Example(_AGENT + '\ndisable agents ["writer"]'),
    "prompt-literal-typo": Example('agent a { prompt "I am {agent.name}." }'),
    "prompt-append-shadowed": Example(
        _AGENT
        + '\nworkflow w {\n  version 1\n  prompt_append "Be brief."\n  '
        + _step('prompt "Review." prompt_append "Give a verdict."')
        + "\n}"
    ),
    "prompt-append-collision": Example(
        'workflow w { prompt_append "Be thorough." }',
        user=_AGENT
        + '\nworkflow w {\n  version 1\n  prompt_append "Be brief."\n  '
        + _step('prompt "Review."')
        + "\n}",
    ),
    "prompt-step-agent-unknown": Example(
        'agent reviewer { prompt "x" }\nworkflow w { version 1 '
        'step s { type gate agent reviwer prompt "x" completion user_confirm } }'
    ),
    "prompt-skill-unknown": Example('agent a { prompt "x" skills ["sql-stile"] }'),
    "prompt-anchor-unused": Example(
        _AGENT + "\n" + _ANCHORED.replace("{anchor}", "insert_after one").replace("\n  extends base", "")
    ),
    "prompt-category-unserved": Example(_AGENT + '\ncategory web { patterns ["web/**"] }'),
    "prompt-tag-like-text": Example(
        'agent a { prompt "{{{agent.description}}}" description "fills in {{name}}" }', unresolved=Severity.WARNING
    ),
}
"""By the code that each shows."""

NO_EXAMPLE = {
    "prompt-function-value": "only a program that calls `render` can cause it",
    "prompt-template-context-build": "only a program that calls `render`, or a wrong `--value`, can cause it",
    "prompt-renderers-differ": "never seen; it would be an error of ours",
}
"""Codes that no configuration shows, and why."""
