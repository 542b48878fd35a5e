"""Containers that came round elements which stood already: where these begin.

In: a composer, the boxes that elements had before, those of them that stand where they stood. Out: the starts to try,
each with what it takes for granted, and how much a placement shifts what stood, by which the least is chosen. A new
container is drawn round what it holds where that stands, or gathers it there, and what is in its way makes room; or it
joins its container like any newcomer. px.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from typing import NamedTuple

from scenograph.engine.families.container_types import is_tile, is_tiled
from scenograph.engine.geometry.boxes import Box, union
from scenograph.engine.place.composer import Composer
from scenograph.engine.place.frames import wrap
from scenograph.engine.place.inventory import ROOT, Inventory
from scenograph.late_dataclasses import dataclass, field

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
