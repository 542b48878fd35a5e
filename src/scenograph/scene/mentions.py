"""Who refers to whom: for each element the members of others that name it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from scenograph.scene.json_values import JsonObject, is_array, is_object, member

Names = Callable[[object], Iterator[str]]
Holder = tuple[str, str]  # the id of what refers, and the member it does so with


def _end(value: object) -> Iterator[str]:
    element_id = member(value, "elementId")
    if isinstance(element_id, str):
        yield element_id


def _ids(value: object) -> Iterator[str]:
    return (item for item in (value if is_array(value) else ()) if isinstance(item, str))


def _target(value: object) -> Iterator[str]:
    target = member(value, "target") if member(value, "mode") == "relative" else None
    if isinstance(target, str):
        yield target


def _extensions(value: object) -> Iterator[str]:
    """A sequence note's lifelines, and the messages of a combined fragment's operands."""
    yield from _ids(member(value, "over"))
    operands = member(value, "operands")
    for operand in operands if is_array(operands) else ():
        yield from _ids(member(operand, "messages"))


def _one(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value


_CONTAINER: Mapping[str, Names] = MappingProxyType(
    {"children": _ids, "childIds": _ids, "layout": _target, "extensions": _extensions}
)
ATTACHED = "attachedTo"
_PLACED: Mapping[str, Names] = MappingProxyType({"layout": _target, "extensions": _extensions})
_NOTHING: Mapping[str, Names] = MappingProxyType({})

# By kind: the members that name other elements.
ELEMENT_MENTIONS: Mapping[str, Mapping[str, Names]] = MappingProxyType(
    {
        "node": MappingProxyType({**_PLACED, ATTACHED: _end}),
        "edge": MappingProxyType({"from": _end, "to": _end}),
        "frame": _CONTAINER,
        "group": _CONTAINER,
        "text": _PLACED,
        "image": _PLACED,
    }
)
CONSTRAINT_MENTIONS: Mapping[str, Names] = MappingProxyType({"elements": _ids, "container": _one})


def mentions_of_element(element: JsonObject, name: str) -> Iterator[str]:
    """The ids that one member of an element names; `childIds` is silent beside `children`."""
    reader = ELEMENT_MENTIONS.get(str(element.get("kind")), _NOTHING).get(name)
    if reader is None or (name == "childIds" and "children" in element):
        return iter(())
    return reader(element.get(name))


def mentions_of_constraint(constraint: JsonObject, name: str) -> Iterator[str]:
    """The ids that one member of a constraint names."""
    reader = CONSTRAINT_MENTIONS.get(name)
    return iter(()) if reader is None else reader(constraint.get(name))


class Mentions:
    """An index from an id to its holders. `read` tells what a member of a holder names."""

    def __init__(self, read: Callable[[JsonObject, str], Iterator[str]]) -> None:
        self._read = read
        self._holders: dict[str, dict[Holder, None]] = {}

    def of(self, name: str) -> tuple[Holder, ...]:
        """Who refers to `name`, in the order in which they were noted."""
        return tuple(self._holders.get(name, ()))

    def note(self, holder: str, members: JsonObject) -> None:
        """Note all that a holder names."""
        for key in members:
            for name in self._read(members, key):
                self.add(name, holder, key)

    def forget(self, holder: str, members: JsonObject) -> None:
        """Forget all that a holder names."""
        for key in members:
            for name in self._read(members, key):
                self.discard(name, holder, key)

    def replace(self, holder: str, before: JsonObject, after: JsonObject) -> None:
        """Note a changed holder; members that are the very same are skipped."""
        for key in before:
            if after.get(key) is not before[key]:
                for name in self._read(before, key):
                    self.discard(name, holder, key)
        for key in after:
            if before.get(key) is not after[key]:
                for name in self._read(after, key):
                    self.add(name, holder, key)

    def add(self, name: str, holder: str, key: str) -> None:
        """Note one mention."""
        self._holders.setdefault(name, {})[holder, key] = None

    def discard(self, name: str, holder: str, key: str) -> None:
        """Forget one mention."""
        self._holders.get(name, {}).pop((holder, key), None)


def without(value: object, names: frozenset[str]) -> object:
    """A JSON value whose arrays of ids no longer hold `names`: for `extensions.over` and operands' messages."""
    if is_object(value):
        return {key: without(inner, names) for key, inner in value.items()}
    if is_array(value):
        return [without(item, names) for item in value if not (isinstance(item, str) and item in names)]
    return value
