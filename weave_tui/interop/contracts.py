"""The optional extra `weaver`: the same functions with weaver_contracts' own dataclasses as results.

Every function of interop reads those dataclasses, with or without this module. Here the functions that
lead to the spec side also return them, under the same names, so this module stands in for the peer's
adapter. `to_contract` and `from_contract` convert single objects. Without the package every call
raises `CatalogError` with the way to install it, as the peer does.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any, ParamSpec

from weave_tui.interop import candidates, composed, options, outcomes
from weave_tui.interop import weaver_spec as spec
from weave_tui.interop.data import Document, plain
from weave_tui.interop.errors import CatalogError, ValidationError, shown

INSTALL = "weaver-contracts is not installed; install it with: pip install 'weave-tui[weaver]'"

MODULES: dict[type[Document], str] = {
    spec.SelectableItem: "weaver_contracts",
    spec.ChoiceCard: "weaver_contracts",
    spec.RoutingDecision: "weaver_contracts",
    spec.Frame: "weaver_contracts",
    spec.CompiledFlow: "weaver_contracts.extended",
    spec.ExecutionCandidate: "weaver_contracts.extended",
    spec.ExecutionRoutingDecision: "weaver_contracts.extended",
}
"""Where each contract's dataclass, of the same name, lives."""

_P = ParamSpec("_P")


def to_contract(document: object) -> Any:
    """A spec document as weaver_contracts' dataclass, with nested ones. Fields that it does not know are dropped.

    Raises `CatalogError` when the package is missing, `ValidationError` for anything but a spec document.
    """
    model = type(document)
    if model not in MODULES or not isinstance(document, Document):
        raise ValidationError(f"expected a spec document, got {shown(document)}")
    try:
        module = importlib.import_module(MODULES[model])
    except ImportError:
        raise CatalogError(INSTALL) from None
    fields = {name: _contract_value(getattr(document, name)) for name in model.model_fields}
    return getattr(module, model.__name__)(**fields)


def _contract_value(value: Any) -> Any:
    if isinstance(value, Document):
        return to_contract(value)
    if isinstance(value, tuple):
        return [_contract_value(entry) for entry in value]
    return plain(value) if isinstance(value, dict) else value


def from_contract(contract: object) -> Document:
    """A weaver_contracts dataclass as our model of the same name.

    Raises `ValidationError` when it breaks the published schema, or is no contract that interop knows.
    """
    kind = type(contract)
    if kind.__module__.partition(".")[0] == "weaver_contracts":
        for model in MODULES:
            if kind.__name__ == model.__name__:
                return model.read(contract)
    raise ValidationError(f"expected a contract of weaver_contracts, got {shown(contract)}")


def _returning_contract(function: Callable[_P, Document]) -> Callable[_P, Any]:
    @functools.wraps(function)
    def call(*args: _P.args, **kwargs: _P.kwargs) -> Any:
        return to_contract(function(*args, **kwargs))

    return call


to_weaver_selectable_item = _returning_contract(options.to_weaver_selectable_item)
to_weaver_choice_card = _returning_contract(options.to_weaver_choice_card)
to_weaver_choice_cards = _returning_contract(options.to_weaver_choice_cards)
to_weaver_routing_decision = _returning_contract(outcomes.to_weaver_routing_decision)
to_weaver_frame = _returning_contract(outcomes.to_weaver_frame)
composition_to_frame = _returning_contract(composed.composition_to_frame)
execution_routing_decision = _returning_contract(candidates.execution_routing_decision)

from_weaver_selectable_item = options.from_weaver_selectable_item
from_weaver_choice_card = options.from_weaver_choice_card
from_weaver_choice_card_single = options.from_weaver_choice_card_single
from_weaver_routing_decision = outcomes.from_weaver_routing_decision
from_weaver_frame = outcomes.from_weaver_frame
