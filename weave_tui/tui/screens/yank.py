"""The yank menu: what the result is copied as."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from textual import events
from textual.widget import Widget

from weave_tui.broker import Result
from weave_tui.broker.views import VIEWS, part
from weave_tui.protocol import WeaveRequest
from weave_tui.skills import Skill
from weave_tui.tui.rows import RowList
from weave_tui.tui.screens.dialog import Dialog
from weave_tui.tui.session import Session
from weave_tui.tui.strips import BOLD, Sides
from weave_tui.tui.widgets.line import roles_of


@dataclass(frozen=True, slots=True)
class Yank:
    """One thing to copy: its key, what it is, and the text made from the result, its request or the current skill."""

    key: str
    title: str
    of_result: Callable[[Result], str] | None = None
    of_skill: Callable[[Skill], str] | None = None
    of_answer: Callable[[WeaveRequest, Result], str] | None = None
    of_both: Callable[[Result, Skill], str] | None = None

    def text(self, session: Session, skill: Skill | None) -> str:
        """The text to copy; "" when there is nothing."""
        result = session.composed()
        if self.of_result:
            return self.of_result(result)
        if self.of_answer:
            request = session.request
            return self.of_answer(request, result) if request and result.skills else ""
        if self.of_both and skill:
            return self.of_both(result, skill)
        return self.of_skill(skill) if self.of_skill and skill else ""


def _spec_json(name: str) -> Callable[[WeaveRequest, Result], str]:
    """The document of that name as JSON in weaver-spec's form, which every tool of that family reads."""

    def text(request: WeaveRequest, result: Result) -> str:
        # Not at the top: whoever never yanks these need not wait for interop to load.
        from weave_tui.interop import to_json
        from weave_tui.interop.from_broker import DOCUMENTS, Answer

        return to_json(DOCUMENTS[name].spec(Answer(request, result)))

    return text


YANKS: tuple[Yank, ...] = (
    Yank("p", "the prompt", VIEWS["prompt"]),
    Yank("t", "the prompt and my task", VIEWS["task"]),
    Yank("i", "the invocation line of the skills' own tools", VIEWS["invocation"]),
    Yank("b", "the current skill's body", of_skill=lambda skill: skill.body),
    Yank("s", "the current skill's part of the prompt", of_both=part),
    Yank("f", "the current skill's path", of_skill=lambda skill: str(skill.path)),
    Yank("j", "the response as JSON", VIEWS["json"]),
    Yank("d", "a routing decision for weaver-spec", of_answer=_spec_json("decision")),
    Yank("r", "the prompt's frame for weaver-spec", of_answer=_spec_json("frame")),
    Yank("c", "an execution candidate for weaver-spec", of_answer=_spec_json("candidate")),
)


class YankList(RowList):
    def draw(self, index: int, width: int) -> Sides:
        role = roles_of(self)
        yank = YANKS[index]
        return [(f" {yank.key}  ", role.primary + BOLD), (yank.title, role.text)], []


class YankScreen(Dialog[Yank | None]):
    """Ask what to copy."""

    DEFAULT_CSS = "YankScreen YankList { height: 10; }"
    TITLE = "Yank as"
    KEYS = "a letter or enter copies · esc closes"

    def inside(self) -> list[Widget]:
        return [YankList()]

    def on_mount(self) -> None:
        rows = self.query_one(YankList)
        rows.show_rows(len(YANKS))
        rows.focus()

    def on_key(self, event: events.Key) -> None:
        chosen = next((yank for yank in YANKS if yank.key == event.character), None)
        if event.key == "enter":
            chosen = YANKS[self.query_one(YankList).cursor]
        if chosen:
            event.stop()
            self.dismiss(chosen)

    def on_row_list_pressed(self, event: RowList.Pressed) -> None:
        self.dismiss(YANKS[event.index])
