"""The choice of a spot for each label, with its cost among all placed labels. px.

In: routes with their labels, obstacles and frames. Out: a spot for each label. A label never covers a node, a title or
another label while any place is free; avoids foreign routes; and stays near its own route.
"""

from __future__ import annotations

from math import hypot
from typing import Final

from scenograph.engine.kernels.cell_grid import EVERY, BoxSides, CellGrid
from scenograph.engine.kernels.label_spots import (
    FAR_GAPS,
    LAST_GAPS,
    PADDING,
    STANDS_BESIDE,
    Labelled,
    Spot,
    by_length,
    coarse_spots,
    covered,
    far_spots,
    fine_spots,
    hides_end,
    lacks,
    spots_between,
    tips_of,
)
from scenograph.engine.kernels.straight_lines import XY, clip

COVERS: Final = 1000.0  # a node, a title, another label
COVERS_EDGE: Final = 600.0  # price of a foreign line under a label: the line looks cut, and the owner is unclear
COVERS_FELLOW: Final = 300.0  # price of a line of the same trunk: its label says the same
COVERS_TIP: Final = 400.0  # an arrowhead or a crow's foot
NEARER_EDGE: Final = 400.0  # price of a foreign line nearer to a label than its own: the label seems to belong there
COVERS_FRAME_LINE: Final = 200.0  # price of a border under a label, which erases it
SAYS_FALSE: Final = COVERS_FRAME_LINE  # from this price on every place near the line is tried
BESIDE_EDGE: Final = 6.0  # price of a foreign line beside a label
NEAR_EDGE: Final = 4.0  # px; the distance of a foreign line beside a label
AMBIGUOUS: Final = 20.0  # price of a foreign line near a label beside its own line: the owner is unclear
SAME_REACH: Final = 8.0  # px; the distance of such a foreign line
OFF_FRAME: Final = 2.0  # beside a border
COVERS_OWN_CORNER: Final = 6.0  # price of the line's own bend under its label
COVERED_LENGTH: Final = 0.5  # for each px of a foreign edge that would be hidden
GOOD: Final = 4.0  # cheap enough to stop looking
PHRASE_GAP: Final = 2.0  # px; between the padded areas of two labels side by side, lest the two read as one phrase
LOOK: Final = 4  # steps of effort for a place that covers nothing
MOST_RIVALS: Final = 8  # labels that move for another one
CELL: Final = 160.0  # px; of the grids
INFINITE: Final = float("inf")

# Kinds of spots, in the order in which they are tried.
COARSE: Final = 0  # the middle of the line, and a few spots beside it
BETWEEN: Final = 1  # the middle between two borders of frames that the line crosses
FINE: Final = 2  # all spots along the line, a few px apart
OFF: Final = 3  # spots farther off the line
LAST: Final = 4  # spots so far off that the label hardly belongs to the line
MANNERS: list[tuple[int, float]] = [
    (COARSE, 0.0),
    (BETWEEN, STANDS_BESIDE),
    (FINE, SAYS_FALSE),
    (OFF, SAYS_FALSE),
    (LAST, COVERS),
]
"""The kinds of spots in the order of trying, each with the least cost of the best spot so far from which it is
tried."""
GAPS_OF: list[tuple[float, ...]] = [(0.0,), (0.0,), (0.0,), FAR_GAPS, LAST_GAPS]  # px off the line, by kind

DeskStretch = tuple[int, int, XY, XY]  # the number of a line, the number of a segment, its start and end


class BoxGrid:
    """Boxes in a grid, by their numbers."""

    def __init__(self, sides: list[BoxSides], grid: CellGrid) -> None:
        self.sides = sides
        self._grid = grid

    def near(self, region: BoxSides) -> list[int]:
        """The numbers of the boxes that touch a region."""
        return self._grid.near(region[0], region[1], region[2], region[3], EVERY)

    def add(self, box: BoxSides) -> int:
        """Add a box, and return its number."""
        self.sides.append(box)
        return self._grid.add(box[0], box[1], box[2], box[3])


class LabelDesk:
    """All routes, and the labels placed so far. `obstacles` are boxes; `are_solid` marks the obstacles no label should
    cover. `left`: the remaining steps of effort."""

    def __init__(
        self, edges: list[Labelled], obstacles: BoxGrid, are_solid: list[bool], frames: BoxGrid, left: int
    ) -> None:
        self.left = left
        self._edges = edges
        self._obstacles = obstacles
        self._are_solid = are_solid
        self._frames = frames
        self._taken = BoxGrid([], CellGrid(CELL))
        self._owners: list[int] = []  # of the taken places: an entry counts while its owner stands there
        self._entries = [-1] * len(edges)  # by label: its entry,
        self._spots: list[Spot] = [(0.0, 0.0, 0, 0.0, 0.0)] * len(edges)  # and its spot
        self._is_held = [False] * len(edges)
        self._tips = BoxGrid([], CellGrid(CELL))
        self._lines = BoxGrid([], CellGrid(CELL))
        self._stretches: list[DeskStretch] = []
        self._best: Spot = (0.0, 0.0, 0, 0.0, 0.0)  # of the label in placement: the cheapest so far
        self._least = INFINITE  # and what it costs
        for number, edge in enumerate(edges):
            for tip in tips_of(edge):
                self._tips.add(tip)
            for place in range(len(edge.points) - 1):
                a, b = edge.points[place], edge.points[place + 1]
                self._lines.add((min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1])))
                self._stretches.append((number, place, a, b))

    def place(self, number: int) -> None:
        """Put a label on its cheapest spot, kept free from then on."""
        edge = self._edges[number]
        stretches = by_length(edge)
        x, y = edge.points[0]
        self._best = coarse_spots(edge, stretches[0])[0] if stretches else (x, y, 0, 0.0, 0.0)
        self._least = INFINITE
        for manner in MANNERS:
            if self._least < manner[1]:
                break
            self._look(number, stretches, manner)
        self._stand(number, self._best)

    def _cuts(self, a: XY, b: XY) -> list[float]:
        """The crossings of a level or upright segment with borders of frames, as shares of its length from 0 to 1, both
        ends included; empty without a crossing."""
        across = 0 if a[0] == b[0] else 1
        along, span = 1 - across, b[1 - across] - a[1 - across]
        found: list[float] = []
        if a[across] != b[across] or span == 0.0:
            return found
        near = self._frames.near((min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1])))
        self.left -= len(near)
        for place in near:
            frame = self._frames.sides[place]
            if frame[across] < a[across] < frame[across + 2]:
                for at in (frame[along], frame[along + 2]):
                    share = (at - a[along]) / span
                    if 0.0 < share < 1.0:
                        found.append(share)
        return [0.0, *sorted(found), 1.0] if found else found

    def _look(self, number: int, stretches: list[tuple[int, XY, XY, float]], manner: tuple[int, float]) -> None:
        """Try the spots of one manner on every segment."""
        edge, (kind, _) = self._edges[number], manner
        for gap in GAPS_OF[kind]:
            for stretch in stretches:
                if self._settles(self._spots_of(edge, stretch, kind, gap), number):
                    return

    def _spots_of(self, edge: Labelled, stretch: tuple[int, XY, XY, float], kind: int, gap: float) -> list[Spot]:
        if kind == COARSE:
            return coarse_spots(edge, stretch)
        if kind == BETWEEN:
            return spots_between(edge, stretch, self._cuts(stretch[1], stretch[2]))
        return fine_spots(edge, stretch) if kind == FINE else far_spots(edge, stretch, gap)

    def _settles(self, spots: list[Spot], number: int) -> bool:
        """Try spots. Returns whether the search may stop."""
        for spot in spots:
            if self.left <= 0:
                return True
            if spot[3] >= self._least:
                continue
            total = self._total(spot, number, self._least)
            if total < self._least:
                self._best, self._least = spot, total
            if self._least <= GOOD:
                return True
        return False

    def hold(self, number: int, x: float, y: float) -> None:
        """Keep a label at its present middle."""
        self._stand(number, (x, y, 0, 0.0, 0.0))
        self._is_held[number] = True

    def make_room(self, number: int) -> bool:
        """Give a label on top of something the spot of rival labels, and the rivals new spots, if all together gain.
        Returns whether any label moved."""
        if self.left <= 0 or self._cost_now(number) < SAYS_FALSE:
            return False
        if self._finds_better(number):
            return True
        edge, has_moved = self._edges[number], False
        for stretch in by_length(edge):
            for spot in coarse_spots(edge, stretch):
                if self.left <= 0:
                    return has_moved
                holders = self._holders(spot, number)
                if holders and self._evicts(number, spot, holders):
                    has_moved = True
                    if self._cost_now(number) < SAYS_FALSE:
                        return True
        return has_moved

    def _finds_better(self, number: int) -> bool:
        """Place a label again, among labels that have moved since. Returns whether it covers nothing any more."""
        entry, spot, before = self._entries[number], self._spots[number], self._cost_now(number)
        self._entries[number] = -1
        self.place(number)
        if self._cost_now(number) < min(before, SAYS_FALSE):
            return True
        self._entries[number], self._spots[number] = entry, spot
        return False

    def _holders(self, spot: Spot, number: int) -> list[int]:
        """The labels on a spot; empty for a held label among them, or for too many."""
        found: list[int] = []
        for entry in self._taken.near(_phrase(covered(spot, self._edges[number]))):
            owner = self._owners[entry]
            if self._entries[owner] == entry and owner != number:
                if self._is_held[owner]:
                    return []
                found.append(owner)
        return found if len(found) <= MOST_RIVALS else []

    def _evicts(self, number: int, spot: Spot, holders: list[int]) -> bool:
        """Put a label on a spot that is good without its holders, and these on their next best ones. Returns whether
        all together cost less; else each stands as before."""
        moved = [number, *holders]
        entries, spots = [self._entries[one] for one in moved], [self._spots[one] for one in moved]
        for one in moved:
            self._entries[one] = -1
        is_good = self._total(spot, number, SAYS_FALSE) < SAYS_FALSE
        for place, one in enumerate(moved):
            self._entries[one] = entries[place]
        if not is_good:
            return False
        before = self._cost_of(moved)
        for one in moved:
            self._entries[one] = -1
        self._stand(number, spot)
        for one in holders:
            self.place(one)
        if self.left > 0 and self._cost_of(moved) < before:
            return True
        for place, one in enumerate(moved):
            self._entries[one], self._spots[one] = entries[place], spots[place]
        return False

    def _cost_of(self, numbers: list[int]) -> float:
        """The cost of some labels' spots."""
        total = 0.0
        for number in numbers:
            total += self._cost_now(number)
        return total

    def lack(self, number: int) -> XY:
        """The lengths along x and y that a placed label lacks on its line, px: 0 with room, infinite where the label
        covers something or seems to belong to another line."""
        if self.left <= 0:
            return 0.0, 0.0
        if self._cost_now(number) >= SAYS_FALSE:
            return INFINITE, INFINITE
        edge = self._edges[number]
        return lacks(edge) if hides_end(self._spots[number], edge) else (0.0, 0.0)

    def corner(self, number: int) -> XY:
        """The top left corner of a placed label."""
        spot, edge = self._spots[number], self._edges[number]
        return spot[0] - edge.width / 2, spot[1] - edge.height / 2

    def _cost_now(self, number: int) -> float:
        """The cost of a label's spot among all placed labels."""
        entry = self._entries[number]
        self._entries[number] = -1
        cost = self._total(self._spots[number], number, INFINITE)
        self._entries[number] = entry
        return cost

    def _stand(self, number: int, spot: Spot) -> None:
        self._entries[number] = self._taken.add(covered(spot, self._edges[number]))
        self._spots[number] = spot
        self._owners.append(number)

    def _total(self, spot: Spot, number: int, limit: float) -> float:
        """The cost of a label at a spot; the sum may stop at `limit`."""
        mine = covered(spot, self._edges[number])
        cost = spot[3]
        phrase = _phrase(mine)
        for entry in self._taken.near(phrase):
            if self._entries[self._owners[entry]] == entry:
                cost += _overlap_cost(phrase, self._taken.sides[entry])
        cost += COVERS_TIP * len(self._tips.near(mine))
        near = self._obstacles.near(mine)
        lines = self._lines.near(_widened(mine, _reach(spot))) if cost < limit else []
        self.left -= len(near) + len(lines) + LOOK
        if cost >= limit:
            return cost
        for place in near:
            if self._are_solid[place]:
                cost += _overlap_cost(mine, self._obstacles.sides[place])
        cost += COVERS_FRAME_LINE * self._borders_under(mine)
        for line in lines:
            if cost >= limit:
                break
            cost += self._hidden(line, mine, number, spot)
        return cost

    def _borders_under(self, mine: BoxSides) -> int:
        """The number of frame borders through the label; a side shared by frames counts once."""
        left, top, right, bottom = _widened(mine, OFF_FRAME)
        found: list[tuple[int, int]] = []
        for place in self._frames.near(mine):
            frame = self._frames.sides[place]
            if frame[0] >= right or frame[1] >= bottom or frame[2] <= left or frame[3] <= top:
                continue
            for at in (frame[0], frame[2]):
                if left < at < right and (0, round(at)) not in found:
                    found.append((0, round(at)))
            for at in (frame[1], frame[3]):
                if top < at < bottom and (1, round(at)) not in found:
                    found.append((1, round(at)))
        return len(found)

    def _hidden(self, line: int, mine: BoxSides, number: int, spot: Spot) -> float:
        owner, place, a, b = self._stretches[line]
        enter, leave = clip(a, b, mine)
        if owner == number:
            return COVERS_OWN_CORNER if place != spot[2] and enter <= leave else 0.0
        mouth = self._edges[number]
        if mouth.trunk is not None and self._edges[owner].trunk == mouth.trunk:
            return 0.0 if mouth.speaks or enter > leave else COVERS_FELLOW
        if enter <= leave:
            return COVERS_EDGE + COVERED_LENGTH * (leave - enter) * hypot(b[0] - a[0], b[1] - a[1])
        enter, leave = clip(a, b, _widened(mine, _reach(spot)))
        if enter > leave:
            return 0.0
        if spot[4] == 0.0:
            return BESIDE_EDGE
        enter, leave = clip(a, b, _widened(mine, max(0.0, spot[4] - PADDING)))
        return NEARER_EDGE if enter <= leave else AMBIGUOUS


def _reach(spot: Spot) -> float:
    """How near to a label at a spot a foreign line counts, px from its padded area."""
    return max(SAME_REACH, spot[4]) if spot[4] > 0.0 else NEAR_EDGE


def _phrase(mine: BoxSides) -> BoxSides:
    """The area of a label, kept clear of other labels."""
    return mine[0] - PHRASE_GAP, mine[1], mine[2] + PHRASE_GAP, mine[3]


def _widened(box: BoxSides, by: float) -> BoxSides:
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def _overlap_cost(a: BoxSides, b: BoxSides) -> float:
    width, height = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    return COVERS + width * height if width > 0.0 and height > 0.0 else 0.0
