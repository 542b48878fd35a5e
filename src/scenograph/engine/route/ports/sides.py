"""Which sides, ports and rows of an element a line may end at, and what the sides cost: all that shapes, node types and
authors say about it.

In: one end of an edge, its element and box. Out: anchors. Rules R-ROUTE-2, R-ELEMENT-7.
"""

from __future__ import annotations

from scenograph.engine.families.catalog import node_kind
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.route.costs import OFF_FLOW, SECOND_SOURCE, SECOND_TARGET
from scenograph.engine.route.ports.anchors import DIRECTIONS, Anchor, box_anchor, box_anchors, extent, pinned_anchor
from scenograph.engine.tables import Placement
from scenograph.scene.borders import border_place
from scenograph.scene.model import Element, Endpoint, Frame, Node

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
