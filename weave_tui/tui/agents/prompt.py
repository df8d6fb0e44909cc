"""The prompt pane: the composed prompt, each stretch with the tag that made it, and the skills behind it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from weave_tui import prompts
from weave_tui.broker import Broker, Composition
from weave_tui.prompts.agent_skills import AgentSkills, compose_skills, names_of, resolve
from weave_tui.prompts.compose import Prompt
from weave_tui.tui.agents.state import Entry, Project, diagnostics_of
from weave_tui.tui.agents.template import TONES
from weave_tui.tui.lines import Origin, ShownLine, Stretch, plain, split_lines
from weave_tui.tui.preview import Look, Shown, preview


def prompt_lines(prompt: Prompt) -> list[ShownLine]:
    """The prompt by its lines; what a tag filled in is drawn as the tag is in the template."""
    return [ShownLine(tuple(line)) for line in split_lines(_stretches(prompt))]


def _stretches(prompt: Prompt) -> Iterator[Stretch]:
    numbers = {id(part): number for number, part in enumerate(prompt.parts)}
    for span in prompt.spans():
        text = prompt.text[span.start : span.end]
        if span.piece is None or span.part is None:
            yield Stretch(text)
        else:
            token = span.piece.token
            yield Stretch(text, TONES[token.kind], origin=Origin(numbers[id(span.part)], token.start, token.end))


def error_lines(project: Project, entry: Entry, errors: Sequence[prompts.AnyError]) -> list[ShownLine]:
    """Why there is no prompt: one sentence an error, and where."""
    lines: list[ShownLine] = []
    for found in diagnostics_of(project, entry, errors):
        lines.append(ShownLine((Stretch(found.message, "error"),), "✕", "error"))
        lines.append(plain(found.place.removeprefix(f"{project.folder}{os.sep}"), "muted"))
    return lines


def composed_skills(
    broker: Broker, composer: prompts.Composer, composition: prompts.AgentComposition | prompts.StepComposition
) -> tuple[AgentSkills, Composition]:
    """The agent's skills, found and composed."""
    found = resolve(names_of(composition, composer), broker.registry, composer.loaded.config.disabled.skills)
    return found, compose_skills(broker, found)


def skill_lines(found: AgentSkills, composition: Composition, *, appended: bool) -> list[ShownLine]:
    """The skills behind the prompt: bright when they are part of it, muted when they are only named."""
    lines = [ShownLine((Stretch("---", "text" if appended else "hairline"),), stop=False)]
    lines += [ShownLine((Stretch(f"there is no skill {name}", "warning"),), "!", "warning") for name in found.unknown]
    lines += [plain(f"{name} is disabled", "muted") for name in found.disabled]
    if composition.text and not appended:
        lines.append(plain(f"{composition.tokens:,} tokens of skills are not part of the prompt (s appends)", "muted"))
    for line in preview(composition, Shown()):
        bright = appended and line.look in (Look.TEXT, Look.HEADING)
        stretch = Stretch(line.text, "text" if bright else "muted", bold=bright and line.look is Look.HEADING)
        lines.append(ShownLine((stretch,), line.margin, "warning" if appended else "hairline"))
    return lines
