"""The courses of edges as connectors: straight, bent with adjustments, or a line of its own. px.

A bent preset begins along its first segment; PowerPoint turns and mirrors it for other directions (ECMA-376 part 1,
20.1.10.56; the formulas of `presetShapeDefinitions`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import dist

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import Move, Path, Quadratic, polyline
from scenograph.engine.icons.icon import moved
from scenograph.engine.tables import DrawnRoute
from scenograph.engine.write.markup import Markup
from scenograph.engine.write.pptx.drawingml import (
    FULL,
    SlideScale,
    el,
    open_geometry,
    preset_geometry,
    transform,
)

HEADS: Mapping[str, str] = {"triangle": "triangle", "arrow": "arrow", "diamond": "diamond", "circle": "oval"}
"""Our markers by PowerPoint's own; all others are pictures."""
_LONG = frozenset({"diamond"})
_AXIS = 0.05  # px; segments with a smaller deviation are horizontal or vertical
_MOST_BENDS = 4
_THIN = 0.25
"""px; the least extent of a bent connector: adjustments are shares of it, and a connector without extent has none."""
_CURVE = 3


def head(side: str, marker: str | None) -> tuple[Markup, ...]:
    """A native line end; `side` is head (the start) or tail (the end)."""
    kind = HEADS.get(marker or "none")
    if kind is None:
        return ()
    return (el(f"a:{side}End", {"type": kind, "w": "med", "len": "lg" if kind in _LONG else "med"}),)


def corners_of(route: DrawnRoute) -> list[Point]:
    """The corners of a route without repeated points and points within a straight stretch."""
    found: list[Point] = []
    for point in route.points:
        if found and dist(found[-1], point) <= _AXIS:
            continue
        if len(found) > 1 and _is_straight(found[-2], found[-1], point):
            found.pop()
        found.append(point)
    return found if len(found) > 1 else [route.points[0], route.points[-1]]


def _is_straight(a: Point, b: Point, c: Point) -> bool:
    across = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
    along = (b.x - a.x) * (c.x - b.x) + (b.y - a.y) * (c.y - b.y)
    return along > 0 and abs(across) <= _AXIS * dist(a, c)


def course(route: DrawnRoute, ruler: SlideScale) -> tuple[Markup, Markup]:
    """The place and the geometry of a connector from the first to the last point of a route."""
    if route.router == "curved" and len(route.points) == _CURVE:
        start, control, end = route.points
        return _free((Move(start), Quadratic(control, end)), start, end, ruler)
    points = corners_of(route)
    if len(points) == 2:
        return _placed(points[0], points[1], ruler), preset_geometry("straightConnector1", {})
    if len(points) <= _MOST_BENDS + 2 and _is_bent(points):
        return _bent(points, ruler)
    return _free(polyline(points), points[0], points[-1], ruler)


def _is_bent(points: Sequence[Point]) -> bool:
    """Whether segments alternate between horizontal and vertical."""
    ways = [_way(a, b) for a, b in pairwise(points)]
    return all(ways) and all(a != b for a, b in pairwise(ways))


def _way(a: Point, b: Point) -> str:
    return "across" if abs(a.y - b.y) <= _AXIS else "down" if abs(a.x - b.x) <= _AXIS else ""


def _bent(points: Sequence[Point], ruler: SlideScale) -> tuple[Markup, Markup]:
    """A bent preset. In its own frame the first segment runs to the right and the end lies to the right and below."""
    start, end = points[0], points[-1]
    upright = _way(points[0], points[1]) == "down"
    along = [(point.y - start.y if upright else point.x - start.x) for point in points]
    aside = [(start.x - point.x if upright else point.y - start.y) for point in points]
    flips = {"flipH": along[-1] < -_AXIS, "flipV": aside[-1] < -_AXIS}
    width, height = max(abs(along[-1]), _THIN), max(abs(aside[-1]), _THIN)
    along = [-value if flips["flipH"] else value for value in along]
    aside = [-value if flips["flipV"] else value for value in aside]
    shares = [
        round((along[number] / width if number % 2 else aside[number] / height) * FULL)
        for number in range(1, len(points) - 2)
    ]
    middle = Point((start.x + end.x) / 2, (start.y + end.y) / 2)
    box = Box(middle.x - width / 2, middle.y - height / 2, width, height)
    mirrored = {name: 1 for name, is_flipped in flips.items() if is_flipped}
    adjustments = {f"adj{number}": share for number, share in enumerate(shares, 1)}
    geometry = preset_geometry(f"bentConnector{len(points) - 1}", adjustments)
    return transform(ruler, box, 90.0 if upright else 0.0, flips=mirrored), geometry


def _free(path: Path, first: Point, last: Point, ruler: SlideScale) -> tuple[Markup, Markup]:
    """A line of its own between its ends. Its place is mirrored as of any connector, its path mirrored back."""
    right, bottom = max(first.x, last.x), max(first.y, last.y)
    corner = Point(min(first.x, last.x), min(first.y, last.y))

    def mirrored(at: Point) -> Point:
        x = corner.x + right - at.x if last.x < first.x else at.x
        return Point(x, corner.y + bottom - at.y if last.y < first.y else at.y)

    there = tuple(moved(segment, mirrored) for segment in path)
    return _placed(first, last, ruler), open_geometry(there, ruler._replace(origin=corner))


def _placed(first: Point, last: Point, ruler: SlideScale) -> Markup:
    box = Box(min(first.x, last.x), min(first.y, last.y), abs(last.x - first.x), abs(last.y - first.y))
    flips = {"flipH": last.x < first.x, "flipV": last.y < first.y}
    return transform(ruler, box, flips={name: 1 for name, is_flipped in flips.items() if is_flipped})
