"""Named tuples from their members in a row: in half the time that calling the class takes, for loops that make many."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar, cast

T = TypeVar("T", bound=tuple[Any, ...])


def maker(kind: type[T]) -> Callable[[tuple[object, ...]], T]:
    """What makes a named tuple of all its members, in their order; how many there are is not checked."""
    make = tuple.__new__  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return cast("Callable[[tuple[object, ...]], T]", partial(make, kind))
