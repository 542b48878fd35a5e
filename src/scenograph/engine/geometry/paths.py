"""Paths as data, for outlines, markers and routes. px, y grows downwards.

Common figures, curves as straight segments, contacts with outlines, sharp strokes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import fsum, hypot
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box, Point, maker
from scenograph.engine.geometry.directions import LEVEL_SIDES
from scenograph.engine.geometry.spatial_index import Bounds
from scenograph.engine.kernels import straight_lines
from scenograph.engine.kernels.straight_lines import sharp

# Paths as data: the one form in which outlines, markers and edges are drawn and hand-drawn. Only move, line, cubic,
# quadratic and close exist; arcs are written as cubics by whoever builds the path, so that every later stage
# (flattening, wobble, writing) meets five commands.


class Move(NamedTuple):
    """Start a subpath."""

    to: Point


class Line(NamedTuple):
    """A straight segment."""

    to: Point


class Cubic(NamedTuple):
    """A cubic Bezier segment."""

    control1: Point
    control2: Point
    to: Point


class Quadratic(NamedTuple):
    """A quadratic Bezier segment."""

    control: Point
    to: Point


class Close(NamedTuple):
    """Close the subpath."""


Segment = Move | Line | Cubic | Quadratic | Close
Path = tuple[Segment, ...]


# Common figures as paths, closed and clockwise on the screen. px, y grows downwards.


QUARTER_ARC = 0.5522847498307936
"""Reach of a cubic's control points for a quarter of a unit circle; it is off by at most 0.03 % of the radius."""

_FULL_TURN = 2 * math.pi
_CLOSE = Close()
_at, _line, _cubic = maker(Point), maker(Line), maker(Cubic)  # a scene has hundreds of rounded boxes


def rectangle(box: Box) -> Path:
    """The four sides of a box."""
    left, top, width, height = box
    right, bottom = left + width, top + height
    return polygon((Point(left, top), Point(right, top), Point(right, bottom), Point(left, bottom)))


def rounded_rectangle(box: Box, radius: float) -> Path:
    """A box with quarter circles at its corners; `radius` is limited to half of the shorter side."""
    left, top, width, height = box
    r = min(radius, width / 2, height / 2)
    if r <= 0:
        return rectangle(box)
    right, bottom = left + width, top + height
    k = r * (1 - QUARTER_ARC)
    return (
        Move(_at((left + r, top))),
        _line((_at((right - r, top)),)),
        _cubic((_at((right - k, top)), _at((right, top + k)), _at((right, top + r)))),
        _line((_at((right, bottom - r)),)),
        _cubic((_at((right, bottom - k)), _at((right - k, bottom)), _at((right - r, bottom)))),
        _line((_at((left + r, bottom)),)),
        _cubic((_at((left + k, bottom)), _at((left, bottom - k)), _at((left, bottom - r)))),
        _line((_at((left, top + r)),)),
        _cubic((_at((left, top + k)), _at((left + k, top)), _at((left + r, top)))),
        _CLOSE,
    )


def ellipse(box: Box) -> Path:
    """The ellipse inscribed in a box."""
    start = Point(box.x, box.center.y)
    return (Move(start), *elliptic_arc(box, math.pi, math.pi + _FULL_TURN), Close())


def circle(center: Point, radius: float) -> Path:
    """A circle."""
    return ellipse(Box(center.x - radius, center.y - radius, 2 * radius, 2 * radius))


def elliptic_arc(box: Box, start: float, end: float) -> tuple[Cubic, ...]:
    """The part of a box's ellipse between two angles (radians, 0 at the right, growing clockwise on the screen), as
    cubics of at most a quarter turn. The pen stands at the start already."""
    pieces = max(1, math.ceil(abs(end - start) / (math.pi / 2) - 1e-9))
    step = (end - start) / pieces
    return tuple(_short_arc(box, start + i * step, step) for i in range(pieces))


def point_on_ellipse(box: Box, angle: float) -> Point:
    """The point of a box's ellipse at an angle (as in `elliptic_arc`)."""
    x, y, width, height = box
    return Point(x + width / 2 + width / 2 * math.cos(angle), y + height / 2 + height / 2 * math.sin(angle))


def polygon(corners: Iterable[Point]) -> Path:
    """A closed polygon."""
    return (*polyline(corners), Close())


def polyline(points: Iterable[Point]) -> Path:
    """An open chain of straight segments, through at least one point."""
    first, *rest = points
    segments: list[Segment] = [Move(first)]
    segments.extend(Line(point) for point in rest)
    return tuple(segments)


def segment(start: Point, end: Point) -> Path:
    """A straight line."""
    return (Move(start), Line(end))


def _short_arc(box: Box, start: float, sweep: float) -> Cubic:
    k = 4 / 3 * math.tan(sweep / 4)
    a, b = point_on_ellipse(box, start), point_on_ellipse(box, start + sweep)
    rx, ry = box.width / 2 * k, box.height / 2 * k
    end = start + sweep
    return Cubic(
        Point(a.x - rx * math.sin(start), a.y + ry * math.cos(start)),
        Point(b.x + rx * math.sin(end), b.y - ry * math.cos(end)),
        b,
    )


# Curves to straight segments, within a tolerance. px.


_DEFAULT_TOLERANCE = 0.04


def flatten(path: Path, tolerance: float = _DEFAULT_TOLERANCE) -> tuple[tuple[Point, ...], ...]:
    """Every subpath as a chain of points within `tolerance` px of the path; a closed subpath repeats its first
    point."""
    subpaths: list[list[Point]] = []
    for segment in path:
        if isinstance(segment, Move):
            subpaths.append([segment.to])
            continue
        if not subpaths:
            continue
        points = subpaths[-1]
        if isinstance(segment, Close):
            points.append(points[0])
        elif isinstance(segment, Line):
            points.append(segment.to)
        elif isinstance(segment, Cubic):
            points.extend(_cubic_points(points[-1], segment, tolerance))
        else:
            points.extend(_quadratic_points(points[-1], segment, tolerance))
    return tuple(tuple(points) for points in subpaths)


def _cubic_points(start: Point, curve: Cubic, tolerance: float) -> list[Point]:
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = start, curve.control1, curve.control2, curve.to
    bend = max(math.hypot(ax - 2 * bx + cx, ay - 2 * by + cy), math.hypot(bx - 2 * cx + dx, by - 2 * cy + dy))
    steps = max(1, math.ceil(math.sqrt(0.75 * bend / tolerance)))
    points: list[Point] = []
    for i in range(1, steps):
        t = i / steps
        u = 1 - t
        p, q, r, s = u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t
        points.append(Point(p * ax + q * bx + r * cx + s * dx, p * ay + q * by + r * cy + s * dy))
    return [*points, curve.to]


def _quadratic_points(start: Point, curve: Quadratic, tolerance: float) -> list[Point]:
    (ax, ay), (bx, by), (cx, cy) = start, curve.control, curve.to
    bend = math.hypot(ax - 2 * bx + cx, ay - 2 * by + cy)
    steps = max(1, math.ceil(math.sqrt(0.25 * bend / tolerance)))
    points: list[Point] = []
    for i in range(1, steps):
        t = i / steps
        u = 1 - t
        points.append(Point(u * u * ax + 2 * u * t * bx + t * t * cx, u * u * ay + 2 * u * t * by + t * t * cy))
    return [*points, curve.to]


# Outlines as closed chains of corners: where a line meets one. px. Exact for straight sides; elsewhere as exact as
# the chain is. Nothing here fails: when a line misses the outline, the nearest place on it is given.


_EPSILON = 1e-9


class Chain(NamedTuple):
    """A flattened outline with the corner of its box at the origin: coordinates of its corners, the first repeated at
    the end. The outline follows the sides of the box except for the last `rounding` px beside each corner (inf:
    nowhere)."""

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    rounding: float = math.inf


def line_contact(chain: Chain, box: Box, outside: Point, inside: Point) -> Point:
    """The first contact of the line from `outside` toward `inside` with the outline in `box`.

    If the segment does not reach the outline, the whole line is tried, beginning at `outside`; at last the nearest
    side.
    """
    start = Point(outside.x - box.x, outside.y - box.y)
    way = Point(inside.x - outside.x, inside.y - outside.y)
    shares = sorted(_crossings(chain, start, way)) if math.hypot(*way) > _EPSILON else []
    if not shares:
        corners = tuple(map(Point, chain.xs, chain.ys))
        nearest = min((_foot(p, q, start) for p, q in pairwise(corners)), key=lambda foot: math.dist(foot, start))
        return Point(nearest.x + box.x, nearest.y + box.y)
    share = _first_met(shares)
    return Point(outside.x + share * way.x, outside.y + share * way.y)


def straight_contact(chain: Chain, box: Box, side: str, coordinate: float) -> Point:
    """The contact of a straight line from `side` (top, right, bottom, left) with the outline; `coordinate` is its x for
    top and bottom, its y for left and right, clamped to the box."""
    low, high = (box.x, box.right) if side in LEVEL_SIDES else (box.y, box.bottom)
    at = min(max(coordinate, low), high)
    depth = 0.0 if min(at - low, high - at) >= chain.rounding else _depth(chain, box, side, at)
    if side == "top":
        return Point(at, box.y + depth)
    if side == "bottom":
        return Point(at, box.bottom - depth)
    return Point(box.x + depth, at) if side == "left" else Point(box.right - depth, at)


def _first_met(shares: list[float]) -> float:
    """The first crossing between start and end; else the last crossing behind the start (then inside the shape), else
    the first beyond the end."""
    behind = [share for share in shares if share < -_EPSILON]
    ahead = shares[len(behind) :]
    if ahead and (ahead[0] <= 1 + _EPSILON or not behind):
        return ahead[0]
    return behind[-1]


def _depth(chain: Chain, box: Box, side: str, at: float) -> float:
    """The depth of the outline behind a side of its box, at a coordinate along the side."""
    if side in LEVEL_SIDES:
        levels, extent = _levels(chain.xs, chain.ys, at - box.x), box.height
    else:
        levels, extent = _levels(chain.ys, chain.xs, at - box.y), box.width
    return min(levels) if side in ("top", "left") else extent - max(levels)


def _levels(xs: tuple[float, ...], ys: tuple[float, ...], coordinate: float) -> list[float]:
    """The y values of a chain at an x, clamped to the chain's extent."""
    at = min(max(coordinate, min(xs)), max(xs))
    levels: list[float] = []
    before, level_before = xs[0], ys[0]
    for here, level in zip(xs, ys, strict=True):
        if before <= at <= here or here <= at <= before:
            span = here - before
            levels.append(level_before if span == 0 else level_before + (at - before) / span * (level - level_before))
        before, level_before = here, level
    return levels


def _crossings(chain: Chain, start: Point, way: Point) -> list[float]:
    """The shares of `way` at which a line from `start` crosses the chain."""
    (x, y), (dx, dy) = start, way
    found: list[float] = []
    before_x, before_y = chain.xs[0] - x, chain.ys[0] - y
    before = dx * before_y - dy * before_x  # on which side of the line a corner lies, and how far
    for corner_x, corner_y in zip(chain.xs, chain.ys, strict=True):
        here_x, here_y = corner_x - x, corner_y - y
        here = dx * here_y - dy * here_x
        if (before <= 0 <= here or here <= 0 <= before) and before != here:
            part = before / (before - here)
            meet_x, meet_y = before_x + part * (here_x - before_x), before_y + part * (here_y - before_y)
            found.append((meet_x * dx + meet_y * dy) / (dx * dx + dy * dy))
        before_x, before_y, before = here_x, here_y, here
    return found


def _foot(p: Point, q: Point, place: Point) -> Point:
    """The point of a segment nearest to `place`."""
    ex, ey = q.x - p.x, q.y - p.y
    length = ex * ex + ey * ey
    share = ((place.x - p.x) * ex + (place.y - p.y) * ey) / length if length else 0.0
    share = min(max(share, 0.0), 1.0)
    return Point(p.x + share * ex, p.y + share * ey)


# Sharp strokes: a line of odd width sits on a pixel's middle, one of even width between two pixels. px. Shapes are
# moved by at most half a pixel for it; `computed` bounds are not touched.


def crisp(coordinate: float, stroke_width: float) -> float:
    """The nearest coordinate at which a stroke of the given width is sharp."""
    return sharp(coordinate, offset_of(stroke_width))


def offset_of(stroke_width: float) -> float:
    """The offset from a whole coordinate at which a stroke of the given width is sharp."""
    return 0.5 if int(stroke_width + 0.5) % 2 else 0.0


def crisp_box(box: Box, stroke_width: float) -> Box:
    """The box with all four sides on sharp lines."""
    (x, y, width, height), offset = box, offset_of(stroke_width)
    left, top = sharp(x, offset), sharp(y, offset)
    return Box(left, top, sharp(x + width, offset) - left, sharp(y + height, offset) - top)


# Straight segments and polylines against each other and against boxes, px.


_CURVE_STEPS = 24


def length(points: Sequence[Point]) -> float:
    """The length of a polyline."""
    return fsum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points))


def manhattan(a: Point, b: Point) -> float:
    """The distance along the axes."""
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def clipped(a: Point, b: Point, box: Bounds) -> tuple[float, float] | None:
    """The part of the segment a-b inside the closed box as parameters 0 to 1, or None (Liang and Barsky, 1984)."""
    part = straight_lines.clip(a, b, box)
    return part if part[0] <= part[1] else None


def crosses(a: Point, b: Point, box: Bounds) -> bool:
    """Whether the segment shares a point with the interior of the box."""
    return straight_lines.crosses(a, b, box)


def distance(a: Point, b: Point, box: Bounds) -> float:
    """The distance from the segment to the box, px; 0 on contact."""
    return straight_lines.distance(a, b, box)


def quadratic(start: Point, control: Point, end: Point, steps: int = _CURVE_STEPS) -> tuple[Point, ...]:
    """A quadratic Bezier curve as `steps` chords."""
    points: list[Point] = []
    for step in range(steps + 1):
        t = step / steps
        u = 1.0 - t
        points.append(
            Point(
                u * u * start[0] + 2 * u * t * control[0] + t * t * end[0],
                u * u * start[1] + 2 * u * t * control[1] + t * t * end[1],
            )
        )
    return tuple(points)
