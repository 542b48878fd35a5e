"""What stands in the way of edges: one list of obstacles for the whole scene, asked by region.

In: scene and placement. Out: bounds of nodes, texts, images, foreign frames, titles and labels that stand outside
their node, grown by the clearance of a level. Specification: "Edge routing", 3 and 5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box
from scenograph.engine.geometry.spatial_index import Bounds, SpatialIndex
from scenograph.engine.tables import Placement
from scenograph.scene.model import Element, Frame, Group, Guide, Scene

CLEARANCE = 16.0
CORNER_GROWTH = 8.0
PASSABLE = frozenset({"lane", "partition"})

NODE, PLAQUE, FRAME, WRITING = range(4)  # PLAQUE: text and image elements; WRITING: titles and outside labels


class Level(NamedTuple):
    """How far routes keep from each kind of obstacle, px; None lets them pass. `stub` is the straight run at an end."""

    node: float | None
    plaque: float | None
    frame: float | None
    writing: float | None
    stub: float


LEVELS = (
    Level(CLEARANCE, 8.0, 12.0, 5.0, 16.0),
    Level(CLEARANCE, 6.0, 4.0, 3.0, 12.0),
    Level(CORNER_GROWTH, 6.0, 4.0, 3.0, 10.0),
    Level(CLEARANCE, 8.0, None, 3.0, 16.0),
    Level(CORNER_GROWTH, 4.0, None, 2.0, 8.0),
    Level(2.0, 2.0, None, None, 4.0),
)
BARE = Level(0.0, 0.0, None, None, 4.0)
NOWHERE = Bounds(inf, inf, -inf, -inf)  # what a level lets pass reaches into no region


class Obstacle(NamedTuple):
    """One thing that routes avoid. `owner` is the element whose own edges may touch it; writings have none."""

    bounds: Bounds
    kind: int
    owner: str


class _Grown(NamedTuple):
    """An obstacle at a level, and the owners of the frames that cover it: who may not pass them need not see it."""

    bounds: Bounds
    owner: str
    frames: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Terrain:
    """All obstacles, which frames and groups stand around each element, and the boxes of all that show a border, lanes
    too."""

    obstacles: tuple[Obstacle, ...]
    index: SpatialIndex
    parents: Mapping[str, str]
    children: Mapping[str, Sequence[str]]
    frames: SpatialIndex = field(default_factory=SpatialIndex)
    _grown: dict[Level, list[_Grown]] = field(
        default_factory=dict[Level, "list[_Grown]"], init=False, compare=False, repr=False
    )

    def around(self, region: Bounds, exempt: frozenset[str], level: Level) -> list[Bounds]:
        """The grown bounds of every obstacle that reaches into `region`, but for those owned by `exempt`."""
        left, top, right, bottom = region
        grown = self._grown_at(level)
        near = self.index.near(left - CLEARANCE, top - CLEARANCE, right + CLEARANCE, bottom + CLEARANCE)
        return [
            box
            for box, owner, frames in [grown[number] for number in near]
            if box[0] < right
            and box[2] > left
            and box[1] < bottom
            and box[3] > top
            and owner not in exempt
            and (not frames or exempt.issuperset(frames))
        ]

    def _grown_at(self, level: Level) -> list[_Grown]:
        """All obstacles grown for a level; worked out once."""
        found = self._grown.get(level)
        if found is None:
            boxes = [_grown(obstacle.bounds, level[obstacle.kind]) for obstacle in self.obstacles]
            frames = self._frames_before(boxes)
            found = self._grown[level] = [
                _Grown(box, obstacle.owner, frames.get(number, ()))
                for number, (box, obstacle) in enumerate(zip(boxes, self.obstacles, strict=True))
            ]
        return found

    def _frames_before(self, boxes: Sequence[Bounds]) -> dict[int, tuple[str, ...]]:
        """The owners of the frames that cover each of the grown boxes; of two that cover each other the first does."""
        found: dict[int, tuple[str, ...]] = {}
        for number, (box, obstacle) in enumerate(zip(boxes, self.obstacles, strict=True)):
            if obstacle.kind != FRAME or box is NOWHERE:
                continue
            for other in self.index.near(*box):
                covered = boxes[other]
                if _contains(box, covered) and (covered != box or other > number):
                    found[other] = (*found.get(other, ()), obstacle.owner)
        return found

    def raw_around(self, region: Bounds, exempt: frozenset[str], level: Level) -> list[tuple[Bounds, float]]:
        """The bounds of what reaches into `region`, each with the clearance that `level` gives it."""
        left, top, right, bottom = region
        found: list[tuple[Bounds, float]] = []
        for number in self.index.near(left - CLEARANCE, top - CLEARANCE, right + CLEARANCE, bottom + CLEARANCE):
            bounds, kind, owner = self.obstacles[number]
            by = level[kind]
            if by is not None and owner not in exempt:
                found.append((bounds, by))
        return found

    def borders(self, region: Bounds, across: int) -> list[float]:
        """The coordinates (0: x, 1: y) of the frame borders that run through `region` lengthwise."""
        found: list[float] = []
        for number in self.frames.near(*region):
            bounds = self.frames.bounds[number]
            found.extend(at for at in (bounds[across], bounds[across + 2]) if region[across] < at < region[across + 2])
        return found

    def ancestors(self, element_id: str) -> tuple[str, ...]:
        """The frames and groups around an element, innermost first."""
        chain: list[str] = []
        parent = self.parents.get(element_id)
        while parent is not None and parent not in chain:
            chain.append(parent)
            parent = self.parents.get(parent)
        return tuple(chain)

    def inside(self, element_id: str) -> tuple[str, ...]:
        """Everything in a frame or group, whatever the depth; nothing for other elements."""
        found = list(self.children.get(element_id, ()))
        for child in found:
            found.extend(one for one in self.children.get(child, ()) if one not in found)
        return tuple(found)


def survey(scene: Scene, placement: Placement) -> Terrain:
    """The terrain of a placed scene."""
    parents: dict[str, str] = {}
    children: dict[str, Sequence[str]] = {}
    obstacles: list[Obstacle] = []
    frames = SpatialIndex()
    for element in scene.elements:
        if isinstance(element, Frame | Group):
            children[element.id] = element.children
            for child in element.children:
                parents.setdefault(child, element.id)
        box = placement.boxes.get(element.id)
        if box is not None:
            obstacles.extend(_obstacles_of(element, box, placement))
            if element.visible and (isinstance(element, Frame) or (isinstance(element, Group) and _is_wall(element))):
                frames.add(bounds_of(box))
    index = SpatialIndex(obstacle.bounds for obstacle in obstacles)
    return Terrain(tuple(obstacles), index, parents, children, frames)


def _contains(box: Bounds, other: Bounds) -> bool:
    return box[0] <= other[0] and box[1] <= other[1] and box[2] >= other[2] and box[3] >= other[3]


def _grown(bounds: Bounds, by: float | None) -> Bounds:
    if by is None:
        return NOWHERE
    left, top, right, bottom = bounds
    return Bounds(left - by, top - by, right + by, bottom + by)


def bounds_of(box: Box) -> Bounds:
    """A box by its sides."""
    return Bounds(box.x, box.y, box.x + box.width, box.y + box.height)


def stands_outside(writing: Box, box: Box) -> bool:
    """Whether a label has a place of its own, below or beside its node; one that only sticks out of it has none."""
    x, y = writing.center
    return not (box.x <= x <= box.right and box.y <= y <= box.bottom)


def _obstacles_of(element: Element, box: Box, placement: Placement) -> list[Obstacle]:
    if not element.visible or isinstance(element, Guide):
        return []
    kind = _KINDS.get(element.kind, PLAQUE)
    found: list[Obstacle] = []
    if kind != FRAME or _is_wall(element):
        found.append(Obstacle(bounds_of(box), kind, element.id))
    writing = placement.part(element.id, "title" if kind == FRAME else "label")
    if writing is not None and (kind == FRAME or stands_outside(writing, box)):
        found.append(Obstacle(bounds_of(writing), WRITING, ""))
    return found


def _is_wall(element: Element) -> bool:
    """Whether a container stops strangers: lanes are stripes of their pool, and an unstyled group draws nothing."""
    if isinstance(element, Frame):
        return element.container_type not in PASSABLE
    return element.style is not None or element.style_id is not None


_KINDS = {"node": NODE, "text": PLAQUE, "image": PLAQUE, "frame": FRAME, "group": FRAME}
