"""Frames with a direction or grid columns of their own: each is laid out alone, then stands as one box among its
siblings. Rules R-PLACE-17, R-PLACE-22.

In: a composer. Out: a composer without the content of these frames, and the way back. A frame counts if its direction
differs from the surrounding flow, if it has columns or stands in such a frame, and no relative placement reaches across
its border. For the surrounding layout, an edge across the border ends at the frame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from scenograph.engine.families.container_types import is_tile, is_tiled
from scenograph.engine.geometry.boxes import Box, union
from scenograph.engine.geometry.directions import TURNS
from scenograph.engine.place.algorithms import ALGORITHMS, Algorithm
from scenograph.engine.place.containers.composer import Composer, composer_of
from scenograph.engine.place.containers.frames import inset_of, wrap
from scenograph.engine.place.inventory import ROOT, Inventory, Tie
from scenograph.late_dataclasses import replace
from scenograph.scene.model import Frame

Compose = Callable[[Composer, Algorithm], Mapping[str, Box]]
_GRID = ALGORITHMS["grid"]


class DirectedFrames:
    """A composer with each frame of another direction or a grid of its own folded to a single box. `compose` lays out
    the content of each by the scene's algorithm or in a grid. `in_grid`: the surroundings are the cells of a grid."""

    def __init__(self, composer: Composer, algorithm: Algorithm, compose: Compose, *, in_grid: bool = False) -> None:
        self._whole = composer
        self._algorithm = algorithm
        self._compose = compose
        self._inside: dict[str, Mapping[str, Box]] = {}
        inventory = composer.inventory
        direction = composer.settings.direction if algorithm.layered else None
        for frame_id in _apart(inventory, direction, in_grid=in_grid):
            self._lay_out(frame_id)
        self.composer = composer
        if self._inside:
            self.composer = composer.of(self._outer(inventory))

    def _lay_out(self, frame_id: str) -> None:
        composer, inventory = self._whole, self._whole.inventory
        frame = inventory.elements[frame_id]
        columns = _columns(frame)
        algorithm = _GRID if columns else self._algorithm
        settings = replace(
            composer.settings,
            direction=_direction(frame) or composer.settings.direction,
            columns=columns or composer.settings.columns,
        )
        alone = composer_of(_content(inventory, frame_id), algorithm.arrange, settings, composer.record)
        inner = DirectedFrames(alone, self._algorithm, self._compose, in_grid=columns is not None)
        boxes = inner.unfolded(self._compose(inner.composer, algorithm))
        outsets = (box.with_outset(composer.outset(one)) for one, box in boxes.items())
        size = inventory.size(frame_id)
        box = wrap(inset_of(frame, size), union(outsets), composer.least(frame_id, empty=False))
        self._inside[frame_id] = {one: row.moved(-box.x, -box.y) for one, row in boxes.items()} | {
            frame_id: box.moved(-box.x, -box.y)
        }

    def _outer(self, inventory: Inventory) -> Inventory:
        """The inventory with each folded frame in place of its content."""
        home = {one: frame_id for frame_id, boxes in self._inside.items() for one in boxes}
        hidden = {one for one, frame_id in home.items() if one != frame_id}
        elements, sizes = dict(inventory.elements), dict(inventory.sizes)
        for frame_id, boxes in self._inside.items():
            box, layout = boxes[frame_id], elements[frame_id].layout
            elements[frame_id] = replace(elements[frame_id], layout=replace(layout, width=None, height=None))
            sizes[frame_id] = inventory.size(frame_id)._replace(width=box.width, height=box.height)
        return replace(
            inventory,
            elements={one: element for one, element in elements.items() if one not in hidden},
            children={one: row for one, row in inventory.children.items() if one not in home},
            ties=tuple(_lifted(tie, home) for tie in inventory.ties if _is_seen(tie, home)),
            sizes=sizes,
        )

    def unfolded(self, boxes: Mapping[str, Box]) -> dict[str, Box]:
        """The boxes, the content of folded frames included."""
        found = dict(boxes)
        for frame_id, inside in self._inside.items():
            corner = boxes[frame_id]
            found.update({one: box.moved(corner.x, corner.y) for one, box in inside.items()})
        return found


def _direction(element: object) -> str | None:
    said = element.extensions.get("direction") if isinstance(element, Frame) else None
    return said if isinstance(said, str) and said in TURNS else None


def _columns(element: object) -> int | None:
    said = element.extensions.get("gridColumns") if isinstance(element, Frame) else None
    return said if isinstance(said, int) and not isinstance(said, bool) and said > 0 else None


def _apart(inventory: Inventory, direction: str | None, *, in_grid: bool) -> Iterator[str]:
    """The outermost frames with columns or a direction other than their surroundings' (None: these have none); in a
    grid all outermost frames."""
    waiting = list(inventory.children[ROOT])
    open_ = _bound_outside(inventory)
    for element_id in waiting:
        element = inventory.elements[element_id]
        turns = direction is not None and _direction(element) not in (None, direction)
        is_apart = in_grid or turns or _columns(element) is not None
        tiles = is_tiled(element) or is_tile(element)
        if not is_apart or tiles or element_id in open_ or not inventory.children.get(element_id):
            waiting += inventory.children.get(element_id, ())
        else:
            yield element_id


def _bound_outside(inventory: Inventory) -> set[str]:
    """The containers with a relative placement across their border."""
    found: set[str] = set()
    for one in inventory.elements if inventory.has_relations else ():
        layout = inventory.relation(one)
        if layout is not None and layout.target is not None:
            around = set(inventory.ancestors(one)), set(inventory.ancestors(layout.target))
            found |= (around[0] ^ around[1]) - {one, layout.target}
    return found


def _content(inventory: Inventory, frame_id: str) -> Inventory:
    """The content of a frame as an inventory of its own."""
    inside = [one for one in inventory.elements if frame_id in inventory.ancestors(one)]
    kept = set(inside)
    return replace(
        inventory,
        elements={one: inventory.elements[one] for one in inside},
        children={one: row for one, row in inventory.children.items() if one in kept}
        | {ROOT: inventory.children[frame_id]},
        ties=tuple(tie for tie in inventory.ties if kept.issuperset(tie.ends)),
    )


def _is_seen(tie: Tie, home: Mapping[str, str]) -> bool:
    """Whether an edge leaves the folded frame of its source."""
    homes = [home.get(end, end) for end in tie.ends]
    return homes[0] != homes[1] or tie.source == tie.target


def _lifted(tie: Tie, home: Mapping[str, str]) -> Tie:
    """An edge with its ends lifted to folded frames."""
    if tie.source not in home and tie.target not in home:
        return tie
    return tie._replace(source=home.get(tie.source, tie.source), target=home.get(tie.target, tie.target))
