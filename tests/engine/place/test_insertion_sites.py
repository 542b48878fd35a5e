"""Where a newcomer finds its place."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scenograph.engine.geometry.boxes import Box, Outset, Point
from scenograph.engine.kernels.straight_lines import StraightLine
from scenograph.engine.place.incremental.insertion import LinkedBox, Pull, Site, corner_for
from scenograph.late_dataclasses import replace

ROOM = Outset(1e9, 1e9, 1e9, 1e9)
NOTHING = Pull((), ())


def site(*boxes: Box, room: Outset = ROOM, lines: tuple[StraightLine, ...] = ()) -> Site:
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.right for box in boxes), max(box.bottom for box in boxes)
    return Site(boxes, Box(left, top, right - left, bottom - top), room, list(lines), 48.0, 72.0)


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
