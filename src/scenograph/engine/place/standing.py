"""What still stands where it stood in a former picture. px.

In: a composer, and the boxes that elements had before. Out: the boxes that still hold, the composer for which locked
elements have their places, and which elements stand in line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.place.composer import Composer
from scenograph.engine.place.inventory import ROOT
from scenograph.engine.place.making_room import AXES, InLine
from scenograph.engine.place.units import Unit
from scenograph.late_dataclasses import replace

SLACK = 0.5  # px; what rounding may push a box past its container
ALIKE = 1.0  # px; middles so near to each other are in line
NOTHING: Mapping[str, Box] = {}


def with_locked(composer: Composer, former: Mapping[str, Box]) -> Composer:
    """The composer for which what is locked has its place as well, unless its author put something else there: a sketch
    never causes an overlap."""
    inventory = composer.inventory
    given = [
        Box(corner.x, corner.y, inventory.size(one).width, inventory.size(one).height)
        for one, corner in composer.fixed.items()
        if one not in inventory.children
    ]
    locked = {
        one: Point(former[one].x, former[one].y)
        for one, element in inventory.elements.items()
        if element.locked
        and one in former
        and one not in inventory.children
        and one not in composer.fixed
        and not any(former[one].overlaps(box) for box in given)
    }
    if not locked:
        return composer
    held = composer.held.union(*(inventory.ancestors(one) for one in locked))
    return replace(composer, fixed={**composer.fixed, **locked}, held=held, leaves={})


def standing_boxes(
    composer: Composer, former: Mapping[str, Box], drawn: Mapping[str, Box] = NOTHING
) -> tuple[dict[str, Box], frozenset[str]]:
    """The boxes that still hold, of elements that stood in the container in which they stand now, and in no other; and
    what its author has moved, its content with it. `drawn` are containers that came round what stood."""
    inventory, found = composer.inventory, dict[str, Box]()
    steps, moved, known = {ROOT: Point(0.0, 0.0)}, set[str](), {**former, **drawn}
    for container in reversed(inventory.containers):
        row = inventory.children[container] if container in steps else ()
        frames = [(one, former[one]) for one in row if one in former and one in inventory.children]
        room = None if container == ROOT or not row else known[container].grown(SLACK)
        for child in row:
            box = known.get(child)
            if box is None or (child not in drawn and not _is_still_in(child, box, room, frames)):
                continue
            corner, step = composer.fixed.get(child), steps[container]
            steps[child] = step if corner is None else Point(corner.x - box.x, corner.y - box.y)
            found[child] = box.moved(*steps[child])
            moved |= {child} if corner is not None and steps[child] != (0.0, 0.0) else set()
    return found, frozenset(moved)


def _is_still_in(child: str, box: Box, room: Box | None, frames: Sequence[tuple[str, Box]]) -> bool:
    """Whether a box stood in that room (None: the page), and in none of the frames in it."""
    if room is not None and not room.contains(box):
        return False
    return not any(one != child and frame.contains(box) for one, frame in frames)


def in_line(composer: Composer, units: Sequence[Unit]) -> list[InLine]:
    """The members of a container, by their numbers, that have a line between them and stand with their middles in
    line."""
    number = {unit.id: at for at, unit in enumerate(units)}
    container = composer.inventory.parent.get(units[0].id, ROOT) if units else ROOT
    found: dict[InLine, None] = {}
    for tie in composer.ties.inner.get(container, ()):
        first, second = number.get(tie.source), number.get(tie.target)
        if first is None or second is None or first == second:
            continue
        one, other = units[first].core.center, units[second].core.center
        found |= {InLine(first, second, axis): None for axis in AXES if abs(one[axis] - other[axis]) < ALIKE}
    return list(found)
