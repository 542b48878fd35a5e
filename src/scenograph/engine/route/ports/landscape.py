"""What of a placed scene stands in the way of lines.

In: scene and placement. Out: obstacles with their owners by number, the borders that are seen, and who stands in whom.
Rules R-ROUTE-3, R-ROUTE-12.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scenograph.engine.families.container_types import is_passable
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.geometry.spatial_index import Bounds, bounds_of, widened
from scenograph.engine.route.problem import FRAME, NOBODY, NODE, PLAQUE, WRITING, Obstacle
from scenograph.engine.tables import Placement
from scenograph.late_dataclasses import dataclass, field
from scenograph.scene.document_index import ancestors
from scenograph.scene.model import Element, Frame, Group, Guide, Scene

OFF_BORDER = 5.0  # px; as far as lines keep from writings at most


@dataclass(slots=True)
class Landscape:
    """The elements that have a place, numbered in the order of the scene; what stands in the way, and what is inside
    what."""

    number_of: dict[str, int] = field(default_factory=dict[str, int])
    obstacles: list[Obstacle] = field(default_factory=list[Obstacle])
    borders: list[Bounds] = field(default_factory=list[Bounds])
    parents: dict[str, str] = field(default_factory=dict[str, str])
    children: dict[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    _above: dict[str, tuple[str, ...]] = field(default_factory=dict[str, "tuple[str, ...]"])

    def numbers(self, element_ids: Iterable[str]) -> frozenset[int]:
        """The numbers of those that have a place."""
        return frozenset(self.number_of[one] for one in element_ids if one in self.number_of)

    def ancestors(self, element_id: str) -> tuple[str, ...]:
        """The frames and groups around an element, innermost first."""
        found = self._above.get(element_id)
        if found is None:
            found = self._above[element_id] = tuple(ancestors(element_id, self.parents.get))
        return found

    def inside(self, element_id: str) -> tuple[str, ...]:
        """Everything in a frame or group, whatever the depth; nothing for other elements."""
        waiting = list(self.children.get(element_id, ()))
        found = dict.fromkeys(waiting)
        for child in waiting:
            further = [one for one in self.children.get(child, ()) if one not in found]
            found.update(dict.fromkeys(further))
            waiting += further
        return tuple(found)


def landscape(scene: Scene, placement: Placement) -> Landscape:
    """What a placed scene puts in the way of lines."""
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
    """Whether a label has a place of its own, below or beside its node; one that only sticks out of it has none."""
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
    """A writing without its rim along the border of the frame that it stands in: what ends on that border passes it."""
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
