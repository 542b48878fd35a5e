"""One edge as a line of the routing problem.

In: an edge both ends of which have a place, the scene's tables. Out: a `Connection`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from scenograph.engine.families.catalog import edge_kind, node_kind
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.kernels.label_spots import Extents
from scenograph.engine.markers import MARKERS, REFERENCE_STROKE
from scenograph.engine.route.bundles.fan_in import FanIn
from scenograph.engine.route.costs import OFF_FLOW, SECOND_SOURCE, SECOND_TARGET
from scenograph.engine.route.ports.anchors import (
    ACROSS,
    DIRECTIONS,
    Anchor,
    Faces,
    box_anchor,
    box_anchors,
    extent,
    facing,
    pinned_anchor,
    places_on,
    priced,
    turned,
    within_content,
)
from scenograph.engine.route.ports.landscape import Landscape, is_wall, stands_outside
from scenograph.engine.route.problem import NO_END_TEXTS, NO_LABEL, NOBODY, Connection, Fan
from scenograph.engine.tables import FROM, TO, FinishedStyle, Placement, Sizes
from scenograph.late_dataclasses import dataclass, field
from scenograph.scene.borders import border_place
from scenograph.scene.model import Edge, Element, Endpoint, Frame, Node

# Which sides, ports and rows of an element a line may end at, and what the sides cost: all that shapes, node types
# and authors say about it. In: one end of an edge, its element and box. Out: anchors. Rules R-ROUTE-2, R-ELEMENT-7.


ROW_MARGIN = 5.5  # half of a crow's foot: it stays within its row
POINTED = frozenset({"diamond"})  # each side is one vertex: a turn at once looks better than two lines from one vertex
SMALL_ROUND = 48.0  # px; the side of a larger circle has room for two lines beside each other
ROOM = {"diamond": 0.3, "ellipse": 0.7}  # the share of a side along which edges may be spread


def anchors_of(end: Endpoint, element: Element, box: Box, placement: Placement) -> tuple[Anchor, ...]:
    """Every anchor the author leaves open, sides in fixed order."""
    anchors = _open_anchors(end, element, box, placement)
    share = ROOM.get(_shape(element))
    if _has_vertices(element):
        anchors = tuple(anchor.fixed() for anchor in anchors)
    elif is_pointed(element):
        anchors = tuple(anchor._replace(low=anchor.along, high=anchor.along) for anchor in anchors)
    return anchors if share is None else tuple(_with_room(anchor, box, share) for anchor in anchors)


def _open_anchors(end: Endpoint, element: Element, box: Box, placement: Placement) -> tuple[Anchor, ...]:
    row = placement.part(end.element_id, f"column:{end.column}") if end.column is not None else None
    if row is not None:
        room = max(0.0, row.height / 2 - ROW_MARGIN)
        return tuple(pinned_anchor(box, side, row.center.y, room) for side in ("left", "right"))
    declared = {port.id: port for port in element.ports} if isinstance(element, Node | Frame) else {}
    port = declared.get(end.port or "")
    if port is not None and port.side in DIRECTIONS:
        low, high = extent(box, port.side)
        return (pinned_anchor(box, port.side, low + min(1.0, max(0.0, port.offset)) * (high - low), 0.0),)
    if end.port in DIRECTIONS:
        return (box_anchor(box, end.port).fixed(),)
    outwards = _outward_side(element, box, placement)
    return box_anchors(box) if outwards is None else (box_anchor(box, outwards),)


def _outward_side(element: Element, box: Box, placement: Placement) -> str | None:
    """The side of an attached node that faces away from its host; None for any other element."""
    host = element.attached_to if isinstance(element, Node) else None
    around = None if host is None else placement.boxes.get(host.element_id)
    return None if around is None else border_place(around, box.center)[0]


def is_pointed(element: Element) -> bool:
    """Whether each side of the element's shape is one vertex."""
    return _shape(element) in POINTED


def has_one_line_a_side(element: Element, box: Box) -> bool:
    """Whether two lines would crowd at each side of an element: at a vertex, or on a small circle, where the second
    would end on its slope."""
    return is_pointed(element) or (_shape(element) == "ellipse" and max(box.width, box.height) <= SMALL_ROUND)


def _has_vertices(element: Element) -> bool:
    """Whether the notation of the element's type draws it with vertices, at which all lines meet it."""
    return is_pointed(element) and isinstance(element, Node) and node_kind(element.node_type).shape in POINTED


def second_side_price(element: Element, axis: str | None, *, is_source: bool) -> float:
    """What the facing side across the main way costs."""
    if is_pointed(element):
        return 0.0
    if is_source:
        return SECOND_SOURCE
    return OFF_FLOW if axis else SECOND_TARGET


def _shape(element: Element) -> str:
    return (element.shape or "") if isinstance(element, Node) else ""


def _with_room(anchor: Anchor, box: Box, share: float) -> Anchor:
    low, high = extent(box, anchor.side)
    if anchor.room_low == anchor.room_high:
        return anchor
    middle, half = (low + high) / 2, (high - low) / 2 * share
    return anchor._replace(room_low=middle - half, room_high=middle + half)


NO_PORTS: tuple[Anchor, ...] = ()
KNOWN_LENGTHS = 256  # of markers by name and stroke


class _Stand(NamedTuple):
    """What all lines have in common that end at one place: an element, or a port or a row of it. `label`: where it
    stands outside the box; `belonging`: the element and what stands around it; `aside`: what the side that faces the
    other end across the main way costs to those that enter."""

    number: int
    box: Box
    anchors: tuple[Anchor, ...]
    label: Box | None
    belonging: frozenset[int]
    is_container: bool
    aside: float


_Place = tuple[str, str | None, str | None]  # an element, a port of it, a column


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
    _known: dict[_Place, _Stand] = field(default_factory=dict["_Place", _Stand])
    _priced: dict[tuple[int, Faces, float], tuple[Anchor, ...]] = field(
        default_factory=dict[tuple[int, "Faces", float], tuple[Anchor, ...]]
    )

    def connects(self, edge: Edge) -> bool:
        """Whether both ends of an edge have a place."""
        return all(end in self.elements and end in self.placement.boxes for end in edge.ends)

    def connect(self, edge: Edge, number: int, twins: tuple[int, int], *, is_kept: bool) -> Connection:
        """The line of an edge that connects; `twins`: its place among the lines between its two elements, and their
        number. One that is kept as it was drawn looks for no way: it has neither ports nor a part of the page to look
        in."""
        source, target = self._stand(edge.source), self._stand(edge.target)
        starts, finishes, fan = NO_PORTS, NO_PORTS, self.fan(edge)
        if not is_kept:
            starts, finishes = self._ports(edge, source, target, fan)
        return Connection(
            number,
            source.number,
            target.number,
            source.box,
            target.box,
            starts,
            finishes,
            self._own(edge.source.element_id, source, target.box)
            | self._own(edge.target.element_id, target, source.box),
            edge.router,
            tuple([Point(float(x), float(y)) for x, y in edge.waypoints]) if edge.waypoints else (),
            *twins,
            fan,
            self.fan_in.voices.get(edge.id),
            self.size(edge) if self._is_silent(edge) else NO_LABEL,
            (self._row(edge.source), self._row(edge.target)),
            self.label(edge),
            self.tips(edge),
            self.end_texts(edge),
            (source.label, target.label),
            None if is_kept else self._around(*edge.ends),
        )

    def _ports(
        self, edge: Edge, source: _Stand, target: _Stand, fan: Fan | None
    ) -> tuple[tuple[Anchor, ...], tuple[Anchor, ...]]:
        """The ports of both ends, the best first. An end that holds the other one is left inwards."""
        (one, other), axis = edge.ends, self._axis(edge)
        if source.box != target.box:
            if source.box.contains(target.box):
                return turned(source.anchors), target.anchors
            if target.box.contains(source.box):
                return source.anchors, turned(target.anchors)
        faces = self._facing(one, other, axis)
        starts = self._with_prices(source, faces, self._leaving_price(one, faces, fan))
        price = target.aside if axis == self.axis else second_side_price(self.elements[other], axis, is_source=False)
        return starts, self._with_prices(target, self._facing(other, one, axis), price)

    def _with_prices(self, stand: _Stand, faces: Faces, second_price: float) -> tuple[Anchor, ...]:
        """The anchors of a place for those whose other end lies there, the best first."""
        key = id(stand), faces, second_price
        found = self._priced.get(key)
        if found is None:
            found = self._priced[key] = priced(stand.anchors, faces, second_price)
        return found

    def _axis(self, edge: Edge) -> str | None:
        """The way on which an edge leaves and enters, the main way of the picture unless its type runs across it."""
        return ACROSS[self.axis] if edge_kind(edge.edge_type).across else self.axis

    def _leaving_price(self, source: str, faces: Faces, fan: Fan | None) -> float:
        """What the second of the sides that face the target costs: little, as long as there is room for all who would
        leave by it and the line has no trunk in common with them."""
        side, is_bound = faces[1], fan is not None and not fan.gathers
        is_cheap = side is None or not (
            is_bound or self._leaving(source).get(side, 0) > places_on(self.placement.boxes[source], side)
        )
        return second_side_price(self.elements[source], self.axis, is_source=is_cheap)

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
        """Width and height of the edge's label, 0 when it has none or may leave it to another edge."""
        return NO_LABEL if self._is_silent(edge) else self.size(edge)

    def size(self, edge: Edge) -> tuple[float, float]:
        """Width and height of the edge's label, whoever shows it."""
        size = self.sizes.get(edge.id)
        return (size.width, size.height) if size is not None and edge.label else NO_LABEL

    def _is_silent(self, edge: Edge) -> bool:
        voice = self.fan_in.voices.get(edge.id)
        return voice is not None and voice.rank > 0

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

    def _own(self, element_id: str, stand: _Stand, other: Box) -> frozenset[int]:
        """What belongs to an end: itself, what stands around it, and, unless the other end lies in there too, what it
        holds (the edge stops at its border), but for what has a place of its own outside."""
        if not stand.is_container or stand.box.overlaps(other):
            return stand.belonging
        boxes = self.placement.boxes
        held = (one for one in self.land.inside(element_id) if one not in boxes or stand.box.overlaps(boxes[one]))
        return stand.belonging | self.land.numbers(held)

    def anchors(self, end: Endpoint) -> tuple[Anchor, ...]:
        """The ports of an end, in fixed order and without a price."""
        return self._stand(end).anchors

    def _stand(self, end: Endpoint) -> _Stand:
        """What lines that end at a place have in common, worked out once."""
        place = element_id, _, _ = end.element_id, end.port, end.column
        found = self._known.get(place)
        if found is None:
            element, box = self.elements[element_id], self.placement.boxes[element_id]
            anchors = anchors_of(end, element, box, self.placement)
            icon = self._bare_icon(element)
            if icon is not None:
                anchors = within_content(anchors, icon, self.placement.part(element_id, "label"))
            found = self._known[place] = _Stand(
                number=self.land.number_of[element_id],
                box=box,
                anchors=anchors,
                label=self.outside_label(element_id),
                belonging=self.land.numbers((element_id, *self.land.ancestors(element_id))),
                is_container=element_id in self.land.children,
                aside=second_side_price(element, self.axis, is_source=False),
            )
        return found

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
