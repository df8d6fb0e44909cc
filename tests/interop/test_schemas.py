"""What goes out validates: against our own schemas always, against the published ones where they are at hand."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from tests.interop import strategies as make
from weave_tui import interop
from weave_tui.interop import contextweaver as cw
from weave_tui.interop import weaver_spec as spec
from weave_tui.interop.data import Document

PUBLISHED = Path(__file__).parents[3] / "shared" / "schemas" / "weaver-spec"
FILES: dict[type[Document], str] = {
    spec.SelectableItem: "selectable_item",
    spec.ChoiceCard: "choice_card",
    spec.RoutingDecision: "routing_decision",
    spec.Frame: "frame",
}
needs_published = pytest.mark.skipif(not PUBLISHED.is_dir(), reason="the published schemas are not beside the checkout")
thorough = settings(max_examples=80, deadline=None)


@functools.cache
def published(model: type[Document]) -> Draft202012Validator:
    documents = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in PUBLISHED.glob("*.schema.json")}
    registry: Registry[Any] = Registry().with_resources(
        (document["$id"], Resource.from_contents(document)) for document in documents.values()
    )
    schema = documents[f"{FILES[model]}.schema.json"]
    return Draft202012Validator(schema, registry=registry, format_checker=Draft202012Validator.FORMAT_CHECKER)


@functools.cache
def own(model: type[Document]) -> Draft202012Validator:
    schema = model.model_json_schema()
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)


def check(document: Document) -> None:
    """Validate a document as it leaves, by every schema there is for it."""
    written = json.loads(interop.to_json(document))
    own(type(document)).validate(written)
    if type(document) in FILES and PUBLISHED.is_dir():
        published(type(document)).validate(written)


@thorough
@given(make.items)
def test_items(item: cw.SelectableItem) -> None:
    check(item)
    check(interop.to_weaver_selectable_item(item))


@thorough
@given(make.card_lists, make.names)
def test_menus(cards: list[cw.ChoiceCard], menu_id: str) -> None:
    check(cards[0])
    check(interop.to_weaver_choice_cards(cards, menu_id=menu_id))
    check(interop.to_weaver_choice_card(cards[0]))


@thorough
@given(make.decisions())
def test_decisions(decision: cw.RoutingDecision) -> None:
    check(decision)
    check(interop.to_weaver_routing_decision(decision))
    advised = decision.model_copy(update={"selected_item_id": None, "selected_card_id": None})
    check(interop.execution_routing_decision(advised))
    check(interop.execution_candidate(decision.choice_cards[0]))


@thorough
@given(make.results, make.names, make.times)
def test_frames(result: cw.ResultEnvelope, name: str, created: Any) -> None:
    check(result)
    check(interop.to_weaver_frame(result, frame_id=name, capability_id=name, created_at=created))


SPECS = {
    spec.SelectableItem: make.spec_items,
    spec.ChoiceCard: make.spec_menus,
    spec.RoutingDecision: make.spec_decisions,
    spec.Frame: make.spec_frames,
}
BREAKS: st.SearchStrategy[Any] = st.sampled_from([None, "", 5, [], {}, ["x"], {"a": 1}, True, "text", [""], [{}]])


@needs_published
@pytest.mark.parametrize("model", SPECS, ids=lambda model: model.__name__)
@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_our_models_and_the_published_schemas_agree(model: type[Document], data: st.DataObject) -> None:
    """On valid documents and on ones with a field broken, except null and bad times: ours reads null as absent and
    checks times, which jsonschema does only with a package more.
    """
    document = data.draw(SPECS[model])
    broken = data.draw(st.sampled_from([None, *model.model_fields]))
    if broken:
        document[broken] = data.draw(BREAKS)
    expected = published(model).is_valid({k: v for k, v in document.items() if v is not None})
    if broken in ("timestamp", "created_at") and isinstance(document[broken], str):
        expected = False
    try:
        model.read(document)
        found = True
    except interop.ValidationError:
        found = False
    assert found is expected


@pytest.mark.parametrize("model", FILES, ids=lambda model: model.__name__)
def test_our_schemas_name_what_the_published_ones_name(model: type[Document]) -> None:
    schema = model.model_json_schema()
    if not PUBLISHED.is_dir():
        pytest.skip("the published schemas are not beside the checkout")
    theirs = json.loads((PUBLISHED / f"{FILES[model]}.schema.json").read_text(encoding="utf-8"))
    assert set(schema["properties"]) == set(theirs["properties"])
    assert schema["required"] == theirs["required"]
    assert schema["additionalProperties"] is not False
