"""How far runs may move, and where they look best.

In: runs, their lines, the obstacles. Out: the limits of a run, px: its ends, the neighbours it must keep, and the
obstacles beside it at full clearance; the middle of its corridor; and the borders of frames beside it, which lines
cross and do not follow.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Final

from scenograph.engine.kernels.cell_grid import EVERY, CellGrid
from scenograph.engine.kernels.runs import End, Line, Place, Run, Sides, level

REACH: Final = 64.0  # no run moves farther than this in one pass
KEPT_STUB: Final = 12.0  # an end keeps this much of its straight run
TIP_ROOM: Final = 5.0  # and what its marker needs before a corner
OWN_CLEARANCE: Final = 12.0  # px; between a line and a box at its ends
OFF_BORDER: Final = 16.0  # a line beside the border of a frame looks like a part of it
FOLLOWS: Final = 20.0  # shorter runs beside a border only cross it
PILE: Final = 64  # more obstacles round a run, and one for each PILE_STEP px of it, lie on each other: it stays
PILE_STEP: Final = 16.0  # px of a run, one obstacle more
EFFORT: Final = 2_000_000  # obstacles looked at for all runs of a scene

Obstacle = tuple[Sides, float, int]
"""A box, how far lines keep from it, and the element whose own lines may touch it."""
Border = tuple[float, bool]
"""One side of a frame beside a run: where it lies, and whether the run leaves the frame, on whichever side it is."""


class Corridors:
    """The limits of runs among obstacles, which stand in a grid by their numbers. The effort is bounded: a run that
    comes too late keeps its place. `clearance`: how far lines keep from strangers at most."""

    def __init__(self, obstacles: list[Obstacle], grid: CellGrid, frames: list[Sides], clearance: float) -> None:
        self._obstacles = obstacles
        self._grid = grid
        self._clearance = clearance
        self._effort = EFFORT
        self._borders = [_borders(frames, across) for across in (0, 1)]
        self._levels = [[row[0] for row in rows] for rows in self._borders]

    def center(self, runs: list[Run], lines: list[Line], across: int) -> list[Run]:
        """Let every run that may lie anywhere between its neighbours wish for the middle of its corridor; all these."""
        free: list[Run] = []
        for run in runs:
            line = lines[run.draft]
            if not run.anchored and run.turn_low * run.turn_high < 0 and not line.is_set:
                self.limit(run, line, across)
                run.wish = self._middle(run, line, across)
                free.append(run)
        return free

    def limit(self, run: Run, line: Line, across: int) -> None:
        """Set `least` and `most` of a run from the ends of its line, its neighbours and the obstacles beside it."""
        limits = run.position - REACH, run.position + REACH
        last = len(line.points) - 1
        limits = _held(run, line.start, 0, level(line.points[0], across), limits)
        limits = _held(run, line.finish, last, level(line.points[last], across), limits)
        least, most = self._between_walls(run, line, across, limits)
        run.least, run.most = min(least, run.position), max(most, run.position)

    def _middle(self, run: Run, line: Line, across: int) -> float:
        """Where a run looks best that may lie anywhere between its neighbours: in the middle of its corridor. Its
        limits must have been set."""
        one, other = level(line.points[run.index - 1], across), level(line.points[run.index + 2], across)
        low, high = (one, other) if one <= other else (other, one)
        kept = min(self._clearance, (high - low) / 2)  # as much as from strangers, so that neighbours come out level
        least, most = max(run.least, low + kept), min(run.most, high - kept)
        is_corridor = least > run.position - REACH and most < run.position + REACH
        return (least + most) / 2 if is_corridor and least <= most else run.position

    def borders(self, run: Run, across: int) -> list[Border]:
        """The nearest border on each side of the wish of a run that the run could come too near to."""
        found: list[Border] = []
        if run.high - run.low <= FOLLOWS or not self._borders[across]:
            return found
        has_below = False
        levels = self._levels[across]
        first = bisect_left(levels, run.least - OFF_BORDER)
        for at, low, high in self._borders[across][first : bisect_left(levels, run.most + OFF_BORDER)]:
            if min(run.high, high) - max(run.low, low) <= FOLLOWS:
                continue
            border = at, run.low < low or run.high > high
            if at > run.wish:
                found.append(border)
                break
            if has_below:
                found[0] = border
            else:
                found.append(border)
                has_below = True
        return found

    def _between_walls(self, run: Run, line: Line, across: int, limits: Place) -> Place:
        """The limits of a run with those that obstacles set."""
        position, clearance = run.position, self._clearance
        low, high = run.low - clearance, run.high + clearance
        near_side, far_side = position - REACH - clearance, position + REACH + clearance
        own: list[Obstacle] = []
        if self._effort > 0:
            if across:
                near = self._grid.near(low, near_side, high, far_side, EVERY)
            else:
                near = self._grid.near(near_side, low, far_side, high, EVERY)
            for number in near:
                obstacle = self._obstacles[number]
                if obstacle[2] not in line.exempt:
                    own.append(obstacle)
            self._effort -= len(own)
            if len(own) <= PILE + (run.high - run.low) / PILE_STEP:
                if not run.anchored:
                    own.append((line.start.box, OWN_CLEARANCE, -1))
                    own.append((line.finish.box, OWN_CLEARANCE, -1))
                return _between(run, own, across, limits)
        return max(limits[0], position), min(limits[1], position)


def _between(run: Run, obstacles: list[Obstacle], across: int, limits: Place) -> Place:
    """The limits of a run with those that the boxes beside it set."""
    least, most = limits
    for (left, top, right, bottom), clearance, _ in obstacles:
        if across:
            low, high, begin, end = top, bottom, left, right
        else:
            low, high, begin, end = left, right, top, bottom
        if begin - clearance >= run.high or end + clearance <= run.low:
            continue
        if low >= run.position:
            most = min(most, max(low - clearance, run.position))
        elif high <= run.position:
            least = max(least, min(high + clearance, run.position))
    return least, most


def _held(run: Run, end: End, place: int, at: float, limits: Place) -> Place:
    """The limits of a run with those that an end of its line sets, the corner number `place`, which lies `at` that
    coordinate: it moves within its room, and a run next to the last one keeps its distance from the element."""
    least, most = limits
    if place in (run.index, run.index + 1):
        least, most = max(least, min(end.low, run.position)), min(most, max(end.high, run.position))
    if place in (run.index - 1, run.index + 2):
        kept = min(max(KEPT_STUB, end.tip + TIP_ROOM), abs(run.position - at))
        if run.position >= at:
            least = max(least, at + kept)
        else:
            most = min(most, at - kept)
    return least, most


def _borders(frames: list[Sides], across: int) -> list[tuple[float, float, float]]:
    """The borders of frames on one axis, sorted: where they lie, and from where to where they go."""
    found: list[tuple[float, float, float]] = []
    for left, top, right, bottom in frames:
        if across:
            found.append((top, left, right))
            found.append((bottom, left, right))
        else:
            found.append((left, top, bottom))
            found.append((right, top, bottom))
    return sorted(found)
