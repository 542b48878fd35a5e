"""Right-angle paths: simple ones first, then a search, with less and less clearance until something holds.

In: a connection and the terrain. Out: a path from a side of the source to a side of the target; there is always one.
Rules R-ROUTE-2, R-ROUTE-3, R-ROUTE-4.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from scenograph.engine.effort import Effort
from scenograph.engine.geometry.boxes import Box, Point, union
from scenograph.engine.geometry.segments import length
from scenograph.engine.geometry.spatial_index import Bounds, bounds_of, widened
from scenograph.engine.kernels.obstacles import own_sides
from scenograph.engine.kernels.simple_paths import HULL_MARGIN, holds, hull, least_cost
from scenograph.engine.route.costs import BESIDE_MIDDLES, CRAMPED_MARKER
from scenograph.engine.route.courses.beside_borders import frames_between
from scenograph.engine.route.courses.brackets import FARTHEST, WINDS, unwound
from scenograph.engine.route.courses.search import Ground, open_anchors, search
from scenograph.engine.route.courses.simple import Path, cheapest_clear, in_line, least_bad
from scenograph.engine.route.courses.terrain import BARE, CLEARANCE, LEVELS, Level, Terrain
from scenograph.engine.route.courses.traffic import Traffic
from scenograph.engine.route.ports.anchors import DIRECTIONS, Anchor, slid
from scenograph.engine.route.problem import Channel, Connection
from scenograph.late_dataclasses import dataclass, field

MARGINS = (120.0, 600.0, 2000.0)  # px; round both ends, the parts of the scene that are searched in turn
TIP_ROOM = 6.0  # between a marker and the next corner
ENOUGH = 0.3  # a path so little longer than the least conceivable is not worth a wider search
DETOUR = 24.0  # px; by which the searched part grows, for a way round it
AFIELD = 480.0, 240.0  # px; how far from its ends another way for a line is looked for,
MANY = 60  # obstacles; the second where so many stand there: a narrower search finds more than one that is cut short
AFIELD_EXPANSIONS = 2_000  # vertices looked at for it
SQUEEZED = (  # full clearance from nodes, next to none from anything else; then hardly any straight run at the ends
    Level(CLEARANCE, 4.0, 4.0, 3.0, 10.0),
    Level(CLEARANCE, 4.0, 4.0, 3.0, 4.0),
)
NEXT_BEST = LEVELS[2]  # the first level that passes nodes more closely
HURRIED = (LEVELS[0], LEVELS[-1])  # all that is tried for simple paths when no searches are left
MUCH = 64  # obstacles between two ends


class Barred(NamedTuple):
    """What a detour does not enter, and the channels along which it does not run."""

    walls: Sequence[Bounds] = ()
    narrow: Sequence[Channel] = ()


NOTHING_BARRED = Barred()


@dataclass(slots=True)
class Pathfinder:
    """Finds orthogonal paths on one terrain with an effort that all lines share. `hurried` are those that came after
    it was spent: they were given no search."""

    terrain: Terrain
    effort: Effort
    hurried: list[int] = field(default_factory=list[int])

    def path(self, connection: Connection) -> Path:
        """The cheapest path at the greatest clearance that has one; where none has, the least bad simple path."""
        found = self._found(connection)
        return found if found.points[0] != found.points[-1] else _roundabout(connection)

    def _found(self, connection: Connection) -> Path:
        if self.effort.is_spent:
            return self._hurried(connection)
        for level in LEVELS:
            if level is NEXT_BEST and not self.effort.is_spent:
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

    def _hurried(self, connection: Connection) -> Path:
        """A simple path: clear where not much stands between the ends, else the least bad one."""
        self.hurried.append(connection.number)
        if len(self.terrain.index.near(*_hull(connection), most=MUCH)) < MUCH:
            for level in HURRIED:
                found = self._at_level(connection, level, connection.exempt)
                if found is not None:
                    return found
        return self._forced(connection)

    def simple(self, connection: Connection) -> Path | None:
        """The cheapest straight, L or step path at full clearance; None when all are blocked."""
        ground = LEVELS[0], connection.exempt
        return cheapest_clear(connection, self.terrain, ground, _wanted_stub(connection, ground[0]))

    def detour(
        self,
        connection: Connection,
        traffic: Callable[[Bounds], Traffic],
        limit: float,
        barred: Barred = NOTHING_BARRED,
    ) -> Path | None:
        """The cheapest path at full clearance and clear of what is barred, when crossing other routes costs too; None
        when all cost `limit`. What leaves the region of both ends by some px is longer than the shortest way by twice
        that."""
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
        obstacles = [*strangers, *_own_bounds(connection, stub), *barred.walls]
        borders = self._left(region, connection)
        ground = Ground(region, obstacles, stub, traffic(region), limit, AFIELD_EXPANSIONS, borders, barred.narrow)
        return search(starts, finishes, ground, self.effort)

    def _afield(self, connection: Connection, hull: Bounds, most: float) -> tuple[Bounds, list[Bounds]]:
        """Where another way for a line is looked for, at most so far around, and what stands there: less far where that
        is so much that the search would end before it has found one."""
        level, strangers = LEVELS[0], list[Bounds]()
        region = hull
        for margin in AFIELD:
            region = _region(hull, connection, min(margin, most), level)
            strangers = self.terrain.around(region, connection.exempt, level)
            if len(strangers) <= MANY:
                break
        return region, strangers

    def _squeezed(self, connection: Connection) -> Path | None:
        """A path at full clearance that leaves or enters anywhere along a side: before anything is passed more
        closely."""
        for level in SQUEEZED:
            near = self.terrain.around(_hull(connection), connection.exempt, level)
            starts, finishes = (slid(ends, near, level.stub) for ends in (connection.starts, connection.finishes))
            if starts and finishes:
                sliding = connection._replace(starts=starts, finishes=finishes)
                found = self._at_level(sliding, level, connection.exempt)
                if found is not None:
                    return found
        return None

    def _is_covered(self, connection: Connection) -> bool:
        """Whether strangers lie over every place where the edge could leave, or over every one where it could enter:
        then less clearance is no help."""
        obstacles, stub = self.terrain.around(_hull(connection), connection.exempt, LEVELS[-1]), LEVELS[-1].stub
        return not (slid(connection.starts, obstacles, stub) and slid(connection.finishes, obstacles, stub))

    def _at_level(self, connection: Connection, level: Level, exempt: frozenset[int]) -> Path | None:
        ground = level, exempt
        found = cheapest_clear(connection, self.terrain, ground, _wanted_stub(connection, level))
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
    ) -> Path | None:
        level, exempt = ground
        starts = open_anchors(connection.starts, near, stub)
        finishes = open_anchors(connection.finishes, near, stub)
        if not starts or not finishes:
            return None
        hull, least = _hull(connection), least_cost(starts, finishes)
        best: Path | None = None
        for margin in MARGINS:
            region = _region(hull, connection, margin, level)
            obstacles = self.terrain.around(region, exempt, level) + _own_bounds(connection, stub)
            part = Ground(region, obstacles, stub, borders=self._left(region, connection))
            best = search(starts, finishes, part, self.effort)
            # What leaves the region is longer than the shortest way by at least twice the margin.
            if best is not None and best.cost - least <= max(2 * margin, ENOUGH * least):
                break
        return best and self._unwound(best, (starts, finishes), connection, ground)

    def _left(self, region: Bounds, connection: Connection) -> list[Bounds]:
        """The frames that the line leaves or enters."""
        frames = self.terrain.frames
        near = [frames.bounds[number] for number in frames.near(*region)]
        return frames_between(near, connection.source_box, connection.target_box)

    def _unwound(
        self,
        path: Path,
        ends: tuple[Sequence[Anchor], Sequence[Anchor]],
        connection: Connection,
        ground: tuple[Level, frozenset[int]],
    ) -> Path:
        """The path, or a bracket where that winds less."""
        if len(path.points) - 2 < WINDS:
            return path
        level, exempt = ground
        region = _region(_hull(connection), connection, FARTHEST, level)
        obstacles = self.terrain.around(region, exempt, level) + _own_bounds(connection, 0.0)
        return unwound(path, ends, obstacles, _wanted_stub(connection, level))

    def _forced(self, connection: Connection) -> Path:
        obstacles = partial(self.terrain.around, exempt=connection.exempt, level=BARE)
        found = least_bad(connection.starts, connection.finishes, obstacles, BARE.stub)
        return found or _roundabout(connection)


def _roundabout(connection: Connection) -> Path:
    """Round both ends, which cover each other: from the right of the one to the top of the other, or from and to the
    rows and ports that their author names."""
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
    return Path(points, start, finish, length(points))


def _outwards(anchors: Sequence[Anchor], sides: Sequence[str]) -> Anchor:
    """The anchor of the first of the sides that there is, leading away from its box."""
    anchor = next((one for side in sides for one in anchors if one.side == side), anchors[0])
    dx, dy = DIRECTIONS[anchor.side]
    return anchor._replace(dx=dx, dy=dy)


def _beyond(anchor: Anchor, hull: Box) -> Point:
    """Where a line that leaves straight reaches the border of the hull."""
    if anchor.dx:
        return Point(hull.right if anchor.dx > 0 else hull.x, anchor.y)
    return Point(anchor.x, hull.bottom if anchor.dy > 0 else hull.y)


def _covering(connection: Connection, terrain: Terrain) -> frozenset[int]:
    """Strangers that lie over an end: no path can leave it without touching them."""
    owners: list[int] = []
    for box in (connection.source_box, connection.target_box):
        grown = bounds_of(box.grown(BARE.stub))
        for number in terrain.index.near(*grown):
            owners.append(terrain.obstacles[number].owner)
    return frozenset(owners) - connection.exempt


def _hull(connection: Connection) -> Bounds:
    """The region of the anchors, a little larger: straight, L and step paths stay inside it."""
    return Bounds(*hull(connection.starts, connection.finishes))


def _region(hull: Bounds, connection: Connection, margin: float, level: Level) -> Bounds:
    """Where a way is looked for: round both ends, and at full clearance within the container of both."""
    wide = widened(hull, margin)
    if connection.around is None or level is not LEVELS[0] or level.frame is None:
        return wide
    inner = bounds_of(connection.around.grown(-level.frame))
    least = widened(hull, _wanted_stub(connection, level) - HULL_MARGIN)  # the straight runs at both ends
    left, top = max(wide[0], min(inner[0], least[0])), max(wide[1], min(inner[1], least[1]))
    return Bounds(left, top, min(wide[2], max(inner[2], least[2])), min(wide[3], max(inner[3], least[3])))


def _own_bounds(connection: Connection, by: float) -> list[Bounds]:
    """Both ends as obstacles of their own edge, but for an end that holds the other one."""
    return [Bounds(*sides) for sides in own_sides(connection.source_box, connection.target_box, by)]


def _stub(connection: Connection, level: Level) -> float:
    """The straight run at both ends: that of the level, or half of what lies between them."""
    source, target = connection.source_box, connection.target_box
    gap = max(_gap(source, target), _gap(target, source))
    wanted = _wanted_stub(connection, level)
    return min(wanted, gap / 2) if gap > 0.0 else wanted


def _wanted_stub(connection: Connection, level: Level) -> float:
    """The straight run of the level, or what the longer marker needs before a corner."""
    longest = max(connection.tips)
    return max(level.stub, longest + TIP_ROOM) if longest else level.stub


def _gap(a: Box, b: Box) -> float:
    return max(b.x - a.right, b.y - a.bottom)
