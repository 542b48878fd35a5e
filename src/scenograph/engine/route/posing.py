"""Posing: the conversion of a placed scene into a routing problem.

In: scene, styles, sizes, placement, sketch. Out: the problem, the edge ids by number, and the edges that share a label.
Families give the prescribed courses and the shared trunks, shapes give the outlines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from itertools import pairwise
from math import fsum
from typing import NamedTuple, TypeVar

from scenograph.engine.costs import KEPT_CLEARANCE, OFF_FLOW, SECOND_SOURCE, SECOND_TARGET
from scenograph.engine.families.catalog import edge_kind, family_named, node_kind, unspoken_direction
from scenograph.engine.families.container_types import is_passable
from scenograph.engine.geometry.boxes import Box, Point, union
from scenograph.engine.geometry.directions import (
    ACROSS,
    HORIZONTAL,
    OUTWARDS,
    RIGHTWARDS,
    SIDES,
    VERTICAL,
    axis_of,
    extent_along,
)
from scenograph.engine.geometry.paths import Chain, quadratic
from scenograph.engine.geometry.spatial_index import Bounds, SpatialIndex, bounds_of, widened
from scenograph.engine.kernels.label_spots import CORNER_ROOM, TIP_ROOM, Extents
from scenograph.engine.kernels.straight_lines import hull
from scenograph.engine.markers import MARKERS, REFERENCE_STROKE
from scenograph.engine.route.courses.anchors import (
    CORNER_MARGIN,
    Anchor,
    Faces,
    box_anchor,
    box_anchors,
    facing,
    leads_inwards,
    pinned_anchor,
    places_on,
    priced,
    turned,
    within_content,
)
from scenograph.engine.route.courses.beneath import past_label
from scenograph.engine.route.courses.terrain import bounds_of_points, touches
from scenograph.engine.route.fan_in import FanIn, find_fan_in, plain_trunks, row_fans
from scenograph.engine.route.problem import (
    FRAME,
    NO_END_TEXTS,
    NO_LABEL,
    NOBODY,
    NODE,
    PLAQUE,
    WRITING,
    Connection,
    Course,
    Fan,
    Obstacle,
    RoutingProblem,
)
from scenograph.engine.shapes.catalog import chain_of, shape_named
from scenograph.engine.sketch import NO_SKETCH, Sketch, ends_at
from scenograph.engine.tables import FROM, TO, DrawnRoute, FinishedStyle, Placement, Sizes, Styles
from scenograph.late_dataclasses import dataclass, field
from scenograph.scene.borders import border_place
from scenograph.scene.document_index import ancestors
from scenograph.scene.memo import MadeOf
from scenograph.scene.model import Edge, Element, Endpoint, Frame, Group, Guide, Node, Scene

# What of a placed scene stands in the way of lines. In: scene and placement. Out: obstacles with their owners by
# number, the borders that are seen, and who stands in whom. Rules R-ROUTE-3, R-ROUTE-12.


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


# One edge as a line of the routing problem. In: an edge both ends of which have a place, the scene's tables. Out: a
# `Connection`.


# The sides, ports and rows of an element open to lines, and the prices of sides: everything set by shapes, node types
# and authors. In: one end of an edge, its element and box. Out: anchors. Rules R-ROUTE-2, R-ELEMENT-7.


ROW_MARGIN = 5.5  # half of a crow's foot, to stay within the row
POINTED = frozenset({"diamond"})  # each side is one vertex: a turn at once looks better than two lines from one vertex
LEAST_ROOM = 12.0  # px; on either side of a vertex, where its side is long enough
SLANTED = frozenset({"hexagon", "parallelogram"})
FLUSH = 0.5  # px; corners of an outline this near to a side of the box lie on the side
SMALL_ROUND = 48.0  # px; the side of a larger circle has room for two lines beside each other
ROOM = {"diamond": 0.3, "ellipse": 0.7}  # the share of a side along which edges may be spread


def anchors_of(end: Endpoint, element: Element, box: Box, placement: Placement) -> tuple[Anchor, ...]:
    """Every anchor the author leaves open, sides in fixed order."""
    anchors = _open_anchors(end, element, box, placement)
    share = ROOM.get(_shape(element))
    if _shape(element) in SLANTED:
        anchors = tuple(_off_slants(anchor, element, box) for anchor in anchors)
    if _has_vertices(element):
        anchors = tuple(anchor.fixed() for anchor in anchors)
    elif is_pointed(element):
        anchors = tuple(anchor._replace(low=anchor.along, high=anchor.along) for anchor in anchors)
    return anchors if share is None else tuple(_with_room(anchor, box, share) for anchor in anchors)


def _off_slants(anchor: Anchor, element: Element, box: Box) -> Anchor:
    """The anchor on the straight part of its side, or in the middle of a side without any: only lines that share such a
    side may give way to each other along the slant."""
    if anchor.room_low == anchor.room_high:
        return anchor
    chain = chain_of(shape_named(_shape(element)), box.width, box.height, 0.0)
    along, flush = (chain.xs, chain.ys) if anchor.dx == 0 else (chain.ys, chain.xs)
    level = 0.0 if anchor.dx + anchor.dy < 0 else max(flush)
    start = box.x if anchor.dx == 0 else box.y
    on_side = [start + at for at, off in zip(along, flush, strict=True) if abs(off - level) < FLUSH]
    low, high = min(on_side) + CORNER_MARGIN, max(on_side) - CORNER_MARGIN
    if low >= high:
        middle = box.center.x if anchor.dx == 0 else box.center.y
        return anchor.at(middle)._replace(low=middle, high=middle, reach_low=middle, reach_high=middle)
    middle = min(high, max(low, anchor.along))
    return anchor.at(middle)._replace(low=low, high=high, room_low=low, room_high=high, reach_low=low, reach_high=high)


def _headed(anchors: tuple[Anchor, ...], element: Element, tip: float) -> tuple[Anchor, ...]:
    """The anchors of an end with a marker `tip` px long: no head stands on a slant, heads at a side without a straight
    part meet in its middle."""
    if not tip or _shape(element) not in SLANTED | POINTED:
        return anchors
    return tuple(_pinned(anchor) if anchor.low == anchor.high else anchor for anchor in anchors)


def _pinned(anchor: Anchor) -> Anchor:
    """The anchor without any reach or room."""
    at = anchor.along
    return anchor._replace(room_low=at, room_high=at, reach_low=at, reach_high=at)


def _open_anchors(end: Endpoint, element: Element, box: Box, placement: Placement) -> tuple[Anchor, ...]:
    row = placement.part(end.element_id, f"column:{end.column}") if end.column is not None else None
    if row is not None:
        room = max(0.0, row.height / 2 - ROW_MARGIN)
        return tuple(pinned_anchor(box, side, row.center.y, room) for side in ("left", "right"))
    declared = {port.id: port for port in element.ports} if isinstance(element, Node | Frame) else {}
    port = declared.get(end.port or "")
    if port is not None and port.side in OUTWARDS:
        low, high = extent_along(box, port.side)
        return (pinned_anchor(box, port.side, low + min(1.0, max(0.0, port.offset)) * (high - low), 0.0),)
    if end.port in OUTWARDS:
        return (box_anchor(box, end.port).fixed(),)
    outwards = _outward_side(element, box, placement)
    return box_anchors(box) if outwards is None else (box_anchor(box, outwards),)


def _outward_side(element: Element, box: Box, placement: Placement) -> str | None:
    """The side of an attached node away from its host; None for any other element."""
    host = element.attached_to if isinstance(element, Node) else None
    around = None if host is None else placement.boxes.get(host.element_id)
    return None if around is None else border_place(around, box.center)[0]


def is_pointed(element: Element) -> bool:
    """Whether each side of the element's shape is a vertex."""
    return _shape(element) in POINTED


def has_one_line_a_side(element: Element, box: Box) -> bool:
    """Whether two routes would crowd at one side of an element: at a vertex, or on the slope of a small circle."""
    return is_pointed(element) or (_shape(element) == "ellipse" and max(box.width, box.height) <= SMALL_ROUND)


def _has_vertices(element: Element) -> bool:
    """Whether the notation of the element's type draws it with vertices, hence all routes meet it in a vertex."""
    return is_pointed(element) and isinstance(element, Node) and node_kind(element.node_type).shape in POINTED


def second_side_price(element: Element, axis: str | None, *, is_source: bool) -> float:
    """The penalty of the facing side across the main direction, px."""
    if is_pointed(element):
        return 0.0
    if is_source:
        return SECOND_SOURCE
    return OFF_FLOW if axis else SECOND_TARGET


def _shape(element: Element) -> str:
    return (element.shape or "") if isinstance(element, Node) else ""


def _with_room(anchor: Anchor, box: Box, share: float) -> Anchor:
    low, high = extent_along(box, anchor.side)
    if anchor.room_low == anchor.room_high:
        return anchor
    middle, half = (low + high) / 2, max((high - low) / 2 * share, min(LEAST_ROOM, (high - low) / 4))
    return anchor._replace(room_low=middle - half, room_high=middle + half)


NO_PORTS: tuple[Anchor, ...] = ()
KNOWN_LENGTHS = 256  # of markers by name and stroke


class _Stand(NamedTuple):
    """The common data of all routes at one element. `label`: the label's box if outside; `belonging`: the element and
    its ancestors."""

    number: int
    box: Box
    label: Box | None
    belonging: frozenset[int]
    is_container: bool


_Place = tuple[str, str | None, str | None]  # an element, a port of it, a column


@dataclass(slots=True)
class Surroundings:
    """The common data of all connections in a scene. `outgoing`: the visible edges of every source."""

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
    _known: dict[str, _Stand] = field(default_factory=dict[str, _Stand])
    _anchors: dict[_Place, tuple[Anchor, ...]] = field(default_factory=dict["_Place", tuple[Anchor, ...]])
    _states: dict[str, tuple[object, ...]] = field(default_factory=dict[str, tuple[object, ...]])
    _priced: dict[tuple[int, Faces, float], tuple[Anchor, ...]] = field(
        default_factory=dict[tuple[int, "Faces", float], tuple[Anchor, ...]]
    )

    def connects(self, edge: Edge) -> bool:
        """Whether both ends of an edge have a place."""
        return all(end in self.elements and end in self.placement.boxes for end in edge.ends)

    def connect(self, edge: Edge, number: int, parallel: tuple[int, int], *, is_kept: bool) -> Connection:
        """The connection of an edge. `parallel`: the place among the edges of its two elements, and their number. An
        edge kept as drawn (`is_kept`) is not searched for: it has neither ports nor a search region."""
        one, other = edge.ends
        source, target = self._stand(one), self._stand(other)
        starts, finishes, fan, tips = NO_PORTS, NO_PORTS, self.fan(edge), self.tips(edge)
        if not is_kept:
            starts, finishes = self._ports(edge, source, target, fan)
            starts = _headed(starts, self.elements[one], tips[0])
            finishes = _headed(finishes, self.elements[other], tips[1])
        return Connection(
            number,
            source.number,
            target.number,
            source.box,
            target.box,
            starts,
            finishes,
            self._own(one, source, target.box) | self._own(other, target, source.box),
            edge.router,
            tuple([Point(float(x), float(y)) for x, y in edge.waypoints]) if edge.waypoints else (),
            *parallel,
            fan,
            self.fan_in.voices.get(edge.id),
            self.size(edge) if self._is_silent(edge) else NO_LABEL,
            (self._row(edge.source), self._row(edge.target)),
            self.label(edge),
            tips,
            self.end_texts(edge),
            (source.label, target.label),
            None if is_kept else self._around(one, other),
            is_pointed(self.elements[one]) and len(self.outgoing[one]) > 1,
        )

    def _ports(
        self, edge: Edge, source: _Stand, target: _Stand, fan: Fan | None
    ) -> tuple[tuple[Anchor, ...], tuple[Anchor, ...]]:
        """The ports of both ends, best first. An end that holds the opposite end is left inwards."""
        (one, other), axis = edge.ends, self._axis(edge)
        leaving, entering = self.anchors(edge.source), self.anchors(edge.target)
        if source.box != target.box:
            if source.box.contains(target.box):
                return turned(leaving, target.box, self._label_room(edge)), entering
            if target.box.contains(source.box):
                return leaving, turned(entering, source.box, self._label_room(edge))
        faces = self._facing(one, other, axis)
        starts = self._with_prices(leaving, faces, self._leaving_price(one, faces, fan))
        price = second_side_price(self.elements[other], axis, is_source=False)
        return starts, self._with_prices(entering, self._facing(other, one, axis), price)

    def _label_room(self, edge: Edge) -> Point:
        """The length along x and y, px, of a straight line that shows its label between its markers."""
        (width, height), ends = self.label(edge), fsum(max(CORNER_ROOM, tip + TIP_ROOM) for tip in self.tips(edge))
        return Point(width + ends, height + ends) if width else Point(0.0, 0.0)

    def _with_prices(self, anchors: tuple[Anchor, ...], faces: Faces, second_price: float) -> tuple[Anchor, ...]:
        """The anchors of a place with their penalties for an opposite end on `faces`, best first."""
        key = id(anchors), faces, second_price  # the anchors of a place live as long as the surroundings
        found = self._priced.get(key)
        if found is None:
            found = self._priced[key] = priced(anchors, faces, second_price)
        return found

    def _axis(self, edge: Edge) -> str | None:
        """The axis along which an edge leaves and enters: the main axis of the picture, unless the edge type runs
        across it."""
        return ACROSS[self.axis] if edge_kind(edge.edge_type).across else self.axis

    def _leaving_price(self, source: str, faces: Faces, fan: Fan | None) -> float:
        """The penalty of the second side facing the target: low while the side has room for all edges likely to leave
        by it and no trunk binds the edge."""
        side, is_bound = faces[1], fan is not None and not fan.gathers
        is_cheap = side is None or not (
            is_bound or self._leaving(source).get(side, 0) > places_on(self.placement.boxes[source], side)
        )
        return second_side_price(self.elements[source], self.axis, is_source=is_cheap)

    def _leaving(self, source: str) -> Mapping[str | None, int]:
        """The number of edges that could leave an element by each side facing their target across the main axis."""
        found = self._sides.get(source)
        if found is None:
            edges = [one for one in self.outgoing.get(source, ()) if one.target.element_id in self.placement.boxes]
            found = Counter([self._facing(source, one.target.element_id, self._axis(one))[1] for one in edges])
            self._sides[source] = found
        return found

    def _facing(self, one: str, other: str, axis: str | None) -> Faces:
        """The sides of an element that face another element."""
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
        """The label of a node if outside the box."""
        if element_id not in self._labels:
            label = self.placement.part(element_id, "label") if isinstance(self.elements[element_id], Node) else None
            is_outside = label is not None and stands_outside(label, self.placement.boxes[element_id])
            self._labels[element_id] = label if is_outside else None
        return self._labels[element_id]

    def _around(self, source: str, target: str) -> Box | None:
        """The innermost container around both ends that stops strangers."""
        others = self.land.ancestors(target)
        common = (one for one in self.land.ancestors(source) if one in others and one in self.placement.boxes)
        found = next((one for one in common if self.elements[one].visible and is_wall(self.elements[one])), None)
        return self.placement.boxes[found] if found is not None else None

    def fan(self, edge: Edge) -> Fan | None:
        """The fan that an edge may share. A trunk at the target comes first."""
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
        """Width and height of the edge's label, 0 without a label or when another edge shows it."""
        return NO_LABEL if self._is_silent(edge) else self.size(edge)

    def size(self, edge: Edge) -> tuple[float, float]:
        """Width and height of the edge's label, whichever edge shows it."""
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
        """The elements that the route may touch at an end: the end itself, its ancestors, and, unless the opposite end
        lies inside as well, its contents (the route stops at the border), except contents placed outside."""
        if not stand.is_container or stand.box.overlaps(other):
            return stand.belonging
        boxes = self.placement.boxes
        held = (one for one in self.land.inside(element_id) if one not in boxes or stand.box.overlaps(boxes[one]))
        return stand.belonging | self.land.numbers(held)

    def anchors(self, end: Endpoint) -> tuple[Anchor, ...]:
        """The ports of an end, in fixed order and without a price. Computed once: an edge kept as drawn needs none."""
        place = element_id, _, _ = end.element_id, end.port, end.column
        found = self._anchors.get(place)
        if found is None:
            element = self.elements[element_id]
            found = anchors_of(end, element, self.placement.boxes[element_id], self.placement)
            icon = self._bare_icon(element)
            if icon is not None:
                found = within_content(found, icon, self.placement.part(element_id, "label"))
            self._anchors[place] = found
        return found

    def state(self, element_id: str) -> tuple[object, ...]:
        """The input of the choice of ends at an element: the element, its box, parts and style."""
        found = self._states.get(element_id)
        if found is None:
            tables = self.elements, self.placement.boxes, self.placement.parts, self.styles
            found = self._states[element_id] = tuple([table.get(element_id) for table in tables])
        return found

    def _stand(self, element_id: str) -> _Stand:
        """The common data of all routes at an element. Computed once."""
        found = self._known.get(element_id)
        if found is None:
            found = self._known[element_id] = _Stand(
                number=self.land.number_of[element_id],
                box=self.placement.boxes[element_id],
                label=self.outside_label(element_id),
                belonging=self.land.numbers((element_id, *self.land.ancestors(element_id))),
                is_container=element_id in self.land.children,
            )
        return found

    def _bare_icon(self, element: Element) -> Box | None:
        """The icon of an element drawn without a box, as icon and label alone."""
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


# Former courses: the edges that keep their earlier routes. In: the edges of a scene, their common parts, the sketch.
# Out: by edge its former course. A course holds while both ends stand unmoved, or have moved by the same step, the
# route may still end at the same points, nothing that is new or has moved otherwise, nor a writing or another kept
# course, obstructs the course, and every edge of its trunk stays as well; an edge with waypoints follows these, an
# edge with a clear prescribed course its notation. R-KEEP-7. The hook: `posing` asks for valid courses and
# passes them to the problem as `former`; the solver keeps these unchanged, routes all remaining edges round them, and
# keeps their labels unless a new route comes to lie beneath.


SAME = 0.02  # px; a smaller difference is rounding
KEPT_LINES = 2048  # routes of the latest sketches, with their known valid ends
CHORDS = 12  # straight pieces of an approximated curve
MOST_STEPS = 4  # groups of elements moved alike, the largest first, whose lines move along


def former_courses(scene: Scene, edges: Sequence[Edge], around: Surroundings, sketch: Sketch) -> dict[str, Course]:
    """The courses that hold, by edge."""
    if not sketch.routes:
        return {}
    steps = _steps(around.placement.boxes, sketch.boxes)
    moved: dict[Point, list[Edge]] = {STAYED: []}
    for edge in edges:
        step = steps.get(edge.source.element_id)
        if step is not None and edge.id in sketch.routes and step == steps.get(edge.target.element_id):
            moved.setdefault(step, []).append(edge)
    found: dict[str, Course] = {}
    drawn = _DrawnCourses()
    for step in sorted(moved, key=lambda step: (step != STAYED, -len(moved[step])))[:MOST_STEPS]:
        news = _News(scene, around.placement, sketch, {one for one, own in steps.items() if own == step}, step)
        held: list[Course] = []
        for edge in moved[step]:
            route = sketch.routes[edge.id] if step is STAYED else _moved(sketch.routes[edge.id], step)
            may_run = _is_asked(edge, route, sketch) and _may_end(edge, around, route.points)
            if may_run and not news.stands_in(route, edge, set(edge.ends)) and not drawn.are_near(route):
                course = found[edge.id] = Course(route.points, route.router, _label(around.size(edge), route))
                held.append(course)
        if len(moved) > 1:
            drawn.add(held)
    return _with_whole_fans(edges, around, found)


STAYED = Point(0.0, 0.0)


def _steps(boxes: Mapping[str, Box], former: Mapping[str, Box]) -> dict[str, Point]:
    """How far each element of unchanged size has moved, px."""
    found: dict[str, Point] = {}
    for one, box in boxes.items():
        was = former.get(one)
        if was is None or abs(box.width - was.width) > SAME or abs(box.height - was.height) > SAME:
            continue
        step = box.x - was.x, box.y - was.y
        is_moved = abs(step[0]) > SAME or abs(step[1]) > SAME
        found[one] = Point(round(step[0], 2), round(step[1], 2)) if is_moved else STAYED
    return found


def _moved(route: DrawnRoute, step: Point) -> DrawnRoute:
    """A route and its label moved along with both ends."""
    points = tuple([Point(round(x + step.x, 2), round(y + step.y, 2)) for x, y in route.points])
    label = None if route.label is None else route.label.moved(*step)
    return DrawnRoute(points=points, router=route.router, label=label)


class _DrawnCourses:
    """The courses kept so far, to which a course that moves along must not come near: nobody looks at both again."""

    def __init__(self) -> None:
        self._index = SpatialIndex()

    def add(self, courses: Iterable[Course]) -> None:
        """Add courses with their labels."""
        for course in courses:
            for a, b in pairwise(_chords(course)):
                self._index.add(bounds_of_points((a, b)))
            if course.label is not None:
                self._index.add(bounds_of(course.label))

    def are_near(self, route: DrawnRoute) -> bool:
        """Whether a route, or its label, crosses or nearly touches one of the courses."""
        if not self._index.bounds:
            return False
        points = _chords(route)
        left, top, right, bottom = widened(bounds_of_points(points), KEPT_CLEARANCE)
        near = [self._index.bounds[number] for number in self._index.near(left, top, right, bottom)]
        if near and touches(points, near, KEPT_CLEARANCE):
            return True
        return route.label is not None and bool(self._index.near(*bounds_of(route.label), most=1))


def _chords(route: DrawnRoute | Course) -> tuple[Point, ...]:
    """The corners of a route; of a curve, the corners of its chords."""
    points = route.points
    return quadratic(*points, CHORDS) if route.router == "curved" and len(points) == 3 else points


def _is_asked(edge: Edge, route: DrawnRoute, sketch: Sketch) -> bool:
    """Whether the authored router is unchanged; compares with the used router if the authored router is unknown."""
    if edge.id in sketch.routers:
        return sketch.routers[edge.id] == edge.router
    return edge.router is None or edge.router == route.router


def _may_end(edge: Edge, around: Surroundings, points: tuple[Point, ...]) -> bool:
    """Whether a route may end at its former points; cached with all its inputs."""
    source, target = edge.ends
    given = edge, around.styles.get(edge.id), around.state(source), around.state(target)
    known = _FITS.get(points, given)
    return _FITS.put(points, given, _ends_fit(edge, around, points)) if known is None else known


def _ends_fit(edge: Edge, around: Surroundings, points: Sequence[Point]) -> bool:
    first, last = points[:2], points[:-3:-1]
    labels = around.outside_label(edge.source.element_id), around.outside_label(edge.target.element_id)
    if labels != (None, None):
        tips = around.tips(edge)
        if (tips[0] and _is_behind(labels[0], *first)) or (tips[1] and _is_behind(labels[1], *last)):
            return False
    source, target = edge.source, edge.target
    return _fits(source, target, around, *first) and _fits(target, source, around, *last)


def _is_behind(label: Box | None, end: Point, following: Point) -> bool:
    """Whether an end runs behind a label: a marker would stand in the text (R-LABEL-5)."""
    return past_label(end, following, label) != end


def _fits(own: Endpoint, other: Endpoint, around: Surroundings, end: Point, following: Point) -> bool:
    """Whether a route may end at `end`: at the box, on a side with an anchor, within the anchor's reach."""
    boxes, label = around.placement.boxes, around.outside_label(own.element_id)
    box = boxes[own.element_id]
    if not ends_at(box if label is None else union((box, label)) or box, end):
        return False
    dx, dy = following.x - end.x, following.y - end.y
    if abs(dx) > SAME and abs(dy) > SAME:
        return True
    way = ((dx > SAME) - (dx < -SAME), (dy > SAME) - (dy < -SAME))
    if leads_inwards(box, boxes[other.element_id]):
        way = -way[0], -way[1]
    along = end.x if way[0] == 0 else end.y
    return any(anchor[3:5] == way and _reaches(anchor, along) for anchor in _places(own, other, around))


def _places(own: Endpoint, other: Endpoint, around: Surroundings) -> Sequence[Anchor]:
    """The anchors of an end. A loop free to choose its sides turns round corners, hence gets the anchors of all
    sides."""
    anchors = around.anchors(own)
    if own.element_id != other.element_id or len(anchors) < len(SIDES):
        return anchors
    return box_anchors(around.placement.boxes[own.element_id])


def _reaches(anchor: Anchor, along: float) -> bool:
    """Whether a route may end at the coordinate of a side: within the anchor's room or reach."""
    return min(anchor.room_low, anchor.reach_low) - 1 <= along <= max(anchor.room_high, anchor.reach_high) + 1


def _label(size: tuple[float, float], route: DrawnRoute) -> Box | None:
    """The former box of a label of unchanged size."""
    box, (width, height) = route.label, size
    return box if box is not None and abs(box.width - width) <= SAME and abs(box.height - height) <= SAME else None


def _with_whole_fans(edges: Sequence[Edge], around: Surroundings, found: Mapping[str, Course]) -> dict[str, Course]:
    """The courses without edges whose trunk has an edge routed anew."""
    fans = {edge.id: around.fan(edge) for edge in edges}
    broken = {fan for one, fan in fans.items() if fan is not None and one not in found}
    return {one: course for one, course in found.items() if fans[one] not in broken}


def _writings(placement: Placement, element_id: str) -> Iterator[Box]:
    """The title of a frame, and the label of a node if outside the box."""
    parts = placement.parts.get(element_id, {})
    if "title" in parts:
        yield parts["title"]
    if "label" in parts and stands_outside(parts["label"], placement.boxes[element_id]):
        yield parts["label"]


class _News:
    """All that is new to the elements `alike`, which have moved by the same `step` since the sketch: the elements
    added, grown or moved otherwise, and the writings of all."""

    def __init__(self, scene: Scene, placement: Placement, sketch: Sketch, alike: Container[str], step: Point) -> None:
        self.owners: list[str] = []
        self.frames: list[tuple[str, Bounds]] = []
        self.boxes, self.former, self.step = placement.boxes, sketch.boxes, step
        self.held = {element.id: element.children for element in scene.elements if isinstance(element, Frame | Group)}
        self._contents: dict[str, Set[str]] = {}
        self.index = SpatialIndex()
        for element_id, box in placement.boxes.items():
            if element_id in alike:
                continue
            if element_id in self.held:
                self.frames.append((element_id, bounds_of(box)))
            for room in (*([] if element_id in self.held else [box]), *placement.parts.get(element_id, {}).values()):
                self.index.add(bounds_of(room))
                self.owners.append(element_id)
        self.writings, self.writers = SpatialIndex(), list[str]()
        for element_id in (one for one in placement.boxes if one in alike):
            for writing in _writings(placement, element_id):
                self.writings.add(bounds_of(writing))
                self.writers.append(element_id)

    def stands_in(self, route: DrawnRoute, edge: Edge, ends: set[str]) -> bool:
        """Whether a new element obstructs a course or comes too near."""
        points = _chords(route)
        left, top, right, bottom = hull(points)
        if self.owners:
            gap = KEPT_CLEARANCE
            near = self.index.near(left - gap, top - gap, right + gap, bottom + gap)
            strangers = [self.index.bounds[number] for number in near if self.owners[number] not in ends]
            if strangers and touches(points, strangers, KEPT_CLEARANCE):
                return True
        # A title or a name may have stepped aside for another line.
        written = self.writings.near(left, top, right, bottom)
        others = [self.writings.bounds[number] for number in written if self.writers[number] not in ends]
        if others and touches(points, others, 0.0):
            return True
        return any(
            self._enters(points, frame, ends)
            for frame, (x0, y0, x1, y1) in self.frames
            if x0 <= right and x1 >= left and y0 <= bottom and y1 >= top
        )

    def _enters(self, points: Sequence[Point], frame: str, ends: set[str]) -> bool:
        """Whether a course runs through an unrelated frame, and did not before."""
        if not ends.isdisjoint(self._content(frame)):
            return False
        former = self.former.get(frame)
        was = former is not None and touches(points, [bounds_of(former.moved(*self.step))], 0.0)
        return not was and touches(points, [bounds_of(self.boxes[frame])], 0.0)

    def _content(self, frame: str) -> Set[str]:
        """A frame with all its descendants."""
        found = self._contents.get(frame)
        if found is None:
            queue = {frame: None}
            for one in (rows := [frame]):
                rows += [child for child in self.held.get(one, ()) if child not in queue]
                queue.update(dict.fromkeys(self.held.get(one, ())))
            found = self._contents[frame] = queue.keys()
        return found


_FITS: MadeOf[bool] = MadeOf(KEPT_LINES)


# The only place that turns a placed scene into a routing problem. In: scene, styles, sizes, placement, sketch. Out: the
# problem, the ids of its lines by number, and the edges with a shared label. Families declare prescribed routes and
# shared stretches, shapes their outlines.


# Which way a diagram flows: routes prefer to leave and enter along that axis. In: scene and placement. Out: "y"
# (top to bottom or back), "x", or None when the picture has no direction.


CLEAR_MAJORITY = 0.75  # of the edges; so many must run along the flow
CLEAR_LEAD = 0.1  # shares; the lead of one axis for a clear decision
SAME_LINE = 1.0  # px; nodes whose centres are nearer stand in line
LAYERED: Mapping[str, str | None] = {"hierarchical": None, "flow": RIGHTWARDS}
"""The algorithms that make layers; None leaves the direction to the diagram family."""


def flow_axis(scene: Scene, placement: Placement) -> str | None:
    """The declared direction of a layered layout, or the direction shown by the positions."""
    strategy = scene.layout_strategy
    if strategy is not None and strategy.algorithm in LAYERED:
        direction = strategy.direction or LAYERED[strategy.algorithm] or unspoken_direction(scene)
        return axis_of(direction)
    if strategy is not None:
        return None
    return _shown_axis(scene, placement.boxes)


def _shown_axis(scene: Scene, boxes: Mapping[str, Box]) -> str | None:
    """The axis along which layers show: by edges across gaps, and by nodes in rows across the axis."""
    stacked = beside = edges = 0
    for edge in scene.elements:
        if not isinstance(edge, Edge):
            continue
        a, b = boxes.get(edge.source.element_id), boxes.get(edge.target.element_id)
        if a is None or b is None or edge.source.element_id == edge.target.element_id:
            continue
        edges += 1
        stacked += a.bottom < b.y or b.bottom < a.y
        beside += a.right < b.x or b.right < a.x
    if not edges:
        return None
    nodes = [boxes[node.id] for node in scene.elements if isinstance(node, Node) and node.id in boxes]
    vertical = stacked / edges + _in_line([box.center.y for box in nodes])
    horizontal = beside / edges + _in_line([box.center.x for box in nodes])
    if stacked >= CLEAR_MAJORITY * edges and vertical > horizontal + CLEAR_LEAD:
        return VERTICAL
    if beside >= CLEAR_MAJORITY * edges and horizontal > vertical + CLEAR_LEAD:
        return HORIZONTAL
    return None


def _in_line(centers: list[float]) -> float:
    """The share of nodes centred level with another node."""
    ordered = sorted(centers)
    level = [b - a <= SAME_LINE for a, b in pairwise(ordered)]
    alone = sum(not before and not after for before, after in zip([False, *level], [*level, False], strict=True))
    return 1.0 - alone / max(1, len(ordered))


T = TypeVar("T")
Corners = Mapping[str, tuple[Point, ...]]
"""The corners of lines by the ids of their edges."""


@dataclass(frozen=True, slots=True)
class Posed:
    """A problem, the edges by number, and the edges with shared labels."""

    problem: RoutingProblem
    edges: tuple[Edge, ...]
    fan_in: FanIn


def pose(scene: Scene, styles: Styles, sizes: Sizes, placement: Placement, sketch: Sketch = NO_SKETCH) -> Posed:
    """The routing problem of a placed scene, with the courses of the sketch that still hold."""
    family, land = family_named(scene.diagram_family), landscape(scene, placement)
    elements = {element.id: element for element in scene.elements}
    placed = [elements[name] for name in land.number_of]
    axis = flow_axis(scene, placement)
    fan_in = find_fan_in(scene, styles.of) if family.merges_fan_in else FanIn()
    around = Surroundings(
        elements=elements,
        placement=placement,
        land=land,
        axis=axis,
        sizes=sizes,
        styles=styles.of,
        fan_in=fan_in,
        joins_fans=family.joins_fans,
        row_fans=row_fans(scene, styles.of),
        plain_trunks=plain_trunks(scene, styles.of),
        outgoing=_outgoing(scene),
    )
    edges = tuple(edge for edge in scene.elements if isinstance(edge, Edge) and edge.visible and around.connects(edge))
    prescribed: Corners = family.lines(scene, placement) if family.lines is not None else {}
    former = former_courses(scene, edges, around, sketch)
    free = {edge.id for edge in edges if not edge.waypoints and edge.id not in prescribed}
    problem = RoutingProblem(
        boxes=tuple(placement.boxes[element.id] for element in placed),
        outlines=tuple(_outline(element, placement.boxes[element.id], styles.of.get(element.id)) for element in placed),
        pointed=frozenset(
            number for number, element in enumerate(placed) if has_one_line_a_side(element, placement.boxes[element.id])
        ),
        obstacles=tuple(land.obstacles),
        borders=tuple(land.borders),
        lines=tuple(_lines(scene, edges, around, former.keys() & free)),
        prescribed=_by_number(prescribed, edges),
        former=_by_number(former, edges),
    )
    return Posed(problem, edges, fan_in)


def _lines(scene: Scene, edges: Sequence[Edge], around: Surroundings, former: Container[str]) -> Iterator[Connection]:
    """The connections of the routable edges."""
    parallels: dict[tuple[str, ...], list[str]] = {}
    places: dict[str, tuple[int, list[str]]] = {}
    for edge in scene.elements:
        if isinstance(edge, Edge) and edge.visible:
            alike = parallels.setdefault(_pair(edge), [])
            places[edge.id] = len(alike), alike
            alike.append(edge.id)
    for number, edge in enumerate(edges):
        place, alike = places[edge.id]
        yield around.connect(edge, number, (place, len(alike)), is_kept=edge.id in former)


def _outgoing(scene: Scene) -> dict[str, list[Edge]]:
    """The visible edges by their source."""
    found: dict[str, list[Edge]] = {}
    for edge in scene.elements:
        if isinstance(edge, Edge) and edge.visible:
            found.setdefault(edge.source.element_id, []).append(edge)
    return found


def _pair(edge: Edge) -> tuple[str, ...]:
    """The two elements of an edge, independent of its direction."""
    source, target = edge.ends
    return (source, target) if source <= target else (target, source)


def _outline(element: Element, box: Box, style: FinishedStyle | None) -> Chain | None:
    """The outline of a node or of a container with rounded corners; None for a plain box."""
    radius = style.corner_radius if style is not None else 0.0
    if not isinstance(element, Node) and not radius:
        return None
    shape = shape_named(element.shape if isinstance(element, Node) else None)
    return chain_of(shape, box.width, box.height, radius)


def _by_number(found: Mapping[str, T], edges: Sequence[Edge]) -> dict[int, T]:
    return {number: found[edge.id] for number, edge in enumerate(edges) if edge.id in found}
