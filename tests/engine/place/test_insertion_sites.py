"""Where a newcomer finds its place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenograph.engine.geometry.boxes import Box, Outset, Point
from scenograph.engine.kernels.straight_lines import StraightLine
from scenograph.engine.place.incremental.making_room import LinkedBox, Pull, Site, corners_for
from scenograph.late_dataclasses import replace

ROOM = Outset(1e9, 1e9, 1e9, 1e9)
NOTHING = Pull((), ())


def site(*boxes: Box, room: Outset = ROOM, lines: tuple[StraightLine, ...] = ()) -> Site:
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.right for box in boxes), max(box.bottom for box in boxes)
    return Site(boxes, Box(left, top, right - left, bottom - top), room, list(lines), 48.0, 72.0)


def corner_for(width: float, height: float, pull: Pull, at: Site) -> Point:
    """The corner of the best place."""
    return corners_for(width, height, pull, at, 1)[0]


def test_it_stands_one_rank_below_its_source() -> None:
    source = Box(0, 0, 100, 50)
    assert corner_for(80, 40, Pull([LinkedBox(source)], ()), site(source)) == Point(10, 122)


def test_it_stands_one_rank_above_its_target() -> None:
    target = Box(0, 0, 100, 50)
    assert corner_for(100, 50, Pull((), [LinkedBox(target)]), site(target)) == Point(0, -122)


def test_it_takes_a_free_place_between_its_source_and_its_target() -> None:
    source, target, other = Box(0, 0, 100, 50), Box(0, 400, 100, 50), Box(300, 200, 100, 50)
    corner = corner_for(100, 50, Pull([LinkedBox(source)], [LinkedBox(target)]), site(source, target, other))
    assert corner == Point(0, 200)


def test_it_rather_stands_aside_than_in_the_way_of_lines() -> None:
    source, left, right = Box(0, 0, 100, 50), Box(-200, 300, 100, 50), Box(200, 300, 100, 50)
    through = (50.0, 50.0, 50.0, 600.0)
    corner = corner_for(100, 50, Pull([LinkedBox(source)], ()), site(source, left, right, lines=(through,) * 3))
    assert not corner.x < 50 < corner.x + 100


def test_it_rather_stands_in_the_way_of_one_line_than_beside_its_source() -> None:
    source, through = Box(0, 0, 100, 50), (-75.0, -100.0, 125.0, 250.0)
    assert corner_for(100, 50, Pull([LinkedBox(source)], ()), site(source, lines=(through,))) == Point(0, 122)


def test_in_a_full_container_it_keeps_within_the_bounds() -> None:
    source, wide, deep = Box(0, 0, 100, 50), Box(0, 122, 100, 50), Box(400, 122, 100, 50)
    corner = corner_for(100, 50, Pull([LinkedBox(source)], ()), site(source, wide, deep, room=Outset()))
    assert 0 <= corner.x <= 400
    assert 0 <= corner.y <= 122


def test_beside_what_pulls_it_is_better_than_beneath_where_a_full_container_would_grow() -> None:
    """What pulls it lies deeper than the boxes of the container, so that it is in line with none of them."""
    upper, lower = Box(0, 0, 332, 96), Box(0, 144, 332, 280)
    pods = Box(152, 328, 96, 72)
    corner = corner_for(124, 48, Pull([LinkedBox(pods)], ()), site(upper, lower, room=Outset(24, 1e9, 24, 0)))
    assert corner == Point(380, 340)


def test_without_ties_it_follows_the_last_that_came() -> None:
    first, last = Box(0, 0, 100, 50), Box(148, 0, 100, 50)
    assert corner_for(100, 50, NOTHING, site(first, last)) == Point(296, 0)


whole = st.integers(0, 12).map(lambda step: step * 60.0)
boxes = st.lists(st.builds(Box, whole, whole, st.sampled_from([40.0, 200.0]), st.just(40.0)), min_size=1, max_size=12)


@given(boxes, st.sets(st.integers(0, 11)), st.sets(st.integers(0, 11)), st.booleans())
def test_it_overlaps_nothing(standing: list[Box], sources: set[int], targets: set[int], full: bool) -> None:
    pull = Pull(
        [LinkedBox(box) for i, box in enumerate(standing) if i in sources],
        [LinkedBox(box) for i, box in enumerate(standing) if i in targets - sources],
    )
    corner = corner_for(90.0, 50.0, pull, site(*standing, room=Outset() if full else ROOM))
    place = Box(corner.x, corner.y, 90.0, 50.0)
    assert not any(place.overlaps(box) for box in standing)


def test_room_that_a_newcomer_has_only_to_keep_its_middle_may_be_taken() -> None:
    source, beside = Box(100, 0, 60, 50), Box(0, 122, 50, 50)
    pull = Pull([LinkedBox(source)], ())
    assert corner_for(100, 50, pull, site(source, beside)).x != 80
    assert corner_for(100, 50, pull, replace(site(source, beside), spare=(30.0, 0.0))) == Point(80, 122)


FULL, TIGHT, BELOW_ALONE = Outset(), Outset(30, 30, 30, 30), Outset(0, 1e9, 50, 1e9)


# Each price decides between two places: half the price, or twice as much, would choose the other one.
@pytest.mark.parametrize(
    ("boxes", "sources", "targets", "room", "corner"),
    [
        pytest.param([(150, 350), (300, 350)], [0], [1], ROOM, (448, 350), id="beside both, not against the flow"),
        pytest.param([(100, 150), (200, 400)], [0, 1], [], FULL, (100, 272), id="against the flow, not far beside"),
        pytest.param([(500, 350), (600, 200), (50, 250)], [1, 2], [], BELOW_ALONE, (50, 350), id="in line with one"),
        pytest.param([(0, 0), (50, 100)], [0], [], ROOM, (-98, 100), id="out of line, not deep below"),
        pytest.param([(250, 250), (350, 0)], [0, 1], [], ROOM, (250, 372), id="below both, not beside one"),
        pytest.param([(300, 400), (150, 400)], [1], [], BELOW_ALONE, (2, 400), id="beside, not grown out below"),
        pytest.param([(0, 150)], [0], [], BELOW_ALONE, (148, 150), id="beside, not in full surroundings"),
        pytest.param([(150, 350), (50, 0)], [], [0, 1], TIGHT, (198, 0), id="in full surroundings, above one at least"),
        pytest.param([(150, 250), (50, 400)], [1], [0], TIGHT, (2, 250), id="little outgrowth, not much"),
        pytest.param([(150, 200), (150, 350)], [], [1], FULL, (298, 228), id="outgrowth, not through a box"),
        pytest.param([(100, 250), (550, 200)], [0], [1], ROOM, (325, 200), id="between, without growth"),
        pytest.param([(250, 50), (450, 150), (300, 200)], [], [2], ROOM, (152, 150), id="growth aside, in a row"),
        pytest.param([(200, 350), (50, 200)], [1], [0], ROOM, (50, 350), id="in the row of the target"),
        pytest.param([(100, 100), (100, 250)], [0], [], ROOM, (248, 222), id="in a row of its own, one rank below"),
        pytest.param(
            [(200, 50), (100, 250), (300, 300), (500, 300)], [0, 1], [2, 3], ROOM, (300, 178), id="not before the first"
        ),
        pytest.param([(350, 150), (500, 100)], [], [0], BELOW_ALONE, (202, 100), id="before the first, where near"),
        pytest.param(
            [(50, 150), (600, 300), (400, 300), (350, 50)], [1, 3], [], BELOW_ALONE, (252, 300), id="through one box"
        ),
    ],
)
def test_each_price_decides_between_two_places(
    boxes: list[tuple[float, float]],
    sources: list[int],
    targets: list[int],
    room: Outset,
    corner: tuple[float, float],
) -> None:
    standing = [Box(x, y, 100, 50) for x, y in boxes]
    pull = Pull([LinkedBox(standing[one]) for one in sources], [LinkedBox(standing[one]) for one in targets])
    assert corner_for(100, 50, pull, site(*standing, room=room)) == corner
