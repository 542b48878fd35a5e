"""Where an element is inserted into a laid-out scene: the place that suits it and moves nothing else. Flow from top to
bottom. px.

In: the newcomer's size, what pulls it, the ground. Out: its top left corner. Promises: it overlaps nothing and keeps
node spacing beside others; of the free places it takes the one with the shortest, least crossed lines downwards that
needs the least room beyond the settled content.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box, Outset, Point
from scenograph.engine.kernels.free_spots import End as Weighed
from scenograph.engine.kernels.free_spots import Ground, Prices, Shadow, free_spots
from scenograph.engine.kernels.straight_lines import (
    Line,
    Rectangle,
    boxes_hit,
    crossings,
    line_between,
    lines_through,
)
from scenograph.late_dataclasses import dataclass

AGAINST = 1200.0  # px of length; cost of a line against the flow
BESIDE = 240.0  # px of length; cost of a line within a rank
CROSSING = 80.0  # px of length; cost of a crossing
THROUGH = 120.0  # px of length; cost of a box in a line's way
OUT_OF_TURN = 80.0  # a place before the others of a row, though it came after them
BLOCKED = 500.0  # content that has to grow where its surroundings are full
GROWTH, BLOCKED_GROWTH = 0.5, 2.0  # px of length; cost of each px that a container grows, in free room and beyond it
BEND = 30.0  # px of length; cost of a bend
OFF_LINE = 20.0  # a row of its own
STRAIGHT_TO = 4  # ends that it may stand in line with
TRIED = 8  # places judged in full, of those that look cheapest
MAX_LINES = 400  # lines; in a larger picture crossings are not counted
ROW_GAP = 0.5  # of the rank spacing; kept to the rows above and below
PRICES: Prices = (BEND, BESIDE, AGAINST, OUT_OF_TURN, OFF_LINE, GROWTH, BLOCKED, BLOCKED_GROWTH)


@dataclass(frozen=True, slots=True)
class Site:
    """What stands, with outsets; the settled content's bounds, the free room beyond them; a straight foretaste of the
    lines that are drawn. `spare`: what of the newcomer's room, left and right, is there only to keep its middle."""

    boxes: Sequence[Box]
    bounds: Box
    room: Outset
    lines: list[Line]
    node_gap: float
    rank_gap: float
    spare: tuple[float, float] = (0.0, 0.0)


class End(NamedTuple):
    """What the newcomer is linked to, and how much that counts."""

    box: Box
    weight: float = 1.0


class Pull(NamedTuple):
    """The newcomer comes after its `sources` and before its `targets`."""

    sources: Sequence[End]
    targets: Sequence[End]

    @property
    def ends(self) -> list[End]:
        """All of them."""
        return [*self.sources, *self.targets]


def corner_for(width: float, height: float, pull: Pull, site: Site) -> Point:
    """The corner of the best place."""
    return corners_for(width, height, pull, site, 1)[0]


def corners_for(width: float, height: float, pull: Pull, site: Site, most: int) -> list[Point]:
    """The corners of the best places, all of them apart from each other, the best first; at most so many."""
    spots = free_spots(width, height, _tops(height, pull, site), _wishes(width, pull, site), _shadows(site))
    places = [Box(x, top, width, height) for x, top in spots]
    ground = _ground(pull, site)
    costs = {place: ground.cost(place) for place in dict.fromkeys(places)}  # several wishes may be one place
    rough = sorted((costs[place], place) for place in places)
    if len(site.lines) <= MAX_LINES:
        ends = {end.box for end in pull.ends}
        strangers: list[Rectangle] = [box for box in site.boxes if box not in ends]
        judged = {place: cost for cost, place in rough[: TRIED * most]}
        rough = [(cost + _tangle(place, pull, strangers, site.lines), place) for place, cost in judged.items()]
    return [Point(best.x, best.y) for best in _apart(sorted(rough), most)]


def _apart(rows: Sequence[tuple[float, Box]], most: int) -> list[Box]:
    """The first places that lie apart from each other."""
    found: list[Box] = []
    for _, place in rows:
        if len(found) == most:
            break
        if not any(place.overlaps(other) for other in found):
            found.append(place)
    return found


def _wishes(width: float, pull: Pull, site: Site) -> list[float]:
    """The left sides it would like: its middle under or over the middle of what pulls it, in a straight line with the
    first of that, beside there, as far as the bounds go; without any pull beside the last that came."""
    ends = pull.ends
    if not ends:
        return [site.boxes[-1].right + site.node_gap if site.boxes else site.bounds.x]
    middle = fsum(end.box.center.x * end.weight for end in ends) / fsum(end.weight for end in ends)
    wishes = [middle - width / 2, *(end.box.center.x - width / 2 for end in ends[:STRAIGHT_TO])]
    aside = width + site.node_gap
    wishes += [wishes[0] - aside, wishes[0] + aside]
    return [*wishes, min(max(wishes[0], site.bounds.x), site.bounds.right - width)]


def _tops(height: float, pull: Pull, site: Site) -> list[float]:
    """The lines on which it may stand: those of the others and of what pulls it, which may lie deeper; new ones above
    and below, one rank after or before what pulls it."""
    tops = {box.center.y - height / 2: None for box in (*site.boxes, *(end.box for end in pull.ends))}
    tops |= {box.bottom + site.rank_gap: None for box, _ in pull.sources}
    tops |= {box.y - site.rank_gap - height: None for box, _ in pull.targets}
    tops[site.bounds.bottom + site.rank_gap] = None
    tops[site.bounds.y - site.rank_gap - height] = None
    return list(tops)


def _shadows(site: Site) -> list[Shadow]:
    """Top, bottom, left and right of what every box keeps free; plain numbers, they are compared often."""
    gap, (left, right) = site.rank_gap * ROW_GAP, (site.node_gap - spare for spare in site.spare)
    return [(y - gap, y + height + gap, x - right, x + width + left) for x, y, width, height in site.boxes]


def _ground(pull: Pull, site: Site) -> Ground:
    """What judges places by the length, bends and sense of their lines, the room they take, and who is in line."""
    heights = {box.center.y for box in site.boxes}
    above: list[Weighed] = [(end.box, end.weight) for end in pull.sources]
    below: list[Weighed] = [(end.box, end.weight) for end in pull.targets]
    return Ground(site.bounds, site.room, heights, (above, below), PRICES)


def _tangle(place: Box, pull: Pull, strangers: list[Rectangle], lines: list[Line]) -> float:
    """The cost of crossings, and of boxes in the way."""
    own = [line_between(box, place) for box, _ in pull.sources]
    own += [line_between(place, box) for box, _ in pull.targets]
    crossed = sum(crossings(line, lines) for line in own) + lines_through(lines, place)
    return CROSSING * crossed + THROUGH * sum(boxes_hit(line, strangers) for line in own)
