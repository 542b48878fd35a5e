"""What `computed` says of a line is what the pen draws, to the hundredth of a pixel."""

from __future__ import annotations

import json
from itertools import pairwise
from math import hypot
from pathlib import Path

import pytest

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.paths import Move, quadratic
from scenograph.engine.pipeline import lay_out, normalize
from scenograph.engine.tables import DrawnRoute

SCENES = sorted((Path(__file__).parents[2] / "scenes").glob("*.json"))
WRITTEN = 0.01


def off(point: Point, a: Point, b: Point) -> float:
    dx, dy = b.x - a.x, b.y - a.y
    square = dx * dx + dy * dy
    share = min(1.0, max(0.0, ((point.x - a.x) * dx + (point.y - a.y) * dy) / square)) if square else 0.0
    return hypot(point.x - a.x - share * dx, point.y - a.y - share * dy)


def ends_of_strokes(route: DrawnRoute) -> list[Point]:
    starts = [place for place, segment in enumerate(route.line) if isinstance(segment, Move)]
    found: list[Point] = []
    for begin, end in pairwise([*starts, len(route.line)]):
        for segment in (route.line[begin], route.line[end - 1]):
            assert hasattr(segment, "to")
            found.append(segment.to)
    return found


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_strokes_begin_and_end_on_the_computed_path_and_markers_stand_at_its_ends(path: Path) -> None:
    document = json.loads(path.read_text(encoding="utf-8"))
    normalized, _ = normalize(document)
    for name, route in lay_out(document).scene.routes.items():
        said = normalized["computed"]["edgePaths"][name]
        corners = [said["points"][0], said["control"], said["points"][1]] if "control" in said else said["points"]
        written = [Point(at["x"], at["y"]) for at in corners]
        assert route.tips is not None
        assert all(hypot(a.x - b.x, a.y - b.y) <= WRITTEN for a, b in zip(route.points, written, strict=True))
        assert [tip.at for tip in route.tips] == [route.points[0], route.points[-1]]
        way = quadratic(*route.points, 400) if route.router == "curved" else route.points
        near = 0.1  # px; a label may begin within a round corner or on a chord of a curve
        for point in ends_of_strokes(route):
            assert min(off(point, a, b) for a, b in pairwise(way)) <= near, name


def test_a_line_that_leaves_a_round_symbol_beside_its_middle_begins_below_the_name() -> None:
    document = json.loads(next(path for path in SCENES if path.stem == "network-map").read_text(encoding="utf-8"))
    scene = lay_out(document).scene
    box, name = scene.placement.boxes["r"], scene.placement.parts["r"]["label"]
    leaving = [edge for edge in document["elements"] if edge["kind"] == "edge" and edge["from"]["elementId"] == "r"]
    routes = [scene.routes[edge["id"]] for edge in leaving]
    beside = [route for route in routes if route.points[0].y < box.bottom and route.points[0].x != box.center.x]
    assert beside
    assert all(point.y >= name.bottom for route in beside for point in ends_of_strokes(route))
