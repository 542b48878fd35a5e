"""Where an element is inserted into a laid-out scene: the place that suits it and moves nothing else. Flow from top to
bottom. px.

In: the newcomer's size, what pulls it, the ground. Out: its top left corner. Promises: it overlaps nothing and keeps
node spacing beside others; of the free places it takes the one with the shortest, least crossed lines downwards that
needs the least room beyond the settled content.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box, Outset, Point

AGAINST = 1200.0
BESIDE = 240.0
CROSSING = 80.0
THROUGH = 120.0
OUT_OF_TURN = 80.0  # a place before the others of a row, though it came after them
BLOCKED = 500.0  # content that has to grow where its surroundings are full
GROWTH, BLOCKED_GROWTH = 0.5, 2.0
BEND = 30.0
OFF_LINE = 20.0  # a row of its own
STRAIGHT_TO = 4  # ends that it may stand in line with
TRIED = 8
MAX_LINES = 400
ROW_GAP = 0.5


class StraightLine(NamedTuple):
    """A straight foretaste of a line."""

    start: Point
    end: Point


@dataclass(frozen=True, slots=True)
class Site:
    """What stands, with outsets; the settled content's bounds, the free room beyond them; lines that are drawn."""

    boxes: Sequence[Box]
    bounds: Box
    room: Outset
    lines: Sequence[StraightLine]
    node_gap: float
    rank_gap: float


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
    wishes = _wishes(width, pull, site)
    shadows = _shadows(site)
    places = [
        Box(x, top, width, height)
        for top in _tops(height, pull, site)
        for x in _free(width, wishes, _blocked(top, top + height, shadows))
    ]
    rows = {box.center.y for box in site.boxes}
    rough = sorted((_length(place, pull) + _growth(place, site) + _off_line(place, rows), place) for place in places)
    _, best = min((cost + _tangle(place, pull, site), place) for cost, place in rough[:TRIED])
    return Point(best.x, best.y)


def _wishes(width: float, pull: Pull, site: Site) -> list[float]:
    """The left sides it would like: its middle under or over the middle of what pulls it, in a straight line with the
    first of that, beside there, as far as the bounds go; without any pull beside the last that came."""
    ends = pull.ends
    if not ends:
        return [site.boxes[-1].right + site.node_gap if site.boxes else site.bounds.x]
    middle = sum(end.box.center.x * end.weight for end in ends) / sum(end.weight for end in ends)
    wishes = [middle - width / 2, *(end.box.center.x - width / 2 for end in ends[:STRAIGHT_TO])]
    aside = width + site.node_gap
    wishes += [wishes[0] - aside, wishes[0] + aside]
    return [*wishes, min(max(wishes[0], site.bounds.x), site.bounds.right - width)]


def _tops(height: float, pull: Pull, site: Site) -> list[float]:
    """The lines on which it may stand: those of the others, new ones above and below, one rank after or before what
    pulls it."""
    tops = {box.center.y - height / 2: None for box in site.boxes}
    tops |= {box.bottom + site.rank_gap: None for box, _ in pull.sources}
    tops |= {box.y - site.rank_gap - height: None for box, _ in pull.targets}
    tops[site.bounds.bottom + site.rank_gap] = None
    tops[site.bounds.y - site.rank_gap - height] = None
    return list(tops)


def _shadows(site: Site) -> list[tuple[float, float, float, float]]:
    """Top, bottom, left and right of what every box keeps free; plain numbers, they are compared often."""
    gap, beside = site.rank_gap * ROW_GAP, site.node_gap
    return [(y - gap, y + height + gap, x - beside, x + width + beside) for x, y, width, height in site.boxes]


def _blocked(
    top: float, bottom: float, shadows: Iterable[tuple[float, float, float, float]]
) -> list[tuple[float, float]]:
    """Where boxes leave no room at a height, from left to right."""
    return sorted((left, right) for above, below, left, right in shadows if above < bottom and top < below)


def _free(width: float, wishes: Iterable[float], blocked: Sequence[tuple[float, float]]) -> list[float]:
    """The wishes that are free, and the nearest free places left and right of the first."""
    gaps: list[tuple[float, float]] = []
    free_from = -inf
    for start, end in [*blocked, (inf, inf)]:
        if start - free_from >= width:
            gaps.append((free_from, start - width))
        free_from = max(free_from, end)
    first, *others = wishes
    near = sorted((min(max(first, low), high) for low, high in gaps), key=lambda x: abs(x - first))
    return [*near[:2], *(x for x in others if any(low <= x <= high for low, high in gaps))]


def _length(place: Box, pull: Pull) -> float:
    """The cost of the lines: their lengths, bends, and sense against the flow."""
    cost = sum(_drop(end.box, place) * end.weight for end in pull.sources)
    cost += sum(_drop(place, end.box) * end.weight for end in pull.targets)
    return cost / max(1.0, sum(end.weight for end in pull.ends)) ** 0.5


def _drop(upper: Box, lower: Box) -> float:
    """The cost of a line from `upper` down to `lower`."""
    aside = abs(upper.center.x - lower.center.x)
    aside += BEND if aside >= 1 else 0.0
    if lower.y >= upper.bottom:
        return aside + lower.y - upper.bottom
    if lower.bottom > upper.y:
        return aside + BESIDE
    return aside + upper.y - lower.bottom + AGAINST


def _off_line(place: Box, rows: Container[float]) -> float:
    return 0.0 if place.center.y in rows else OFF_LINE


def _growth(place: Box, site: Site) -> float:
    """The cost of the room that a place takes beyond the bounds."""
    bounds, room = site.bounds, site.room
    sides = (
        (bounds.y - place.y, room.top),
        (place.right - bounds.right, room.right),
        (place.bottom - bounds.bottom, room.bottom),
        (bounds.x - place.x, room.left),
    )
    first = OUT_OF_TURN if place.right < bounds.x else 0.0
    return first + sum(_beyond(more, free) for more, free in sides)


def _beyond(more: float, free: float) -> float:
    if more <= 0:
        return 0.0
    return GROWTH * more if more <= free else BLOCKED + BLOCKED_GROWTH * (more - free)


def _tangle(place: Box, pull: Pull, site: Site) -> float:
    """The cost of crossings, and of boxes in the way."""
    if len(site.lines) > MAX_LINES:
        return 0.0
    own = [line_between(box, place) for box, _ in pull.sources]
    own += [line_between(place, box) for box, _ in pull.targets]
    ends = {end.box for end in pull.ends}
    cost = sum(CROSSING for line in own for other in _about(line, site.lines) if _cross(line, other))
    cost += sum(THROUGH for line in own for box in site.boxes if _hits(line, box) and box not in ends)
    diagonal = StraightLine(Point(place.x, place.y), Point(place.right, place.bottom))
    return cost + sum(CROSSING for other in _about(diagonal, site.lines) if _hits(other, place))


def _about(line: StraightLine, others: Sequence[StraightLine]) -> list[StraightLine]:
    """The others whose bounds touch those of the line."""
    (x1, y1), (x2, y2) = line
    left, right = (x1, x2) if x1 < x2 else (x2, x1)
    top, bottom = (y1, y2) if y1 < y2 else (y2, y1)
    return [
        other
        for other in others
        if (other[0][0] >= left or other[1][0] >= left)
        and (other[0][0] <= right or other[1][0] <= right)
        and (other[0][1] >= top or other[1][1] >= top)
        and (other[0][1] <= bottom or other[1][1] <= bottom)
    ]


def line_between(first: Box, second: Box) -> StraightLine:
    """From side to side along the flow; from middle to middle where the boxes lie beside each other."""
    (x1, y1), (x2, y2) = first.center, second.center
    if second.y >= first.bottom:
        return StraightLine(Point(x1, first.bottom), Point(x2, second.y))
    if first.y >= second.bottom:
        return StraightLine(Point(x1, first.y), Point(x2, second.bottom))
    return StraightLine(Point(x1, y1), Point(x2, y2))


def _cross(first: StraightLine, second: StraightLine) -> bool:
    if first.start in second or first.end in second:
        return False
    return _divides(first, second) and _divides(second, first)


def _divides(line: StraightLine, other: StraightLine) -> bool:
    dx, dy = line.end.x - line.start.x, line.end.y - line.start.y
    start = dx * (other.start.y - line.start.y) - dy * (other.start.x - line.start.x)
    end = dx * (other.end.y - line.start.y) - dy * (other.end.x - line.start.x)
    return start * end < 0


def _hits(line: StraightLine, box: Box) -> bool:
    """Whether a line passes through a box."""
    (x1, y1), (x2, y2) = line
    if max(x1, x2) <= box.x or min(x1, x2) >= box.right or max(y1, y2) <= box.y or min(y1, y2) >= box.bottom:
        return False
    if x1 == x2 or y1 == y2:
        return True
    return _cross_diagonal(line, box)


def _cross_diagonal(line: StraightLine, box: Box) -> bool:
    down = StraightLine(Point(box.x, box.y), Point(box.right, box.bottom))
    up = StraightLine(Point(box.x, box.bottom), Point(box.right, box.y))
    return any(_divides(line, one) for one in (down, up))
