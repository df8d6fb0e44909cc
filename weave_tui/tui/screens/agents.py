"""The agents screen: what is written in .weave, and the prompt that comes of it, live while files are edited.

It reads `Project`s in a thread, and shows one of its entries in four panes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from textual import work
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.message import Message
from textual.widget import Widget
from textual.worker import get_current_worker

from weave_tui import prompts
from weave_tui.broker import Broker, Composition
from weave_tui.prompts.agent_skills import NO_SKILLS, AgentSkills, appended
from weave_tui.prompts.compose import Prompt
from weave_tui.skills.watching import watch
from weave_tui.text import one_line
from weave_tui.tui.actions import PLACES
from weave_tui.tui.agents.prompt import composed_skills, error_lines, prompt_lines, skill_lines
from weave_tui.tui.agents.state import Project, composed, concerns, folders_of, read_project
from weave_tui.tui.agents.tables import rule_lines
from weave_tui.tui.agents.template import template_lines
from weave_tui.tui.rows import RowList
from weave_tui.tui.screens.agents_actions import DEEDS
from weave_tui.tui.screens.paned import PanedScreen
from weave_tui.tui.start import Start
from weave_tui.tui.widgets.agent_list import AgentList
from weave_tui.tui.widgets.bars import FooterBar, HeaderBar, short_path
from weave_tui.tui.widgets.pane import Pane
from weave_tui.tui.widgets.sentence import Sentence
from weave_tui.tui.widgets.small import TabsLine
from weave_tui.tui.widgets.text_rows import TextRows

LOOK_SECONDS = 0.5
TABS = (("1", "agents"), ("2", "template"), ("3", "prompt"), ("4", "rules"))
MARKS = (
    ("{{value}} {{{raw}}}", "green: what a tag fills in, in the template and in the prompt"),
    ("{{#section}}", "violet: what decides whether and how often its body is shown"),
    ("✕ ! under a line", "an error or a lint at that place"),
)


class AgentsScreen(PanedScreen[None]):
    """Agents and workflow steps; template, prompt and rules of the one under the cursor."""

    AUTO_FOCUS = "#agents"

    PLACE = PLACES["agents"]
    MARKS = MARKS

    @dataclass
    class Read(Message):
        """A new reading of the files."""

        project: Project

    @dataclass
    class FilesChanged(Message):
        """Files in the watched folders changed."""

        changed: frozenset[Path]

    def __init__(self, start: Start, broker: Callable[[], Broker | None]) -> None:
        super().__init__()
        self.start = start
        self.broker = broker
        self.project: Project | None = None
        self.composition: prompts.AgentComposition | prompts.StepComposition | None = None
        self.skills: tuple[AgentSkills, Composition] | None = None
        self.with_skills = False
        self._watched: frozenset[Path] = frozenset()
        self._registry: object = None
        self._entry: object = None
        self.agents = AgentList()
        self.template, self.prompt, self.rules = TextRows("template"), TextRows("agent-prompt"), TextRows("rules")
        self.tabs = TabsLine(TABS, id="tabs")
        self.nothing = Sentence(id="nothing")
        self.header = HeaderBar()
        self.footer = FooterBar(self.PLACE)

    def compose(self) -> ComposeResult:
        yield self.header
        yield self.tabs
        yield self.nothing
        with Container(id="panes"):
            yield Pane(1, "Agents", self.agents, id="agents-pane")
            with Vertical(id="sources"):
                yield Pane(2, "Template", self.template, id="template-pane")
                yield Pane(4, "Rules", self.rules, id="rules-pane")
            yield Pane(3, "Prompt", self.prompt, id="agent-prompt-pane")
        yield self.footer
        yield self.too_small

    # Reading ------------------------------------------------------------------------------

    def on_mount(self) -> None:
        self.show_pane("agents")
        self.read()
        self.set_interval(LOOK_SECONDS, self._look_at_skills)

    @work(thread=True, exclusive=True, group="agents", description="read agents")
    def read(self) -> None:
        worker = get_current_worker()
        broker = self.broker()
        registry = self._registry = broker.registry if broker else None
        names = {skill.name for skill in registry.skills} if registry else None
        project = read_project(self.start.where, names)
        if not worker.is_cancelled:
            self.post_message(self.Read(project))

    def reread(self) -> None:
        self.read()

    def _look_at_skills(self) -> None:
        """Read again when the skills did: lints and the skills behind a prompt are about them."""
        broker = self.broker()
        if self.project and broker and broker.registry is not self._registry:
            self.read()

    # Folders are watched, not files: an editor may replace a file, and some are not there yet.
    @work(thread=True, exclusive=True, group="watch", description="watch files")
    def watch_files(self, folders: frozenset[Path]) -> None:
        worker = get_current_worker()

        def tell(changed: frozenset[Path]) -> None:
            self.post_message(self.FilesChanged(changed))

        watch(folders, lambda: worker.is_cancelled, tell, recursive=False)

    def on_agents_screen_files_changed(self, event: FilesChanged) -> None:
        if self.project and concerns(event.changed, self.project.watched):
            self.read()

    def on_agents_screen_read(self, event: Read) -> None:
        project = self.project = event.project
        folders = folders_of(project.watched)
        if self.start.watch and folders != self._watched:
            self._watched = folders
            self.watch_files(folders)
        self.header.place = one_line(short_path(project.folder))
        self.header.warnings = len(project.diagnostics)
        kinds = [entry.kind for entry in project.entries]
        counts = {"agent": kinds.count("agent"), "step": kinds.count("step"), "file": kinds.count("file")}
        self.header.skills = " · ".join(f"{n} {kind}{'' if n == 1 else 's'}" for kind, n in counts.items() if n)
        edits, back = self.key("edit"), self.key("back")
        written = short_path(project.folder / "config.weave")
        self.nothing.text = f"{project.problem}: {edits} writes {written}, {back} goes back"
        self.set_class(bool(project.problem), "-nothing")
        self.agents.show(project.entries)
        self.show_entry()

    # Showing ------------------------------------------------------------------------------

    def show_entry(self) -> None:
        """Show what the list's cursor is on; the place is kept while it stays there."""
        project, entry = self.project, self.agents.current
        if project is None or entry is None:
            return
        keep = self._entry == (entry.kind, entry.target)
        self._entry = (entry.kind, entry.target)
        result = composed(project, entry)
        self.composition = result.value if result else None
        errors = result.errors if result else project.report.errors if project.report else ()
        self.template.show(template_lines(project, entry, errors), keep_place=keep)
        shown = one_line(entry.target) if entry.kind != "file" else ""
        self.note("#template-pane", shown)
        self.tabs.note = shown
        composer = project.report.composer if project.report else None
        broker = self.broker()
        self.skills = None
        if composer and broker and self.composition:
            self.skills = composed_skills(broker, composer, self.composition)
        self.rules.show(rule_lines(composer, entry) if composer else [], keep_place=keep)
        if self.composition:
            self._show_prompt(self.composition.prompt, keep=keep)
        else:
            self.note("#agent-prompt-pane", "no prompt")
            self.prompt.show(error_lines(project, entry, errors), keep_place=keep)
        self._follow()

    def _show_prompt(self, prompt: Prompt, *, keep: bool) -> None:
        lines = prompt_lines(prompt)
        broker, text = self.broker(), self.text
        noted = f"{broker.encoder.count_tokens(text):,} tokens" if broker else f"{len(lines):,} lines"
        if self.skills and self.skills[0] != NO_SKILLS:
            lines += skill_lines(*self.skills, appended=self.with_skills)
            noted += " + skills" if self.with_skills and self.skills[1].text else ""
        self.note("#agent-prompt-pane", noted)
        self.prompt.show(lines, keep_place=keep)

    @property
    def text(self) -> str:
        """The prompt as it is copied; "" when there is none."""
        if self.composition is None:
            return ""
        text = self.composition.prompt.text
        return appended(text, self.skills[1]) if self.with_skills and self.skills else text

    def on_row_list_moved(self, event: RowList.Moved) -> None:
        if event.rows is self.agents:
            self.show_entry()
        else:
            self._follow()

    def on_descendant_focus(self) -> None:
        self._follow()

    def _follow(self) -> None:
        """Mark in the template what made the current line of the prompt, and the other way round."""
        pairs = {self.prompt: self.template, self.template: self.prompt}
        for pane, other in pairs.items():
            if pane.has_focus and pane.line:
                pane.mark(())
                other.mark(pane.line.origins)
                return
        for pane in pairs:
            pane.marks = ()
            pane.refresh()

    # Moving about -------------------------------------------------------------------------

    @property
    def panes(self) -> dict[str, Widget]:
        return {"agents": self.agents, "template": self.template, "prompt": self.prompt, "rules": self.rules}

    def action_do(self, name: str) -> None:
        DEEDS[name](self)
