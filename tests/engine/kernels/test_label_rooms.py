"""Room for labels beside parallel lines. (R-LABEL-7)"""

from __future__ import annotations

import pytest

from scenograph.engine.kernels.runs import LABEL_GAP, parallels_room


@pytest.mark.parametrize(
    ("breadths", "half_breadths"),
    [
        ([40.0], []),
        ([40.0, 90.0], []),
        ([40.0, 60.0, 90.0], [45.0, 45.0]),
        ([90.0, 40.0, 60.0, 80.0], [40.0, 45.0, 45.0]),
    ],
)
def test_of_lines_alone_between_two_boxes_only_the_inner_labels_need_room(
    breadths: list[float], half_breadths: list[float]
) -> None:
    expected = sum(half_breadths) + LABEL_GAP * len(half_breadths)
    assert parallels_room(breadths, is_open=True) == expected


@pytest.mark.parametrize(
    ("breadths", "half_breadths"),
    [([40.0], []), ([40.0, 90.0], [45.0]), ([90.0, 40.0, 60.0], [30.0, 45.0])],
)
def test_beside_further_lines_every_label_needs_room(breadths: list[float], half_breadths: list[float]) -> None:
    expected = sum(half_breadths) + LABEL_GAP * len(half_breadths)
    assert parallels_room(breadths, is_open=False) == expected
