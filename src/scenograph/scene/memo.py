"""Results of pure functions, kept while they are among the latest, so that of a scene which was read or drawn before
only what has changed is made anew. What is kept never shows in a result: it is what the function would give again.
"""

from __future__ import annotations

from collections.abc import Hashable
from marshal import dumps, loads
from typing import Any, Generic, Protocol, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
_PLAIN = 2  # the version of the form that is the same for equal material: later ones tell which strings are one object


def exact_key(value: Any) -> bytes | None:
    """What JSON values have in common only if they are the same to the last bit: it tells 1, 1.0 and true apart, which
    are equal. None for what is nested too deep, or no JSON."""
    try:
        return dumps(value, _PLAIN)
    except (RecursionError, ValueError):
        return None


def copy_of(key: bytes) -> Any:
    """A copy of the value that a key was made of."""
    return loads(key)  # noqa: S302 - bytes that this process has made itself


class Latest(Generic[K, V]):
    """At least the latest `least` values by their keys, and at most twice as many."""

    def __init__(self, least: int) -> None:
        self._least = least
        self._young: dict[K, V] = {}
        self._old: dict[K, V] = {}

    def get(self, key: K) -> V | None:
        """The value of a key, None where it is not kept."""
        found = self._young.get(key)
        if found is None and (found := self._old.get(key)) is not None:
            self.put(key, found)
        return found

    def put(self, key: K, value: V) -> V:
        """Keep a value, and give it back; those that were not asked for since the last so many went in go out."""
        if len(self._young) >= self._least:
            self._old, self._young = self._young, {}
        self._young[key] = value
        return value


Memo = dict[object, tuple[object, Any]]
"""What was made of one object that is met again: by what is made, the other material and the result."""


class Remembering(Protocol):
    """An object that carries what was made of it; one without a memo is not met again, and nothing is kept of it."""

    @property
    def memo(self) -> Memo | None:
        """What was made of it."""
        ...


R = TypeVar("R", bound=Remembering)


def kept(owner: R) -> R:
    """Let an object remember what is made of it from now on, and give it back."""
    object.__setattr__(owner, "memo", {})
    return owner


class Remembered(Generic[V]):
    """One thing that is made of objects and of other material that is compared by value; it goes with its object."""

    def get(self, owner: Remembering, given: object = ()) -> V | None:
        """What was made of that very object and equal material; None where it is not kept."""
        memo = owner.memo
        row = None if memo is None else memo.get(self)
        return row[1] if row is not None and row[0] == given else None

    def put(self, owner: Remembering, given: object, made: V) -> V:
        """Keep what was made, and give it back."""
        memo = owner.memo
        if memo is not None:
            memo[self] = given, made
        return made


class MadeOf(Generic[V]):
    """What was made of an object that is met again, and of other material that is compared by value."""

    def __init__(self, least: int) -> None:
        self._rows: Latest[int, tuple[object, tuple[object, ...], V]] = Latest(least)

    def get(self, owner: object, given: tuple[object, ...] = ()) -> V | None:
        """What was made of that very object and equal material; None where it is not kept."""
        row = self._rows.get(id(owner))  # the row holds its owner: no other can have this id
        return row[2] if row is not None and row[0] is owner and row[1] == given else None

    def put(self, owner: object, given: tuple[object, ...], made: V) -> V:
        """Keep what was made, and give it back."""
        self._rows.put(id(owner), (owner, given, made))
        return made
