"""Indexes of earlier runs: the same answers as a new one, and nothing that happens to a file loses a skill."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from weave_tui.broker import Broker, Encoder, KeptIndexes
from weave_tui.broker.fields import SkillText
from weave_tui.broker.kept import KEPT_LIBRARIES
from weave_tui.broker.segment import Segment, build_segment
from weave_tui.broker.weights import Weights
from weave_tui.protocol import PROTOCOL, WeaveRequest
from weave_tui.skills import Skill

ROOTS = (Path("/library"),)
QUERY = WeaveRequest(weave_protocol=PROTOCOL, query="rename a column of a table without downtime")


@pytest.fixture
def encoded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many skills were counted and encoded, call by call."""
    counts: list[int] = []

    def counted(texts: list[SkillText], encoder: Encoder, weights: Weights) -> Segment:
        counts.append(len(texts))
        return build_segment(texts, encoder, weights)

    monkeypatch.setattr("weave_tui.broker.index.build_segment", counted)
    return counts


def started(encoder: Encoder, skills: tuple[Skill, ...], kept: KeptIndexes) -> Broker:
    broker = Broker(encoder)
    broker.draw_on(kept, ROOTS)
    broker.replace(skills)
    broker.keep(kept, ROOTS)
    return broker


def scores(broker: Broker) -> list[tuple[str, float]]:
    return [(row.skill.id, row.score) for row in broker.select(QUERY).ranking]


def test_a_second_start_encodes_nothing_and_answers_the_same(
    encoder: Encoder, samples: tuple[Skill, ...], tmp_path: Path, encoded: list[int]
) -> None:
    kept = KeptIndexes(tmp_path / "indexes")
    first = scores(started(encoder, samples, kept))
    assert sum(encoded) > 0
    encoded.clear()
    assert scores(started(encoder, samples, kept)) == first
    assert sum(encoded) == 0
    assert kept.extent()[0] == 1


def test_only_what_is_new_is_encoded_and_then_kept(
    encoder: Encoder, samples: tuple[Skill, ...], tmp_path: Path, encoded: list[int]
) -> None:
    kept = KeptIndexes(tmp_path / "indexes")
    started(encoder, samples[:-1], kept)
    encoded.clear()
    second = started(encoder, samples, kept)
    assert sum(encoded) == 1
    encoded.clear()
    assert scores(started(encoder, samples, kept)) == scores(second)
    assert sum(encoded) == 0


def test_steps_and_fewer_skills_draw_on_the_same_file(
    encoder: Encoder, samples: tuple[Skill, ...], tmp_path: Path, encoded: list[int]
) -> None:
    kept = KeptIndexes(tmp_path / "indexes")
    started(encoder, samples, kept)
    encoded.clear()
    broker = Broker(encoder)
    broker.draw_on(kept, ROOTS)
    for count in (3, 9, len(samples), 5):
        broker.replace(samples[:count])
        fresh = Broker(encoder)
        fresh.replace(samples[:count])
        assert [s for _, s in scores(broker)] == pytest.approx([s for _, s in scores(fresh)], abs=1e-6)
    assert broker.registry.skills == tuple(sorted(samples[:5], key=lambda skill: str(skill.locations[0])))


@pytest.mark.parametrize("damage", ["empty", "text", "torn", "numbers"])
def test_a_damaged_file_is_not_used_and_written_anew(
    encoder: Encoder, samples: tuple[Skill, ...], tmp_path: Path, damage: str
) -> None:
    folder = tmp_path / "indexes"
    kept = KeptIndexes(folder)
    first = scores(started(encoder, samples, kept))
    (path,) = folder.iterdir()
    data = path.read_bytes()
    if damage == "numbers":
        segment = kept.segment(ROOTS, encoder.fingerprint)
        assert segment is not None
        object.__setattr__(segment, "rows", segment.rows + np.int32(10_000))
        kept.keep(ROOTS, segment, encoder.fingerprint)
    else:
        path.write_bytes({"empty": b"", "text": b"no index", "torn": data[: len(data) // 2]}[damage])
    assert kept.segment(ROOTS, encoder.fingerprint) is None
    assert scores(started(encoder, samples, kept)) == first
    assert kept.segment(ROOTS, encoder.fingerprint) is not None


def test_another_model_or_library_has_a_file_of_its_own(
    encoder: Encoder, samples: tuple[Skill, ...], tmp_path: Path
) -> None:
    kept = KeptIndexes(tmp_path / "indexes")
    started(encoder, samples, kept)
    assert kept.segment(ROOTS, "another model") is None
    assert kept.segment((Path("/elsewhere"),), encoder.fingerprint) is None


def test_old_libraries_go(encoder: Encoder, samples: tuple[Skill, ...], tmp_path: Path) -> None:
    kept = KeptIndexes(tmp_path / "indexes")
    broker = Broker(encoder)
    broker.replace(samples[:2])
    for number in range(KEPT_LIBRARIES + 3):
        other = Broker(encoder)
        other.replace(samples[:2])
        other.keep(kept, (Path(f"/library/{number}"),))
    assert kept.extent()[0] == KEPT_LIBRARIES
    assert kept.forget() > 0
    assert kept.extent() == (0, 0)


def test_no_folder_keeps_nothing(encoder: Encoder, samples: tuple[Skill, ...], tmp_path: Path) -> None:
    assert scores(started(encoder, samples, KeptIndexes(None)))
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    assert scores(started(encoder, samples, KeptIndexes(blocked / "indexes")))
