"""ChainWeaver's flows as items of kind `flow`, and the way back from an item or a decision to the flow.

Three shapes are read: the export that contextweaver documents (`id` or `flow_id`, with schemas inline),
ChainWeaver's own flow JSON (`flow_to_json`: a name and steps, no id) and the menu option that
ChainWeaver's `flow_to_selectable_item` makes. Source: contextweaver 0.18.2 `adapters/chainweaver.py`,
whose outputs hold for the first shape; chainweaver 0.14.1 for the others, which the peer cannot read.

Nothing here runs a flow: routing advises, a host decides and ChainWeaver executes. What it hands back
becomes a result without the flow's output in it, which stays behind a handle.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from weave_tui.interop import contextweaver as cw
from weave_tui.interop import weaver_spec as spec
from weave_tui.interop.data import Document, Flag, Name, Text, plain
from weave_tui.interop.errors import CatalogError, Steps, ValidationError, json_path, shown
from weave_tui.interop.options import from_weaver_selectable_item

RUNTIME = "chainweaver"
"""The runtime of a flow, its default namespace and the prefix of its item's id."""

TAG = "flow"
"""On every imported flow, so that `allowed_tags` and `exclude_tags` can gate flows."""

FLOW_ID = "chainweaver_flow_id"
FLOW_NAME = "chainweaver_flow_name"
FLOW_VERSION = "chainweaver_flow_version"
FLOW = "chainweaver_flow"
"""Keys of an item's metadata: what a host needs to find the flow again; `FLOW` is the flow's own JSON, whole."""

_Flow = TypeVar("_Flow")


def load_chainweaver_export(export: object, *, namespace: str | None = None) -> tuple[cw.SelectableItem, ...]:
    """The flows of an export as items: `{"flows": [...]}`, a list, or one flow in ChainWeaver's own shapes.

    Raises `CatalogError` for another shape, a flow without id, name or description, or an id used twice.
    """
    flows, base = _flows(export)
    made: dict[str, cw.SelectableItem] = {}
    for position, flow in enumerate(flows):
        steps: Steps = (*base, position) if base is not None else ()
        item = _item(flow, steps, RUNTIME if namespace is None else namespace)
        if item.id in made:
            raise CatalogError(f"the flow {shown(item.id)} is there twice", path=json_path(steps), field="id")
        made[item.id] = item
    return tuple(made.values())


def _flows(export: object) -> tuple[Sequence[Any], Steps | None]:
    if isinstance(export, list | tuple):
        return export, ()
    if isinstance(export, Mapping):
        if isinstance(export.get("flows"), list | tuple):
            return export["flows"], ("flows",)
        if "flows" not in export and (_is_native(export) or _is_option(export)):
            return [export], None
    raise CatalogError(f"expected a list of flows, or an object with a list under flows, got {shown(export)}")


def _is_native(flow: Mapping[str, Any]) -> bool:
    return isinstance(flow.get("steps"), list) and "name" in flow and not (flow.get("id") or flow.get("flow_id"))


def _is_option(flow: Mapping[str, Any]) -> bool:
    return "label" in flow and "name" not in flow


def _item(flow: object, steps: Steps, namespace: str) -> cw.SelectableItem:
    if isinstance(flow, spec.SelectableItem):
        flow = flow.plain()
    if not isinstance(flow, Mapping):
        raise CatalogError(f"expected a flow, got {shown(flow)}", path=json_path(steps))
    if _is_option(flow):
        return _from_option(flow, steps, namespace)
    if _is_native(flow):
        _required(flow, "name", steps)
        capability = flow.get("capability_id")
        flow_id = capability if isinstance(capability, str) and capability else flow["name"]
        kept = {FLOW_NAME: flow["name"]} if flow["name"] != flow_id else {}
        return _made(flow, flow_id, steps, namespace, {**kept, FLOW: flow})
    name = "id" if flow.get("id") else "flow_id" if flow.get("flow_id") else "id"
    return _made(flow, _required(flow, name, steps, "id"), steps, namespace, {})


def _from_option(option: Mapping[str, Any], steps: Steps, namespace: str) -> cw.SelectableItem:
    read = spec.SelectableItem.read(option, where=lambda inner: (*steps, *inner))
    item = from_weaver_selectable_item(read)
    metadata = item.metadata
    flow = {
        "name": item.name,
        "description": item.description,
        "version": metadata.get("version"),
        "tags": metadata.get("tags", item.tags),
        "input_schema": metadata.get("input_schema", item.args_schema),
        "output_schema": metadata.get("output_schema", item.output_schema),
    }
    mapped = ("version", "tags", "input_schema", "output_schema")
    kept = {key: value for key, value in metadata.items() if key not in mapped}
    known = kept.pop(FLOW_ID, None)
    flow_id = known if isinstance(known, str) and known else read.capability_id or read.id
    if item.name != flow_id:
        kept.setdefault(FLOW_NAME, item.name)
    return _made(flow, flow_id.removeprefix(f"{RUNTIME}:"), steps, namespace, kept)


def _required(flow: Mapping[str, Any], name: str, steps: Steps, field: str = "") -> str:
    value = flow.get(name)
    if isinstance(value, str) and value:
        return value
    found = "required, but missing" if value is None else f"expected text, got {shown(value)}"
    raise CatalogError(found, path=json_path((*steps, name)), field=field or name)


def _made(
    flow: Mapping[str, Any], flow_id: str, steps: Steps, namespace: str, kept: dict[str, Any]
) -> cw.SelectableItem:
    name = _required(flow, "name", steps)
    description = _required(flow, "description", steps)
    tags = flow.get("tags")
    named = tags if isinstance(tags, list | tuple | set) else ()
    arguments = flow.get("input_schema", flow.get("inputs"))
    results = flow.get("output_schema", flow.get("outputs"))
    version = flow.get("version")
    metadata = {**kept, "runtime": RUNTIME, FLOW_ID: flow_id}
    if isinstance(version, str) and version:
        metadata[FLOW_VERSION] = version
    fields = {
        "id": f"{RUNTIME}:{flow_id}",
        "kind": "flow",
        "name": name,
        "description": description,
        "tags": sorted({TAG, *(tag for tag in named if isinstance(tag, str) and tag)}),
        "namespace": namespace,
        "args_schema": arguments if isinstance(arguments, dict) else {},
        "output_schema": results if isinstance(results, dict) and results else None,
        "metadata": metadata,
    }
    return cw.SelectableItem.read(fields, where=lambda inner: (*steps, *inner))


def resolve_flow_id(decision: object, *, items: Iterable[object] = ()) -> str:
    """The flow that a decision chose, as ChainWeaver knows it.

    `decision` is a decision of either side, an item, or an object with `selected_item_id` and `item_metadata`;
    `items` is the catalog it was made from, for decisions that carry no metadata. The id in the metadata counts
    first, then the one in the item's id. Raises `CatalogError` when nothing, or no flow, is selected.
    """
    chosen, metadata = _chosen(_as_mapping(decision), items)
    flow_id = metadata.get(FLOW_ID)
    if isinstance(flow_id, str) and flow_id:
        return flow_id
    if chosen.startswith(f"{RUNTIME}:") and chosen != f"{RUNTIME}:":
        return chosen.removeprefix(f"{RUNTIME}:")
    raise CatalogError(f"{shown(chosen)} is no ChainWeaver flow", path="$.selected_item_id", field="selected_item_id")


def _as_mapping(value: object) -> Mapping[str, Any]:
    if isinstance(value, Mapping):
        return value
    if isinstance(value, Document):
        return value.plain()
    fields = getattr(value, "__dict__", None)
    if isinstance(fields, dict):
        return fields
    raise ValidationError(f"expected a decision, got {shown(value)}")


def _chosen(decision: Mapping[str, Any], items: Iterable[object]) -> tuple[str, Mapping[str, Any]]:
    """Id and metadata of the selected item, or of the item itself."""
    if "kind" in decision or "label" in decision:
        return str(decision.get("id")), _object(decision.get("metadata"))
    chosen = decision.get("selected_item_id")
    if not isinstance(chosen, str) or not chosen:
        raise CatalogError("nothing is selected", path="$.selected_item_id", field="selected_item_id")
    if isinstance(decision.get("item_metadata"), Mapping):
        return chosen, decision["item_metadata"]
    options = [_as_mapping(item) for item in items]
    for card in decision.get("choice_cards") or ():
        options += map(_as_mapping, _as_mapping(card).get("items") or ())
    metadata: dict[str, Any] = {}
    for option in options:
        if option.get("id") == chosen:
            metadata |= _object(option.get("metadata"))
    return chosen, metadata


def _object(value: object) -> dict[str, Any]:
    return dict(value) if isinstance(value, Mapping) else {}


def resolve_flow(decision: object, flows: Iterable[_Flow], *, items: Iterable[object] = ()) -> _Flow:
    """The flow among `flows` that a decision chose: runnable as it is.

    `flows` are ChainWeaver's own objects (`registry.get_active_flows()`) or their JSON. A flow answers to its
    capability id first, then to its name, as ChainWeaver's own resolver has it. Raises `CatalogError` when none does.
    """
    wanted = resolve_flow_id(decision, items=items)
    candidates = list(flows)
    for field in ("capability_id", "name", "id", "flow_id"):
        for flow in candidates:
            value = flow.get(field) if isinstance(flow, Mapping) else getattr(flow, field, None)
            if value == wanted:
                return flow
    raise CatalogError(f"no flow is known as {shown(wanted)}", path="$.selected_item_id", field="selected_item_id")


def flow_document(item: object) -> dict[str, Any]:
    """The flow's own JSON, for ChainWeaver's `flow_from_dict`. Raises `CatalogError` when the item has none."""
    flow = cw.SelectableItem.read(item).metadata.get(FLOW)
    if isinstance(flow, dict):
        return dict(plain(flow))
    raise CatalogError("the item carries no flow of its own", path=json_path(("metadata", FLOW)), field=FLOW)


class _Step(Document):
    tool_name: Text
    success: Flag
    skipped: Flag = False
    error_type: Text | None = None


class _Execution(Document):
    """The part of ChainWeaver's ExecutionResult that a result tells."""

    flow_name: Text
    flow_version: Text
    success: Flag
    trace_id: Name
    final_output: Any = None
    execution_log: tuple[_Step, ...] = ()


def execution_to_envelope(execution: object) -> cw.ResultEnvelope:
    """What a flow's run gave, as a result: a fact a step and the names of the outputs; the values are an artifact.

    `execution` is ChainWeaver's `ExecutionResult` or its JSON. Status: `error` when the flow failed, `partial` when a
    step was skipped. Source: chainweaver 0.14.1; the spec's invariant that raw output never enters a frame. Raises
    `ValidationError`.
    """
    given = _Execution.read(execution)
    steps = given.execution_log
    output = json.dumps(given.final_output, ensure_ascii=False, default=str).encode("utf-8", "surrogatepass")
    artifact = {
        "handle": f"{RUNTIME}:{given.trace_id}",
        "media_type": "application/json",
        "size_bytes": len(output),
        "label": f"output of {given.flow_name}",
        "content_hash": hashlib.sha256(output).hexdigest(),
    }
    names = list(given.final_output) if isinstance(given.final_output, Mapping) else []
    done = sum(step.success and not step.skipped for step in steps)
    outcome = "finished" if given.success else "failed"
    fields = {
        "status": "error" if not given.success else "partial" if any(step.skipped for step in steps) else "ok",
        "summary": f"Flow {given.flow_name} {given.flow_version} {outcome}: {done} of {len(steps)} steps done.",
        "facts": [*map(_step_fact, steps), *([f"outputs: {', '.join(map(str, names))}"] if names else [])],
        "artifacts": [artifact] if given.final_output is not None else [],
        "provenance": {"runtime": RUNTIME, "flow": given.flow_name, "trace_id": given.trace_id},
    }
    return cw.ResultEnvelope.read(fields)


def _step_fact(step: _Step) -> str:
    if step.skipped:
        return f"step {step.tool_name}: skipped"
    return f"step {step.tool_name}: {'ok' if step.success else step.error_type or 'failed'}"
