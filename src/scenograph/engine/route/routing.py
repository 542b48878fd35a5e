"""The stage: from a placed scene, posed as a routing problem, to the route of every edge."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence, Set
from itertools import pairwise
from math import inf
from typing import TypeVar

from scenograph.diagnostics import Report
from scenograph.engine.costs import BEND, CROSSING, KEPT_CLEARANCE
from scenograph.engine.effort import report_limited
from scenograph.engine.families.catalog import family_named
from scenograph.engine.families.family import RouteRest
from scenograph.engine.families.hubs import hub_courses, shared_fans
from scenograph.engine.geometry.boxes import Box, Point, union
from scenograph.engine.geometry.directions import (
    SIDES,
)
from scenograph.engine.geometry.paths import Chain, length, quadratic
from scenograph.engine.geometry.spatial_index import Bounds, SpatialIndex, bounds_of, bounds_of_points, widened
from scenograph.engine.kernels.straight_lines import crossings_of, hull
from scenograph.engine.route.connecting import Surroundings, landscape, stands_outside
from scenograph.engine.route.courses.anchors import (
    Anchor,
    box_anchors,
)
from scenograph.engine.route.courses.pathfinder import past_label
from scenograph.engine.route.courses.terrain import report_grazed, touches
from scenograph.engine.route.fan_in import (
    FanIn,
    find_fan_in,
    plain_trunks,
    report_duplicate_labels,
    report_fan_in,
    row_fans,
)
from scenograph.engine.route.finishing import direction, finish_lines, with_end_labels
from scenograph.engine.route.labels import misplaced, report_misplaced
from scenograph.engine.route.nudging import report_crowded
from scenograph.engine.route.problem import (
    Connection,
    Course,
    RoutingProblem,
    Solution,
)
from scenograph.engine.route.sides import Sides, flow_axis, has_one_line_a_side, leads_inwards
from scenograph.engine.route.solving import BegunRouting, FinishedRouting, begin, finish, give_way
from scenograph.engine.shapes import chain_of, shape_named
from scenograph.engine.sketch import NO_SKETCH, Sketch, ends_at
from scenograph.engine.tables import CrampedLine, DrawnRoute, FinishedStyle, LineCost, Placement, Routes, Sizes, Styles
from scenograph.late_dataclasses import dataclass, replace
from scenograph.scene.memo import MadeOf
from scenograph.scene.model import Edge, Element, Endpoint, Node, Scene

# Former courses: the edges that keep their earlier routes. Rule R-KEEP-7.
#
# In: the edges of a scene, their surroundings, the sketch. Out: by edge its former course. A course holds while both
# ends stand unmoved, or have moved by the same step, the route may still end at the same points, nothing that is new or
# has moved otherwise, nor a writing or another kept course, obstructs the course, and every edge of its trunk stays as
# well. An edge with waypoints follows these, an edge with a clear prescribed course its notation. The solver keeps
# former courses unchanged, routes all remaining edges round them, and keeps their labels unless a new route comes to
# lie beneath.

SAME = 0.02  # px; a smaller difference is rounding
KEPT_LINES = 2048  # routes of the latest sketches, with their known valid ends
CHORDS = 12  # straight pieces of an approximated curve
MOST_STEPS = 4  # groups of elements moved alike, the largest first, whose lines move along


def former_courses(scene: Scene, edges: Sequence[Edge], around: Surroundings, sketch: Sketch) -> dict[str, Course]:
    """The courses that hold, by edge."""
    if not sketch.routes:
        return {}
    steps = _steps(around.placement.boxes, sketch.boxes)
    moved: dict[Point, list[Edge]] = {_STAYED: []}
    for edge in edges:
        step = steps.get(edge.source.element_id)
        if step is not None and edge.id in sketch.routes and step == steps.get(edge.target.element_id):
            moved.setdefault(step, []).append(edge)
    found: dict[str, Course] = {}
    drawn = _DrawnCourses()
    for step in sorted(moved, key=lambda step: (step != _STAYED, -len(moved[step])))[:MOST_STEPS]:
        news = _News(scene, around.placement, sketch, {one for one, own in steps.items() if own == step}, step)
        held: list[Course] = []
        for edge in moved[step]:
            route = sketch.routes[edge.id] if step is _STAYED else _moved(sketch.routes[edge.id], step)
            may_run = _is_asked(edge, route, sketch) and _may_end(edge, around, route.points)
            if may_run and not news.stands_in(route, edge.ends) and not drawn.are_near(route):
                course = found[edge.id] = Course(route.points, route.router, _label(around.size(edge), route))
                held.append(course)
        drawn.add(held)
    return _with_whole_fans(edges, around, found)


_STAYED = Point(0.0, 0.0)


def _steps(boxes: Mapping[str, Box], former: Mapping[str, Box]) -> dict[str, Point]:
    """How far each element of unchanged size has moved, px."""
    found: dict[str, Point] = {}
    for one, box in boxes.items():
        was = former.get(one)
        if box == was:
            found[one] = _STAYED
            continue
        if was is None or abs(box.width - was.width) > SAME or abs(box.height - was.height) > SAME:
            continue
        step = box.x - was.x, box.y - was.y
        is_moved = abs(step[0]) > SAME or abs(step[1]) > SAME
        found[one] = Point(round(step[0], 2), round(step[1], 2)) if is_moved else _STAYED
    return found


def _moved(route: DrawnRoute, step: Point) -> DrawnRoute:
    """A route and its label moved along with both ends."""
    points = tuple([Point(round(x + step.x, 2), round(y + step.y, 2)) for x, y in route.points])
    label = None if route.label is None else route.label.moved(*step)
    return DrawnRoute(points=points, router=route.router, label=label)


class _DrawnCourses:
    """The courses kept so far. A course moved along with both ends must not come near a kept course: no later step
    compares the two."""

    def __init__(self) -> None:
        self._index = SpatialIndex()
        self._waiting: list[Course] = []

    def add(self, courses: Iterable[Course]) -> None:
        """Add courses with their labels."""
        self._waiting += courses

    def are_near(self, route: DrawnRoute) -> bool:
        """Whether a route, or its label, crosses or nearly touches one of the courses."""
        for course in self._waiting:
            for a, b in pairwise(_chords(course)):
                self._index.add(bounds_of_points((a, b)))
            if course.label is not None:
                self._index.add(bounds_of(course.label))
        self._waiting = []
        if not self._index.bounds:
            return False
        points = _chords(route)
        left, top, right, bottom = widened(bounds_of_points(points), KEPT_CLEARANCE)
        near = [self._index.bounds[number] for number in self._index.near(left, top, right, bottom)]
        if near and touches(points, near, KEPT_CLEARANCE):
            return True
        return route.label is not None and bool(self._index.near(*bounds_of(route.label), most=1))


def _chords(route: DrawnRoute | Course) -> tuple[Point, ...]:
    """The corners of a route; of a curve, the corners of its chords."""
    points = route.points
    return quadratic(*points, CHORDS) if route.router == "curved" and len(points) == 3 else points


def _is_asked(edge: Edge, route: DrawnRoute, sketch: Sketch) -> bool:
    """Whether the authored router is unchanged; compares with the used router if the authored router is unknown."""
    if edge.id in sketch.routers:
        return sketch.routers[edge.id] == edge.router
    return edge.router is None or edge.router == route.router


def _may_end(edge: Edge, around: Surroundings, points: tuple[Point, ...]) -> bool:
    """Whether a route may end at the former points; cached with all inputs."""
    source, target = edge.ends
    given = edge, around.styles.get(edge.id), around.state(source), around.state(target)
    known = _FITS.get(points, given)
    return _FITS.put(points, given, _ends_fit(edge, around, points)) if known is None else known


def _ends_fit(edge: Edge, around: Surroundings, points: Sequence[Point]) -> bool:
    first, last = points[:2], points[:-3:-1]
    labels = around.outside_label(edge.source.element_id), around.outside_label(edge.target.element_id)
    if labels != (None, None):
        tips = around.tips(edge)
        if (tips[0] and _is_behind(labels[0], *first)) or (tips[1] and _is_behind(labels[1], *last)):
            return False
    source, target = edge.source, edge.target
    return _fits(source, target, around, *first) and _fits(target, source, around, *last)


def _is_behind(label: Box | None, end: Point, following: Point) -> bool:
    """Whether an end runs behind a label: a marker would stand in the text (R-LABEL-5)."""
    return past_label(end, following, label) != end


def _fits(own: Endpoint, other: Endpoint, around: Surroundings, end: Point, following: Point) -> bool:
    """Whether a route may end at `end`: at the box, on a side with an anchor, within the anchor's reach."""
    boxes, label = around.placement.boxes, around.outside_label(own.element_id)
    box = boxes[own.element_id]
    if not ends_at(box if label is None else union((box, label)) or box, end):
        return False
    dx, dy = following.x - end.x, following.y - end.y
    if abs(dx) > SAME and abs(dy) > SAME:
        return True
    way = ((dx > SAME) - (dx < -SAME), (dy > SAME) - (dy < -SAME))
    if leads_inwards(box, boxes[other.element_id]):
        way = -way[0], -way[1]
    along = end.x if way[0] == 0 else end.y
    return any(anchor[3:5] == way and _reaches(anchor, along) for anchor in _places(own, other, around))


def _places(own: Endpoint, other: Endpoint, around: Surroundings) -> Sequence[Anchor]:
    """The anchors of an end. A loop free to choose its sides turns round corners, hence gets the anchors of all
    sides."""
    anchors = around.anchors(own)
    if own.element_id != other.element_id or len(anchors) < len(SIDES):
        return anchors
    return box_anchors(around.placement.boxes[own.element_id])


def _reaches(anchor: Anchor, along: float) -> bool:
    """Whether a route may end at the coordinate of a side: within the anchor's room or reach."""
    return min(anchor.room_low, anchor.reach_low) - 1 <= along <= max(anchor.room_high, anchor.reach_high) + 1


def _label(size: tuple[float, float], route: DrawnRoute) -> Box | None:
    """The former box of a label of unchanged size."""
    box, (width, height) = route.label, size
    return box if box is not None and abs(box.width - width) <= SAME and abs(box.height - height) <= SAME else None


def _with_whole_fans(edges: Sequence[Edge], around: Surroundings, found: Mapping[str, Course]) -> dict[str, Course]:
    """The courses without edges whose trunk has an edge routed anew."""
    fans = {edge.id: around.fan(edge) for edge in edges}
    growing = {one for one, fan in around.shared_fans.items() if fan.grows}
    broken = {fan for one, fan in fans.items() if fan is not None and one not in found and one not in growing}
    return {one: course for one, course in found.items() if fans[one] not in broken}


def _writings(placement: Placement, element_id: str) -> Iterator[Box]:
    """The title of a frame, and the label of a node if outside the box."""
    parts = placement.parts.get(element_id, {})
    if "title" in parts:
        yield parts["title"]
    if "label" in parts and stands_outside(parts["label"], placement.boxes[element_id]):
        yield parts["label"]


_NOWHERE = Bounds(inf, inf, -inf, -inf)


class _News:
    """All that is new to the elements `alike`, which have moved by the same `step` since the sketch: the elements
    added, grown or moved otherwise, and the writings of all."""

    def __init__(self, scene: Scene, placement: Placement, sketch: Sketch, alike: Container[str], step: Point) -> None:
        self.owners: list[str] = []
        self.frames: list[tuple[str, Bounds]] = []
        self.boxes, self.former, self.step = placement.boxes, sketch.boxes, step
        self.held = {element.id: element.children for element in scene.containers}
        self._contents: dict[str, Set[str]] = {}
        self.writers: list[str] = []
        rooms, writings = list[Box](), list[Box]()
        for element_id, box in placement.boxes.items():
            if element_id in alike:
                found = [*_writings(placement, element_id)]
                self.writers += [element_id] * len(found)
                writings += found
                continue
            if element_id in self.held:
                self.frames.append((element_id, bounds_of(box)))
            found = [*([] if element_id in self.held else [box]), *placement.parts.get(element_id, {}).values()]
            self.owners += [element_id] * len(found)
            rooms += found
        self.index, self.writings = SpatialIndex(map(bounds_of, rooms)), SpatialIndex(map(bounds_of, writings))
        lefts, tops, rights, bottoms = zip(_NOWHERE, *self.index.bounds, strict=True)
        self.reach = Bounds(min(lefts), min(tops), max(rights), max(bottoms))

    def stands_in(self, route: DrawnRoute, ends: tuple[str, str]) -> bool:
        """Whether a new element obstructs a course or comes too near."""
        points = _chords(route)
        left, top, right, bottom = hull(points)
        gap, (first, upper, last, lower) = KEPT_CLEARANCE, self.reach
        if left - gap <= last and right + gap >= first and top - gap <= lower and bottom + gap >= upper:
            near = self.index.near(left - gap, top - gap, right + gap, bottom + gap)
            strangers = [self.index.bounds[number] for number in near if self.owners[number] not in ends]
            if strangers and touches(points, strangers, KEPT_CLEARANCE):
                return True
        # A title or a name may have stepped aside for another line.
        written = self.writings.near(left, top, right, bottom)
        others = [self.writings.bounds[number] for number in written if self.writers[number] not in ends]
        if others and touches(points, others, 0.0):
            return True
        return any(
            self._enters(points, frame, ends)
            for frame, (x0, y0, x1, y1) in self.frames
            if x0 <= right and x1 >= left and y0 <= bottom and y1 >= top
        )

    def _enters(self, points: Sequence[Point], frame: str, ends: tuple[str, str]) -> bool:
        """Whether a course runs through an unrelated frame, and did not before."""
        if not self._content(frame).isdisjoint(ends):
            return False
        former = self.former.get(frame)
        was = former is not None and touches(points, [bounds_of(former.moved(*self.step))], 0.0)
        return not was and touches(points, [bounds_of(self.boxes[frame])], 0.0)

    def _content(self, frame: str) -> Set[str]:
        """A frame with all its descendants."""
        found = self._contents.get(frame)
        if found is None:
            queue = {frame: None}
            for one in (rows := [frame]):
                rows += [child for child in self.held.get(one, ()) if child not in queue]
                queue.update(dict.fromkeys(self.held.get(one, ())))
            found = self._contents[frame] = queue.keys()
        return found


_FITS: MadeOf[bool] = MadeOf(KEPT_LINES)


# Posing: the conversion of a placed scene into a routing problem.
#
# In: scene, styles, sizes, placement, sketch. Out: the problem, the edge ids by number, and the edges that share a
# label. Families give the prescribed courses and the shared trunks, shapes give the outlines.


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Posed:
    """A problem, the edges by number, and the edges with shared labels."""

    problem: RoutingProblem
    edges: tuple[Edge, ...]
    fan_in: FanIn


def pose(scene: Scene, styles: Styles, sizes: Sizes, placement: Placement, sketch: Sketch = NO_SKETCH) -> Posed:
    """The routing problem of a placed scene, with the courses of the sketch that still hold."""
    family, land = family_named(scene.diagram_family), landscape(scene, placement)
    elements = {element.id: element for element in scene.elements}
    placed = [elements[name] for name in land.number_of]
    sides = Sides(elements, placement.boxes, flow_axis(scene, placement), _outgoing(scene))
    fan_in = find_fan_in(scene, styles.of) if family.merges_fan_in else FanIn()
    prescribed: Mapping[str, tuple[Point, ...]] = (family.lines or hub_courses)(scene, placement, sizes)
    fans = shared_fans(scene)
    around = Surroundings(
        elements=elements,
        placement=placement,
        land=land,
        sides=sides,
        sizes=sizes,
        styles=styles.of,
        fan_in=fan_in,
        shared_fans=fans if family.joins_fans else {one: fan for one, fan in fans.items() if one in prescribed},
        row_fans=row_fans(scene, styles.of),
        plain_trunks=plain_trunks(scene, styles.of),
    )
    edges = tuple(edge for edge in scene.edges if edge.visible and around.connects(edge))
    former = former_courses(scene, edges, around, sketch)
    standing = {fan.name for one, fan in around.shared_fans.items() if fan.grows and one in former}
    prescribed = {one: way for one, way in prescribed.items() if one not in fans or fans[one].name not in standing}
    free = {edge.id for edge in edges if not edge.waypoints and edge.id not in prescribed}
    problem = RoutingProblem(
        boxes=tuple(placement.boxes[element.id] for element in placed),
        outlines=tuple(_outline(element, placement.boxes[element.id], styles.of.get(element.id)) for element in placed),
        pointed=frozenset(
            number for number, element in enumerate(placed) if has_one_line_a_side(element, placement.boxes[element.id])
        ),
        obstacles=tuple(land.obstacles),
        borders=tuple(land.borders),
        lines=tuple(_lines(scene, edges, around, former.keys() & free)),
        prescribed=_by_number(prescribed, edges),
        former=_by_number(former, edges),
    )
    return Posed(problem, edges, fan_in)


def _lines(scene: Scene, edges: Sequence[Edge], around: Surroundings, former: Container[str]) -> Iterator[Connection]:
    """The connections of the routable edges."""
    parallels: dict[tuple[str, ...], list[str]] = {}
    places: dict[str, tuple[int, list[str]]] = {}
    for edge in scene.edges:
        if edge.visible:
            alike = parallels.setdefault(_pair(edge), [])
            places[edge.id] = len(alike), alike
            alike.append(edge.id)
    for number, edge in enumerate(edges):
        place, alike = places[edge.id]
        yield around.connect(edge, number, (place, len(alike)), is_kept=edge.id in former)


def _outgoing(scene: Scene) -> dict[str, list[Edge]]:
    """The visible edges by their source."""
    found: dict[str, list[Edge]] = {}
    for edge in scene.edges:
        if edge.visible:
            found.setdefault(edge.source.element_id, []).append(edge)
    return found


def _pair(edge: Edge) -> tuple[str, ...]:
    """The two elements of an edge, independent of its direction."""
    source, target = edge.ends
    return (source, target) if source <= target else (target, source)


def _outline(element: Element, box: Box, style: FinishedStyle | None) -> Chain | None:
    """The outline of a node or of a container with rounded corners; None for a plain box."""
    radius = style.corner_radius if style is not None else 0.0
    if not isinstance(element, Node) and not radius:
        return None
    shape = shape_named(element.shape if isinstance(element, Node) else None)
    return chain_of(shape, box.width, box.height, radius)


def _by_number(found: Mapping[str, T], edges: Sequence[Edge]) -> dict[int, T]:
    return {number: found[edge.id] for number, edge in enumerate(edges) if edge.id in found}


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


# The stage: from a placed scene to the way of every edge.
#
# In: scene, styles, sizes, placement. Out: `Routes`, one row an edge whose two ends have a place: the lines as they are
# drawn, on the rims of their elements. All coordinates are finite, the same input gives the same output, and nothing
# here raises. The scene is posed as a `RoutingProblem`, which is solved without it. Rules R-ROUTE-1, R-ROUTE-18.


def route(
    scene: Scene, styles: Styles, sizes: Sizes, placement: Placement, report: Report, *, sketch: Sketch = NO_SKETCH
) -> Routes:
    """Route every edge, nudge routes in shared channels and at shared sides, place the labels, and report routes
    without a clear course. Routes of the sketch that still hold stay as drawn (see `former`)."""
    return Routing(scene, styles, sizes, placement, sketch).routes(report)


class Routing:
    """The routing of one placement in three steps: courses, by which placements are compared; labelled routes, by which
    a placement is judged; and routes that give way to labels. Each step is taken once, and goes on from the former."""

    def __init__(self, scene: Scene, styles: Styles, sizes: Sizes, placement: Placement, sketch: Sketch) -> None:
        self.placement = placement
        self._scene, self._styles, self._sizes, self._sketch = scene, styles, sizes, sketch
        self._begun: tuple[Posed, BegunRouting] | None = None
        self._solved: tuple[Posed, FinishedRouting] | None = None
        self._labelled: tuple[Routes, Report] | None = None
        self._found: tuple[Routes, Report] | None = None

    def courses(self) -> Routes:
        """The lines of all edges, neither finished nor labelled; the routes if known already."""
        if self._labelled is not None:
            return self._labelled[0]

        def drawn(rest: Scene) -> Routes:
            posed, begun = self._begin(rest)
            courses = zip(posed.edges, begun.courses(), strict=True)
            return {edge.id: DrawnRoute(points=course.points, router=course.router) for edge, course in courses}

        return self._by_family(drawn)

    def labelled(self) -> Routes:
        """The finished routes with their labels, before lines give way to labels."""
        if self._labelled is None:
            remarks = Report()
            self._labelled = self._finished(remarks, lambda found: found.solution), remarks
        return self._labelled[0]

    def routes(self, report: Report) -> Routes:
        """The finished routes with their labels; adds the remarks of routing to the report."""
        if self._found is None:
            if self._labelled is not None and not false_labels(self._labelled[0]):
                self._found = self._labelled
            else:
                remarks = Report()
                self._found = self._finished(remarks, give_way), remarks
            self._solved = None
        report.extend(self._found[1].rows)
        return self._found[0]

    def _finished(self, report: Report, solved: Callable[[FinishedRouting], Solution]) -> Routes:
        report_duplicate_labels(self._scene, report)
        former = set[str]()

        def routed(rest: Scene) -> Routes:
            if self._solved is None:
                posed, begun = self._begin(rest)
                self._solved, self._begun = (posed, finish(begun)), None
            posed = self._solved[0]
            solution = solved(self._solved[1])
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


def false_labels(routes: Routes) -> int:
    """The number of labels that say something false: that stand on another edge's line, or nearer to it."""
    return sum(route.lack is not None and min(route.lack) == inf for route in routes.values())


def _along(sketch: Sketch, scene: Scene, rest: Scene) -> Sketch:
    """The sketch with the routes of all edges that a family turns round for routing turned round as well."""
    if rest is scene or not sketch.routes:
        return sketch
    drawn = {one.id: one.ends for one in scene.edges}
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
