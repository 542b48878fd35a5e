"""An array of objects with ids, looked up and changed in constant time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from scenograph.scene.json_values import JsonObject, is_array, is_object

_EMPTY_SLOT: Final = object()


class IndexedArray:
    """An array of objects with ids: constant-time lookup, order kept, the array itself left alone."""

    def __init__(self, values: object) -> None:
        self._slots: list[object] = list(values) if is_array(values) else []
        self._slot_of: dict[str, int] = {}
        for slot, value in enumerate(self._slots):
            if is_object(value) and isinstance(value.get("id"), str):
                self._slot_of.setdefault(value["id"], slot)

    def __len__(self) -> int:
        return len(self._slot_of)

    def __contains__(self, name: object) -> bool:
        return name in self._slot_of

    def __iter__(self) -> Iterator[JsonObject]:
        for slot in self._slot_of.values():
            value = self._slots[slot]
            if is_object(value):
                yield value

    def names(self) -> tuple[str, ...]:
        """Every id, in order."""
        return tuple(self._slot_of)

    def get(self, name: str) -> JsonObject | None:
        """The object with this id."""
        slot = self._slot_of.get(name)
        value = None if slot is None else self._slots[slot]
        return value if is_object(value) else None

    def put(self, value: JsonObject) -> None:
        """Replace the object with the same id, or add it at the end."""
        slot = self._slot_of.setdefault(value["id"], len(self._slots))
        self._slots[slot : slot + 1] = [value]

    def remove(self, name: str) -> None:
        """Take the object away."""
        self._slots[self._slot_of.pop(name)] = _EMPTY_SLOT

    def values(self) -> list[object]:
        """The array as it is now."""
        return [value for value in self._slots if value is not _EMPTY_SLOT]
