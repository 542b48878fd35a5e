"""How far runs may move, and where they look best.

In: a run, its draft, the terrain. Out: the limits of the run, px: its anchors, the neighbours it must keep, and the
obstacles beside it at full clearance; the middle of its corridor; and the borders of frames beside it, which lines
cross and do not follow.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from scenograph.engine.geometry.spatial_index import Bounds, bounds_of
from scenograph.engine.route.courses.draft import Draft
from scenograph.engine.route.courses.terrain import CLEARANCE, LEVELS, Terrain
from scenograph.engine.route.nudging.runs import Run
from scenograph.engine.route.ports.anchors import Anchor
from scenograph.engine.route.problem import Connection

REACH = 64.0  # no run moves farther than this in one pass
KEPT_STUB = 12.0  # an end keeps this much of its straight run
TIP_ROOM = 5.0  # and what its marker needs before a corner
OWN_CLEARANCE = 12.0  # px; between a line and a box at its ends
OFF_BORDER = 16.0  # a line beside the border of a frame looks like a part of it
FOLLOWS = 20.0  # shorter runs beside a border only cross it
PILE = 64  # more obstacles round a run than this, and one for each PILE_STEP px of it, lie on each other: it stays
PILE_STEP = 16.0  # px of a run, one obstacle more
EFFORT = 2_000_000  # obstacles looked at for all runs of a scene


class Border(NamedTuple):
    """One side of a frame beside a run, px. The run leaves the frame, whichever side of the border it lies on."""

    at: float
    is_left: bool


class Corridors:
    """The limits of runs on one terrain. The effort is bounded: a run that comes too late keeps its place."""

    def __init__(self, terrain: Terrain) -> None:
        self._terrain = terrain
        self._effort = EFFORT
        self._borders = tuple(_borders(terrain.frames.bounds, across) for across in (0, 1))

    def limit(self, run: Run, draft: Draft, across: int) -> None:
        """Set `least` and `most` of a run from its anchors, its neighbours and the obstacles beside it."""
        least, most = run.position - REACH, run.position + REACH
        ends = (draft.start, 0), (draft.finish, len(draft.points) - 1)
        for (anchor, place), tip in zip(ends, draft.connection.tips, strict=True):
            if anchor is not None and place in (run.index, run.index + 1):
                least, most = max(least, _room(anchor, run)[0]), min(most, _room(anchor, run)[1])
            if anchor is not None and place in (run.index - 1, run.index + 2):
                stub = max(KEPT_STUB, tip + TIP_ROOM)
                least, most = _beyond_stub(run, draft.points[place][across], stub, (least, most))
        for edge, is_beyond in self._walls(run, draft.connection, across):
            if is_beyond:
                most = min(most, max(edge, run.position))
            else:
                least = max(least, min(edge, run.position))
        run.least, run.most = min(least, run.position), max(most, run.position)

    def middle(self, run: Run, draft: Draft, across: int) -> float:
        """Where a run looks best that may lie anywhere between its neighbours: in the middle of its corridor. Its
        limits must have been set."""
        points = draft.points
        ends = sorted((points[run.index - 1][across], points[run.index + 2][across]))
        kept = min(CLEARANCE, (ends[1] - ends[0]) / 2)  # as much as from strangers, so that neighbours come out level
        least, most = max(run.least, ends[0] + kept), min(run.most, ends[1] - kept)
        is_corridor = least > run.position - REACH and most < run.position + REACH
        return (least + most) / 2 if is_corridor and least <= most else run.position

    def borders(self, run: Run, across: int) -> list[Border]:
        """The nearest border on each side of the wish of a run that the run could come too near to."""
        if run.high - run.low <= FOLLOWS:
            return []
        below: Border | None = None
        above: Border | None = None
        rows = self._borders[across]
        first = bisect_left(rows, (run.least - OFF_BORDER,))
        for at, low, high in rows[first : bisect_right(rows, (run.most + OFF_BORDER,))]:
            if min(run.high, high) - max(run.low, low) > FOLLOWS:
                border = Border(at, is_left=run.low < low or run.high > high)
                below, above = (border, above) if at <= run.wish else (below, above or border)
        return [border for border in (below, above) if border is not None]

    def _walls(self, run: Run, connection: Connection, across: int) -> list[tuple[float, bool]]:
        """The coordinates at which obstacles stop the run; True for those beyond it."""
        region = _region(run, run.position - REACH, run.position + REACH, across)
        obstacles = self._terrain.raw_around(region, connection.exempt, LEVELS[0]) if self._effort > 0 else None
        self._effort -= len(obstacles or ())
        if obstacles is None or len(obstacles) > PILE + (run.high - run.low) / PILE_STEP:
            return [(run.position, False), (run.position, True)]
        if not run.anchored:
            own = connection.source_box, connection.target_box
            obstacles += [(bounds_of(box), OWN_CLEARANCE) for box in own]
        walls: list[tuple[float, bool]] = []
        for bounds, clearance in obstacles:
            if bounds[1 - across] - clearance >= run.high or bounds[3 - across] + clearance <= run.low:
                continue
            if bounds[across] >= run.position:
                walls.append((bounds[across] - clearance, True))
            elif bounds[across + 2] <= run.position:
                walls.append((bounds[across + 2] + clearance, False))
        return walls


def _borders(frames: Sequence[Bounds], across: int) -> list[tuple[float, ...]]:
    """The borders of frames on one axis, sorted: where they lie, and from where to where they go."""
    return sorted(
        (frame[side], frame[1 - across], frame[3 - across]) for frame in frames for side in (across, across + 2)
    )


def _region(run: Run, near: float, far: float, across: int) -> Bounds:
    """What lies beside a run between two coordinates."""
    return Bounds(run.low, near, run.high, far) if across else Bounds(near, run.low, far, run.high)


def _room(anchor: Anchor, run: Run) -> tuple[float, float]:
    return min(anchor.room_low, run.position), max(anchor.room_high, run.position)


def _beyond_stub(run: Run, end: float, stub: float, limits: tuple[float, float]) -> tuple[float, float]:
    """A run next to the last one keeps its distance from the element."""
    kept = min(stub, abs(run.position - end))
    if run.position >= end:
        return max(limits[0], end + kept), limits[1]
    return limits[0], min(limits[1], end - kept)
