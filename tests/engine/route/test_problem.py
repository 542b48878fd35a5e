"""The routing problem stands for itself: what is solved does not know the scene."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scenograph.diagnostics import Report
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.geometry.directions import SIDES
from scenograph.engine.measure import measure
from scenograph.engine.place.placing import place
from scenograph.engine.resolve import resolve
from scenograph.engine.route.courses.anchors import box_anchor
from scenograph.engine.route.problem import Connection, RoutingProblem, problem_from_json, problem_to_json
from scenograph.engine.route.routing import Routing, pose
from scenograph.engine.route.solving import solve
from scenograph.engine.sketch import NO_SKETCH
from scenograph.engine.style import finish_styles
from scenograph.engine.themes import choose_theme
from scenograph.scene.reading import read_scene

SCENES = Path(__file__).parents[2] / "scenes"


def problem_of(name: str) -> RoutingProblem:
    document = json.loads((SCENES / f"{name}.json").read_text(encoding="utf-8"))
    report = Report()
    scene = resolve(read_scene(document, report), report)
    styles = finish_styles(scene, choose_theme(None, scene))
    sizes = measure(scene, styles, report)
    return pose(scene, styles, sizes, place(scene, sizes, report)).problem


@pytest.mark.parametrize("name", ["nested-frames", "crows-feet", "pools-and-lanes", "routers", "org-cards"])
def test_a_problem_comes_back_from_json_the_same_and_is_solved_the_same(name: str) -> None:
    problem = problem_of(name)
    read = problem_from_json(json.loads(json.dumps(problem_to_json(problem), allow_nan=False)))
    assert problem.lines
    assert read == problem
    assert solve(read) == solve(problem)


def test_a_problem_without_a_scene_is_solved() -> None:
    boxes = (Box(0, 0, 80, 40), Box(200, 100, 80, 40))
    ports = [tuple(box_anchor(box, side) for side in SIDES) for box in boxes]
    line = Connection(0, 0, 1, *boxes, ports[0], ports[1], frozenset({0, 1}))
    (course,) = solve(RoutingProblem(boxes=boxes, outlines=(None, None), lines=(line,))).courses
    assert len(course.points) == 3
    assert course.router == "orthogonal"
    assert not course.grazes


def routings(name: str) -> tuple[Routing, Routing]:
    """Two routings of the same placed scene."""
    document = json.loads((SCENES / f"{name}.json").read_text(encoding="utf-8"))
    report = Report()
    scene = resolve(read_scene(document, report), report)
    styles = finish_styles(scene, choose_theme(None, scene))
    sizes = measure(scene, styles, report)
    placement = place(scene, sizes, report)
    one, other = (Routing(scene, styles, sizes, placement, NO_SKETCH) for _ in range(2))
    return one, other


@pytest.mark.parametrize("name", ["nested-frames", "crows-feet", "pools-and-lanes", "routers", "org-cards"])
def test_routes_go_on_from_courses_that_were_asked_for_before(name: str) -> None:
    one, other = routings(name)
    courses, before, after = one.courses(), Report(), Report()
    assert one.routes(before) == other.routes(after)
    assert before.rows == after.rows
    assert courses.keys() == one.routes(Report()).keys()
    assert all(course.label is None for course in courses.values())
