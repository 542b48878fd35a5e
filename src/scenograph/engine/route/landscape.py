"""Landscape: the parts of a placed scene that stand in the way of lines.

In: scene and placement. Out: obstacles with their owners by number, visible borders, and the nesting. Rules R-ROUTE-3,
R-ROUTE-12.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scenograph.engine.families.container_types import is_passable
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.geometry.spatial_index import Bounds, bounds_of, widened
from scenograph.engine.route.problem import (
    FRAME,
    NOBODY,
    NODE,
    PLAQUE,
    WRITING,
    Obstacle,
)
from scenograph.engine.tables import Placement
from scenograph.late_dataclasses import dataclass, field
from scenograph.scene.document_index import ancestors
from scenograph.scene.model import Element, Frame, Group, Guide, Scene

OFF_BORDER = 5.0  # px; as far as lines keep from writings at most


@dataclass(slots=True)
class Landscape:
    """The placed elements, numbered in scene order, with obstacles and nesting."""

    number_of: dict[str, int] = field(default_factory=dict[str, int])
    obstacles: list[Obstacle] = field(default_factory=list[Obstacle])
    borders: list[Bounds] = field(default_factory=list[Bounds])
    parents: dict[str, str] = field(default_factory=dict[str, str])
    children: dict[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    _above: dict[str, tuple[str, ...]] = field(default_factory=dict[str, "tuple[str, ...]"])

    def numbers(self, element_ids: Iterable[str]) -> frozenset[int]:
        """The numbers of the placed elements among `element_ids`."""
        return frozenset(self.number_of[one] for one in element_ids if one in self.number_of)

    def ancestors(self, element_id: str) -> tuple[str, ...]:
        """The frames and groups around an element, innermost first."""
        found = self._above.get(element_id)
        if found is None:
            found = self._above[element_id] = tuple(ancestors(element_id, self.parents.get))
        return found

    def inside(self, element_id: str) -> tuple[str, ...]:
        """All descendants of a frame or group; empty for other elements."""
        waiting = list(self.children.get(element_id, ()))
        found = dict.fromkeys(waiting)
        for child in waiting:
            further = [one for one in self.children.get(child, ()) if one not in found]
            found.update(dict.fromkeys(further))
            waiting += further
        return tuple(found)


def landscape(scene: Scene, placement: Placement) -> Landscape:
    """The obstacles, borders and nesting of a placed scene."""
    found = Landscape()
    for element in scene.elements:
        if isinstance(element, Frame | Group):
            found.children[element.id] = element.children
            for child in element.children:
                found.parents.setdefault(child, element.id)
        box = placement.boxes.get(element.id)
        if box is not None:
            number = found.number_of.setdefault(element.id, len(found.number_of))
            found.obstacles.extend(_obstacles_of(element, number, box, placement))
            if element.visible and (isinstance(element, Frame) or (isinstance(element, Group) and is_wall(element))):
                found.borders.append(bounds_of(box))
    return found


def stands_outside(writing: Box, box: Box) -> bool:
    """Whether a label stands below or beside its node; a label that merely sticks out of the box does not."""
    left, top, across, down = writing
    x, y, width, height = box
    return not (x <= left + across / 2 <= x + width and y <= top + down / 2 <= y + height)


def _obstacles_of(element: Element, number: int, box: Box, placement: Placement) -> list[Obstacle]:
    if not element.visible or isinstance(element, Guide):
        return []
    kind = _KINDS.get(element.kind, PLAQUE)
    found: list[Obstacle] = []
    if kind != FRAME or is_wall(element):
        found.append(Obstacle(bounds_of(box), kind, number))
    writing = placement.part(element.id, "title" if kind == FRAME else "label")
    if writing is not None and (kind == FRAME or stands_outside(writing, box)):
        found.append(Obstacle(_off_border(bounds_of(writing), bounds_of(box)), WRITING, NOBODY))
    return found


def _off_border(writing: Bounds, frame: Bounds) -> Bounds:
    """The bounds of a writing without its rim along the border of its frame, to let routes that end on the border
    pass."""
    if not all(frame[side] <= writing[side] and writing[side + 2] <= frame[side + 2] for side in (0, 1)):
        return writing
    left, top, right, bottom = widened(frame, -OFF_BORDER)
    return Bounds(max(writing[0], left), max(writing[1], top), min(writing[2], right), min(writing[3], bottom))


def is_wall(element: Element) -> bool:
    """Whether a container stops strangers: lanes are stripes of their pool, and an unstyled group draws nothing."""
    if isinstance(element, Frame):
        return not is_passable(element)
    return element.style is not None or element.style_id is not None


_KINDS = {"node": NODE, "text": PLAQUE, "image": PLAQUE, "frame": FRAME, "group": FRAME}
