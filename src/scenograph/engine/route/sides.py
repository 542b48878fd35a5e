"""Sides: by which side of a box a line leaves, and by which a line enters, as prices in px of length.

In: the open anchors of an end, the boxes of both ends, the main axis of the picture. Out: the anchors with their
penalties, best first. Rules R-ROUTE-2, R-ROUTE-10.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from operator import itemgetter

from scenograph.engine.costs import AWAY, BESIDE, FRAME_GROWTH, OFF_FLOW, SECOND_SOURCE, SECOND_TARGET
from scenograph.engine.families.catalog import edge_kind, unspoken_direction
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.directions import (
    ACROSS,
    HORIZONTAL,
    OPPOSITE,
    RIGHTWARDS,
    SIDES,
    VERTICAL,
    axis_of,
)
from scenograph.engine.route.courses.anchors import (
    Anchor,
    anchor_of,
    places_on,
)
from scenograph.engine.tables import Placement
from scenograph.scene.model import Edge, Element, Node, Scene

Faces = tuple[str, str | None]
"""The side of a box that faces a second box; for a diagonal position also the second best side."""

KNOWN_PRICES = 64  # of all sides, by the sides that face the far end
LAYER_GAP = 24.0  # boxes closer than this along the flow count as standing in one layer
POINTED = frozenset({"diamond"})  # each side is one vertex: a turn at once looks better than two lines from one vertex
SMALL_ROUND = 48.0  # px; the side of a larger circle has room for two lines beside each other
_PENALTY = itemgetter(11)  # of an anchor


class Sides:
    """The prices of all sides in a scene. `axis`: the main axis of the picture. `outgoing`: the visible edges of every
    source."""

    def __init__(
        self,
        elements: Mapping[str, Element],
        boxes: Mapping[str, Box],
        axis: str | None,
        outgoing: Mapping[str, Sequence[Edge]],
    ) -> None:
        self._axis = axis
        self._elements, self._boxes, self._outgoing = elements, boxes, outgoing
        self._users: dict[str, Mapping[str | None, int]] = {}
        self._faces: dict[tuple[str, str, str | None], Faces] = {}
        self._priced: dict[tuple[int, Faces, float], tuple[Anchor, ...]] = {}

    def leaving(self, edge: Edge, anchors: tuple[Anchor, ...], *, is_bound: bool) -> tuple[Anchor, ...]:
        """The anchors of an edge's source. `is_bound`: the edge leaves over a trunk."""
        source, target = edge.ends
        faces = self._facing(source, target, self._axis_of(edge))
        return self._with_prices(anchors, faces, self._leaving_price(source, faces, is_bound=is_bound))

    def entering(self, edge: Edge, anchors: tuple[Anchor, ...]) -> tuple[Anchor, ...]:
        """The anchors of an edge's target."""
        (source, target), axis = edge.ends, self._axis_of(edge)
        price = _second_side_price(self._elements[target], axis, is_source=False)
        return self._with_prices(anchors, self._facing(target, source, axis), price)

    def leaves_often(self, source: str) -> bool:
        """Whether more than one visible edge leaves an element."""
        return len(self._outgoing[source]) > 1

    def _with_prices(self, anchors: tuple[Anchor, ...], faces: Faces, second_price: float) -> tuple[Anchor, ...]:
        key = id(anchors), faces, second_price  # the anchors of a place live as long as the scene's surroundings
        found = self._priced.get(key)
        if found is None:
            found = self._priced[key] = priced(anchors, faces, second_price)
        return found

    def _axis_of(self, edge: Edge) -> str | None:
        """The axis along which an edge leaves and enters: the main axis of the picture, unless the edge type runs
        across it."""
        return ACROSS[self._axis] if edge_kind(edge.edge_type).across else self._axis

    def _leaving_price(self, source: str, faces: Faces, *, is_bound: bool) -> float:
        """The penalty of the second side facing the target: low while the side has room for all edges likely to leave
        by it and no trunk binds the edge."""
        side = faces[1]
        is_cheap = side is None or not (
            is_bound or self._leaving_by(source).get(side, 0) > places_on(self._boxes[source], side)
        )
        return _second_side_price(self._elements[source], self._axis, is_source=is_cheap)

    def _leaving_by(self, source: str) -> Mapping[str | None, int]:
        """The number of edges that could leave an element by each side facing their target across the main axis."""
        found = self._users.get(source)
        if found is None:
            edges = [one for one in self._outgoing.get(source, ()) if one.target.element_id in self._boxes]
            found = Counter([self._facing(source, one.target.element_id, self._axis_of(one))[1] for one in edges])
            self._users[source] = found
        return found

    def _facing(self, one: str, other: str, axis: str | None) -> Faces:
        """The sides of an element that face another element."""
        found = self._faces.get((one, other, axis))
        if found is None:
            found = self._faces[one, other, axis] = facing(self._boxes[one], self._boxes[other], axis)
        return found


def priced(anchors: Sequence[Anchor], faces: Faces, second_price: float) -> tuple[Anchor, ...]:
    """The anchors with their penalties, best first. `faces`: the sides `facing` the opposite end."""
    prices = _prices(faces, second_price)
    found = [anchor_of((*anchor[:-1], prices[anchor[0]])) for anchor in anchors]
    found.sort(key=_PENALTY)
    return tuple(found)


@lru_cache(maxsize=KNOWN_PRICES)
def _prices(faces: Faces, second_price: float) -> Mapping[str, float]:
    """The penalty of each side, px."""
    first, second = faces
    prices = dict.fromkeys(SIDES, BESIDE) | {first: 0.0, OPPOSITE[first]: AWAY}
    return prices if second is None else prices | {OPPOSITE[second]: AWAY, second: second_price}


def facing(box: Box, other: Box, axis: str | None) -> Faces:
    """The side towards `other`, and the second side if the boxes lie on a diagonal."""
    x, y, width, height = box
    left, top, other_width, other_height = other
    gap_x = max(left - (x + width), x - (left + other_width))
    gap_y = max(top - (y + height), y - (top + other_height))
    dx, dy = left + other_width / 2 - (x + width / 2), top + other_height / 2 - (y + height / 2)
    across, down = ("right" if dx >= 0 else "left"), ("bottom" if dy >= 0 else "top")
    if gap_x <= 0 and gap_y <= 0:
        wide = abs(dx) * (height + other_height) >= abs(dy) * (width + other_width)
        return (across, None) if wide else (down, None)
    if gap_x <= 0 or gap_y <= 0:
        return (across, None) if gap_x > 0 else (down, None)
    if axis == VERTICAL and gap_y >= LAYER_GAP:
        return down, across
    if axis == HORIZONTAL and gap_x >= LAYER_GAP:
        return across, down
    return (across, down) if abs(dx) >= abs(dy) else (down, across)


def _second_side_price(element: Element, axis: str | None, *, is_source: bool) -> float:
    """The penalty of the facing side across the main direction, px."""
    if is_pointed(element):
        return 0.0
    if is_source:
        return SECOND_SOURCE
    return OFF_FLOW if axis else SECOND_TARGET


def is_pointed(element: Element) -> bool:
    """Whether each side of the element's shape is a vertex."""
    return shape_name(element) in POINTED


def has_one_line_a_side(element: Element, box: Box) -> bool:
    """Whether two routes would crowd at one side of an element: at a vertex, or on the slope of a small circle."""
    return is_pointed(element) or (shape_name(element) == "ellipse" and max(box.width, box.height) <= SMALL_ROUND)


def shape_name(element: Element) -> str:
    """The shape of a node by its name in the document; empty for any other element."""
    return (element.shape or "") if isinstance(element, Node) else ""


def inwards(anchors: Sequence[Anchor], held: Box, needed: Point) -> tuple[Anchor, ...]:
    """The anchors of an end that holds the opposite end, directed inwards, best first. Free anchors lie opposite the
    middle of the `held` box, whose line then meets no corner of it. `needed`: the length along x and y that shows the
    label of the line, px; a shorter gap costs `FRAME_GROWTH` for each px that the frame would have to grow."""
    found = [_opposite(anchor, held, needed) for anchor in anchors]
    found.sort(key=_PENALTY)
    return tuple(found)


def _opposite(anchor: Anchor, held: Box, needed: Point) -> Anchor:
    if anchor.dx == 0:
        middle, gap = held.center.x, anchor.y - held.bottom if anchor.dy > 0 else held.y - anchor.y
    else:
        middle, gap = held.center.y, anchor.x - held.right if anchor.dx > 0 else held.x - anchor.x
    lack = FRAME_GROWTH * max(0.0, (needed.x if anchor.dx else needed.y) - gap)
    at = anchor.at(min(anchor.high, max(anchor.low, middle)))
    return at._replace(dx=-anchor.dx, dy=-anchor.dy, penalty=lack)


def leads_inwards(box: Box, other: Box) -> bool:
    """Whether `box` holds the `other` box."""
    return box != other and box.contains(other)


# The main axis of a picture, preferred by lines: "y" (down or up), "x", or None for a picture without a direction.


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
    for edge in scene.edges:
        a, b = boxes.get(edge.source.element_id), boxes.get(edge.target.element_id)
        if a is None or b is None or edge.source.element_id == edge.target.element_id:
            continue
        edges += 1
        stacked += a.bottom < b.y or b.bottom < a.y
        beside += a.right < b.x or b.right < a.x
    if not edges:
        return None
    nodes = [boxes[node.id] for node in scene.nodes if node.id in boxes]
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
