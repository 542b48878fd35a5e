"""Vertices of pointed shapes: two lines at one vertex part where another vertex is free.

In: drafts. Out: the same drafts, some of them leaving or entering another vertex, when that costs no more than a line
of its own is worth; lines that must share a vertex meet in its point, like a fork, but for one that comes straight onto
the slope of a plain diamond. A reader tells the branches of a decision by their vertices, in BPMN as in every
flowchart. Rule R-ROUTE-9.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scenograph.engine.geometry.segments import length, manhattan
from scenograph.engine.route.costs import BEND, CROSSING, NO_FORK, OFF_STRAIGHT, OWN_VERTEX
from scenograph.engine.route.courses.beneath import TIP_ROOM, best_path, seen
from scenograph.engine.route.courses.draft import Draft
from scenograph.engine.route.courses.pathfinder import Path, Pathfinder
from scenograph.engine.route.courses.terrain import enters, grazes
from scenograph.engine.route.courses.traffic import TrafficMap
from scenograph.engine.route.ports.anchors import SIDES
from scenograph.engine.route.problem import Connection
from scenograph.late_dataclasses import dataclass, field

MOST_LOOKS = 400  # paths tried in one scene
STRAIGHT = 2  # points
LEAST_LEG = 10.0  # px; a shorter first or last leg reads as a hook

Place = tuple[int, str]  # an element and a vertex of it


@dataclass(slots=True)
class _Move:
    """A draft that could go to free vertices: which end, where, and what it costs more."""

    number: int
    connection: Connection
    path: Path
    price: float


@dataclass(slots=True)
class _Desk:
    drafts: Sequence[Draft]
    finder: Pathfinder
    traffic: TrafficMap
    pointed: frozenset[int]
    looks: int = MOST_LOOKS
    users: dict[Place, list[tuple[int, bool]]] = field(default_factory=dict[Place, list[tuple[int, bool]]])

    def part(self, element: int) -> None:
        """Move lines from the crowded vertices of an element to its free ones, the cheapest first."""
        for _ in SIDES:
            free = [side for side in SIDES if not self.users.get((element, side))]
            crowded = [(use, worth) for side in SIDES for use, worth in self._crowd(element, side)]
            tried = ((self._move(*use, free), worth) for use, worth in crowded if free)
            moves = [move for move, worth in tried if move is not None and move.price < worth]
            if not moves:
                return
            # Of two equal moves the one of the shorter line: it lies inside the bend of the longer one. Of two equal
            # lines the one that was named first stays: a way back follows the way there.
            self._carry_out(min(moves, key=lambda move: (move.price, length(move.path.points), -move.number)))

    def register(self) -> None:
        """Note who stands at which vertex."""
        self.users.clear()
        for number, draft in enumerate(self.drafts):
            for place, is_finish in _vertices(draft, self.pointed):
                self.users.setdefault(place, []).append((number, is_finish))

    def crowded(self) -> list[int]:
        """The elements with a vertex that lines share."""
        return list(dict.fromkeys(element for (element, _), users in self.users.items() if len(users) > 1))

    def _crowd(self, element: int, side: str) -> list[tuple[tuple[int, bool], float]]:
        """The lines that share a vertex, each with what a vertex of its own is worth to it."""
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

    def _around_others(self, number: int, connection: Connection, path: Path) -> Path:
        """A path that crosses fewer lines, where one is cheaper."""
        if not self.traffic.crossings(number, path.points):
            return path
        cost = self._cost(number, path)
        found = self.finder.detour(connection, lambda region: self.traffic.around(region, number), cost)
        if found is None or not self._is_clean(connection, found) or self._cost(number, found) >= cost:
            return path
        return found

    def _is_clean(self, connection: Connection, path: Path) -> bool:
        """Whether a path has room for its markers, and keeps clear of nodes and of texts, but for the label that it
        starts behind."""
        legs = manhattan(*path.points[:2]), manhattan(*path.points[-2:])
        if any(leg < max(tip + TIP_ROOM, LEAST_LEG) for leg, tip in zip(legs, connection.tips, strict=True)):
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
        return self._cost(number, Path(draft.points, draft.start, draft.finish, 0.0))

    def _cost(self, number: int, path: Path) -> float:
        bends = (len(path.points) - 2) * BEND
        crossings = self.traffic.crossings(number, path.points) * CROSSING
        return length(path.points) + bends + crossings + path.start.penalty + path.finish.penalty


def part_at_vertices(drafts: Sequence[Draft], finder: Pathfinder, pointed: frozenset[int]) -> None:
    """Give lines that share a vertex of a pointed shape vertices of their own."""
    if not pointed:
        return
    desk = _Desk(drafts, finder, TrafficMap([draft.connection.fan for draft in drafts]), pointed)
    desk.register()
    crowded = desk.crowded()
    if not crowded:
        return
    for number, draft in enumerate(drafts):
        if draft.start is not None:
            desk.traffic.put(number, draft.points)
    settled: set[int] = set()
    while crowded:
        # A line that goes to a vertex of its own may come to share one at its other end.
        settled.add(crowded[0])
        desk.part(crowded[0])
        crowded = [element for element in desk.crowded() if element not in settled]
    for users in desk.users.values():
        if len(users) > 1 and _may_meet([drafts[number] for number, _ in users], [is_finish for _, is_finish in users]):
            for number, is_finish in users:
                _pin(drafts[number], is_finish)


def _may_meet(drafts: Sequence[Draft], at_finish: Sequence[bool]) -> bool:
    """Whether lines can share a point: all come, or all go and none begins with a marker."""
    return all(at_finish) or not (any(at_finish) or any(draft.connection.tips[0] for draft in drafts))


def _pin(draft: Draft, is_finish: bool) -> None:  # noqa: FBT001
    """No room at one end: the line stays in the vertex."""
    if draft.start is not None and not is_finish:
        draft.start = draft.start._replace(room_low=draft.start.along, room_high=draft.start.along)
    if draft.finish is not None and is_finish:
        draft.finish = draft.finish._replace(room_low=draft.finish.along, room_high=draft.finish.along)


def _vertices(draft: Draft, pointed: frozenset[int]) -> Iterator[tuple[Place, bool]]:
    """The vertices at which a draft ends, True for its target."""
    connection = draft.connection
    if draft.start is None or draft.finish is None or connection.is_loop:
        return
    if connection.source in pointed:
        yield (connection.source, draft.start.side), False
    if connection.target in pointed:
        yield (connection.target, draft.finish.side), True


def _narrowed(connection: Connection, is_finish: bool, free: Sequence[str]) -> Connection | None:  # noqa: FBT001
    """The connection with no other vertices than the free ones at one end; None when the author or a trunk chose."""
    anchors = connection.finishes if is_finish else connection.starts
    left = tuple(anchor for anchor in anchors if anchor.side in free)
    if len(anchors) < len(SIDES) or not left or (connection.fan is not None and connection.fan.gathers):
        return None
    return connection._replace(finishes=left) if is_finish else connection._replace(starts=left)
