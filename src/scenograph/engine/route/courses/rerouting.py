"""Rip-up and reroute: costly routes look for another course, the most costly first.

In: drafts. Out: the same drafts, some rerouted: longer by no more than the saving. Every change lowers the total of the
cost table (`costs`), hence the order of the edges decides little. Edges of equal label and target drawn apart in the
end are grouped again: each further edge with an equal label has a price. Rule R-FAN-4.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from math import fsum, inf

from scenograph.engine.costs import (
    BEND,
    CRAMPED_LABEL,
    CROSSING,
    CROWDED_SIDE,
    NO_FORK,
    OFF_STRAIGHT,
    OFF_TRUNK,
    OWN_VERTEX,
    STRAIGHT,
    WORTH_A_CHANGE,
    off_trunk,
)
from scenograph.engine.effort import Effort
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.directions import SIDES
from scenograph.engine.geometry.paths import length, manhattan
from scenograph.engine.geometry.spatial_index import Bounds, bounds_of_points
from scenograph.engine.kernels.runs import parallels_room
from scenograph.engine.kernels.simple_paths import is_clear
from scenograph.engine.route.courses.anchors import Anchor
from scenograph.engine.route.courses.pathfinder import (
    LABEL_TIP_ROOM,
    NOTHING_BARRED,
    Barred,
    Pathfinder,
    RoutePath,
    best_path,
    seen,
)
from scenograph.engine.route.courses.terrain import LEVELS, RouteDraft, Terrain, TrafficMap, enters, grazes
from scenograph.engine.route.problem import Channel, Connection, Fan
from scenograph.late_dataclasses import dataclass, field

# Vertices of pointed shapes: two lines at one vertex part if another vertex is free. In: drafts. Out: the same drafts,
# some with another vertex, if this costs no more than an unshared line is worth; lines that must share a vertex meet in
# its point, like a fork, except a line straight onto the slope of a plain diamond. A reader tells the branches of a
# decision by their vertices, in BPMN as in every flowchart. Rule R-ROUTE-9.


MOST_LOOKS = 400  # paths tried in one scene
LEAST_LEG = 10.0  # px; a shorter first or last leg reads as a hook

_NodeSide = tuple[int, str]  # an element, and a side or vertex of it


@dataclass(slots=True)
class _Move:
    """A possible change of one draft to a free vertex, with its path and extra cost."""

    number: int
    connection: Connection
    path: RoutePath
    price: float


@dataclass(slots=True)
class _VertexDesk:
    drafts: Sequence[RouteDraft]
    finder: Pathfinder
    traffic: TrafficMap
    pointed: frozenset[int]
    looks: int = MOST_LOOKS
    users: dict[_NodeSide, list[tuple[int, bool]]] = field(default_factory=dict[_NodeSide, list[tuple[int, bool]]])

    def part(self, element: int) -> None:
        """Move edges from the crowded vertices of an element to free vertices, the cheapest first."""
        for _ in SIDES:
            free = [side for side in SIDES if not self.users.get((element, side))]
            crowded = [(use, worth) for side in SIDES for use, worth in self._crowd(element, side)]
            tried = ((self._move(*use, free), worth) for use, worth in crowded if free)
            moves = [move for move, worth in tried if move is not None and move.price < worth]
            if not moves:
                return
            # Of two equal moves the move of the shorter line wins: this line lies inside the bend of the longer. Of two
            # equal lines the first named stays: the return follows the outward route.
            self._carry_out(min(moves, key=lambda move: (move.price, length(move.path.points), -move.number)))

    def register(self, *, loops: bool = False) -> None:
        """Record the edges at every vertex, with or without loops, which give no other edge cause to leave."""
        self.users.clear()
        for number, draft in enumerate(self.drafts):
            for place, is_finish in _vertices(draft, self.pointed) if loops or not draft.connection.is_loop else ():
                self.users.setdefault(place, []).append((number, is_finish))

    def crowded(self) -> list[int]:
        """The elements with a shared vertex."""
        return list(dict.fromkeys(element for (element, _), users in self.users.items() if len(users) > 1))

    def _crowd(self, element: int, side: str) -> list[tuple[tuple[int, bool], float]]:
        """The edges of a shared vertex, each with the worth of a separate vertex, px."""
        found = self.users.get((element, side), [])
        worth = NO_FORK if len({is_finish for _, is_finish in found}) > 1 else OWN_VERTEX
        return [(use, worth) for use in found] if len(found) > 1 else []

    def _move(self, number: int, is_finish: bool, free: Sequence[str]) -> _Move | None:  # noqa: FBT001
        draft = self.drafts[number]
        narrowed = None if draft.is_set else _narrowed(draft.connection, is_finish, free)
        if narrowed is None or self.looks <= 0:
            return None
        self.looks -= 1
        path = self._around_others(number, narrowed, best_path(narrowed, self.finder))
        if not self._is_clean(narrowed, path):
            return None
        straight = OFF_STRAIGHT if len(draft.points) == STRAIGHT else 0.0
        price = self._cost(number, path) - self._cost_now(number) + straight
        return _Move(number, narrowed, path, price)

    def _around_others(self, number: int, connection: Connection, path: RoutePath) -> RoutePath:
        """A path with fewer crossings, if cheaper."""
        if not self.traffic.crossings(number, path.points):
            return path
        cost = self._cost(number, path)
        found = self.finder.detour(connection, lambda region: self.traffic.around(region, number), cost)
        if found is None or not self._is_clean(connection, found) or self._cost(number, found) >= cost:
            return path
        return found

    def _is_clean(self, connection: Connection, path: RoutePath) -> bool:
        """Whether a path has room for its markers and keeps clear of nodes and texts, apart from the label over its
        start."""
        legs = manhattan(*path.points[:2]), manhattan(*path.points[-2:])
        if any(leg < max(tip + LABEL_TIP_ROOM, LEAST_LEG) for leg, tip in zip(legs, connection.tips, strict=True)):
            return False
        drawn, terrain = seen(path.points, connection.own_labels), self.finder.terrain
        return not enters(drawn, connection.exempt, terrain) and not grazes(drawn, connection.exempt, terrain)

    def _carry_out(self, move: _Move) -> None:
        draft = self.drafts[move.number]
        draft.connection, draft.points = move.connection, move.path.points
        draft.start, draft.finish = move.path.start, move.path.finish
        self.traffic.put(move.number, draft.points)
        self.register()

    def _cost_now(self, number: int) -> float:
        draft = self.drafts[number]
        if draft.start is None or draft.finish is None:
            return 0.0
        return self._cost(number, RoutePath(draft.points, draft.start, draft.finish, 0.0))

    def _cost(self, number: int, path: RoutePath) -> float:
        bends = (len(path.points) - 2) * BEND
        crossings = self.traffic.crossings(number, path.points) * CROSSING
        return length(path.points) + bends + crossings + path.start.penalty + path.finish.penalty


def part_at_vertices(drafts: Sequence[RouteDraft], finder: Pathfinder, pointed: frozenset[int]) -> None:
    """Give edges that share a vertex of a pointed shape vertices of their own."""
    if not pointed:
        return
    desk = _VertexDesk(drafts, finder, TrafficMap([draft.connection.fan for draft in drafts]), pointed)
    desk.register()
    crowded = desk.crowded()
    for number, draft in enumerate(drafts):
        if draft.start is not None:
            desk.traffic.put(number, draft.points)
    settled: set[int] = set()
    while crowded:
        # A line that moves to its own vertex may come to share a vertex at the far end.
        settled.add(crowded[0])
        desk.part(crowded[0])
        crowded = [element for element in desk.crowded() if element not in settled]
    desk.register(loops=True)
    for users in desk.users.values():
        if len(users) > 1 and _may_meet([drafts[number] for number, _ in users], [is_finish for _, is_finish in users]):
            for number, is_finish in users:
                _pin(drafts[number], is_finish)


def _may_meet(drafts: Sequence[RouteDraft], at_finish: Sequence[bool]) -> bool:
    """Whether lines can share a point: all come, or all go and none begins with a marker."""
    return all(at_finish) or not (any(at_finish) or any(draft.connection.tips[0] for draft in drafts))


def _pin(draft: RouteDraft, is_finish: bool) -> None:  # noqa: FBT001
    """Remove the room at one end: the edge stays in the vertex."""
    if draft.start is not None and not is_finish:
        draft.start = draft.start._replace(room_low=draft.start.along, room_high=draft.start.along)
    if draft.finish is not None and is_finish:
        draft.finish = draft.finish._replace(room_low=draft.finish.along, room_high=draft.finish.along)


def _vertices(draft: RouteDraft, pointed: frozenset[int]) -> Iterator[tuple[_NodeSide, bool]]:
    """The vertices at which a draft ends, True for the target's."""
    connection = draft.connection
    if draft.start is None or draft.finish is None:
        return
    if connection.source in pointed:
        yield (connection.source, draft.start.side), False
    if connection.target in pointed:
        yield (connection.target, draft.finish.side), True


def _narrowed(connection: Connection, is_finish: bool, free: Sequence[str]) -> Connection | None:  # noqa: FBT001
    """The connection with only the free vertices at one end; None when the author or a trunk has chosen."""
    anchors = connection.finishes if is_finish else connection.starts
    left = tuple(anchor for anchor in anchors if anchor.side in free)
    if len(anchors) < len(SIDES) or not left or (connection.fan is not None and connection.fan.gathers):
        return None
    return connection._replace(finishes=left) if is_finish else connection._replace(starts=left)


# The number of lines at each side, and the price of a further line. In: drafts. Out: for an anchor of a line the price
# of the side, px, growing with the number of lines beyond the side's room. Rule R-ROUTE-22.


LEAST_GAP = 13.0  # px; between the ends of lines at one side, 12 of them free: nearer ones are told apart with effort

_RowSide = tuple[int, int, str]
"""An element, a row of this element, and a side of the row."""


class _Occupancy:
    """The edges at the sides of all elements with an edge among `numbers`, while these are rerouted. Edges of one fan
    may end in one place and count once."""

    def __init__(self, drafts: Sequence[RouteDraft], numbers: Iterable[int]) -> None:
        self._at: dict[_RowSide, dict[int | Fan, int]] = {}  # the number of ends of each line there
        asked = {end for number in numbers for end in drafts[number].connection.ends}
        for draft in drafts:
            if not asked.isdisjoint(draft.connection.ends):
                self.add(draft, 1)

    def add(self, draft: RouteDraft, by: int) -> None:
        """Count an edge at the sides of both ends (`by` 1), or remove the edge (-1)."""
        line = _line(draft.connection)
        for end, anchor in enumerate((draft.start, draft.finish)):
            if anchor is not None:
                lines = self._at.setdefault(_row_side(draft.connection, anchor, end), {})
                count = lines.get(line, 0) + by
                if count:
                    lines[line] = count
                else:
                    del lines[line]

    def priced(self, connection: Connection) -> Connection:
        """The connection with the crowding prices of its sides. The connection itself must not be counted."""
        starts, finishes = (
            tuple([_dearer(anchor, self.price(connection, anchor, end)) for anchor in anchors])
            for end, anchors in enumerate((connection.starts, connection.finishes))
        )
        return connection._replace(starts=starts, finishes=finishes)

    def unpriced(self, connection: Connection, ends: tuple[Anchor, Anchor]) -> tuple[Anchor, Anchor]:
        """The anchors of a priced connection with their original penalties."""
        start, finish = (_dearer(anchor, -self.price(connection, anchor, end)) for end, anchor in enumerate(ends))
        return start, finish

    def price(self, connection: Connection, anchor: Anchor, end: int) -> float:
        """The price of one more end at the side of an anchor; `end` 0 is the source, 1 the target."""
        lines = self._at.get(_row_side(connection, anchor, end))
        return 0.0 if not lines or _line(connection) in lines else _price(len(lines), anchor, _choice(connection, end))

    def paid(self, draft: RouteDraft) -> float:
        """The crowding price of a counted edge for the sides of both ends."""
        line, total = _line(draft.connection), 0.0
        for end, anchor in enumerate((draft.start, draft.finish)):
            if anchor is not None:
                lines = self._at[_row_side(draft.connection, anchor, end)]
                if lines[line] == 1:  # else another of its fan still ends there
                    total += _price(len(lines) - 1, anchor, _choice(draft.connection, end))
        return total


def _dearer(anchor: Anchor, by: float) -> Anchor:
    return anchor._replace(penalty=anchor.penalty + by) if by else anchor


def _choice(connection: Connection, end: int) -> Sequence[Anchor]:
    """The anchors among which an end may choose; `end` 0 is the source, 1 the target."""
    return connection.finishes if end else connection.starts


def _price(others: int, anchor: Anchor, choice: Sequence[Anchor]) -> float:
    """The price of a side with `others`; a port named by an author has no price."""
    if not others or (anchor.room_low == anchor.room_high and len(choice) == 1):
        return 0.0
    more = others - int((anchor.room_high - anchor.room_low) / LEAST_GAP)
    return CROWDED_SIDE * more if more > 0 else 0.0


def _row_side(connection: Connection, anchor: Anchor, end: int) -> _RowSide:
    return connection.target if end else connection.source, connection.rows[end], anchor.side


def _line(connection: Connection) -> int | Fan:
    return connection.number if connection.fan is None else connection.fan


# Steps drawn as straight lines. In: drafts. Out: the drafts; a step between facing sides is drawn straight if the sides
# overlap, an end shares its side with further lines (so that lines are spread along the side), and the line crosses no
# more than before. An edge alone on both sides keeps the anchors of R-ROUTE-2. Rule R-ROUTE-10.


STEP = 4  # points
OFF_CORNERS = 4.0  # px, in addition to the usual corner margin of anchors


def straighten(drafts: Sequence[RouteDraft], numbers: Sequence[int], traffic: TrafficMap, terrain: Terrain) -> None:
    """Straighten the steps among the drafts `numbers` wherever no crossing is added."""
    steps = {number: ends for number in numbers if (ends := _opposite(drafts[number])) is not None}
    shared = Counter(side for draft in drafts for side in _sides_of(draft)) if steps else Counter[_NodeSide]()
    for number, ends in steps.items():
        draft = drafts[number]
        if draft.connection.fan is not None or not any(shared[side] > 1 for side in _sides_of(draft)):
            continue
        points = Point(ends[0].x, ends[0].y), Point(ends[1].x, ends[1].y)
        near = terrain.around(bounds_of_points(points), draft.connection.exempt, LEVELS[0])
        if is_clear(points, near) and traffic.crossings(number, points) <= traffic.crossings(number, draft.points):
            draft.points, draft.start, draft.finish = points, *ends
            traffic.put(number, points)


def _sides_of(draft: RouteDraft) -> Iterator[_NodeSide]:
    """The elements and sides at which an edge ends."""
    for element, anchor in ((draft.connection.source, draft.start), (draft.connection.target, draft.finish)):
        if anchor is not None:
            yield element, anchor.side


def _opposite(draft: RouteDraft) -> tuple[Anchor, Anchor] | None:
    """Both anchors of a step, moved to the middle of the overlap of their sides; None when the overlap is too short."""
    start, finish = draft.start, draft.finish
    if len(draft.points) != STEP or start is None or finish is None or (start.dx, start.dy) != (-finish.dx, -finish.dy):
        return None
    if start.low >= start.high or finish.low >= finish.high:
        return None
    low, high = max(start.low, finish.low) + OFF_CORNERS, min(start.high, finish.high) - OFF_CORNERS
    return (start.at((low + high) / 2), finish.at((low + high) / 2)) if low <= high else None


# Gaps too narrow for the label of a crossing line. In: a draft, and those between the same two boxes. Out: the gap, px,
# if a straight line leaves its label no room, on the line, beside it, or beside other straight lines; else None. Rule
# R-LABEL-7.


NEAR = 12.0  # px; a label that stands farther off seems to belong to nobody


def cramped(draft: RouteDraft) -> Bounds | None:
    """The gap between the two ends of a straight level route when too narrow for the label. The gap between a frame
    and its own content is none: the frame makes room."""
    connection = draft.connection
    width, height = connection.label
    if width == 0.0 or len(draft.points) != STRAIGHT or draft.start is None or draft.start.dx == 0:
        return None
    (ax, y), (bx, _) = sorted(draft.points)
    if bx - ax >= width + fsum(connection.tips) or _is_held(connection):
        return None
    left, top = (ax + bx - width) / 2, y - NEAR - height
    ends = connection.source_box, connection.target_box
    for box in (Box(left, top, width, height), Box(left, y + NEAR, width, height)):
        if not any(box.overlaps(end) for end in ends):
            return None
    low, high = max(end.y for end in ends), min(end.bottom for end in ends)
    return Bounds(ax, low, bx, high)


def _outnumbered(draft: RouteDraft, parallels: Sequence[RouteDraft]) -> Bounds | None:
    """The gap between both ends of a straight route when the sides are too short for the labels of all straight routes
    among the `parallels`: the labelled routes between the same two boxes, `draft` included."""
    start, finish, connection = draft.start, draft.finish, draft.connection
    if start is None or finish is None or _is_held(connection):
        return None
    straight = [other for other in parallels if len(other.points) == STRAIGHT]
    is_level = start.dx != 0
    breadths = [other.connection.label[1 if is_level else 0] for other in straight]
    room = min(start.room_high, finish.room_high) - max(start.room_low, finish.room_low)
    if len(straight) < 2 or parallels_room(breadths, is_open=len(straight) == len(parallels)) <= room:
        return None
    one, other = connection.source_box, connection.target_box
    if is_level:
        begin, end = min(one.right, other.right), max(one.x, other.x)
        return Bounds(begin, max(one.y, other.y), end, min(one.bottom, other.bottom))
    begin, end = min(one.bottom, other.bottom), max(one.y, other.y)
    return Bounds(max(one.x, other.x), begin, min(one.right, other.right), end)


def _is_held(connection: Connection) -> bool:
    source, target = connection.source_box, connection.target_box
    return source.contains(target) or target.contains(source)


TRIED_PLACES = 3  # nearest places of a crowd that a line may join
SMALL_TRUNK = 8  # lines that may go to another place together
LARGE_CROWD = 40  # lines; of more each tries the nearest place alone
SWEEPS = 2  # the second after the first has split trunks, over lines with changed crossings


def untangle(drafts: Sequence[RouteDraft], finder: Pathfinder, effort: Effort) -> list[int]:
    """Reroute every orthogonal route that crosses another or ends at a crowded side, the most costly first. Returns the
    edges left unchanged because the effort for looking, or of the finder, is spent."""
    if not movable(drafts):
        return []
    rerouting = Rerouting(drafts, finder, effort)
    straighten(drafts, rerouting.movable, rerouting.traffic, finder.terrain)
    looked: dict[int, float] = dict.fromkeys(rerouting.movable, 0.0)
    left: list[int] = []
    for _ in range(SWEEPS):
        costs = rerouting.savings(list(looked))
        left += [number for number in looked if number not in costs]
        dear = [number for number, cost in costs.items() if cost and cost != looked[number]]
        dear.sort(key=lambda number: (-costs[number], number))
        for number in dear:
            if effort.is_spent or finder.effort.is_spent:
                left.append(number)
            else:
                rerouting.reroute(number)
        if not rerouting.has_parted:
            break
        looked = {number: costs[number] for number in dear}
    return list(dict.fromkeys(left))


def regather(drafts: Sequence[RouteDraft], finder: Pathfinder, effort: Effort) -> list[int]:
    """Let every edge outside its trunk end at the place of an edge of its crowd, in the trunk or alone, if this costs
    less than a further line with an equal label; then move the edges of each small trunk together. Returns the edges
    not reached because the effort, or the finder's, was spent."""
    crowds: dict[Fan, list[int]] = {}
    for number, draft in enumerate(drafts):
        if draft.crowd is not None:
            crowds.setdefault(draft.crowd, []).append(number)
    alone = {number for crowd in crowds.values() for number in crowd if drafts[number].connection.fan is None}
    if not alone:
        return []
    rerouting, left = Rerouting(drafts, finder, effort), list[int]()
    for crowd in crowds.values():
        for number in crowd:
            if number not in alone or drafts[number].connection.fan is not None:
                continue
            if effort.is_spent or finder.effort.is_spent:
                left.append(number)
            else:
                rerouting.join([number], crowd)
        for trunk in _small_trunks(crowd, drafts):
            if not (effort.is_spent or finder.effort.is_spent):
                rerouting.join(trunk, crowd)
    return left


def _small_trunks(crowd: Sequence[int], drafts: Sequence[RouteDraft]) -> Iterator[list[int]]:
    """The edges of each small trunk of a crowd, smallest trunk first, each read at its turn."""
    trunks: dict[Fan, list[int]] = {}
    for number in crowd:
        fan = drafts[number].connection.fan
        if fan is not None:
            trunks.setdefault(fan, []).append(number)
    for fan in sorted(trunks, key=lambda fan: (len(trunks[fan]), trunks[fan])) if len(trunks) > 1 else ():
        lines = [number for number in crowd if drafts[number].connection.fan == fan]
        if 0 < len(lines) <= SMALL_TRUNK and len({drafts[number].points[-1] for number in lines}) == 1:
            yield lines


class Rerouting:
    """The courses of a scene during rerouting."""

    def __init__(self, drafts: Sequence[RouteDraft], finder: Pathfinder, effort: Effort) -> None:
        self._drafts = drafts
        self._effort = effort
        self.traffic = TrafficMap([draft.connection.fan for draft in drafts])
        self.traffic.put_all([(number, draft.points) for number, draft in enumerate(drafts) if draft.start is not None])
        self.movable = movable(drafts)
        self._finder = finder
        gathered = (number for number, draft in enumerate(drafts) if draft.crowd is not None)
        self._occupancy = _Occupancy(drafts, chain(self.movable, gathered))
        self._parallels = _parallels(drafts)
        self.has_parted = False

    def crossings(self, number: int) -> int:
        """The number of routes that the course of an edge crosses."""
        return self._crossings(number, self._drafts[number].points)

    def _crossings(self, number: int, points: tuple[Point, ...]) -> int:
        looks = self.traffic.looks
        found = self.traffic.crossings(number, points)
        self._effort.spend(self.traffic.looks - looks)
        return found

    def savings(self, numbers: list[int]) -> dict[int, float]:
        """The most that another course of each edge could save: crossings, crowded sides, cramped label. Covers the
        first edges, as far as the effort reaches."""
        looks = self.traffic.looks
        crossed = self.traffic.crossings_of(numbers, self._effort.left)
        self._effort.spend(self.traffic.looks - looks)
        return {
            number: CROSSING * count + self._crowd(number) + (CRAMPED_LABEL if self._cramped(number) else 0.0)
            for number, count in zip(numbers, crossed, strict=False)
        }

    def _crowd(self, number: int) -> float:
        """The crowding price of an edge's sides."""
        return self._occupancy.paid(self._drafts[number])

    def _cramped(self, number: int) -> Bounds | None:
        """The gap between both ends of a straight edge when too narrow for the label."""
        draft = self._drafts[number]
        if not draft.connection.label[0] or len(draft.points) != STRAIGHT:
            return None
        found = cramped(draft)
        if found is not None:
            return found
        parallels = self._parallels.get(frozenset(draft.connection.ends), ())
        return _outnumbered(draft, [self._drafts[other] for other in parallels])

    def reroute(self, number: int) -> bool:
        """Reroute an edge if another course costs less. Returns whether the course changed."""
        crossed, gap = self.crossings(number), self._cramped(number)
        kept = _least_gain(self._drafts[number])
        if gap is not None:
            return self._sent(number, crossed, CRAMPED_LABEL - kept, Barred([gap]))
        if not crossed and not self._crowd(number):
            return False
        return (bool(crossed) and self._parted(number, crossed)) or self._sent(number, crossed, -kept, NOTHING_BARRED)

    def leaves(self, number: int, narrow: Sequence[Channel], price: float) -> bool:
        """Reroute an edge off these channels if cheaper than staying and `price`."""
        if number not in self.movable or _is_pinned(self._drafts[number]):
            return False
        kept = _least_gain(self._drafts[number])
        return self._sent(number, self.crossings(number), price - kept, Barred(narrow=narrow))

    def _parted(self, number: int, crossed: int) -> bool:
        """Let an edge with its own label leave the trunk if a separate course costs less. Returns whether the edge
        left."""
        draft = self._drafts[number]
        if draft.alone is None:
            return False
        bound = draft.connection
        self._bind(number, draft.alone)
        if self._sent(number, crossed, -OFF_TRUNK, NOTHING_BARRED):
            draft.alone = None
            self.has_parted = True
            return True
        self._bind(number, bound)
        return False

    def join(self, numbers: Sequence[int], crowd: Sequence[int]) -> None:
        """Draw an edge, or all edges ending in one place, together with the cheapest place of their crowd, if this
        costs less than a further line with an equal label."""
        best: tuple[float, int, list[RoutePath]] | None = None
        for host in self._hosts(numbers[0], crowd):
            found = self._offers(numbers, host)
            if found is not None and (best is None or found[0] < best[0]):
                best = found[0], host, found[1]
        if best is not None:
            for number, path in zip(numbers, best[2], strict=True):
                self._put_beside(number, best[1], path)

    def _offers(self, numbers: Sequence[int], host: int) -> tuple[float, list[RoutePath]] | None:
        """The paths of edges to the place of a host, with their total extra cost; None if a further line is cheaper."""
        more, paths = 0.0, list[RoutePath]()
        most = max(off_trunk(len(self._drafts[number].points)) for number in numbers)
        for number in numbers:
            offer = self._offer(number, host)
            more += inf if offer is None else offer[0]
            if offer is None or more >= most:
                return None
            paths.append(offer[1])
        return more, paths

    def _put_beside(self, number: int, host: int, path: RoutePath) -> None:
        """Draw an edge to the end of a host."""
        draft = self._drafts[number]
        self._bind(host, self._bound(host, host))
        self._bind(number, self._bound(number, host))
        self._drafts[host].finish = self._drafts[host].connection.finishes[0]
        self._occupancy.add(draft, -1)
        draft.points, draft.start, draft.finish = path.points, path.start, path.finish
        self.traffic.put(number, path.points)
        self._occupancy.add(draft, 1)

    def _hosts(self, number: int, crowd: Sequence[int]) -> list[int]:
        """An edge for every end point of the crowd, nearest point first."""
        end = self._drafts[number].points[-1]
        places: dict[Fan | int, int] = {}
        own = self._drafts[number].connection.fan or number
        for other in crowd:
            place = self._drafts[other].connection.fan or other
            if place != own:
                places.setdefault(place, other)
        by_way = sorted(places.values(), key=lambda other: (manhattan(self._drafts[other].points[-1], end), other))
        return by_way[: TRIED_PLACES if len(crowd) <= LARGE_CROWD else 1]

    def _bound(self, number: int, host: int) -> Connection:
        """The connection of an edge bound to the anchor and trunk of `host`; two edges without a trunk get a new
        trunk."""
        finish, connection = self._drafts[host].finish, self._drafts[host].connection
        # No fan of the scene has a number this high: the number of fans is at most the number of lines.
        fan = connection.fan or Fan(len(self._drafts) + host, gathers=True)
        own = self._drafts[number].connection
        if finish is None:
            return own._replace(fan=fan)
        price = min((anchor.penalty for anchor in own.finishes if anchor.side == finish.side), default=finish.penalty)
        return own._replace(fan=fan, finishes=(finish._replace(penalty=price).fixed(),))

    def _offer(self, number: int, host: int) -> tuple[float, RoutePath] | None:
        """The path of an edge to the place of `host` and its extra cost over staying alone; None when dearer than one
        more edge with an equal label."""
        draft, alone = self._drafts[number], (self._drafts[number].connection, self._drafts[host].connection)
        if draft.start is None or draft.finish is None:
            return None
        beside = self._beside(number, host)
        crossed = self.crossings(number) + sum(map(self.crossings, beside))
        now = _course_cost(draft.points, (draft.start, draft.finish), crossed) + self._crowd(number)
        bound, most = self._bound(number, host), off_trunk(len(draft.points))
        self._bind(host, self._bound(host, host))
        self._bind(number, bound)
        path, more = self._way_to(host, bound, now + most), inf
        if path is not None:
            self.traffic.put(number, path.points)
            crossed = self._crossings(number, path.points) + sum(map(self.crossings, beside))
            more = _course_cost(path.points, (path.start, path.finish), crossed) - now
            self.traffic.put(number, draft.points)
        self._bind(number, alone[0])
        self._bind(host, alone[1])
        return (more, path) if path is not None and more < most else None

    def _way_to(self, host: int, bound: Connection, limit: float) -> RoutePath | None:
        """The path of an edge to the place of `host`: the current path, or one found by a search."""
        number, end = bound.number, self._drafts[host].points[-1]
        draft, finish = self._drafts[number], bound.finishes[0]
        start, former = draft.start, draft.finish
        if draft.points[-1] == end and start is not None and former is not None and former.side == finish.side:
            return RoutePath(draft.points, start, finish, length(draft.points))
        if self._finder.effort.is_spent:
            return None
        found = self._finder.detour(bound, lambda region: self.traffic.around(region, number), limit + CROSSING / 2)
        return found if found is not None and found.points[-1] == end != found.points[0] else None

    def _beside(self, number: int, host: int) -> list[int]:
        """The strangers at the side of the host's end. Such an edge may come to lie between two edges of one place and
        cross one of them. Edges of the same crowd, possibly hundreds, are examined from the moving edge."""
        end, target = self._drafts[host].finish, self._drafts[host].connection.target
        crowd = self._drafts[number].crowd
        return [
            other
            for other, draft in enumerate(self._drafts)
            if draft.crowd != crowd and end is not None and (target, end.side) in _sides_of(draft)
        ]

    def _bind(self, number: int, connection: Connection) -> None:
        """Draw a line in another trunk than before, or in none."""
        draft = self._drafts[number]
        self._occupancy.add(draft, -1)
        draft.connection = connection
        self._occupancy.add(draft, 1)
        self.traffic.assign(number, connection.fan)

    def _sent(self, number: int, crossed: int, more: float, barred: Barred) -> bool:
        draft = self._drafts[number]
        if draft.start is None or draft.finish is None or self._finder.effort.is_spent:
            return False
        now = _course_cost(draft.points, (draft.start, draft.finish), crossed) + self._crowd(number) + more
        self._occupancy.add(draft, -1)
        # The search pays half a crossing for each turn onto another route, even without a crossing.
        limits = now, now + CROSSING / 2 if crossed else now
        found = self._another(number, self._occupancy.priced(draft.connection), limits, barred)
        if found is not None:
            draft.points = found.points
            draft.start, draft.finish = self._occupancy.unpriced(draft.connection, (found.start, found.finish))
            self.traffic.put(number, found.points)
        self._occupancy.add(draft, 1)
        return found is not None

    def _another(
        self, number: int, connection: Connection, limits: tuple[float, float], barred: Barred
    ) -> RoutePath | None:
        """Another path cheaper than the first of the `limits`; the second limit bounds the search."""
        limit, most = limits
        found = self._finder.detour(connection, lambda region: self.traffic.around(region, number), most, barred)
        if found is None or found.points[0] == found.points[-1]:
            return None
        # The search misses crossings of a segment followed for a while and left on the far side.
        crossed = self.traffic.crossings(number, found.points)
        return found if _course_cost(found.points, (found.start, found.finish), crossed) < limit else None


def _parallels(drafts: Sequence[RouteDraft]) -> dict[frozenset[int], list[int]]:
    """The numbers of the labelled edges by their two ends, for ends joined by several edges; trunks aside."""
    found: dict[frozenset[int], list[int]] = {}
    for number, draft in enumerate(drafts):
        connection = draft.connection
        if draft.start is not None and connection.label[0] and (connection.fan is None or not connection.fan.gathers):
            found.setdefault(frozenset(connection.ends), []).append(number)
    return {ends: numbers for ends, numbers in found.items() if len(numbers) > 1}


def movable(drafts: Sequence[RouteDraft]) -> list[int]:
    """The numbers of the edges free to take another course."""
    return [
        number
        for number, draft in enumerate(drafts)
        if draft.start is not None and not (draft.connection.is_loop or draft.is_set)
    ]


def _course_cost(points: tuple[Point, ...], ends: tuple[Anchor, Anchor], crossings: int) -> float:
    """The cost of a course, px: length, bends, crossings and sides."""
    bends = len(points) - 2
    return length(points) + BEND * bends + CROSSING * crossings + fsum(anchor.penalty for anchor in ends)


def _is_pinned(draft: RouteDraft) -> bool:
    """Whether an end is fixed: in a shared vertex, or at a port."""
    return any(anchor is None or anchor.room_low == anchor.room_high for anchor in (draft.start, draft.finish))


def _least_gain(draft: RouteDraft) -> float:
    """The saving, px, that another course must exceed: a straight line is worth more than its length."""
    return OFF_STRAIGHT if len(draft.points) == STRAIGHT else WORTH_A_CHANGE
