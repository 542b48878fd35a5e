"""Nudging: routes that share a corridor or a side are moved apart, in an order that adds no crossings.

In: drafts and the terrain. Out: the same drafts with their runs moved. Axis by axis every free run wishes for the
middle of its corridor, then runs, small jogs and borders that lie too close are separated at once. R-ROUTE-10,
R-ROUTE-11.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from scenograph.engine.disjoint_sets import DisjointSets
from scenograph.engine.effort import Effort
from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.spatial_index import Bounds, SpatialIndex
from scenograph.engine.kernels.near_runs import NearRuns
from scenograph.engine.route.courses.clearance import bounds_of_points
from scenograph.engine.route.courses.draft import Draft
from scenograph.engine.route.courses.terrain import Terrain
from scenograph.engine.route.courses.tidy import straightened
from scenograph.engine.route.nudging.corridors import Corridors
from scenograph.engine.route.nudging.runs import Run, runs_along
from scenograph.engine.route.nudging.settling import settle
from scenograph.engine.route.nudging.tracks import Crowd
from scenograph.engine.route.problem import Fan

NEAR = 24.0  # runs this close across and overlapping along are kept in order
TOUCHING = 8.0  # spans that end this close to each other count as overlapping
JOG = 24.0  # px; a shorter step in a line is taken out
LABEL_ROOM = 20.0  # beside a label on a trunk
NEIGHBOURS = 32  # a run minds no more than so many others: where there are more, no line can be told from the next
LEAST_NEIGHBOURS = 4  # runs, however many lines share the bound
LOOKS = 16  # for each of them
PASSES = 4  # of one nudging: two for each axis
ASIDE = 4 * NEAR  # lines that stay as they are and run farther off mind no line that moves

Place = tuple[Run, float]


def nudge(drafts: Sequence[Draft], terrain: Terrain, effort: Effort) -> None:
    """Move the runs of all orthogonal drafts: first to the middle of their corridors, then to where the axis moved last
    lets them. Where the effort does not reach for all pairs of neighbours, each run minds fewer of them, and once."""
    minded = _minded(drafts)
    if not minded:
        return
    corridors = Corridors(terrain)
    before, share = effort.left, effort.left // PASSES
    for is_first in (True, False):
        for across in (0, 1):
            runs = runs_along(drafts, across, minded)
            if is_first:
                _center(runs, drafts, corridors, across)
            pairs = near_pairs(runs)
            effort.spend(len(pairs))
            if len(pairs) > share:
                pairs = near_pairs(runs, max(LEAST_NEIGHBOURS, NEIGHBOURS * share // len(pairs)))
            for draft in _move(drafts, _places(runs, pairs, drafts, (corridors, across)), across):
                draft.points = straightened(draft.points)
        if 2 * effort.left < before:
            return


def _minded(drafts: Sequence[Draft]) -> list[int]:
    """The lines that may move, and those near them."""
    drawn = [number for number, draft in enumerate(drafts) if draft.start is not None]
    free = [number for number in drawn if not drafts[number].is_set]
    if len(free) in (0, len(drawn)):
        return free
    around = SpatialIndex(_around(drafts[number]) for number in free)
    return [number for number in drawn if around.near(*bounds_of_points(drafts[number].points), most=1)]


def _around(draft: Draft) -> Bounds:
    left, top, right, bottom = bounds_of_points(draft.points)
    return Bounds(left - ASIDE, top - ASIDE, right + ASIDE, bottom + ASIDE)


def _center(runs: Sequence[Run], drafts: Sequence[Draft], corridors: Corridors, across: int) -> None:
    """Let every free run wish for the middle of its corridor."""
    free = [run for run in runs if _is_free(run) and not drafts[run.draft].is_set]
    for run in free:
        corridors.limit(run, drafts[run.draft], across)
        run.wish = corridors.middle(run, drafts[run.draft], across)
    _level_trunks(free, drafts, across)


def _is_free(run: Run) -> bool:
    """Whether a run may lie anywhere between its neighbours."""
    return not run.anchored and run.turn_low * run.turn_high < 0


def _level_trunks(runs: Sequence[Run], drafts: Sequence[Draft], across: int) -> None:
    """The last turns of the edges that gather before one target, at one height where their limits allow it: as near to
    the target as the nearest of them, farther off where that makes room for the label on the trunk."""
    turns: dict[Fan, list[Run]] = {}
    for run in runs:
        fan = drafts[run.draft].connection.fan
        if fan is not None and fan.gathers and run.index == len(drafts[run.draft].points) - 3:
            turns.setdefault(fan, []).append(run)
    wanted = _label_rooms(drafts, across) if turns else {}
    for fan, rows in turns.items():
        level = _level(rows, drafts[rows[0].draft].points[-1][across], wanted.get(fan, 0.0))
        for run in rows:
            run.wish = level if run.least <= level <= run.most else run.wish


def _level(rows: Sequence[Run], end: float, wanted: float) -> float:
    nearest = min((run.wish for run in rows), key=lambda wish: abs(wish - end))
    farther = end + wanted * (1 if nearest > end else -1)
    is_open = all(run.least <= farther <= run.most for run in rows)
    return farther if is_open and abs(nearest - end) < wanted else nearest


def _label_rooms(drafts: Sequence[Draft], across: int) -> dict[Fan, float]:
    """How long each trunk should be to carry the label that speaks for it."""
    connections = (draft.connection for draft in drafts if draft.connection.speaks)
    return {
        connection.fan: connection.label[across] + connection.tips[1] + LABEL_ROOM
        for connection in connections
        if connection.fan is not None
    }


def _places(
    runs: Sequence[Run], near: Sequence[tuple[int, int]], drafts: Sequence[Draft], axis: tuple[Corridors, int]
) -> Iterator[Place]:
    """Where every run goes that does not lie well."""
    corridors, across = axis
    beside = [(a, b) for a, b in near if not _is_across(runs[a], runs[b], drafts)]
    pairs = [*beside, *_jogs(runs, drafts)]
    for members, inside in _clusters(len(runs), pairs):
        if _is_content(runs, members, corridors, across) or all(
            drafts[runs[number].draft].is_set for number in members
        ):
            continue
        crowd = Crowd([runs[number] for number in members], inside, drafts, across)
        if crowd.is_calm() and not any(corridors.borders(run, across) for run in crowd.runs):
            continue
        for run in crowd.runs:
            if not drafts[run.draft].is_set:
                corridors.limit(run, drafts[run.draft], across)
        ranked, positions = settle(*crowd.tracks([corridors.borders(run, across) for run in crowd.runs]))
        for track, position in zip(ranked, positions, strict=True):
            yield from ((run, position) for run in track.runs)


def _is_across(one: Run, other: Run, drafts: Sequence[Draft]) -> bool:
    """Whether an element that both end at lies between two runs: one comes, the other goes on from the far side."""
    if not (one.anchored and other.anchored) or min(one.high, other.high) > max(one.low, other.low):
        return False
    (a, b), (c, d) = (
        (draft.connection.source, draft.connection.target) for draft in (drafts[one.draft], drafts[other.draft])
    )
    return a in (c, d) or b in (c, d)


def _is_content(runs: Sequence[Run], members: Sequence[int], corridors: Corridors, across: int) -> bool:
    """Whether it is one run alone that lies where it wants, off all borders: most do."""
    run = runs[members[0]]
    return len(members) == 1 and run.wish == run.position and not corridors.borders(run, across)


def _jogs(runs: Sequence[Run], drafts: Sequence[Draft]) -> Iterator[tuple[int, int]]:
    """Two runs of a route that go the same way a few px apart: they become one where there is room."""
    for number, (run, following) in enumerate(pairwise(runs)):
        is_step = run.draft == following.draft and following.index == run.index + 2
        is_small = run.backward == following.backward and abs(run.wish - following.wish) < JOG
        if is_step and is_small and not drafts[run.draft].is_set:
            yield number, number + 1


def near_pairs(runs: Sequence[Run], most: int = NEIGHBOURS) -> list[tuple[int, int]]:
    """Pairs of runs of different routes that lie near each other and overlap along; of each run with at most `most` of
    those on its own shelf that begin after it, and of those on the next shelf."""
    rows = [(run.wish, run.low, run.high, run.draft) for run in runs]
    return NearRuns(rows, NEAR, TOUCHING).pairs(most, LOOKS * most)


def _clusters(count: int, pairs: list[tuple[int, int]]) -> list[tuple[list[int], list[tuple[int, int]]]]:
    """Runs that hang together: the members of each cluster and its pairs as places in the list of members."""
    sets = DisjointSets(count)
    for a, b in pairs:
        sets.join(a, b)
    members: dict[int, list[int]] = {}
    for number in range(count):
        members.setdefault(sets.find(number), []).append(number)
    place = {number: at for rows in members.values() for at, number in enumerate(rows)}
    inside: dict[int, list[tuple[int, int]]] = {first: [] for first in members}
    for a, b in pairs:
        inside[sets.find(a)].append((place[a], place[b]))
    return [(rows, inside[first]) for first, rows in members.items()]


def _move(drafts: Sequence[Draft], places: Iterable[Place], across: int) -> list[Draft]:
    """Put runs at new coordinates; their neighbours follow. Answers the drafts that changed."""
    moved: dict[int, list[Place]] = {}
    for run, position in places:
        if position != run.position:
            moved.setdefault(run.draft, []).append((run, position))
    for number, rows in moved.items():
        points = list(drafts[number].points)
        for run, position in rows:
            for place in (run.index, run.index + 1):
                x, y = points[place]
                points[place] = Point(x, position) if across else Point(position, y)
        drafts[number].points = tuple(points)
    return [drafts[number] for number in moved]
