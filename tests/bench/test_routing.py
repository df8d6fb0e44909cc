"""The routing benchmark: its measures on cases worked out by hand, and a whole run on generated data."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.cli.test_commands import run
from tools.contextweaver_gold import measured, read
from tools.routing_data import write
from weave_tui.bench.calibration import Observed, error, fit
from weave_tui.bench.catalogue import BenchDataError, read_catalogues
from weave_tui.bench.measures import places, siblings
from weave_tui.bench.routers import ours
from weave_tui.bench.run import run as measure
from weave_tui.broker import Encoder
from weave_tui.broker.sureness import BANDS, band, chance, gap_at


@pytest.mark.parametrize(
    ("scores", "right", "expected"),
    [
        ([3, 2, 1], [0], (1, 1, 1, 1)),
        ([3, 2, 1], [1], (0, 1, 1, 1 / 2)),
        ([3, 2, 1], [1, 2], (0, 1, 1, 1 / 2)),
        ([2, 2, 1], [0], (1 / 2, 1, 1, 3 / 4)),
        ([2, 2, 2], [0], (1 / 3, 2 / 3, 1, 11 / 18)),
        ([9, 8, 7, 6, 5, 4], [5], (0, 0, 0, 1 / 6)),
        ([2, 2, 0], [0, 1], (1, 1, 1, 1)),
    ],
)
def test_places(scores: list[float], right: list[int], expected: tuple[float, ...]) -> None:
    flags = np.isin(np.arange(len(scores)), right)
    assert places(np.array(scores, float), flags) == pytest.approx(expected)


def test_siblings_are_the_nearest_and_never_oneself() -> None:
    centers = np.eye(8, dtype=np.float32)
    centers[1] = centers[0]
    found = siblings(centers)
    assert found[0, 1] and not found.diagonal().any()
    assert (found.sum(axis=1) == 5).all()


def test_the_fit_finds_the_line_it_was_drawn_from() -> None:
    draw = np.random.default_rng(0)
    gaps = draw.uniform(0, 0.3, 20_000)
    right = draw.uniform(size=len(gaps)) < 1 / (1 + np.exp(-(5 + 1.3 * np.log(gaps + 0.005))))
    seen = Observed(gaps, right, gaps, gaps)
    line = fit([seen])
    assert line == pytest.approx((5, 1.3), abs=0.2)
    assert error(seen, line) < 0.02


def test_bands_follow_the_chance() -> None:
    assert [band(gap) for gap in (None, 0.3, 0.11, 0.06, 0.01, 0.0)] == [
        "clear",
        "clear",
        "clear",
        "likely",
        "close call",
        "close call",
    ]
    chances = [chance(gap) for gap in np.linspace(0, 1, 50)]
    assert chances == sorted(chances)
    assert all(chance(gap_at(start)) == pytest.approx(start) for start, _ in BANDS if start)


def test_a_run_on_generated_data(tmp_path: Path, encoder: Encoder) -> None:
    write(tmp_path, {"a": (30, 20), "b": (40, 20)})
    report = measure(read_catalogues(tmp_path), encoder)
    assert set(report["catalogues"]) == {"a", "b"}
    assert report["macro"]["hit@1"] > 0.7
    assert 0 < report["macro"]["keystrokes"] < 1
    assert set(report["calibration"]["left_out_error"]) == {"a", "b"}
    assert json.loads(json.dumps(report)) == report


def test_the_command_prints_a_table_and_json(tmp_path: Path) -> None:
    write(tmp_path, {"a": (10, 6)})
    command = ("bench", "routing", str(tmp_path), "--no-typing")
    assert "hit@1" in run(*command).stdout
    report = json.loads(run(*command, "--json", "--peer", "minilm").stdout)
    assert report["macro"]["hit@1"] == report["catalogues"]["a"]["hit@1"]


@pytest.mark.parametrize(
    ("skills", "queries", "message"),
    [
        ("{", "", "skills.jsonl:1: expected JSON"),
        ("[]", "", "skills.jsonl:1: expected an object"),
        ('{"dataset": "a", "id": "x", "name": 1}', "", "skills.jsonl:1: name: expected text"),
        (
            '{"dataset": "a", "id": "x", "name": "n", "description": "", "triggers": "t"}',
            "",
            "triggers: expected a list",
        ),
        ("", '{"dataset": "a", "query": "q"}', "queries.jsonl:1: dataset: no skill is of 'a'"),
        (
            '{"dataset": "a", "id": "x", "name": "n", "description": ""}',
            '\n{"dataset": "a", "query": "q", "expected": ["y"]}',
            "queries.jsonl:2: expected: no skill has the id y",
        ),
    ],
)
def test_broken_data_is_one_clear_error(tmp_path: Path, skills: str, queries: str, message: str) -> None:
    (tmp_path / "skills.jsonl").write_text(skills)
    (tmp_path / "queries.jsonl").write_text(queries)
    with pytest.raises(BenchDataError) as caught:
        read_catalogues(tmp_path)
    assert message in str(caught.value)
    assert run("bench", "routing", str(tmp_path)).returncode == 3


def test_the_development_benchmark_stays_above_its_goal(shared: Path, encoder: Encoder) -> None:
    catalogues = read_catalogues(shared / "bench" / "routing")
    report = measure(catalogues, encoder, typed=False)
    assert report["macro"]["hit@1"] >= 0.76


def test_contextweavers_gold_set_stays_above_nine_of_ten(shared: Path, encoder: Encoder) -> None:
    recall, rank, _ = measured(ours(encoder), read(shared / "bench" / "contextweaver"))
    assert recall >= 0.92
    assert rank >= 0.8
