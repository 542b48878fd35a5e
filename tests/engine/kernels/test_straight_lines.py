"""Straight lines between boxes."""

from __future__ import annotations

from scenograph.engine.kernels.straight_lines import between_boxes, pairs_crossed

LEFT, RIGHT = (0.0, 0.0, 10.0, 10.0), (100.0, 0.0, 10.0, 10.0)
BELOW_LEFT, BELOW_RIGHT = (0.0, 100.0, 10.0, 10.0), (100.0, 100.0, 10.0, 10.0)
BOXES = [LEFT, RIGHT, BELOW_LEFT, BELOW_RIGHT]


def test_lines_that_cross_count_once() -> None:
    ends = [(0, 3), (1, 2)]
    assert pairs_crossed(between_boxes(BOXES, ends)[0], ends) == 1


def test_lines_with_a_common_end_do_not_count_wherever_they_meet_their_box() -> None:
    ends = [(0, 3), (1, 3), (0, 2)]
    assert pairs_crossed(between_boxes(BOXES, ends)[0], ends) == 0


def test_a_line_between_boxes_of_one_row_runs_beside_the_flow() -> None:
    assert between_boxes(BOXES, [(0, 1), (0, 2), (0, 3)])[1] == [True, False, False]
