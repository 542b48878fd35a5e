"""Spreading: routes that share a corridor or a side are moved apart, in an order that adds no crossings.

In: drafts and the terrain. Out: the same drafts with their runs moved. First every free run goes to the middle of its
corridor, then runs that lie too close are separated, axis by axis. Rules R-ROUTE-10, R-ROUTE-11.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.route.courses.draft import Draft
from scenograph.engine.route.courses.terrain import Terrain
from scenograph.engine.route.courses.tidy import straightened
from scenograph.engine.route.nudging.borders import runs_off_borders
from scenograph.engine.route.nudging.corridors import Corridors
from scenograph.engine.route.nudging.crowd import Crowd
from scenograph.engine.route.nudging.runs import Run, runs_along, runs_of
from scenograph.engine.route.problem import Fan

NEAR = 24.0  # runs this close across and overlapping along are kept in order
TOUCHING = 8.0  # spans that end this close to each other count as overlapping
JOG = 18.0
LABEL_ROOM = 20.0  # beside a label on a trunk
NEIGHBOURS = 32  # a run minds no more than so many others: where there are more, no line can be told from the next

Places = Iterable[tuple[Run, float]]


def spread(drafts: Sequence[Draft], terrain: Terrain) -> None:
    """Move the runs of all orthogonal drafts."""
    corridors = Corridors(terrain)
    for across in (0, 1):
        _center(drafts, corridors, across)
    for across in (0, 1):
        _separate(drafts, corridors, across)
    for across in (0, 1):
        _straighten(drafts, corridors, across)
        _separate(drafts, corridors, across)
    for across in (0, 1):
        _move(drafts, runs_off_borders(drafts, corridors, terrain, across), across)
    for draft in drafts:
        if draft.start is not None:
            draft.points = straightened(draft.points)


def resettle(drafts: Sequence[Draft], terrain: Terrain) -> None:
    """The same once more after a few drafts have gone elsewhere: all others lie well already."""
    corridors = Corridors(terrain)
    for across in (0, 1):
        _center(drafts, corridors, across)
    for across in (0, 1):
        _separate(drafts, corridors, across)
        _straighten(drafts, corridors, across)
    for draft in drafts:
        if draft.start is not None:
            draft.points = straightened(draft.points)


def _center(drafts: Sequence[Draft], corridors: Corridors, across: int) -> None:
    runs = (run for run in runs_along(drafts, across) if not drafts[run.draft].is_set)
    free = [run for run in runs if not run.anchored and run.turn_low * run.turn_high < 0]
    for run in free:
        corridors.limit(run, drafts[run.draft], across)
    places = [(run, corridors.middle(run, drafts[run.draft], across)) for run in free]
    _move(drafts, _levelled(places, drafts, across), across)


def _levelled(places: list[tuple[Run, float]], drafts: Sequence[Draft], across: int) -> list[tuple[Run, float]]:
    """The last turns of the edges that gather before one target, at one height where their limits allow it: as near to
    the target as the nearest of them, farther off where that makes room for the label on the trunk."""
    turns: dict[Fan, list[int]] = {}
    for number, (run, _) in enumerate(places):
        fan = drafts[run.draft].connection.fan
        if fan is not None and fan.gathers and run.index == len(drafts[run.draft].points) - 3:
            turns.setdefault(fan, []).append(number)
    wanted = _label_rooms(drafts, across) if turns else {}
    for fan, numbers in turns.items():
        rows = [places[number] for number in numbers]
        level = _level(rows, drafts[rows[0][0].draft].points[-1][across], wanted.get(fan, 0.0))
        for number, (run, position) in zip(numbers, rows, strict=True):
            places[number] = run, level if run.least <= level <= run.most else position
    return places


def _level(rows: Sequence[tuple[Run, float]], end: float, wanted: float) -> float:
    nearest = min((position for _, position in rows), key=lambda position: abs(position - end))
    farther = end + wanted * (1 if nearest > end else -1)
    is_open = all(run.least <= farther <= run.most for run, _ in rows)
    return farther if is_open and abs(nearest - end) < wanted else nearest


def _label_rooms(drafts: Sequence[Draft], across: int) -> dict[Fan, float]:
    """How long each trunk should be to carry the label that speaks for it."""
    connections = (draft.connection for draft in drafts if draft.connection.speaks)
    return {
        connection.fan: connection.label[across] + connection.tips[1] + LABEL_ROOM
        for connection in connections
        if connection.fan is not None
    }


def _separate(drafts: Sequence[Draft], corridors: Corridors, across: int) -> None:
    runs = runs_along(drafts, across)
    for members, pairs in _clusters(len(runs), list(near_pairs(runs))):
        if all(drafts[runs[number].draft].is_set for number in members):
            continue
        crowd = Crowd([runs[number] for number in members], pairs, drafts, across)
        if crowd.is_calm():
            continue
        for run in crowd.runs:
            if not drafts[run.draft].is_set:
                corridors.limit(run, drafts[run.draft], across)
        _move(drafts, crowd.places(), across)


def _straighten(drafts: Sequence[Draft], corridors: Corridors, across: int) -> None:
    """Take out small jogs: two runs that go the same way a few px apart become one where there is room."""
    for number, draft in enumerate(drafts):
        if draft.start is None or draft.is_set or len(draft.points) < 4:
            continue
        for run, following in pairwise(runs_of(number, draft.points, across)):
            is_jog = following.index == run.index + 2 and run.backward == following.backward
            if is_jog and abs(run.position - following.position) < JOG:
                _move(drafts, _in_line((run, following), draft, corridors, across), across)
        draft.points = straightened(draft.points)


def _in_line(runs: tuple[Run, Run], draft: Draft, corridors: Corridors, across: int) -> Places:
    """The shorter run on the line of the longer one, or else the longer on that of the shorter, or neither."""
    pair = sorted(runs, key=lambda run: run.high - run.low)
    for moved, kept in (pair, pair[::-1]):
        corridors.limit(moved, draft, across)
        if moved.least <= kept.position <= moved.most:
            return [(moved, kept.position)]
    return []


def near_pairs(runs: Sequence[Run]) -> Iterator[tuple[int, int]]:
    """Pairs of runs of different routes that lie near each other and overlap along."""
    shelves: dict[int, list[int]] = {}
    for number in sorted(range(len(runs)), key=lambda number: (runs[number].low, number)):
        shelves.setdefault(int(runs[number].position // NEAR), []).append(number)
    for shelf, numbers in shelves.items():
        following = shelves.get(shelf + 1, [])
        for place, number in enumerate(numbers):
            for others in (numbers[place + 1 :], following):
                yield from _overlapping(runs, number, others)


def _overlapping(runs: Sequence[Run], number: int, others: list[int]) -> Iterator[tuple[int, int]]:
    run = runs[number]
    found = 0
    for other in others:
        near = runs[other]
        if near.low > run.high + TOUCHING or found == NEIGHBOURS:
            return
        if near.high > run.low - TOUCHING and near.draft != run.draft and abs(near.position - run.position) < NEAR:
            found += 1
            yield number, other


def _clusters(count: int, pairs: list[tuple[int, int]]) -> list[tuple[list[int], list[tuple[int, int]]]]:
    """Runs that hang together: the members of each cluster and its pairs as places in the list of members."""
    leader = list(range(count))

    def find(number: int) -> int:
        while leader[number] != number:
            leader[number] = leader[leader[number]]
            number = leader[number]
        return number

    for a, b in pairs:
        ends = find(a), find(b)
        leader[max(ends)] = min(ends)
    members: dict[int, list[int]] = {}
    for number in sorted({number for pair in pairs for number in pair}):
        members.setdefault(find(number), []).append(number)
    place = {number: at for rows in members.values() for at, number in enumerate(rows)}
    inside: dict[int, list[tuple[int, int]]] = {first: [] for first in members}
    for a, b in pairs:
        inside[find(a)].append((place[a], place[b]))
    return [(rows, inside[first]) for first, rows in members.items()]


def _move(drafts: Sequence[Draft], places: Places, across: int) -> None:
    """Put runs at new coordinates; their neighbours follow."""
    for run, position in places:
        draft = drafts[run.draft]
        points = list(draft.points)
        for place in (run.index, run.index + 1):
            x, y = points[place]
            points[place] = Point(x, position) if across else Point(position, y)
        draft.points = tuple(points)
