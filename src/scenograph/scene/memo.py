"""Caches of pure functions: only the changed parts of a recent scene are computed anew. A cache never shows in a
result: it holds the value the function would return."""

from __future__ import annotations

from collections.abc import Hashable
from marshal import dumps, loads
from typing import Any, Generic, Protocol, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
_PLAIN = 2  # the marshal version with equal bytes for equal values: later versions encode object identity


def exact_key(value: Any) -> bytes | None:
    """A key equal only for bitwise equal JSON values: distinguishes 1, 1.0 and true. None for too deep nesting or other
    values."""
    try:
        return dumps(value, _PLAIN)
    except (RecursionError, ValueError):
        return None


def copy_of(key: bytes) -> Any:
    """A copy of the value behind a key."""
    return loads(key)  # noqa: S302 - bytes that this process has made itself


class Latest(Generic[K, V]):
    """At least the latest `least` values by their keys, and at most twice as many."""

    def __init__(self, least: int) -> None:
        self._least = least
        self._young: dict[K, V] = {}
        self._old: dict[K, V] = {}

    def get(self, key: K) -> V | None:
        """The value of a key, or None."""
        found = self._young.get(key)
        if found is None and (found := self._old.get(key)) is not None:
            self.put(key, found)
        return found

    def clear(self) -> None:
        """Forget everything."""
        self._young, self._old = {}, {}

    def put(self, key: K, value: V) -> V:
        """Keep and return a value; values unused since the last `least` insertions are dropped."""
        if len(self._young) >= self._least:
            self._old, self._young = self._young, {}
        self._young[key] = value
        return value


Memo = dict[object, tuple[object, Any]]
"""Results computed from an object: further material and result, by kind of result."""


class Remembering(Protocol):
    """An object carrying computed results; without a memo nothing is kept."""

    @property
    def memo(self) -> Memo | None:
        """The results computed from the object."""
        ...


R = TypeVar("R", bound=Remembering)


def kept(owner: R) -> R:
    """Enable the memo of an object, and return the object."""
    object.__setattr__(owner, "memo", {})
    return owner


class Remembered(Generic[V]):
    """A result computed from an object and further material compared by value; it lives as long as the object."""

    def get(self, owner: Remembering, given: object = ()) -> V | None:
        """The result for this very object and equal material, or None."""
        memo = owner.memo
        row = None if memo is None else memo.get(self)
        return row[1] if row is not None and (row[0] is given or row[0] == given) else None

    def put(self, owner: Remembering, given: object, made: V) -> V:
        """Keep and return a result."""
        memo = owner.memo
        if memo is not None:
            memo[self] = given, made
        return made


class MadeOf(Generic[V]):
    """Results computed from recurring objects and further material compared by value."""

    def __init__(self, least: int) -> None:
        self._rows: Latest[int, tuple[object, tuple[object, ...], V]] = Latest(least)

    def get(self, owner: object, given: tuple[object, ...] = ()) -> V | None:
        """The result for this very object and equal material, or None."""
        row = self._rows.get(id(owner))  # the row holds its owner: no other object can have this id
        return row[2] if row is not None and row[0] is owner and row[1] == given else None

    def put(self, owner: object, given: tuple[object, ...], made: V) -> V:
        """Keep and return a result."""
        self._rows.put(id(owner), (owner, given, made))
        return made
