"""One edge as a line of the routing problem.

In: an edge both ends of which have a place, the scene's tables. Out: a `Connection`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache

from scenograph.engine.families.catalog import edge_kind
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.kernels.label_spots import Extents
from scenograph.engine.markers import MARKERS, REFERENCE_STROKE
from scenograph.engine.route.bundles.fan_in import FanIn
from scenograph.engine.route.ports.anchors import Anchor, Faces, facing, places_on, preferred, within_content
from scenograph.engine.route.ports.axes import ACROSS
from scenograph.engine.route.ports.landscape import Landscape, is_wall, stands_outside
from scenograph.engine.route.ports.sides import anchors_of, second_side_price
from scenograph.engine.route.problem import NO_END_TEXTS, NOBODY, Connection, Fan
from scenograph.engine.tables import FROM, TO, FinishedStyle, Placement, Sizes
from scenograph.late_dataclasses import dataclass, field
from scenograph.scene.model import Edge, Element, Endpoint, Node

NO_PORTS: tuple[Anchor, ...] = ()
_Place = tuple[str, str | None, str | None]  # an element, a port of it, a column
KNOWN_LENGTHS = 256  # of markers by name and stroke


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What all connections of a scene share. `outgoing`: the visible edges of every source."""

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
    outgoing: Mapping[str, Sequence[Edge]] = field(default_factory=dict[str, "Sequence[Edge]"])
    _sides: dict[str, Mapping[str | None, int]] = field(default_factory=dict[str, "Mapping[str | None, int]"])
    _faces: dict[tuple[str, str, str | None], Faces] = field(default_factory=dict[tuple[str, str, str | None], Faces])
    _fans: dict[str, int] = field(default_factory=dict[str, int])
    _rows: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])
    _labels: dict[str, Box | None] = field(default_factory=dict[str, "Box | None"])
    _owned: dict[str, frozenset[int]] = field(default_factory=dict[str, "frozenset[int]"])
    _known: dict[_Place, tuple[Anchor, ...]] = field(default_factory=dict["_Place", tuple[Anchor, ...]])

    def connects(self, edge: Edge) -> bool:
        """Whether both ends of an edge have a place."""
        return all(end in self.elements and end in self.placement.boxes for end in edge.ends)

    def connect(self, edge: Edge, number: int, twins: tuple[int, int], *, is_kept: bool) -> Connection:
        """The line of an edge that connects; `twins`: its place among the lines between its two elements, and their
        number. One that is kept as it was drawn looks for no way: it has neither ports nor a part of the page to look
        in."""
        source, target = edge.ends
        source_box, target_box = self.placement.boxes[source], self.placement.boxes[target]
        starts, finishes, fan = NO_PORTS, NO_PORTS, self.fan(edge)
        if not is_kept:
            starts, finishes = self.anchors(edge.source), self.anchors(edge.target)
            axis = self._axis(edge)
            faces = self._facing(source, target, axis), self._facing(target, source, axis)
            price = second_side_price(self.elements[target], axis, is_source=False)
            starts = preferred(starts, source_box, target_box, faces[0], self._leaving_price(source, faces[0], fan))
            finishes = preferred(finishes, target_box, source_box, faces[1], price)
        return Connection(
            number=number,
            source=self.land.number_of[source],
            target=self.land.number_of[target],
            source_box=source_box,
            target_box=target_box,
            starts=starts,
            finishes=finishes,
            exempt=self._own(source, target) | self._own(target, source),
            router=edge.router,
            waypoints=tuple(Point(float(x), float(y)) for x, y in edge.waypoints),
            rank=twins[0],
            twins=twins[1],
            fan=fan,
            speaks=edge.id in self.fan_in.speakers,
            rows=(self._row(edge.source), self._row(edge.target)),
            label=self.label(edge),
            tips=self.tips(edge),
            end_texts=self.end_texts(edge),
            own_labels=(self.outside_label(source), self.outside_label(target)),
            around=None if is_kept else self._around(source, target),
        )

    def _axis(self, edge: Edge) -> str | None:
        """The way on which an edge leaves and enters, the main way of the picture unless its type runs across it."""
        return ACROSS[self.axis] if edge_kind(edge.edge_type).across else self.axis

    def _leaving_price(self, source: str, faces: Faces, fan: Fan | None) -> float:
        """What the second of the sides that face the target costs: little, as long as there is room for all who would
        leave by it and the line has no trunk in common with them."""
        box, side = self.placement.boxes[source], faces[1]
        is_full = side is not None and self._leaving(source).get(side, 0) > places_on(box, side)
        is_bound = fan is not None and not fan.gathers
        return second_side_price(self.elements[source], self.axis, is_source=not (is_full or is_bound))

    def _leaving(self, source: str) -> Mapping[str | None, int]:
        """How many edges could leave an element by each side that faces their target across the main way."""
        found = self._sides.get(source)
        if found is None:
            edges = [one for one in self.outgoing.get(source, ()) if one.target.element_id in self.placement.boxes]
            found = Counter([self._facing(source, one.target.element_id, self._axis(one))[1] for one in edges])
            self._sides[source] = found
        return found

    def _facing(self, one: str, other: str, axis: str | None) -> Faces:
        """The sides of one element that face another."""
        found = self._faces.get((one, other, axis))
        if found is None:
            boxes = self.placement.boxes
            found = self._faces[one, other, axis] = facing(boxes[one], boxes[other], axis)
        return found

    def _row(self, end: Endpoint) -> int:
        if end.column is None:
            return NOBODY
        return self._rows.setdefault((end.element_id, end.column), len(self._rows))

    def outside_label(self, element_id: str) -> Box | None:
        """The label of a node where it stands outside its box."""
        if element_id not in self._labels:
            label = self.placement.part(element_id, "label") if isinstance(self.elements[element_id], Node) else None
            is_outside = label is not None and stands_outside(label, self.placement.boxes[element_id])
            self._labels[element_id] = label if is_outside else None
        return self._labels[element_id]

    def _around(self, source: str, target: str) -> Box | None:
        """The innermost container that holds both and stops strangers."""
        others = self.land.ancestors(target)
        common = (one for one in self.land.ancestors(source) if one in others and one in self.placement.boxes)
        found = next((one for one in common if self.elements[one].visible and is_wall(self.elements[one])), None)
        return self.placement.boxes[found] if found is not None else None

    def fan(self, edge: Edge) -> Fan | None:
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

    def label(self, edge: Edge) -> tuple[float, float]:
        """Width and height of the edge's label, 0 when it has none or another edge shows it."""
        size = self.sizes.get(edge.id)
        is_shown = bool(edge.label) and edge.id not in self.fan_in.silent
        return (size.width, size.height) if size is not None and is_shown else (0.0, 0.0)

    def tips(self, edge: Edge) -> tuple[float, float]:
        """The lengths of the markers at both ends."""
        return self._tip(edge.id, edge.start_arrow), self._tip(edge.id, edge.end_arrow)

    def end_texts(self, edge: Edge) -> Extents:
        """Width and height of the texts beside both ends."""
        size = self.sizes.get(edge.id)
        if size is None or not size.texts:
            return NO_END_TEXTS
        blocks = size.texts.get(FROM), size.texts.get(TO)
        first, last = [(block.width, block.height) if block is not None else (0.0, 0.0) for block in blocks]
        return first, last

    def _tip(self, edge_id: str, marker: str | None) -> float:
        style = self.styles.get(edge_id)
        return _length(marker or "none", style.stroke_width if style else REFERENCE_STROKE)

    def _own(self, end: str, other: str) -> frozenset[int]:
        """What belongs to an end: itself, what stands around it, and, unless the other end lies in there too, what it
        holds (the edge stops at its border), but for what has a place of its own outside."""
        own = self._owned.get(end)
        if own is None:
            own = self._owned[end] = self.land.numbers((end, *self.land.ancestors(end)))
        boxes = self.placement.boxes
        box = boxes[end]
        if end not in self.land.children or box.overlaps(boxes[other]):
            return own
        held = (one for one in self.land.inside(end) if one not in boxes or box.overlaps(boxes[one]))
        return own | self.land.numbers(held)

    def anchors(self, end: Endpoint) -> tuple[Anchor, ...]:
        """The ports of an end, in fixed order and without a price."""
        place = end.element_id, end.port, end.column
        anchors = self._known.get(place)
        if anchors is None:
            element = self.elements[end.element_id]
            anchors = anchors_of(end, element, self.placement.boxes[element.id], self.placement)
            icon = self._bare_icon(element)
            if icon is not None:
                anchors = within_content(anchors, icon, self.placement.part(element.id, "label"))
            self._known[place] = anchors
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


@lru_cache(maxsize=KNOWN_LENGTHS)
def _length(marker: str, stroke_width: float) -> float:
    row = MARKERS.get(marker)
    return row.length_at(stroke_width) if row is not None else 0.0
