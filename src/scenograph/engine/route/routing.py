"""The stage: from a placed scene to the way of every edge.

In: scene, styles, sizes, placement. Out: `Routes`, one row an edge whose two ends have a place: the lines as they
are drawn, on the rims of their elements. All coordinates are finite, the same input gives the same output, and nothing
here raises.
The scene is posed as a `RoutingProblem`, which is solved without it. Rules R-ROUTE-1, R-ROUTE-18.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from scenograph.diagnostics import Report
from scenograph.engine.costs import BEND, CROSSING
from scenograph.engine.effort import report_limited
from scenograph.engine.families.catalog import family_named
from scenograph.engine.families.family import RouteRest
from scenograph.engine.geometry.paths import length
from scenograph.engine.kernels.straight_lines import crossings_of
from scenograph.engine.route.courses.terrain import report_grazed
from scenograph.engine.route.fan_in import report_duplicate_labels, report_fan_in
from scenograph.engine.route.finishing import direction, finish_lines, with_end_labels
from scenograph.engine.route.labels import misplaced, report_misplaced
from scenograph.engine.route.nudging import report_crowded
from scenograph.engine.route.posing import Posed, pose
from scenograph.engine.route.problem import Solution
from scenograph.engine.route.solving import BegunRouting, begin, finish
from scenograph.engine.sketch import NO_SKETCH, Sketch
from scenograph.engine.tables import CrampedLine, DrawnRoute, LineCost, Placement, Routes, Sizes, Styles
from scenograph.late_dataclasses import replace
from scenograph.scene.model import Edge, Scene

# The total cost of a picture's lines, for comparing two placements.


UNAVOIDED = 2  # times the search's price of a crossing: a remaining crossing was worth more than a detour


def line_cost(routes: Routes, ends: Mapping[str, tuple[str, str]]) -> LineCost:
    """The total cost of all routes, and the `ends` of crossing edges; touching or shared segments do not count as
    crossings. A remaining crossing costs more than the detour around it: the router has judged the detour dearer."""
    lines = [[(a.x, a.y, b.x, b.y) for a, b in pairwise(route.points)] for route in routes.values()]
    px, crossings, crossed, names = 0.0, 0, set[str](), list(routes)
    for route in routes.values():
        px += length(route.points) + BEND * (len(route.points) - 2)
    for one, other, count in crossings_of(lines):
        crossings += count
        crossed |= {*ends[names[one]], *ends[names[other]]}
    cramped = tuple(
        CrampedLine(
            *ends[name],
            route.lack,
            direction(route.points[0], route.points[1]),
            direction(route.points[-1], route.points[-2]),
        )
        for name, route in routes.items()
        if route.lack is not None
    )
    return LineCost(px + UNAVOIDED * CROSSING * crossings, frozenset(crossed), crossings, cramped)


def route(
    scene: Scene, styles: Styles, sizes: Sizes, placement: Placement, report: Report, *, sketch: Sketch = NO_SKETCH
) -> Routes:
    """Route every edge, nudge routes in shared channels and at shared sides, place the labels, and report routes
    without a clear course. Routes of the sketch that still hold stay as drawn (see `former`)."""
    return Routing(scene, styles, sizes, placement, sketch).routes(report)


class Routing:
    """The routing of one placement in two steps: courses, by which placements are compared, then routes. Each step is
    taken once, and the second goes on from the first."""

    def __init__(self, scene: Scene, styles: Styles, sizes: Sizes, placement: Placement, sketch: Sketch) -> None:
        self.placement = placement
        self._scene, self._styles, self._sizes, self._sketch = scene, styles, sizes, sketch
        self._begun: tuple[Posed, BegunRouting] | None = None
        self._found: tuple[Routes, Report] | None = None

    def courses(self) -> Routes:
        """The lines of all edges, neither finished nor labelled; the routes where they are known already."""
        if self._found is not None:
            return self._found[0]

        def drawn(rest: Scene) -> Routes:
            posed, begun = self._begin(rest)
            courses = zip(posed.edges, begun.courses(), strict=True)
            return {edge.id: DrawnRoute(points=course.points, router=course.router) for edge, course in courses}

        return self._by_family(drawn)

    def routes(self, report: Report) -> Routes:
        """The finished routes with their labels; adds the remarks of routing to the report."""
        if self._found is None:
            remarks = Report()
            self._found = self._finished(remarks), remarks
            self._begun = None
        report.extend(self._found[1].rows)
        return self._found[0]

    def _finished(self, report: Report) -> Routes:
        report_duplicate_labels(self._scene, report)
        former = set[str]()

        def routed(rest: Scene) -> Routes:
            posed, begun = self._begin(rest)
            solution = finish(begun)
            former.update(posed.edges[number].id for number in solution.kept)
            return _routed(posed, solution, report)

        finished = finish_lines(self._scene, self._styles, self.placement, self._by_family(routed), former)
        return with_end_labels(self._scene, self._sizes, self.placement, finished)

    def _by_family(self, routed: RouteRest) -> Routes:
        family = family_named(self._scene.diagram_family)
        return routed(self._scene) if family.route is None else family.route(self._scene, self.placement, routed)

    def _begin(self, rest: Scene) -> tuple[Posed, BegunRouting]:
        if self._begun is None:
            sketch = _along(self._sketch, self._scene, rest)
            posed = pose(rest, self._styles, self._sizes, self.placement, sketch)
            self._begun = posed, begin(posed.problem)
        return self._begun


def _along(sketch: Sketch, scene: Scene, rest: Scene) -> Sketch:
    """The sketch with the routes of all edges that a family turns round for routing turned round as well."""
    if rest is scene or not sketch.routes:
        return sketch
    drawn = {one.id: one.ends for one in scene.elements if isinstance(one, Edge)}
    turned = {one.id for one in rest.elements if isinstance(one, Edge) and one.ends != drawn.get(one.id, one.ends)}
    routes = sketch.routes.items()
    return replace(
        sketch, routes={key: one._replace(points=one.points[::-1]) if key in turned else one for key, one in routes}
    )


def _routed(posed: Posed, solution: Solution, report: Report) -> Routes:
    names = [edge.id for edge in posed.edges]
    courses = dict(zip(names, solution.courses, strict=True))
    report_fan_in(posed.fan_in, report, lambda name: courses[name].place if name in courses else None)
    report_crowded(solution.crowdings, names, report)
    for stage, numbers in solution.limited.items():
        report_limited(stage, (names[number] for number in numbers), report)
    report_misplaced((names[number] for number in misplaced(solution.courses, posed.problem.lines)), report)
    report_grazed((name for name, course in courses.items() if course.grazes), report)
    return {
        name: DrawnRoute(course.points, course.router, course.label, lack=course.lack)
        for name, course in courses.items()
    }
