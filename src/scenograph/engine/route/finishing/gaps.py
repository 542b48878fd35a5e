"""A line with a gap where its label stands: readable on any ground, and nothing beneath is painted over. px."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from scenograph.engine.geometry.boxes import Box, Point, between
from scenograph.engine.geometry.flatten import flatten
from scenograph.engine.geometry.paths import Close, Cubic, Line, Move, Path, Quadratic, Segment
from scenograph.engine.geometry.segments import clipped
from scenograph.engine.geometry.spatial_index import Bounds

_TOUCH = 1e-9  # a share of a segment that only touches the box

Piece = tuple[Point, Segment]  # where the pen stands, and what it draws from there


def outside(path: Path, box: Box) -> Path:
    """The parts of an open path that lie outside `box`. Of curves that reach into it the rest becomes chords."""
    bounds = Bounds(box.x, box.y, box.right, box.bottom)
    return _joined(piece for start, segment in _drawn(path) for piece in _outside(start, segment, bounds))


def _drawn(path: Path) -> Iterator[Piece]:
    at = Point(0.0, 0.0)
    for segment in path:
        if isinstance(segment, Close):
            continue
        if not isinstance(segment, Move):
            yield at, segment
        at = segment.to


def _outside(start: Point, segment: Segment, bounds: Bounds) -> Iterator[Piece]:
    if isinstance(segment, Line):
        yield from _line_outside(start, segment.to, bounds)
    elif _may_reach(start, segment, bounds):
        for a, b in pairwise(flatten((Move(start), segment))[0]):
            yield from _line_outside(a, b, bounds)
    else:
        yield start, segment


def _may_reach(start: Point, segment: Segment, bounds: Bounds) -> bool:
    """Whether the box round a curve's points meets the bounds; a curve stays in that box."""
    points = [start]
    if isinstance(segment, Cubic):
        points += [segment.control1, segment.control2, segment.to]
    elif isinstance(segment, Quadratic):
        points += [segment.control, segment.to]
    xs, ys = [point.x for point in points], [point.y for point in points]
    return min(xs) <= bounds.right and max(xs) >= bounds.left and min(ys) <= bounds.bottom and max(ys) >= bounds.top


def _line_outside(a: Point, b: Point, bounds: Bounds) -> Iterator[Piece]:
    inside = clipped(a, b, bounds)
    if inside is None or inside[1] - inside[0] < _TOUCH:
        yield a, Line(b)
        return
    enter, leave = inside
    if enter > 0:
        yield a, Line(between(a, b, enter))
    if leave < 1:
        yield between(a, b, leave), Line(b)


def _joined(pieces: Iterable[Piece]) -> Path:
    segments: list[Segment] = []
    pen: Point | None = None
    for start, segment in pieces:
        if start != pen:
            segments.append(Move(start))
        segments.append(segment)
        pen = None if isinstance(segment, Close) else segment.to
    return tuple(segments)
