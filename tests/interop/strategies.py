"""Generated documents of both sides, with text and metadata as hostile as JSON allows."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from hypothesis import strategies as st

from weave_tui.interop import contextweaver as cw
from weave_tui.interop.weaver_spec import RESERVED
from weave_tui.protocol import PLATFORMS, WeaveAdvertisement

HOSTILE = [
    RESERVED,
    "weave",
    "foreign",
    "id",
    "metadata",
    "__class__",
    "",
    " ",
    "\x00",
    "\x1b[31m",
    "\u202e",
    "a:b:c",
    "$",
]

texts = st.one_of(st.sampled_from(HOSTILE), st.text(max_size=12))
names = texts.filter(bool)
numbers = st.floats(allow_nan=False, allow_infinity=False)
scalars = st.one_of(st.none(), st.booleans(), st.integers(-(2**70), 2**70), numbers, texts)
json_values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3), max_leaves=6
)
objects = st.dictionaries(texts, json_values, max_size=3)
foreign_objects = objects.map(lambda found: {key: value for key, value in found.items() if key != RESERVED})
first, last = datetime(2, 1, 1), datetime(9998, 1, 1)
times = st.datetimes(first, last) | st.datetimes(first, last, timezones=st.timezones())
text_lists = st.lists(texts, max_size=4)
kinds = st.sampled_from(["tool", "agent", "skill", "internal", "flow", "resource", "prompt"])
optional_lists = st.none() | text_lists


def _documents(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(fields)


items = _documents(
    id=names,
    kind=kinds,
    name=names,
    description=names,
    tags=text_lists,
    namespace=texts,
    args_schema=objects,
    output_schema=st.none() | objects,
    examples=text_lists,
    constraints=objects,
    side_effects=st.booleans(),
    cost_hint=numbers,
    metadata=foreign_objects,
    depends_on=optional_lists,
    provides=optional_lists,
    requires=optional_lists,
).map(cw.SelectableItem.read)

cards = _documents(
    id=names,
    name=names.map(lambda name: name[:64]),
    description=names,
    tags=st.lists(texts.map(lambda tag: tag[:24]), max_size=5),
    kind=kinds,
    namespace=texts,
    has_schema=st.booleans(),
    score=st.none() | numbers,
    cost_hint=numbers,
    side_effects=st.booleans(),
    safety=st.sampled_from(["", "read_only", "destructive"]),
).map(cw.ChoiceCard.read)

card_lists = st.lists(cards, min_size=1, max_size=5, unique_by=lambda card: card.id)


@st.composite
def decisions(draw: st.DrawFn) -> cw.RoutingDecision:
    offered = draw(card_lists)
    decision_id = draw(names)
    chosen = st.sampled_from([None, *(card.id for card in offered), "elsewhere", f"{decision_id}:menu"])
    return cw.RoutingDecision.read(
        {
            "id": decision_id,
            "choice_cards": offered,
            "timestamp": draw(times),
            "selected_item_id": draw(chosen),
            "selected_card_id": draw(chosen),
            "context_summary": draw(st.none() | texts),
            "metadata": draw(objects),
        }
    )


artifacts = _documents(
    handle=names, media_type=texts, size_bytes=st.integers(0, 2**60), label=texts, content_hash=texts
)
views = _documents(view_id=texts, label=texts, selector=objects, artifact_ref=st.none() | artifacts)
results = _documents(
    status=st.sampled_from(cw.STATUSES),
    summary=texts | st.just("(no summary)"),
    facts=text_lists,
    artifacts=st.lists(artifacts, max_size=3),
    views=st.lists(views, max_size=2),
    provenance=objects | st.fixed_dictionaries({"redaction_notes": json_values}),
    firewall_stats=st.none() | objects,
).map(cw.ResultEnvelope.read)


def _some(required: dict[str, Any], optional: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """A valid spec document: its required fields, some optional ones and perhaps one that the spec does not know."""
    known = st.fixed_dictionaries(required, optional=optional)
    unknown = st.dictionaries(st.sampled_from(["x_note", "vendor", "foreign", "kind"]), json_values, max_size=2)
    return st.tuples(unknown, known).map(lambda pair: {**pair[0], **pair[1]})


payloads = st.fixed_dictionaries(
    {}, optional={"kind": kinds, "tags": st.lists(st.just("t"), max_size=3), "namespace": texts, "x": json_values}
)
spec_metadata = st.one_of(
    foreign_objects, st.tuples(foreign_objects, payloads).map(lambda pair: {**pair[0], RESERVED: pair[1]})
)
spec_items = _some(
    {"id": names, "label": names, "description": names}, {"capability_id": texts, "metadata": spec_metadata}
)


def _menu_of(entries: Any) -> st.SearchStrategy[dict[str, Any]]:
    return _some(
        {"id": names, "items": st.lists(entries, min_size=1, max_size=4, unique_by=lambda item: item["id"])},
        {"context_hint": texts, "metadata": foreign_objects},
    )


spec_menus = _menu_of(spec_items)
stamps = st.sampled_from(["2031-03-04T05:06:07Z", "2031-03-04T05:06:07.25+02:00", "2031-03-04t05:06:07z"])
spec_decisions = _some(
    {"id": names, "choice_cards": st.lists(spec_menus, min_size=1, max_size=1), "timestamp": stamps},
    {
        "selected_item_id": texts,
        "selected_card_id": texts,
        "context_summary": texts,
        "metadata": objects,
    },
)
spec_frames = _some(
    {"frame_id": names, "capability_id": names, "summary": names | st.just("(no summary)"), "created_at": stamps},
    {
        "structured_data": st.fixed_dictionaries(
            {}, optional={"status": json_values, "facts": text_lists, "rows": json_values, "views": st.lists(views)}
        ),
        "handle_refs": st.lists(names, max_size=3),
        "redaction_notes": texts,
        "metadata": foreign_objects,
    },
)

advertisements = st.fixed_dictionaries(
    {
        "weave_protocol": st.just("1.0"),
        "name": names,
        "platform": st.sampled_from(PLATFORMS),
        "version": texts,
        "capabilities": text_lists,
        "trigger_patterns": st.lists(texts, min_size=1, max_size=3),
        "author": texts,
        "dependencies": text_lists,
    }
).map(WeaveAdvertisement.model_validate)
