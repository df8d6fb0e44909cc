"""The conformance vectors of the mapping, one test each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.vector_forms import interop as form
from tests.vectors import form_of

VECTORS = json.loads((Path(__file__).parents[1] / "data" / "weaver_interop.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("vector", VECTORS["vectors"], ids=lambda vector: vector["id"])
def test_vector(vector: dict[str, Any]) -> None:
    assert form.failure(vector) == ""


def test_the_form_knows_its_files() -> None:
    assert form_of(VECTORS) is form
    assert not form.recognises({"vectors": [{"id": "a"}]})
    assert not form.recognises({"vectors": []})


@pytest.mark.parametrize(
    "spoil",
    [
        {"op": "unknown"},
        {"output": {"id": "other"}},
        {"output": None, "error": {"type": "CatalogError"}},
        {"input": {"item": {"id": "k"}}},
    ],
)
def test_a_vector_that_does_not_hold_is_told(spoil: dict[str, Any]) -> None:
    vector = {**VECTORS["vectors"][0], **spoil}
    (outcome,) = form.run({"vectors": [vector]})
    assert outcome.id == "si-02"
    assert not outcome.passed
