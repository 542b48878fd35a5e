"""The lines of a visibility graph, and walls that no path gets through."""

from __future__ import annotations

from math import inf

from hypothesis import given
from hypothesis import strategies as st

from scenograph.engine.kernels.cell_grid import BoxSides
from scenograph.engine.kernels.orthogonal_search import Ground, Sights, VisibilityGraph, find_way
from scenograph.engine.kernels.simple_paths import AnchorValues

REGION: BoxSides = (0.0, 0.0, 100.0, 100.0)
PRICES = (10.0, 200.0, 1.0, 16.0, 1.0)


@st.composite
def _boxes(draw: st.DrawFn) -> BoxSides:
    left, top = draw(st.integers(1, 70)), draw(st.integers(1, 70))
    return (
        float(left),
        float(top),
        float(left + draw(st.integers(1, 29))),
        float(top + draw(st.integers(1, 29))),
    )


def _turned(boxes: list[BoxSides]) -> list[BoxSides]:
    return [(top, left, bottom, right) for left, top, right, bottom in boxes]


def _open_around(boxes: list[BoxSides], xs: list[float], at: float, place: int) -> tuple[int, int] | None:
    """The first and last place of the open stretch around a place of the row at this height."""
    crossed = [box for box in boxes if box[1] < at < box[3]]

    def is_cut(first: int, last: int) -> bool:
        return any(box[0] < xs[last] and box[2] > xs[first] for box in crossed)

    if any(box[0] < xs[place] < box[2] for box in crossed):
        return None
    first = last = place
    while first > 0 and not is_cut(first - 1, first):
        first -= 1
    while last + 1 < len(xs) and not is_cut(last, last + 1):
        last += 1
    return first, last


def _found_around(sights: Sights, line: int, place: int) -> tuple[int, int] | None:
    gap = sights.gap(line, place)
    return None if gap is None else (gap.first, gap.last)


@given(st.lists(_boxes(), max_size=40), st.integers(0, 60), st.integers(0, 60))
def test_a_line_is_open_up_to_the_next_boxes_across_it(boxes: list[BoxSides], row: int, column: int) -> None:
    graph = VisibilityGraph(REGION, boxes, [(0.0, 0.0), (100.0, 100.0)])
    xs, ys = graph.xs, graph.ys
    j, i = row % len(ys), column % len(xs)
    assert _found_around(graph.rows, j, i) == _open_around(boxes, xs, ys[j], i)
    assert _found_around(graph.columns, i, j) == _open_around(_turned(boxes), ys, xs[i], j)


def _port(x: float, y: float, dx: int, dy: int) -> AnchorValues:
    at = x if dx == 0 else y
    return ("right", x, y, dx, dy, at, at, at, at, at, at, 0.0)


def _ground(boxes: list[BoxSides], limit: float = inf) -> Ground:
    return (REGION, boxes, 4.0, ([], []), limit, 5_000, [], [])


@given(st.lists(_boxes(), max_size=40))
def test_a_path_that_a_limited_search_finds_is_not_refused_for_walls(boxes: list[BoxSides]) -> None:
    starts, finishes = [_port(0.0, 50.0, 1, 0)], [_port(100.0, 50.0, -1, 0)]
    limited, _ = find_way(starts, finishes, _ground(boxes, 1e9), 10_000, PRICES)
    found, _ = find_way(starts, finishes, _ground(boxes), 10_000, PRICES)
    assert (found is None) is (limited is None)


def test_walls_that_overlap_across_the_region_end_the_search_before_it_begins() -> None:
    walls = [(30.0, -5.0, 50.0, 40.0), (45.0, 35.0, 60.0, 70.0), (40.0, 65.0, 55.0, 105.0)]
    starts, finishes = [_port(0.0, 50.0, 1, 0)], [_port(100.0, 50.0, -1, 0)]
    assert find_way(starts, finishes, _ground(walls), 10_000, PRICES) == (None, 0)
    found, spent = find_way(starts, finishes, _ground(walls[:2]), 10_000, PRICES)
    assert found is not None
    assert spent > 0
