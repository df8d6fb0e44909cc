"""A tree against the model: every violation with its place, what was expected and a suggestion.

Only this module turns pydantic's errors into ours.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from weave_tui.prompts.errors import ConfigError, did_you_mean
from weave_tui.prompts.model import Agent, Category, Config, Step
from weave_tui.prompts.parser import OUT_OF_SCOPE
from weave_tui.prompts.tree import Node, depth_known, find, key_place, place_of, plain, unknown_key

Context = Mapping[str, Any]

_EXPECTED: dict[str, Callable[[Context], str]] = {
    "missing": lambda context: "this key is required",
    "literal_error": lambda context: f"expected {context['expected']}",
    "string_type": lambda context: "expected text",
    "string_too_short": lambda context: "expected text, not an empty string",
    "string_pattern_mismatch": lambda context: (
        "expected a name of letters, digits, - and _, not beginning with a digit"
    ),
    "string_unicode": lambda context: "expected valid Unicode text",
    "float_type": lambda context: "expected a number",
    "int_type": lambda context: "expected a whole number",
    "bool_type": lambda context: "expected true or false",
    "tuple_type": lambda context: "expected a list",
    "dict_type": lambda context: "expected a block",
    "model_type": lambda context: "expected a block",
    "model_attributes_type": lambda context: "expected a block",
    "too_short": lambda context: f"expected at least {context['min_length']} entry",
    "greater_than": lambda context: f"expected more than {context['gt']:g}",
    "greater_than_equal": lambda context: f"expected at least {context['ge']:g}",
    "less_than_equal": lambda context: f"expected at most {context['le']:g}",
    "finite_number": lambda context: "expected a finite number",
}
"""What a person should read for each of pydantic's errors; others bring their own message."""

_ELSEWHERE: dict[type[BaseModel], dict[str, str]] = {
    Category: {
        "prompt": "A category's shuttle takes its prompt from agent shuttle; use prompt_append.",
        "prompt_file": "A category's shuttle takes its prompt from agent shuttle; use prompt_append_file.",
        "skills": "A category's shuttle takes its skills from agent shuttle.",
        "mode": "A category's shuttle is always a subagent.",
    },
    Step: {"prompt_file": "A step has no prompt_file; write prompt, or use prompt_append_file."},
    Agent: {"model": 'Write models ["..."].', "tools": "Write tool_policy { read allow }."},
}
"""Keys that exist on other blocks, and what to do instead."""


def validate(tree: Node, *, whole: bool) -> tuple[Config | None, list[ConfigError]]:
    """The configuration of a tree, or its violations in document order.

    A single layer (`whole` false) may leave required keys of named blocks to other layers.
    """
    try:
        return Config.model_validate(plain(tree)), []
    except ValidationError as error:
        details = error.errors(include_url=False)
    found = [_error(tree, detail) for detail in details if whole or not _left_to_others(tree, detail)]
    return None, sorted(found, key=lambda error: (error.place.line, error.place.column) if error.place else (0, 0))


_FROM_STEPS = frozenset({"no_steps", "planning"})


def _left_to_others(tree: Node, detail: ErrorDetails) -> bool:
    """Whether another layer may still supply what is missing. List items are never merged, so not inside them."""
    in_list = any(isinstance(step, int) for step in detail["loc"])
    return not in_list and detail["type"] in _FROM_STEPS | {"missing", "plan_name", "on_reject"}


def _error(tree: Node, detail: ErrorDetails) -> ConfigError:
    location = [step for step in detail["loc"] if step != "[key]"]
    if detail["type"] != "missing":
        # A shorthand (a bare completion) has fewer levels than its model.
        location = location[: depth_known(tree, location)]
    path = ".".join(map(str, location))
    place = place_of(tree, location)
    if detail["type"] == "extra_forbidden":
        hint = OUT_OF_SCOPE.get(str(location[-1]), "")
        model = _model_at(location[:-1])
        hint = hint or _ELSEWHERE.get(model, {}).get(str(location[-1]), "")
        return unknown_key(path, key_place(tree, location) or place, list(_keys(model)), hint)
    context = detail.get("ctx", {})
    say = _EXPECTED.get(detail["type"])
    expected = say(context) if say else detail["msg"]
    if detail["type"] in ("exclusive", "missing"):
        return ConfigError("ValidationError", f"{path}: {expected}.", place, path=path, reason=_REASONS[detail["type"]])
    found = find(tree, location)
    shown = f", got {_shown(plain(found))}" if found is not None and say else ""
    hint = _near(detail)
    facts = {"expected": expected, "found": shown.removeprefix(", got ")} if shown else {}
    return ConfigError("ValidationError", f"{path}: {expected}{shown}.", place, hint, path, "", facts)


_REASONS = {"exclusive": "Exclusive", "missing": "Missing"}


def _near(detail: ErrorDetails) -> str:
    if detail["type"] != "literal_error" or not isinstance(detail["input"], str):
        return ""
    choices = [word.strip("'") for word in detail["ctx"]["expected"].replace(" or ", ", ").split(", ")]
    return did_you_mean(detail["input"], choices)


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= 60 else text[:57] + "..."


def _keys(model: type[BaseModel]) -> Iterator[str]:
    for name, field in model.model_fields.items():
        yield field.alias or name


def _model_at(location: list[str | int]) -> type[BaseModel]:
    """The model of the block at `location`, which the model has, since an error was found below it."""
    reached: Any = Config
    for step in location:
        if isinstance(reached, type) and issubclass(reached, BaseModel):
            names = {field.alias or name: field.annotation for name, field in reached.model_fields.items()}
            reached = names[str(step)]
        else:
            reached = _inner(reached)
        reached = _bare(reached)
    model: type[BaseModel] = reached
    return model


def _inner(annotation: Any) -> Any:
    """The item type of a mapping or tuple."""
    arguments = [argument for argument in get_args(annotation) if argument is not Ellipsis]
    return arguments[-1]


def _bare(annotation: Any) -> Any:
    """`X` of `X | None` and of `Annotated[X, ...]`."""
    arguments = get_args(annotation)
    if hasattr(annotation, "__metadata__"):
        return _bare(arguments[0])
    if type(None) in arguments:
        return _bare(next(argument for argument in arguments if argument is not type(None)))
    return annotation
