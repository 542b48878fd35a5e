"""Runs along borders: a line beside the border of a frame looks like a part of it.

In: drafts that have been spread, and the terrain. Out: the same drafts; runs within a few px of a border that they
follow stand off it, where their limits and the other lines let them. Borders are only to be crossed. px.
"""

from __future__ import annotations

from collections.abc import Sequence

from scenograph.engine.geometry.spatial_index import Bounds, SpatialIndex
from scenograph.engine.route.courses.draft import Draft
from scenograph.engine.route.courses.terrain import Terrain
from scenograph.engine.route.nudging.corridors import Corridors
from scenograph.engine.route.nudging.runs import Run, runs_along

TOO_NEAR = 10.0
STANDS_OFF = (14.0, 12.0, 10.0)  # what is tried, the best first
FARTHEST, FARTHEST_ANCHORED = 30.0, 12.0  # a run moves no farther; less where it ends at an element
FOLLOWS = 20.0  # shorter runs beside a border only cross it
APART = 10.0  # from other lines


def runs_off_borders(
    drafts: Sequence[Draft], corridors: Corridors, terrain: Terrain, across: int
) -> list[tuple[Run, float]]:
    """The runs that follow a border too closely, and where they should lie."""
    runs = runs_along(drafts, across)
    followers = [run for run in runs if _may_move(run, drafts) and _followed(run, run.position, terrain, across)]
    if not followers:
        return []
    index = SpatialIndex(_span(run, run.position, across) for run in runs)
    owners = [run.draft for run in runs]
    moved: list[tuple[Run, float]] = []
    for run in followers:
        corridors.limit(run, drafts[run.draft], across)
        reach = FARTHEST_ANCHORED if run.anchored else FARTHEST
        low, high = max(run.least, run.position - reach), min(run.most, run.position + reach)
        places = (place for place in _places(run, terrain, across) if low <= place <= high)
        found = next((place for place in places if _is_open(run, place, (index, owners), across)), None)
        if found is not None and not _followed(run, found, terrain, across):
            moved.append((run, found))
            index.add(_span(run, found, across))
            owners.append(run.draft)
    return moved


def _may_move(run: Run, drafts: Sequence[Draft]) -> bool:
    draft = drafts[run.draft]
    fan = draft.connection.fan
    return len(draft.points) > 2 and not draft.is_set and not (fan is not None and fan.gathers)


def _followed(run: Run, place: float, terrain: Terrain, across: int) -> list[float]:
    """The borders that a run at that place follows too closely."""
    found: list[float] = []
    for number in terrain.frames.near(*_region(run, place, TOO_NEAR, across)):
        box = terrain.frames.bounds[number]
        shared = min(run.high, box[3 - across]) - max(run.low, box[1 - across])
        if shared > FOLLOWS:
            found += [at for at in (box[across], box[across + 2]) if abs(at - place) < TOO_NEAR]
    return found


def _places(run: Run, terrain: Terrain, across: int) -> list[float]:
    borders = _followed(run, run.position, terrain, across)
    places = [border + side * by for border in borders for by in STANDS_OFF for side in (-1, 1)]
    return sorted(places, key=lambda place: (abs(place - run.position) > STANDS_OFF[0], -_off(place, borders), place))


def _off(place: float, borders: Sequence[float]) -> float:
    return min(abs(place - border) for border in borders)


def _is_open(run: Run, place: float, others: tuple[SpatialIndex, list[int]], across: int) -> bool:
    """Whether no other line lies too near the place."""
    index, owners = others
    return all(owners[number] == run.draft for number in index.near(*_region(run, place, APART, across)))


def _region(run: Run, place: float, reach: float, across: int) -> Bounds:
    return _box(run.low, run.high, place - reach, place + reach, across)


def _span(run: Run, place: float, across: int) -> Bounds:
    return _box(run.low, run.high, place, place, across)


def _box(low: float, high: float, near: float, far: float, across: int) -> Bounds:
    return Bounds(low, near, high, far) if across else Bounds(near, low, far, high)
