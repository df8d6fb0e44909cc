"""The score and its reasons: bounded, deterministic, and exactly the sum of what the words bring."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.factory import skill
from weave_tui.broker import Broker, EmptyQueryError, Encoder, difference
from weave_tui.broker.embedding import unit
from weave_tui.broker.explaining import explain
from weave_tui.broker.fields import SkillText
from weave_tui.broker.index import build_index
from weave_tui.broker.scoring import analyse, score
from weave_tui.broker.weights import FIELDS, WEIGHTS
from weave_tui.protocol import PROTOCOL, WeaveRequest

QUERIES = [
    "design a REST endpoint with a React form",
    "the the the",
    "x",
    "日本語のテスト",
    "🎉🎉🎉",
    "useEffect C++ kubernetes' don't",
    "rename a column " * 600,
    "postg",
    "\u202eright to left\x1b[31m",
]


def request(text: str, **fields: object) -> WeaveRequest:
    return WeaveRequest.model_validate({"weave_protocol": PROTOCOL, "query": text} | fields)


@pytest.mark.parametrize("text", QUERIES)
def test_scores_are_finite_and_bounded(broker: Broker, text: str) -> None:
    ranking = broker.select(request(text)).ranking
    assert len(ranking) == len(broker.registry)
    scores = [row.score for row in ranking]
    assert all(0.0 <= value <= 1.0 for value in scores)
    assert scores == sorted(scores, reverse=True)


def assert_reasons_add_up(text: str, texts: list[SkillText], encoder: Encoder) -> None:
    index = build_index(texts, encoder)
    query = analyse(text, index, encoder)
    scores = score(query, index)
    for position in range(len(texts)):
        shares = explain(query, position, index, encoder)
        unclipped = float(scores.meaning[position]) + float(scores.words[position])
        if query.words:
            assert sum(share.total for share in shares) == pytest.approx(unclipped, abs=1e-6)
        assert [share.word.text for share in shares] == [word.text for word in query.words]


@given(text=st.text(max_size=60), name=st.text(min_size=1, max_size=10), described=st.text(max_size=60))
def test_reasons_add_up_for_any_text(encoder: Encoder, text: str, name: str, described: str) -> None:
    other = SkillText("other", "Rename a column of a table. Design forms.", ("migrate",), ("sql",), "Body text.")
    assert_reasons_add_up(text, [SkillText(name, described, (), (), described), other], encoder)


@pytest.mark.parametrize("text", QUERIES)
def test_reasons_add_up_on_the_samples(broker: Broker, text: str) -> None:
    selection = broker.select(request(text))
    for place in range(5):
        row = selection.ranking[place]
        shares = broker.explain(selection.ranking, row.position)
        if shares:
            assert sum(share.total for share in shares) == pytest.approx(row.meaning + row.words, abs=1e-6)


def test_reasons_add_up_on_real_queries(shared: Path, broker: Broker) -> None:
    lines = (shared / "bench" / "routing" / "queries.jsonl").read_text(encoding="utf-8").splitlines()[::17]
    for line in lines:
        selection = broker.select(request(json.loads(line)["query"]))
        row = selection.ranking[0]
        shares = broker.explain(selection.ranking, row.position)
        assert sum(share.total for share in shares) == pytest.approx(row.meaning + row.words, abs=1e-6)


def test_equal_skills_go_by_name_then_path(encoder: Encoder) -> None:
    broker = Broker(encoder)
    texts = [("b", "2"), ("a", "9"), ("a", "1")]
    broker.advertise(
        skill(name, f"Body {path}.", description="Paint walls.", triggers=("paint walls",), path=f"{path}/x.mdc")
        for name, path in texts
    )
    ranking = broker.select(request("paint walls")).ranking
    by_score = sorted(ranking, key=lambda row: -row.score)
    assert [row.skill.id for row in by_score] == [row.skill.id for row in ranking]
    same = [row for row in ranking if row.skill.name == "a"]
    assert [str(row.skill.path) for row in same] == ["/library/1/x.mdc", "/library/9/x.mdc"]


@pytest.mark.parametrize("text", ["", " ", "\t\n "])
def test_an_empty_query_is_refused(broker: Broker, text: str) -> None:
    blank = WeaveRequest.model_construct(weave_protocol="1.0", query=text, top_n=1, exclude=())
    with pytest.raises(EmptyQueryError):
        broker.query(blank)


@pytest.mark.parametrize("text", ["ζητώ", "🎉", "!!!", "قاعدة"])
def test_an_unknown_query_says_so_and_selects_nothing(broker: Broker, text: str) -> None:
    result = broker.query(request(text))
    assert not result.selection.is_known
    assert result.response.skills == ()
    assert result.response.composed == ""


def test_hello_answers_nothing(broker: Broker) -> None:
    assert broker.query(request("hello")).response.skills == ()


def test_an_unfinished_word_counts_as_what_it_begins(broker: Broker) -> None:
    first = broker.select(request("postgr")).ranking[0]
    assert first.skill.name == "postgres-schema"


def test_reasons_name_fields_and_parts_as_the_arrays_have_them(broker: Broker) -> None:
    ranking = broker.select(request("rename a column in a live table without downtime")).ranking
    index = ranking.index
    for row in list(ranking)[:5]:
        shares = broker.explain(ranking, row.position)
        by_part: dict[str, float] = defaultdict(float)
        for share in shares:
            for entry in share.fields:
                by_part[entry.part] += entry.value
                assert entry.field in FIELDS
        # One segment: the rows of the arrays are those of the places.
        segment, at = index.segments[0], int(index.places[row.position])
        own = segment.patterns[segment.first[at] : segment.first[at + 1]] @ ranking.query.vector
        assert by_part["center"] == pytest.approx(WEIGHTS.center * segment.center[at] @ ranking.query.vector, abs=1e-6)
        assert by_part["pattern"] == pytest.approx(WEIGHTS.pattern * own.max(), abs=1e-6)
        assert by_part["words"] == pytest.approx(row.words, abs=1e-6)


def test_why_above_is_the_difference_of_two(broker: Broker) -> None:
    ranking = broker.select(request("write a commit message for the staged changes")).ranking
    first, last = ranking[0], ranking[len(ranking) - 1]
    why = difference(broker.explain(ranking, first.position), broker.explain(ranking, last.position))
    expected = first.meaning + first.words - last.meaning - last.words
    assert sum(share.total for share in why) == pytest.approx(expected, abs=1e-6)


def test_what_a_skill_is_not_for_does_not_attract(encoder: Encoder) -> None:
    broker = Broker(encoder)
    broker.advertise(
        [
            skill("unit-tests", description="Write unit tests. NOT for load tests, use load-tests."),
            skill("load-tests", description="Put a service under load and measure it."),
        ]
    )
    ranking = broker.select(request("load")).ranking
    assert ranking[0].skill.name == "load-tests"
    assert ranking[1].words == 0


@given(st.lists(st.text(max_size=30), min_size=1, max_size=5))
def test_vectors_are_unit_or_zero(encoder: Encoder, texts: list[str]) -> None:
    vectors = encoder.encode(texts)
    lengths = np.linalg.norm(vectors, axis=1)
    assert np.all((np.abs(lengths - 1) < 1e-3) | (lengths < 1e-6))
    for text, vector in zip(texts, vectors, strict=True):
        summed = sum((token.vector for token in encoder.token_vectors(text)), np.zeros(encoder.dimensions, np.float32))
        assert np.allclose(unit(summed), vector, atol=1e-5)


def test_tokens_of_unknown_scripts_count_by_character(encoder: Encoder) -> None:
    assert encoder.count_tokens("日本語") == 3
    assert encoder.count_tokens("") == 0
    assert encoder.count_tokens("word " * 2_000) == 2_000


def test_sums_are_what_model2vec_means(encoder: Encoder) -> None:
    texts = ["Rename a column.", "日本語", "", "word " * 700, "useEffect & <b>bold</b> naïve café", "x" * 5_000]
    theirs = encoder._model.encode(texts, max_length=encoder.max_tokens)
    assert np.allclose(encoder.encode(texts), theirs, atol=1e-5)
