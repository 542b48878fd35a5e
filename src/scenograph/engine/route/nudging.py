"""Nudging: routes in one channel or at one side are moved apart, in an order that adds no crossings. px."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import inf

from scenograph.diagnostics import EDGE_CHANNEL_CROWDED, Report
from scenograph.engine.costs import CLEARANCE, CROSSING, CROWDED, CROWDED_LENGTH, STRAIGHT
from scenograph.engine.effort import Effort
from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.directions import SIDES
from scenograph.engine.geometry.paths import length
from scenograph.engine.geometry.spatial_index import Bounds, SpatialIndex, bounds_of_points
from scenograph.engine.kernels.runs import (
    CORNER_ROOM,
    LABEL_GAP,
    TIP_ROOM,
    NearRuns,
    OrthogonalLine,
    Polyline,
    Run,
    RunEnd,
    give_labels,
    label_gap,
    move,
    runs_along,
    runs_of_routes,
)
from scenograph.engine.kernels.settling import JOG, Corridors, Wall, restless, settled
from scenograph.engine.kernels.straight_lines import XY
from scenograph.engine.route.courses.pathfinder import Pathfinder
from scenograph.engine.route.courses.rerouting import Rerouting, movable
from scenograph.engine.route.courses.terrain import LEVELS, RouteDraft, Terrain
from scenograph.engine.route.problem import Channel, Crowding, Fan

# Nudging: routes that share a corridor or a side are moved apart, in an order that adds no crossings. In: drafts
# and the terrain. Out: the same drafts with their runs moved. Axis by axis every free run wishes for the middle of
# its corridor, then runs, small jogs and borders that lie too close are separated at once. R-ROUTE-10, R-ROUTE-11.


NEAR = 24.0  # runs this close across and overlapping along are kept in order
TOUCHING = 8.0  # spans with ends this close count as overlapping
LABEL_ROOM = 20.0  # beside a label on a trunk
Z_SHAPED = 4  # points
LEAST_TRUNK = 16.0  # px; a shorter trunk looks like a part of its marker
NEIGHBOURS = 32  # a segment considers at most this many: in denser places no line can be told from the next
LEAST_NEIGHBOURS = 4  # runs, however many lines share the bound
LOOKS = 16  # looks at others for each run
PASSES = 4  # of nudging: two for each axis
ROUNDS = 3  # of both axes; the last one takes out the jogs that the others have left
_ANYWHERE = -1, -inf, inf  # the side and the room of an end without an anchor
ASIDE = 4 * NEAR  # fixed lines farther off do not affect a moving line


class Nudging:
    """The segments of all orthogonal drafts during nudging: moved first to the middle of their channels, then within
    the limits left by the axis moved last."""

    def __init__(self, drafts: Sequence[RouteDraft], terrain: Terrain) -> None:
        self._drafts = drafts
        self._terrain = terrain
        self._minded: list[int] = []
        self._channels: _Channels | None = None

    def run(self, effort: Effort, fresh: Collection[int] | None = None) -> None:
        """Move badly placed segments; with `fresh`, only segments near the edges rerouted since the last call. If the
        effort does not cover all pairs of neighbours, each segment minds fewer neighbours, and one pass is made."""
        channels = self._prepared(fresh)
        before, share = effort.left, effort.left // PASSES
        for turn in range(ROUNDS):
            for across in (0, 1):
                runs = runs_along(channels.lines, across)
                if turn == 0:
                    channels.center(runs, across)
                breadth = give_labels(runs, channels.lines, across)
                pairs = _near_pairs(runs)
                effort.spend(len(pairs))
                if len(pairs) > share:
                    pairs = _near_pairs(runs, max(LEAST_NEIGHBOURS, NEIGHBOURS * share // len(pairs)))
                elif breadth:
                    pairs += _labels_apart(runs, breadth)
                channels.spread(runs, pairs, across)
            if 2 * effort.left < before or (turn > 0 and not channels.has_jogs()):
                break
        channels.draw()

    def _prepared(self, fresh: Collection[int] | None) -> _Channels:
        """The current routes: the objects of the last call, with only `fresh` edges replaced."""
        minded, known = _minded(self._drafts), self._channels
        if fresh is None or known is None or minded != self._minded:
            drafts = [self._drafts[number] for number in minded]
            known = self._channels = _Channels(drafts, _label_rooms(self._drafts), self._terrain)
            self._minded = minded
        else:
            known.renew([place for place, number in enumerate(minded) if number in fresh])
        return known


def _minded(drafts: Sequence[RouteDraft]) -> list[int]:
    """The numbers of the movable drafts, and of the fixed drafts near them."""
    drawn = [number for number, draft in enumerate(drafts) if draft.start is not None]
    free = [number for number in drawn if not drafts[number].is_set]
    if len(free) in (0, len(drawn)):
        return free
    around = SpatialIndex(_around(drafts[number]) for number in free)
    return [number for number in drawn if around.near(*bounds_of_points(drafts[number].points), most=1)]


def _around(draft: RouteDraft) -> Bounds:
    left, top, right, bottom = bounds_of_points(draft.points)
    return Bounds(left - ASIDE, top - ASIDE, right + ASIDE, bottom + ASIDE)


class _Channels:
    """The routes of the given drafts during nudging. `rooms`: by fan, the length of a trunk along x and y needed to
    carry its shared label, px."""

    def __init__(self, drafts: Sequence[RouteDraft], rooms: Mapping[Fan, Point], terrain: Terrain) -> None:
        self.lines = [_line(draft) for draft in drafts]
        self._drafts = drafts
        self._rooms = rooms
        self._corridors = _corridors(terrain)
        self._changed: set[int] = set()

    def renew(self, places: Collection[int]) -> None:
        """Reload the routes at these places; the rest have been moved already."""
        for line in self.lines:
            line.is_fresh = False
        for place in places:
            self.lines[place] = _line(self._drafts[place])

    def center(self, runs: list[Run], across: int) -> None:
        """Let every free segment aim for the middle of its channel, the last turns of edges gathered before one target
        for one coordinate within their limits, and the turns at a trunk for room on its straight lines."""
        turns: dict[Fan, list[Run]] = {}
        reaches = _label_reaches(self._drafts, self.lines)
        for run in self._corridors.center(runs, self.lines, across):
            line, fan = self.lines[run.draft], self._drafts[run.draft].connection.fan
            if fan is None or run.index != (len(line.points) - 3 if fan.gathers else 1):
                continue
            end = _common_end(line, fan)
            if (fan, end) in reaches:
                _draw_near(run, end[across], reaches[fan, end][across])
            if fan.gathers:
                turns.setdefault(fan, []).append(run)
        for fan, rows in turns.items():
            end = self.lines[rows[0].draft].points[-1][across]
            at = _level(rows, end, self._rooms[fan][across] if fan in self._rooms else 0.0)
            for run in rows:
                run.wish = at if run.least <= at <= run.most else run.wish

    def spread(self, runs: list[Run], pairs: list[tuple[int, int]], across: int) -> None:
        """Separate the segments that lie too close."""
        crowds = restless(runs, pairs, self.lines, self._corridors, across)
        for place in move(self.lines, settled(crowds, self._corridors), across):
            self.lines[place].is_fresh = True
            self._changed.add(place)

    def has_jogs(self) -> bool:
        """Whether a moved route has a step short enough to be taken out, if the routes beside it gave way."""
        return any(_has_jog(self.lines[number].points) for number in self._changed)

    def draw(self) -> None:
        """Write the moved corners back to the drafts."""
        for number in self._changed:
            self._drafts[number].points = tuple([Point(x, y) for x, y in self.lines[number].points])
        self._changed.clear()


def _has_jog(points: Polyline) -> bool:
    """Whether a route turns and turns back within a jog."""
    for (ax, ay), (bx, by), (cx, cy), (dx, dy) in zip(points, points[1:], points[2:], points[3:], strict=False):
        if abs(cx - bx) + abs(cy - by) < JOG and (bx - ax) * (dx - cx) + (by - ay) * (dy - cy) > 0:
            return True
    return False


def _line(draft: RouteDraft) -> OrthogonalLine:
    connection, fan = draft.connection, draft.connection.fan
    number = 2 * fan.number + fan.gathers if fan is not None else -1
    line = OrthogonalLine(draft.points, _end(draft, 0), _end(draft, 1), connection.exempt, number)
    line.is_set, line.is_outcome = draft.is_set, connection.is_outcome
    if fan is None or not fan.gathers:
        line.label = connection.label
    return line


def _end(draft: RouteDraft, place: int) -> RunEnd:
    """The start (0) or the finish (1) of a line."""
    connection, anchor = draft.connection, draft.finish if place else draft.start
    element, box = connection.source, connection.source_box
    if place:
        element, box = connection.target, connection.target_box
    side, low, high = (SIDES.index(anchor.side), anchor.room_low, anchor.room_high) if anchor is not None else _ANYWHERE
    x, y, width, height = box
    sides = x, y, x + width, y + height
    return RunEnd((element, side, connection.rows[place]), low, high, connection.tips[place], sides)


def _corridors(terrain: Terrain) -> Corridors:
    """The limits of runs on a terrain, at full clearance."""
    clearances = [clearance or 0.0 for clearance in LEVELS[0][:-1]]
    obstacles: list[Wall] = [(bounds, clearances[kind], owner) for bounds, kind, owner in terrain.obstacles]
    return Corridors(obstacles, terrain.index.grid, list(terrain.frames.bounds), CLEARANCE)


def _label_reaches(drafts: Sequence[RouteDraft], lines: Sequence[OrthogonalLine]) -> Mapping[tuple[Fan, XY], XY]:
    """The greatest distances, px, along x and y, of turns from the common end of a fan, by fan and end: beyond, a line
    of the fan, straight or with two turns, has no room for its label on its own part."""
    found: dict[tuple[Fan, XY], XY] = {}
    for draft, line in zip(drafts, lines, strict=True):
        fan, label = draft.connection.fan, draft.connection.label
        if fan is None or draft.speaks or not label[0] or len(line.points) not in {STRAIGHT, Z_SHAPED}:
            continue
        (far, following), end = line.points[:2] if fan.gathers else line.points[:-3:-1], _common_end(line, fan)
        tip = (line.start if fan.gathers else line.finish).tip
        across = 0 if far[1] == following[1] else 1
        reach = abs(far[across] - end[across]) - label[across] - CORNER_ROOM - max(CORNER_ROOM, tip + TIP_ROOM)
        known = found.get((fan, end), (inf, inf))
        found[fan, end] = (min(known[0], reach), known[1]) if across == 0 else (known[0], min(known[1], reach))
    return found


def _common_end(line: OrthogonalLine, fan: Fan) -> XY:
    """The end that a line has in common with its fan."""
    return line.points[-1] if fan.gathers else line.points[0]


def _draw_near(run: Run, end: float, reach: float) -> None:
    """Let a turn aim for a place no farther than `reach` from the common end of its fan."""
    if LEAST_TRUNK <= reach < abs(run.wish - end):
        run.wish = min(max(end + reach * (1 if run.wish > end else -1), run.least), run.most)


def _level(rows: Sequence[Run], end: float, wanted: float) -> float:
    """One coordinate for the last turns before a target at `end`: as near to the target as the nearest turn, farther
    off if the label on the trunk needs the room."""
    nearest = min((run.wish for run in rows), key=lambda wish: abs(wish - end))
    farther = end + wanted * (1 if nearest > end else -1)
    is_open = all(run.least <= farther <= run.most for run in rows)
    return farther if is_open and abs(nearest - end) < wanted else nearest


def _label_rooms(drafts: Sequence[RouteDraft]) -> dict[Fan, Point]:
    """The length along x and y, px, needed by each trunk for the shared label."""
    found: dict[Fan, Point] = {}
    for connection in [draft.connection for draft in drafts if draft.speaks]:
        if connection.fan is not None:
            width, height = connection.label
            tip = connection.tips[1]
            found[connection.fan] = Point(width + tip + LABEL_ROOM, height + tip + LABEL_ROOM)
    return found


def _near_pairs(runs: list[Run], most: int = NEIGHBOURS) -> list[tuple[int, int]]:
    """Pairs of near segments of different routes that overlap along the axis. Each segment is paired with at most
    `most` later segments on its own shelf, and as many on the next shelf."""
    return NearRuns(runs, NEAR, TOUCHING).pairs(most, LOOKS * most)


def _labels_apart(runs: list[Run], breadth: float) -> list[tuple[int, int]]:
    """Pairs of segments farther apart than near ones, yet too near for their labels, of which none is broader than
    `breadth`."""
    found = NearRuns(runs, breadth + LABEL_GAP, 0.0).pairs(NEIGHBOURS, LOOKS * NEIGHBOURS)
    return [
        (a, b)
        for a, b in found
        if NEAR <= abs(runs[a].wish - runs[b].wish) < label_gap(runs[a], runs[b], is_aligned=True)
    ]


# Overfull channels: foreign lines still too near to each other after nudging. In: nudged drafts. Out: the pairs, and
# drafts that leave their channel for a better route. Remaining dense pairs are remarked. px.


WIDE = 12.0  # px; strangers nearer to each other leave their channel, where that crosses no more lines
TELLABLE = 6.0  # px; nearer strangers look like one line, and leave even for a crossing
TOGETHER = 8.0  # px; lines on shorter parts only pass each other
MOST_MOVED = 48  # lines of a scene tried elsewhere
ONE_LINE = 1e-3  # px; rounding


def crowdings(drafts: Sequence[RouteDraft], most: int = NEIGHBOURS) -> list[Crowding]:
    """The pairs of strangers too close to each other; each segment is compared with about `most` neighbours."""
    return [found for across in (0, 1) for found in _along(drafts, across, most)]


def _along(drafts: Sequence[RouteDraft], across: int, most: int) -> Iterator[Crowding]:
    drawn: list[tuple[int, Polyline]] = [
        (number, draft.points) for number, draft in enumerate(drafts) if draft.start is not None
    ]
    runs = runs_of_routes(drawn, across)
    for a, b in _near_pairs(runs, most):
        one, other = runs[a], runs[b]
        gap = abs(one.position - other.position)
        is_close = gap < WIDE - ONE_LINE and min(one.high, other.high) - max(one.low, other.low) > TOGETHER
        if is_close and _are_strangers(drafts[one.draft], drafts[other.draft]):
            low, high = max(one.low, other.low), min(one.high, other.high)
            near = min(one.position, other.position) - TELLABLE
            far = max(one.position, other.position) + TELLABLE
            bounds = Bounds(low, near, high, far) if across else Bounds(near, low, far, high)
            yield Crowding(one.draft, other.draft, gap, Channel(bounds, 1 - across))


def _are_strangers(one: RouteDraft, other: RouteDraft) -> bool:
    """Whether two edges must be distinguishable: neither in one fan, nor ending in a common point."""
    fan = one.connection.fan
    return (fan is None or fan != other.connection.fan) and not {one.points[0], one.points[-1]} & {
        other.points[0],
        other.points[-1],
    }


def is_dense(crowding: Crowding) -> bool:
    """Whether two strangers look like a single line."""
    return crowding.gap < TELLABLE - ONE_LINE


def crowding_price(crowded: Sequence[Crowding]) -> float:
    """The price of a course in channels too narrow, px; at most a crossing where all lines can be told apart."""
    price = 0.0
    for crowding in crowded:
        share = 1.0 if is_dense(crowding) else (WIDE - crowding.gap) / (WIDE - TELLABLE)
        price += share * _whole_price(crowding.channel)
    return price if any(map(is_dense, crowded)) else min(CROSSING, price)


def _whole_price(channel: Channel) -> float:
    bounds, axis = channel
    return CROWDED + CROWDED_LENGTH * (bounds[axis + 2] - bounds[axis])


def relieve(drafts: Sequence[RouteDraft], crowded: Sequence[Crowding], finder: Pathfinder, effort: Effort) -> set[int]:
    """Reroute edges out of crowded channels if cheaper than crowding, dense channels first. Returns the rerouted
    edges."""
    free = set(movable(drafts)) if crowded else set[int]()
    found = [one for one in crowded if one.one in free or one.other in free]
    # Where lines lie on each other there is no room to part those that can be told apart.
    found = [*filter(is_dense, found)] or found
    if not found:
        return set()
    rerouting = Rerouting(drafts, finder, effort)
    channels: dict[int, list[tuple[int, Crowding]]] = {}
    for crowding in found:
        channels.setdefault(crowding.one, []).append((crowding.other, crowding))
        channels.setdefault(crowding.other, []).append((crowding.one, crowding))
    gone: set[int] = set()
    for number in sorted(channels, key=lambda number: (length(drafts[number].points), number))[:MOST_MOVED]:
        narrow = [crowding for other, crowding in channels[number] if other not in gone]
        if narrow and rerouting.leaves(number, [one.channel for one in narrow], crowding_price(narrow)):
            gone.add(number)
    return gone


def report_crowded(found: Sequence[Crowding], names: Sequence[str], report: Report) -> None:
    """Report all edges too close to a stranger in one diagnostic; `names` are the edge ids."""
    if not found:
        return
    edges = sorted({names[number] for one in found for number in (one.one, one.other)})
    report.add(
        EDGE_CHANNEL_CROWDED,
        path="/elements",
        data={"edgeIds": edges, "px": round(min(one.gap for one in found), 2)},
        count=len(edges),
        clearance=int(TELLABLE),
    )
