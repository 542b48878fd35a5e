"""Spreading: routes that share a corridor or a side are moved apart, in an order that adds no crossings.

In: drafts and the terrain. Out: the same drafts with their runs moved. First every free run goes to the middle of its
corridor, then runs that lie too close are separated, axis by axis. Decisions: sections 9 and 14.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.route.corridors import Run, free_to_move, runs_along
from scenograph.engine.route.crowd import Crowd
from scenograph.engine.route.draft import Draft
from scenograph.engine.route.terrain import Terrain
from scenograph.engine.route.tidy import straightened

NEAR = 24.0  # runs this close across and overlapping along are kept in order
TOUCHING = 8.0  # spans that end this close to each other count as overlapping
PASSES = (0, 1, 0)  # upright runs, level runs, and once more what the second pass brought together

Places = Iterable[tuple[Run, float]]


def spread(drafts: Sequence[Draft], terrain: Terrain) -> None:
    """Move the runs of all orthogonal drafts."""
    for across in (0, 1):
        _center(drafts, terrain, across)
    for across in PASSES:
        _separate(drafts, terrain, across)
    for draft in drafts:
        if draft.start is not None:
            draft.points = straightened(draft.points)


def _center(drafts: Sequence[Draft], terrain: Terrain, across: int) -> None:
    free = [run for run in runs_along(drafts, across) if not run.anchored and run.turn_low * run.turn_high < 0]
    for run in free:
        free_to_move(run, drafts[run.draft], terrain, across)
    _move(drafts, [(run, run.wish) for run in free], across)


def _separate(drafts: Sequence[Draft], terrain: Terrain, across: int) -> None:
    runs = runs_along(drafts, across)
    for members, pairs in _clusters(len(runs), list(_near_pairs(runs))):
        crowd = Crowd([runs[number] for number in members], pairs, drafts, across)
        if crowd.is_calm():
            continue
        for run in crowd.runs:
            free_to_move(run, drafts[run.draft], terrain, across)
        _move(drafts, crowd.places(), across)


def _near_pairs(runs: Sequence[Run]) -> Iterator[tuple[int, int]]:
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
    for other in others:
        near = runs[other]
        if near.low > run.high + TOUCHING:
            return
        if near.high > run.low - TOUCHING and near.draft != run.draft and abs(near.position - run.position) < NEAR:
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
