"""The index: whatever way it came about, it is the one that a fresh build gives, and only what is new is counted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weave_tui.broker import Encoder
from weave_tui.broker.embedding import Vectors
from weave_tui.broker.fields import SkillText
from weave_tui.broker.index import Index, build_index, empty_index
from weave_tui.broker.scoring import analyse, score
from weave_tui.broker.segment import Segment, build_segment

WORDS = ("deploy", "helm", "charts", "rename", "columns", "useEffect", "日本語", "review.flow", "NOT for tests", "")
QUERIES = ("rename a column", "deploy helm ch", "日本語", "use an effect", "review.flow", "")

texts = st.builds(
    SkillText,
    name=st.sampled_from(WORDS[:6]),
    description=st.lists(st.sampled_from(WORDS), max_size=4).map(". ".join),
    triggers=st.lists(st.sampled_from(WORDS), max_size=2).map(tuple),
    body=st.sampled_from(WORDS),
)
libraries = st.lists(texts, max_size=6)


def assert_same(index: Index, fresh: Index, encoder: Encoder) -> None:
    for text in QUERIES:
        ours = score(analyse(text, index, encoder), index)
        theirs = score(analyse(text, fresh, encoder), fresh)
        assert np.allclose(ours.words, theirs.words, atol=1e-6)
        assert np.allclose(ours.meaning, theirs.meaning, atol=1e-6)


@given(st.lists(libraries, min_size=1, max_size=5))
def test_any_way_of_changes_ends_at_the_same_index(encoder: Encoder, steps: list[list[SkillText]]) -> None:
    index = empty_index()
    for library in steps:
        index = index.replaced(library, encoder)
        assert len(index) == len(library)
    assert_same(index, build_index(steps[-1], encoder), encoder)


def test_only_what_is_new_is_encoded(encoder: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    library = [SkillText(f"skill-{i}", f"Does thing number {i}.") for i in range(40)]
    index = build_index(library, encoder)
    seen: list[str] = []
    plain = Encoder.sums

    def watched(self: Encoder, texts: Sequence[str]) -> Vectors:
        seen.extend(texts)
        return plain(self, texts)

    monkeypatch.setattr(Encoder, "sums", watched)
    changed = [*library[:7], SkillText("other", "Something else."), *library[8:]]
    index = index.replaced(changed, encoder)
    assert "Something else." in seen
    assert not any("thing number" in text for text in seen)
    seen.clear()
    index.replaced(library[:20], encoder)
    assert seen == []  # what was dropped a moment ago is still held


def test_segments_stay_few_and_the_large_one_stays(encoder: Encoder) -> None:
    library = [SkillText(f"skill-{i}", f"Does thing number {i}.") for i in range(64)]
    index = build_index(library, encoder)
    large = index.segments[0]
    for i in range(20):
        library.append(SkillText(f"more-{i}", "Comes later."))
        index = index.replaced(library, encoder)
        assert len(index.segments) <= 6
        assert index.segments[0] is large
    assert_same(index, build_index(library, encoder), encoder)


def test_the_same_text_is_one_row_and_does_not_change_what_is_rare(encoder: Encoder) -> None:
    one = SkillText("a", "Rename columns.")
    index = build_index([one, one, SkillText("b", "Deploy charts.")], encoder)
    assert (len(index), index.rows, index.distinct) == (3, 2, 2)
    scores = score(analyse("rename", index, encoder), index).score
    assert scores[0] == scores[1] > scores[2]


def test_a_segment_is_its_arrays(encoder: Encoder) -> None:
    library = [
        SkillText("a", "Rename columns. 日本語"),
        SkillText("b", "Deploy useEffect charts.", ("helm",), ("k8s",)),
    ]
    segment = build_segment(library, encoder, empty_index().weights)
    arrays = segment.arrays()
    assert all(array.dtype != object for array in arrays.values())
    again = Segment.from_arrays(arrays)
    assert (again.keys, again.surfaces) == (segment.keys, segment.surfaces)
    assert all(np.array_equal(array, again.arrays()[name]) for name, array in arrays.items())


def test_a_skills_entry_does_not_depend_on_the_others(encoder: Encoder) -> None:
    one, two = SkillText("a", "Rename columns.", ("rename",)), SkillText("b", "Rename charts often.", (), ("helm",))
    weights = empty_index().weights
    alone, both = build_segment([two], encoder, weights), build_segment([one, two], encoder, weights)
    held = np.flatnonzero(both.rows == 1)
    term = np.repeat(both.terms, np.diff(both.starts))[held]
    assert np.array_equal(term, alone.terms)
    assert np.array_equal(both.strengths[held], alone.strengths)
    assert np.allclose(both.center[1], alone.center[0], atol=1e-6)
    assert np.allclose(both.patterns[both.first[1] :], alone.patterns, atol=1e-6)


def test_a_text_has_one_key() -> None:
    assert SkillText("a", "b").key == SkillText("a", "b").key
    assert SkillText("a", "b").key != SkillText("a", "", ("b",)).key
    assert SkillText("a", triggers=("b", "c")).key != SkillText("a", triggers=("b",), capabilities=("c",)).key
