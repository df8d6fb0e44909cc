"""Flows in the registry: what ChainWeaver runs, advertised like a skill so that one ranking covers both.

Off unless a person names a file. A flow stays an item of its own kind beside the skill that stands for
it, so exports give it as it came, with its own JSON, from which a host runs it. Nothing here runs it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from weave_tui.interop import contextweaver as cw
from weave_tui.interop import weaver_spec as spec
from weave_tui.interop.bridge import Offer, export_catalog, selectable_item_to_advertisement
from weave_tui.interop.candidates import HostCandidate
from weave_tui.interop.catalog import filter_catalog
from weave_tui.interop.chainweaver import FLOW_ID, FLOW_VERSION, flow_document, resolve_flow_id
from weave_tui.interop.documents import import_document
from weave_tui.interop.errors import CatalogError, shown
from weave_tui.protocol import Platform
from weave_tui.skills import Skill, skill_id

FLOW: cw.Kind = "flow"

PLATFORM: Platform = "codex"
"""Whose a flow is said to be: the protocol has four platforms, and an AGENTS.md is the one file no tool owns alone."""


@dataclass(frozen=True, slots=True)
class Flows:
    """Flows as the registry takes them, and the item of each by the id of its skill."""

    skills: tuple[Skill, ...] = ()
    items: Mapping[str, cw.SelectableItem] = field(default_factory=dict)


def load_flows(document: object, path: Path, *, platform: Platform = PLATFORM) -> Flows:
    """The flows of a decoded document that was read from `path`: an export, ChainWeaver's own JSON, or a catalog.

    Raises `CatalogError` when there is none, else as `import_document`.
    """
    items = [item for item in import_document(document).items if item.kind == FLOW]
    if not items:
        raise CatalogError("expected at least one flow, got none")
    skills = [_skill(item, path, platform) for item in items]
    return Flows(tuple(skills), {skill.id: item for skill, item in zip(skills, items, strict=True)})


def _skill(item: cw.SelectableItem, path: Path, platform: Platform) -> Skill:
    advertisement = selectable_item_to_advertisement(item, platform=platform)
    version = item.metadata.get(FLOW_VERSION)
    if isinstance(version, str):
        advertisement = advertisement.model_copy(update={"version": version})
    return Skill(
        id=skill_id(Path(f"{path}#{item.id}")),
        path=path,
        locations=(path,),
        root=path.parent,
        source="given",
        kind="flow",
        advertisement=advertisement,
        description=item.description,
        body=_body(item),
        body_line=1,
        activation="described",
        globs=(),
        cites=(),
    )


def _body(item: cw.SelectableItem) -> str:
    """What a model reads of a flow: what it does, what it is called by, and what it takes."""
    flow_id = item.metadata.get(FLOW_ID, item.id)
    version = item.metadata.get(FLOW_VERSION)
    lines = [f"# {item.name}", "", item.description, ""]
    lines.append(f"A ChainWeaver flow, `{flow_id}`{f' version {version}' if version else ''}: a host runs it whole.")
    properties: Any = item.args_schema.get("properties")
    if isinstance(properties, Mapping) and properties:
        lines.append(f"It takes {', '.join(f'`{name}`' for name in properties)}.")
    return "\n".join(lines)


def runnable_flow(chosen: object, items: Iterable[cw.SelectableItem]) -> dict[str, Any]:
    """The flow that a decision or an execution candidate chose, as ChainWeaver's own JSON, for a host to run.

    `items` are the imported flows. Raises `CatalogError` when none of them is the chosen one, or it came without steps.
    """
    flows = list(items)
    wanted = resolve_flow_id(_selection(chosen), items=flows)
    for item in flows:
        if item.metadata.get(FLOW_ID) == wanted:
            return flow_document(item)
    raise CatalogError(f"no flow is known as {shown(wanted)}", path="$.selected_item_id", field="selected_item_id")


def _selection(chosen: object) -> object:
    """A candidate in the terms of a decision."""
    candidate = chosen.candidate if isinstance(chosen, spec.ExecutionRoutingDecision) else chosen
    if not isinstance(candidate, spec.ExecutionCandidate | HostCandidate):
        return chosen
    metadata = {FLOW_ID: candidate.metadata.get("runtime_flow_id")}
    return {"selected_item_id": candidate.candidate_id, "item_metadata": metadata}


def admitted(
    offers: Sequence[Offer], *, allowed_tags: Iterable[str] | None = None, excluded_tags: Iterable[str] = ()
) -> tuple[int, ...]:
    """Positions of the offers whose items pass, as contextweaver's Router filters them (see `filter_catalog`)."""
    items = export_catalog(offers)
    kept = frozenset(filter_catalog(items, allowed_tags=allowed_tags, exclude_tags=excluded_tags).ids)
    return tuple(position for position, item in enumerate(items) if item.id in kept)
