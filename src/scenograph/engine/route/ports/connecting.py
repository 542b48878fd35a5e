"""One edge as a line of the routing problem.

In: an edge, the scene's tables. Out: a `Connection`, or None when an end has no place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.markers import MARKERS, REFERENCE_STROKE
from scenograph.engine.route.bundles.fan_in import FanIn
from scenograph.engine.route.ports.anchors import Anchor, facing, places_on, preferred, within_content
from scenograph.engine.route.ports.landscape import Landscape, is_wall, stands_outside
from scenograph.engine.route.ports.sides import anchors_of, second_side_price
from scenograph.engine.route.problem import NOBODY, Connection, Fan
from scenograph.engine.tables import FinishedStyle, Placement, Sizes
from scenograph.scene.model import Edge, Element, Endpoint, Node


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What all connections of a scene share. `leaving`: how many could leave an element by a side that faces their
    target across the main way."""

    elements: Mapping[str, Element]
    placement: Placement
    land: Landscape
    axis: str | None
    sizes: Sizes
    styles: Mapping[str, FinishedStyle]
    fan_in: FanIn
    joins_fans: bool = False
    row_fans: Mapping[str, str] = field(default_factory=dict[str, str])
    plain_trunks: Mapping[str, str] = field(default_factory=dict[str, str])
    leaving: Mapping[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])
    _fans: dict[str, int] = field(default_factory=dict[str, int])
    _rows: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])
    _known: dict[Endpoint, tuple[Anchor, ...]] = field(default_factory=dict[Endpoint, tuple[Anchor, ...]])

    def connect(self, edge: Edge, number: int, rank: int, twins: int) -> Connection | None:
        """The line of one edge, `rank` of `twins` between its two elements."""
        source, target = self._end(edge.source), self._end(edge.target)
        if source is None or target is None:
            return None
        source_box, target_box = self.placement.boxes[source.id], self.placement.boxes[target.id]
        fan = self._fan(edge)
        starts = self._anchors(edge.source, source)
        finishes = self._anchors(edge.target, target)
        return Connection(
            number=number,
            source=self.land.number_of[source.id],
            target=self.land.number_of[target.id],
            source_box=source_box,
            target_box=target_box,
            starts=preferred(starts, source_box, target_box, self.axis, self._leaving_price(source, target, fan)),
            finishes=preferred(
                finishes, target_box, source_box, self.axis, second_side_price(target, self.axis, is_source=False)
            ),
            exempt=self.land.numbers((*self._own(source.id, target.id), *self._own(target.id, source.id))),
            router=edge.router,
            waypoints=tuple(Point(float(x), float(y)) for x, y in edge.waypoints),
            rank=rank,
            twins=twins,
            fan=fan,
            speaks=edge.id in self.fan_in.speakers,
            rows=(self._row(edge.source), self._row(edge.target)),
            label=self._label(edge),
            tips=(self._tip(edge.id, edge.start_arrow), self._tip(edge.id, edge.end_arrow)),
            own_labels=(self._outside_label(source), self._outside_label(target)),
            around=self._around(source.id, target.id),
        )

    def _leaving_price(self, source: Element, target: Element, fan: Fan | None) -> float:
        """What the second of the sides that face the target costs: little, as long as there is room for all who would
        leave by it and the line has no trunk in common with them."""
        box = self.placement.boxes[source.id]
        side = facing(box, self.placement.boxes[target.id], self.axis)[1]
        is_full = side is not None and self.leaving.get((source.id, side), 0) > places_on(box, side)
        is_bound = fan is not None and not fan.gathers
        return second_side_price(source, self.axis, is_source=not (is_full or is_bound))

    def _row(self, end: Endpoint) -> int:
        if end.column is None:
            return NOBODY
        return self._rows.setdefault((end.element_id, end.column), len(self._rows))

    def _outside_label(self, element: Element) -> Box | None:
        label = self.placement.part(element.id, "label") if isinstance(element, Node) else None
        return label if label is not None and stands_outside(label, self.placement.boxes[element.id]) else None

    def _around(self, source: str, target: str) -> Box | None:
        """The innermost container that holds both and stops strangers."""
        others = self.land.ancestors(target)
        common = (one for one in self.land.ancestors(source) if one in others and one in self.placement.boxes)
        found = next((one for one in common if self.elements[one].visible and is_wall(self.elements[one])), None)
        return self.placement.boxes[found] if found is not None else None

    def _fan(self, edge: Edge) -> Fan | None:
        """What the edge may lie on. A shared trunk at the target comes first."""
        trunk = self.fan_in.trunks.get(edge.id) or self.plain_trunks.get(edge.id)
        if trunk is not None and edge.router in {None, "orthogonal"}:
            return Fan(self._fan_number(f"trunk:{trunk}"), gathers=True)
        if edge.id in self.row_fans:
            return Fan(self._fan_number(self.row_fans[edge.id]))
        leaves = self.joins_fans and not edge.label and edge.source.element_id != edge.target.element_id
        return Fan(self._fan_number(f"from:{edge.source.element_id}")) if leaves else None

    def _fan_number(self, name: str) -> int:
        return self._fans.setdefault(name, len(self._fans))

    def _label(self, edge: Edge) -> tuple[float, float]:
        """Width and height of the edge's label, 0 when it has none or another edge shows it."""
        size = self.sizes.get(edge.id)
        is_shown = bool(edge.label) and edge.id not in self.fan_in.silent
        return (size.width, size.height) if size is not None and is_shown else (0.0, 0.0)

    def _tip(self, edge_id: str, marker: str | None) -> float:
        row, style = MARKERS.get(marker or "none"), self.styles.get(edge_id)
        return row.length_at(style.stroke_width if style else REFERENCE_STROKE) if row is not None else 0.0

    def _own(self, end: str, other: str) -> tuple[str, ...]:
        """What belongs to an end: itself, what stands around it, and, unless the other end lies in there too, what it
        holds (the edge stops at its border), but for what has a place of its own outside."""
        around = self.land.ancestors(end)
        boxes = self.placement.boxes
        box = boxes[end]
        held = () if box.overlaps(boxes[other]) else self.land.inside(end)
        return (end, *around, *(one for one in held if one not in boxes or box.overlaps(boxes[one])))

    def _anchors(self, end: Endpoint, element: Element) -> tuple[Anchor, ...]:
        anchors = self._known.get(end)
        if anchors is None:
            anchors = anchors_of(end, element, self.placement.boxes[element.id], self.placement)
            icon = self._bare_icon(element)
            if icon is not None:
                anchors = within_content(anchors, icon, self.placement.part(element.id, "label"))
            self._known[end] = anchors
        return anchors

    def _bare_icon(self, element: Element) -> Box | None:
        """The icon of an element of which no box is seen and that is nothing but icon and label."""
        style = self.styles.get(element.id)
        if (
            self.placement.is_table(element.id)
            or style is None
            or style.fill.alpha > 0
            or (style.stroke.alpha > 0 and style.stroke_width > 0)
        ):
            return None
        return self.placement.part(element.id, "icon")

    def _end(self, end: Endpoint) -> Element | None:
        element = self.elements.get(end.element_id)
        return element if element is not None and end.element_id in self.placement.boxes else None
