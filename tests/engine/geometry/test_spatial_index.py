"""The grid answers as a look at every box would."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scenograph.engine.geometry.spatial_index import Bounds, SpatialIndex

number = st.integers(-3000, 3000).map(float)
length = st.sampled_from((0.0, 1.0, 60.0, 160.0, 900.0, 5000.0))
bounds = st.builds(lambda x, y, w, h: Bounds(x, y, x + w, y + h), number, number, length, length)


@given(st.lists(bounds, max_size=30), bounds)
def test_all_that_touches_the_region_is_found_once(boxes: list[Bounds], region: Bounds) -> None:
    found = SpatialIndex(boxes).near(*region)
    expected = [
        place
        for place, box in enumerate(boxes)
        if box.left <= region.right
        and box.right >= region.left
        and box.top <= region.bottom
        and box.bottom >= region.top
    ]
    assert sorted(found) == expected


@given(st.lists(bounds, max_size=30), bounds)
def test_the_order_depends_on_nothing_but_what_was_added(boxes: list[Bounds], region: Bounds) -> None:
    one = SpatialIndex(boxes)
    other = SpatialIndex()
    for box in boxes:
        other.add(box)
    assert one.near(*region) == other.near(*region)


def test_a_huge_region_is_answered_without_walking_its_cells() -> None:
    assert SpatialIndex([Bounds(0, 0, 1, 1)]).near(-1e9, -1e9, 1e9, 1e9) == [0]


@given(st.lists(bounds, max_size=30), bounds, st.integers(1, 5))
def test_the_first_few_are_the_first_of_all(boxes: list[Bounds], region: Bounds, most: int) -> None:
    index = SpatialIndex(boxes)
    assert index.near(*region, most=most) == index.near(*region)[:most]
