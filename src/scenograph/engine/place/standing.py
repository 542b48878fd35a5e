"""What still stands where it stood in a former picture. px.

In: a composer, and the boxes that elements had before. Out: the boxes that still hold, the composer for which locked
elements have their places, and which elements stand in line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from scenograph.engine.families.container_types import is_tile, is_tiled
from scenograph.engine.geometry.boxes import Box, Point, union
from scenograph.engine.place.composer import Composer
from scenograph.engine.place.frames import wrap
from scenograph.engine.place.inventory import ROOT, Inventory, Unit
from scenograph.engine.place.making_room import AXES, InLine
from scenograph.late_dataclasses import dataclass, field, replace

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


# Containers that came round elements which stood already: where these begin. In: a composer, the boxes that
# elements had before, those of them that stand where they stood. Out: the starts to try, each with what it takes
# for granted, and how much a placement shifts what stood, by which the least is chosen. A new container is drawn
# round what it holds where that stands, or gathers it there, and what is in its way makes room; or it joins its
# container like any newcomer. px.


FAR = 10.0  # who moves less has hardly moved


@dataclass(frozen=True, slots=True)
class Start:
    """Where new containers begin: `drawn` round what they hold, each with that box; `gathered` in the middle of the
    box round which what they hold stood. All others join as newcomers. What has grown pushes its neighbours, or, if it
    `yields`, moves aside itself where they are in its way."""

    drawn: Mapping[str, Box] = field(default_factory=dict[str, Box])
    gathered: Mapping[str, Box] = field(default_factory=dict[str, Box])
    yields: bool = False

    @property
    def begun(self) -> Set[str]:
        """The containers that begin where what they hold stood."""
        return self.drawn.keys() | self.gathered.keys()


class Shift(NamedTuple):
    """How many elements outside of new containers moved far, and how far all elements moved together."""

    far: int
    sum: float


STILL = Shift(0, 0.0)


def shift_between(inventory: Inventory, former: Mapping[str, Box], boxes: Mapping[str, Box]) -> Shift:
    """How much what contains nothing has moved its middle."""
    far, whole = 0, 0.0
    for one, box in boxes.items():
        was = former.get(one)
        if was is not None and was != box and one not in inventory.children:
            (x, y), (left, top) = box.center, was.center
            step = max(abs(x - left), abs(y - top))
            is_outside = all(other == ROOT or other in former for other in inventory.ancestors(one))
            far, whole = far + (is_outside and step > FAR), whole + step
    return Shift(far, round(whole, 2))


def starts(
    composer: Composer, former: Mapping[str, Box], standing: Mapping[str, Box], *, may_yield: bool
) -> Iterator[Start]:
    """The starts to try, the one first that needs no other where it moves nothing, and those last that yield."""
    hulls = _hulls(composer, former, standing)
    drawn = {one: wrap(composer.inset(one), box, composer.least(one, empty=False)) for one, box in hulls}
    for yields in (False, True)[: 1 + may_yield]:
        if hulls:
            yield Start(drawn=drawn, yields=yields)
            yield Start(gathered=dict(hulls), yields=yields)
        yield Start(yields=yields)


def _hulls(composer: Composer, former: Mapping[str, Box], standing: Mapping[str, Box]) -> list[tuple[str, Box]]:
    """New containers in such as stand, each with the hull of what it holds that stood in the same one."""
    inventory, found = composer.inventory, list[tuple[str, Box]]()
    for container in inventory.containers[:-1]:
        home, element = inventory.parent[container], inventory.elements[container]
        is_new = container not in former and container not in composer.held and container not in composer.fixed
        if not is_new or is_tiled(element) or is_tile(element) or (home != ROOT and home not in standing):
            continue
        frames = [former[one] for one in inventory.children[home] if one in standing and one in inventory.children]
        boxes = [former[one] for one in inventory.children[container] if one in former]
        hull = union(
            box
            for box in boxes
            if (home == ROOT or former[home].contains(box)) and not any(frame.contains(box) for frame in frames)
        )
        if hull is not None:
            found.append((container, hull))
    return found
