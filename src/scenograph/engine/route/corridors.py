"""The parallel runs of orthogonal routes: where each lies, how far it may move, where it would like to lie.

In: drafts and the terrain. Out: for one axis every run (a straight stretch of a route) with its limits, px. A run
moves across its own direction; its neighbours in the route grow or shrink.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.spatial_index import Bounds
from scenograph.engine.route.anchors import Anchor
from scenograph.engine.route.connection import Connection
from scenograph.engine.route.draft import Draft
from scenograph.engine.route.terrain import CLEARANCE, LEVELS, Terrain, bounds_of

REACH = 64.0  # no run moves farther than this in one pass
KEPT_STUB = 12.0  # an end keeps this much of its straight run
TIP_ROOM = 5.0  # and what its marker needs before a corner
OWN_CLEARANCE = 12.0
OFF_BORDER = 10.0
SAME = 1e-6


@dataclass(slots=True)
class Run:
    """A stretch of a route. `position` is its coordinate across, `low` to `high` its span along.

    It may lie from `least` to `most`; `wish` is where it looks best. `turn_low` and `turn_high` say to which side the
    route goes on at the ends of the span: -1, 1, or 0 where the edge ends; `reach_low` and `reach_high` how far it goes
    there, across. An `anchored` run ends at an element; `backward` runs are walked from high to low.
    """

    draft: int
    index: int
    position: float
    low: float
    high: float
    turn_low: int
    turn_high: int
    reach_low: float
    reach_high: float
    backward: bool
    anchored: bool
    least: float
    most: float
    wish: float


def runs_along(drafts: Sequence[Draft], across: int) -> list[Run]:
    """Every run whose coordinate `across` (0: x, upright runs; 1: y, level runs) is the same all along it."""
    found: list[Run] = []
    for number, draft in enumerate(drafts):
        if draft.start is not None:
            found.extend(runs_of(number, draft.points, across))
    return found


def runs_of(number: int, points: tuple[Point, ...], across: int) -> list[Run]:
    """The runs of one route."""
    found: list[Run] = []
    for index in range(len(points) - 1):
        a, b = points[index], points[index + 1]
        if abs(a[across] - b[across]) <= SAME < abs(a[1 - across] - b[1 - across]):
            found.append(_run(number, points, index, across))
    return found


def _run(number: int, points: tuple[Point, ...], index: int, across: int) -> Run:
    a, b = points[index], points[index + 1]
    position = a[across]
    before = points[index - 1][across] if index else position
    after = points[index + 2][across] if index + 2 < len(points) else position
    backward = a[1 - across] > b[1 - across]
    low, high = (b, a) if backward else (a, b)
    reach_low, reach_high = (after, before) if backward else (before, after)
    return Run(
        draft=number,
        index=index,
        position=position,
        low=low[1 - across],
        high=high[1 - across],
        turn_low=_turn(reach_low - position),
        turn_high=_turn(reach_high - position),
        reach_low=reach_low,
        reach_high=reach_high,
        backward=backward,
        anchored=index == 0 or index + 2 == len(points),
        least=position,
        most=position,
        wish=position,
    )


def _turn(step: float) -> int:
    return (step > 0.0) - (step < 0.0)


def free_to_move(run: Run, draft: Draft, terrain: Terrain, across: int) -> None:
    """Set `least`, `most` and `wish` of a run from its anchors, its neighbours and the obstacles beside it."""
    least, most = run.position - REACH, run.position + REACH
    ends = (draft.start, 0), (draft.finish, len(draft.points) - 1)
    for (anchor, place), tip in zip(ends, draft.connection.tips, strict=True):
        if anchor is not None and place in (run.index, run.index + 1):
            least, most = max(least, _room(anchor, run)[0]), min(most, _room(anchor, run)[1])
        if anchor is not None and place in (run.index - 1, run.index + 2):
            stub = max(KEPT_STUB, tip + TIP_ROOM)
            least, most = _beyond_stub(run, draft.points[place][across], stub, (least, most))
    for edge, from_above in _walls(run, draft.connection, terrain, across):
        if from_above:
            most = min(most, max(edge, run.position))
        else:
            least = max(least, min(edge, run.position))
    run.least, run.most = min(least, run.position), max(most, run.position)
    run.wish = _off_borders(run, _wish(run, draft.points, across), terrain, across)


def _room(anchor: Anchor, run: Run) -> tuple[float, float]:
    return min(anchor.room_low, run.position), max(anchor.room_high, run.position)


def _beyond_stub(run: Run, end: float, stub: float, limits: tuple[float, float]) -> tuple[float, float]:
    """A run next to the last one keeps its distance from the element."""
    kept = min(stub, abs(run.position - end))
    if run.position >= end:
        return max(limits[0], end + kept), limits[1]
    return limits[0], min(limits[1], end - kept)


def _walls(run: Run, connection: Connection, terrain: Terrain, across: int) -> list[tuple[float, bool]]:
    """The nearest coordinates at which obstacles stop the run; True for those on the far side of it."""
    near, far = run.position - REACH, run.position + REACH
    region = Bounds(near, run.low, far, run.high) if across == 0 else Bounds(run.low, near, run.high, far)
    walls: list[tuple[float, bool]] = []
    obstacles = terrain.raw_around(region, connection.exempt, LEVELS[0])
    if not run.anchored:
        obstacles += [
            (bounds_of(connection.source_box), OWN_CLEARANCE),
            (bounds_of(connection.target_box), OWN_CLEARANCE),
        ]
    for bounds, clearance in obstacles:
        begin, end = bounds[across], bounds[across + 2]
        if bounds[1 - across] - clearance >= run.high or bounds[3 - across] + clearance <= run.low:
            continue
        if begin >= run.position:
            walls.append((begin - clearance, True))
        elif end <= run.position:
            walls.append((end + clearance, False))
    return walls


def _off_borders(run: Run, wish: float, terrain: Terrain, across: int) -> float:
    """A run that crosses a frame may lie on its border by chance, and then looks like a part of it: a little aside."""
    if wish == run.position and run.anchored:
        return wish
    near, far = wish - OFF_BORDER, wish + OFF_BORDER
    region = Bounds(near, run.low, far, run.high) if across == 0 else Bounds(run.low, near, run.high, far)
    for border in terrain.borders(region, across):
        if abs(border - wish) < OFF_BORDER:
            aside = (border - OFF_BORDER, border + OFF_BORDER)
            open_sides = [place for place in aside if run.least <= place <= run.most]
            return min(open_sides, key=lambda place: abs(place - wish), default=wish)
    return wish


def _wish(run: Run, points: tuple[Point, ...], across: int) -> float:
    """A run between two turns of opposite hand may lie anywhere between them: the middle looks best."""
    if run.anchored or run.turn_low * run.turn_high >= 0:
        return run.position
    ends = sorted((points[run.index - 1][across], points[run.index + 2][across]))
    kept = min(CLEARANCE, (ends[1] - ends[0]) / 2)  # as much as from strangers, so that neighbours come out level
    least, most = max(run.least, ends[0] + kept), min(run.most, ends[1] - kept)
    is_corridor = least > run.position - REACH and most < run.position + REACH
    return (least + most) / 2 if is_corridor and least <= most else run.position
