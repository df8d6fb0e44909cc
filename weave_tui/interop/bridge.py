"""The bridge: what weave-tui has (advertisements, results) as documents of the other side.

Identity: an item's id is `{platform}:{skill name}`, also its capability id, and its namespace is the
platform, so that a consumer who ignores every reserved key still finds both. The whole advertisement
travels in `metadata.weave`, which makes the way back exact. Scores and order are ours and are never
computed again. The composed text never enters a decision (`composed` has it as an artifact).

The inputs are small frozen classes, filled from the broker's objects by `from_broker` alone. Source:
the spec, section 3.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal, TypeVar

from weave_tui.interop import contextweaver as cw
from weave_tui.interop.data import plain
from weave_tui.interop.errors import CatalogError, ValidationError, json_path, shown
from weave_tui.protocol import (
    PLATFORMS,
    Platform,
    SchemaViolationError,
    UnsupportedVersionError,
    WeaveAdvertisement,
    WeaveRequest,
    WeaveResponse,
    parse_advertisement,
    parse_request,
    parse_response,
)

RUNTIME = "weave"
WEAVE = "weave"
"""The key of our own data in a document's metadata."""

SKILL: cw.Kind = "skill"
SUMMARY_LENGTH = 200
"""A decision's context summary is the query, cut here."""

UNNAMED = "unnamed"
"""Stands for a name of white space only, which linters and the spec refuse."""

_KIND_TAGS = frozenset({"skill", "tool", "flow"})
"""Tags that name a kind, not a capability."""

Role = Literal["match", "dependency", "pinned"]


@dataclass(frozen=True, slots=True)
class Offer:
    """A skill as the registry has it: its advertisement, and what the protocol has no field for."""

    advertisement: WeaveAdvertisement
    path: str = ""
    """Where it was read: tells skills of one name and platform apart."""
    description: str = ""
    """The frontmatter's description; without one the trigger patterns stand in."""
    item: cw.SelectableItem | None = None
    """What the registry has from elsewhere, such as a flow: exported as it came."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One skill of a result, in the result's order."""

    id: str
    """The item id, from `item_ids` over the whole registry."""
    advertisement: WeaveAdvertisement
    score: float
    role: Role = "match"
    description: str = ""
    item: cw.SelectableItem | None = None
    """As in `Offer`."""


def item_ids(offers: Sequence[Offer]) -> tuple[str, ...]:
    """The item id of each skill, in order. A clashing id gets `~` and 8 hex digits of its path's hash; the first
    skill of a name keeps the plain id.
    """
    taken: set[str] = set()
    return tuple(_free_id(_wanted_id(offer), offer.path, taken) for offer in offers)


def _wanted_id(offer: Offer) -> str:
    return offer.item.id if offer.item else _plain_id(offer.advertisement.platform, offer.advertisement.name)


def _plain_id(platform: str, name: str) -> str:
    return f"{platform}:{name}"


def _free_id(wanted: str, origin: str, taken: set[str]) -> str:
    found = wanted
    turn = 0
    while found in taken:
        marked = f"{origin}#{turn}" if turn else origin
        found = f"{wanted}~{_digest(marked)[:8]}"
        turn += 1
    taken.add(found)
    return found


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def one_line(text: str) -> str:
    """`text` as linters want it; not for the screen, whose text is made safe by `weave_tui.text`."""
    return " ".join(text.split())


def _description(advertisement: WeaveAdvertisement, description: str = "") -> str:
    """On one line, as catalog linters want it; never empty."""
    written = one_line(description) or one_line("; ".join(advertisement.trigger_patterns))
    return written or _label(advertisement.name)


def _label(name: str) -> str:
    return one_line(name) or UNNAMED


def _tag(capability: str) -> str:
    return one_line(capability).lower()


_Protocol = TypeVar("_Protocol", WeaveAdvertisement, WeaveRequest, WeaveResponse)
_PARSERS = {WeaveAdvertisement: parse_advertisement, WeaveRequest: parse_request, WeaveResponse: parse_response}


def _protocol(model: type[_Protocol], value: object, at: str = "$") -> _Protocol:
    """A protocol object from JSON or as it is. Raises `ValidationError` with the path below `at`."""
    if isinstance(value, model):
        return value
    try:
        return _PARSERS[model](value)  # type: ignore[return-value]
    except SchemaViolationError as error:
        first = error.violations[0]
        path = at + first.path.removeprefix("$")
        raise ValidationError(first.message, path=path, field=path.removeprefix("$").removeprefix(".")) from None
    except UnsupportedVersionError as error:
        raise ValidationError(str(error), path=f"{at}.weave_protocol", field="weave_protocol") from None


def advertisement_to_selectable_item(
    advertisement: object, *, description: str = "", item_id: str = ""
) -> cw.SelectableItem:
    """A skill as an item of kind `skill`. `item_id` is needed only where names clash (see `item_ids`).

    Raises `ValidationError` when the advertisement breaks the protocol.
    """
    given = _protocol(WeaveAdvertisement, advertisement)
    fields = {
        "id": item_id or _plain_id(given.platform, given.name),
        "kind": SKILL,
        "name": _label(given.name),
        "description": _description(given, description),
        "tags": sorted({SKILL, *filter(None, map(_tag, given.capabilities))}),
        "namespace": given.platform,
        "examples": given.trigger_patterns,
        "metadata": {"runtime": RUNTIME, WEAVE: given.model_dump(mode="json")},
        "provides": (given.name,),
        "requires": given.dependencies or None,
    }
    return cw.SelectableItem.read(fields)


def selectable_item_to_advertisement(item: object, *, platform: Platform | None = None) -> WeaveAdvertisement:
    """An item as an advertisement: exactly the one it came from, or one made of what the item says.

    A foreign item's platform is its namespace where that is one of the four, else `platform` must name one. Raises
    `CatalogError` without a platform, `ValidationError` when `metadata.weave` is no advertisement.
    """
    given = cw.SelectableItem.read(item)
    if WEAVE in given.metadata:
        return _protocol(WeaveAdvertisement, plain(given.metadata[WEAVE]), json_path(("metadata", WEAVE)))
    home = given.namespace if given.namespace in PLATFORMS else platform
    if home not in PLATFORMS:
        message = f"{shown(given.namespace)} is no platform; name one of {', '.join(PLATFORMS)}"
        raise CatalogError(message, path="$.namespace", field="platform")
    made = {
        "weave_protocol": "1.0",
        "name": given.name,
        "platform": home,
        "capabilities": [tag for tag in given.tags if tag not in _KIND_TAGS],
        "trigger_patterns": list(given.examples) or [given.description],
        "dependencies": list(given.requires or ()),
    }
    return _protocol(WeaveAdvertisement, made)


def export_catalog(offers: Sequence[Offer]) -> tuple[cw.SelectableItem, ...]:
    """The registry as a catalog that `contextweaver catalog lint` passes and its Router routes over.

    A dependency is written as the name it means: exactly, else whatever the case, as the registry finds it. One that
    means nothing stays and is the linter's finding.
    """
    names = [offer.advertisement.name for offer in offers]
    folded = {name.casefold(): name for name in reversed(names)} | {name: name for name in names}
    made = []
    for offer, item_id in zip(offers, item_ids(offers), strict=True):
        if offer.item:
            made.append(offer.item.model_copy(update={"id": item_id}))
            continue
        item = advertisement_to_selectable_item(offer.advertisement, description=offer.description, item_id=item_id)
        meant = tuple(folded.get(name, folded.get(name.casefold(), name)) for name in item.requires or ())
        made.append(item if meant == (item.requires or ()) else item.model_copy(update={"requires": meant}))
    return tuple(made)


def _card(
    item_id: str, name: str, home: str, description: str, tags: Iterable[str], score: float, kind: cw.Kind = SKILL
) -> dict[str, Any]:
    return {
        "id": item_id,
        "name": _label(name)[: cw.NAME_LENGTH],
        "description": description,
        "tags": sorted({kind, *tags}),
        "kind": kind,
        "namespace": home,
        "score": score,
    }


def _choice_card(choice: Choice) -> dict[str, Any]:
    given, item = choice.advertisement, choice.item
    if not item:
        tags = _fitting(map(_tag, given.capabilities), SKILL)
        return _card(choice.id, given.name, given.platform, _description(given, choice.description), tags, choice.score)
    tags = _fitting(item.tags, item.kind)
    return {
        **_card(choice.id, item.name, item.namespace, item.description, tags, choice.score, item.kind),
        "has_schema": bool(item.args_schema),
        "side_effects": item.side_effects,
        "cost_hint": item.cost_hint,
    }


def _fitting(tags: Iterable[str], kind: cw.Kind) -> list[str]:
    """The first tags that fit beside the tag of the kind, each cut to a card's limit."""
    cut = dict.fromkeys(tag[: cw.TAG_LENGTH].strip() for tag in tags)
    return [tag for tag in cut if tag and tag != kind][: cw.TAG_COUNT - 1]


def _decision(
    decision_id: str, timestamp: datetime | str, query: str, cards: Sequence[Any], ours: Mapping[str, Any]
) -> cw.RoutingDecision:
    if not cards:
        raise CatalogError("nothing is selected, so there is nothing to offer", path="$.skills", field="choice_cards")
    ids = [card["id"] for card in cards]
    fields = {
        "id": decision_id,
        "choice_cards": cards,
        "timestamp": timestamp,
        "selected_item_id": ids[0],
        "selected_card_id": ids[0],
        "context_summary": one_line(query)[:SUMMARY_LENGTH],
        "metadata": {"runtime": RUNTIME, WEAVE: {"selected_item_ids": ids, **ours}},
    }
    return cw.RoutingDecision.read(fields)


def response_to_routing_decision(
    request: object,
    response: object,
    *,
    decision_id: str,
    timestamp: datetime | str | None = None,
    advertisements: Iterable[object] = (),
) -> cw.RoutingDecision:
    """A protocol response as a decision: one card a skill, scores and order kept, the first one selected.

    A response says less than a result: descriptions come from `advertisements`, else from the names. Raises
    `CatalogError` for a response without skills, `ValidationError` for a document that breaks the protocol.
    """
    asked = _protocol(WeaveRequest, request, "$.request")
    answer = _protocol(WeaveResponse, response, "$.response")
    offered = [
        _protocol(WeaveAdvertisement, advertisement, f"$.advertisements[{position}]")
        for position, advertisement in enumerate(advertisements)
    ]
    known: dict[tuple[str, str], WeaveAdvertisement] = {}
    for entry in offered:
        known.setdefault((entry.platform, entry.name), entry)
    taken: set[str] = set()
    cards = []
    for skill in answer.skills:
        advertisement = known.get((skill.platform, skill.name))
        description = _description(advertisement) if advertisement else _label(skill.name)
        item_id = _free_id(_plain_id(skill.platform, skill.name), skill.composed_context, taken)
        cards.append(_card(item_id, skill.name, skill.platform, description, (), skill.score))
    ours = {"request": asked.model_dump(mode="json")}
    return _decision(decision_id, timestamp or datetime.now(UTC), asked.query, cards, ours)


def result_to_routing_decision(
    choices: Sequence[Choice],
    *,
    request: object,
    decision_id: str,
    created_at: datetime | str | None = None,
    gap: float | None = None,
) -> cw.RoutingDecision:
    """A result as a decision: one card a skill in the result's order, with our scores, roles and the gap.

    `request` is the WeaveRequest that was answered. Raises `CatalogError` when the result selected nothing.
    """
    asked = _protocol(WeaveRequest, request, "$.request")
    cards = list(map(_choice_card, choices))
    ours: dict[str, Any] = {
        "request": asked.model_dump(mode="json"),
        "roles": {choice.id: choice.role for choice in choices},
    }
    if gap is not None:
        ours["gap"] = gap
    return _decision(decision_id, created_at or datetime.now(UTC), asked.query, cards, ours)
