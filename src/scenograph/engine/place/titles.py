"""Frames' titles, moved aside where a line comes straight down through them to an element inside.

In: the inventory, the boxes and the parts. Out: the parts, such titles moved along the frame's upper edge as little as
must be; where there is no room beside the lines, they stay. px.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from scenograph.engine.geometry.boxes import Box
from scenograph.engine.place.inventory import Inventory
from scenograph.engine.place.narrow_gaps import Parts
from scenograph.scene.model import Frame

CLEAR = 10.0  # between a title and the line beside it
STEP = 6.0  # more for each further line to the same element
EDGE = 8.0  # kept from the frame's sides
BANDS = ("pool", "lane")

Span = tuple[float, float]


def titles_beside_lines(inventory: Inventory, boxes: Mapping[str, Box], parts: Parts) -> dict[str, Mapping[str, Box]]:
    """The parts with titles clear of what comes from above, where there is room."""
    found = dict(parts)
    entered = _entered(inventory, boxes)
    for frame, ways in entered.items():
        title, element = found.get(frame, {}).get("title"), inventory.elements[frame]
        if title is not None and isinstance(element, Frame) and element.container_type not in BANDS:
            spans = list(_spans(inventory, boxes, frame, ways))
            found[frame] = {**found[frame], "title": _aside(title, boxes[frame], spans)}
    return found


def _entered(inventory: Inventory, boxes: Mapping[str, Box]) -> dict[str, Counter[str]]:
    """For each frame the elements inside which lines reach from above it, and how many."""
    found: dict[str, Counter[str]] = {}
    for tie in inventory.ties:
        for inner, outer in ((tie.source, tie.target), (tie.target, tie.source)):
            if inner not in boxes or outer not in boxes:
                continue
            around = {outer, *inventory.ancestors(outer)}
            for frame in inventory.ancestors(inner):
                if frame in boxes and frame not in around and boxes[outer].bottom <= boxes[frame].y:
                    found.setdefault(frame, Counter())[inner] += 1
    return found


def _spans(inventory: Inventory, boxes: Mapping[str, Box], frame: str, ways: Mapping[str, int]) -> Iterator[Span]:
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
    free = [
        x
        for x in starts
        if x == title.x or low <= x <= high
        if not any(start < x + title.width and x < end for start, end in spans)
    ]
    return title._replace(x=min(free, key=lambda x: abs(x - title.x), default=title.x))
