"""Where edge labels stand: on the longest free segment of their edge.

In: the routes, the sizes of the labels, the terrain. Out: a box for every label. A label never stands on a node, a
title or another label where any place is free; it rather avoids foreign edges; it is always near its own edge.
Decisions: section 9.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot, inf
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.segments import clipped
from scenograph.engine.geometry.spatial_index import Bounds, SpatialIndex
from scenograph.engine.route.terrain import FRAME, Terrain

PADDING = 2.0  # kept free round the text
CORNER_ROOM = 8.0  # kept free at both ends of a segment
TIP_ROOM = 4.0  # and beside a marker
SHARES = (0.0, -0.5, 0.5, -1.0, 1.0)  # places along a segment, from its middle to both ends of the slack
FINE_STEP = 10.0
BESIDE_GAP = 4.0

COVERS = 1000.0  # a node, a title, another label
COVERS_EDGE = 25.0
COVERS_FRAME_LINE = 12.0
COVERS_OWN_CORNER = 6.0
SHORT = 30.0
STANDS_BESIDE = 8.0
OFF_MIDDLE = 8.0
UPRIGHT = 2.0  # a line of text sits better on a level line
COVERED_LENGTH = 0.5  # for each px of a foreign edge that would be hidden
SHORTER = 8.0  # for the shortest segment; the longest costs nothing
OFF_TRUNK = 20.0  # for a label that speaks for a whole trunk
GOOD = 4.0  # cheap enough to stop looking
FINE_LIMIT = 60
EFFORT, EFFORT_PER_EDGE = 40_000, 100  # things looked at for all labels; after that the first spot does
LOOK = 4
FAR_GAPS = (10.0, 18.0, 28.0, 40.0)
FAR_SHARES = (0.5, 0.2, 0.8)
OFF_LINE = 100.0  # what a place off the line costs: more than hiding a piece of another line
MOST_RIVALS = 8


@dataclass(frozen=True, slots=True)
class Labelled:
    """A drawn edge: its polyline, and the size of its label (0 by 0 when it has none). The polyline of a curve is an
    odd number of chords; its label belongs to the middle one. `tips`: the lengths of its markers. Edges of one `trunk`
    may lie on each other; an edge that `speaks` shows its label for all of them, best on the line that they share."""

    edge_id: str
    points: Sequence[Point]
    width: float
    height: float
    is_curve: bool = False
    tips: tuple[float, float] = (0.0, 0.0)
    trunk: str | None = None
    speaks: bool = False


class Spot(NamedTuple):
    """A place for the middle of a label, the segment it belongs to, and what the place itself costs."""

    x: float
    y: float
    segment: int
    cost: float


class _Stretch(NamedTuple):
    place: int
    a: Point
    b: Point
    price: float


def place_labels(edges: Sequence[Labelled], terrain: Terrain) -> dict[str, Box]:
    """A box for every label, by edge id. Those with the least choice are placed first; one that then finds no free
    place may send a neighbour elsewhere."""
    desk = _Desk(edges, terrain)
    waiting = [number for number, edge in enumerate(edges) if edge.width > 0.0 and len(edge.points) > 1]
    waiting.sort(key=lambda number: (_freedom(edges[number]), number))
    for number in waiting:
        desk.place(number)
    for number in waiting:
        desk.make_room(number)
    return {edges[number].edge_id: desk.box(number) for number in sorted(waiting)}


def _freedom(edge: Labelled) -> float:
    return max(_slack(stretch, edge)[0] for stretch in _by_length(edge)) if edge.points[0] != edge.points[-1] else 0.0


def _slack(stretch: _Stretch, edge: Labelled) -> tuple[float, float]:
    """How far the label may slide along a segment, and how far from its middle the slack begins: markers need room."""
    a, b = stretch.a, stretch.b
    span = _span(a, b)
    needed = (abs(b[0] - a[0]) * edge.width + abs(b[1] - a[1]) * edge.height) / span
    at_start = max(CORNER_ROOM, edge.tips[0] + TIP_ROOM) if stretch.place == 0 else CORNER_ROOM
    at_end = max(CORNER_ROOM, edge.tips[1] + TIP_ROOM) if stretch.place == len(edge.points) - 2 else CORNER_ROOM
    return span - needed - at_start - at_end, (at_start - at_end) / 2


class _Desk:
    """All edges, and the labels placed so far."""

    def __init__(self, edges: Sequence[Labelled], terrain: Terrain) -> None:
        self.edges = edges
        self.terrain = terrain
        self.effort = EFFORT + EFFORT_PER_EDGE * len(edges)
        self.taken = SpatialIndex()
        self.owners: list[int] = []  # of what is taken: an entry counts while its owner stands on it
        self.standing: dict[int, tuple[int, Spot]] = {}  # by label: its entry and its spot
        self.lines = SpatialIndex()
        self.stretches: list[tuple[int, int, Point, Point]] = []
        for number, edge in enumerate(edges):
            for place, (a, b) in enumerate(pairwise(edge.points)):
                self.lines.add(Bounds(min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1])))
                self.stretches.append((number, place, a, b))

    def place(self, number: int) -> None:
        """Put a label on its cheapest spot, kept free from now on."""
        edge = self.edges[number]
        best, cost = None, inf
        for spots in (_coarse_spots(edge), _fine_spots(edge), _far_spots(edge)):
            for spot in spots:
                if self.effort <= 0:
                    break
                if spot.cost >= cost:
                    continue
                total = self._total(spot, number, cost)
                if total < cost:
                    best, cost = spot, total
                if cost <= GOOD:
                    break
            if cost < COVERS:
                break
        self._stand(number, best or next(_coarse_spots(edge), Spot(*edge.points[0], 0, 0.0)))

    def make_room(self, number: int) -> None:
        """Where a label covers something, let it choose before one of its neighbours, as long as both gain by it."""
        if self.effort <= 0 or self._cost_now(number) < COVERS:
            return
        for rival in self._rivals(number):
            cost = self._cost_now(number) + self._cost_now(rival)
            before = {one: self.standing.pop(one) for one in (number, rival)}
            self.place(number)
            self.place(rival)
            if self._cost_now(number) + self._cost_now(rival) >= cost:
                self.standing.update(before)
            elif self._cost_now(number) < COVERS:
                return

    def _cost_now(self, number: int) -> float:
        """What the spot of a label costs with all labels that stand by now."""
        held = self.standing.pop(number)
        cost = self._total(held[1], number, inf)
        self.standing[number] = held
        return cost

    def box(self, number: int) -> Box:
        """Where a label stands."""
        spot, edge = self.standing[number][1], self.edges[number]
        return Box(spot.x - edge.width / 2, spot.y - edge.height / 2, edge.width, edge.height)

    def _stand(self, number: int, spot: Spot) -> None:
        self.standing[number] = self.taken.add(_bounds(spot, self.edges[number])), spot
        self.owners.append(number)

    def _stands(self, entry: int) -> bool:
        owner = self.standing.get(self.owners[entry])
        return owner is not None and owner[0] == entry

    def _rivals(self, number: int) -> list[int]:
        """The labels that stand where this one could."""
        edge = self.edges[number]
        xs, ys = [point[0] for point in edge.points], [point[1] for point in edge.points]
        reach = min(xs) - edge.width, min(ys) - edge.height, max(xs) + edge.width, max(ys) + edge.height
        near = [self.owners[entry] for entry in self.taken.near(*reach) if self._stands(entry)]
        return [one for one in near if one != number][:MOST_RIVALS] if self.effort > 0 else []

    def _total(self, spot: Spot, number: int, limit: float) -> float:
        """What a label at that spot costs with all that it would lie on; from `limit` on the exact sum is of no use."""
        mine = _bounds(spot, self.edges[number])
        cost = spot.cost
        for taken in self.taken.near(*mine):
            if self._stands(taken):
                cost += _overlap_cost(mine, self.taken.bounds[taken])
        near = self.terrain.index.near(*mine)
        lines = self.lines.near(*mine) if cost < limit else []
        self.effort -= len(near) + len(lines) + LOOK
        for place in near:
            box, kind, _ = self.terrain.obstacles[place]
            if kind != FRAME:
                cost += _overlap_cost(mine, box)
            elif not (box[0] <= mine[0] and box[1] <= mine[1] and box[2] >= mine[2] and box[3] >= mine[3]):
                cost += COVERS_FRAME_LINE
        for line in lines:
            cost += self._hidden(line, mine, number, spot.segment)
        return cost

    def _hidden(self, line: int, mine: Bounds, number: int, segment: int) -> float:
        owner, place, a, b = self.stretches[line]
        if owner == number and place == segment:
            return 0.0
        mouth = self.edges[number]
        if mouth.speaks and owner != number and self.edges[owner].trunk == mouth.trunk:
            return 0.0
        part = clipped(a, b, mine)
        if part is None:
            return 0.0
        if owner == number:
            return COVERS_OWN_CORNER
        return COVERS_EDGE + COVERED_LENGTH * (part[1] - part[0]) * hypot(b[0] - a[0], b[1] - a[1])


def _bounds(spot: Spot, edge: Labelled) -> Bounds:
    half_width, half_height = edge.width / 2 + PADDING, edge.height / 2 + PADDING
    return Bounds(spot.x - half_width, spot.y - half_height, spot.x + half_width, spot.y + half_height)


def _overlap_cost(a: Bounds, b: Bounds) -> float:
    width, height = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    return COVERS + width * height if width > 0.0 and height > 0.0 else 0.0


def _coarse_spots(edge: Labelled) -> Iterator[Spot]:
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


def _fine_spots(edge: Labelled) -> Iterator[Spot]:
    """Every few px along the edge, on the line and on both sides of it: for crowded places."""
    for stretch in _by_length(edge):
        steps = max(1, min(FINE_LIMIT, int(_span(stretch.a, stretch.b) / FINE_STEP)))
        for step in range(steps + 1):
            for aside in (0, 1, -1):
                yield _spot(edge, stretch, step / steps, aside, SHORT + OFF_MIDDLE * abs(2 * step / steps - 1))


def _far_spots(edge: Labelled) -> Iterator[Spot]:
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
    cost = price + shortness + abs(aside) * STANDS_BESIDE + (UPRIGHT if abs(dy) > abs(dx) else 0.0)
    if aside == 0:
        return Spot(x, y, place, cost)
    if abs(dx) >= abs(dy):
        return Spot(x, y - aside * (edge.height / 2 + gap), place, cost)
    return Spot(x + aside * (edge.width / 2 + gap), y, place, cost)


def _by_length(edge: Labelled) -> list[_Stretch]:
    """Every segment with its price, the longest first; of a curve the middle one."""
    rows = [_Stretch(place, a, b, 0.0) for place, (a, b) in enumerate(pairwise(edge.points)) if a != b]
    if edge.is_curve:
        middle = (len(rows) - 1) / 2
        rows = [row._replace(price=SHORTER * abs(row.place - middle)) for row in rows]
        return sorted(rows, key=lambda row: (row.price, row.place))
    rows.sort(key=lambda row: (-_span(row.a, row.b), row.place))
    longest = _span(rows[0].a, rows[0].b) if rows else 1.0
    rows = [row._replace(price=SHORTER * (1.0 - _span(row.a, row.b) / longest)) for row in rows]
    if edge.speaks:
        last = len(edge.points) - 2
        rows = [row._replace(price=0.0 if row.place == last else row.price + OFF_TRUNK) for row in rows]
        rows.sort(key=lambda row: row.price)
    return rows


def _span(a: Point, b: Point) -> float:
    return hypot(b[0] - a[0], b[1] - a[1])
