"""The field types of single values: text, ids, numbers, booleans, choices, colours."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import cast

from scenograph.diagnostics import (
    INVALID_COLOR,
    INVALID_ID,
    INVALID_VALUE,
    LIMIT_EXCEEDED,
    MISSING_FIELD,
    OUT_OF_RANGE,
    Code,
)
from scenograph.late_dataclasses import dataclass, field
from scenograph.scene.colors import COLOR_NAMES, LONGEST, color_pattern, parse_color
from scenograph.scene.description.fields import FINE, UNREAD, Problem, Problems, Schema, SchemaBook, wrong_type
from scenograph.scene.json_values import figure, is_number, is_object, listed, shown
from scenograph.scene.limits import Limits

_HUGE = 1e9  # beyond, the view drops the value under any limits: no engine can draw it


def too_many(count: int, what: str, limit: int) -> Problem:
    """The problem of a count or a length beyond its limit."""
    return Problem("", LIMIT_EXCEEDED, {"count": count, "what": what, "limit": limit}, {"count": count, "limit": limit})


@dataclass(frozen=True, slots=True)
class TextType:
    """A string; `limit` names the row of Limits for its length."""

    limit: str
    words: str = "a string"

    def check(self, value: object, limits: Limits) -> Problems:
        if not isinstance(value, str):
            return wrong_type(self.words, value)
        most: int = getattr(limits, self.limit)
        return FINE if len(value) <= most else (too_many(len(value), "characters", most),)

    def read(self, value: object) -> object:
        return value if isinstance(value, str) else UNREAD

    def schema(self, book: SchemaBook) -> Schema:
        return {"type": "string", "maxLength": getattr(book.limits, self.limit)}


@dataclass(frozen=True, slots=True)
class Identifier:
    """A name: a non-empty string of a given pattern."""

    pattern: str = r"^[^\u0000-\u001f\u007f]+$"
    rule: str = "one or more characters, none of them a control character"
    limit: str = "id_length"
    words: str = "a string"
    _compiled: re.Pattern[str] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_compiled", re.compile(self.pattern.removeprefix("^").removesuffix("$")))

    def check(self, value: object, limits: Limits) -> Problems:
        if not isinstance(value, str):
            return wrong_type(self.words, value)
        if not self._compiled.fullmatch(value):
            return (Problem("", INVALID_ID, {"given": shown(value), "expected": self.rule}, {"pattern": self.pattern}),)
        most: int = getattr(limits, self.limit)
        return FINE if len(value) <= most else (too_many(len(value), "characters", most),)

    def read(self, value: object) -> object:
        return value if isinstance(value, str) and value else UNREAD

    def schema(self, book: SchemaBook) -> Schema:
        return {"type": "string", "pattern": self.pattern, "maxLength": getattr(book.limits, self.limit)}


@dataclass(frozen=True, slots=True)
class Number:
    """A finite number from `low` to `high`; a string names a row of Limits. `low` None is `-high`."""

    low: float | None
    high: float | str
    whole: bool = False

    @property
    def words(self) -> str:
        return "an integer" if self.whole else "a number"

    def check(self, value: object, limits: Limits) -> Problems:
        if not is_number(value) or (self.whole and value != int(value)):
            return wrong_type(self.words, value) if not is_number(value) else self._not_whole(value)
        low, high = self.range(limits)
        if low <= value <= high:
            return FINE
        expected = f"from {figure(low)} to {figure(high)}"
        return (Problem("", OUT_OF_RANGE, {"expected": expected, "given": shown(value)}, {"min": low, "max": high}),)

    def _not_whole(self, value: float) -> Problems:
        return (Problem("", INVALID_VALUE, {"given": shown(value), "expected": "an integer"}),)

    def range(self, limits: Limits) -> tuple[float, float]:
        """The bounds under these limits."""
        high: float = getattr(limits, self.high) if isinstance(self.high, str) else self.high
        return (-high if self.low is None else self.low), high

    def read(self, value: object) -> object:
        if not is_number(value):
            return UNREAD
        high = _HUGE if isinstance(self.high, str) else self.high
        if not (-high if self.low is None else self.low) <= value <= high:
            return UNREAD
        if self.whole:
            return int(value) if value == int(value) else UNREAD
        return float(value) + 0.0  # -0.0 is 0.0, as it compares

    def schema(self, book: SchemaBook) -> Schema:
        low, high = self.range(book.limits)
        return {"type": "integer" if self.whole else "number", "minimum": low, "maximum": high}


@dataclass(frozen=True, slots=True)
class Flag:
    """true or false."""

    words: str = "true or false"

    def check(self, value: object, limits: Limits) -> Problems:
        return FINE if isinstance(value, bool) else wrong_type(self.words, value)

    def read(self, value: object) -> object:
        return value if isinstance(value, bool) else UNREAD

    def schema(self, book: SchemaBook) -> Schema:
        return {"type": "boolean"}


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice of strings. `blank` accepts the empty string as absent."""

    values: tuple[str, ...]
    code: Code = INVALID_VALUE
    blank: bool = False

    @property
    def words(self) -> str:
        return f"one of {listed(self.values)}" if len(self.values) > 1 else shown("".join(self.values))

    def check(self, value: object, limits: Limits) -> Problems:
        if isinstance(value, str):
            if value in self.values or (self.blank and not value):
                return FINE
            holes = {"given": shown(value), "expected": self.words, "allowed": listed(self.values)}
            return (Problem("", self.code, holes, {"allowed": list(self.values)}, (value, self.values)),)
        return (wrong_type(self.words, value)[0]._replace(data={"allowed": list(self.values)}),)

    def read(self, value: object) -> object:
        return value if isinstance(value, str) and value in self.values else UNREAD

    def schema(self, book: SchemaBook) -> Schema:
        return {"enum": [*self.values, *([""] if self.blank else [])]}


@dataclass(frozen=True, slots=True)
class ColorText:
    """A colour (R-ELEMENT-14)."""

    name: str = "Color"
    words: str = "a colour"

    def check(self, value: object, limits: Limits) -> Problems:
        if not isinstance(value, str):
            return wrong_type(self.words, value)
        if parse_color(value) is not None:
            return FINE
        return (Problem("", INVALID_COLOR, {"given": shown(value)}, near=(value, tuple(COLOR_NAMES))),)

    def read(self, value: object) -> object:
        color = parse_color(value) if isinstance(value, str) else None
        return UNREAD if color is None else color

    def schema(self, book: SchemaBook) -> Schema:
        return book.for_values().reference(self)

    def define(self, book: SchemaBook) -> Schema:
        doc = "Hex (3, 4, 6 or 8 digits), rgb(), rgba(), hsl(), hsla(), a CSS colour name, none or transparent."
        return {"type": "string", "description": doc, "maxLength": LONGEST, "pattern": color_pattern()}


@dataclass(frozen=True, slots=True)
class Weight:
    """A font weight: 1 to 1000, or a named weight."""

    number: Number = Number(1, 1000, whole=True)
    names: Mapping[str, int] = field(default_factory=lambda: {"normal": 400, "bold": 700})
    words: str = "an integer from 1 to 1000, normal or bold"

    def check(self, value: object, limits: Limits) -> Problems:
        if isinstance(value, str):
            return FINE if value in self.names else self._unnamed(value)
        return self.number.check(value, limits) if is_number(value) else wrong_type(self.words, value)

    def _unnamed(self, value: str) -> Problems:
        names = tuple(self.names)
        holes = {"given": shown(value), "expected": self.words}
        return (Problem("", INVALID_VALUE, holes, {"allowed": list(names)}, (value, names)),)

    def read(self, value: object) -> object:
        return self.names.get(value, UNREAD) if isinstance(value, str) else self.number.read(value)

    def schema(self, book: SchemaBook) -> Schema:
        return {"anyOf": [self.number.schema(book), {"enum": list(self.names)}]}


@dataclass(frozen=True, slots=True)
class AnyValue:
    """The caller's own data; `an_object` requires an object."""

    an_object: bool = False

    @property
    def words(self) -> str:
        return "an object" if self.an_object else "any value"

    def check(self, value: object, limits: Limits) -> Problems:
        return FINE if is_object(value) or not self.an_object else wrong_type(self.words, value)

    def read(self, value: object) -> object:
        return cast("object", value) if is_object(value) or not self.an_object else UNREAD

    def schema(self, book: SchemaBook) -> Schema:
        return {"type": "object"} if self.an_object else {}


@dataclass(frozen=True, slots=True)
class Null:
    """null."""

    words: str = "null"

    def check(self, value: object, limits: Limits) -> Problems:
        return FINE if value is None else wrong_type(self.words, value)

    def read(self, value: object) -> object:
        return None if value is None else UNREAD

    def schema(self, book: SchemaBook) -> Schema:
        return {"type": "null"}


def missing(name: str, why: str = "", allowed: tuple[str, ...] = ()) -> Problem:
    """The problem of an absent member."""
    data = {"allowed": list(allowed)} if allowed else None
    return Problem("", MISSING_FIELD, {"why": f" {why}" if why else "", "hint": ""}, data).under(name)
