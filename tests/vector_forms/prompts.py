"""Vectors of prompt composition: templates with contexts, and configurations with files.

How they run is said in the document's own `reading` section.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

from tests.vector_forms import Document, Outcome, differences
from weave_tui.prompts import (
    AgentComposition,
    ComposeAgent,
    ComposeAll,
    ComposeStep,
    Layer,
    Plan,
    Result,
    StepComposition,
    compose,
    descriptor,
    load,
    render,
)
from weave_tui.prompts.places import LayerName

FORM = "prompt composition"

Found = dict[str, Any]


def recognises(document: Document) -> bool:
    return isinstance(document.get("template"), list) and isinstance(document.get("config"), list)


def run(document: Document) -> list[Outcome]:
    """Every template and configuration case, in order."""
    contexts = {name: with_callables(context) for name, context in document.get("contexts", {}).items()}
    templates = [run_template(case, contexts) for case in document["template"]]
    return templates + [run_config(case) for case in document["config"]]


def with_callables(value: Any) -> Any:
    """`value` with a function wherever it says {"$callable": true}."""
    match value:
        case {"$callable": True}:
            return lambda: "called"
        case dict():
            return {key: with_callables(item) for key, item in value.items()}
        case list():
            return [with_callables(item) for item in value]
        case _:
            return value


def run_template(case: Mapping[str, Any], contexts: Mapping[str, Any]) -> Outcome:
    result = render(case["template"], contexts[case["context"]])
    found = _failed(result) if result.value is None else {"output": result.value.text}
    return Outcome(case["id"], differences(case["expect"], found))


def run_config(case: Mapping[str, Any]) -> Outcome:
    with tempfile.TemporaryDirectory() as scratch:
        layers = lay_out(case, Path(scratch))
        kind = next(name for name in TARGETS if name in case["target"])
        found = TARGETS[kind](layers, case["target"][kind])
    return Outcome(case["id"], differences(case["expect"], found))


def lay_out(case: Mapping[str, Any], scratch: Path) -> list[Layer]:
    """The case's files and links in `scratch`, and its layers."""
    for name in case["layers"]:
        (scratch / name).mkdir()
    for name, text in case.get("files", {}).items():
        path = scratch / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8"))
    for link, target in case.get("symlinks", {}).items():
        path = scratch / link
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(scratch / target)
    return [Layer(cast(LayerName, name), scratch / name, source) for name, source in case["layers"].items()]


def _agent(layers: list[Layer], name: str) -> Found:
    result = compose(layers, ComposeAgent(name))
    return _failed(result) if result.value is None else _agent_found(result.value)


def _agent_found(composition: AgentComposition) -> Found:
    return {"prompt": composition.prompt.text, "descriptor": descriptor(composition)}


def _step(layers: list[Layer], names: list[str]) -> Found:
    result: Result[StepComposition] = compose(layers, ComposeStep(names[0], names[1]))
    if result.value is None:
        return _failed(result)
    return {"prompt": result.value.prompt.text, "appendScope": result.value.append_scope}


def _plan(layers: list[Layer], _: object) -> Found:
    result: Result[Plan] = compose(layers, ComposeAll())
    if result.value is None:
        return _failed(result)
    return {
        "agents": [composition.member.name for composition in result.value.agents],
        "errors": [error.type for error in result.value.errors],
    }


def _parse(layers: list[Layer], _: object) -> Found:
    result = load(layers)
    return _failed(result) if result.value is None else result.value.config.model_dump(mode="json", by_alias=True)


def _failed(result: Result[Any]) -> Found:
    return {"error": result.errors[0].as_json()}


TARGETS: dict[str, Callable[[list[Layer], Any], Found]] = {
    "agent": _agent,
    "step": _step,
    "plan": _plan,
    "parse": _parse,
}
"""What a configuration case asks for, by the key of its target."""
