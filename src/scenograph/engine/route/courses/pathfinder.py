"""Orthogonal paths: simple paths first, then a search, with ever less clearance until one is found.

In: a connection and the terrain. Out: a path from a side of the source to a side of the target; one always exists.
Rules R-ROUTE-2, R-ROUTE-3, R-ROUTE-4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from math import inf
from typing import NamedTuple

from scenograph.engine.costs import (
    ALONG_CHANNEL,
    AWAY,
    BEHIND_LABEL,
    BEND,
    BESIDE_BORDER,
    BESIDE_MIDDLES,
    CLEARANCE,
    CRAMPED_MARKER,
    CROSSING,
    GOOD_SIDES,
    WINDING,
)
from scenograph.engine.effort import Effort
from scenograph.engine.geometry.boxes import Box, Point, union
from scenograph.engine.geometry.directions import OUTWARDS
from scenograph.engine.geometry.paths import length, manhattan
from scenograph.engine.geometry.spatial_index import Bounds, bounds_of, widened
from scenograph.engine.kernels.orthogonal_search import find_way
from scenograph.engine.kernels.runs import needed_corners
from scenograph.engine.kernels.simple_paths import (
    HULL_MARGIN,
    FoundPath,
    clear_path,
    holds,
    hull,
    is_clear,
    least_cost,
    own_sides,
    plain_paths,
    straight_at,
    with_clear_run,
)
from scenograph.engine.route.courses.anchors import Anchor, slid
from scenograph.engine.route.courses.terrain import BARE, LEVELS, NO_TRAFFIC, Level, Terrain, Traffic
from scenograph.engine.route.problem import Channel, Connection
from scenograph.late_dataclasses import dataclass, field

# Cleaning orthogonal polylines: no repeated points, no points on a line, no way back on itself. In: corners. Out:
# the fewest corners that draw the same line, without spikes.


def straightened(points: Sequence[Point]) -> tuple[Point, ...]:
    """The same polyline with the fewest points and without spikes (out and back along one axis). A polyline that would
    vanish stays unchanged."""
    corners = tuple(points)
    kept = needed_corners(corners)
    return corners if len(kept) == len(corners) else tuple([corners[number] for number in kept])


# Frames with a cost for running along their borders, and paths round them: a line beside a border looks like a part of
# the border. (R-ROUTE-12)


def _frames_between(frames: Sequence[Bounds], source: Box, target: Box) -> list[Bounds]:
    """The frames around exactly one of the two ends, left or entered by the route."""
    return [frame for frame in frames if _holds(frame, source) != _holds(frame, target)]


def _holds(frame: Bounds, box: Box) -> bool:
    left, top, right, bottom = frame
    x, y, width, height = box
    return left <= x and top <= y and right >= x + width and bottom >= y + height


# Straight, L and step paths: the cheapest clear one wins before any search runs. In: the anchors of both ends and
# the obstacles near them. Out: a path of two to four points, or None when each of them crosses an obstacle. Rules
# R-ROUTE-2, R-ROUTE-4.


_SIMPLE_PRICES = BEND, BESIDE_MIDDLES, GOOD_SIDES
MOST_OFFERS, MOST_LOOKS = 8, 500  # without a clear path only the cheapest compete, and fewer if these cross much


class RoutePath(NamedTuple):
    """An orthogonal path from anchor to anchor. Its cost, px: length, bends and penalties of the sides."""

    points: tuple[Point, ...]
    start: Anchor
    finish: Anchor
    cost: float


def _cheapest_clear(
    connection: Connection, terrain: Terrain, ground: tuple[Level, frozenset[int]], stub: float
) -> RoutePath | None:
    """The cheapest straight, L or step path that is clear at a level, exempt obstacles aside, and has room for the
    markers before its corners."""
    level, exempt = ground
    anchors, boxes = (connection.starts, connection.finishes), (connection.source_box, connection.target_box)
    found = clear_path(anchors, boxes, (terrain.field(level), exempt), (stub, connection.tips), _SIMPLE_PRICES)
    return None if found is None else _path(found, *anchors)


def _least_bad(
    starts: Sequence[Anchor],
    finishes: Sequence[Anchor],
    obstacles: Callable[[Bounds], Sequence[Bounds]],
    stub: float,
) -> RoutePath | None:
    """The simple path across the fewest obstacles, the cheapest among equals; `obstacles` returns the obstacles of a
    region."""
    best: tuple[int, float, FoundPath] | None = None
    looks = 0
    for found in plain_paths((starts, finishes), stub, _SIMPLE_PRICES, MOST_OFFERS):
        cost, points = found[0], found[5]
        # The legs of an orthogonal path
        legs = [Bounds(min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)) for (ax, ay), (bx, by) in pairwise(points)]
        crossed = len({box for leg in legs for box in obstacles(leg)})
        looks += crossed
        if best is None or (crossed, cost) < best[:2]:
            best = crossed, cost, found
        if best[0] == 0 or looks > MOST_LOOKS:
            break
    return _path(best[2], starts, finishes) if best else None


def in_line(start: Anchor, finish: Anchor) -> tuple[Anchor, ...]:
    """Both anchors moved onto one straight segment; empty when the sides do not face each other or no coordinate
    fits."""
    along = straight_at(start, finish)
    return () if along is None else (start.at(along), finish.at(along))


def _path(found: FoundPath, starts: Sequence[Anchor], finishes: Sequence[Anchor]) -> RoutePath:
    cost, first, last, along, other, points = found
    start, finish = starts[first], finishes[last]
    if along != start.along:
        start = start.at(along)
    if other != finish.along:
        finish = finish.at(other)
    return RoutePath(tuple([Point(x, y) for x, y in points]), start, finish, cost)


# Brackets: out of one side, along, and back into the same side of the far end. In: a connection, its anchors and the
# obstacles. Out: the shortest clear bracket, or None. If an obstacle bars the straight line between two aligned ends, a
# bracket with its two bends reads better than a line round the obstacle and back.


WINDS = 3  # bends from which on a path is held against a bracket
FARTHEST = 80.0  # from the outer end


def unwound(
    path: RoutePath, ends: tuple[Sequence[Anchor], Sequence[Anchor]], obstacles: Sequence[Bounds], stub: float
) -> RoutePath:
    """The path itself, or a bracket between the same ends when cheaper by `WINDING`."""
    drawn = length(path.points) + BEND * (len(path.points) - 2)
    found = min(_brackets(ends, obstacles, stub), key=lambda bracket: bracket.cost, default=path)
    return found if found is not path and found.cost < drawn + WINDING else path


def _brackets(
    ends: tuple[Sequence[Anchor], Sequence[Anchor]], obstacles: Sequence[Bounds], stub: float
) -> Iterator[RoutePath]:
    """The nearest clear bracket on every side."""
    starts, finishes = ends
    for start in starts:
        for finish in finishes:
            if (start.dx, start.dy) == (finish.dx, finish.dy):
                bracket = _nearest(start, finish, obstacles, stub)
                if bracket is not None:
                    yield bracket


def _nearest(start: Anchor, finish: Anchor, obstacles: Sequence[Bounds], stub: float) -> RoutePath | None:
    across, sign = (0, start.dx) if start.dx else (1, start.dy)
    begin = max(start.x * sign, finish.x * sign) if start.dx else max(start.y * sign, finish.y * sign)
    begin += stub
    edges = (box[across + 2] if sign > 0 else -box[across] for box in obstacles)
    for out in sorted({begin, *(edge for edge in edges if begin < edge < begin + FARTHEST)}):
        points = _drawn(start, finish, out * sign)
        if is_clear(points, obstacles):
            return RoutePath(points, start, finish, length(points) + 2 * BEND)
    return None


def _drawn(start: Anchor, finish: Anchor, out: float) -> tuple[Point, ...]:
    a, b = Point(start.x, start.y), Point(finish.x, finish.y)
    if start.dx:
        return a, Point(out, a.y), Point(out, b.y), b
    return a, Point(a.x, out), Point(b.x, out), b


# The search for an orthogonal path through a visibility graph. A* over the visibility graph
# (`kernels.orthogonal_search`): cost is length plus 20 px a bend plus the choice of sides. At most 5,000
# expansions. Rule R-ROUTE-4.


MAX_EXPANSIONS = 5000  # expansions of vertices in a search, at most (R-ROUTE-4)
_SEARCH_PRICES = BEND, CROSSING, BESIDE_BORDER, CLEARANCE, ALONG_CHANNEL


class SearchSpace(NamedTuple):
    """The search space: a region, its grown obstacles, and the straight run kept at every end."""

    region: Bounds
    obstacles: Sequence[Bounds]
    stub: float
    traffic: Traffic = NO_TRAFFIC
    limit: float = inf  # a path that costs this much is of no use
    cap: int = MAX_EXPANSIONS
    borders: Sequence[Bounds] = ()  # of frames, with a cost along each border, and paths round the frame
    narrow: Sequence[Channel] = ()  # with a cost along each channel, none across


def search(
    starts: Sequence[Anchor], finishes: Sequence[Anchor], ground: SearchSpace, effort: Effort
) -> RoutePath | None:
    """The cheapest clear path, or a good path once the effort is spent; None when no path is found."""
    if not starts or not finishes:
        return None
    found, spent = find_way(starts, finishes, ground, effort.left, _SEARCH_PRICES)
    effort.spend(spent)
    if found is None:
        return None
    first, last, trail, cost = found
    start, finish = starts[first], finishes[last]
    corners = [Point(start.x, start.y), *[Point(x, y) for x, y in trail], Point(finish.x, finish.y)]
    return RoutePath(straightened(corners), start, finish, cost)


def open_anchors(anchors: Sequence[Anchor], obstacles: Sequence[Bounds], stub: float) -> list[Anchor]:
    """The anchors with a clear straight run."""
    found = [anchors[number] for number in with_clear_run(anchors, obstacles, stub)]
    near = [anchor for anchor in found if anchor.penalty < AWAY]
    return near if len(near) > 1 else found


def _ending_in(region: Bounds, anchors: Sequence[Anchor], stub: float) -> list[Anchor]:
    """The anchors with a straight run that ends in a region."""
    left, top, right, bottom = region
    ends = ((anchor, anchor.x + anchor.dx * stub, anchor.y + anchor.dy * stub) for anchor in anchors)
    return [anchor for anchor, x, y in ends if left <= x <= right and top <= y <= bottom]


MARGINS = (120.0, 600.0, 2000.0)  # px; round both ends, the parts of the scene that are searched in turn
TIP_ROOM = 6.0  # between a marker and the next corner
ENOUGH = 0.3  # a path so little longer than the least conceivable is not worth a wider search
DETOUR = 24.0  # px; the growth of the searched region, for a detour
AFIELD = 480.0, 240.0  # px; how far from its ends a line looks for another way, and in crowded regions
MANY = 60  # obstacles of a crowded region: a narrower search finds more than a truncated search
AFIELD_EXPANSIONS = 2_000  # vertices examined for a wide search
_SQUEEZED = (  # full clearance from nodes, next to none from anything else; then hardly any straight run at the ends
    Level(CLEARANCE, 4.0, 4.0, 3.0, 10.0),
    Level(CLEARANCE, 4.0, 4.0, 3.0, 4.0),
)
_NEXT_BEST = LEVELS[2]  # the first level that passes nodes more closely
_HURRIED = (LEVELS[0], LEVELS[-1])  # all that is tried for simple paths when no searches are left
MUCH = 64  # obstacles between two ends


class Barred(NamedTuple):
    """Walls closed to a detour, and channels not to follow."""

    walls: Sequence[Bounds] = ()
    narrow: Sequence[Channel] = ()


NOTHING_BARRED = Barred()


@dataclass(slots=True)
class Pathfinder:
    """Finds orthogonal paths on one terrain with an effort shared by all edges. `hurried` lists the edges routed
    without a search, after the effort was spent."""

    terrain: Terrain
    effort: Effort
    hurried: list[int] = field(default_factory=list[int])

    def path(self, connection: Connection) -> RoutePath:
        """The cheapest path at the greatest clearance that admits a path; otherwise the least bad simple path."""
        found = self._found(connection)
        return found if found.points[0] != found.points[-1] else _roundabout(connection)

    def _found(self, connection: Connection) -> RoutePath:
        if self.effort.is_spent:
            return self._hurried(connection)
        for level in LEVELS:
            if level is _NEXT_BEST and not self.effort.is_spent:
                found = self._squeezed(connection)
                if found is not None:
                    return found
            found = self._at_level(connection, level, connection.exempt)
            if found is not None:
                return found
            if level is LEVELS[0] and not self.effort.is_spent and self._is_covered(connection):
                break
        covering = _covering(connection, self.terrain)
        found = self._at_level(connection, BARE, connection.exempt | covering) if covering else None
        return found or self._forced(connection)

    def _hurried(self, connection: Connection) -> RoutePath:
        """A simple path: clear if few obstacles stand between the ends, else the least bad."""
        self.hurried.append(connection.number)
        if len(self.terrain.index.near(*_hull(connection), most=MUCH)) < MUCH:
            for level in _HURRIED:
                found = self._at_level(connection, level, connection.exempt)
                if found is not None:
                    return found
        return self._forced(connection)

    def simple(self, connection: Connection) -> RoutePath | None:
        """The cheapest straight, L or step path at full clearance; None when all are blocked."""
        ground = LEVELS[0], connection.exempt
        return _cheapest_clear(connection, self.terrain, ground, _wanted_stub(connection, ground[0]))

    def detour(
        self,
        connection: Connection,
        traffic: Callable[[Bounds], Traffic],
        limit: float,
        barred: Barred = NOTHING_BARRED,
    ) -> RoutePath | None:
        """The cheapest path at full clearance, clear of `barred`, with crossings priced; None when every path costs
        `limit`. A path that leaves the hull of both ends by n px is longer than the shortest path by at least 2n, hence
        the bounded region."""
        level, hull = LEVELS[0], _hull(connection)
        near = self.terrain.around(hull, connection.exempt, level) + _own_bounds(connection, 0.0)
        stub = _stub(connection, level)
        lined = [
            anchor._replace(penalty=anchor.penalty + BESIDE_MIDDLES)
            for anchor in in_line(connection.starts[0], connection.finishes[0])
        ]
        starts = open_anchors((*lined[:1], *connection.starts), near, stub)
        finishes = open_anchors((*lined[1:], *connection.finishes), near, stub)
        spare = limit - least_cost(starts, finishes) if starts and finishes else 0.0
        if spare <= 0.0:
            return None
        region, strangers = self._afield(connection, hull, spare / 2)
        starts, finishes = (_ending_in(region, anchors, stub) for anchors in (starts, finishes))
        obstacles = [*strangers, *_own_bounds(connection, stub), *barred.walls]
        borders = self._left(region, connection)
        ground = SearchSpace(region, obstacles, stub, traffic(region), limit, AFIELD_EXPANSIONS, borders, barred.narrow)
        return search(starts, finishes, ground, self.effort)

    def _afield(self, connection: Connection, hull: Bounds, most: float) -> tuple[Bounds, list[Bounds]]:
        """The region of a detour, at most `most` px beyond the hull, and its obstacles. The region is smaller where
        more than `MANY` obstacles would end the search early."""
        level, strangers = LEVELS[0], list[Bounds]()
        region = hull
        for margin in AFIELD:
            region = _region(hull, connection, min(margin, most), level)
            strangers = self.terrain.around(region, connection.exempt, level)
            if len(strangers) <= MANY:
                break
        return region, strangers

    def _squeezed(self, connection: Connection) -> RoutePath | None:
        """A path at full clearance from any place along a side, tried before clearance is reduced."""
        for level in _SQUEEZED:
            near = self.terrain.around(_hull(connection), connection.exempt, level)
            starts, finishes = (slid(ends, near, level.stub) for ends in (connection.starts, connection.finishes))
            if starts and finishes:
                sliding = connection._replace(starts=starts, finishes=finishes)
                found = self._at_level(sliding, level, connection.exempt)
                if found is not None:
                    return found
        return None

    def _is_covered(self, connection: Connection) -> bool:
        """Whether strangers cover every place to leave the source or every place to enter the target: less clearance
        cannot help then."""
        obstacles, stub = self.terrain.around(_hull(connection), connection.exempt, LEVELS[-1]), LEVELS[-1].stub
        return not (slid(connection.starts, obstacles, stub) and slid(connection.finishes, obstacles, stub))

    def _at_level(self, connection: Connection, level: Level, exempt: frozenset[int]) -> RoutePath | None:
        ground = level, exempt
        found = _cheapest_clear(connection, self.terrain, ground, _wanted_stub(connection, level))
        if found is not None:
            return found
        if self.effort.is_spent:
            return None
        near = self.terrain.around(_hull(connection), exempt, level) + _own_bounds(connection, 0.0)
        found = self._searched(connection, near, ground, _stub(connection, level))
        if found is None or holds(found.points, connection.tips):
            return found
        roomy = self._searched(connection, near, ground, _wanted_stub(connection, level))
        return found if roomy is None or roomy.cost > found.cost + CRAMPED_MARKER else roomy

    def _searched(
        self, connection: Connection, near: Sequence[Bounds], ground: tuple[Level, frozenset[int]], stub: float
    ) -> RoutePath | None:
        level, exempt = ground
        starts = open_anchors(connection.starts, near, stub)
        finishes = open_anchors(connection.finishes, near, stub)
        if not starts or not finishes:
            return None
        hull, least = _hull(connection), least_cost(starts, finishes)
        best: RoutePath | None = None
        spare = inf  # px beyond the hull; what leaves it farther costs more than the best path
        for margin in MARGINS:
            region = _region(hull, connection, min(margin, spare), level)
            obstacles = self.terrain.around(region, exempt, level) + _own_bounds(connection, stub)
            part = SearchSpace(region, obstacles, stub, borders=self._left(region, connection))
            found = search(starts, finishes, part, self.effort)
            if found is not None and (best is None or found.cost <= best.cost):
                best, spare = found, (found.cost - least) / 2
            if spare <= max(margin, ENOUGH / 2 * least):
                break
        return best and self._unwound(best, (starts, finishes), connection, ground)

    def _left(self, region: Bounds, connection: Connection) -> list[Bounds]:
        """The frames that the route leaves or enters."""
        frames = self.terrain.frames
        near = [frames.bounds[number] for number in frames.near(*region)]
        return _frames_between(near, connection.source_box, connection.target_box)

    def _unwound(
        self,
        path: RoutePath,
        ends: tuple[Sequence[Anchor], Sequence[Anchor]],
        connection: Connection,
        ground: tuple[Level, frozenset[int]],
    ) -> RoutePath:
        """The path, or a bracket that winds less."""
        if len(path.points) - 2 < WINDS:
            return path
        level, exempt = ground
        region = _region(_hull(connection), connection, FARTHEST, level)
        obstacles = self.terrain.around(region, exempt, level) + _own_bounds(connection, 0.0)
        return unwound(path, ends, obstacles, _wanted_stub(connection, level))

    def _forced(self, connection: Connection) -> RoutePath:
        obstacles = partial(self.terrain.around, exempt=connection.exempt, level=BARE)
        found = _least_bad(connection.starts, connection.finishes, obstacles, BARE.stub)
        return found or _roundabout(connection)


def _roundabout(connection: Connection) -> RoutePath:
    """The path round two ends that cover each other: from the right of the source to the top of the target, or between
    the rows and ports named by the author."""
    start = _outwards(connection.starts, ("right",))
    finish = _outwards(connection.finishes, ("top", start.side))
    hull = union((connection.source_box, connection.target_box)) or connection.source_box
    hull = hull.grown(DETOUR)
    first, last = _beyond(start, hull), _beyond(finish, hull)
    if start.side == finish.side:
        between: tuple[Point, ...] = ()
    elif start.dx and finish.dx:
        between = (Point(first.x, hull.y), Point(last.x, hull.y))
    elif start.dx == finish.dx:
        between = (Point(hull.right, first.y), Point(hull.right, last.y))
    else:
        between = (Point(first.x, last.y) if start.dx else Point(last.x, first.y),)
    points = (Point(start.x, start.y), first, *between, last, Point(finish.x, finish.y))
    return RoutePath(points, start, finish, length(points))


def _outwards(anchors: Sequence[Anchor], sides: Sequence[str]) -> Anchor:
    """The anchor of the first side in `sides` with an anchor, directed away from its box."""
    anchor = next((one for side in sides for one in anchors if one.side == side), anchors[0])
    dx, dy = OUTWARDS[anchor.side]
    return anchor._replace(dx=dx, dy=dy)


def _beyond(anchor: Anchor, hull: Box) -> Point:
    """The point at which a straight run from the anchor reaches the border of the hull."""
    if anchor.dx:
        return Point(hull.right if anchor.dx > 0 else hull.x, anchor.y)
    return Point(anchor.x, hull.bottom if anchor.dy > 0 else hull.y)


def _covering(connection: Connection, terrain: Terrain) -> frozenset[int]:
    """The strangers over an end, touched by every path."""
    owners: list[int] = []
    for box in (connection.source_box, connection.target_box):
        grown = bounds_of(box.grown(BARE.stub))
        for number in terrain.index.near(*grown):
            owners.append(terrain.obstacles[number].owner)
    return frozenset(owners) - connection.exempt


def _hull(connection: Connection) -> Bounds:
    """The region of the anchors, slightly grown: straight, L and step paths stay inside."""
    return Bounds(*hull(connection.starts, connection.finishes))


def _region(hull: Bounds, connection: Connection, margin: float, level: Level) -> Bounds:
    """The region of a search: round both ends, and at full clearance within the container of both."""
    wide = widened(hull, margin)
    if connection.around is None or level is not LEVELS[0] or level.frame is None:
        return wide
    inner = bounds_of(connection.around.grown(-level.frame))
    least = widened(hull, _wanted_stub(connection, level) - HULL_MARGIN)  # the straight runs at both ends
    left, top = max(wide[0], min(inner[0], least[0])), max(wide[1], min(inner[1], least[1]))
    return Bounds(left, top, min(wide[2], max(inner[2], least[2])), min(wide[3], max(inner[3], least[3])))


def _own_bounds(connection: Connection, by: float) -> list[Bounds]:
    """Both ends as obstacles of their own edge, except an end that holds the other end."""
    return [Bounds(*sides) for sides in own_sides(connection.source_box, connection.target_box, by)]


def _stub(connection: Connection, level: Level) -> float:
    """The straight run at both ends: the run of the level, at most half the gap between the boxes."""
    source, target = connection.source_box, connection.target_box
    gap = max(_gap(source, target), _gap(target, source))
    wanted = _wanted_stub(connection, level)
    return min(wanted, gap / 2) if gap > 0.0 else wanted


def _wanted_stub(connection: Connection, level: Level) -> float:
    """The straight run of the level, or more if the longer marker needs more before a corner."""
    longest = max(connection.tips)
    return max(level.stub, longest + TIP_ROOM) if longest else level.stub


def _gap(a: Box, b: Box) -> float:
    return max(b.x - a.right, b.y - a.bottom)


# Routes that leave a symbol behind the label below it: straight on from the outline, past the text, with a gap in the
# drawing.
#
# In: a connection with an outside label at an end. Out: a path through the label when cheaper than the detour. Only an
# end without a marker passes: a marker would stand in the text. Rule R-LABEL-5.

LABEL_TIP_ROOM = 6.0  # between a marker and the text
_PAST_LABEL = LEVELS[0].writing or 0.0


def best_path(connection: Connection, pathfinder: Pathfinder) -> RoutePath:
    """The straight path behind the end labels if possible, else the cheaper of the detour and the path behind them."""
    behind = _behind(connection, pathfinder)
    if behind is not None and len(behind.points) == 2:
        return behind
    around = pathfinder.path(connection)
    return behind if behind is not None and behind.cost < around.cost else around


def seen(points: tuple[Point, ...], labels: tuple[Box | None, Box | None]) -> tuple[Point, ...]:
    """The visible part of a route: the points without the parts behind end labels."""
    first, last = past_label(points[0], points[1], labels[0]), past_label(points[-1], points[-2], labels[1])
    return (first, *points[1:-1], last)


def past_label(end: Point, following: Point, label: Box | None) -> Point:
    """The visible end of a route: below the label that hides the end, else the end itself."""
    if label is None or end.x != following.x or not label.x <= end.x <= label.right:
        return end
    return Point(end.x, label.bottom) if end.y <= label.y and label.bottom < following.y else end


def _behind(connection: Connection, pathfinder: Pathfinder) -> RoutePath | None:
    """The cheapest simple path past the end labels."""
    labels, tips = connection.own_labels, connection.tips
    starts = _past_label(connection.starts, labels[0], tips[0])
    finishes = _past_label(connection.finishes, labels[1], tips[1])
    if not (starts or finishes):
        return None
    moved = connection._replace(starts=starts or connection.starts, finishes=finishes or connection.finishes)
    found = pathfinder.simple(moved)
    if found is None or manhattan(found.points[0], found.points[1]) < max(tips) + LABEL_TIP_ROOM:
        return None
    start, finish = _back(found.start, connection.starts), _back(found.finish, connection.finishes)
    points = (Point(start.x, start.y), *found.points[1:-1], Point(finish.x, finish.y))
    passed = (bool(starts) + bool(finishes)) * BEHIND_LABEL
    return RoutePath(points, start, finish, found.cost + passed)


def _past_label(anchors: Sequence[Anchor], label: Box | None, tip: float) -> tuple[Anchor, ...]:
    """The anchors on the label's side, moved past the label; empty when the edge need not or cannot pass."""
    if label is None or tip > 0.0:
        return ()
    below = [anchor for anchor in anchors if anchor.dy > 0 and anchor.penalty < AWAY and label.y >= anchor.y]
    found = [anchor for anchor in below if label.x - _PAST_LABEL < anchor.x < label.right + _PAST_LABEL]
    return tuple(anchor._replace(y=label.bottom + _PAST_LABEL) for anchor in found)


def _back(moved: Anchor, anchors: Sequence[Anchor]) -> Anchor:
    """The original anchor of one moved past the label, at the moved coordinate along the side."""
    own = next(anchor for anchor in anchors if anchor.side == moved.side)
    return moved._replace(x=own.x, y=moved.y) if own.dx else moved._replace(y=own.y)
