"""One edge with everything a router needs to know about its two ends.

In: an edge, the scene's tables. Out: a `Connection`, or None when an end has no place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scenograph.engine.geometry.boxes import Box
from scenograph.engine.route.anchors import SIDES, Anchor, anchors_of, preferred, second_side_price
from scenograph.engine.route.terrain import Terrain
from scenograph.engine.tables import Placement
from scenograph.scene.model import Edge, Element, Endpoint


@dataclass(frozen=True, slots=True)
class Connection:
    """An edge between two placed elements. `exempt` names what the edge may touch: its ends, what stands around them
    and what covers them. `rank` of `twins`: its place among the edges that join the same two elements. Edges of one
    `fan` may share a trunk."""

    edge: Edge
    source: Element
    target: Element
    source_box: Box
    target_box: Box
    starts: tuple[Anchor, ...]
    finishes: tuple[Anchor, ...]
    exempt: frozenset[str]
    rank: int = 0
    twins: int = 1
    fan: str | None = None
    axis: str | None = None

    def leaves_open(self) -> bool:
        """Whether the author left all sides of both ends open."""
        return len(self.starts) == len(SIDES) == len(self.finishes)

    @property
    def is_loop(self) -> bool:
        """Whether both ends are one element."""
        return self.source.id == self.target.id


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What all connections of a scene share."""

    elements: Mapping[str, Element]
    placement: Placement
    terrain: Terrain
    axis: str | None
    joins_fans: bool = False

    def connect(self, edge: Edge, rank: int, twins: int) -> Connection | None:
        """The connection of one edge."""
        source, target = self._end(edge.source), self._end(edge.target)
        if source is None or target is None:
            return None
        source_box, target_box = self.placement.boxes[source.id], self.placement.boxes[target.id]
        starts = anchors_of(edge.source, source, source_box, self.placement)
        finishes = anchors_of(edge.target, target, target_box, self.placement)
        return Connection(
            edge=edge,
            source=source,
            target=target,
            source_box=source_box,
            target_box=target_box,
            starts=preferred(starts, source_box, target_box, self.axis, second_side_price(source, self.axis, "source")),
            finishes=preferred(
                finishes, target_box, source_box, self.axis, second_side_price(target, self.axis, "target")
            ),
            exempt=frozenset((*self._own(source.id, target.id), *self._own(target.id, source.id))),
            rank=rank,
            twins=twins,
            axis=self.axis,
            fan=source.id if self.joins_fans and not edge.label and source is not target else None,
        )

    def _own(self, end: str, other: str) -> tuple[str, ...]:
        """What belongs to an end: itself, what stands around it, and, unless the other end lies in there too, what it
        holds (the edge stops at its border)."""
        around = self.terrain.ancestors(end)
        boxes = self.placement.boxes
        is_apart = not boxes[end].overlaps(boxes[other])
        return (end, *around, *(self.terrain.inside(end) if is_apart else ()))

    def _end(self, end: Endpoint) -> Element | None:
        element = self.elements.get(end.element_id)
        return element if element is not None and end.element_id in self.placement.boxes else None
