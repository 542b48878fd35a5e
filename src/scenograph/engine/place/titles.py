"""Frames' titles, moved aside where a line comes straight down through them to an element inside.

In: the inventory, the boxes and the parts. Out: the parts, such titles moved along the frame's upper edge as little as
must be; where there is no room beside the lines, they stay. A frame that is composed can be told how much wider it has
to be for that room. px.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import ceil

from scenograph.engine.families.container_types import is_headed, is_tile, is_tiled
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.place.frames import TITLE_LEFT, container_parts
from scenograph.engine.place.inventory import Inventory
from scenograph.engine.place.outside_labels import Parts
from scenograph.scene.model import Frame

CLEAR = 10.0  # between a title and the line beside it
STEP = 6.0  # more for each further line to the same element
EDGE = 8.0  # kept from the frame's sides
MOST_WIDER = 120.0  # on each side; a wider frame would look emptier than a line round it looks crooked

Span = tuple[float, float]
Ways = Mapping[str, int]  # the elements inside a frame which lines reach from above it, and how many


def titles_beside_lines(inventory: Inventory, boxes: Mapping[str, Box], parts: Parts) -> dict[str, Mapping[str, Box]]:
    """The parts with titles clear of what comes from above, where there is room."""
    found = dict(parts)
    for frame, ways in _entered(inventory, boxes).items():
        title = found.get(frame, {}).get("title")
        if title is not None and _may_step_aside(inventory, frame):
            spans = list(_spans(inventory, boxes, frame, ways))
            found[frame] = {**found[frame], "title": _aside(title, boxes[frame], spans)}
    return found


def titles_in_the_way(inventory: Inventory, boxes: Mapping[str, Box]) -> dict[str, Ways]:
    """The frames that would have to be wider for their title to step aside, with what the lines reach in them."""
    ways = _entered(inventory, boxes)
    return {frame: ways[frame] for frame in ways if wider_for_title(inventory, boxes, frame, ways[frame])}


def wider_for_title(inventory: Inventory, boxes: Mapping[str, Box], frame: str, ways: Ways) -> float:
    """How much wider on each side a frame has to be for its title to stand left of the lines that come in from above;
    0 where the title finds room, or where that would be much."""
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
    """For each frame the elements inside which lines reach from above it, and how many."""
    found: dict[str, Counter[str]] = {}
    for tie in inventory.ties:
        for inner, outer in ((tie.source, tie.target), (tie.target, tie.source)):
            if inner not in boxes or outer not in boxes:
                continue
            bottom, around = boxes[outer].bottom, inventory.ancestors(outer)
            for frame in inventory.ancestors(inner):
                if frame in around:
                    break
                if frame != outer and frame in boxes and bottom <= boxes[frame].y:
                    found.setdefault(frame, Counter())[inner] += 1
    return found


def _spans(inventory: Inventory, boxes: Mapping[str, Box], frame: str, ways: Ways) -> Iterator[Span]:
    """From where to where the lines come down that nothing else in the frame stops."""
    for inner, count in ways.items():
        middle, half = boxes[inner].center.x, CLEAR + STEP * (count - 1)
        around = {inner, *inventory.ancestors(inner)}
        way = Box(middle - half, boxes[frame].y, 2 * half, boxes[inner].y - boxes[frame].y)
        row = inventory.children[frame]
        if way.height > 0 and not any(boxes[one].overlaps(way) for one in row if one in boxes and one not in around):
            yield middle - half, middle + half


def _aside(title: Box, frame: Box, spans: Sequence[Span]) -> Box:
    """The title at the nearest place that no span takes."""
    low, high = frame.x + EDGE, frame.right - EDGE - title.width
    starts = [title.x, *(end for _, end in spans), *(start - title.width for start, _ in spans)]
    places = (title._replace(x=x) for x in starts if x == title.x or low <= x <= high)
    free = [place for place in places if _is_clear(place, spans)]
    return min(free, key=lambda place: abs(place.x - title.x), default=title)


def _is_clear(title: Box, spans: Sequence[Span]) -> bool:
    return not any(start < title.right and title.x < end for start, end in spans)
