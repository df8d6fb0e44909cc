"""The contextweaver side: its types as models.

Source: contextweaver 0.18.2 (`contextweaver.types`, `contextweaver.envelope`). Fields, defaults and
the limits of a card are the peer's; wrong types, which the peer lets through, are refused. JSON has
the peer's own shape (its `to_dict`), so either reads what the other writes; fields that a newer peer
adds are not kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from weave_tui.interop.data import (
    Document,
    Flag,
    JsonObject,
    NullableObject,
    Number,
    Text,
    Texts,
    Time,
    Whole,
)

Kind = Literal["tool", "agent", "skill", "internal", "flow", "resource", "prompt"]
Safety = Literal["", "read_only", "destructive"]
Status = Literal["ok", "partial", "error"]
STATUSES: tuple[Status, ...] = ("ok", "partial", "error")

NAME_LENGTH = 64
TAG_COUNT = 5
TAG_LENGTH = 24
"""What a card may hold (contextweaver's gateway specification, section 2)."""

Foreign = Annotated[
    NullableObject,
    Field(description="The spec document this came from, kept by preserve_foreign; other tools ignore it."),
]


class SelectableItem(Document):
    """One thing a router can choose: a tool, agent, skill or flow, described in full."""

    absent: ClassVar[Mapping[str, object]] = dict.fromkeys(("depends_on", "provides", "requires", "foreign"))

    id: Text
    kind: Kind
    name: Text
    description: Text
    tags: Texts = ()
    namespace: Text = ""
    args_schema: JsonObject = Field(default_factory=dict)
    output_schema: NullableObject = None
    examples: Texts = ()
    constraints: JsonObject = Field(default_factory=dict)
    side_effects: Flag = False
    cost_hint: Number = 0.0
    metadata: JsonObject = Field(default_factory=dict)
    depends_on: Annotated[tuple[Text, ...] | None, Field(description="Ids of items this one needs.")] = None
    provides: Annotated[tuple[Text, ...] | None, Field(description="Capabilities this one offers.")] = None
    requires: Annotated[tuple[Text, ...] | None, Field(description="Capabilities some other item must offer.")] = None
    foreign: Foreign = None


class ChoiceCard(Document):
    """One compact card of a menu, without schemas."""

    absent: ClassVar[Mapping[str, object]] = dict.fromkeys(("score", "foreign"))

    id: Text
    name: Annotated[Text, Field(max_length=NAME_LENGTH)]
    description: Text
    tags: Annotated[
        tuple[Annotated[Text, Field(max_length=TAG_LENGTH)], ...],
        Field(max_length=TAG_COUNT, description="At most 5, each of at most 24 characters."),
    ] = ()
    kind: Kind = "tool"
    namespace: Text = ""
    has_schema: Flag = False
    cost_hint: Number = 0.0
    side_effects: Flag = False
    safety: Safety = ""
    score: Number | None = None
    foreign: Foreign = None


class RoutingDecision(Document):
    """The cards that were offered, flat, and what was chosen."""

    absent: ClassVar[Mapping[str, object]] = dict.fromkeys(
        ("selected_item_id", "selected_card_id", "context_summary", "foreign")
    )

    id: Text
    choice_cards: tuple[ChoiceCard, ...] = ()
    timestamp: Time
    metadata: JsonObject = Field(default_factory=dict)
    selected_item_id: Text | None = None
    selected_card_id: Text | None = None
    context_summary: Text | None = None
    foreign: Foreign = None


class ArtifactRef(Document):
    """A handle for data that is kept elsewhere."""

    absent: ClassVar[Mapping[str, object]] = {"content_hash": ""}

    handle: Text
    media_type: Text
    size_bytes: Whole
    label: Text = ""
    content_hash: Annotated[Text, Field(description="sha256, lower-case hex; empty when unknown.")] = ""


class ViewSpec(Document):
    """A named view of an artifact."""

    view_id: Text
    label: Text
    selector: JsonObject = Field(default_factory=dict)
    artifact_ref: ArtifactRef | None = None


class ResultEnvelope(Document):
    """A result as a model may see it: summary, facts, and references to the rest."""

    absent: ClassVar[Mapping[str, object]] = dict.fromkeys(("firewall_stats", "foreign"))

    status: Status
    summary: Text
    facts: Texts = ()
    artifacts: tuple[ArtifactRef, ...] = ()
    views: tuple[ViewSpec, ...] = ()
    provenance: JsonObject = Field(default_factory=dict)
    firewall_stats: NullableObject = None
    foreign: Foreign = None
