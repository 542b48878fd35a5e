"""Where edge labels stand: on the longest free segment of their edge.

In: the routes, the sizes of the labels, the terrain. Out: a box for every label. A label never stands on a node, a
title or another label where any place is free; it rather avoids foreign edges; it is always near its own edge.
Rules R-LABEL-1, R-LABEL-2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import hypot, inf

from scenograph.engine.effort import Effort
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.segments import clipped
from scenograph.engine.geometry.spatial_index import Bounds, SpatialIndex, widened
from scenograph.engine.route.courses.terrain import Terrain
from scenograph.engine.route.labels.spots import (
    Labelled,
    Spot,
    bounds_of,
    coarse_spots,
    far_spots,
    fine_spots,
    freedom,
    tips_of,
)
from scenograph.engine.route.problem import FRAME

COVERS = 1000.0  # a node, a title, another label
COVERS_TIP = 80.0  # an arrowhead or a crow's foot
COVERS_EDGE = 60.0  # price of a line of others under a label: it looks cut, and the label seems to be its own
BESIDE_EDGE, NEAR_EDGE = 6.0, 4.0  # price of a line of others that passes a label at no more than so many px
AMBIGUOUS, SAME_REACH = 20.0, 8.0  # the same beside a label that stands beside its own line: whose is it?
COVERS_FRAME_LINE = COVERS_EDGE  # price of a border under a label, which erases it
OFF_FRAME = 2.0  # beside a border
COVERS_OWN_CORNER = 6.0  # price of the line's own bend under its label
COVERED_LENGTH = 0.5  # for each px of a foreign edge that would be hidden
GOOD = 4.0  # cheap enough to stop looking
LOOK = 4  # steps of effort for a place that covers nothing
MOST_RIVALS = 8  # labels that are looked at when two want one place
SPOTS = ((coarse_spots, COVERS_EDGE), (fine_spots, COVERS), (far_spots, inf))
"""Where a label may stand, and below which price no further spots are tried."""
NOTHING: Mapping[int, Box] = {}


def place_labels(
    edges: Sequence[Labelled], terrain: Terrain, effort: Effort, held: Mapping[int, Box] = NOTHING
) -> dict[int, Box]:
    """A box for every label, by the number of its line. Those that are `held` stay; of the others those with the least
    choice are placed first, and one that then finds no free place may send a neighbour elsewhere."""
    waiting = [number for number, edge in enumerate(edges) if edge.width > 0.0 and len(edge.points) > 1]
    waiting = [number for number in waiting if number not in held]
    if not waiting:
        return {edges[number].number: box for number, box in held.items()}
    desk = _Desk(edges, terrain, effort)
    for number, box in held.items():
        desk.hold(number, box)
    waiting.sort(key=lambda number: (freedom(edges[number]), number))
    for number in waiting:
        desk.place(number)
    for number in waiting:
        desk.make_room(number)
    found = {edges[number].number: desk.box(number) for number in sorted(waiting)}
    return found | {edges[number].number: box for number, box in held.items()}


class _Desk:
    """All edges, and the labels placed so far."""

    def __init__(self, edges: Sequence[Labelled], terrain: Terrain, effort: Effort) -> None:
        self.edges = edges
        self.terrain = terrain
        self.effort = effort
        self.taken = SpatialIndex()
        self.owners: list[int] = []  # of what is taken: an entry counts while its owner stands on it
        self.standing: dict[int, tuple[int, Spot]] = {}  # by label: its entry and its spot
        self.held: set[int] = set()
        self.tips = SpatialIndex(tip for edge in edges for tip in tips_of(edge))
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
        for spots_of, enough in SPOTS:
            for spot in spots_of(edge):
                if self.effort.is_spent:
                    break
                if spot.cost >= cost:
                    continue
                total = self._total(spot, number, cost)
                if total < cost:
                    best, cost = spot, total
                if cost <= GOOD:
                    break
            if cost < enough:
                break
        self._stand(number, best or next(coarse_spots(edge), Spot(*edge.points[0], 0, 0.0)))

    def hold(self, number: int, box: Box) -> None:
        """Keep a label where it stands."""
        self._stand(number, Spot(box.center.x, box.center.y, 0, 0.0))
        self.held.add(number)

    def make_room(self, number: int) -> None:
        """Where a label covers something, let it choose before one of its neighbours, as long as both gain by it."""
        if self.effort.is_spent or self._cost_now(number) < COVERS:
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
        self.standing[number] = self.taken.add(bounds_of(spot, self.edges[number])), spot
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
        return [one for one in near if one != number and one not in self.held][:MOST_RIVALS]

    def _total(self, spot: Spot, number: int, limit: float) -> float:
        """What a label at that spot costs with all that it would lie on; from `limit` on the exact sum is of no use."""
        mine = bounds_of(spot, self.edges[number])
        cost = spot.cost
        for taken in self.taken.near(*mine):
            if self._stands(taken):
                cost += _overlap_cost(mine, self.taken.bounds[taken])
        cost += COVERS_TIP * len(self.tips.near(*mine))
        near = self.terrain.index.near(*mine)
        lines = self.lines.near(*widened(mine, _reach(spot))) if cost < limit else []
        self.effort.spend(len(near) + len(lines) + LOOK)
        for place in near:
            box, kind, _ = self.terrain.obstacles[place]
            if kind != FRAME:
                cost += _overlap_cost(mine, box)
        for place in self.terrain.frames.near(*mine):
            if _is_crossed(mine, self.terrain.frames.bounds[place]):
                cost += COVERS_FRAME_LINE
        for line in lines:
            cost += self._hidden(line, mine, number, spot)
        return cost

    def _hidden(self, line: int, mine: Bounds, number: int, spot: Spot) -> float:
        owner, place, a, b = self.stretches[line]
        if owner == number and place == spot.segment:
            return 0.0
        mouth = self.edges[number]
        if mouth.speaks and owner != number and self.edges[owner].trunk == mouth.trunk:
            return 0.0
        part = clipped(a, b, mine)
        if part is None:
            is_beside = owner != number and clipped(a, b, widened(mine, _reach(spot))) is not None
            return (AMBIGUOUS if spot.is_beside else BESIDE_EDGE) if is_beside else 0.0
        if owner == number:
            return COVERS_OWN_CORNER
        return COVERS_EDGE + COVERED_LENGTH * (part[1] - part[0]) * hypot(b[0] - a[0], b[1] - a[1])


def _reach(spot: Spot) -> float:
    """How near the line of another may pass."""
    return SAME_REACH if spot.is_beside else NEAR_EDGE


def _is_crossed(label: Bounds, frame: Bounds) -> bool:
    """Whether a border of the frame runs through the label."""
    label = widened(label, OFF_FRAME)
    apart = frame[0] >= label[2] or frame[1] >= label[3] or frame[2] <= label[0] or frame[3] <= label[1]
    around = frame[0] <= label[0] and frame[1] <= label[1] and frame[2] >= label[2] and frame[3] >= label[3]
    return not (apart or around)


def _overlap_cost(a: Bounds, b: Bounds) -> float:
    width, height = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    return COVERS + width * height if width > 0.0 and height > 0.0 else 0.0
