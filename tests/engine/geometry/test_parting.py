"""Thousands of boxes parted at once."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from scenograph.engine.geometry.boxes import Box
from scenograph.engine.geometry.packing import MANY_BOXES, parted, pushed_apart

GAP = 20.0
heaps = st.lists(st.builds(Box, st.floats(-300, 300), st.floats(-300, 300), st.floats(1, 400), st.floats(1, 90)),
                 max_size=40)  # fmt: skip


@given(boxes=heaps)
@settings(deadline=None)
def test_no_two_are_nearer_than_the_gap_afterwards(boxes: list[Box]) -> None:
    after = parted(boxes, GAP)
    assert [box[2:] for box in after] == [box[2:] for box in boxes]
    assert not [pair for pair in combinations(after, 2) if pair[0].grown(GAP - 0.01).overlaps(pair[1])]


def test_boxes_that_are_apart_stay() -> None:
    boxes = (Box(0, 0, 50, 50), Box(100, 0, 50, 50), Box(0, 100, 50, 50))
    assert parted(boxes, GAP) == boxes


def test_two_that_overlap_give_way_alike() -> None:
    assert parted((Box(0, 0, 100, 50), Box(80, 0, 100, 50)), GAP) == (Box(-20, 0, 100, 50), Box(100, 0, 100, 50))


def test_a_heap_of_many_is_parted_without_being_strewn_over_the_page() -> None:
    heap = [Box(37 * number % 911, 53 * number % 701, 100, 50) for number in range(2 * MANY_BOXES)]
    after = pushed_apart(heap, GAP)
    assert not [pair for pair in combinations(after, 2) if pair[0].grown(GAP - 0.01).overlaps(pair[1])]
    width = max(box.right for box in after) - min(box.x for box in after)
    height = max(box.bottom for box in after) - min(box.y for box in after)
    assert width * height < 4 * len(heap) * (100 + GAP) * (50 + GAP)
