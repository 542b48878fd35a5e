"""What a line of a fan has for itself."""

from __future__ import annotations

import pytest

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.route.labels import Fellows, with_own_stretch


def way(*corners: tuple[float, float]) -> tuple[Point, ...]:
    return tuple(Point(*corner) for corner in corners)


TRUNK = way((0, 40), (50, 40), (50, 100), (200, 100))


def test_a_line_is_its_own_up_to_where_another_joins_it() -> None:
    line = way((0, 0), (50, 0), (50, 100), (200, 100))
    corners, own = with_own_stretch(line, Fellows([TRUNK]))
    assert corners == way((0, 0), (50, 0), (50, 40), (50, 100), (200, 100))
    assert own == (0, 2)


def test_a_line_that_leaves_a_common_point_is_its_own_from_there() -> None:
    line = tuple(reversed(way((0, 0), (50, 0), (50, 100), (200, 100))))
    corners, own = with_own_stretch(line, Fellows([tuple(reversed(TRUNK))]))
    assert corners == way((200, 100), (50, 100), (50, 40), (50, 0), (0, 0))
    assert own == (2, 4)


def test_a_corner_where_another_joins_is_not_doubled() -> None:
    line = way((0, 100), (50, 100), (200, 100))
    assert with_own_stretch(line, Fellows([TRUNK])) == (line, (0, 1))


def test_a_line_that_only_crosses_another_is_all_its_own() -> None:
    line = way((100, 0), (100, 300), (200, 300))
    assert with_own_stretch(line, Fellows([TRUNK])) == (line, None)


@pytest.mark.parametrize("fellows", [[], [TRUNK]])
def test_a_line_that_is_alone_or_has_no_stretch_of_its_own_is_left_as_it_is(fellows: list[tuple[Point, ...]]) -> None:
    assert with_own_stretch(TRUNK, Fellows(fellows)) == (TRUNK, None)
