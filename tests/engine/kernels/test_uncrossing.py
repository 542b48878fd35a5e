"""Boxes that move to where lines between them cross less."""

from __future__ import annotations

from itertools import combinations

import pytest

from scenograph.engine.kernels.stress import Uncrossing, Weights

SQUARE = [(0.0, 0.0), (300.0, 300.0), (300.0, 0.0), (0.0, 300.0)]  # a ring in this order crosses itself
RING = [(0, 1, 0.0), (1, 2, 0.0), (2, 3, 0.0), (0, 3, 0.0)]
STEPS = 100_000


def crossed_ring(*, strict: bool, links: list[tuple[int, int, float]] = RING) -> Uncrossing:
    boxes = [(x, y, 50.0, 25.0) for x, y in SQUARE]
    distances = [[0.0 if one == other else 300.0 for other in range(4)] for one in range(4)]
    return Uncrossing(boxes, links, distances, 48.0, strict)


def places(drawn: Uncrossing) -> list[tuple[float, float]]:
    return list(zip(drawn.xs, drawn.ys, strict=True))


def crosses(drawn: Uncrossing) -> bool:
    def side(a: int, b: int, c: int) -> float:
        xs, ys = drawn.xs, drawn.ys
        return (xs[b] - xs[a]) * (ys[c] - ys[a]) - (ys[b] - ys[a]) * (xs[c] - xs[a])

    pairs = combinations([(a, b) for a, b, _ in RING], 2)
    return any(
        side(*one, other[0]) * side(*one, other[1]) < 0 and side(*other, one[0]) * side(*other, one[1]) < 0
        for one, other in pairs
        if not {*one} & {*other}
    )


@pytest.mark.parametrize("strict", [True, False])
def test_a_ring_that_crosses_itself_is_laid_open(strict: bool) -> None:
    drawn = crossed_ring(strict=strict)
    assert crosses(drawn)
    drawn.improve(Weights(300.0, 6.0, 0.5, 0.3), 6, STEPS)
    assert not crosses(drawn)


def test_strict_boxes_keep_their_gap() -> None:
    drawn = crossed_ring(strict=True)
    drawn.improve(Weights(300.0, 6.0, 0.5, 0.3), 6, STEPS)
    assert places(drawn) != SQUARE
    for (x1, y1), (x2, y2) in combinations(places(drawn), 2):
        assert abs(x1 - x2) >= 148 - 1e-5 or abs(y1 - y2) >= 98 - 1e-5


def test_a_label_gets_its_room_between_boxes_beside_each_other() -> None:
    labelled = [(0, 1, 0.0), (1, 2, 0.0), (2, 3, 0.0), (0, 3, 500.0)]
    drawn = crossed_ring(strict=True, links=labelled)
    drawn.improve(Weights(300.0, 6.0, 0.5, 0.3), 6, STEPS)
    (x1, y1), (x2, y2) = places(drawn)[0], places(drawn)[3]
    assert abs(y1 - y2) >= 50 or abs(x1 - x2) >= 600


def test_what_has_too_many_lines_for_the_steps_stays_as_it_is() -> None:
    drawn = crossed_ring(strict=False)
    drawn.improve(Weights(300.0, 6.0, 0.5, 0.3), 6, 100)
    assert places(drawn) == SQUARE
