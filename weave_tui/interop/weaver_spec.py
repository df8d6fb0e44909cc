"""The weaver-spec side: its contracts as models, with the constraints of its published JSON Schemas.

Source: weaver_contracts 0.7.0 (its dataclasses) and the JSON Schemas of weaver-spec (0.2.0, unchanged
in meaning since). An optional field that is null is read as absent, since that is how the contracts'
own dataclasses look when dumped, and is never written. Fields that the spec does not know are kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import pydantic
from pydantic import ConfigDict, Field, WithJsonSchema

from weave_tui.interop.data import (
    AnyJson,
    Document,
    Flag,
    Metadata,
    Name,
    NullableObject,
    Number,
    Text,
    Texts,
    Time,
    empty_for_none,
)

RESERVED = "_contextweaver"
"""The key in a spec object's metadata under which contextweaver's own fields travel."""

MAX_ITEMS = 20
"""The most options of one menu (the JSON Schema's limit; the dataclass has none)."""

OptionalText = Annotated[Text | None, WithJsonSchema({"type": "string"})]
"""May be absent; the spec has no null for it."""


OptionalTexts = Annotated[Texts, pydantic.BeforeValidator(empty_for_none)]


class _Contract(Document):
    model_config = ConfigDict(extra="allow")

    __pydantic_extra__: dict[str, AnyJson]

    def written(self) -> Iterator[tuple[str, Any]]:
        """What was given and is not null: an absent field stays absent when a document is read and written."""
        given = self.model_fields_set
        for name in type(self).model_fields:
            if name in given and (value := getattr(self, name)) is not None:
                yield name, value


class SelectableItem(_Contract):
    """One option of a menu."""

    id: Annotated[Name, Field(description="Unique within its menu.")]
    label: Annotated[Name, Field(description="Short, safe to show to a model.")]
    description: Annotated[Name, Field(description="What it does.")]
    capability_id: Annotated[OptionalText, Field(description="The capability to run; routing only advises it.")] = None
    metadata: Metadata = Field(default_factory=dict)


class ChoiceCard(_Contract):
    """A menu of 1 to 20 options."""

    id: Name
    items: Annotated[
        tuple[SelectableItem, ...], Field(min_length=1, max_length=MAX_ITEMS, description="Options, in order.")
    ]
    context_hint: Annotated[OptionalText, Field(description="How a model should read the menu.")] = None
    metadata: Metadata = Field(default_factory=dict)


class RoutingDecision(_Contract):
    """What was offered and what was chosen. It advises; it grants nothing."""

    id: Name
    choice_cards: Annotated[tuple[ChoiceCard, ...], Field(min_length=1, description="The menus.")]
    timestamp: Time
    selected_item_id: Annotated[Text | None, Field(description="Null while nothing is chosen.")] = None
    selected_card_id: Annotated[Text | None, Field(description="The menu that held the chosen option.")] = None
    context_summary: Annotated[OptionalText, Field(description="What was asked, in brief.")] = None
    metadata: Metadata = Field(default_factory=dict)


class Frame(_Contract):
    """A result that is safe to show to a model: summary, structured facts and handles, never the raw output."""

    frame_id: Name
    capability_id: Name
    summary: Name
    created_at: Time
    structured_data: NullableObject = None
    handle_refs: Annotated[
        tuple[Name, ...],
        pydantic.BeforeValidator(empty_for_none),
        Field(description="Handles of the full artifacts."),
    ] = ()
    redaction_notes: OptionalText = None
    metadata: Metadata = Field(default_factory=dict)


Sensitivity = Literal["public", "internal", "confidential", "restricted"]
CandidateType = Literal["tool", "flow", "capability", "agent", "workflow"]


class CompiledFlow(_Contract):
    """A flow that a runtime has compiled, by reference (weaver_contracts.extended)."""

    flow_id: Name
    name: OptionalText = None
    version: OptionalText = None
    description: OptionalText = None
    input_schema_ref: OptionalText = None
    output_schema_ref: OptionalText = None
    tool_dependencies: OptionalTexts = ()
    sensitivity: Annotated[
        Sensitivity | None,
        WithJsonSchema({"type": "string", "enum": ["public", "internal", "confidential", "restricted"]}),
    ] = None
    side_effects: OptionalTexts = ()
    requires_authorization: Flag = True
    metadata: Metadata = Field(default_factory=dict)


class ExecutionCandidate(_Contract):
    """Something a runtime could run (weaver_contracts.extended)."""

    candidate_id: Name
    candidate_type: CandidateType
    name: OptionalText = None
    version: OptionalText = None
    description: OptionalText = None
    compiled_flow: CompiledFlow | None = None
    metadata: Metadata = Field(default_factory=dict)

    @pydantic.model_validator(mode="after")
    def _flow_only(self) -> ExecutionCandidate:
        if self.compiled_flow is not None and self.candidate_type != "flow":
            raise ValueError("compiled_flow goes with candidate_type flow only")
        return self


class ExecutionRoutingDecision(_Contract):
    """A router's advice what to run (weaver_contracts.extended). It grants nothing."""

    decision_id: Name
    candidate: ExecutionCandidate
    confidence: Annotated[Number | None, Field(ge=0, le=1), WithJsonSchema({"type": "number"})] = None
    reason_codes: OptionalTexts = ()
    reason: OptionalText = None
    fallback_candidates: Annotated[tuple[ExecutionCandidate, ...], pydantic.BeforeValidator(empty_for_none)] = ()
    constraints: Metadata = Field(default_factory=dict)
    policy_context_ref: OptionalText = None
    trace_ref: OptionalText = None
    created_at: OptionalText = None
    metadata: Metadata = Field(default_factory=dict)
