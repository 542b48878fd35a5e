"""A line with a gap where its label stands: readable on any ground, and nothing beneath is painted over. px."""

from __future__ import annotations

from itertools import pairwise

from scenograph.engine.geometry.boxes import Box, Point, between
from scenograph.engine.geometry.flatten import flatten
from scenograph.engine.geometry.paths import Close, Line, Move, Path, Segment
from scenograph.engine.geometry.segments import clipped
from scenograph.engine.geometry.spatial_index import Bounds, bounds_of

_TOUCH = 1e-9  # a share of a segment that only touches the box


def outside(path: Path, box: Box) -> Path:
    """The parts of an open path that lie outside `box`. Of curves that reach into it the rest becomes chords."""
    bounds = bounds_of(box)
    segments: list[Segment] = []
    at, pen = Point(0.0, 0.0), None
    for segment in path:
        if isinstance(segment, Close):
            continue
        start, at = at, segment.to
        if isinstance(segment, Move):
            continue
        if not _may_reach(start, segment, bounds):
            if start != pen:
                segments.append(Move(start))
            segments.append(segment)
            pen = at
            continue
        for begin, end in _pieces_outside(start, segment, bounds):
            if begin != pen:
                segments.append(Move(begin))
            segments.append(Line(end))
            pen = end
    return tuple(segments)


def _may_reach(start: Point, segment: Segment, bounds: Bounds) -> bool:
    """Whether the box round the points of a segment meets the bounds; a curve stays in that box."""
    left, top, right, bottom = bounds
    if isinstance(segment, Line):
        (ax, ay), (bx, by) = start, segment.to
        apart = (ax > right and bx > right) or (ax < left and bx < left)
        return not (apart or (ay > bottom and by > bottom) or (ay < top and by < top))
    xs, ys = zip(start, *segment, strict=True)
    return min(xs) <= right and max(xs) >= left and min(ys) <= bottom and max(ys) >= top


def _pieces_outside(start: Point, segment: Segment, bounds: Bounds) -> list[tuple[Point, Point]]:
    """The straight pieces of a segment that lie outside."""
    if isinstance(segment, Line):
        return _line_outside(start, segment.to, bounds)
    chords = pairwise(flatten((Move(start), segment))[0])
    return [piece for a, b in chords for piece in _line_outside(a, b, bounds)]


def _line_outside(a: Point, b: Point, bounds: Bounds) -> list[tuple[Point, Point]]:
    inside = clipped(a, b, bounds)
    if inside is None or inside[1] - inside[0] < _TOUCH:
        return [(a, b)]
    enter, leave = inside
    pieces: list[tuple[Point, Point]] = []
    if enter > 0:
        pieces.append((a, between(a, b, enter)))
    if leave < 1:
        pieces.append((between(a, b, leave), b))
    return pieces
