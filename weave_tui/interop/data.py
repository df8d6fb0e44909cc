"""JSON values and the documents made of them: the only place where interop reads or writes JSON.

Every document owns its data: free-form JSON (metadata, schemas, selectors) is checked, copied and
frozen when a model is made, so nothing that is not JSON gets in and nobody can change what models
share among them; `plain` gives data to change. On the way out a contract field that is absent is
omitted; a null inside free-form JSON stays, because there it says something (`"default": null` in a
schema).
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, is_dataclass
from datetime import UTC, datetime, timezone
from typing import Annotated, Any, ClassVar, Self

import pydantic
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainValidator, Strict, WithJsonSchema
from pydantic_core import PydanticCustomError

from weave_tui.interop.errors import InteropError, Step, ValidationError, Where, json_path, shown, translated

MAX_DEPTH = 100
"""Nesting of free-form JSON beyond which a document is refused: no schema needs it, a bomb does."""

_SCALARS = frozenset({str, int, bool, type(None)})
_KEYS = frozenset({str})
_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d([.,]\d+)?)?(Z|[+-]\d\d(:?\d\d)?)?")
_ESCAPED = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Written as escapes in JSON: lone surrogates have no UTF-8, and the others would steer a terminal."""


_EXACTLY: dict[type, Callable[[Any], Any]] = {
    str: str.__str__,
    int: int.__int__,
    float: float.__float__,
    list: tuple,
    tuple: tuple,
}
"""From a subclass of a JSON type to the type itself, by value (an enum's `__str__` may say something else)."""


class _NotJsonError(Exception):
    """A value that JSON has no form for; the steps are collected on the way out."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        self.steps: list[Step] = []
        super().__init__(reason)


def _refuse(self: object, *_: object, **__: object) -> Any:
    raise TypeError("the data of a document is frozen; weave_tui.interop.plain gives a copy to change")


class FrozenObject(dict[str, Any]):
    """A JSON object that cannot change, so that documents can share it."""

    __slots__ = ()
    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenObject, (dict(self),)


_FROZEN = frozenset({*_SCALARS, FrozenObject})


def frozen(value: Any, depth: int = 0) -> Any:
    """A JSON value that cannot change: a deep copy, but for what is frozen already. Arrays are tuples.

    Raises `_NotJsonError` for anything that is not JSON.
    """
    kind = value.__class__
    if kind in _FROZEN:
        return value
    if depth > MAX_DEPTH:
        raise _NotJsonError(f"nested deeper than {MAX_DEPTH} levels")
    if kind is dict:
        if not _KEYS.issuperset(map(type, value)):
            wrong = next(key for key in value if key.__class__ is not str)
            raise _NotJsonError(f"expected keys of text, got {shown(wrong)}")
        below = depth + 1
        return FrozenObject({k: v if v.__class__ in _FROZEN else _entry(v, k, below) for k, v in value.items()})
    if kind is list or kind is tuple:
        if _FROZEN.issuperset(map(type, value)):
            return tuple(value)
        return tuple([_entry(entry, index, depth + 1) for index, entry in enumerate(value)])
    if kind is float:
        if math.isfinite(value):
            return value
        raise _NotJsonError("expected a finite number")
    return frozen(_plain(value), depth + 1)


def thawed(value: Any) -> Any:
    """A frozen value as ordinary dictionaries and lists, for the caller to keep."""
    if isinstance(value, dict):
        return {k: v if v.__class__ in _SCALARS else thawed(v) for k, v in value.items()}
    return list(map(thawed, value)) if isinstance(value, tuple) else value


def _entry(value: Any, step: Step, depth: int) -> Any:
    try:
        return frozen(value, depth)
    except _NotJsonError as error:
        error.steps.append(step)
        raise


def _plain(value: Any) -> Any:
    """Subclasses of JSON types (an enum of text, an ordered mapping) and dataclasses as plain JSON types."""
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, Mapping):
        return dict(value)
    for base, exactly in _EXACTLY.items():
        if isinstance(value, base):
            return exactly(value)
    raise _NotJsonError(f"expected a JSON value, got a {type(value).__name__}")


def _json_object(value: Any) -> dict[str, Any]:
    try:
        made = frozen(value)
    except _NotJsonError as error:
        steps = tuple(reversed(error.steps))
        raise PydanticCustomError("json", "{reason}", {"reason": error.reason, "steps": steps}) from None
    if made.__class__ is not FrozenObject:
        raise PydanticCustomError("json", "{reason}", {"reason": f"expected an object, got {shown(value)}"})
    return made


def _given_object(value: Any) -> dict[str, Any]:
    return {} if value is None else _json_object(value)


def _optional_object(value: Any) -> dict[str, Any] | None:
    return None if value is None else _json_object(value)


def _any_json(value: Any) -> Any:
    return _json_object({"": value})[""]


def read_time(value: Any) -> datetime:
    """A point in time with its zone: a datetime or ISO 8601 text (`Z` or an offset); without a zone it is UTC.

    Raises pydantic's custom error, which the models turn into `ValidationError`. Source: RFC 3339's `date-time`,
    which the schemas name and jsonschema does not check, and the peer's reading of naive times.
    """
    made = value if isinstance(value, datetime) else None
    if isinstance(value, str) and _TIME.fullmatch(value.upper()):
        try:
            made = datetime.fromisoformat(value.upper())
        except ValueError:
            made = None
    if made is None:
        reason = f"expected a time such as 2031-03-04T05:06:07Z, got {shown(value)}"
        raise PydanticCustomError("time", "{reason}", {"reason": reason})
    offset = made.utcoffset()
    if offset is None:
        return made.replace(tzinfo=UTC)
    if offset.total_seconds() % 60:
        return _in_utc(made)
    # The offset, not the zone: a document holds no more, and times in a zone's gaps equal nothing.
    return made.replace(tzinfo=timezone(offset), fold=0)


def _in_utc(value: datetime) -> datetime:
    """RFC 3339 cannot write an offset with seconds (local mean times before zones were made)."""
    try:
        return value.astimezone(UTC)
    except OverflowError:
        raise PydanticCustomError("time", "{reason}", {"reason": "a time beyond the calendar"}) from None


def empty_for_none(value: object) -> object:
    """A list that the peer's dataclass holds as None."""
    return () if value is None else value


def _whole_number(value: object) -> object:
    return int(value) if isinstance(value, float) and value.is_integer() else value


Text = Annotated[str, Strict()]
Name = Annotated[str, Strict(), Field(min_length=1)]
Flag = Annotated[bool, Strict()]
Number = Annotated[float, Strict(), Field(allow_inf_nan=False)]
Whole = Annotated[int, Strict(), Field(ge=0), BeforeValidator(_whole_number)]
Texts = tuple[Text, ...]
_OBJECT = WithJsonSchema({"type": "object", "additionalProperties": True})
JsonObject = Annotated[dict[str, Any], PlainValidator(_json_object), _OBJECT]
Metadata = Annotated[dict[str, Any], PlainValidator(_given_object), _OBJECT]
"""A contract's optional object: null reads as absent."""
NullableObject = Annotated[
    dict[str, Any] | None,
    PlainValidator(_optional_object),
    WithJsonSchema({"type": ["object", "null"], "additionalProperties": True}),
]
AnyJson = Annotated[Any, PlainValidator(_any_json), WithJsonSchema({})]
Time = Annotated[datetime, PlainValidator(read_time), WithJsonSchema({"type": "string", "format": "date-time"})]


class Document(BaseModel):
    """A document of either side. Frozen, and made from JSON, from keyword arguments or from the peer's own objects.

    `absent` names the fields that are left out of JSON, each with the value that means absent.
    """

    model_config = ConfigDict(frozen=True, from_attributes=True)

    absent: ClassVar[Mapping[str, object]] = {}

    @classmethod
    def read(cls, value: object, *, where: Where = lambda steps: steps) -> Self:
        """The document that `value` (this model, a mapping or an object with these attributes) holds.

        Raises `ValidationError` with the JSON path; `where` leads back to the caller's document.
        """
        if isinstance(value, cls):
            return value
        try:
            return cls.model_validate(value)
        except pydantic.ValidationError as error:
            raise translated(error, where) from None

    def written(self) -> Iterator[tuple[str, Any]]:
        """The fields that go into JSON, in contract order, with their values."""
        for name in type(self).model_fields:
            value = getattr(self, name)
            if name not in self.absent or value != self.absent[name]:
                yield name, value

    def plain(self) -> dict[str, Any]:
        """The document as JSON data of its own."""
        made = {name: plain(value) for name, value in self.written()}
        for name, value in (self.model_extra or {}).items():
            made[name] = thawed(value)
        return made


def plain(value: Any) -> Any:
    """A document, protocol object, time or JSON value, or a list of them, as JSON data that shares nothing with it.

    Raises `ValidationError` for what JSON has no form for.
    """
    kind = value.__class__
    if kind in _SCALARS:
        return value
    if kind is FrozenObject:
        return thawed(value)
    if isinstance(value, Document):
        return value.plain()
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, tuple | list):
        return [plain(entry) for entry in value]
    try:
        return thawed(frozen(value))
    except _NotJsonError as error:
        raise ValidationError(error.reason, path=json_path(error.steps[::-1])) from None


def from_json(text: str | bytes) -> Any:
    """Decoded JSON. Raises `ValidationError` with line and column; NaN and Infinity are no JSON."""
    try:
        decoded = text.decode("utf-8-sig") if isinstance(text, bytes) else text.removeprefix("\ufeff")
        return json.loads(decoded, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise ValidationError(f"not JSON: {error.msg} (line {error.lineno}, column {error.colno})") from None
    except UnicodeDecodeError as error:
        raise ValidationError(f"not UTF-8 text: byte {error.start}") from None
    except RecursionError:
        raise ValidationError("nested too deeply") from None
    except InteropError:
        raise
    except ValueError as error:  # an integer of more digits than Python converts
        raise ValidationError(f"not JSON that can be read: {error}") from None


def _no_constant(name: str) -> Any:
    raise ValidationError(f"not JSON: {name} is no JSON number")


def to_json(value: Any, *, indent: int | None = 2) -> str:
    """A document, or a list of them, as JSON text that every JSON reader accepts, encoded as UTF-8."""
    text = json.dumps(plain(value), ensure_ascii=False, indent=indent, allow_nan=False)
    return _ESCAPED.sub(lambda match: f"\\u{ord(match.group()):04x}", text)
