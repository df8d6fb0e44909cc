"""The configuration as pydantic models, published as schemas/weave-config.json (spec A.3, A.4).

The same models read .weave, YAML and JSON. Everything is optional here that a higher layer may
leave to a lower one; defaults are filled when the merged layers are validated, never before.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, ClassVar, Literal, LiteralString, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    Strict,
    model_validator,
)
from pydantic_core import PydanticCustomError

from weave_tui.prompts.errors import SourceKind

NAME_PATTERN = r"^[A-Za-z_][A-Za-z0-9_-]*$"

PATH_PATTERN = r"^(?![/\\~]|[A-Za-z]:)(?!(?:.*[/\\])?\.\.(?:[/\\]|$))(?=.*\S)[^\u0000-\u001f]*$"
"""What `_inside` accepts, for the JSON Schema."""

Permission = Literal["allow", "deny", "ask"]
Mode = Literal["primary", "subagent", "all"]
StepType = Literal["autonomous", "interactive", "gate"]
CompletionMethod = Literal["agent_signal", "user_confirm", "review_verdict", "plan_created", "plan_complete"]
LogLevel = Literal["TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"]
Reason = Literal["execution-mismatch", "user-revision-request", "review-rejection", "security-rejection"]


def _refused(kind: LiteralString, message: LiteralString, **context: str) -> PydanticCustomError:
    """A violation with a kind of ours, which `validation` can tell apart."""
    return PydanticCustomError(kind, message, context)


def _inside(path: str) -> str:
    """Relative, below the layer's folder, on every system."""
    problem = (
        "it is empty"
        if not path.strip()
        else "it is absolute"
        if path.startswith(("/", "\\"))
        else "it names a drive"
        if re.match(r"[A-Za-z]:", path)
        else "it starts in a home folder"
        if path.startswith("~")
        else "it leaves the folder by way of '..'"
        if ".." in re.split(r"[/\\]", path)
        else "it has a control character"
        if any(ord(char) < 32 for char in path)
        else ""
    )
    if problem:
        raise _refused(
            "prompt_path", "expected a path inside the configuration's folder, but {problem}", problem=problem
        )
    return path


def _whole_number(value: object) -> object:
    """JSON Schema's idea of an integer: 1.0 is one."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Text = Annotated[str, Strict()]
FilledText = Annotated[str, Strict(), Field(min_length=1)]
Name = Annotated[str, Strict(), Field(pattern=NAME_PATTERN)]
PromptPath = Annotated[str, Strict(), AfterValidator(_inside), Field(json_schema_extra={"pattern": PATH_PATTERN})]
Temperature = Annotated[float, Strict(), Field(ge=0, le=2, allow_inf_nan=False)]
Flag = Annotated[bool, Strict()]
Texts = tuple[Text, ...]


def _publish_pairs(schema: dict[str, Any], model: type[Any]) -> None:
    """Say in the JSON Schema which keys exclude each other."""
    if model.exclusive:
        schema["allOf"] = [{"not": {"required": list(pair)}} for pair in model.exclusive]


def _publish_steps(schema: dict[str, Any], model: type[Any]) -> None:
    """Say in the JSON Schema that a workflow has steps, or extends another."""
    _publish_pairs(schema, model)
    steps = {"required": ["steps"], "properties": {"steps": {"minProperties": 1}}}
    schema["anyOf"] = [steps, {"required": ["extends"]}]


def _publish_bare(schema: dict[str, Any]) -> None:
    """Say in the JSON Schema that a completion without a plan may be its bare method."""
    block = dict(schema)
    schema.clear()
    schema["anyOf"] = [{"enum": [method for method in _METHODS if method not in _PLAN_METHODS]}, block]


class Block(BaseModel):
    """One block. `exclusive` are pairs of keys of which a layer may give one."""

    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_extra=_publish_pairs)

    exclusive: ClassVar[tuple[tuple[str, str], ...]] = ()

    @model_validator(mode="before")
    @classmethod
    def _one_of_each_pair(cls, data: Any) -> Any:
        for one, other in cls.exclusive:
            if isinstance(data, dict) and data.get(one) is not None and data.get(other) is not None:
                raise _refused("exclusive", "{one} and {other} cannot both be given", one=one, other=other)
        return data


PROMPT: tuple[SourceKind, SourceKind] = ("prompt", "prompt_file")
APPEND: tuple[SourceKind, SourceKind] = ("prompt_append", "prompt_append_file")
ANCHOR = ("insert_before", "insert_after")


class ToolPolicy(Block):
    """What the agent's tools may do; an undeclared capability is ask."""

    read: Permission | None = None
    write: Permission | None = None
    execute: Permission | None = None
    delegate: Permission | None = None
    network: Permission | None = None


class Routing(Block):
    """Whom the agent does not delegate to, although it could."""

    delegation_exclude: Texts = ()


class Trigger(Block):
    """When others should delegate to this agent."""

    domain: Annotated[Text, Field(description="Area name.")]
    trigger: Annotated[Text, Field(description="When to delegate.")]
    routing_hint: Annotated[Text | None, Field(description="More about when.")] = None


class Agent(Block):
    """An agent and the sources of its prompt."""

    exclusive = (PROMPT, APPEND)

    name: Annotated[Text | None, Field(description="Unused; the block's name is the agent's.")] = None
    description: Text | None = None
    display_name: Text | None = None
    prompt: Text | None = None
    prompt_file: PromptPath | None = None
    prompt_append: Text | None = None
    prompt_append_file: PromptPath | None = None
    models: Texts = ()
    skills: Texts = ()
    review_models: Annotated[Texts | None, Field(min_length=1, description="One reviewer is made for each.")] = None
    temperature: Temperature | None = None
    mode: Mode = "subagent"
    tool_policy: ToolPolicy | None = None
    routing: Routing = Routing()
    triggers: tuple[Trigger, ...] = ()


class Category(Block):
    """Files that deserve their own shuttle."""

    exclusive = (APPEND,)

    patterns: Annotated[Texts, Field(min_length=1)]
    name: Text | None = None
    description: Text | None = None
    models: Texts = ()
    temperature: Temperature | None = None
    tool_policy: ToolPolicy | None = None
    prompt_append: Text | None = None
    prompt_append_file: PromptPath | None = None


class Artifact(Block):
    """What a step needs or makes."""

    name: Text
    description: Text


class Handler(Block):
    """A reason for which a step takes a run back."""

    reason: Reason


_METHODS: tuple[str, ...] = get_args(CompletionMethod)
_PLAN_METHODS = ("plan_created", "plan_complete")


class Completion(Block):
    """How a step ends; a bare method may stand for the whole block."""

    model_config = ConfigDict(json_schema_extra=_publish_bare)

    method: CompletionMethod
    plan_name: Text | None = None

    @model_validator(mode="before")
    @classmethod
    def _bare(cls, data: Any) -> Any:
        return {"method": data} if isinstance(data, str) else data

    @model_validator(mode="after")
    def _plan_is_named(self) -> Completion:
        named, needed = self.plan_name is not None, self.method in _PLAN_METHODS
        if needed and not named:
            raise _refused("plan_name", "{method} needs a plan_name", method=self.method)
        if named and not needed:
            raise _refused("plan_name", "{method} has no plan_name", method=self.method)
        return self


class Step(Block):
    """One step of a workflow. Its prompt is written here: there is no prompt_file for steps."""

    exclusive = (APPEND, ANCHOR)

    name: Annotated[Text | None, Field(description="The display name.")] = None
    type: StepType
    agent: Text
    prompt: Text
    completion: Completion
    role: Literal["planning"] | None = None
    prompt_append: Text | None = None
    prompt_append_file: PromptPath | None = None
    inputs: tuple[Artifact, ...] = ()
    outputs: tuple[Artifact, ...] = ()
    on_reject: Literal["pause", "fail", "retry"] | None = None
    insert_before: FilledText | None = None
    insert_after: FilledText | None = None
    reconciliation_handlers: Annotated[tuple[Handler, ...] | None, Field(min_length=1)] = None

    @model_validator(mode="after")
    def _gates_reject(self) -> Step:
        if self.on_reject is not None and self.type != "gate":
            raise _refused("on_reject", "on_reject is for steps of type gate")
        return self

    @model_validator(mode="after")
    def _reasons_once(self) -> Step:
        reasons = [handler.reason for handler in self.reconciliation_handlers or ()]
        if repeated := next((reason for reason in reasons if reasons.count(reason) > 1), None):
            raise _refused("repeated", "the reason {reason} is handled twice", reason=repeated)
        return self


class ExtensionPoints(Block):
    """Where other workflows may add steps."""

    before_plan: Annotated[Flag, Field(alias="before-plan")] = False


class Workflow(Block):
    """Steps in order. With `extends`, another workflow's steps come first."""

    model_config = ConfigDict(json_schema_extra=_publish_steps)

    exclusive = (APPEND,)

    version: Annotated[int, Strict(), Field(gt=0), BeforeValidator(_whole_number)]
    description: Text | None = None
    name: Text | None = None
    extends: FilledText | None = None
    extension_points: ExtensionPoints = ExtensionPoints()
    prompt_append: Text | None = None
    prompt_append_file: PromptPath | None = None
    steps: dict[Name, Step] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _has_steps(self) -> Workflow:
        if not self.steps and self.extends is None:
            raise _refused("no_steps", "a workflow needs at least one step, or extends")
        return self

    @model_validator(mode="after")
    def _plans_once(self) -> Workflow:
        planning = [name for name, step in self.steps.items() if step.role == "planning"]
        if len(planning) > 1:
            raise _refused(
                "planning", "only one step can have role planning, not {steps}", steps=" and ".join(planning)
            )
        if self.extension_points.before_plan and not planning:
            raise _refused("planning", "before-plan is published, so one step must have role planning")
        return self


class Journal(Block):
    """How strictly a run's journal is read."""

    strict: Flag = False


class Runtime(Block):
    """Settings of the engine that runs workflows."""

    journal: Journal = Journal()


class Settings(Block):
    """Settings of the engine that runs workflows."""

    log_level: LogLevel = "INFO"
    runtime: Runtime = Runtime()


class Disabled(Block):
    """Names that are left out."""

    agents: Texts = ()
    skills: Texts = ()


class Config(Block):
    """A whole configuration: config.weave, config.yaml or config.json."""

    agents: dict[Name, Agent] = Field(default_factory=dict)
    categories: dict[Name, Category] = Field(default_factory=dict)
    workflows: dict[Name, Workflow] = Field(default_factory=dict)
    disabled: Disabled = Disabled()
    settings: Settings = Settings()


EXCLUSIVE: dict[str, tuple[tuple[str, str], ...]] = {
    "agents": Agent.exclusive,
    "categories": Category.exclusive,
    "workflows": Workflow.exclusive,
    "steps": (APPEND,),
}
"""Pairs of which the higher layer's choice replaces the lower's (decision D11), by collection.
Anchors are missing on purpose: two layers that anchor a step differently contradict each other."""


def config_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of a YAML or JSON configuration."""
    schema = _closed(Config.model_json_schema(by_alias=True))
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _closed(node: Any) -> Any:
    """Refuse names outside a pattern as the models do; pydantic's schema only types those inside."""
    if isinstance(node, list):
        return [_closed(item) for item in node]
    if not isinstance(node, dict):
        return node
    closed = {key: _closed(value) for key, value in node.items()}
    return {**closed, "additionalProperties": False} if "patternProperties" in node else closed
