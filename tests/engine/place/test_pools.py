"""Pools and lanes: as given, or laid out lane by lane."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any

import pytest
from tests.builders import Json, at, container, edge, task


def pool(id_: str, *children: str, **members: Any) -> Json:
    return container(id_, "pool", *children, **members)


def lane(id_: str, *children: str, **members: Any) -> Json:
    return container(id_, "lane", *children, **members)


ORDER = (
    pool("Shop", "Sales", "Store"),
    lane("Sales", "take", "bill"),
    lane("Store", "pick", "ship"),
    pool("Buyer", "order", "receive"),
    *(task(one) for one in ("take", "bill", "pick", "ship", "order", "receive")),
    edge("take", "pick"),
    edge("pick", "ship"),
    edge("ship", "bill"),
    edge("order", "take", edgeType="workflow.messageFlow"),
    edge("ship", "receive", edgeType="workflow.messageFlow"),
    edge("order", "receive"),
)


def test_lanes_are_rows_that_fill_their_pool_beside_its_header(placed: Any) -> None:
    page = placed(*ORDER, diagramFamily="workflow")
    shop, sales, store = page.box("Shop"), page.box("Sales"), page.box("Store")
    assert (sales.x, sales.y, sales.right) == pytest.approx((shop.x + 24, shop.y, shop.right))
    assert (store.x, store.y, store.bottom) == pytest.approx((shop.x + 24, sales.bottom, shop.bottom))
    assert all(sales.contains(page.box(one)) for one in ("take", "bill"))
    assert all(store.contains(page.box(one)) for one in ("pick", "ship"))


def test_pools_are_stacked_and_equally_long(placed: Any) -> None:
    page = placed(*ORDER, diagramFamily="workflow")
    shop, buyer = page.box("Shop"), page.box("Buyer")
    assert (shop.x, shop.right) == pytest.approx((buyer.x, buyer.right))
    assert buyer.y - shop.bottom >= 48
    assert all(buyer.contains(page.box(one)) for one in ("order", "receive"))


def test_the_flow_runs_to_the_right_through_all_lanes(placed: Any) -> None:
    page = placed(*ORDER, diagramFamily="workflow")
    assert all(
        page.box(before).right < page.box(after).x for before, after in pairwise(("take", "pick", "ship", "bill"))
    )
    assert page.box("order").center.x == pytest.approx(page.box("take").center.x)


def test_upright_lanes_are_columns_below_the_header(placed: Any) -> None:
    upright = [one | {"laneDirection": "vertical"} if one.get("containerType") == "pool" else one for one in ORDER]
    page = placed(*upright, diagramFamily="workflow")
    shop, sales, store = page.box("Shop"), page.box("Sales"), page.box("Store")
    assert (sales.y, sales.x, sales.bottom) == pytest.approx((shop.y + 24, shop.x, shop.bottom))
    assert store.x == pytest.approx(sales.right)
    assert page.box("take").bottom < page.box("pick").y
    header = page.placement.part("Shop", "header")
    assert header == pytest.approx((shop.x, shop.y, shop.width, 24))


def test_a_branch_takes_a_track_of_its_own(placed: Any) -> None:
    page = placed(
        pool("P", "a", "b", "c"), task("a"), task("b"), task("c"), edge("a", "b"), edge("a", "c"),
        diagramFamily="workflow",
    )  # fmt: skip
    assert page.box("b").center.y == pytest.approx(page.box("a").center.y)
    assert page.box("c").y > page.box("b").bottom
    assert page.box("c").x == pytest.approx(page.box("b").x)


def test_the_longest_way_of_a_lane_runs_straight_past_shorter_ones(placed: Any) -> None:
    lanes = (pool("P", "L"), lane("L", "begin", "stop", "wait", "end"), pool("Q", "far", "call"))
    flow = (edge("begin", "stop"), edge("begin", "wait"), edge("wait", "end"), edge("far", "call"))
    late = edge("call", "wait", edgeType="workflow.messageFlow")
    names = ("begin", "stop", "wait", "end", "far", "call")
    page = placed(*lanes, *map(task, names), *flow, late, diagramFamily="workflow")
    middles = {one: page.box(one).center.y for one in names}
    assert middles["begin"] == middles["wait"] == middles["end"]
    assert middles["stop"] != middles["begin"]


def test_nothing_in_pools_overlaps(placed: Any) -> None:
    page = placed(*ORDER, *(task(f"x{i}") for i in range(3)), edge("take", "x0"), edge("x0", "x1"), edge("x1", "x2"),
                  diagramFamily="workflow")  # fmt: skip
    ids = ["take", "bill", "pick", "ship", "order", "receive", "x0", "x1", "x2"]
    assert not [pair for pair in combinations(ids, 2) if page.whole(pair[0]).overlaps(page.whole(pair[1]))]


def test_an_empty_pool_and_an_empty_lane_have_room(placed: Any) -> None:
    page = placed(pool("P", "L", "M"), lane("L"), lane("M", "a"), task("a"), pool("Q"), diagramFamily="workflow")
    assert page.box("L").height >= 48
    assert page.box("Q").height >= 48
    assert page.box("Q").width == page.box("P").width


def test_lanes_share_the_room_of_a_pool_whose_size_is_given(placed: Any) -> None:
    given = {"mode": "absolute", "x": 50, "y": 60, "width": 900, "height": 600}
    page = placed(
        pool("P", "L", "M", layout=given), lane("L", "a"), lane("M", "b"), task("a"), task("b"), edge("a", "b"),
        diagramFamily="workflow",
    )  # fmt: skip
    assert page.box("P") == (50, 60, 900, 600)
    assert page.box("L") == pytest.approx((74, 60, 876, 300))
    assert page.box("M") == pytest.approx((74, 360, 876, 300))
    assert page.box("L").contains(page.box("a"))


def test_a_lane_that_needs_more_gets_more_than_its_equal_share(placed: Any) -> None:
    tall = {"width": 100, "height": 400}
    given = {"mode": "auto", "height": 600}
    page = placed(
        pool("P", "L", "M", layout=given), lane("L", "a"), lane("M", "b"), task("a", layout=tall), task("b"),
        diagramFamily="workflow",
    )  # fmt: skip
    assert page.box("P").height == pytest.approx(600)
    assert page.box("L").height > 400
    assert page.box("L").contains(page.box("a"))


def test_pools_lanes_and_nodes_with_positions_stand_as_given(placed: Any) -> None:
    def at(x: float, y: float, width: float, height: float) -> dict[str, Any]:
        return {"mode": "absolute", "x": x, "y": y, "width": width, "height": height}

    boxes = {"P": (40, 40, 800, 300), "L": (64, 40, 776, 150), "M": (64, 190, 776, 150), "a": (120, 80, 100, 60)}
    page = placed(
        pool("P", "L", "M", layout=at(*boxes["P"])), lane("L", "a", layout=at(*boxes["L"])),
        lane("M", layout=at(*boxes["M"])), task("a", layout=at(*boxes["a"])), diagramFamily="workflow",
    )  # fmt: skip
    assert page.placement.boxes == boxes
    assert page.placement.part("P", "header") == (40, 40, 24, 300)
    title, label = page.placement.part("P", "title"), page.sizes["P"].label
    assert title is not None
    assert (title.width, title.height) == (label.height, label.width)
    assert page.placement.part("L", "title") is not None
    assert page.placement.part("L", "header") is None


def _companies(*messages: tuple[str, str]) -> list[dict[str, Any]]:
    names = ("Bank", "Carrier", "Customer", "Shop")
    rows = [row for name in names for row in (pool(name, f"{name}1", f"{name}2"), task(f"{name}1"), task(f"{name}2"))]
    return [*rows, *(edge(first, second) for first, second in messages)]


def _from_the_top(page: Any) -> list[str]:
    return sorted(("Bank", "Carrier", "Customer", "Shop"), key=lambda name: page.box(name).y)


def test_pools_that_exchange_messages_stand_beside_each_other_where_an_order_allows_it(placed: Any) -> None:
    page = placed(*_companies(("Shop1", "Carrier1"), ("Carrier2", "Customer1")))
    assert _from_the_top(page) == ["Bank", "Customer", "Carrier", "Shop"]


@pytest.mark.parametrize(
    "messages",
    [
        (),
        (("Bank1", "Carrier1"), ("Customer1", "Shop2")),
        (("Bank1", "Carrier1"), ("Carrier2", "Customer1"), ("Customer2", "Bank2")),
    ],
)
def test_pools_keep_the_order_of_the_document_where_no_other_helps(placed: Any, messages: Any) -> None:
    assert _from_the_top(placed(*_companies(*messages))) == ["Bank", "Carrier", "Customer", "Shop"]


@pytest.mark.parametrize(("start", "depth"), [(24, 24), (30, 30), (40, 40), (41, 24), (10, 24)])
@pytest.mark.parametrize("upright", [False, True])
def test_the_header_reaches_to_given_lanes_that_begin_a_little_further(
    placed: Any, start: float, depth: float, upright: bool
) -> None:
    at = {"mode": "absolute", "x": 0, "y": 0, "width": 300, "height": 300}
    own = at | {("y" if upright else "x"): start}
    way = {"laneDirection": "vertical" if upright else "horizontal"}
    page = placed(pool("P", "L", layout=at, **way), lane("L", layout=own))
    header = page.placement.part("P", "header")
    assert header == ((0, 0, 300, depth) if upright else (0, 0, depth, 300))
    assert header.contains(page.placement.part("P", "title"))


def test_the_title_of_a_lane_has_a_cell_of_its_size_or_across_its_column(placed: Any) -> None:
    rows = placed(*ORDER, diagramFamily="workflow")
    sales, cell, title = rows.box("Sales"), rows.placement.part("Sales", "cell"), rows.placement.part("Sales", "title")
    assert (cell.x, cell.y) == (sales.x, sales.y)
    assert cell.contains(title)
    assert cell.right - title.right == title.x - cell.x
    upright = placed(
        {**ORDER[0], "laneDirection": "vertical"}, *ORDER[1:3], *map(task, ("take", "bill", "pick", "ship"))
    )
    assert upright.placement.part("Sales", "cell").width == upright.box("Sales").width
    for page in (rows, upright):
        assert all(page.placement.part("Sales", "cell").bottom + 6 <= page.box(one).y for one in ("take", "bill"))


def test_a_cell_is_no_wider_than_its_title_where_content_is_in_the_way(placed: Any) -> None:
    shop = pool("Shop", "Sales", laneDirection="vertical", layout=at(0, 0, 300, 300))
    column = lane("Sales", "take", layout=at(0, 24, 300, 276))
    page = placed(shop, column, task("take", layout=at(180, 30, 100, 60)))
    assert page.placement.part("Sales", "cell").right < 180


LONG = "Department of planning and customer care"
BESIDE = 8  # px; on both sides of a title in its header or cell


@pytest.mark.parametrize("direction", ["horizontal", "vertical"])
@pytest.mark.parametrize("places", [{}, {"layout": {"mode": "absolute", "x": 300, "y": 200}}])
def test_a_pool_is_deep_enough_for_its_title(placed: Any, direction: str, places: dict[str, Any]) -> None:
    page = placed(pool("p", "l", title=LONG, laneDirection=direction), lane("l", "a"), task("a") | places)
    box, title = page.box("p"), page.placement.part("p", "title")
    side = 1 if direction == "horizontal" else 0
    assert box.contains(title)
    assert box[side + 2] == pytest.approx(title[side + 2] + 2 * BESIDE, abs=1)
    assert page.box("l")[side + 2] == box[side + 2]
    assert "TEXT_OVERFLOW" not in page.codes


@pytest.mark.parametrize("direction", ["horizontal", "vertical"])
@pytest.mark.parametrize("places", [{}, {"layout": {"mode": "absolute", "x": 300, "y": 200}}])
def test_a_lane_has_room_for_the_cell_of_its_title(placed: Any, direction: str, places: dict[str, Any]) -> None:
    page = placed(pool("p", "l", laneDirection=direction), lane("l", "a", title=LONG), task("a") | places)
    box, title = page.box("l"), page.placement.part("l", "title")
    assert box.width == pytest.approx(title.width + 2 * BESIDE, abs=1)
    assert title.x - box.x == BESIDE


@pytest.mark.parametrize("direction", ["horizontal", "vertical"])
def test_a_size_of_a_lane_that_its_pool_sets_takes_no_room_from_its_title(placed: Any, direction: str) -> None:
    sized = lane("l", "a", title=LONG, layout={"width": 300})
    page = placed(pool("p", "l", laneDirection=direction), sized, task("a"))
    assert page.box("l").contains(page.placement.part("l", "title"))


def test_lanes_in_a_lane_share_the_room_of_its_title(placed: Any) -> None:
    lanes = (lane("l", "m", "n", title=LONG), lane("m", "a"), lane("n"), lane("o"))
    page = placed(pool("p", "l", "o"), *lanes, task("a"))
    title = page.placement.part("l", "title")
    assert page.box("l").height == pytest.approx(title.height + 2 * BESIDE, abs=2)
    assert page.box("m").height == pytest.approx(page.box("n").height, abs=1)
    assert page.box("o").height < page.box("m").height


def test_an_empty_pool_is_long_enough_for_its_level_title(placed: Any) -> None:
    page = placed(pool("p", title=LONG))
    assert page.box("p").width == pytest.approx(page.placement.part("p", "title").width + 2 * BESIDE, abs=1)


def test_a_title_leaves_a_pool_of_given_size_as_it_is(placed: Any) -> None:
    page = placed(pool("p", "l", title=LONG, layout={"width": 300, "height": 160}), lane("l", "a"), task("a"))
    assert (page.box("p").width, page.box("p").height) == (300, 160)
    assert page.said("TEXT_OVERFLOW").element_id == "p"


@pytest.mark.parametrize("content", [("l",), ()])
def test_a_title_of_two_lines_is_one_line_in_a_header(placed: Any, content: tuple[str, ...]) -> None:
    direction = "horizontal" if content else "vertical"
    whole = pool("p", *content, title="Customer\nand family", laneDirection=direction)
    page = placed(whole, lane("l", "a"), task("a"))
    assert page.placement.part("p", "header").contains(page.placement.part("p", "title"))


def test_a_title_of_two_lines_stays_so_where_a_given_pool_is_too_low_for_one(placed: Any) -> None:
    title, size = "Customer relations\nand their family", {"width": 300, "height": 160}
    page = placed(pool("p", "l", title=title, layout=size), lane("l", "a"), task("a"))
    part = page.placement.part("p", "title")
    assert part.width > 24 > part.width / 2
    assert part.height < 160
