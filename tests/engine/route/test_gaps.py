"""Lines with gaps."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import Cubic, Line, Move, Quadratic, flatten, polyline
from scenograph.engine.pipeline import lay_out
from scenograph.engine.route.finishing import outside

BOX = Box(40, -10, 20, 20)


def test_a_line_through_the_box_becomes_two() -> None:
    path = outside(polyline((Point(0, 0), Point(100, 0))), BOX)
    assert path == (Move(Point(0, 0)), Line(Point(40, 0)), Move(Point(60, 0)), Line(Point(100, 0)))


def test_a_line_beside_the_box_stays_as_it_is() -> None:
    path = (Move(Point(0, 20)), Line(Point(50, 20)), Quadratic(Point(60, 20), Point(60, 30)), Line(Point(60, 90)))
    assert outside(path, BOX) == path


def test_a_line_inside_the_box_is_gone() -> None:
    assert outside(polyline((Point(45, 0), Point(55, 5))), BOX) == ()


def test_a_line_that_ends_inside_loses_its_end() -> None:
    assert outside(polyline((Point(0, 0), Point(50, 0))), BOX) == (Move(Point(0, 0)), Line(Point(40, 0)))


def test_a_corner_inside_the_box_leaves_both_arms() -> None:
    path = outside(polyline((Point(0, 0), Point(50, 0), Point(50, 80))), BOX)
    assert path == (Move(Point(0, 0)), Line(Point(40, 0)), Move(Point(50, 10)), Line(Point(50, 80)))


TITLE = "A title that is as wide as its frame and leaves no way"


@pytest.mark.parametrize("router", ["straight", "curved"])
def test_a_line_that_finds_no_way_past_the_title_of_a_frame_has_a_gap_behind_its_letters(router: str) -> None:
    elements = [
        {"id": "out", "kind": "node", "label": "out"},
        {"id": "in", "kind": "node", "label": "in"},
        {"id": "f", "kind": "frame", "title": TITLE, "children": ["in"]},
        {"id": "e", "kind": "edge", "from": {"elementId": "out"}, "to": {"elementId": "in"}, "router": router},
    ]
    scene = {"id": "s", "units": "px", "canvas": {}}
    strategy = {"algorithm": "hierarchical", "direction": "TB"}
    document = {"schemaVersion": "0.1", "layoutStrategy": strategy, "scene": scene, "elements": elements}
    laid = lay_out({**document, "diagramFamily": "architecture"}).scene
    title, route = laid.placement.part("f", "title"), laid.routes["e"]
    assert title is not None
    above, below = flatten(route.line)
    assert above[-1][1] <= title.y
    assert below[0][1] >= title.bottom
    assert above[0] == route.points[0]


places = st.builds(Point, st.integers(0, 100).map(float), st.integers(-50, 50).map(float))
curves = st.one_of(
    st.builds(Line, places), st.builds(Quadratic, places, places), st.builds(Cubic, places, places, places)
)


@settings(deadline=None)
@given(places, st.lists(curves, min_size=1, max_size=6))
def test_what_is_left_lies_outside_and_is_no_longer_than_before(start: Point, segments: list) -> None:
    path = (Move(start), *segments)
    inner = BOX.grown(-0.01)
    before = length(path)
    after = outside(path, BOX)
    assert length(after) <= before + 0.01
    for chain in flatten(after):
        for a, b in pairwise(chain):
            for share in (0.0, 0.25, 0.5, 0.75, 1.0):
                x, y = a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share
                assert not (inner.x < x < inner.right and inner.y < y < inner.bottom)


def length(path) -> float:
    """The length of a path, flattened."""
    return sum(((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) ** 0.5 for chain in flatten(path) for a, b in pairwise(chain))
