"""Plain JSON values: types, wording in sentences, equality, and pointers (RFC 6901)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, islice
from typing import Any, TypeGuard

JsonObject = dict[str, Any]
Path = tuple[str | int, ...]  # keys and indices from the outermost value inwards

_WORDS: dict[type, str] = {
    dict: "an object",
    list: "an array",
    str: "a string",
    bool: "a boolean",
    int: "a number",
    float: "a number",
    type(None): "null",
}
_PLAIN = re.compile(r"[\w .:/#-]*")  # strings without escapes in JSON
LISTED = 2_000  # characters of names listed in a sentence
_SHOWN = 60  # characters of a value quoted in a sentence


def is_object(value: object) -> TypeGuard[JsonObject]:
    """Whether a value is a JSON object."""
    return isinstance(value, dict)


def is_array(value: object) -> TypeGuard[list[Any]]:
    """Whether a value is a JSON array."""
    return isinstance(value, list)


def is_number(value: object) -> TypeGuard[int | float]:
    """Whether a value is a finite JSON number; true and false are not."""
    return (type(value) is int and -_HUGE < value < _HUGE) or (type(value) is float and value - value == 0)


_HUGE = 2**1023  # a larger integer has no double


def kind_of(value: object) -> str:
    """The JSON type of a value in words: "a string", "null"."""
    if isinstance(value, float) and value - value != 0:
        return "not a finite number"
    return _WORDS.get(type(value), "no JSON value")


def shown(value: object) -> str:
    """A value as quoted in sentences: JSON, shortened."""
    if isinstance(value, str):
        if len(value) <= _SHOWN and _PLAIN.fullmatch(value):
            return f'"{value}"'
        text = json.dumps(value[:_SHOWN], ensure_ascii=False)
        return text if len(value) <= _SHOWN else f'{text[:-1]}…"'
    if is_number(value) or value is None or isinstance(value, bool):
        text = json.dumps(value)
        return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
    return kind_of(value)


def figure(number: float) -> str:
    """A number as written in sentences: 1000000, not 1e+06."""
    return str(int(number)) if number == int(number) else f"{number:g}"


def pointer(*steps: str | int) -> str:
    """A JSON pointer from keys and indexes."""
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in steps)


def steps_of(path: str) -> tuple[str, ...]:
    """The keys and indexes of a JSON pointer."""
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in path.split("/")[1:])


def listed(names: Iterator[str] | tuple[str, ...] | list[str], most: int = 40) -> str:
    """Names for a sentence: "a, b, c", shortened after `most` and after LISTED characters."""
    shown_names = list(islice(iter(names), most + 1))
    kept = within(shown_names[:most], LISTED)
    return ", ".join([*kept, "…"] if len(kept) < len(shown_names) else kept)


def within(names: Sequence[str], characters: int) -> Sequence[str]:
    """The first names within a total of `characters`; at least one name."""
    for count, length in enumerate(accumulate(map(len, names))):
        if count and length > characters:
            return names[:count]
    return names


def same(one: object, other: object) -> bool:
    """Whether two JSON values are equal: 1 and 1.0 are, 1 and true are not, the order of members does not matter."""
    if one is other:
        return True
    if is_object(one) and is_object(other):
        return len(one) == len(other) and all(key in other and same(value, other[key]) for key, value in one.items())
    if is_array(one) and is_array(other):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def weight(value: object) -> int:
    """How many JSON values a value is made of, itself included."""
    if is_object(value):
        return 1 + sum(map(weight, value.values()))
    return 1 + sum(map(weight, value)) if is_array(value) else 1


def member(value: object, *path: str) -> object:
    """The value at these keys, or None."""
    for key in path:
        value = value.get(key) if is_object(value) else None
    return value


def text_at(value: object, *path: str) -> str | None:
    """The string at these keys, or None."""
    found = member(value, *path)
    return found if isinstance(found, str) else None


def object_at(value: object, *path: str) -> Mapping[str, Any]:
    """The object at these keys, or an empty object."""
    found = member(value, *path)
    return found if is_object(found) else {}


# JSON Merge Patch (RFC 7396).


def merge_patch(target: object, patch: object) -> object:
    """The patched value; neither argument is changed, untouched parts are shared with the target."""
    return merged(target if is_object(target) else {}, patch) if is_object(patch) else patch


def merged(target: JsonObject, patch: JsonObject) -> JsonObject:
    """An object patched by an object: null removes a member, an object merges, anything else replaces."""
    result = dict(target)
    for name, change in patch.items():
        if change is None:
            result.pop(name, None)
        else:
            result[name] = merge_patch(result.get(name), change)
    return result


# A JSON object as text or value: the missing form is made on first use.


class JsonText:
    """An immutable JSON object from a text, or from a function that makes the text on first use."""

    def __init__(self, text: str | Callable[[], str]) -> None:
        self._given = text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, JsonText) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    @staticmethod
    def of(value: Mapping[str, Any]) -> JsonText:
        """The text of a value, with the value already at hand."""
        made = JsonText(json.dumps(value, separators=(",", ":")))
        made.__dict__["value"] = value
        return made

    @cached_property
    def text(self) -> str:
        """The text."""
        return self._given if isinstance(self._given, str) else self._given()

    @cached_property
    def value(self) -> JsonObject:
        """The parsed text."""
        return json.loads(self.text)
