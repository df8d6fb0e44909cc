"""The extra `weaver`: the same functions with weaver_contracts' own dataclasses."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from hypothesis import given, settings

from tests.interop import strategies as make
from weave_tui import interop
from weave_tui.interop import contextweaver as cw
from weave_tui.interop import contracts

ITEM = {"id": "k", "kind": "tool", "name": "n", "description": "d", "metadata": {"a": {"b": None}}}
CARD = {"id": "k", "name": "n", "description": "d"}
NOW = "2031-03-04T05:06:07Z"


def test_without_the_package_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "weaver_contracts", None)
    with pytest.raises(interop.CatalogError, match=r"pip install 'weave-tui\[weaver\]'"):
        contracts.to_weaver_selectable_item(ITEM)


@pytest.fixture
def package() -> Any:
    return pytest.importorskip("weaver_contracts", reason="the extra weaver is not installed")


def test_results_are_the_real_dataclasses(package: Any) -> None:
    decision = {"id": "r", "choice_cards": [CARD], "timestamp": NOW}
    result = {"status": "ok", "summary": "s"}
    made = [
        contracts.to_weaver_selectable_item(ITEM),
        contracts.to_weaver_choice_card(CARD),
        contracts.to_weaver_choice_cards([CARD], menu_id="m"),
        contracts.to_weaver_routing_decision(decision),
        contracts.to_weaver_frame(result, frame_id="f", capability_id="c"),
    ]
    names = ["SelectableItem", "ChoiceCard", "ChoiceCard", "RoutingDecision", "Frame"]
    assert [type(entry) for entry in made] == [getattr(package, name) for name in names]
    assert type(made[3].choice_cards[0].items[0]) is package.SelectableItem
    assert contracts.from_weaver_selectable_item(made[0]).plain() == cw.SelectableItem.read(ITEM).plain()


def test_nothing_is_shared_with_the_dataclass(package: Any) -> None:
    ours = interop.to_weaver_selectable_item(ITEM)
    real = contracts.to_contract(ours)
    real.metadata["a"]["b"] = 1
    assert ours.metadata["a"]["b"] is None
    assert isinstance(real, package.SelectableItem)


def test_a_contract_that_breaks_the_schema_is_refused(package: Any) -> None:
    with pytest.raises(interop.ValidationError) as caught:
        contracts.from_contract(package.SelectableItem(id=5, label="l", description="d"))
    assert caught.value.path == "$.id"


@settings(max_examples=60, deadline=None)
@given(make.spec_decisions)
def test_decisions_survive_as_dataclasses(document: dict[str, Any]) -> None:
    pytest.importorskip("weaver_contracts", reason="the extra weaver is not installed")
    ours = interop.weaver_spec.RoutingDecision.read(document)
    again = contracts.from_contract(contracts.to_contract(ours))
    assert interop.from_weaver_routing_decision(again) == interop.from_weaver_routing_decision(ours)
