"""Frozen records made of their members, without the calls that a dataclass makes to set each: a scene has thousands.

The records are frozen dataclasses without slots and without a `__post_init__`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeVar

from scenograph.late_dataclasses import MISSING, fields

T = TypeVar("T")


def maker(kind: type[T]) -> Callable[[Mapping[str, object]], T]:
    """What makes a record of that kind in a tenth of the time that calling the class takes. Every member that has no
    default must be given, and no other; nothing of that is checked."""
    common, new = _common(kind), object.__new__

    def made(members: Mapping[str, object]) -> T:
        record = new(kind)
        record.__dict__.update(common, **members)
        return record

    return made


def altered(record: T, **members: object) -> T:
    """The record with other members; what no caller gives it (`init` false) begins as in a new one. AttributeError
    where it has no member of a name."""
    kind: type[T] = type(record)
    settable, own = _names(kind)
    if not members.keys() <= settable:
        raise AttributeError(name=min(members.keys() - settable), obj=record)
    made = object.__new__(kind)
    made.__dict__.update(record.__dict__, **members, **own)
    return made


@cache
def _common(kind: type[Any]) -> dict[str, object]:
    """All defaults; those that are made may be one object. The class holds most as well, but there they are found in
    four times the time."""
    rows = fields(kind)
    made = {row.name: row.default_factory() for row in rows if row.default_factory is not MISSING}
    return made | {row.name: row.default for row in rows if row.default is not MISSING}


@cache
def _names(kind: type[Any]) -> tuple[frozenset[str], dict[str, object]]:
    """The members that a caller may give, and the others as they begin."""
    rows = fields(kind)
    return frozenset(row.name for row in rows if row.init), {row.name: row.default for row in rows if not row.init}
