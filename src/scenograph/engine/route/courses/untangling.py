"""Untangling: routes that cross many others look for another way.

In: drafts. Out: the same drafts, some of them elsewhere: longer by no more than what the saved crossings are worth.
Every change lowers the total cost, so the order of the edges decides little.
"""

from __future__ import annotations

from collections.abc import Sequence

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.segments import length
from scenograph.engine.geometry.spatial_index import Bounds
from scenograph.engine.route.courses.draft import Draft
from scenograph.engine.route.courses.pathfinder import Pathfinder
from scenograph.engine.route.courses.search import Budget
from scenograph.engine.route.courses.simple import BEND_PENALTY, Path
from scenograph.engine.route.courses.traffic import CROSSING_PENALTY, TrafficMap
from scenograph.engine.route.ports.anchors import Anchor
from scenograph.engine.route.problem import Connection

STRAIGHT = 2  # points
EXPANSIONS, EXPANSIONS_PER_EDGE = 8_000, 100
MOST_EXPANSIONS = 60_000
WORTH_IT = 1.0
STRAIGHTNESS = 60.0  # what a straight line between two middles is worth besides: not all its crossings are real yet
CENTRAL = 8.0
SEARCHES = 2  # for each route, at most


def untangle(drafts: Sequence[Draft], pathfinder: Pathfinder) -> None:
    """Give every orthogonal route that crosses others a second look, those that cross most first."""
    traffic = TrafficMap([draft.connection.fan for draft in drafts])
    drawn = [number for number, draft in enumerate(drafts) if draft.start is not None]
    for number in drawn:
        traffic.put(number, drafts[number].points)
    tangled = [number for number in drawn if not (drafts[number].connection.is_loop or drafts[number].is_set)]
    counts = {number: traffic.crossings(number, drafts[number].points) for number in tangled}
    finder = Pathfinder(
        pathfinder.terrain, Budget(min(MOST_EXPANSIONS, EXPANSIONS + EXPANSIONS_PER_EDGE * len(tangled)))
    )
    for number in sorted(tangled, key=lambda number: (-counts[number], number)):
        if counts[number] and finder.budget.left > 0:
            _reroute(number, drafts[number], traffic, finder)


def _reroute(number: int, draft: Draft, traffic: TrafficMap, finder: Pathfinder) -> None:
    if draft.start is None or draft.finish is None:
        return
    crossed = traffic.crossings(number, draft.points)
    if not crossed:
        return
    now = _cost(draft.points, (draft.start, draft.finish), crossed)
    found, then = _another(number, draft.connection, (traffic, finder), now)
    if found is not None and then < now - (STRAIGHTNESS if _is_central(draft) else WORTH_IT):
        draft.points, draft.start, draft.finish = found.points, found.start, found.finish
        traffic.put(number, found.points)


def _another(
    number: int, connection: Connection, tools: tuple[TrafficMap, Pathfinder], limit: float
) -> tuple[Path | None, float]:
    """Another way and its cost. The search pays for runs that it crosses, not for those that it follows and leaves on
    the wrong side: where such crossings come to light, a second search keeps off what the first one followed."""
    traffic, finder = tools
    best, cost = None, limit
    walls: Sequence[Bounds] = ()
    for _ in range(SEARCHES):
        found = finder.detour(connection, lambda region: traffic.around(region, number), cost, walls)
        if found is None or found.points[0] == found.points[-1]:
            break
        crossed = traffic.crossings(number, found.points)
        then = _cost(found.points, (found.start, found.finish), crossed)
        if then < cost:
            best, cost = found, then
        walls = traffic.followed(number, found.points) if then > found.cost + CROSSING_PENALTY else ()
        if not walls:
            break
    return best, cost


def _is_central(draft: Draft) -> bool:
    """Whether the route is one straight line that leaves and enters near the middle of a side."""
    if len(draft.points) != STRAIGHT or draft.start is None or draft.finish is None:
        return False
    ends = (draft.connection.source_box, draft.start), (draft.connection.target_box, draft.finish)
    return all(abs((box.center.x if end.dx == 0 else box.center.y) - end.along) <= CENTRAL for box, end in ends)


def _cost(points: tuple[Point, ...], ends: tuple[Anchor, Anchor], crossings: int) -> float:
    bends = len(points) - 2
    return length(points) + BEND_PENALTY * bends + CROSSING_PENALTY * crossings + sum(anchor.penalty for anchor in ends)
