"""Execution candidates: a chosen card as the record that a host hands to a runtime.

Two forms: the six keys of the mapping page, and `ExecutionRoutingDecision` of weaver_contracts 0.7.0,
which has the confidence and the reasons outside the candidate and knows no candidate type for skills.
A candidate is advice; who may run it is the host's to decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, ClassVar

from pydantic import Field

from weave_tui.interop import chainweaver
from weave_tui.interop import contextweaver as cw
from weave_tui.interop import weaver_spec as spec
from weave_tui.interop.data import Document, JsonObject, Name, Number, Text, Texts
from weave_tui.interop.errors import CatalogError

REASONS = ("choicecard_match", "phase_route")
"""Why a card is a candidate: a card matched in the routing phase (the mapping page's codes)."""

CANDIDATE_TYPES: dict[cw.Kind, spec.CandidateType] = {
    "tool": "tool",
    "flow": "flow",
    "agent": "agent",
    "skill": "capability",
    "internal": "capability",
    "resource": "capability",
    "prompt": "capability",
}
"""What each kind is to a runtime."""


class HostCandidate(Document):
    """The mapping page's projection: what a host needs to run the choice, in six keys."""

    absent: ClassVar[Mapping[str, object]] = {"confidence": None}

    candidate_id: Name
    candidate_type: spec.CandidateType
    name: Text
    confidence: Annotated[Number | None, Field(ge=0, le=1)] = None
    reason_codes: Texts = REASONS
    metadata: JsonObject = Field(default_factory=dict)


class _Scored(Document):
    """The part of a card that a candidate is made of."""

    id: Name
    name: Text
    kind: cw.Kind = "tool"
    description: Text = ""
    score: Number | None = None


def execution_candidate(
    card: object, *, item_metadata: Mapping[str, Any] | None = None, reason_codes: Sequence[str] = REASONS
) -> HostCandidate:
    """A card as the mapping page's six keys; the confidence is the score kept inside 0 to 1.

    `item_metadata` is the metadata of the card's item: it names the runtime and the flow. The raw score and a kind
    that the type cannot say stay in the metadata. Raises `ValidationError`.
    """
    given = _Scored.read(card)
    fields = {
        "candidate_id": given.id,
        "candidate_type": CANDIDATE_TYPES[given.kind],
        "name": given.name,
        "confidence": _confidence(given),
        "reason_codes": reason_codes,
        "metadata": _metadata(given, item_metadata or {}),
    }
    return HostCandidate.read(fields)


def _confidence(card: _Scored) -> float | None:
    return None if card.score is None else min(1.0, max(0.0, card.score))


def _metadata(card: _Scored, item: Mapping[str, Any]) -> dict[str, Any]:
    made = {
        "runtime": item.get("runtime"),
        "runtime_flow_id": item.get(chainweaver.FLOW_ID),
        "runtime_flow_version": item.get(chainweaver.FLOW_VERSION),
        "raw_score": card.score,
        "kind": card.kind if CANDIDATE_TYPES[card.kind] != card.kind else None,
    }
    return {key: value for key, value in made.items() if value is not None}


def execution_routing_decision(decision: object, *, items: Iterable[object] = ()) -> spec.ExecutionRoutingDecision:
    """A decision as the spec's own advice: the selected card, or the first, and the others as fallbacks.

    `items` is the catalog the decision was made from: it gives versions, runtimes and flows. Raises `CatalogError`
    for a decision without cards or with a selection that none of them has; `ValidationError`.
    """
    given = cw.RoutingDecision.read(decision)
    if not given.choice_cards:
        raise CatalogError("a decision needs at least one card", path="$.choice_cards", field="choice_cards")
    catalog = {item.id: item for item in map(cw.SelectableItem.read, items)}
    wanted = given.selected_item_id or given.selected_card_id or given.choice_cards[0].id
    chosen = next((card for card in given.choice_cards if card.id == wanted), None)
    if chosen is None:
        raise CatalogError(
            "the selected item is not among the cards", path="$.selected_item_id", field="selected_item_id"
        )
    fields: dict[str, Any] = {
        "decision_id": given.id,
        "candidate": _candidate(chosen, catalog.get(chosen.id)),
        "confidence": _confidence(_Scored.read(chosen)),
        "reason_codes": REASONS,
        "fallback_candidates": [
            _candidate(card, catalog.get(card.id)) for card in given.choice_cards if card.id != chosen.id
        ],
        "constraints": {},
        "created_at": given.timestamp.isoformat(),
        "metadata": given.metadata,
    }
    return spec.ExecutionRoutingDecision.read(fields)


def _candidate(card: cw.ChoiceCard, item: cw.SelectableItem | None) -> dict[str, Any]:
    metadata = item.metadata if item else {}
    kind = CANDIDATE_TYPES[card.kind]
    weave = metadata.get("weave")
    version = metadata.get(chainweaver.FLOW_VERSION, weave.get("version") if isinstance(weave, dict) else None)
    made = {
        "candidate_id": card.id,
        "candidate_type": kind,
        "name": item.name if item else card.name,
        "version": version,
        "description": card.description,
        "metadata": _metadata(_Scored.read(card), metadata),
    }
    if kind == "flow" and chainweaver.FLOW_ID in metadata:
        made["compiled_flow"] = _compiled_flow(card, metadata)
    return made


def _compiled_flow(card: cw.ChoiceCard, metadata: Mapping[str, Any]) -> dict[str, Any]:
    flow = metadata.get(chainweaver.FLOW)
    written: Mapping[str, Any] = flow if isinstance(flow, dict) else {}
    steps = [step for step in written.get("steps") or () if isinstance(step, dict)]
    tools = dict.fromkeys(step["tool_name"] for step in steps if isinstance(step.get("tool_name"), str))
    return {
        "flow_id": metadata[chainweaver.FLOW_ID],
        "name": card.name,
        "version": metadata.get(chainweaver.FLOW_VERSION),
        "description": card.description,
        "input_schema_ref": written.get("input_schema_ref"),
        "output_schema_ref": written.get("output_schema_ref"),
        "tool_dependencies": list(tools),
        "requires_authorization": True,
        "metadata": {},
    }


def candidate_of_advice(advice: object) -> HostCandidate:
    """The spec's advice as the mapping page's six keys; fallbacks and constraints stay behind."""
    given = spec.ExecutionRoutingDecision.read(advice)
    fields = {
        "candidate_id": given.candidate.candidate_id,
        "candidate_type": given.candidate.candidate_type,
        "name": given.candidate.name or given.candidate.candidate_id,
        "confidence": given.confidence,
        "reason_codes": given.reason_codes,
        "metadata": given.candidate.metadata,
    }
    return HostCandidate.read(fields)


def advice_of_candidate(candidate: object, *, decision_id: str) -> spec.ExecutionRoutingDecision:
    """The six keys as the spec's advice, which needs an id. Raises `ValidationError`."""
    given = HostCandidate.read(candidate)
    fields = {
        "decision_id": decision_id,
        "candidate": {
            "candidate_id": given.candidate_id,
            "candidate_type": given.candidate_type,
            "name": given.name,
            "metadata": given.metadata,
        },
        "confidence": given.confidence,
        "reason_codes": given.reason_codes,
    }
    return spec.ExecutionRoutingDecision.read(fields)
