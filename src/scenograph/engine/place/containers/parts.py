"""Part boxes: the places of an element's text and icon, in or beside its box. px."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from math import ceil
from typing import NamedTuple

from scenograph.engine.families.catalog import kind_of
from scenograph.engine.families.faces import is_cloud_icon
from scenograph.engine.families.family import is_headed, is_tile, is_tiled
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.place.containers.attachments import labels_on_borders
from scenograph.engine.place.containers.frames import (
    TITLE_LEFT,
    UPRIGHT_LANES,
    container_parts,
    header_depth,
    title_cell,
)
from scenograph.engine.place.inventory import ROOT, Inventory
from scenograph.engine.shapes import shape_named
from scenograph.engine.tables import Size
from scenograph.engine.text.blocks import TextBlock
from scenograph.engine.text_in_shapes import stack
from scenograph.scene.memo import Remembered
from scenograph.scene.model import Boxed, Frame, Group, Node, Text

# Labels below their symbol that step to a side by which no line is expected to leave. In: the inventory, the boxes
# and the parts. Out: the parts. A label stays below where no line leaves the symbol downwards. Otherwise that of a
# kind whose label moves (`NodeKind.label_moves`) stands above the symbol, right of it or left of it, or below it
# beside the line that goes down, or above it beside the line that goes up, the first of these where neither a line
# nor another element is. The label of any kind stands below beside the line where the next element of the column
# leaves no room for an arrow under the text. px. Rule R-LABEL-6.


ARROW_ROOM = 20.0  # the room for an arrow between a text and the target box
ASIDE = 12.0  # between the edge and the text beside: the clearance of edges from writing
WITHIN = 6.0  # kept from the border of the container
GAP = 6.0  # between the symbol and the text beside or above
ROUNDS = 2  # a later label may free the place wanted by an earlier label


class _Other(NamedTuple):
    """The box at the far end of an edge, and whether the edge leads to this box."""

    box: Box
    leads_there: bool


Parts = Mapping[str, Mapping[str, Box]]
NONE: Mapping[str, Sequence[_Other]] = {}
TOP, RIGHT, BOTTOM, LEFT = "top", "right", "bottom", "left"


def _labels_off_lines(inventory: Inventory, boxes: Mapping[str, Box], parts: Parts) -> dict[str, Mapping[str, Box]]:
    """The parts, with labels crossed by edges moved into free room."""
    found = dict(parts)
    labels = {one: label for one, rows in parts.items() if (label := rows.get("label")) is not None}
    below = {one for one, label in labels.items() if _is_below(label, boxes[one])}
    waiting = _neighbours(inventory, boxes, below) if below else NONE
    for _ in range(ROUNDS):
        crowded: dict[str, Sequence[_Other]] = {}
        for symbol_id, around in waiting.items():
            label, symbol = labels[symbol_id], boxes[symbol_id]
            places: tuple[Box, ...] = ()
            if _label_moves(inventory, symbol_id):
                places = tuple(_places(label, symbol, around))
            elif not _has_room_for_arrow(label, symbol, around):
                places = _beside_line(label, symbol, around)
            free = next((place for place in places if _is_free(place, symbol_id, inventory, boxes, found)), None)
            if free is not None:
                found[symbol_id] = {**found[symbol_id], "label": free}
            elif places:
                crowded[symbol_id] = around
        waiting = crowded
    return found


def _neighbours(inventory: Inventory, boxes: Mapping[str, Box], of: Set[str]) -> Mapping[str, Sequence[_Other]]:
    """The far ends of some elements' edges, in the order of the elements and of their edges."""
    found: dict[str, list[_Other]] = defaultdict(list)
    for tie in inventory.ties:
        if tie.source in boxes and tie.target in boxes and tie.source != tie.target:
            if tie.source in of:
                found[tie.source].append(_Other(boxes[tie.target], leads_there=True))
            if tie.target in of:
                found[tie.target].append(_Other(boxes[tie.source], leads_there=False))
    return {one: found[one] for one in inventory.elements if one in found}


def _is_below(label: Box, symbol: Box) -> bool:
    """Whether a label stands below the middle of its element. A label elsewhere has already been moved."""
    return label.y >= symbol.bottom and label.x <= symbol.center.x <= label.right


def _label_moves(inventory: Inventory, element_id: str) -> bool:
    element = inventory.elements[element_id]
    return isinstance(element, Node) and kind_of(element).label_moves


def _expected_sides(symbol: Box, others: Sequence[_Other]) -> Counter[str]:
    """The expected number of edges on each side: by top or bottom to a box in the same column, by left or right
    otherwise, in the same row always, else only for the first edge on this side. Of two edges towards the same hand,
    one in and one out, one takes a detour: above or below, for boxes of a column right or left."""
    sides: Counter[str] = Counter()
    hands: dict[str, set[bool]] = {RIGHT: set(), LEFT: set()}
    aslant: list[tuple[str, str]] = []
    for other, leads_there in others:
        across = RIGHT if other.center.x > symbol.center.x else LEFT
        along = BOTTOM if other.center.y > symbol.center.y else TOP
        if other.x <= symbol.center.x <= other.right:
            sides[along] += 1
            continue
        hands[across].add(leads_there)
        if other.y <= symbol.center.y <= other.bottom:
            sides[across] += 1
        else:
            aslant.append((across, along))
    if max(sides[TOP], sides[BOTTOM]) > 1:
        sides.update((RIGHT, LEFT))
    wanted = sides + Counter(across for across, _ in aslant)
    for across, along in aslant:
        sides[across] += 1
        if wanted[across] > 1:
            sides.update((TOP, BOTTOM) if len(hands[across]) > 1 else (along,))
    return sides


def _places(label: Box, symbol: Box, others: Sequence[_Other]) -> Iterator[Box]:
    """Candidate places of a movable label, best first; none if the label may stay."""
    taken, middle = _expected_sides(symbol, others), symbol.center
    if not taken[BOTTOM]:
        return
    if not taken[TOP]:
        yield label._replace(y=symbol.y - GAP - label.height)
    beside = label._replace(y=middle.y - label.height / 2)
    if not taken[RIGHT]:
        yield beside._replace(x=symbol.right + GAP)
    if not taken[LEFT]:
        yield beside._replace(x=symbol.x - GAP - label.width)
    yield from _beside_line(label, symbol, others)
    for corner in _beside_line(label, symbol, others):
        yield corner._replace(y=symbol.y - GAP - label.height)


def _beside_line(label: Box, symbol: Box, others: Sequence[_Other]) -> tuple[Box, Box]:
    """Two places below, beside the edge that leads straight down; first the side with fewer lower ends."""
    middle = symbol.center.x
    right, left = label._replace(x=middle + ASIDE), label._replace(x=middle - ASIDE - label.width)
    lower = [other.box for other in others if other.box.y >= symbol.bottom]
    onto_right = sum(other.x > middle for other in lower) - sum(other.right < middle for other in lower)
    return (left, right) if onto_right > 0 else (right, left)


def _has_room_for_arrow(label: Box, symbol: Box, others: Sequence[_Other]) -> bool:
    middle = symbol.center.x
    below = (other.box for other in others if symbol.bottom <= other.box.y)
    lower = (other for other in below if other.x <= middle <= other.right)
    return all(other.y - label.bottom >= ARROW_ROOM for other in lower)


def _is_free(place: Box, element_id: str, inventory: Inventory, boxes: Mapping[str, Box], parts: Parts) -> bool:
    """Whether the place lies within the container, on no neighbour and on none of their labels."""
    container = inventory.parent.get(element_id, ROOT)
    around = boxes.get(container)
    if around is not None and not around.contains(place.grown(WITHIN)):
        return False
    neighbours = [one for one in inventory.children.get(container, ()) if one in boxes and one != element_id]
    texts = [box for one in neighbours for box in parts.get(one, {}).values()]
    headings = list(parts.get(container, {}).values())
    if any(boxes[one].overlaps(place) for one in neighbours):
        return False
    return not any(text.overlaps(place.grown(GAP)) for text in (*texts, *headings))


# Frames' titles, moved aside for edges that come straight down through the title to an inner element. In: the
# inventory, the boxes and the parts. Out: the parts, with these titles moved along the frame's upper edge by the least
# distance; without room beside the edges, titles stay. The composition of a frame can ask for the missing width. px.


CLEAR = 10.0  # between a title and the line beside it
STEP = 6.0  # px; more beside the title for each further line to the same element
EDGE = 8.0  # kept from the frame's sides
MOST_WIDER = 120.0  # on each side; a wider frame would look emptier than a line round it looks crooked

_TitleSpan = tuple[float, float]
Ways = Mapping[str, int]  # the inner elements of a frame reached by edges from above, with the number of edges


def _titles_beside_lines(inventory: Inventory, boxes: Mapping[str, Box], parts: Parts) -> dict[str, Mapping[str, Box]]:
    """The parts, with titles moved clear of edges from above, if room permits."""
    found = dict(parts)
    for frame, ways in _entered(inventory, boxes).items():
        title = found.get(frame, {}).get("title")
        if title is not None and _may_step_aside(inventory, frame):
            spans = list(_spans(inventory, boxes, frame, ways))
            found[frame] = {**found[frame], "title": _aside(title, boxes[frame], spans)}
    return found


def titles_in_the_way(inventory: Inventory, boxes: Mapping[str, Box]) -> dict[str, Ways]:
    """The frames to widen for a title beside edges, with the inner elements reached by these edges."""
    ways = _entered(inventory, boxes)
    return {frame: ways[frame] for frame in ways if wider_for_title(inventory, boxes, frame, ways[frame])}


def wider_for_title(inventory: Inventory, boxes: Mapping[str, Box], frame: str, ways: Ways) -> float:
    """The widening of a frame on each side, so that its title fits left of the edges from above; 0 for a title that
    fits already, or for too large a widening."""
    element, size = inventory.elements[frame], inventory.size(frame)
    if not isinstance(element, Frame) or not _may_step_aside(inventory, frame) or element.layout.width is not None:
        return 0.0
    title = container_parts(element, boxes[frame], size).get("title")
    spans = list(_spans(inventory, boxes, frame, ways))
    if title is None or not spans or _is_clear(_aside(title, boxes[frame], spans), spans):
        return 0.0
    wider = title.width + TITLE_LEFT - (min(start for start, _ in spans) - boxes[frame].x)
    return ceil(wider) if 0 < wider <= MOST_WIDER else 0.0


def _may_step_aside(inventory: Inventory, frame: str) -> bool:
    element = inventory.elements[frame]
    return isinstance(element, Frame) and not (is_tiled(element) or is_tile(element) or is_headed(element))


def _entered(inventory: Inventory, boxes: Mapping[str, Box]) -> dict[str, Counter[str]]:
    """For each frame, the inner elements reached by edges straight from above, with the number of edges: one end stands
    over the other's middle. Other edges come from a side, or give way to the title."""
    found: dict[str, Counter[str]] = {}
    parent = inventory.parent
    for tie in inventory.ties:
        if parent.get(tie.source) == parent.get(tie.target):
            continue
        for inner, outer in ((tie.source, tie.target), (tie.target, tie.source)):
            if inner not in boxes or outer not in boxes or not _stands_over(boxes[outer], boxes[inner]):
                continue
            bottom, around = boxes[outer].bottom, inventory.ancestors(outer)
            for frame in inventory.ancestors(inner):
                if frame in around:
                    break
                if frame != outer and frame in boxes and bottom <= boxes[frame].y:
                    found.setdefault(frame, Counter())[inner] += 1
    return found


def _stands_over(upper: Box, lower: Box) -> bool:
    x, _, width, _ = upper
    left, _, across, _ = lower
    return x <= left + across / 2 <= x + width or left <= x + width / 2 <= left + across


def _spans(inventory: Inventory, boxes: Mapping[str, Box], frame: str, ways: Ways) -> Iterator[_TitleSpan]:
    """The spans of the edges that come down from above unobstructed."""
    for inner, count in ways.items():
        middle, half = boxes[inner].center.x, CLEAR + STEP * (count - 1)
        around = {inner, *inventory.ancestors(inner)}
        way = Box(middle - half, boxes[frame].y, 2 * half, boxes[inner].y - boxes[frame].y)
        row = inventory.children[frame]
        if way.height > 0 and not any(boxes[one].overlaps(way) for one in row if one in boxes and one not in around):
            yield middle - half, middle + half


def _aside(title: Box, frame: Box, spans: Sequence[_TitleSpan]) -> Box:
    """The title at the nearest place free of spans."""
    low, high = frame.x + EDGE, frame.right - EDGE - title.width
    starts = [title.x, *(end for _, end in spans), *(start - title.width for start, _ in spans)]
    places = (title._replace(x=x) for x in starts if x == title.x or low <= x <= high)
    free = [place for place in places if _is_clear(place, spans)]
    return min(free, key=lambda place: abs(place.x - title.x), default=title)


def _is_clear(title: Box, spans: Sequence[_TitleSpan]) -> bool:
    return not any(start < title.right and title.x < end for start, end in spans)


LABEL_BELOW_GAP = 6.0  # px; between a symbol and its label


def parts_of(inventory: Inventory, boxes: Mapping[str, Box]) -> dict[str, Mapping[str, Box]]:
    """The parts of every element: `label`, `icon`, `title`, `header`, as far as present."""
    return _titles_beside_lines(inventory, boxes, labelled_parts(inventory, boxes))


def labelled_parts(inventory: Inventory, boxes: Mapping[str, Box]) -> dict[str, Mapping[str, Box]]:
    """The same with all titles in the corner of their frame, for whoever asks about labels alone."""
    found = {element_id: _parts(inventory, element_id, boxes) for element_id in boxes}
    named = {element_id: parts for element_id, parts in found.items() if parts}
    for element_id, label in labels_on_borders(inventory, boxes).items():
        named[element_id] = {**named[element_id], "label": label}
    return _labels_off_lines(inventory, boxes, named)


def _parts(inventory: Inventory, element_id: str, boxes: Mapping[str, Box]) -> Mapping[str, Box]:
    element, box, size = inventory.elements[element_id], boxes[element_id], inventory.size(element_id)
    if isinstance(element, Frame | Group):
        return _container_parts(inventory, element, boxes)
    if isinstance(element, Node):
        return _PARTS.get(element, (box, size)) or _PARTS.put(element, (box, size), _node_parts(element, box, size))
    if size.label is None:
        return {}
    return {"label": _text_label(element, box, size.label)} if isinstance(element, Text) else {}


def _container_parts(inventory: Inventory, element: Frame | Group, boxes: Mapping[str, Box]) -> Mapping[str, Box]:
    box, size = boxes[element.id], inventory.size(element.id)
    if not isinstance(element, Frame) or not is_tiled(element):
        parts = container_parts(element, box, size)
        return _with_cell(inventory, element, parts, boxes) if is_tile(element) and "title" in parts else parts
    known = inventory.elements
    # A sequence chart asks for the parts of its own elements only.
    children = inventory.children[element.id]
    lanes = [boxes[child] for child in children if child in boxes and is_tile(known[child])]
    return container_parts(element, box, size, header_depth(element, box, lanes))


def _with_cell(
    inventory: Inventory, lane: Boxed, parts: Mapping[str, Box], boxes: Mapping[str, Box]
) -> Mapping[str, Box]:
    """The parts of a lane with the cell of its title: across a column, unless content is in the way."""
    pool = inventory.elements.get(inventory.parent[lane.id])
    box, title = boxes[lane.id], parts["title"]
    cell = title_cell(box, title, whole=isinstance(pool, Frame) and pool.lane_direction == UPRIGHT_LANES)
    content = (boxes[child] for child in inventory.children.get(lane.id, ()) if child in boxes)
    if any(cell.overlaps(one) for one in content):
        cell = title_cell(box, title, whole=False)
    return {**parts, "cell": cell}


def icon_line(element: Boxed, size: Size) -> float | None:
    """The distance of a node icon's middle below the top of its box, for nodes of only icon and label; else None."""
    if not isinstance(element, Node) or not is_cloud_icon(element):
        return None
    icon = _node_parts(element, Box(0.0, 0.0, size.width, size.height), size).get("icon")
    return None if icon is None else icon.center.y


def _node_parts(node: Node, box: Box, size: Size) -> Mapping[str, Box]:
    """Icon above label inside the shape; a node with its label below keeps the whole box for the icon (R-ICON-2)."""
    if size.parts:
        wider = box.width / size.width if size.width > 0 else 1.0  # a constraint may have given it another's width
        return {
            name: Box(box.x + part.x * wider, box.y + part.y, part.width * wider, part.height)
            for name, part in size.parts.items()
        }
    kind = kind_of(node)
    label = size.label
    extent = (label.width, label.height) if label is not None else (0.0, 0.0)
    if kind.label_below or size.outset.bottom > 0:
        icon, _ = stack(box, size.icon, (0.0, 0.0))
        named = Box(box.center.x - extent[0] / 2, box.bottom + LABEL_BELOW_GAP, *extent)
    else:
        icon, named = stack(shape_named(node.shape or kind.shape).text_area(box), size.icon, extent)
    parts = {"icon": icon} if size.icon else {}
    return parts | {"label": named} if label is not None else parts


def _text_label(text: Text, box: Box, label: TextBlock) -> Box:
    """The label's box within a text element, aligned by `align`; spare room lies on both sides."""
    padding = max(0.0, (box.height - label.height) / 2)
    middle = box.center.x - label.width / 2
    beside = min(padding, max(0.0, (box.width - label.width) / 2))
    x = {"start": box.x + beside, "end": box.right - beside - label.width}.get(text.align, middle)
    return Box(x, box.center.y - label.height / 2, label.width, label.height)


_PARTS = Remembered[Mapping[str, Box]]()
