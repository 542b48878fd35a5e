"""Where the label of an edge may stand, the better places before the worse. px.

In: an edge with the size of its label. Out: spots with what each costs by itself; what stands there already is looked
at in `labels`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.spatial_index import Bounds

PADDING = 2.0  # kept free round the text
CORNER_ROOM = 8.0  # kept free at both ends of a segment
TIP_ROOM = 4.0  # and beside a marker
TIP_HALF = 5.0  # of a marker's breadth
# Places along a segment, from its middle to both ends of the slack:
SHARES = (0.0, -0.25, 0.25, -0.5, 0.5, -0.75, 0.75, -1.0, 1.0)
FINE_STEP = 10.0  # px; between places tried along a line
BESIDE_GAP = 4.0  # px; between a line and a label beside it
SHORT = 30.0  # price of a place that is too short for its label
STANDS_BESIDE = 8.0  # price of a place beside the line
BETWEEN_FELLOWS = 40.0  # beside a line that has others of its fan on both sides
OFF_MIDDLE = 8.0  # price of a place at the end of a stretch
UPRIGHT = 2.0  # a line of text sits better on a level line
SHORTER = 8.0  # for the shortest segment; the longest costs nothing
OFF_OWN = 100.0  # on what a line shares with others that have labels too
OFF_TRUNK = 20.0  # for a label that speaks for a whole trunk
FINE_LIMIT = 60  # places tried along a line
FAR_GAPS = (10.0, 18.0, 28.0, 40.0)  # px; from the line to a label that found no nearer place
FAR_SHARES = (0.5, 0.2, 0.8)  # of the stretch; where such a label is tried
OFF_LINE = 100.0  # what a place off the line costs: more than hiding a piece of another line


@dataclass(frozen=True, slots=True)
class Labelled:
    """A drawn edge: its polyline, and the size of its label (0 by 0 when it has none). The polyline of a curve is an
    odd number of chords; its label belongs to the middle one. `tips`: the lengths of its markers. Edges of one `trunk`
    may lie on each other; an edge that `speaks` shows its label for all of them, best on the line that they
    share. `own`: the first of the segments that it has for itself and the one after the last; None for all."""

    number: int
    points: Sequence[Point]
    width: float
    height: float
    is_curve: bool = False
    tips: tuple[float, float] = (0.0, 0.0)
    trunk: int | None = None
    speaks: bool = False
    own: tuple[int, int] | None = None


class Spot(NamedTuple):
    """A place for the middle of a label, the segment it belongs to, what the place itself costs, and whether it is
    beside the line."""

    x: float
    y: float
    segment: int
    cost: float
    is_beside: bool = False


class _Stretch(NamedTuple):
    place: int
    a: Point
    b: Point
    price: float


def bounds_of(spot: Spot, edge: Labelled) -> Bounds:
    """What the label covers there, with the room round it."""
    half_width, half_height = edge.width / 2 + PADDING, edge.height / 2 + PADDING
    return Bounds(spot.x - half_width, spot.y - half_height, spot.x + half_width, spot.y + half_height)


def tips_of(edge: Labelled) -> Iterator[Bounds]:
    """The places of an edge's markers."""
    if len(edge.points) < 2:
        return
    ends = ((edge.points[0], edge.points[1]), (edge.points[-1], edge.points[-2]))
    for (at, inwards), reach in zip(ends, edge.tips, strict=True):
        span = _span(at, inwards)
        if reach and span:
            share = min(1.0, max(reach - PADDING, 0.0) / span)
            dx, dy = inwards[0] - at[0], inwards[1] - at[1]
            back = at[0] + dx * share, at[1] + dy * share
            beside, above = TIP_HALF * abs(dy) / span, TIP_HALF * abs(dx) / span
            left, right = min(at[0], back[0]) - beside, max(at[0], back[0]) + beside
            yield Bounds(left, min(at[1], back[1]) - above, right, max(at[1], back[1]) + above)


def freedom(edge: Labelled) -> float:
    """How far the label may slide on the segment that leaves it most room."""
    return max(_slack(stretch, edge)[0] for stretch in _by_length(edge)) if edge.points[0] != edge.points[-1] else 0.0


def _slack(stretch: _Stretch, edge: Labelled) -> tuple[float, float]:
    """How far the label may slide along a segment, and how far from its middle the slack begins: markers need room."""
    a, b = stretch.a, stretch.b
    span = _span(a, b)
    needed = (abs(b[0] - a[0]) * edge.width + abs(b[1] - a[1]) * edge.height) / span
    at_start = max(CORNER_ROOM, edge.tips[0] + TIP_ROOM) if stretch.place == 0 else CORNER_ROOM
    at_end = max(CORNER_ROOM, edge.tips[1] + TIP_ROOM) if stretch.place == len(edge.points) - 2 else CORNER_ROOM
    return span - needed - at_start - at_end, (at_start - at_end) / 2


def coarse_spots(edge: Labelled) -> Iterator[Spot]:
    """Middle first, then along the slack, on every segment from the longest to the shortest; on the line, then beside
    it."""
    for stretch in _by_length(edge):
        slack, shift = _slack(stretch, edge)
        span = _span(stretch.a, stretch.b)
        tight = SHORT - slack if slack < 0.0 and not edge.is_curve else 0.0
        middle, reach = 0.5 + shift / span, max(0.0, slack) / 2 / span
        for share in SHARES if slack > 0.0 else SHARES[:1]:
            for aside in (0, 1, -1):
                yield _spot(edge, stretch, middle + share * reach, aside, tight + share * share * OFF_MIDDLE)


def fine_spots(edge: Labelled) -> Iterator[Spot]:
    """Every few px along the edge, on the line and on both sides of it: for crowded places."""
    for stretch in _by_length(edge):
        steps = max(1, min(FINE_LIMIT, int(_span(stretch.a, stretch.b) / FINE_STEP)))
        for step in range(steps + 1):
            for aside in (0, 1, -1):
                yield _spot(edge, stretch, step / steps, aside, SHORT + OFF_MIDDLE * abs(2 * step / steps - 1))


def far_spots(edge: Labelled) -> Iterator[Spot]:
    """A little off the edge, when all places at it are taken: better than on top of something."""
    for gap in FAR_GAPS:
        for stretch in _by_length(edge):
            for share in FAR_SHARES:
                for aside in (1, -1):
                    yield _spot(edge, stretch, share, aside, OFF_LINE + gap, gap=gap)


def _spot(
    edge: Labelled, stretch: _Stretch, share: float, aside: int, price: float, *, gap: float = BESIDE_GAP
) -> Spot:
    """A spot at `share` of a segment; `aside` 1 and -1 stand beside it, `gap` px clear of the line."""
    place, a, b, shortness = stretch
    dx, dy = b[0] - a[0], b[1] - a[1]
    x, y = a[0] + dx * share, a[1] + dy * share
    beside = STANDS_BESIDE if edge.own is None else BETWEEN_FELLOWS
    cost = price + shortness + abs(aside) * beside + (UPRIGHT if abs(dy) > abs(dx) else 0.0)
    if aside == 0:
        return Spot(x, y, place, cost)
    if abs(dx) >= abs(dy):
        return Spot(x, y - aside * (edge.height / 2 + gap), place, cost, is_beside=True)
    return Spot(x + aside * (edge.width / 2 + gap), y, place, cost, is_beside=True)


def _by_length(edge: Labelled) -> list[_Stretch]:
    """Every segment with its price, the longest first; of a curve the middle one."""
    rows = [_Stretch(place, a, b, 0.0) for place, (a, b) in enumerate(pairwise(edge.points)) if a != b]
    if edge.is_curve:
        middle = (len(rows) - 1) / 2
        rows = [row._replace(price=SHORTER * abs(row.place - middle)) for row in rows]
        return sorted(rows, key=lambda row: (row.price, row.place))
    spans = [(-_span(row.a, row.b), row.place, row) for row in rows]
    spans.sort()
    longest = -spans[0][0] if spans else 1.0
    rows = [_Stretch(place, row.a, row.b, SHORTER * (1.0 + span / longest)) for span, place, row in spans]
    if edge.speaks:
        last = len(edge.points) - 2
        rows = [row._replace(price=0.0 if row.place == last else row.price + OFF_TRUNK) for row in rows]
        rows.sort(key=lambda row: row.price)
    if edge.own is not None:
        first, end = edge.own
        rows = [row if first <= row.place < end else row._replace(price=row.price + OFF_OWN) for row in rows]
        rows.sort(key=lambda row: row.price)
    return rows


def _span(a: Point, b: Point) -> float:
    return hypot(b[0] - a[0], b[1] - a[1])
