"""Connections: each edge of a placed scene as a line of the routing problem.

In: an edge both ends of which have a place, and the tables of the scene. Out: a `Connection`, its anchors at the sides
that shapes, node types and authors leave open. Rules R-ROUTE-2, R-ELEMENT-7.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import fsum
from typing import NamedTuple

from scenograph.engine.families.catalog import node_kind
from scenograph.engine.families.family import is_passable
from scenograph.engine.families.hubs import SharedFan
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.directions import SIDES, UPRIGHT_SIDES, extent_along
from scenograph.engine.geometry.spatial_index import Bounds, bounds_of, widened
from scenograph.engine.kernels.label_spots import CORNER_ROOM, TIP_ROOM, Extents
from scenograph.engine.markers import MARKERS, REFERENCE_STROKE
from scenograph.engine.route.courses.anchors import (
    CORNER_MARGIN,
    Anchor,
    box_anchor,
    box_anchors,
    pinned_anchor,
    within_content,
)
from scenograph.engine.route.fan_in import FanIn
from scenograph.engine.route.problem import (
    FRAME,
    NO_END_TEXTS,
    NO_LABEL,
    NOBODY,
    NODE,
    PLAQUE,
    WRITING,
    Connection,
    Fan,
    Obstacle,
)
from scenograph.engine.route.sides import POINTED, Sides, inwards, is_pointed, shape_name
from scenograph.engine.shapes import chain_of, shape_named
from scenograph.engine.tables import FROM, TO, FinishedStyle, Placement, Sizes
from scenograph.late_dataclasses import dataclass, field
from scenograph.scene.borders import border_place
from scenograph.scene.document_index import ancestors
from scenograph.scene.model import Edge, Element, Endpoint, Frame, Group, Guide, Node, Scene

# Landscape: the parts of a placed scene that stand in the way of lines.
#
# In: scene and placement. Out: obstacles with their owners by number, visible borders, and the nesting. Rules
# R-ROUTE-3, R-ROUTE-12.

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
            if element.visible and (isinstance(element, Frame) or (isinstance(element, Group) and _is_wall(element))):
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
    if kind != FRAME or _is_wall(element):
        found.append(Obstacle(bounds_of(box), kind, number))
    writing = placement.part(element.id, "title" if kind == FRAME else "label")
    if writing is not None and (kind == FRAME or stands_outside(writing, box)):
        found.append(Obstacle(_off_border(bounds_of(writing), bounds_of(box)), WRITING, NOBODY))
    return found


def _off_border(writing: Bounds, frame: Bounds) -> Bounds:
    """The bounds of a writing without the rim along the frame's border, to let routes ending on the border pass."""
    if not all(frame[side] <= writing[side] and writing[side + 2] <= frame[side + 2] for side in (0, 1)):
        return writing
    left, top, right, bottom = widened(frame, -OFF_BORDER)
    return Bounds(max(writing[0], left), max(writing[1], top), min(writing[2], right), min(writing[3], bottom))


def _is_wall(element: Element) -> bool:
    """Whether a container stops strangers: lanes are stripes of their pool, and an unstyled group draws nothing."""
    if isinstance(element, Frame):
        return not is_passable(element)
    return element.style is not None or element.style_id is not None


_KINDS = {"node": NODE, "text": PLAQUE, "image": PLAQUE, "frame": FRAME, "group": FRAME}

ROW_MARGIN = 5.5  # half of a crow's foot, to stay within the row
LEAST_ROOM = 12.0  # px; on either side of a vertex, where its side is long enough
SLANTED = frozenset({"hexagon", "parallelogram"})
FLUSH = 0.5  # px; corners of an outline this near to a side of the box lie on the side, but for rounding
ROOM = {"diamond": 0.3, "ellipse": 0.7}  # the share of a side along which edges may be spread


def anchors_of(end: Endpoint, element: Element, box: Box, placement: Placement) -> tuple[Anchor, ...]:
    """Every anchor the author leaves open, sides in fixed order."""
    anchors = _open_anchors(end, element, box, placement)
    share = ROOM.get(shape_name(element))
    if shape_name(element) in SLANTED:
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
    chain = chain_of(shape_named(shape_name(element)), box.width, box.height, 0.0)
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
    if not tip or shape_name(element) not in SLANTED | POINTED:
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
        return tuple(pinned_anchor(box, side, row.center.y, room) for side in UPRIGHT_SIDES)
    declared = {port.id: port for port in element.ports} if isinstance(element, Node | Frame) else {}
    port = declared.get(end.port or "")
    if port is not None and port.side in SIDES:
        low, high = extent_along(box, port.side)
        return (pinned_anchor(box, port.side, low + min(1.0, max(0.0, port.offset)) * (high - low), 0.0),)
    if end.port in SIDES:
        return (box_anchor(box, end.port).fixed(),)
    outwards = _outward_side(element, box, placement)
    return box_anchors(box) if outwards is None else (box_anchor(box, outwards),)


def _outward_side(element: Element, box: Box, placement: Placement) -> str | None:
    """The side of an attached node away from the host; None for any other element."""
    host = element.attached_to if isinstance(element, Node) else None
    around = None if host is None else placement.boxes.get(host.element_id)
    return None if around is None else border_place(around, box.center)[0]


def _has_vertices(element: Element) -> bool:
    """Whether the notation of the element's type draws it with vertices, hence all routes meet it in a vertex."""
    return is_pointed(element) and isinstance(element, Node) and node_kind(element.node_type).shape in POINTED


def _with_room(anchor: Anchor, box: Box, share: float) -> Anchor:
    low, high = extent_along(box, anchor.side)
    if anchor.room_low == anchor.room_high:
        return anchor
    middle, half = (low + high) / 2, max((high - low) / 2 * share, min(LEAST_ROOM, (high - low) / 4))
    return anchor._replace(room_low=middle - half, room_high=middle + half)


_NO_ANCHORS: tuple[Anchor, ...] = ()
KNOWN_LENGTHS = 256  # of markers by name and stroke


class _RoutedElement(NamedTuple):
    """The common data of all routes at one element. `label`: the label's box if outside; `belonging`: the element and
    its ancestors."""

    number: int
    box: Box
    label: Box | None
    belonging: frozenset[int]
    is_container: bool
    is_pointed: bool


_Place = tuple[str, str | None, str | None]  # an element, a port of it, a column


@dataclass(slots=True)
class Surroundings:
    """The common data of all connections in a scene."""

    elements: Mapping[str, Element]
    placement: Placement
    land: Landscape
    sides: Sides
    sizes: Sizes
    styles: Mapping[str, FinishedStyle]
    fan_in: FanIn
    shared_fans: Mapping[str, SharedFan] = field(default_factory=dict[str, SharedFan])
    row_fans: Mapping[str, str] = field(default_factory=dict[str, str])
    plain_trunks: Mapping[str, str] = field(default_factory=dict[str, str])
    _fans: dict[str, int] = field(default_factory=dict[str, int])
    _rows: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])
    _labels: dict[str, Box | None] = field(default_factory=dict[str, "Box | None"])
    _known: dict[str, _RoutedElement] = field(default_factory=dict[str, _RoutedElement])
    _anchors: dict[_Place, tuple[Anchor, ...]] = field(default_factory=dict["_Place", tuple[Anchor, ...]])
    _states: dict[str, tuple[object, ...]] = field(default_factory=dict[str, tuple[object, ...]])

    def connects(self, edge: Edge) -> bool:
        """Whether both ends of an edge have a place."""
        return all(end in self.elements and end in self.placement.boxes for end in edge.ends)

    def connect(self, edge: Edge, number: int, parallel: tuple[int, int], *, is_kept: bool) -> Connection:
        """The connection of an edge. `parallel`: the place among the edges of its two elements, and their number. An
        edge kept as drawn (`is_kept`) is not searched for: it has neither anchors nor a search region."""
        one, other = edge.ends
        source, target = self._routed(one), self._routed(other)
        starts, finishes, fan, tips = _NO_ANCHORS, _NO_ANCHORS, self.fan(edge), self.tips(edge)
        size, voice = self.size(edge), self.fan_in.voices.get(edge.id)
        is_silent = voice is not None and voice.place > 0
        if not is_kept:
            starts, finishes = self._open_ends(edge, source, target, fan)
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
            voice,
            size if is_silent else NO_LABEL,
            (self._row(edge.source), self._row(edge.target)),
            NO_LABEL if is_silent else size,
            tips,
            self.end_texts(edge),
            (source.label, target.label),
            None if is_kept else self._around(one, other),
            source.is_pointed and self.sides.leaves_often(one),
        )

    def _open_ends(
        self, edge: Edge, source: _RoutedElement, target: _RoutedElement, fan: Fan | None
    ) -> tuple[tuple[Anchor, ...], tuple[Anchor, ...]]:
        """The anchors of both ends, best first. An end that holds the opposite end is left inwards."""
        leaving, entering = self.anchors(edge.source), self.anchors(edge.target)
        if source.box != target.box:
            if source.box.contains(target.box):
                return inwards(leaving, target.box, self._label_room(edge)), entering
            if target.box.contains(source.box):
                return leaving, inwards(entering, source.box, self._label_room(edge))
        is_bound = fan is not None and not fan.gathers
        return self.sides.leaving(edge, leaving, is_bound=is_bound), self.sides.entering(edge, entering)

    def _label_room(self, edge: Edge) -> Point:
        """The least length along x and along y, px, of a straight line with room for the edge's label between its
        markers."""
        (width, height), ends = self.label(edge), fsum(max(CORNER_ROOM, tip + TIP_ROOM) for tip in self.tips(edge))
        return Point(width + ends, height + ends) if width else Point(0.0, 0.0)

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
        found = next((one for one in common if self.elements[one].visible and _is_wall(self.elements[one])), None)
        return self.placement.boxes[found] if found is not None else None

    def fan(self, edge: Edge) -> Fan | None:
        """The fan that an edge may share. A hub comes first, then a trunk at the target."""
        shared = self.shared_fans.get(edge.id)
        if shared is not None:
            return Fan(self._fan_number(shared.name), gathers=shared.gathers, whole=shared.grows)
        trunk = self.fan_in.trunks.get(edge.id) or self.plain_trunks.get(edge.id)
        if trunk is not None and edge.router in {None, "orthogonal"}:
            return Fan(self._fan_number(f"trunk:{trunk}"), gathers=True)
        row = self.row_fans.get(edge.id)
        return Fan(self._fan_number(row)) if row is not None else None

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
        return voice is not None and voice.place > 0

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

    def _own(self, element_id: str, element: _RoutedElement, other: Box) -> frozenset[int]:
        """The elements that the route may touch at an end: the end itself, its ancestors, and, unless the opposite end
        lies inside as well, its contents (the route stops at the border), except contents placed outside."""
        if not element.is_container or element.box.overlaps(other):
            return element.belonging
        boxes = self.placement.boxes
        held = (one for one in self.land.inside(element_id) if one not in boxes or element.box.overlaps(boxes[one]))
        return element.belonging | self.land.numbers(held)

    def anchors(self, end: Endpoint) -> tuple[Anchor, ...]:
        """The anchors of an end, in fixed order, without a price. Computed once; an edge kept as drawn needs none."""
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

    def _routed(self, element_id: str) -> _RoutedElement:
        """The common data of all routes at an element. Computed once."""
        found = self._known.get(element_id)
        if found is None:
            found = self._known[element_id] = _RoutedElement(
                number=self.land.number_of[element_id],
                box=self.placement.boxes[element_id],
                label=self.outside_label(element_id),
                belonging=self.land.numbers((element_id, *self.land.ancestors(element_id))),
                is_container=element_id in self.land.children,
                is_pointed=is_pointed(self.elements[element_id]),
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
