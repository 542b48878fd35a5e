"""The difference between two documents, by element (R-REV-5, R-REV-6).

An element is modified when its JSON differs, when its container changes, or when its paint order changes among the
elements of its kind and z-index; in a sequence, where order means time, among messages, notes and fragments. Membership
belongs to the child: in a container's list only the order of remaining children counts. Further reordering, `computed`
and `diagnostics` are ignored. Elements shared by both documents as the same object cost nothing, which keeps the
comparison of a batch fast.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import pairwise

from scenograph.late_dataclasses import dataclass
from scenograph.scene.document_index import CHILDREN_NAMES, CONTAINERS, children_of
from scenograph.scene.json_values import JsonObject, is_array, is_number, is_object, member, object_at, same
from scenograph.scene.vocabulary import FRAGMENT_TYPE, is_in_turn, takes_a_turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Sorted ids. `regrouped` are containers whose only change is added or removed children."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    modified: tuple[str, ...] = ()
    regrouped: tuple[str, ...] = ()
    changed_constraint_ids: tuple[str, ...] = ()

    @property
    def changed_ids(self) -> tuple[str, ...]:
        """Added, removed and modified elements, and containers with changed children."""
        return tuple(sorted((*self.added, *self.removed, *self.modified, *self.regrouped)))


def difference(old: object, new: object) -> Difference:
    """The difference from one document to another; never raises, for any values."""
    before, after = elements_by_id(old), elements_by_id(new)
    both = [name for name in before if name in after]
    parents_before, parents_after = _containers_of(before), _containers_of(after)
    rewritten = {name for name in both if not same(before[name], after[name])}
    moved = {name for name in both if parents_before.get(name) != parents_after.get(name)}
    regrouped = {name for name in rewritten - moved if _is_regrouped(before[name], after[name])}
    modified = moved | rewritten - regrouped
    layer_of = _turn_layer if is_in_turn(new) else _layer
    modified.update(_repainted([name for name in both if name not in modified], before, after, layer_of))
    return Difference(
        added=tuple(sorted(name for name in after if name not in before)),
        removed=tuple(sorted(name for name in before if name not in after)),
        modified=tuple(sorted(modified)),
        regrouped=tuple(sorted(regrouped - modified)),
        changed_constraint_ids=_changed_constraints(old, new),
    )


def elements_by_id(document: object) -> dict[str, JsonObject]:
    """The elements of a document by id, in order; the first of each id."""
    return _by_id(document, "elements")


def _by_id(document: object, registry: str) -> dict[str, JsonObject]:
    """The members of a root array by id, in order; the first of each id."""
    found: dict[str, JsonObject] = {}
    values = member(document, registry)
    for value in values if is_array(values) else ():
        if is_object(value) and isinstance(value.get("id"), str):
            found.setdefault(value["id"], value)
    return found


def _containers_of(elements: Mapping[str, JsonObject]) -> dict[str, str]:
    """Element id -> the id of its frame or group."""
    parents: dict[str, str] = {}
    for name, members in elements.items():
        if _is_container(members):
            for _, child in children_of(members):
                parents.setdefault(child, name)
    return parents


def _is_regrouped(before: JsonObject, after: JsonObject) -> bool:
    """Whether two forms of a container differ only by added or removed children."""
    return _is_container(before) and _is_container(after) and same(*_without_membership(before, after))


def _without_membership(before: JsonObject, after: JsonObject) -> tuple[JsonObject, JsonObject]:
    """Two forms of a container reduced to common children, in their order; other elements unchanged."""
    if not (_is_container(before) and _is_container(after)):
        return before, after
    rows = [[child for _, child in children_of(members)] for members in (before, after)]
    kept = set(rows[0]) & set(rows[1])
    lists = [list(dict.fromkeys(child for child in row if child in kept)) for row in rows]
    one, other = (
        {name: value for name, value in members.items() if name not in CHILDREN_NAMES} | {CHILDREN_NAMES[0]: listed}
        for members, listed in zip((before, after), lists, strict=True)
    )
    return one, other


def _is_container(members: JsonObject) -> bool:
    kind = members.get("kind")
    return isinstance(kind, str) and kind in CONTAINERS


def _changed_constraints(old: object, new: object) -> tuple[str, ...]:
    before, after = _by_id(old, "constraints"), _by_id(new, "constraints")
    changed = (name for name in before | after if not same(before.get(name), after.get(name)))
    return tuple(sorted(changed))


_Layer = tuple[str, float]


def _repainted(
    names: list[str],
    before: Mapping[str, JsonObject],
    after: Mapping[str, JsonObject],
    layer_of: Callable[[JsonObject], _Layer],
) -> Iterator[str]:
    """The fewest of `names` that explain the change of paint order, layer by layer."""
    position = {name: index for index, name in enumerate(after)}
    layers: dict[_Layer, list[str]] = {}
    for name in names:
        layers.setdefault(layer_of(before[name]), []).append(name)
    for layer in layers.values():
        order = [position[name] for name in layer]
        if any(one > other for one, other in pairwise(order)):
            kept = _longest_rising(order)
            yield from (name for name, place in zip(layer, order, strict=True) if place not in kept)


def _turn_layer(members: JsonObject) -> _Layer:
    """The layer of an element in a sequence: a single row for all messages, notes and fragments, at any z-index."""
    is_fragment = members.get("containerType") == FRAGMENT_TYPE
    return ("turn", 0.0) if is_fragment or takes_a_turn(members) else _layer(members)


def _layer(members: JsonObject) -> _Layer:
    kind, z_index = members.get("kind"), members.get("zIndex")
    return kind if isinstance(kind, str) else "", float(z_index) if is_number(z_index) else 0.0


def _longest_rising(numbers: list[int]) -> frozenset[int]:
    """The members of a longest rising subsequence of distinct numbers (Fredman 1975, by patience sorting)."""
    tops: list[int] = []
    previous: dict[int, int | None] = {}
    for number in numbers:
        pile = bisect_left(tops, number)
        previous[number] = tops[pile - 1] if pile else None
        tops[pile : pile + 1] = [number]
    kept: set[int] = set()
    last: int | None = tops[-1] if tops else None
    while last is not None:
        kept.add(last)
        last = previous[last]
    return frozenset(kept)


# Differing fields of two documents with their values: of elements, and outside elements (R-REV-5). A field is a member
# without further members, named by its path: `label`, `style.fill`, `styles.s.fill`. An object missing in a document
# counts as empty. Beside an element's members stand `parent`, its container, and `order`, its position in paint order
# or time.


FieldChange = list[object]  # a field's values before and after; null where a document has none
MOST = 20
LONGEST = 200  # characters of a value
PARENT, ORDER = "parent", "order"
_NOT_COMPARED = frozenset({"elements", "constraints", "computed", "diagnostics", "view", "$schema", "scene"})


def element_changes(old: object, new: object, change: Difference) -> Mapping[str, Mapping[str, FieldChange]]:
    """The differing fields of each modified element, sorted by name, at most MOST, with their values, cut to LONGEST
    characters. The value of `order` is the index among all elements."""
    before, after = elements_by_id(old), elements_by_id(new)
    parents = _containers_of(before), _containers_of(after)
    places = [{name: index for index, name in enumerate(rows)} for rows in (before, after)]
    found: dict[str, Mapping[str, FieldChange]] = {}
    for name in change.modified:
        fields = dict(_differing(*_without_membership(before[name], after[name])))
        if parents[0].get(name) != parents[1].get(name):
            fields[PARENT] = [parent.get(name) for parent in parents]
        fields = fields or {ORDER: [place[name] for place in places]}
        found[name] = {field: [_cut(value) for value in fields[field]] for field in _first(fields)}
    return found


def changed_element_fields(old: object, new: object, change: Difference) -> Mapping[str, tuple[str, ...]]:
    """The sorted names of differing fields of each modified element, at most MOST."""
    return {name: tuple(fields) for name, fields in element_changes(old, new, change).items()}


def changed_scene_fields(old: object, new: object) -> tuple[str, ...]:
    """The sorted names of differing fields outside elements and constraints, at most MOST."""
    root = _differing(_outside_of_elements(old), _outside_of_elements(new))
    inner = _differing(dict(object_at(old, "scene")), dict(object_at(new, "scene")))
    return _first(dict((*root, *inner)))


def _outside_of_elements(document: object) -> JsonObject:
    return {name: value for name, value in object_at(document).items() if name not in _NOT_COMPARED}


def _differing(before: JsonObject, after: JsonObject, way: str = "") -> Iterator[tuple[str, FieldChange]]:
    """Differing members by path; the path of an object itself if it has no members to name."""
    for name in before | after:
        one, other = before.get(name, {}), after.get(name, {})
        if (name in before) == (name in after) and same(one, other):
            continue
        if is_object(one) and is_object(other) and one | other:
            yield from _differing(one, other, f"{way}{name}.")
        else:
            yield f"{way}{name}", [before.get(name), after.get(name)]


def _first(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(names)[:MOST])


def _cut(value: object) -> object:
    """The value; an overlong text is cut, any other overlong value becomes the beginning of its JSON text."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return value if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


# Elements with another box after an edit (R-KEEP-14): from two documents and the places of both.
#
# Places have the form of `computed`. Boxes are compared by position and size, in px of the page.

_NOTICED = 1.0  # px: smaller differences of a box are rounding
_PLACED_BY = frozenset({"layout", "parent"})  # members that say where an element stands
_POSITION, _SIZE = ("x", "y"), ("width", "height")


def moved_boxes(document: JsonObject, before: JsonObject, after: JsonObject) -> tuple[str, ...]:
    """The sorted ids of elements, edges apart, with a box in both places that differs by more than _NOTICED."""
    boxes, later = object_at(before, "bounds"), object_at(after, "bounds")
    kinds = {name: row.get("kind") for name, row in elements_by_id(document).items()}
    both = (name for name in boxes if name in later and kinds.get(name, "edge") != "edge")
    return tuple(sorted(name for name in both if _differs(boxes[name], later[name], (*_POSITION, *_SIZE))))


def moved_by_others(
    old: JsonObject, new: JsonObject, before: JsonObject, after: JsonObject, relaid: Collection[str]
) -> tuple[str, ...]:
    """The ids among `moved_boxes` that the edit itself does not touch.

    The edit touches what it creates, resizes, moves, reparents or places anew (`relaid`), what it gives a text, an icon
    or a type of another natural size, and what a moved container carries along.
    """
    boxes, later, moved = object_at(before, "bounds"), object_at(after, "bounds"), moved_boxes(new, before, after)
    change = difference(old, new)
    fields = changed_element_fields(old, new, change)
    touched = {*change.added, *relaid}
    touched.update(name for name in change.modified if _PLACED_BY & {field.partition(".")[0] for field in fields[name]})
    touched.update(name for name in change.modified if name in moved and _differs(boxes[name], later[name], _SIZE))
    parents = _containers_of(elements_by_id(new))

    def is_carried(name: str) -> bool:
        """Whether a touched container took the element along."""
        holder: str | None = name
        while (holder := parents.get(holder)) is not None:
            if holder in touched and holder in boxes and holder in later:
                return _step(boxes[name], later[name]) == _step(boxes[holder], later[holder])
        return False

    return tuple(name for name in moved if name not in touched and not is_carried(name))


def _differs(one: JsonObject, other: JsonObject, members: tuple[str, ...]) -> bool:
    return any(abs(one[name] - other[name]) > _NOTICED for name in members)


def _step(before: JsonObject, after: JsonObject) -> tuple[float, ...]:
    """The way of a box from one place to another, rounded to px."""
    return tuple(round(after[name] - before[name]) for name in _POSITION)
