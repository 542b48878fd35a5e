"""Which fields differ between two documents: of an element, and of what belongs to no element (R-REV-5).

A field is a member that holds no further members, named by the way to it: `label`, `style.fill`, `styles.s.fill`. An
object that only one document has counts as empty in the other. Beside the members of an element stand `parent`, its
container, and `order`, its turn among what is painted or happens.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from scenograph.scene.difference import Difference, containers_of, elements_by_id, without_membership
from scenograph.scene.json_values import JsonObject, is_object, object_at, same

MOST = 20
PARENT, ORDER = "parent", "order"
_NOT_COMPARED = frozenset({"elements", "constraints", "computed", "diagnostics", "view", "$schema", "scene"})


def changed_element_fields(old: object, new: object, change: Difference) -> Mapping[str, tuple[str, ...]]:
    """For each modified element the sorted names of what differs, at most MOST."""
    before, after = elements_by_id(old), elements_by_id(new)
    parents = containers_of(before), containers_of(after)
    found: dict[str, tuple[str, ...]] = {}
    for name in change.modified:
        fields = list(_differing(*without_membership(before[name], after[name])))
        if parents[0].get(name) != parents[1].get(name):
            fields.append(PARENT)
        found[name] = _first(fields or [ORDER])
    return found


def changed_scene_fields(old: object, new: object) -> tuple[str, ...]:
    """The sorted names of what differs outside of elements and constraints, at most MOST."""
    root = _differing(_outside_of_elements(old), _outside_of_elements(new))
    inner = _differing(dict(object_at(old, "scene")), dict(object_at(new, "scene")))
    return _first({*root, *inner})


def _outside_of_elements(document: object) -> JsonObject:
    return {name: value for name, value in object_at(document).items() if name not in _NOT_COMPARED}


def _differing(before: JsonObject, after: JsonObject, way: str = "") -> Iterator[str]:
    """The ways to the members that differ; the way to an object itself where it has no members to name."""
    for name in before | after:
        one, other = before.get(name, {}), after.get(name, {})
        if (name in before) == (name in after) and same(one, other):
            continue
        if is_object(one) and is_object(other) and one | other:
            yield from _differing(one, other, f"{way}{name}.")
        else:
            yield f"{way}{name}"


def _first(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(names)[:MOST])
