"""A frozen record with other members, in half the time that `dataclasses.replace` takes: nothing is checked again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar

T = TypeVar("T")


def altered(record: T, **members: object) -> T:
    """The record with other members. It is a frozen dataclass of at least two fields, with slots and without a
    `__post_init__`. AttributeError where it has no member of a name."""
    kind = type(record)
    values, setters = _slots(kind)
    made = object.__new__(kind)
    for put, value in zip(setters, values(record), strict=True):
        put(made, value)
    for name, value in members.items():
        object.__setattr__(made, name, value)
    return made


@cache
def _slots(kind: type[Any]) -> tuple[Callable[[Any], tuple[object, ...]], tuple[Callable[[Any, object], None], ...]]:
    """What gets all fields of a record at once, and what sets each."""
    names = [row.name for row in fields(kind)]
    return attrgetter(*names), tuple(getattr(kind, name).__set__ for name in names)
