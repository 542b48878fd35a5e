"""Edges that share a side or a corridor lie apart, in an order that adds no crossings. (R-ROUTE-10, R-ROUTE-11)"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenograph.engine.kernels.settling import Pair, SeparationSolver
from scenograph.scene.model import LayoutStrategy

Run = Callable[..., Any]
Line = list[tuple[float, float]]
FLOWING = LayoutStrategy()


def crossings(one: Line, other: Line) -> int:
    found = 0
    for (ax, ay), (bx, by) in pairwise(one):
        for (cx, cy), (dx, dy) in pairwise(other):
            if (ax == bx) != (cx == dx):
                x, y = (ax, cy) if ax == bx else (cx, ay)
                across = min(ax, bx) <= x <= max(ax, bx) and min(ay, by) <= y <= max(ay, by)
                found += across and min(cx, dx) <= x <= max(cx, dx) and min(cy, dy) <= y <= max(cy, dy)
    return found


def least_gap(one: Line, other: Line) -> float:
    """The least distance between parallel runs that overlap along."""
    gaps = [1e9]
    for a, b in pairwise(one):
        for c, d in pairwise(other):
            for across in (0, 1):
                along = 1 - across
                if a[across] == b[across] and c[across] == d[across]:
                    low = max(min(a[along], b[along]), min(c[along], d[along]))
                    high = min(max(a[along], b[along]), max(c[along], d[along]))
                    if high > low:
                        gaps.append(abs(a[across] - c[across]))
    return min(gaps)


def test_an_only_edge_takes_the_specified_anchor(routed: Run) -> None:
    boxes = {"a": (0, 0, 100, 50), "b": (200, 150, 100, 50)}
    points = routed(boxes, {"e": ("a", "b")}, strategy=FLOWING).points("e")
    assert points == [(100, 25), (250, 25), (250, 150)]


def test_a_fan_is_ordered_by_where_its_edges_go(routed: Run) -> None:
    boxes: dict[str, tuple[float, float, float, float]] = {"a": (400, 0, 140, 50)}
    boxes |= {f"b{i}": (i * 150 - 100, 200, 100, 50) for i in range(8)}
    order = (3, 0, 5, 1, 4, 6, 2, 7)
    drawn = routed(boxes, {f"e{i}": ("a", f"b{i}") for i in order}, strategy=FLOWING)
    lines = [drawn.points(f"e{i}") for i in range(8)]
    starts = [line[0][0] for line in lines]
    assert starts == sorted(starts)
    assert min(b - a for a, b in pairwise(starts)) >= 8
    assert not any(crossings(one, other) for one, other in combinations(lines, 2))
    assert all(least_gap(one, other) >= 8 for one, other in combinations(lines, 2))


def test_the_straight_one_of_a_side_keeps_the_middle(routed: Run) -> None:
    boxes = {"a": (200, 0, 100, 50), "b": (200, 200, 100, 50), "c": (0, 200, 100, 50)}
    drawn = routed(boxes, {"e": ("a", "b"), "f": ("a", "c")}, strategy=FLOWING)
    assert drawn.points("e") == [(250, 50), (250, 200)]
    assert drawn.points("f") == [(200, 25), (50, 25), (50, 200)]


def test_routes_of_strangers_do_not_share_a_corridor(routed: Run) -> None:
    boxes = {f"a{i}": (i * 160, 0, 100, 40) for i in range(5)} | {f"b{i}": (i * 160, 130, 100, 40) for i in range(5)}
    edges = {"e0": ("a0", "b2"), "e1": ("a1", "b4"), "e2": ("a2", "b0"), "e3": ("a3", "b1"), "e4": ("a4", "b3")}
    drawn = routed(boxes, edges, strategy=FLOWING)
    assert all(least_gap(drawn.points(a), drawn.points(b)) >= 6 for a, b in combinations(edges, 2))


def test_parallel_edges_lie_side_by_side_with_room_for_their_labels(routed: Run) -> None:
    boxes = {"a": (0, 0, 160, 50), "b": (0, 200, 160, 50)}
    label = {"label_size": (60.0, 16.0)}
    drawn = routed(boxes, {"e": ("a", "b", label), "f": ("b", "a", label)})
    e, f = drawn.points("e"), drawn.points("f")
    assert len(e) == len(f) == 2
    assert abs(e[0][0] - f[0][0]) >= 60
    assert not drawn.label("e").overlaps(drawn.label("f"))


def test_two_lines_that_go_the_same_way_round_lie_in_one_another(routed: Run) -> None:
    boxes = {"a": (0, 0, 100, 60), "wall": (150, -200, 60, 300), "b": (260, 0, 100, 60)}
    for ends in ((("a", "b"), ("a", "b")), (("a", "b"), ("b", "a"))):
        drawn = routed(boxes, {f"e{number}": pair for number, pair in enumerate(ends)})
        assert crossings(drawn.points("e0"), drawn.points("e1")) == 0
        assert least_gap(drawn.points("e0"), drawn.points("e1")) >= 16


@pytest.mark.parametrize("router", ["straight", "curved"])
def test_parallel_edges_of_the_other_routers_differ_too(routed: Run, router: str) -> None:
    boxes = {"a": (0, 0, 100, 50), "b": (300, 0, 100, 50)}
    edges = {f"e{i}": (*ends, {"router": router}) for i, ends in enumerate((("a", "b"), ("b", "a"), ("a", "b")))}
    drawn = routed(boxes, edges)
    middles = {round(sum(y for _, y in drawn.points(name)) / len(drawn.points(name)), 3) for name in edges}
    assert len(middles) == 3


def test_a_small_jog_is_taken_out(routed: Run) -> None:
    boxes = {"a": (0, 0, 100, 50), "b": (96, 200, 100, 50), "c": (300, 0, 100, 50)}
    points = routed(boxes, {"e": ("a", "b"), "f": ("c", "b")}, strategy=FLOWING).points("e")
    assert all(abs(x - u) + abs(y - v) >= 8 for (x, y), (u, v) in pairwise(points))


def test_a_run_goes_to_the_middle_of_a_channel_up_to_40_px_away(routed: Run) -> None:
    boxes = {"a": (20, 280, 60, 100), "b": (200, 100, 100, 40), "beside": (80, 220, 100, 40)}
    points = routed(boxes, {"e": ("a", "b")}).points("e")
    assert [y for _, y in points] == pytest.approx([280, 180, 180, 140], abs=1)  # in the middle of 140 and 220


def test_a_run_keeps_its_place_in_a_channel_with_a_wall_100_px_away(routed: Run) -> None:
    boxes = {"a": (20, 260, 60, 40), "b": (280, 60, 60, 40), "beyond": (240, 200, 200, 40)}
    points = routed(boxes, {"e": ("a", "b")}).points("e")
    assert [x for x, _ in points] == pytest.approx([80, 180, 180, 280], abs=1)  # halfway between both ends


def test_children_that_hang_under_their_parent_share_a_trunk_in_a_chart(routed: Run) -> None:
    boxes: dict[str, tuple[float, float, float, float]] = {"boss": (0, 0, 120, 50)}
    boxes |= {f"c{i}": (40, 100 + i * 70, 120, 50) for i in range(3)}
    drawn = routed(boxes, {f"e{i}": ("boss", f"c{i}") for i in range(3)}, strategy=FLOWING, family="orgchart")
    assert [drawn.points(f"e{i}") for i in range(3)] == [
        [(20, 50), (20, 125 + i * 70), (40, 125 + i * 70)] for i in range(3)
    ]


def test_a_row_of_children_hangs_on_one_bar_in_a_chart(routed: Run) -> None:
    boxes: dict[str, tuple[float, float, float, float]] = {"boss": (200, 0, 120, 50)}
    boxes |= {f"c{i}": (i * 200, 150, 120, 50) for i in range(3)}
    drawn = routed(boxes, {f"e{i}": ("boss", f"c{i}") for i in range(3)}, strategy=FLOWING, family="orgchart")
    assert {drawn.points(f"e{i}")[0] for i in range(3)} == {(260, 50)}
    assert {drawn.points(f"e{i}")[1][1] for i in (0, 2)} == {100}


@st.composite
def separations(draw: st.DrawFn) -> SeparationSolver:
    count = draw(st.integers(1, 12))
    number = st.integers(-50, 50).map(float)
    least = draw(st.lists(number, min_size=count, max_size=count))
    most = [low + draw(st.integers(0, 80)) for low in least]
    wish = [min(high, max(low, draw(number))) for low, high in zip(least, most, strict=True)]
    place = st.integers(0, count - 1)
    ends = draw(st.lists(st.tuples(place, place), max_size=20))
    pairs = [Pair(min(a, b), max(a, b), float(draw(st.sampled_from((4, 8, 12))))) for a, b in ends if a != b]
    return SeparationSolver(least, most, wish, pairs)


@given(separations())
def test_places_keep_their_limits_and_every_gap_that_is_left(separation: SeparationSolver) -> None:
    places = separation.solve()
    for place, least, most in zip(places, separation.least, separation.most, strict=True):
        assert least - 1e-6 <= place <= most + 1e-6
    for pair in separation.pairs:
        assert places[pair.after] - places[pair.before] >= pair.gap - 1e-4


@given(separations())
def test_places_with_room_for_all_keep_whole_gaps(separation: SeparationSolver) -> None:
    wide = SeparationSolver(
        [-1e4] * len(separation.wish), [1e4] * len(separation.wish), separation.wish, separation.pairs
    )
    wanted = [pair.gap for pair in separation.pairs]
    places = wide.solve()
    gaps = [places[pair.after] - places[pair.before] for pair in separation.pairs]
    assert all(gap >= want - 1e-6 for gap, want in zip(gaps, wanted, strict=True))


def test_lines_on_both_sides_of_a_thin_bar_do_not_push_each_other(routed: Run) -> None:
    boxes = {"begin": (150, 0, 20, 20), "bar": (120, 100, 80, 8), "a": (40, 180, 90, 40), "b": (190, 180, 90, 40)}
    drawn = routed(boxes, {"in": ("begin", "bar"), "left": ("bar", "a"), "right": ("bar", "b")}, strategy=FLOWING)
    assert drawn.points("in") == [(160, 20), (160, 100)]
    assert drawn.points("left")[0][0] + drawn.points("right")[0][0] == 2 * 160


def test_a_straight_line_makes_room_for_others_that_would_lie_too_close(routed: Run) -> None:
    boxes = {"hub": (300, 300, 128, 60), "above": (264, 180, 200, 50)}
    boxes |= {f"from {n}": (-290 + 110 * n, 180, 90, 50) for n in range(4)}
    edges = {name: (name, "hub") for name in boxes if name != "hub"}
    drawn = routed(boxes, edges, strategy=FLOWING)
    entered = sorted(x for x, y in (drawn.points(name)[-1] for name in edges) if y == 300)
    assert all(b - a >= 15 for a, b in pairwise(entered))
    assert len(drawn.points("above")) == 2


def test_gaps_that_find_no_room_share_it_evenly() -> None:
    # Three lines have 12 px, and the fourth goes on 8 px farther: 6, 6 and 8, not 5, 7 and 8.
    pairs = [Pair(a, b, 20.0) for a, b in combinations(range(4), 2)]
    places = SeparationSolver([0.0, -8.0, -4.0, 4.0], [20.0, 12.0, 12.0, 20.0], [0.0, 5.0, 12.0, 20.0], pairs).solve()
    assert [b - a for a, b in pairwise(places)] == pytest.approx([6.0, 6.0, 8.0], abs=1e-3)


def test_thousands_of_lines_that_find_no_room_share_it_evenly() -> None:
    count = 2000
    pairs = [Pair(a, a + 1, 20.0) for a in range(count - 1)]
    places = SeparationSolver([0.0] * count, [1000.0] * count, [500.0] * count, pairs).solve()
    assert {round(b - a, 6) for a, b in pairwise(places)} == {round(1000 / (count - 1), 6)}


def test_of_two_orders_that_cross_as_often_the_one_with_room_is_taken(routed: Run) -> None:
    # `f` must run 16 px off the wall, so that `e`, which lies left of it, has 4 px there and 16 on the other side.
    boxes = {
        "a": (0, 0, 140, 48),
        "b": (188, 0, 104, 48),
        "c": (172, 168, 128, 80),
        "d": (0, 184, 124, 48),
    }
    drawn = routed(boxes, {"e": ("a", "c"), "f": ("b", "d")}, strategy=FLOWING)
    assert least_gap(drawn.points("e"), drawn.points("f")) >= 6


def test_gaps_without_room_keep_one_share_of_it_also_where_a_longer_row_gave_way_before() -> None:
    pairs = [Pair(0, 1, 10.0), Pair(0, 3, 20.0), Pair(1, 2, 20.0), Pair(1, 3, 10.0)]
    places = SeparationSolver([40.0, 20.0, 30.0, 20.0], [70.0, 50.0, 60.0, 50.0], [55.0, 35.0, 45.0, 35.0], pairs)
    first, second, _, last = places.solve()
    assert (second - first, last - second) == (pytest.approx(5.0, abs=0.01), pytest.approx(5.0, abs=0.01))


def test_four_lines_on_a_side_of_48_px_lie_12_px_apart(routed: Run) -> None:
    boxes = {"a": (0, 0, 96, 48), "b": (300, 0, 96, 48)}
    drawn = routed(boxes, {f"e{number}": ("a", "b", {"label": f"{number}"}) for number in range(4)})
    ends = sorted(drawn.points(f"e{number}")[0][1] for number in range(4))
    assert all(after - before >= 12 for before, after in pairwise(ends))


def test_a_jog_goes_once_its_neighbours_have_found_their_places(routed: Run) -> None:
    boxes = {"a": (320, 340, 60, 40), "b": (460, 360, 100, 60), "d": (420, 30, 100, 60)}
    ways = ["da", "ba", "ab", "ab", "ba"]
    edges = {f"{ends}{number}": (*ends, {"label": f"{number}"}) for number, ends in enumerate(ways)}
    drawn = routed(boxes, edges)
    assert all(len(drawn.points(edge)) < 4 for edge in edges)
