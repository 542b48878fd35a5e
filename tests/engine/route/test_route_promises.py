"""What every set of routes promises, on random placements: overlapping, nested, degenerate ones too."""

from __future__ import annotations

from itertools import pairwise
from math import isfinite
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from scenograph.diagnostics import Report
from scenograph.engine.geometry.boxes import Box, Point, union
from scenograph.engine.route.routing import route
from scenograph.engine.tables import DrawnRoute, Placement, Routes, Size, Styles
from scenograph.scene.model import Color, Edge, Element, Endpoint, Frame, Node, Scene, Waypoint

STYLES = Styles(theme="clean", background=Color(255, 255, 255), of={})
SHAPES = ("rect", "roundedRect", "ellipse", "diamond", "cylinder", "hexagon", "pill")
ROUTERS = (None, None, None, "orthogonal", "straight", "curved", "polyline")
RIGHT_ANGLED = (None, "orthogonal")
NEAR = 0.06  # what `contacts` promises for curved outlines


class Link(NamedTuple):
    """An edge between two nodes by number; -1 is the frame."""

    source: int
    target: int
    router: str | None
    label: tuple[float, float] | None
    waypoints: tuple[Waypoint, ...]


class Plan(NamedTuple):
    """A scene in short."""

    boxes: tuple[Box, ...]
    shape: str
    framed: tuple[int, ...]
    links: tuple[Link, ...]

    def told(self) -> str:
        """All of it on one line, to draw it again."""
        return f"{[tuple(box) for box in self.boxes]} {self.framed} {[tuple(link) for link in self.links]}"

    def placement(self) -> Placement:
        boxes = {f"n{number}": box for number, box in enumerate(self.boxes)}
        around = union([self.boxes[number] for number in self.framed])
        if around is not None:
            boxes["n-1"] = Box(around.x - 24, around.y - 48, around.width + 48, around.height + 72)
        return Placement(boxes=boxes)

    def scene(self) -> Scene:
        elements: list[Element] = [
            Node(id=f"n{number}", kind="node", shape=self.shape) for number in range(len(self.boxes))
        ]
        if self.framed:
            elements.append(Frame(id="n-1", kind="frame", children=tuple(f"n{number}" for number in self.framed)))
        for number, link in enumerate(self.links):
            elements.append(
                Edge(
                    id=f"e{number}",
                    kind="edge",
                    source=Endpoint(element_id=f"n{link.source}"),
                    target=Endpoint(element_id=f"n{link.target}"),
                    router=link.router,
                    waypoints=link.waypoints,
                    label="text" if link.label else None,
                )
            )
        return Scene(elements=tuple(elements))

    def routes(self, report: Report) -> Routes:
        sizes = {
            f"e{number}": Size(width=link.label[0], height=link.label[1])
            for number, link in enumerate(self.links)
            if link.label
        }
        return route(self.scene(), STYLES, sizes, self.placement(), report)


@st.composite
def scattered(draw: st.DrawFn) -> tuple[Box, ...]:
    grid = draw(st.sampled_from((1.0, 10.0, 37.5)))
    place, length = st.integers(-20, 100), st.integers(0, 16)
    rows = st.builds(lambda x, y, w, h: Box(x * grid, y * grid, w * 10.0, h * 6.0), place, place, length, length)
    return tuple(draw(st.lists(rows, min_size=2, max_size=25)))


@st.composite
def apart(draw: st.DrawFn) -> tuple[Box, ...]:
    """Boxes in cells of a grid: none overlaps another."""
    columns, rows = draw(st.integers(2, 6)), draw(st.integers(2, 4))
    width, height = draw(st.sampled_from((150.0, 200.0, 260.0))), draw(st.sampled_from((90.0, 140.0, 200.0)))
    shift = st.integers(0, 20)
    return tuple(
        Box(i * width + draw(shift), j * height + draw(shift), 96.0 + draw(shift), 48.0 + draw(shift) / 2)
        for j in range(rows)
        for i in range(columns)
    )


@st.composite
def plans(draw: st.DrawFn, placed: st.SearchStrategy[tuple[Box, ...]], routers: tuple[str | None, ...]) -> Plan:
    boxes = draw(placed)
    number = st.integers(0, len(boxes) - 1)
    framed = tuple(draw(st.lists(number, max_size=4, unique=True)))
    ends = st.integers(-1 if framed else 0, len(boxes) - 1)
    corner = st.builds(Waypoint, st.integers(-500, 500), st.integers(-500, 500))
    links = st.builds(
        Link,
        ends,
        ends,
        st.sampled_from(routers),
        st.sampled_from((None, (40.0, 16.0), (90.0, 32.0))),
        st.lists(corner, max_size=2).map(tuple),
    )
    return Plan(boxes, draw(st.sampled_from(SHAPES)), framed, tuple(draw(st.lists(links, min_size=1, max_size=30))))


def is_on_or_in(point: Point, box: Box) -> bool:
    grown = box.grown(NEAR)
    return grown.x <= point.x <= grown.right and grown.y <= point.y <= grown.bottom


def enters(drawn: DrawnRoute, box: Box) -> bool:
    inner = box.grown(-0.5)
    return any(
        min(a.x, b.x) < inner.right
        and max(a.x, b.x) > inner.x
        and min(a.y, b.y) < inner.bottom
        and max(a.y, b.y) > inner.y
        for a, b in pairwise(drawn.points)
    )


def strangers_entered(plan: Plan, routes: Routes) -> dict[str, list[int]]:
    """The nodes that orthogonal routes enter without being their ends, by edge."""
    found: dict[str, list[int]] = {}
    for number, link in enumerate(plan.links):
        drawn = routes[f"e{number}"]
        own = {link.source, link.target} | (set(plan.framed) if -1 in (link.source, link.target) else set())
        entered = [place for place, box in enumerate(plan.boxes) if place not in own and enters(drawn, box)]
        if entered and drawn.router == "orthogonal":
            found[f"e{number}"] = entered
    return found


@settings(deadline=None, max_examples=100)
@given(plans(scattered(), ROUTERS))
def test_every_edge_gets_finite_points_that_begin_and_end_at_its_elements(plan: Plan) -> None:
    routes, boxes = plan.routes(Report()), plan.placement().boxes
    assert list(routes) == [f"e{number}" for number in range(len(plan.links))]
    for number, link in enumerate(plan.links):
        points = routes[f"e{number}"].points
        assert len(points) >= 2
        assert all(isfinite(value) for point in points for value in point)
        assert is_on_or_in(points[0], boxes[f"n{link.source}"])
        assert is_on_or_in(points[-1], boxes[f"n{link.target}"])


@settings(deadline=None, max_examples=100)
@given(plans(scattered(), RIGHT_ANGLED))
def test_orthogonal_routes_are_axis_parallel_and_never_turn_back_on_themselves(plan: Plan) -> None:
    for drawn in plan.routes(Report()).values():
        if drawn.router != "orthogonal":
            continue
        steps = [(b.x - a.x, b.y - a.y) for a, b in pairwise(drawn.points)]
        assert all((dx == 0.0) != (dy == 0.0) for dx, dy in steps), plan.told()
        assert all(ax * bx + ay * by == 0.0 for (ax, ay), (bx, by) in pairwise(steps)), plan.told()


@settings(deadline=None, max_examples=100)
@given(plans(scattered(), RIGHT_ANGLED))
def test_no_route_enters_a_stranger_without_a_remark(plan: Plan) -> None:
    report = Report()
    entered = strangers_entered(plan, plan.routes(report))
    grazed = {name for row in report.rows if row.data for name in row.data.get("grazedEdgeIds", ())}
    assert set(entered) <= grazed, plan.told()


@settings(deadline=None, max_examples=40)
@given(plans(apart(), RIGHT_ANGLED))
def test_among_boxes_that_stand_apart_no_route_enters_one(plan: Plan) -> None:
    assert strangers_entered(plan, plan.routes(Report())) == {}, plan.told()


@settings(deadline=None, max_examples=40)
@given(plans(scattered(), ROUTERS))
def test_the_same_scene_gives_the_same_routes(plan: Plan) -> None:
    first, second = Report(), Report()
    assert plan.routes(first) == plan.routes(second)
    assert first.rows == second.rows
