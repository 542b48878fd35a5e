"""Straight, L and step paths: the cheapest clear one wins before any search runs.

In: the anchors of both ends and the obstacles near them. Out: a path of two to four points, or None when each of them
crosses an obstacle. Rules R-ROUTE-2, R-ROUTE-4.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.spatial_index import Bounds
from scenograph.engine.kernels.obstacles import is_clear
from scenograph.engine.route.costs import BEND, BESIDE_MIDDLES, GOOD_SIDES
from scenograph.engine.route.ports.anchors import Anchor

LEAST_LEG = 14.0  # an end's straight run is never shorter where a corner can be chosen
LEAST_STEP = 6.0  # nor are both legs of a step: the line would lie on the border of an end
STEP_POINTS = 4  # points of a line with two corners
TIP_ROOM = 2.0  # between a marker and the corner after it
MOST_OFFERS, MOST_LOOKS = 8, 500  # where no path is clear, only the cheapest compete, fewer where they cross much


class Path(NamedTuple):
    """An orthogonal path from anchor to anchor and its cost: length, bends and the choice of sides."""

    points: tuple[Point, ...]
    start: Anchor
    finish: Anchor
    cost: float


class _Offer(NamedTuple):
    """What two anchors can make; `slides`: a straight line that may move along both sides past what stands in its
    way."""

    cost: float
    bends: int
    start: Anchor
    finish: Anchor
    slides: bool = False


def cheapest_clear(
    starts: Sequence[Anchor],
    finishes: Sequence[Anchor],
    obstacles: Sequence[Bounds],
    stub: float,
    tips: tuple[float, float] = (0.0, 0.0),
) -> Path | None:
    """The best of the straight, L and step paths that crosses no obstacle and has room for the markers before its
    corners; `tips` are their lengths."""
    for offer in _offers(starts, finishes):
        placed = _slid(offer, obstacles) if offer.slides else offer
        points = _drawn(placed, obstacles, stub) if placed is not None else None
        if placed is None or points is None:
            continue
        if holds(points, tips) and is_clear(points, obstacles):
            return Path(points, placed.start, placed.finish, placed.cost)
    return None


def least_bad(
    starts: Sequence[Anchor],
    finishes: Sequence[Anchor],
    obstacles: Callable[[Bounds], Sequence[Bounds]],
    stub: float,
) -> Path | None:
    """The simple path that crosses the fewest obstacles, the cheapest among equals; `obstacles` answers those that
    reach into a region."""
    best: tuple[int, float, Path] | None = None
    looks = 0
    fixed = [offer for offer in _offers(starts, finishes) if not offer.slides]
    for offer in fixed[:MOST_OFFERS]:
        points = _drawn(offer, (), stub)
        if points is None:
            continue
        # The legs of an orthogonal path
        legs = [Bounds(min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)) for (ax, ay), (bx, by) in pairwise(points)]
        crossed = len({box for leg in legs for box in obstacles(leg)})
        looks += crossed
        if best is None or (crossed, offer.cost) < best[:2]:
            best = crossed, offer.cost, Path(points, offer.start, offer.finish, offer.cost)
        if best[0] == 0 or looks > MOST_LOOKS:
            break
    return best[2] if best else None


def aligned(start: Anchor, finish: Anchor) -> float | None:
    """The coordinate at which both anchors make one straight line: the source's wherever it lies within the target's
    extent (R-ROUTE-2), else the target's, else none."""
    if finish.reach_low <= start.along <= finish.reach_high:
        return start.along
    if start.low <= finish.along <= start.high:
        return finish.along
    return None


def in_line(start: Anchor, finish: Anchor) -> tuple[Anchor, ...]:
    """Both anchors moved onto one straight line; none when their sides do not face each other or nothing fits."""
    offers = _pair(start, finish, 0.0)
    return (offers[0].start, offers[0].finish) if offers and offers[0].bends == 0 else ()


def _offers(starts: Sequence[Anchor], finishes: Sequence[Anchor]) -> list[_Offer]:
    limit = min(a.penalty for a in starts) + min(b.penalty for b in finishes) + GOOD_SIDES
    offers: list[_Offer] = []
    for start in starts:
        for finish in finishes:
            penalty = start.penalty + finish.penalty
            if penalty < limit:
                offers.extend(_pair(start, finish, penalty))
    offers.sort(key=lambda offer: offer.cost)
    return offers


def _pair(start: Anchor, finish: Anchor, penalty: float) -> list[_Offer]:
    """What two sides can offer: none when they turn their backs to each other."""
    ahead = (finish.x - start.x) * start.dx + (finish.y - start.y) * start.dy
    behind = (start.x - finish.x) * finish.dx + (start.y - finish.y) * finish.dy
    if ahead <= 0 or behind <= 0:
        return []
    span = abs(start.x - finish.x) + abs(start.y - finish.y) + penalty
    if (start.dx == 0) != (finish.dx == 0):
        return [_Offer(span + BEND, 1, start, finish)]
    offers: list[_Offer] = []
    line = aligned(start, finish)
    if line is not None:
        straight = _Offer(ahead + penalty, 0, start.at(line), finish.at(line))
        offers.append(straight)
        if start.low < start.high and finish.low < finish.high:
            offers.append(straight._replace(cost=straight.cost + BESIDE_MIDDLES, slides=True))
    if start.along != finish.along:
        offers.append(_Offer(span + 2 * BEND, 2, start, finish))
    return offers


def _slid(offer: _Offer, obstacles: Sequence[Bounds]) -> _Offer | None:
    """The straight line moved along both sides to the nearest place that is free."""
    start, finish = offer.start, offer.finish
    across = 0 if start.dx == 0 else 1
    near, far = sorted((start.y, finish.y) if across == 0 else (start.x, finish.x))
    blocked = [(box[across], box[across + 2]) for box in obstacles if box[1 - across] < far and box[3 - across] > near]
    low, high = max(start.room_low, finish.room_low), min(start.room_high, finish.room_high)
    along = _nearest_free(start.along, low, high, blocked)
    return None if along is None else offer._replace(start=start.at(along), finish=finish.at(along))


def holds(points: Sequence[Point], tips: tuple[float, float]) -> bool:
    """Whether the markers of a path that steps aside end before its corners."""
    if len(points) < STEP_POINTS:
        return True
    ends = (points[:2], points[-2:])
    return all(abs(a.x - b.x) + abs(a.y - b.y) >= tip + TIP_ROOM for (a, b), tip in zip(ends, tips, strict=True) if tip)


def _drawn(offer: _Offer, obstacles: Sequence[Bounds], stub: float) -> tuple[Point, ...] | None:
    start, finish = offer.start, offer.finish
    a, b = Point(start.x, start.y), Point(finish.x, finish.y)
    if offer.bends == 0:
        return a, b
    if offer.bends == 1:
        corner = Point(b.x, a.y) if start.dx else Point(a.x, b.y)
        leg = min(abs(corner.x - a.x) + abs(corner.y - a.y), abs(corner.x - b.x) + abs(corner.y - b.y))
        return (a, corner, b) if leg >= min(stub, LEAST_LEG) else None
    middle = _step(start, finish, obstacles, stub)
    if middle is None:
        return None
    if start.dx:
        return a, Point(middle, a.y), Point(middle, b.y), b
    return a, Point(a.x, middle), Point(b.x, middle), b


def _step(start: Anchor, finish: Anchor, obstacles: Sequence[Bounds], stub: float) -> float | None:
    """Where the cross leg of a step lies: free, and as near to the middle as may be. None when there is no place."""
    sideways = start.dx != 0
    sign = start.dx if sideways else start.dy
    first, last = (start.x, finish.x) if sideways else (start.y, finish.y)
    begin, end = first * sign, last * sign
    if end - begin < 2 * min(stub, LEAST_STEP):
        return None
    middle = (begin + end) / 2
    low, high = (begin + stub, end - stub) if end - begin > 2 * stub else (middle, middle)
    first_along, last_along = start.along, finish.along
    near, far = sorted((first_along, last_along))
    blocked: list[tuple[float, float]] = []
    for left, top, right, bottom in obstacles:
        u0, u1, v0, v1 = (left, right, top, bottom) if sideways else (top, bottom, left, right)
        if sign < 0:
            u0, u1 = -u1, -u0
        if v0 >= far or v1 <= near:
            continue
        if v0 < first_along < v1 and u1 > begin:
            high = min(high, u0)
        if v0 < last_along < v1 and u0 < end:
            low = max(low, u1)
        blocked.append((u0, u1))
    found = _nearest_free(middle, low, high, blocked)
    return None if found is None else found * sign


def _nearest_free(wish: float, low: float, high: float, blocked: list[tuple[float, float]]) -> float | None:
    if low > high:
        return None
    places = [min(high, max(low, wish))]
    places += [edge for pair in blocked for edge in pair if low <= edge <= high]
    places.sort(key=lambda place: (abs(place - wish), place))
    for place in places:
        if not any(u0 < place < u1 for u0, u1 in blocked):
            return place
    return None
