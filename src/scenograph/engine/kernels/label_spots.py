"""Candidate spots for the label of a route, best first. px.

In: a route with the size of its label. Out: spots, each with its base cost; `label_desk` adds the cost of covered
elements.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot
from typing import Final

from scenograph.engine.kernels.cell_grid import BoxSides
from scenograph.engine.kernels.runs import Polyline
from scenograph.engine.kernels.straight_lines import XY

PADDING: Final = 2.0  # kept free round the text
CORNER_ROOM: Final = 8.0  # kept free at both ends of a segment
LEAST_SEEN: Final = 5.0  # px of a segment, at either end of its label; less looks like no line
TIP_ROOM: Final = 4.0  # px; kept free beside a marker
TIP_HALF: Final = 5.0  # of a marker's breadth
OFF_OUTLINE: Final = 5.0  # px; from an outline to the text beside the end of a line
# Places along a segment, from its middle to both ends of the slack:
SHARES: tuple[float, ...] = (0.0, -0.25, 0.25, -0.5, 0.5, -0.75, 0.75, -1.0, 1.0)
FINE_STEP: Final = 10.0  # px; between places tried along a line
BESIDE_GAP: Final = 4.0  # px; between a line and a label beside it
ASIDES: tuple[float, ...] = (0.0, BESIDE_GAP, -BESIDE_GAP)  # px; on the line, then beside it
SHORT: Final = 30.0  # price of a place too short for the label
STANDS_BESIDE: Final = 8.0  # price of a place beside the line
BETWEEN_FELLOWS: Final = 40.0  # price of a place beside a line between two lines of the same fan
OFF_MIDDLE: Final = 8.0  # price of a place at the end of a stretch
UPRIGHT: Final = 2.0  # a line of text sits better on a level line
SHORTER: Final = 8.0  # for the shortest segment; the longest costs nothing
OFF_OWN: Final = 100.0  # price of a place on a part shared with further labelled lines
NEAR_DECISION: Final = 64.0  # px along the line; up to here the label of an outcome is as near as it must be
OFF_DECISION: Final = 0.5  # price of each px farther from the decision
LOST_DECISION: Final = 150.0  # the highest price of the distance from a decision: less than covering anything
OFF_TRUNK: Final = 20.0  # for a label that speaks for a whole trunk
FINE_LIMIT: Final = 60  # places tried along a line
FAR_GAPS: tuple[float, ...] = (8.0, 12.0)  # px; from the line to a label that found no nearer place (R-LABEL-7)
LAST_GAPS: tuple[float, ...] = (18.0, 28.0, 40.0)  # px; rather than on a box or on another label
OFF_LINE: Final = 100.0  # price of a place off the line
LOST: Final = 650.0  # price of a place so far off that the label seems to belong to nobody: more than covering a line

Spot = tuple[float, float, int, float, float]
"""A place for the middle of a label, its segment, the cost of the place itself, and the gap between line and label, px:
0 on the line."""
Extents = tuple[XY, XY]
LabelStretch = tuple[int, XY, XY, float]  # a segment: its number, its start and end, its price


@dataclass(slots=True)
class Labelled:
    """A drawn edge: the polyline, and the size of the label (0 by 0 without a label).

    The polyline of a curve has an odd number of chords; its label belongs to the middle chord. `tips`: the lengths of
    the markers; `end_texts`: width and height of the end labels, placed later. Edges of one `trunk` may overlap; an
    edge that `speaks` shows the label of the trunk, on the shared segment where that `shows` beside it. `own`: the
    unshared segments, from the first to before the second number; None for all. `is_outcome`: the label belongs near
    the start.
    """

    number: int
    points: Polyline
    width: float
    height: float
    is_curve: bool = False
    tips: tuple[float, float] = (0.0, 0.0)
    end_texts: Extents = ((0.0, 0.0), (0.0, 0.0))
    trunk: int | None = None
    speaks: bool = False
    shows: bool = False
    own: tuple[int, int] | None = None
    is_outcome: bool = False


def covered(spot: Spot, edge: Labelled) -> BoxSides:
    """The area covered by the label at a spot, padding included."""
    half_width, half_height = edge.width / 2 + PADDING, edge.height / 2 + PADDING
    return spot[0] - half_width, spot[1] - half_height, spot[0] + half_width, spot[1] + half_height


def tips_of(edge: Labelled) -> list[BoxSides]:
    """The places of an edge's markers."""
    found: list[BoxSides] = []
    if len(edge.points) > 1:
        _add_tip(found, edge.points[0], edge.points[1], edge.tips[0])
        _add_tip(found, edge.points[-1], edge.points[-2], edge.tips[1])
    return found


def _add_tip(found: list[BoxSides], at: XY, inwards: XY, reach: float) -> None:
    span = _span(at, inwards)
    if reach == 0.0 or span == 0.0:
        return
    share = min(1.0, reach / span)
    dx, dy = inwards[0] - at[0], inwards[1] - at[1]
    x, y = at[0] + dx * share, at[1] + dy * share
    beside, above = TIP_HALF * abs(dy) / span, TIP_HALF * abs(dx) / span
    found.append((min(at[0], x) - beside, min(at[1], y) - above, max(at[0], x) + beside, max(at[1], y) + above))


def freedom(edge: Labelled) -> float:
    """The longest slack of the label on any segment, px; 0 for a route that ends at its start."""
    points = edge.points
    best = 0.0
    if points[0] == points[-1]:
        return best
    is_first = True
    for place in range(len(points) - 1):
        if points[place] != points[place + 1]:
            slack = _slack((place, points[place], points[place + 1], 0.0), edge)[0]
            best = slack if is_first else max(best, slack)
            is_first = False
    return best


def lacks(edge: Labelled) -> XY:
    """The lengths along x and y, px, by which the longest segment of this axis is too short for the label, and for
    `LEAST_SEEN` px at least; of a bent line, whose bend stays in the middle, twice as much."""
    points, found = edge.points, [float("inf"), float("inf")]
    times = 1.0 if len(points) == 2 else 2.0
    for place in range(len(points) - 1):
        a, b = points[place], points[place + 1]
        if a != b:
            across = 0 if abs(b[0] - a[0]) >= abs(b[1] - a[1]) else 1
            slack = _slack((place, a, b, 0.0), edge)[0]
            found[across] = min(found[across], max(LEAST_SEEN, -times * slack))
    return found[0], found[1]


def _slack(stretch: LabelStretch, edge: Labelled) -> tuple[float, float]:
    """The slack of the label along a segment, and the shift of its middle, px."""
    _, a, b, _ = stretch
    span = _span(a, b)
    needed = (abs(b[0] - a[0]) * edge.width + abs(b[1] - a[1]) * edge.height) / span
    first, last = _marker_rooms(stretch, edge)
    at_start, at_end = max(CORNER_ROOM, first), max(CORNER_ROOM, last)
    return span - needed - at_start - at_end, (at_start - at_end) / 2


def hides_end(spot: Spot, edge: Labelled) -> bool:
    """Whether a label on its route leaves less than `LEAST_SEEN` px of the segment beside it, markers excluded."""
    if spot[4] != 0.0 or edge.is_curve:
        return False
    place, a, b = spot[2], edge.points[spot[2]], edge.points[spot[2] + 1]
    span = _span(a, b)
    if span == 0.0:
        return False
    half = (abs(b[0] - a[0]) * edge.width + abs(b[1] - a[1]) * edge.height) / span / 2
    first, last = _marker_rooms((place, a, b, 0.0), edge)
    at = _span(a, (spot[0], spot[1]))
    seen = min(at - max(0.0, first - TIP_ROOM), span - at - max(0.0, last - TIP_ROOM))
    return seen < half + LEAST_SEEN


def _marker_rooms(stretch: LabelStretch, edge: Labelled) -> tuple[float, float]:
    """The lengths taken by markers and end labels at the start and the end of a segment, px."""
    first = _end_room(stretch, edge.tips[0], edge.end_texts[0]) if stretch[0] == 0 else 0.0
    last = _end_room(stretch, edge.tips[1], edge.end_texts[1]) if stretch[0] == len(edge.points) - 2 else 0.0
    return first, last


def _end_room(stretch: LabelStretch, tip: float, text: XY) -> float:
    """The length taken by an end: the marker, or the text beside the marker."""
    marker = tip + TIP_ROOM if tip > 0.0 else 0.0
    if text[0] == 0.0:
        return marker
    _, a, b, _ = stretch
    along = (abs(b[0] - a[0]) * text[0] + abs(b[1] - a[1]) * text[1]) / _span(a, b)
    return max(marker, OFF_OUTLINE + along)


def coarse_spots(edge: Labelled, stretch: LabelStretch) -> list[Spot]:
    """Spots in the middle first, then along the slack of a segment; on the route, then beside."""
    slack, shift = _slack(stretch, edge)
    span = _span(stretch[1], stretch[2])
    tight = SHORT - slack if slack < 0.0 and not edge.is_curve else 0.0
    middle, reach = 0.5 + shift / span, max(0.0, slack) / 2 / span
    found: list[Spot] = []
    for share in SHARES:
        price = tight + share * share * OFF_MIDDLE
        at = middle + share * reach
        found += [_spot(edge, stretch, at, aside, price) for aside in ASIDES]
        if slack <= 0.0:
            break
    return found


def spots_between(edge: Labelled, stretch: LabelStretch, cuts: list[float]) -> list[Spot]:
    """Spots on the route, in the middle between each two neighbouring `cuts` of a segment; cuts are shares from 0 to
    1."""
    found: list[Spot] = []
    at_start, at_end = _marker_rooms(stretch, edge)
    span = _span(stretch[1], stretch[2])
    first, last = at_start / span, 1.0 - at_end / span
    for turn in range(len(cuts) - 1):
        at = (max(cuts[turn], first) + min(cuts[turn + 1], last)) / 2
        found.append(_spot(edge, stretch, at, 0.0, (2 * at - 1) ** 2 * OFF_MIDDLE))
    return found


def fine_spots(edge: Labelled, stretch: LabelStretch) -> list[Spot]:
    """Spots every few px along a segment, on the route and on both sides: for crowded places."""
    return _row(edge, stretch, ASIDES, SHORT)


def far_spots(edge: Labelled, stretch: LabelStretch, gap: float) -> list[Spot]:
    """Spots a little off a segment, when all places at the edge are taken."""
    return _row(edge, stretch, (gap, -gap), (LOST if gap in LAST_GAPS else OFF_LINE) + gap)


def _row(edge: Labelled, stretch: LabelStretch, asides: tuple[float, ...], price: float) -> list[Spot]:
    """Spots every few px along a segment, at these distances from the route; dearer toward both ends."""
    steps = max(1, min(FINE_LIMIT, int(_span(stretch[1], stretch[2]) / FINE_STEP)))
    found: list[Spot] = []
    for step in range(steps + 1):
        at = price + OFF_MIDDLE * abs(2 * step / steps - 1)
        found += [_spot(edge, stretch, step / steps, aside, at) for aside in asides]
    return found


def _spot(edge: Labelled, stretch: LabelStretch, share: float, aside: float, price: float) -> Spot:
    """A spot at `share` of a segment; with an `aside`, that many px clear of the route: to the right or above if
    positive, to the left or below if negative."""
    place, a, b, shortness = stretch
    dx, dy = b[0] - a[0], b[1] - a[1]
    x, y = a[0] + dx * share, a[1] + dy * share
    beside = STANDS_BESIDE if edge.own is None else BETWEEN_FELLOWS
    cost = price + shortness + (beside if aside != 0.0 else 0.0) + (UPRIGHT if abs(dy) > abs(dx) else 0.0)
    if edge.is_outcome:
        cost += min(LOST_DECISION, OFF_DECISION * max(0.0, _way_to(edge, place, x, y) - NEAR_DECISION))
    if aside == 0.0:
        return x, y, place, cost, 0.0
    side, gap = (1.0, aside) if aside > 0.0 else (-1.0, -aside)
    if abs(dx) >= abs(dy):
        return x, y - side * (edge.height / 2 + gap), place, cost, gap
    return x + side * (edge.width / 2 + gap), y, place, cost, gap


def _way_to(edge: Labelled, place: int, x: float, y: float) -> float:
    """The length of a route from its start to a label in the middle of a place on segment `place`, px."""
    points = edge.points
    way = 0.0
    for number in range(place):
        way += _span(points[number], points[number + 1])
    a, b = points[place], points[place + 1]
    span = _span(a, b)
    half = (abs(b[0] - a[0]) * edge.width + abs(b[1] - a[1]) * edge.height) / span / 2
    return way + _span(a, (x, y)) - half


def by_length(edge: Labelled) -> list[LabelStretch]:
    """All segments with their prices, longest first; for a curve, middle chord first."""
    points = edge.points
    places = [place for place in range(len(points) - 1) if points[place] != points[place + 1]]
    priced: list[tuple[float, int]] = []
    if edge.is_curve:
        middle = (len(places) - 1) / 2
        priced = sorted([(SHORTER * abs(place - middle), place) for place in places])
        return [(place, points[place], points[place + 1], price) for price, place in priced]
    spans = sorted([(-_span(points[place], points[place + 1]), place) for place in places])
    for span, place in spans:
        priced.append((SHORTER * (1.0 + span / -spans[0][0]), place))
    if edge.shows:
        last = len(points) - 2
        priced = _sorted([(0.0 if place == last else price + OFF_TRUNK, place) for price, place in priced])
    if edge.own is not None:
        first, end = edge.own
        priced = _sorted([(price if first <= place < end else price + OFF_OWN, place) for price, place in priced])
    return [(place, points[place], points[place + 1], price) for price, place in priced]


def _sorted(priced: list[tuple[float, int]]) -> list[tuple[float, int]]:
    """The rows sorted by price; equal prices keep their order."""
    rows = sorted([(row[0], number) for number, row in enumerate(priced)])
    return [priced[number] for _, number in rows]


def _span(a: XY, b: XY) -> float:
    return hypot(b[0] - a[0], b[1] - a[1])
