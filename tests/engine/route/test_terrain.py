"""What stands in the way: frames hide what they cover from those who may not pass them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenograph.engine.effort import REROUTING, SEARCHING, Effort, effort_for
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import crosses
from scenograph.engine.geometry.spatial_index import Bounds, SpatialIndex
from scenograph.engine.route.courses import pathfinder
from scenograph.engine.route.courses.anchors import Anchor, box_anchor
from scenograph.engine.route.courses.pathfinder import AFIELD, MANY, MARGINS, Pathfinder, RoutePath, SearchSpace, search
from scenograph.engine.route.courses.terrain import LEVELS, NO_TRAFFIC, Level, Terrain, Traffic, enters, touches
from scenograph.engine.route.courses.terrain import TOUCHING as CLOSE
from scenograph.engine.route.problem import FRAME, NODE, PLAQUE, Connection, Obstacle

EVERYWHERE = Bounds(-1000.0, -1000.0, 1000.0, 1000.0)
OUTER, INNER = Bounds(0.0, 0.0, 400.0, 300.0), Bounds(50.0, 50.0, 350.0, 250.0)
NODE_BOX, STRANGER = Bounds(100.0, 100.0, 200.0, 150.0), Bounds(500.0, 0.0, 600.0, 50.0)
NODE_NUMBER, INNER_NUMBER, OUTER_NUMBER, STRANGER_NUMBER = range(4)
TOUCHING = Level(0.0, 0.0, 0.0, 0.0, 0.0)
PASSING = LEVELS[3]  # frames do not count


def terrain(*obstacles: Obstacle) -> Terrain:
    return Terrain(obstacles, SpatialIndex(one.bounds for one in obstacles))


NESTED = terrain(
    Obstacle(NODE_BOX, NODE, NODE_NUMBER),
    Obstacle(INNER, FRAME, INNER_NUMBER),
    Obstacle(OUTER, FRAME, OUTER_NUMBER),
    Obstacle(STRANGER, NODE, STRANGER_NUMBER),
)


def around(ground: Terrain, *exempt: int) -> list[Bounds]:
    return sorted(ground.around(EVERYWHERE, frozenset(exempt), TOUCHING))


def test_a_frame_that_may_not_be_passed_hides_what_it_covers() -> None:
    assert around(NESTED) == [OUTER, STRANGER]


def test_who_may_pass_a_frame_sees_what_stands_in_it() -> None:
    assert around(NESTED, OUTER_NUMBER) == [INNER, STRANGER]
    assert around(NESTED, OUTER_NUMBER, INNER_NUMBER) == [NODE_BOX, STRANGER]


def test_of_two_frames_on_one_place_one_remains() -> None:
    twins = terrain(Obstacle(OUTER, FRAME, 1), Obstacle(OUTER, FRAME, 2))
    assert around(twins) == around(twins, 1) == around(twins, 2) == [OUTER]


def test_frames_that_a_level_lets_pass_hide_nothing() -> None:
    left, top, right, bottom = NODE_BOX
    by = PASSING.node or 0.0
    found = NESTED.around(EVERYWHERE, frozenset({STRANGER_NUMBER}), PASSING)
    assert found == [Bounds(left - by, top - by, right + by, bottom + by)]


number = st.integers(-900, 900).map(float)
length = st.integers(1, 300).map(float)
lines = st.lists(st.builds(Point, number, number), min_size=2, max_size=12)
places = st.tuples(number, number, length, length).map(
    lambda row: Bounds(row[0], row[1], row[0] + row[2], row[1] + row[3])
)


@given(lines, st.lists(places, max_size=12))
def test_a_line_looked_at_in_parts_enters_what_the_whole_line_enters(points: list[Point], boxes: list[Bounds]) -> None:
    ground = terrain(*(Obstacle(box, PLAQUE, number) for number, box in enumerate(boxes)))
    by = CLOSE.plaque or 0.0
    grown = [Bounds(left - by, top - by, right + by, bottom + by) for left, top, right, bottom in boxes]
    assert enters(points, frozenset(), ground) == any(crosses(a, b, box) for a, b in pairwise(points) for box in grown)


def how_far(boxes: int) -> float:
    """How far above its ends another way for a line is looked for where so many boxes stand there."""
    source, target = Box(0.0, 0.0, 100.0, 40.0), Box(600.0, 0.0, 100.0, 40.0)
    ends = (box_anchor(source, "right"),), (box_anchor(target, "left"),)
    strangers = [Bounds(x, -400.0, x + 4.0, -380.0) for x in (8.0 * number for number in range(boxes))]
    asked: list[Bounds] = []

    def traffic(region: Bounds) -> Traffic:
        asked.append(region)
        return NO_TRAFFIC

    ground = terrain(*[Obstacle(bounds, NODE, 2 + number) for number, bounds in enumerate(strangers)])
    finder = Pathfinder(ground, effort_for(REROUTING, 1))
    finder.detour(Connection(0, 0, 1, source, target, *ends, frozenset({0, 1})), traffic, 5000.0)
    return -asked[0].top


def test_another_way_is_looked_for_less_far_around_where_much_stands() -> None:
    far, near = AFIELD
    assert how_far(MANY) - how_far(MANY + 1) == far - near


def test_a_wider_region_is_searched_no_farther_than_a_cheaper_path_could_lead(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two walls that overlap let a winding way through at once. A way round one of them would be far longer."""
    regions, found = list[Bounds](), list[RoutePath]()

    def noted(
        starts: Sequence[Anchor], finishes: Sequence[Anchor], part: SearchSpace, effort: Effort
    ) -> RoutePath | None:
        regions.append(part.region)
        path = search(starts, finishes, part, effort)
        found.extend([path] if path else [])
        return path

    monkeypatch.setattr(pathfinder, "search", noted)
    source, target = Box(0.0, 0.0, 100.0, 40.0), Box(600.0, 0.0, 100.0, 40.0)
    ends = (box_anchor(source, "right"),), (box_anchor(target, "left"),)
    walls = Bounds(250.0, -3000.0, 290.0, 100.0), Bounds(410.0, -60.0, 450.0, 3000.0)
    ground = terrain(*[Obstacle(wall, NODE, 2 + number) for number, wall in enumerate(walls)])
    path = Pathfinder(ground, effort_for(SEARCHING, 1)).path(
        Connection(0, 0, 1, source, target, *ends, frozenset({0, 1}))
    )
    spare = (path.cost - (target.x - source.right)) / 2
    assert path == found[0] == found[1]
    assert [regions[0].left - region.left for region in regions] == [0.0, spare - MARGINS[0]]
    assert MARGINS[0] < spare < MARGINS[1]


def test_a_line_comes_near_a_box_whichever_way_it_runs() -> None:
    box, beside = Bounds(40.0, -10.0, 60.0, 10.0), Bounds(40.0, 30.0, 60.0, 50.0)
    for line in ([(0.0, 0.0), (100.0, 0.0)], [(50.0, -90.0), (50.0, 20.0)], [(0.0, -40.0), (100.0, 40.0)]):
        for way in (line, line[::-1]):
            points = [Point(x, y) for x, y in way]
            assert touches(points, [box], 1.0)
            assert not touches(points, [beside], 1.0)
