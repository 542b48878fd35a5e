"""Straight segments between boxes: end points, crossings, and boxes in between. px."""

from __future__ import annotations

from math import floor, hypot
from typing import Final

from scenograph.engine.kernels.cell_grid import EVERY, BoxSides, CellGrid

# Straight segments against boxes. px.


XY = tuple[float, float]  # a point, or lengths along both axes
Interval = tuple[float, float]  # the lower end and the upper end
PARALLEL: Final = 0.01  # px; a piece with a smaller deviation is level or upright
TOLERANCE: Final = 0.01  # px; what layout arithmetic leaves must not decide between two pixels
DECIMALS: Final = 2  # of px in a result (R-ROUTE-17)
ENDLESS: Final = float("inf")
LEAST_PART: Final = 1e-12  # of a segment; less of it inside a box is a touch


def hull(points: tuple[XY, ...]) -> BoxSides:
    """The sides of the smallest box round points."""
    left, top = points[0]
    right, bottom = left, top
    for x, y in points:
        left, right = min(left, x), max(right, x)
        top, bottom = min(top, y), max(bottom, y)
    return left, top, right, bottom


def sharpened(points: tuple[XY, ...], offset: float) -> tuple[XY, ...]:
    """A polyline with its level and upright segments on sharp coordinates: `offset` px (0 or a half) beyond a whole
    number. Slanted segments follow."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    for number in range(len(points) - 1):
        (ax, ay), (bx, by) = points[number], points[number + 1]
        dx, dy = abs(ax - bx), abs(ay - by)
        if dx < PARALLEL < dy:
            xs[number] = xs[number + 1] = sharp(ax, offset)
        elif dy < PARALLEL < dx:
            ys[number] = ys[number + 1] = sharp(ay, offset)
    return tuple([(x, ys[number]) for number, x in enumerate(xs)])


def sharp(coordinate: float, offset: float) -> float:
    """The nearest coordinate `offset` px beyond a whole number."""
    return floor(coordinate + (0.5 - offset) + TOLERANCE) + offset


def rounded(points: tuple[XY, ...]) -> tuple[XY, ...]:
    """The same points with at most `DECIMALS`."""
    return tuple([(_rounded(x), _rounded(y)) for x, y in points])


def _rounded(coordinate: float) -> float:
    """A coordinate rounded to `DECIMALS`; half pixels, the usual case, skip the rounding."""
    doubled = 2.0 * coordinate
    return coordinate if floor(doubled) == doubled else round(coordinate, DECIMALS)


def clip(a: XY, b: XY, box: BoxSides) -> Interval:
    """The part of the segment a-b inside the closed box as two parameters from 0 to 1; the second is less than the
    first for no part (Liang and Barsky, 1984)."""
    ax, ay = a
    bx, by = b
    left, top, right, bottom = box
    return _clip_axis(ay, by - ay, top, bottom, _clip_axis(ax, bx - ax, left, right, (0.0, 1.0)))


def _clip_axis(at: float, step: float, low: float, high: float, part: Interval) -> Interval:
    """The given part of a segment, clipped to two coordinates."""
    if step == 0.0:
        return part if low <= at <= high else (1.0, 0.0)
    first, last = (at - low) / -step, (high - at) / step
    if step < 0.0:
        first, last = last, first
    return max(part[0], first), min(part[1], last)


def crosses(a: XY, b: XY, box: BoxSides) -> bool:
    """Whether a segment shares a point with the interior of a box."""
    ax, ay = a
    bx, by = b
    left, top, right, bottom = box
    if min(ax, bx) >= right or max(ax, bx) <= left or min(ay, by) >= bottom or max(ay, by) <= top:
        return False
    if ax == bx or ay == by:
        return True
    first, last = clip(a, b, box)
    if last - first <= LEAST_PART:
        return False
    middle = (first + last) / 2
    return left < ax + (bx - ax) * middle < right and top < ay + (by - ay) * middle < bottom


def distance(a: XY, b: XY, box: BoxSides) -> float:
    """The distance from a segment to a box; 0 on contact."""
    first, last = clip(a, b, box)
    if first <= last:
        return 0.0
    left, top, right, bottom = box
    found = min(_beyond(a, box), _beyond(b, box))
    for x, y in ((left, top), (right, top), (right, bottom), (left, bottom)):
        found = min(found, _off(x, y, a, b))
    return found


def _beyond(point: XY, box: BoxSides) -> float:
    """The distance from a point to a box; 0 inside."""
    x, y = point
    left, top, right, bottom = box
    return hypot(max(left - x, 0.0, x - right), max(top - y, 0.0, y - bottom))


def _off(x: float, y: float, a: XY, b: XY) -> float:
    """The distance from a point to a segment."""
    (ax, ay), (bx, by) = a, b
    dx, dy = bx - ax, by - ay
    square = dx * dx + dy * dy
    if square == 0.0:
        return hypot(x - ax, y - ay)
    part = min(1.0, max(0.0, ((x - ax) * dx + (y - ay) * dy) / square))
    return hypot(x - ax - part * dx, y - ay - part * dy)


def far_places(places: list[BoxSides], lines: list[tuple[XY, ...]], reach: float) -> list[bool]:
    """For each place, whether the line of the same number stays farther off than `reach`."""
    found = [True] * len(places)
    for number, points in enumerate(lines):
        for end in range(1, len(points)):
            if distance(points[end - 1], points[end], places[number]) < reach:
                found[number] = False
                break
    return found


# Places crossed by lines. px.


CELL: Final = 160.0  # px; some places each

PlacedLine = tuple[int, tuple[XY, ...]]
"""The owner of a line, and its corners."""


def crossed_places(places: list[BoxSides], owners: list[int], lines: list[PlacedLine]) -> list[bool]:
    """For each place, owned by `owners`, whether a foreign route shares a point with its interior."""
    found = [False] * len(places)
    grid = CellGrid(CELL)
    grid.add_all(places)  # places are smaller than lines, and fewer
    for owner, points in lines:
        for end in range(1, len(points)):
            a, b = points[end - 1], points[end]
            ax, ay = a
            bx, by = b
            for number in grid.near(min(ax, bx), min(ay, by), max(ax, bx), max(ay, by), EVERY):
                if not found[number] and owners[number] != owner and crosses(a, b, places[number]):
                    found[number] = True
    return found


Piece = tuple[XY, XY]
"""The two ends of a segment."""
COINCIDING: Final = 0.5  # px; segments closer than this lie on each other
APART: Final = -1.0  # px; the overlap of segments without one


def overlap(a: XY, b: XY, c: XY, d: XY) -> float:
    """The distance, px, from `a` to the overlap of the segments a-b and c-d, both along one axis; `APART` without an
    overlap."""
    ax, ay = a
    bx, by = b
    cx, cy = c
    dx, dy = d
    found = APART
    if abs(by - ay) < COINCIDING and abs(cy - ay) < COINCIDING and abs(dy - ay) < COINCIDING:
        found = _overlap_along(ax, bx, cx, dx)
    if found == APART and abs(bx - ax) < COINCIDING and abs(cx - ax) < COINCIDING and abs(dx - ax) < COINCIDING:
        found = _overlap_along(ay, by, cy, dy)
    return found


def _overlap_along(a: float, b: float, c: float, d: float) -> float:
    """The `overlap` of two segments on one line, given by their places along the line."""
    low = max(min(a, b), min(c, d))
    high = min(max(a, b), max(c, d))
    return min(abs(low - a), abs(high - a)) if high - low > COINCIDING else APART


def is_crossed(place: BoxSides, foreign: list[Piece], own: list[Piece]) -> bool:
    """Whether a foreign segment that lies on none of the `own` segments shares a point with the interior of a place."""
    for a, b in foreign:
        if crosses(a, b, place):
            for c, d in own:
                if overlap(a, b, c, d) != APART:
                    break
            else:
                return True
    return False


# A straight line from (x, y) by (dx, dy), and its outermost x.
SweptLine = tuple[float, float, float, float, float, float]
# A straight line from (x, y) to (x, y), and a box by its corner, width and height.
StraightLine = tuple[float, float, float, float]
Rectangle = tuple[float, float, float, float]


def line_between(first: Rectangle, second: Rectangle) -> StraightLine:
    """The segment between two boxes from side to side along the flow, which runs downwards; from middle to middle for
    boxes beside each other."""
    x1, y1, width1, height1 = first
    x2, y2, width2, height2 = second
    middle1, middle2 = x1 + width1 / 2, x2 + width2 / 2
    if y2 >= y1 + height1:
        return middle1, y1 + height1, middle2, y2
    if y1 >= y2 + height2:
        return middle1, y1, middle2, y2 + height2
    return middle1, y1 + height1 / 2, middle2, y2 + height2 / 2


def drop(upper: Rectangle, lower: Rectangle, bend: float, beside: float, against: float) -> float:
    """The length of an edge from `upper` down to `lower`, plus the prices for a bend, for boxes beside each other, and
    for running upwards."""
    x1, y1, width1, height1 = upper
    x2, y2, width2, height2 = lower
    aside = abs((x1 + width1 / 2) - (x2 + width2 / 2))
    if aside >= 1:
        aside += bend
    if y2 >= y1 + height1:
        return aside + y2 - (y1 + height1)
    if y2 + height2 > y1:
        return aside + beside
    return aside + y1 - (y2 + height2) + against


def crossings(line: StraightLine, others: list[StraightLine]) -> int:
    """The number of segments that a segment crosses; segments with a common end do not count."""
    x1, y1, x2, y2 = line
    left, right, top, bottom = min(x1, x2), max(x1, x2), min(y1, y2), max(y1, y2)
    found = 0
    for other in others:
        x3, y3, x4, y4 = other
        if (x3 < left and x4 < left) or (x3 > right and x4 > right):
            continue
        if (y3 < top and y4 < top) or (y3 > bottom and y4 > bottom):
            continue
        if (x1 == x3 and y1 == y3) or (x1 == x4 and y1 == y4) or (x2 == x3 and y2 == y3) or (x2 == x4 and y2 == y4):
            continue
        if _divides(line, other) and _divides(other, line):
            found += 1
    return found


def crossings_of(lines: list[list[StraightLine]]) -> list[tuple[int, int, int]]:
    """The pairs of polylines that cross, by index, with their number of crossings."""
    found: list[tuple[int, int, int]] = []
    extents = [_extent(pieces) for pieces in lines]
    for at, pieces in enumerate(lines):
        left, top, right, bottom = extents[at]
        for other in range(at):
            side, upper, far, lower = extents[other]
            if far < left or side > right or lower < top or upper > bottom:
                continue
            count = 0
            for piece in pieces:
                count += crossings(piece, lines[other])
            if count:
                found.append((other, at, count))
    return found


def _extent(pieces: list[StraightLine]) -> BoxSides:
    """The sides of the smallest box round a polyline; of an empty one, a box apart from all others."""
    left, top, right, bottom = ENDLESS, ENDLESS, -ENDLESS, -ENDLESS
    for x1, y1, x2, y2 in pieces:
        left, top = min(left, x1, x2), min(top, y1, y2)
        right, bottom = max(right, x1, x2), max(bottom, y1, y2)
    return left, top, right, bottom


def crossing_pairs(lines: list[StraightLine]) -> int:
    """The number of crossing pairs of segments, each from left end to right end, sorted by left ends."""
    found = 0
    for number in range(len(lines)):
        line = lines[number]
        right, top, bottom = line[2], min(line[1], line[3]), max(line[1], line[3])
        for at in range(number + 1, len(lines)):
            other = lines[at]
            if other[0] >= right:
                break
            if (other[1] >= bottom and other[3] >= bottom) or (other[1] <= top and other[3] <= top):
                continue
            if _divides(line, other) and _divides(other, line):
                found += 1
    return found


def boxes_hit(line: StraightLine, boxes: list[Rectangle]) -> int:
    """How many boxes a line passes through."""
    found = 0
    for box in boxes:
        if hits(line, box):
            found += 1
    return found


def lines_through(lines: list[StraightLine], box: Rectangle) -> int:
    """How many lines pass through a box."""
    found = 0
    for line in lines:
        if hits(line, box):
            found += 1
    return found


def hits(line: StraightLine, box: Rectangle) -> bool:
    x1, y1, x2, y2 = line
    x, y, width, height = box
    right, bottom = x + width, y + height
    if (x1 <= x and x2 <= x) or (x1 >= right and x2 >= right) or (y1 <= y and y2 <= y):
        return False
    if y1 >= bottom and y2 >= bottom:
        return False
    if x1 == x2 or y1 == y2:
        return True
    return _divides(line, (x, y, right, bottom)) or _divides(line, (x, bottom, right, y))


def _divides(line: StraightLine, other: StraightLine) -> bool:
    """Whether the ends of `other` lie on different sides of the infinite line through `line`."""
    x1, y1, x2, y2 = line
    x3, y3, x4, y4 = other
    dx, dy = x2 - x1, y2 - y1
    return (dx * (y3 - y1) - dy * (x3 - x1)) * (dx * (y4 - y1) - dy * (x4 - x1)) < 0


def segment(ax: float, ay: float, bx: float, by: float) -> SweptLine:
    """The line from (ax, ay) to (bx, by)."""
    return (ax, ay, bx - ax, by - ay, bx if bx < ax else ax, bx if bx > ax else ax)


def pulled(line: SweptLine, at_start: float, at_end: float) -> SweptLine:
    """A segment with both ends moved across."""
    x, y, dx, dy, _, _ = line
    start, end = x + at_start, x + dx + at_end
    return (start, y, end - start, dy, start, end) if start < end else (start, y, end - start, dy, end, start)


def sharing_heights(spans: list[tuple[float, float]]) -> list[list[int]]:
    """For each segment the numbers of the segments at overlapping heights, touching aside; a span is a segment's least
    and greatest y."""
    found: list[list[int]] = []
    for number, (high, low) in enumerate(spans):
        row: list[int] = []
        for other, (top, bottom) in enumerate(spans):
            if top < low and high < bottom and other != number:
                row.append(other)
        found.append(row)
    return found


def crossed(lines: list[SweptLine], near: list[int], number: int) -> set[int]:
    """The segments among `near` that a segment crosses; touching segments do not count."""
    x, y, dx, dy, left, right = lines[number]
    found: set[int] = set()
    for other in near:
        ox, oy, odx, ody, oleft, oright = lines[other]
        if oright <= left or right <= oleft:
            continue
        gx, gy = ox - x, oy - y
        start, end = dx * gy - dy * gx, dx * (gy + ody) - dy * (gx + odx)
        if start * end < 0 and (odx * -gy + ody * gx) * (odx * (dy - gy) - ody * (dx - gx)) < 0:
            found.add(other)
    return found
