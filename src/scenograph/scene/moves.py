"""Elements with another box after an edit (R-KEEP-14): from two documents and the places of both.

Places have the form of `computed`. Boxes are compared by position and size, in px of the page.
"""

from __future__ import annotations

from collections.abc import Collection

from scenograph.scene.difference import changed_element_fields, containers_of, difference, elements_by_id
from scenograph.scene.json_values import JsonObject, object_at

NOTICED = 1.0  # px: smaller differences of a box are rounding
PLACED_BY = frozenset({"layout", "parent"})  # members that say where an element stands
_POSITION, _SIZE = ("x", "y"), ("width", "height")


def moved_boxes(document: JsonObject, before: JsonObject, after: JsonObject) -> tuple[str, ...]:
    """The sorted ids of elements, edges apart, with a box in both places that differs by more than NOTICED."""
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
    touched.update(name for name in change.modified if PLACED_BY & {field.partition(".")[0] for field in fields[name]})
    touched.update(name for name in change.modified if name in moved and _differs(boxes[name], later[name], _SIZE))
    parents = containers_of(elements_by_id(new))

    def is_carried(name: str) -> bool:
        """Whether a touched container took the element along."""
        holder: str | None = name
        while (holder := parents.get(holder)) is not None:
            if holder in touched and holder in boxes and holder in later:
                return _step(boxes[name], later[name]) == _step(boxes[holder], later[holder])
        return False

    return tuple(name for name in moved if name not in touched and not is_carried(name))


def _differs(one: JsonObject, other: JsonObject, members: tuple[str, ...]) -> bool:
    return any(abs(one[name] - other[name]) > NOTICED for name in members)


def _step(before: JsonObject, after: JsonObject) -> tuple[float, ...]:
    """The way of a box from one place to another, rounded to px."""
    return tuple(round(after[name] - before[name]) for name in _POSITION)
