"""Grid and force-directed layouts, and what every algorithm has in common."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from scenograph.engine.geometry.boxes import Box, Outset, Point
from scenograph.engine.place.algorithms import ALGORITHMS
from scenograph.engine.place.subgraph import (
    Corners,
    Item,
    ItemLink,
    LayoutRecord,
    LayoutSettings,
    Subgraph,
    extent,
    whole_box,
)


def level(count: int, *pairs: tuple[int, int], **settings: Any) -> Subgraph:
    items = tuple(Item(f"n{i}", 100.0 + 10 * (i % 3), 50.0, Outset(0, 4, 20, 4)) for i in range(count))
    return Subgraph(items, tuple(ItemLink(f"n{a}", f"n{b}") for a, b in pairs), LayoutSettings(**settings))


RING = tuple((i, (i + 1) % 12) for i in range(12))
PETERSEN = (
    *((i, (i + 1) % 5) for i in range(5)),
    *((i, i + 5) for i in range(5)),
    *((i + 5, (i + 2) % 5 + 5) for i in range(5)),
)


def assert_spaced(one: Subgraph, corners: Any, gap: float) -> None:
    boxes = [whole_box(item, corners[item.id]) for item in one.items]
    assert not [pair for pair in combinations(boxes, 2) if pair[0].grown(gap - 0.1).overlaps(pair[1])]


@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.parametrize("pairs", [(), RING, PETERSEN, ((0, 1), (2, 3), (3, 4), (3, 5))])
@pytest.mark.parametrize("direction", ["TB", "BT", "LR", "RL"])
def test_every_algorithm_places_all_items_apart(name: str, pairs: Any, direction: str) -> None:
    one = level(14, *pairs, direction=direction)
    corners = ALGORITHMS[name].arrange(one, LayoutRecord())
    assert set(corners) == {item.id for item in one.items}
    assert_spaced(one, corners, 32.0)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_algorithm_takes_an_empty_level_and_a_single_item(name: str) -> None:
    assert ALGORITHMS[name].arrange(level(0), LayoutRecord()) == {}
    assert set(ALGORITHMS[name].arrange(level(1), LayoutRecord())) == {"n0"}


def test_a_grid_fills_its_rows_in_order() -> None:
    one = level(7, columns=3)
    corners = ALGORITHMS["grid"].arrange(one, LayoutRecord())
    rows = [[round(corners[f"n{i}"].y) for i in row] for row in ((0, 1, 2), (3, 4, 5), (6,))]
    assert all(len(set(row)) == 1 for row in rows)
    assert rows[0] < rows[1] < rows[2]
    assert corners["n0"].x < corners["n1"].x < corners["n2"].x


def test_a_grid_without_columns_takes_the_shape_of_the_page() -> None:
    wide = ALGORITHMS["grid"].arrange(level(24, page=(2400.0, 600.0)), LayoutRecord())
    tall = ALGORITHMS["grid"].arrange(level(24, page=(600.0, 2400.0)), LayoutRecord())
    assert len({corner.y for corner in wide.values()}) < len({corner.y for corner in tall.values()})


def test_a_label_between_neighbours_of_a_grid_row_has_room() -> None:
    plain = level(4, (0, 1), columns=4)
    labelled = Subgraph(plain.items, (ItemLink("n0", "n1", 1, 120.0, 16.0),), plain.settings)
    corners = ALGORITHMS["grid"].arrange(labelled, LayoutRecord())
    assert corners["n1"].x - (corners["n0"].x + plain.items[0].width) >= 120


def test_forces_keep_linked_items_nearer_than_others() -> None:
    one = level(12, *RING)
    corners = ALGORITHMS["forceDirected"].arrange(one, LayoutRecord())

    def away(a: int, b: int) -> float:
        first, second = corners[f"n{a}"], corners[f"n{b}"]
        return abs(first.x - second.x) + abs(first.y - second.y)

    assert max(away(*pair) for pair in RING) < min(away(i, i + 6) for i in range(6))


def test_forces_depend_on_the_seed_and_on_nothing_else() -> None:
    first, again, other = (
        ALGORITHMS["forceDirected"].arrange(level(10, *PETERSEN, seed=seed), LayoutRecord()) for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


def straight_lines(count: int, *pairs: tuple[int, int]) -> list[tuple[Point, Point]]:
    corners = ALGORITHMS["forceDirected"].arrange(level(count, *pairs), LayoutRecord())
    middles = {item.id: Box(*corners[item.id], item.width, item.height).center for item in level(count).items}
    return [(middles[f"n{a}"], middles[f"n{b}"]) for a, b in pairs]


def cross(first: tuple[Point, Point], second: tuple[Point, Point]) -> bool:
    def side(a: Point, b: Point, c: Point) -> float:
        return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)

    (a, b), (c, d) = first, second
    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


TWO_HUBS = tuple((hub, other) for hub in (0, 1) for other in range(2, 9))
TREE = tuple((i, 2 * i + side) for i in range(7) for side in (1, 2))


@pytest.mark.parametrize("pairs", [TWO_HUBS, TREE, RING])
def test_forces_let_no_lines_cross_that_need_not(pairs: tuple[tuple[int, int], ...]) -> None:
    lines = straight_lines(15, *pairs)
    assert not [pair for pair in combinations(lines, 2) if cross(*pair)]


def test_forces_set_most_nodes_of_a_tree_straight_beside_their_parents() -> None:
    lines = straight_lines(15, *TREE)
    straight = [line for line in lines if min(abs(line[0].x - line[1].x), abs(line[0].y - line[1].y)) < 1]
    assert len(straight) >= len(lines) - 2


def test_a_large_force_layout_uses_pivots_and_stays_apart() -> None:
    one = level(150, *((i, (i * 7 + 1) % 150) for i in range(150)), *((i, i + 1) for i in range(149)))
    assert_spaced(one, ALGORITHMS["forceDirected"].arrange(one, LayoutRecord()), 40.0)


def test_forces_keep_large_frames_near_each_other() -> None:
    items = (Item("a", 60, 40), Item("b", 900, 300), Item("c", 700, 300))
    corners = ALGORITHMS["forceDirected"].arrange(
        Subgraph(items, (ItemLink("a", "b"), ItemLink("b", "c"))), LayoutRecord()
    )
    boxes = [Box(*corners[item.id], item.width, item.height) for item in items]
    assert max(box.right for box in boxes) - min(box.x for box in boxes) < 1.5 * sum(item.width for item in items)


def _rows_of(*items: Item) -> tuple[Subgraph, Corners]:
    one = Subgraph(items, (), LayoutSettings(columns=len(items)))
    return one, ALGORITHMS["grid"].arrange(one, LayoutRecord())


def test_items_of_a_grid_row_stand_in_line_whatever_is_below_them() -> None:
    low, high = Item("a", 80.0, 70.0, line=30.0), Item("b", 80.0, 86.0, line=30.0)
    labelled = Item("c", 40.0, 40.0, Outset(0.0, 0.0, 20.0, 0.0))
    one, corners = _rows_of(low, high, labelled)
    assert corners["a"].y + 30 == corners["b"].y + 30 == corners["c"].y + 20
    assert extent(one.items, corners).height == 86


def test_a_line_that_would_make_a_row_much_higher_gives_way() -> None:
    one, corners = _rows_of(Item("a", 80.0, 200.0, line=10.0), Item("b", 80.0, 200.0, line=190.0))
    assert corners["a"].y == corners["b"].y
    assert extent(one.items, corners).height == 200


def test_what_is_much_lower_than_its_grid_row_stands_at_its_top() -> None:
    _, corners = _rows_of(Item("a", 80.0, 300.0), Item("b", 80.0, 40.0), Item("c", 80.0, 60.0))
    assert corners["a"].y + 10 == corners["b"].y == corners["c"].y + 10
