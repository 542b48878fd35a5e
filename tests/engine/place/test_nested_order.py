"""One order for all containers at once, so that few lines cross between them, and lines that run straight through."""

from __future__ import annotations

from copy import deepcopy
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import frame

from scenograph.engine.geometry.boxes import Box
from scenograph.engine.kernels.nested_order import ChainRoutes, NestedOrder, NestedRows, Sifting
from scenograph.engine.place.inventory import Inventory, Tie, layout_cost
from scenograph.engine.place.layered.nesting import MOST_STEPS, ORDERS, STARTS, OrderProblem, best_order


def sized(element_id: str) -> dict[str, Any]:
    return {"id": element_id, "kind": "node", "label": element_id, "layout": {"width": 100, "height": 40}}


def edges(*pairs: str) -> list[dict[str, Any]]:
    return [
        {"id": f"{a}-{b}", "kind": "edge", "from": {"elementId": a}, "to": {"elementId": b}}
        for a, b in (pair.split(">") for pair in pairs)
    ]


def crossings(boxes: dict[str, Box], *pairs: str) -> int:
    ties = tuple(Tie(source, target) for source, target in (pair.split(">") for pair in pairs))
    return layout_cost(Inventory({}, {"": ()}, ties, {}), boxes, "TB").crossings


CROSSED = ("a>b", "a>c", "a>d", "b>z", "c>y", "d>x", "w>x", "w>y", "w>z")


@pytest.mark.parametrize("direction", ["TB", "LR", "BT", "RL"])
def test_lines_between_two_frames_do_not_cross_where_another_order_avoids_it(placed: Any, direction: str) -> None:
    document = [*map(sized, "abcdwxyz"), frame("upper", *"abcd"), frame("lower", *"wxyz"), *edges(*CROSSED)]
    page = placed(*document, layoutStrategy={"algorithm": "hierarchical", "direction": direction})
    side = 0 if direction in ("TB", "BT") else 1
    inner, outer = ([page.box(one).center[side] for one in row] for row in ("bcd", "zyx"))
    assert (inner == sorted(inner)) == (outer == sorted(outer))
    assert inner in (sorted(inner), sorted(inner, reverse=True))


def test_a_line_through_the_ranks_of_a_frame_has_a_way_beside_the_boxes_there(placed: Any) -> None:
    ties = ("a>b", "b>c", "b>d", "a>z")
    page = placed(*map(sized, "abcdz"), frame("home", *"abcd"), frame("other", "z"), *edges(*ties))
    way = page.box("z").center.x
    for one in "bcd":
        box = page.box(one)
        assert way <= box.x - 24 or way >= box.right + 24
    assert crossings(page.placement.boxes, *ties) == 0


def test_a_container_stands_so_that_a_line_out_of_it_is_straight(placed: Any) -> None:
    ties = ("a>b", "a>c", "a>d", "b>z")
    page = placed(*map(sized, "abcdz"), frame("home", *"abcd"), frame("other", "z"), *edges(*ties))
    assert page.box("z").center.x == pytest.approx(page.box("b").center.x, abs=1)


def test_a_parent_of_children_alone_stands_in_their_middle_in_a_frame_too(placed: Any) -> None:
    ties = ("a>b", "a>c", "b>z", "c>z")
    page = placed(*map(sized, "abcz"), frame("home", *"abc"), *edges(*ties))
    middle = (page.box("b").center.x + page.box("c").center.x) / 2
    assert page.box("a").center.x == pytest.approx(middle, abs=1)


@st.composite
def two_frames(draw: st.DrawFn) -> list[dict[str, Any]]:
    names = [f"n{number}" for number in range(draw(st.integers(3, 9)))]
    cut = draw(st.integers(1, len(names) - 1))
    pairs = draw(st.lists(st.tuples(st.sampled_from([*names, "one", "two"]), st.sampled_from(names)), max_size=12))
    lines = edges(*dict.fromkeys(f"{a}>{b}" for a, b in pairs if a != b))
    return [*map(sized, names), frame("one", *names[:cut]), frame("two", *names[cut:-1]), *lines]


@given(two_frames())
def test_nothing_overlaps_and_frames_hold_their_content(placed: Any, document: list[dict[str, Any]]) -> None:
    page = placed(*document)
    names = [one["id"] for one in document if one["kind"] == "node"]
    for place, one in enumerate(names):
        assert not any(page.box(one).overlaps(page.box(other)) for other in names[place + 1 :])
    for outer in (one for one in document if one["kind"] == "frame"):
        assert all(page.box(outer["id"]).contains(page.box(child)) for child in outer["children"])


@given(st.integers(2, 5), st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=15))
def test_a_search_never_ends_with_more_crossings_than_it_began_with(size: int, pairs: list[tuple[int, int]]) -> None:
    ups: list[list[int]] = [[] for _ in range(2 * size)]
    downs: list[list[int]] = [[] for _ in range(2 * size)]
    for upper, lower in pairs:
        if upper < size and lower < size:
            downs[upper].append(size + lower)
            ups[size + lower].append(upper)
    rows = [[], [*range(size)], [*range(size, 2 * size)], []]
    search = NestedOrder(rows, [-1] * (2 * size), [[0, 1, 2, 3]], ups, downs)
    before = search.crossings()
    assert search.search([*range(8)], 100_000) <= before
    assert [sorted(row) for row in search.rows] == rows


@st.composite
def three_rows(draw: st.DrawFn) -> Sifting:
    size = draw(st.integers(2, 5))
    count = 3 * size
    ups: list[list[int]] = [[] for _ in range(count)]
    downs: list[list[int]] = [[] for _ in range(count)]
    for upper in range(2 * size):
        below = size * (upper // size + 1)
        for lower in draw(st.lists(st.integers(below, below + size - 1), max_size=3, unique=True)):
            downs[upper].append(lower)
            ups[lower].append(upper)
    rows = [[], *([*range(row * size, row * size + size)] for row in range(3)), []]
    return Sifting(rows, [-1] * count, [[*range(5)]], ups, downs)


@given(three_rows())
def test_no_slot_crosses_less_elsewhere_in_its_row_once_all_are_sifted(table: Sifting) -> None:
    before = table.crossings()
    moved = table.sift()
    least = table.crossings()
    assert least < before if moved else least == before
    neighbours = [(number, at) for number, row in enumerate(table.rows) for at in range(1, len(row))]
    for number, at in neighbours:
        row = list(table.rows[number])
        row[at - 1 : at + 1] = row[at], row[at - 1]
        table.take([*table.rows[:number], row, *table.rows[number + 1 :]])
        assert table.crossings() >= least
        row[at - 1 : at + 1] = row[at], row[at - 1]
        table.take([*table.rows[:number], row, *table.rows[number + 1 :]])


@given(three_rows(), st.integers(1, 60))
def test_kicks_and_tidying_never_add_crossings(table: Sifting, times: int) -> None:
    slots = [sorted(row) for row in table.rows]
    for change in (lambda: table.kick(times), table.tidy):
        before = table.crossings()
        change()
        assert table.crossings() <= before
        assert [sorted(row) for row in table.rows] == slots


def test_a_kick_takes_out_crossings_that_no_slot_loses_by_moving_alone() -> None:
    """Of two pairs of twins in the middle row each slot is held by the other one's edges."""
    uppers, middles, lowers = [0, 1], [2, 3, 4, 5], [6, 7]
    ups = [[], [], [1], [1], [0], [0], [2, 3], [4, 5]]
    downs = [[4, 5], [2, 3], [6], [6], [7], [7], [], []]
    table = Sifting([[], uppers, middles, lowers, []], [-1] * 8, [[*range(5)]], ups, downs)
    table.sift()
    table.kick(100)
    assert table.crossings() == 0


def test_neighbours_that_cross_nothing_stand_as_what_they_are_joined_to() -> None:
    """Slot 3 leads up to the left, slot 4 before it down to the right."""
    ups: list[list[int]] = [[], [], [], [0], [], [], [], [4]]
    downs: list[list[int]] = [[3], [], [], [], [7], [], [], []]
    table = Sifting([[], [0, 1, 2], [4, 3], [5, 6, 7], []], [-1] * 8, [[*range(5)]], ups, downs)
    table.tidy()
    assert table.rows[2] == [3, 4]


def test_an_order_in_which_nothing_crosses_stays_as_it_came() -> None:
    ups: list[list[int]] = [[], [], [], [0], [], [], [], [4]]
    downs: list[list[int]] = [[3], [], [], [], [7], [], [], []]
    search = NestedOrder([[], [0, 1, 2], [4, 3], [5, 6, 7], []], [-1] * 8, [[*range(5)]], ups, downs)
    assert search.search([0], 100_000) == 0
    assert search.rows[2] == [4, 3]


def test_rows_as_they_came_count_only_where_the_first_start_is_among_those_searched() -> None:
    def rows(starts: list[int]) -> list[list[int]]:
        search = NestedOrder([[], [0, 1, 2], [3, 4, 5], []], [-1] * 6, [[0, 1, 2, 3]], [[]] * 6, [[]] * 6)
        search.search(starts, 100_000)
        return search.rows

    assert rows([0, 2])[1] == [0, 1, 2]
    assert rows([2])[1] == [0, 2, 1]


def test_a_line_goes_round_another_in_all_ranks_at_once_where_no_rank_alone_gains_by_it() -> None:
    upper, lower = [0, 1], [6, 7]  # the line from 1 to 7 by the slots 2 and 4 crosses that from 0 to 6 twice
    ups, downs = [[], [], [1], [0], [2], [3], [5], [4]], [[3], [2], [4], [5], [7], [6], [], []]
    rows = NestedRows([[], upper, [2, 3], [4, 5], lower, []], [-1] * 8, [[*range(6)]], ups, downs)
    assert rows.crossings() == 2
    assert ChainRoutes(rows).reroute(1_000)
    assert rows.crossings() == 0
    assert rows.rows[2:4] == [[3, 2], [5, 4]]


@given(st.integers(2, 5), st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=8))
def test_a_line_that_is_led_elsewhere_crosses_less(size: int, pairs: list[tuple[int, int]]) -> None:
    ranks = 4
    count = ranks * size
    ups: list[list[int]] = [[] for _ in range(count)]
    downs: list[list[int]] = [[] for _ in range(count)]
    rows = [[], *([*range(rank * size, rank * size + size)] for rank in range(ranks)), []]
    for upper, lower in ((a, (ranks - 1) * size + b) for a, b in pairs if a < size and b < size):
        line = [upper, *range(len(ups), len(ups) + ranks - 2), lower]
        ups += [[] for _ in line[1:-1]]
        downs += [[] for _ in line[1:-1]]
        for row, slot in enumerate(line[1:-1], 2):
            rows[row].append(slot)
        for one, next_one in pairwise(line):
            downs[one].append(next_one)
            ups[next_one].append(one)
    table = NestedRows(rows, [-1] * len(ups), [[*range(ranks + 2)]], ups, downs)
    before = table.crossings()
    moved = ChainRoutes(table).reroute(100_000)
    assert table.crossings() < before if moved else table.crossings() == before


@st.composite
def order_problems(draw: st.DrawFn) -> OrderProblem:
    """Three rows of slots in one container, with lines between neighbouring rows."""
    sizes = [draw(st.integers(1, 6)) for _ in range(3)]
    rows = [list(range(sum(sizes[:at]), sum(sizes[: at + 1]))) for at in range(3)]
    ups: list[list[int]] = [[] for _ in range(sum(sizes))]
    downs: list[list[int]] = [[] for _ in range(sum(sizes))]
    for upper, lower in pairwise(rows):
        for one, other in draw(st.sets(st.tuples(st.sampled_from(upper), st.sampled_from(lower)))):
            downs[one].append(other)
            ups[other].append(one)
    return OrderProblem(rows, [-1] * sum(sizes), [[0, 1, 2]], ups, downs)


@given(order_problems())
def test_an_order_found_lately_is_the_one_that_a_search_finds(problem: OrderProblem) -> None:
    ORDERS.clear()
    searched, known = deepcopy(problem), deepcopy(problem)
    assert best_order(searched, STARTS, MOST_STEPS) == best_order(known, STARTS, MOST_STEPS)
    assert searched == problem._replace(ups=known.ups, downs=known.downs)
