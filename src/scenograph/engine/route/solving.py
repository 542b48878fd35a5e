"""The solver: from a routing problem to the course of every line.

Courses in `former` are taken unchanged, rims and labels included, unless a prescribed course is clear. The steps for
all other edges, each with its guarantee: courses (every edge has a course, clear if a clear course exists), untangling
(no edge costs more than before), regathering (no edge with an equal label runs apart where a common course costs less),
vertices (edges of one vertex part if a vertex is free), nudging (routes lie apart, in an order that adds no crossings;
edges without room leave their channel), softening and outlines (courses end on outlines), labels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

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
from scenograph.engine.route.courses.gathering import elect, gathered_paths, trunk_places
from scenograph.engine.route.courses.pathfinder import Pathfinder
from scenograph.engine.route.courses.rerouting import part_at_vertices, regather, untangle
from scenograph.engine.route.courses.routers import (
    DEFAULT_ROUTER,
    ROUTERS,
    Outlines,
    Tools,
    former_paths,
    prescribed_paths,
    soften,
)
from scenograph.engine.route.courses.terrain import grazes, survey, touches
from scenograph.engine.route.courses.traffic import RouteDraft
from scenograph.engine.route.labels import labelled, place_labels, short_trunks
from scenograph.engine.route.nudging import LEAST_NEIGHBOURS, NEIGHBOURS, Nudging, crowdings, is_dense, relieve
from scenograph.engine.route.problem import Connection, Course, Crowding, RoutingProblem, Solution
from scenograph.late_dataclasses import dataclass

CHORDS = 24  # straight pieces of an approximated curve
SHARPENED = 0.75  # px; finished corners have moved by up to half a px, onto sharp lines
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
    return finish(begin(problem))


def finish(work: BegunRouting) -> Solution:
    """The course of every edge, and the channels still too narrow. A problem can be finished once: its drafts move."""
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
    crowded = tuple(filter(is_dense, crowded))
    for number, draft in enumerate(drafts):
        if number not in work.fixed:
            soften(draft, tools)
        if number not in work.former:
            _finish(draft, tools.outlines)
    labelling = effort_for(LABELLING, count)
    courses = _courses(drafts, tools, _unmoved(drafts, problem.former), labelling)
    limited = {
        SEARCHING: tools.pathfinder.hurried,
        GOING_ROUND: tools.direct,
        UNTANGLING if untangling.is_spent else REROUTING: work.left,
        GATHERING: work.ungathered,
        NUDGING: _in(crowded) if nudging.left < once else (),
        LABELLING: [number for number, one in enumerate(courses) if one.label] if labelling.is_spent else (),
    }
    stages = {stage: tuple(numbers) for stage, numbers in limited.items() if numbers}
    return Solution(courses, crowded, stages, frozenset(work.former))


def _crowded(drafts: Sequence[RouteDraft], nudging: Effort, once: int) -> tuple[Crowding, ...]:
    """The crowded pairs, sampled more coarsely when the effort does not cover another nudging."""
    return tuple(crowdings(drafts, LEAST_NEIGHBOURS if nudging.left < once else NEIGHBOURS))


def begin(problem: RoutingProblem) -> BegunRouting:
    """Route, untangle, and nudge every edge; channels may still be crowded."""
    terrain, count = survey(problem), len(problem.lines)
    finder = Pathfinder(terrain, effort_for(SEARCHING, count))
    tools = Tools(terrain, Outlines(problem.boxes, problem.outlines), finder, effort_for(GOING_ROUND, count))
    prescribed = prescribed_paths(problem.lines, problem.prescribed, terrain)
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
    elect(drafts)
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
    drafts: Sequence[RouteDraft], tools: Tools, former: Mapping[int, Course], effort: Effort
) -> tuple[Course, ...]:
    elect(drafts)
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
        labels, lacks = place_labels(labelled(drafts), tools.terrain, effort, labels)
        lacks = {**lacks, **short_trunks(drafts)}
    places = trunk_places(drafts)
    return tuple(
        Course(
            draft.points,
            draft.router,
            labels.get(number),
            _grazes(draft, tools),
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


def _grazes(draft: RouteDraft, tools: Tools) -> bool:
    return grazes(draft.drawn(CHORDS), draft.connection.exempt, tools.terrain)
