"""The solver: from a routing problem to the course of every line.

Courses in `former` are taken unchanged, rims and labels included, unless a prescribed course is clear. The steps for
all other edges, each with its guarantee: courses (every edge has a course, clear if a clear course exists), untangling
(no edge costs more than before), regathering (no edge with an equal label runs apart where a common course costs less),
vertices (edges of one vertex part if a vertex is free), nudging (routes lie apart, in an order that adds no crossings;
edges without room leave their channel), softening and outlines (courses end on outlines), labels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from itertools import pairwise
from math import fsum, inf
from typing import NamedTuple

from scenograph.engine.costs import CROSSING, GRAZE, STRAIGHT, off_trunk
from scenograph.engine.effort import (
    GATHERING,
    GOING_ROUND,
    LABELLING,
    NUDGING,
    REROUTING,
    SEARCHING,
    UNTANGLING,
    Effort,
    effort_for,
)
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.spatial_index import SpatialIndex, bounds_of, bounds_of_points
from scenograph.engine.kernels.straight_lines import crossings_of
from scenograph.engine.route.courses.pathfinder import Pathfinder, RoutePath
from scenograph.engine.route.courses.rerouting import LEAST_GAP, part_at_vertices, regather, untangle
from scenograph.engine.route.courses.routers import (
    DEFAULT_ROUTER,
    ROUTERS,
    Outlines,
    Tools,
    former_paths,
    prescribed_paths,
    soften,
)
from scenograph.engine.route.courses.terrain import RouteDraft, Terrain, grazes, survey, touches, which_graze
from scenograph.engine.route.labels import labelled, place_labels, short_trunks
from scenograph.engine.route.nudging import (
    LEAST_NEIGHBOURS,
    NEIGHBOURS,
    Nudging,
    crowding_price,
    crowdings,
    is_dense,
    relieve,
)
from scenograph.engine.route.problem import (
    NO_LABEL,
    NOBODY,
    WRITING,
    Connection,
    Course,
    Crowding,
    Obstacle,
    RoutingProblem,
    Solution,
)
from scenograph.late_dataclasses import dataclass, replace

# Gathering: the edges of a fan-in enter their target at one anchor, over one trunk.
#
# In: the connections of a trunk, and the routing tools of the scene. Out: a path to the same anchor of the target for
# each connection; the trunk is the common part before the anchor. An edge stays out if only its own path is clear, and
# the diagnostic on bundled edges does not name it. Rule R-FAN-4.

TRIED_SIDES = 2  # sides of the target that a trunk is tried at
TRIED_EDGES = 8  # in larger crowds only the likeliest side is tried


def gathered_paths(
    connections: Sequence[Connection], terrain: Terrain, pathfinder: Pathfinder
) -> dict[int, RouteDraft]:
    """The drafts of all edges that share a trunk, by edge number."""
    crowds: dict[tuple[object, ...], list[Connection]] = {}
    for connection in connections:
        if connection.fan is not None and connection.fan.gathers:
            origin = () if _is_apart(connection) else (connection.source, _named_starts(connection))
            crowds.setdefault((connection.fan, *origin), []).append(connection)
    found: dict[int, RouteDraft] = {}
    for crowd in crowds.values():
        if len(crowd) > 1:
            drafts = _gathered(crowd, terrain, pathfinder)
            found.update(zip((connection.number for connection in crowd), drafts, strict=True))
    return found


def _trunk_places(drafts: Sequence[RouteDraft]) -> dict[int, tuple[str, float, float]]:
    """The side and place at which each gathered edge enters its target, by number. Edges of equal place share the
    segment before the anchor."""
    found: dict[int, tuple[str, float, float]] = {}
    for draft in drafts:
        fan, finish = draft.connection.fan, draft.finish
        if fan is not None and fan.gathers and finish is not None:
            x, y = draft.points[-1]
            side = finish.side if _is_apart(draft.connection) else f"{finish.side} of {draft.connection.source}"
            found[draft.connection.number] = side, round(x, 3), round(y, 3)
    return found


def _elect(drafts: Sequence[RouteDraft]) -> None:
    """Let one edge of each group show the label per trunk: the edge with the lowest id. It speaks for the whole trunk
    when no other group shares the trunk."""
    fans = {draft.connection.fan for draft in drafts if draft.connection.label_group is not None}
    if not fans:
        return
    places, found = _trunk_places(drafts), dict[tuple[object, ...], dict[int, list[RouteDraft]]]()
    for draft in drafts:
        connection = draft.connection
        number, group, place = connection.number, connection.label_group, places.get(connection.number)
        if connection.fan in fans:
            key = (connection.fan, place) if place is not None else (number,)
            found.setdefault(key, {}).setdefault(NOBODY - number if group is None else group[0], []).append(draft)
    for groups in found.values():
        for group in groups.values():
            first = min(group, key=lambda draft: draft.connection.label_group or (NOBODY, NOBODY))
            first.speaks = len(groups) == 1 < len(group)
            if first.connection.muted[0]:
                first.connection = first.connection._replace(label=first.connection.muted, muted=NO_LABEL)


def _is_apart(connection: Connection) -> bool:
    return not connection.source_box.overlaps(connection.target_box)


def _gathered(crowd: list[Connection], terrain: Terrain, pathfinder: Pathfinder) -> list[RouteDraft]:
    if len({(connection.source, _named_starts(connection)) for connection in crowd}) == 1:
        path = pathfinder.path(crowd[0])
        return [_draft_along(connection, path) for connection in crowd]
    tries = TRIED_SIDES if len(crowd) <= TRIED_EDGES else 1
    routed = [
        [(connection, pathfinder.path(connection)) for connection in _bound_for(crowd, side)]
        for side in _sides(crowd)[:tries]
    ]
    best = min(routed, key=lambda rows: fsum(_price(*row, terrain) for row in rows))
    return _within_room([_kept(own, *row, terrain, pathfinder) for own, row in zip(crowd, best, strict=True)])


class _Kept(NamedTuple):
    """A draft; for a draft outside the trunk by choice also the draft inside (`bound`), and the cost `saved` by staying
    outside, px."""

    draft: RouteDraft
    bound: RouteDraft | None = None
    saved: float = 0.0


def _within_room(rows: Sequence[_Kept]) -> list[RouteDraft]:
    """The drafts; on each side only as many stay outside the trunk as fit there, those with the greatest savings."""
    outside: dict[str, list[int]] = {}
    for number, row in enumerate(rows):
        if row.bound is not None and row.draft.finish is not None:
            outside.setdefault(row.draft.finish.side, []).append(number)
    back: set[int] = set()
    for numbers in outside.values():
        finish = rows[numbers[0]].draft.finish
        room = 0.0 if finish is None else finish.room_high - finish.room_low
        numbers.sort(key=lambda number: -rows[number].saved)
        back.update(numbers[int(room / LEAST_GAP) + 1 :])
    return [row.bound if number in back and row.bound else row.draft for number, row in enumerate(rows)]


def _named_starts(connection: Connection) -> frozenset[tuple[str, float, float]]:
    """The anchors at which the author lets an edge begin: edges of one source may leave different rows or ports."""
    return frozenset((anchor.side, anchor.x, anchor.y) for anchor in connection.starts)


def _kept(own: Connection, bound: Connection, path: RoutePath, terrain: Terrain, pathfinder: Pathfinder) -> _Kept:
    """The path to the trunk, unless only the edge's own path is clear, or the edge shows its own label and the trunk
    leads it round the target."""
    is_blocked, has_own_label = (
        grazes(path.points, bound.exempt, terrain),
        own.label[0] > 0.0 and own.label_group is None,
    )
    if not (is_blocked or (has_own_label and len(path.points) > STRAIGHT)):
        return _Kept(_draft_along(bound, path))
    free = own._replace(fan=None)
    alone = pathfinder.path(own)
    is_clear = not grazes(alone.points, own.exempt, terrain)
    winds = alone.finish.side != path.finish.side and path.cost > alone.cost + off_trunk(len(alone.points))
    if is_clear and (is_blocked or (has_own_label and winds)):
        draft = RouteDraft(free, alone.points, "orthogonal", alone.start, alone.finish, crowd=own.fan)
        return _Kept(draft) if is_blocked else _Kept(draft, _draft_along(bound, path, free), path.cost - alone.cost)
    return _Kept(_draft_along(bound, path, free if has_own_label else None))


def _draft_along(connection: Connection, path: RoutePath, alone: Connection | None = None) -> RouteDraft:
    bound = connection._replace(finishes=(path.finish.fixed(),))
    return RouteDraft(bound, path.points, "orthogonal", path.start, path.finish, alone=alone, crowd=connection.fan)


def _price(connection: Connection, path: RoutePath, terrain: Terrain) -> float:
    return path.cost + (GRAZE if grazes(path.points, connection.exempt, terrain) else 0.0)


def _bound_for(crowd: Sequence[Connection], side: str) -> list[Connection]:
    """The same connections with no choice at the target."""
    return [
        connection._replace(finishes=tuple(anchor.fixed() for anchor in connection.finishes if anchor.side == side))
        for connection in crowd
    ]


def _sides(crowd: Sequence[Connection]) -> list[str]:
    """The sides of the target, nearest to all sources first."""
    order = [anchor.side for anchor in crowd[0].finishes]
    reach = {side: fsum(_reach(connection, side) for connection in crowd) for side in order}
    return sorted(order, key=lambda side: reach[side])


def _reach(connection: Connection, side: str) -> float:
    """The least distance to the middle of a side, px, with the penalties of both sides."""
    return min(
        abs(start.x - finish.x) + abs(start.y - finish.y) + start.penalty + finish.penalty
        for start in connection.starts
        for finish in connection.finishes
        if finish.side == side
    )


CHORDS = 24  # straight pieces of an approximated curve
SHARPENED = 0.75  # px; finished corners have moved by up to half a px, onto sharp lines
GIVING_WAY = 1000  # lines routed again for labels, in all rounds; a scene of more is drawn as it is
RELIEFS = 3  # rounds of emptying crowded channels


@dataclass(slots=True)
class BegunRouting:
    """A problem with a course for every edge, nudged once: `former` drafts, all `fixed` drafts, the drafts of every
    edge; the finders of first and alternative paths; the effort left for untangling and nudging, and the edges that
    untangling and regathering left out."""

    problem: RoutingProblem
    tools: Tools
    other_ways: Pathfinder
    former: Mapping[int, RouteDraft]
    fixed: Mapping[int, RouteDraft]
    drafts: list[RouteDraft]
    channels: Nudging
    untangling: Effort
    nudging: Effort
    left: list[int]
    ungathered: list[int]

    def courses(self) -> list[Course]:
        """The course of every line from side to side as it is before crowded channels are emptied, without labels:
        enough to compare problems."""
        return [Course(draft.points, draft.router) for draft in self.drafts]


def solve(problem: RoutingProblem) -> Solution:
    """The course of every edge, and the channels still too narrow."""
    return give_way(finish(begin(problem)))


class FinishedRouting(NamedTuple):
    """A problem solved before lines give way to labels, the terrain of its labels, its drafts and crowded channels."""

    problem: RoutingProblem
    terrain: Terrain
    solution: Solution
    drafts: Sequence[RouteDraft]
    crowded: Sequence[Crowding]

    @property
    def price(self) -> float:
        """The price of crossings and crowded channels, px."""
        lines = [[(a.x, a.y, b.x, b.y) for a, b in pairwise(draft.drawn(CHORDS))] for draft in self.drafts]
        crossed = sum(count for *_, count in crossings_of(lines))
        return CROSSING * crossed + fsum(crowding_price([one]) for one in self.crowded)


def finish(work: BegunRouting) -> FinishedRouting:
    """The course of every edge, with labels where there is room. A problem can be finished once: its drafts move."""
    return _finished(work, work.tools.terrain)


def give_way(found: FinishedRouting) -> Solution:
    """The course of every edge, and the channels still too narrow. Lines give way to labels: where a label says
    something false, all is routed again round the label, in rounds, as long as fewer labels do (R-LABEL-2)."""
    problem, best, left = found.problem, found, GIVING_WAY
    while labels := {number: one.label for number, one in enumerate(best.solution.courses) if _is_false(one)}:
        left -= len(problem.lines)
        if left < 0:
            break
        problem = _round_labels(problem, labels)
        other = _finished(begin(problem), found.terrain)
        if not _is_truer(other, best):
            break
        best = other
    return best.solution


def _is_false(course: Course) -> bool:
    """Whether a label says something false."""
    return course.label is not None and course.lack is not None and min(course.lack) == inf


def _round_labels(problem: RoutingProblem, labels: Mapping[int, Box | None]) -> RoutingProblem:
    """The problem with labels as obstacles for the lines of all other edges, apart from those of one trunk."""
    first = len(problem.boxes)
    rooms = {number: box for number, box in labels.items() if box is not None}
    walls = [Obstacle(bounds_of(box), WRITING, first + number) for number, box in rooms.items()]
    fans = {number: problem.lines[number].fan for number in rooms}
    lines = [
        line._replace(
            exempt=line.exempt
            | {first + one for one, fan in fans.items() if one == line.number or (fan is not None and fan == line.fan)}
        )
        for line in problem.lines
    ]
    return replace(problem, obstacles=(*problem.obstacles, *walls), lines=tuple(lines))


def _is_truer(one: FinishedRouting, than: FinishedRouting) -> bool:
    """Whether fewer labels say something false, each worth a crossing at most, and no more lines graze a box."""
    courses, former = one.solution.courses, than.solution.courses
    saved = sum(map(_is_false, former)) - sum(map(_is_false, courses))
    grazed = sum(course.grazes for course in courses) - sum(course.grazes for course in former)
    return saved > 0 >= grazed and one.price - than.price <= CROSSING * saved


def _finished(work: BegunRouting, terrain: Terrain) -> FinishedRouting:
    """The solution of a problem; labels stand on `terrain`."""
    problem, count = work.problem, len(work.problem.lines)
    tools, drafts, channels, untangling, nudging = work.tools, work.drafts, work.channels, work.untangling, work.nudging
    once = effort_for(NUDGING, count).left - nudging.left
    crowded = _crowded(drafts, nudging, once)
    for _ in range(RELIEFS):
        gone = relieve(drafts, crowded, work.other_ways, untangling) if nudging.left >= once else ()
        if not gone:
            break
        channels.run(nudging, gone)
        crowded = _crowded(drafts, nudging, once)
    dense = tuple(filter(is_dense, crowded))
    for number, draft in enumerate(drafts):
        if number not in work.fixed:
            soften(draft, tools)
        if number not in work.former:
            _finish(draft, tools.outlines)
    labelling = effort_for(LABELLING, count)
    courses = _courses(drafts, terrain, _unmoved(drafts, problem.former), labelling)
    limited = {
        SEARCHING: tools.pathfinder.hurried,
        GOING_ROUND: tools.direct,
        UNTANGLING if untangling.is_spent else REROUTING: work.left,
        GATHERING: work.ungathered,
        NUDGING: _in(dense) if nudging.left < once else (),
        LABELLING: [number for number, one in enumerate(courses) if one.label] if labelling.is_spent else (),
    }
    stages = {stage: tuple(numbers) for stage, numbers in limited.items() if numbers}
    solution = Solution(courses, dense, stages, frozenset(work.former))
    return FinishedRouting(problem, terrain, solution, drafts, crowded)


def _crowded(drafts: Sequence[RouteDraft], nudging: Effort, once: int) -> tuple[Crowding, ...]:
    """The crowded pairs, sampled more coarsely when the effort does not cover another nudging."""
    return tuple(crowdings(drafts, LEAST_NEIGHBOURS if nudging.left < once else NEIGHBOURS))


def _apart(problem: RoutingProblem, hidden: Set[int]) -> RoutingProblem:
    """The problem without the whole fans of lines whose prescribed courses are hidden."""
    torn = {line.fan for line in problem.lines if line.number in hidden and line.fan is not None and line.fan.whole}
    if not torn:
        return problem
    return replace(
        problem, lines=tuple(line._replace(fan=None) if line.fan in torn else line for line in problem.lines)
    )


def begin(problem: RoutingProblem) -> BegunRouting:
    """Route, untangle, and nudge every edge; channels may still be crowded."""
    terrain, count = survey(problem), len(problem.lines)
    finder = Pathfinder(terrain, effort_for(SEARCHING, count))
    outlines = Outlines(problem.boxes, problem.outlines)
    tools = Tools(terrain, outlines, finder, effort_for(GOING_ROUND, count), problem.pointed)
    prescribed = prescribed_paths(problem.lines, problem.prescribed, terrain)
    problem = _apart(problem, problem.prescribed.keys() - prescribed.keys())
    kept = {
        number: course
        for number, course in problem.former.items()
        if number not in prescribed and not problem.lines[number].waypoints
    }
    former = former_paths(problem.lines, kept)
    fixed = gathered_paths([line for line in problem.lines if line.number not in former], terrain, finder)
    fixed |= prescribed | former
    drafts = [fixed.get(number) or _draft(line, tools) for number, line in enumerate(problem.lines)]
    other_ways, untangling = Pathfinder(terrain, effort_for(REROUTING, count)), effort_for(UNTANGLING, count)
    left = untangle(drafts, other_ways, untangling)
    gathering = effort_for(GATHERING, count)
    ungathered = regather(drafts, Pathfinder(terrain, gathering), gathering)
    _elect(drafts)
    part_at_vertices(drafts, finder, problem.pointed)
    channels, nudging = Nudging(drafts, terrain), effort_for(NUDGING, count)
    channels.run(nudging)
    return BegunRouting(
        problem, tools, other_ways, former, fixed, drafts, channels, untangling, nudging, left, ungathered
    )


def _in(crowded: Sequence[Crowding]) -> list[int]:
    """The lines of all crowds."""
    return sorted({number for one in crowded for number in (one.one, one.other)})


def _unmoved(drafts: Sequence[RouteDraft], former: Mapping[int, Course]) -> dict[int, Course]:
    """The former courses still drawn: kept, or drawn anew along the same line."""
    return {number: course for number, course in former.items() if _is_along(drafts[number].points, course.points)}


def _is_along(points: Sequence[Point], former: Sequence[Point]) -> bool:
    """Whether two orthogonal routes have the same corners, and differ at most in the reach of their ends."""
    if points == former or len(points) != len(former):
        return points == former
    level = [(abs(a.x - b.x) <= SHARPENED, abs(a.y - b.y) <= SHARPENED) for a, b in zip(points, former, strict=True)]
    return all(map(all, level[1:-1])) and any(level[0]) and any(level[-1])


def _courses(
    drafts: Sequence[RouteDraft], terrain: Terrain, former: Mapping[int, Course], effort: Effort
) -> tuple[Course, ...]:
    _elect(drafts)
    lacks: Mapping[int, Point] = {}
    labels = {
        number: course.label
        for number, course in former.items()
        if course.label is not None and drafts[number].connection.label[0]
    }
    if labels:
        labels = _uncrossed(
            labels, [draft.drawn(CHORDS) for number, draft in enumerate(drafts) if number not in former]
        )
    if any(draft.connection.label[0] and number not in labels for number, draft in enumerate(drafts)):
        labels, lacks = place_labels(labelled(drafts), terrain, effort, labels)
        lacks = {**lacks, **short_trunks(drafts)}
    places = _trunk_places(drafts)
    grazing = which_graze(
        [draft.drawn(CHORDS) for draft in drafts], [draft.connection.exempt for draft in drafts], terrain
    )
    return tuple(
        Course(
            draft.points,
            draft.router,
            labels.get(number),
            grazing[number],
            places.get(number),
            lacks.get(number),
        )
        for number, draft in enumerate(drafts)
    )


def _uncrossed(labels: Mapping[int, Box], others: Sequence[Sequence[Point]]) -> dict[int, Box]:
    """The labels clear of all other routes."""
    pieces = [piece for points in others for piece in pairwise(points)]
    index = SpatialIndex(map(bounds_of_points, pieces))

    def is_free(box: Box) -> bool:
        bounds = bounds_of(box)
        return not any(touches(pieces[number], [bounds], 0.0) for number in index.near(*bounds))

    return {number: box for number, box in labels.items() if is_free(box)}


def _draft(connection: Connection, tools: Tools) -> RouteDraft:
    router = ROUTERS.get(connection.router or DEFAULT_ROUTER, ROUTERS[DEFAULT_ROUTER])
    return router(connection, tools)


def _finish(draft: RouteDraft, outlines: Outlines) -> None:
    """Bring the ends of an orthogonal route from the sides of the boxes onto the outlines of the shapes."""
    if draft.start is None or draft.finish is None:
        return
    first = outlines.at_side(draft.connection.source, draft.start, draft.points[0])
    last = outlines.at_side(draft.connection.target, draft.finish, draft.points[-1])
    points = [first, *draft.points[1:-1], last]
    # The outline may hold an end back by a rounding error: its neighbour follows, to keep the segment straight.
    points[1] = Point(first.x, points[1].y) if draft.start.dx == 0 else Point(points[1].x, first.y)
    if len(points) > 2:
        points[-2] = Point(last.x, points[-2].y) if draft.finish.dx == 0 else Point(points[-2].x, last.y)
    draft.points = tuple(points)
