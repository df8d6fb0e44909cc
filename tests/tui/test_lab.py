"""The lab by its keys: what it judges, that it follows the files, and what a person does next."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from textual.widgets import Input

from tests.conftest import Write
from tests.tui.conftest import MEDIUM, SMALL, WIDE, Driver, Run
from weave_tui.lab.cases import read_cases
from weave_tui.tui.screens.choose import ChooseScreen
from weave_tui.tui.screens.compare import CompareScreen
from weave_tui.tui.screens.diagnostics import DiagnosticsScreen
from weave_tui.tui.screens.edit_here import EditHere
from weave_tui.tui.screens.lab import LabScreen
from weave_tui.tui.screens.main import MainScreen
from weave_tui.tui.widgets.text_rows import TextRows

DEPLOY = "---\nname: deploy-app\ndescription: Deploy an application to production servers.\n---\n\nShip it.\n"
REVIEW = "---\nname: pr-review\ndescription: Review a pull request and comment on the code.\n---\n\nRead it.\n"
SKILLS: dict[str, str | bytes] = {"deploy-app/SKILL.md": DEPLOY, "pr-review/SKILL.md": REVIEW}
CASES = (
    '{"query": "deploy to production", "expected": ["deploy-app"]}\n'
    '{"query": "review the release", "expected": ["deploy-app"]}\n'
)


class LabDriver(Driver):
    """Drives the lab, once everything is judged."""

    @property
    def lab(self) -> LabScreen:
        return next(screen for screen in self.pilot.app.screen_stack if isinstance(screen, LabScreen))

    def texts(self, pane: TextRows) -> list[str]:
        return [line.text for line in pane.shown]

    @property
    def all_text(self) -> str:
        return "\n".join(text for pane in (self.lab.figures, self.lab.detail) for text in self.texts(pane))


@asynccontextmanager
async def opened(
    run_app: Run, root: Path, size: tuple[int, int] = WIDE, watch: bool = False
) -> AsyncIterator[LabDriver]:
    async with run_app(root, size=size, watch=watch) as driver:
        driver.__class__ = LabDriver
        assert isinstance(driver, LabDriver)
        await driver.pilot.press("alt+l")
        await driver.until(lambda: driver.lab.found is not None)
        yield driver


async def test_it_shows_failures_first_with_figures_and_reasons(run_app: Run, write: Write) -> None:
    async with opened(run_app, write({**SKILLS, "evals/queries.jsonl": CASES})) as app:
        assert app.texts(app.lab.cases) == ["review the release", "deploy to production"]
        assert "1 of 2 pass" in app.all_text and "hit@1 50.0%" in app.all_text
        assert "pr-review from deploy-app" in app.all_text.replace("  ", " ")
        assert "deploy-app" in app.all_text and "apart" in app.all_text


async def test_w_finds_an_edit_that_wins_and_says_its_net_effect(run_app: Run, write: Write) -> None:
    async with opened(run_app, write({**SKILLS, "evals/queries.jsonl": CASES})) as app:
        await app.pilot.press("w")
        await app.until(lambda: "makes it win" in app.all_text)
        assert "verified by ranking" in app.all_text and "over all cases +1 −0" in app.all_text


async def test_t_tunes_the_expected_skill_until_the_query_comes_home(run_app: Run, write: Write) -> None:
    root = write({**SKILLS, "evals/queries.jsonl": CASES})
    async with opened(run_app, root) as app:
        await app.pilot.press("t")
        await app.until(lambda: isinstance(app.pilot.app.screen, EditHere))
        editor = app.pilot.app.screen
        assert isinstance(editor, EditHere) and editor.before and editor.before.place == 2
        editor.description.text = "Deploy an application to production servers. Review the release."
        await app.until(lambda: editor.after is not None and editor.after.place == 1)
        await app.pilot.press("ctrl+s", "enter")
        await app.until(lambda: isinstance(app.pilot.app.screen, LabScreen))
        await app.until(lambda: all(verdict.passed for verdict in app.lab.verdicts))


async def test_verdicts_flip_when_the_file_is_edited(run_app: Run, write: Write) -> None:
    root = write({**SKILLS, "evals/queries.jsonl": CASES})
    async with opened(run_app, root, watch=True) as app:
        assert app.lab.verdicts[1].thief == "pr-review"
        edited = DEPLOY.replace("servers.", "servers. Review the release.")
        (root / "deploy-app/SKILL.md").write_text(edited)
        await app.until(lambda: all(verdict.passed for verdict in app.lab.verdicts))
        await app.until(lambda: "since the last run +1 −0" in app.all_text)


async def test_an_empty_lab_says_what_to_do_and_tests_itself(run_app: Run, write: Write) -> None:
    async with opened(run_app, write(SKILLS)) as app:
        assert app.lab.nothing.text.startswith("no labelled queries here: h self-test") and app.lab.has_class(
            "-nothing"
        )
        await app.pilot.press("h")
        await app.until(lambda: app.lab.echoes is not None)
        assert not app.lab.has_class("-nothing")
        assert "A list to look at, not an accuracy" in app.all_text
        await app.pilot.press("h")
        await app.until(lambda: app.lab.has_class("-nothing"))


async def test_enter_tries_the_query_on_the_main_screen(run_app: Run, write: Write) -> None:
    async with opened(run_app, write({**SKILLS, "evals/queries.jsonl": CASES})) as app:
        await app.pilot.press("enter")
        await app.until(lambda: isinstance(app.pilot.app.screen, MainScreen))
        assert app.screen.query_input.value == "review the release"


async def test_a_file_elsewhere_is_used_too(run_app: Run, write: Write, tmp_path: Path) -> None:
    extra = tmp_path / "more.json"
    extra.write_text('[{"query": "ship", "expected": ["deploy-app"]}]')
    async with opened(run_app, write(SKILLS)) as app:
        await app.pilot.press("i")
        await app.pilot.press(*"nope", "enter")
        assert not isinstance(app.pilot.app.screen, LabScreen), "it asks again"
        for _ in "nope":
            await app.pilot.press("backspace")
        app.pilot.app.screen.query_one(Input).value = str(extra)
        await app.pilot.press("enter")
        await app.until(lambda: [verdict.case.query for verdict in app.lab.verdicts] == ["ship"])


async def test_what_cannot_be_used_is_told(run_app: Run, write: Write) -> None:
    files: dict[str, str | bytes] = {
        **SKILLS,
        "evals/queries.jsonl": CASES + '{"query": "x", "expected": ["nobody"]}\n',
    }
    async with opened(run_app, write(files)) as app:
        assert app.lab.header.warnings == 1
        await app.pilot.press("d")
        await app.until(lambda: isinstance(app.pilot.app.screen, DiagnosticsScreen))


async def test_the_lab_fits_every_size(run_app: Run, write: Write) -> None:
    root = write({**SKILLS, "evals/queries.jsonl": CASES})
    for size in (WIDE, MEDIUM, SMALL):
        async with opened(run_app, root, size=size) as app:
            assert app.lab.cases.size.height > 5
            await app.pilot.press("3")
            assert app.lab.detail.has_focus and app.lab.detail.size.height > 3
            await app.pilot.press("escape")
            await app.until(lambda: isinstance(app.pilot.app.screen, MainScreen))


async def test_m_marks_the_current_skill_as_expected(run_app: Run, write: Write) -> None:
    root = write(SKILLS)
    async with run_app(root) as app:
        await app.type("ship the thing")
        await app.pilot.press("alt+m")
        await app.until(lambda: (root / "evals/queries.jsonl").exists())
        await app.until(lambda: "is expected" in app.said)
        name = app.screen.ranking.current.row.skill.name if app.screen.ranking.current else ""
        found = read_cases([root / "evals/queries.jsonl"], app.session.registry)
        assert [(case.query, case.expected) for case in found.cases] == [("ship the thing", (name,))]
        await app.pilot.press("alt+m")
        await app.until(lambda: "has it already" in app.said)


async def test_with_several_files_m_asks_once(run_app: Run, write: Write) -> None:
    root = write({**SKILLS, "evals/a.jsonl": CASES, "evals/b.jsonl": CASES})
    async with run_app(root) as app:
        await app.type("ship it now")
        await app.pilot.press("alt+m")
        await app.until(lambda: isinstance(app.pilot.app.screen, ChooseScreen))
        await app.pilot.press("down", "enter")
        await app.until(lambda: "ship it now" in (root / "evals/b.jsonl").read_text())
        await app.type(" please")
        await app.pilot.press("alt+m")
        await app.until(lambda: "ship it now please" in (root / "evals/b.jsonl").read_text())
        assert "ship it now" not in (root / "evals/a.jsonl").read_text()


async def test_c_compares_the_current_skill_with_the_first(run_app: Run, write: Write) -> None:
    async with run_app(write(SKILLS)) as app:
        await app.pilot.press("alt+c")
        await app.until(lambda: "nothing to compare" in app.said)
        await app.type("review the release")
        await app.pilot.press("down", "alt+c")
        await app.until(lambda: isinstance(app.pilot.app.screen, CompareScreen))
        rows = app.pilot.app.screen.query_one(TextRows)
        assert any("against" in line.text for line in rows.shown)
        await app.pilot.press("w")
        await app.until(lambda: any("makes it win" in line.text for line in rows.shown))
