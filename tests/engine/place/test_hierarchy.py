"""What the layered algorithms promise about the order and the direction of a scene without positions."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import edge, frame, node

from scenograph.engine.pipeline import lay_out
from scenograph.engine.route.routing import line_cost
from scenograph.scene.model import Edge

CHAIN = (node("a"), node("b"), node("c"), edge("a", "b"), edge("b", "c"))


@pytest.mark.parametrize(
    ("direction", "before"),
    [
        ("TB", lambda a, b: a.bottom < b.y and a.center.x == pytest.approx(b.center.x)),
        ("BT", lambda a, b: b.bottom < a.y and a.center.x == pytest.approx(b.center.x)),
        ("LR", lambda a, b: a.right < b.x and a.center.y == pytest.approx(b.center.y)),
        ("RL", lambda a, b: b.right < a.x and a.center.y == pytest.approx(b.center.y)),
    ],
)
@pytest.mark.parametrize("algorithm", ["hierarchical", "flow"])
def test_a_chain_follows_the_direction_on_one_line(placed: Any, algorithm: str, direction: str, before: Any) -> None:
    page = placed(*CHAIN, layoutStrategy={"algorithm": algorithm, "direction": direction})
    assert before(page.box("a"), page.box("b"))
    assert before(page.box("b"), page.box("c"))


def test_without_strategy_and_positions_the_scene_flows_downwards(placed: Any) -> None:
    page = placed(*CHAIN)
    assert page.box("b").y - page.box("a").bottom == pytest.approx(72)


def test_flow_runs_to_the_right_by_default(placed: Any) -> None:
    page = placed(*CHAIN, layoutStrategy={"algorithm": "flow"})
    assert page.box("a").right < page.box("b").x


def test_spacing_is_taken_from_the_strategy(placed: Any) -> None:
    strategy = {"algorithm": "hierarchical", "nodeSpacing": 100, "rankSpacing": 30}
    page = placed(node("a"), node("b"), node("c"), edge("a", "b"), edge("a", "c"), layoutStrategy=strategy)
    assert page.box("b").y - page.box("a").bottom == pytest.approx(30)
    assert page.box("c").x - page.box("b").right == pytest.approx(100)


def test_without_a_strategy_ranks_are_72_px_apart_and_neighbours_48(placed: Any) -> None:
    page = placed(node("a"), node("b"), node("c"), edge("a", "b"), edge("a", "c"))
    assert page.box("b").y - page.box("a").bottom == pytest.approx(72)
    assert page.box("c").x - page.box("b").right == pytest.approx(48)


def test_a_parent_stands_in_the_middle_over_its_children_in_document_order(placed: Any) -> None:
    page = placed(node("a"), node("b"), node("c"), edge("a", "b"), edge("a", "c"))
    assert page.box("b").right < page.box("c").x
    assert page.box("a").center.x == pytest.approx((page.box("b").center.x + page.box("c").center.x) / 2)


def test_sources_stand_in_the_middle_over_their_only_target(placed: Any) -> None:
    page = placed(node("a"), node("b"), node("c"), edge("a", "c"), edge("b", "c"))
    assert page.box("a").right < page.box("b").x
    assert page.box("c").center.x == pytest.approx((page.box("a").center.x + page.box("b").center.x) / 2)


def test_the_longest_path_of_a_flow_is_one_straight_line(placed: Any) -> None:
    side = (node("x"), edge("b", "x"), edge("x", "d"))
    page = placed(*CHAIN, node("d"), edge("c", "d"), *side, edge("a", "d"), layoutStrategy={"algorithm": "flow"})
    line = page.box("a").center.y
    assert all(page.box(one).center.y == pytest.approx(line) for one in "abd")


def test_the_longest_path_of_a_flow_is_straight_beside_the_many_leaves_of_a_hub_too(placed: Any) -> None:
    leaves = [one for at in range(8) for one in (node(f"l{at}"), edge("b", f"l{at}"))]
    page = placed(*CHAIN, node("d"), edge("c", "d"), *leaves, layoutStrategy={"algorithm": "flow", "direction": "LR"})
    assert page.box("a").center.y == page.box("b").center.y == page.box("c").center.y == page.box("d").center.y


def test_a_label_between_ranks_side_by_side_has_room(placed: Any) -> None:
    label = "a long remark on the way from here to there"
    page = placed(node("a"), node("b"), edge("a", "b", label=label), layoutStrategy={"algorithm": "flow"})
    assert page.box("b").x - page.box("a").right >= page.sizes["a-b"].width + 24


def test_labels_of_parallel_edges_have_room_one_above_the_other(placed: Any) -> None:
    edges = [edge("a", "b", label=f"remark {i}") | {"id": f"e{i}"} for i in range(6)]
    page = placed(node("a"), node("b"), *edges)
    assert page.box("b").y - page.box("a").bottom >= sum(page.sizes[f"e{i}"].height for i in range(6))


def test_a_label_below_a_node_keeps_the_next_rank_away_and_the_line_straight(placed: Any) -> None:
    start = node("start", nodeType="workflow.start", label="A long name below the circle")
    page = placed(start, node("b"), edge("start", "b"), layoutStrategy={"algorithm": "flow"}, diagramFamily="workflow")
    assert page.box("start").center.y == pytest.approx(page.box("b").center.y)
    downwards = {"algorithm": "hierarchical", "direction": "TB"}
    down = placed(start, node("b"), edge("start", "b"), layoutStrategy=downwards, diagramFamily="workflow")
    assert down.box("b").y - down.whole("start").bottom == pytest.approx(72, abs=1)


def test_small_boxes_in_a_rank_of_tall_ones_are_drawn_to_their_neighbours(placed: Any) -> None:
    tall = node("tall", layout={"width": 160, "height": 400})
    page = placed(node("top"), tall, node("small"), edge("top", "tall"), edge("top", "small"))
    assert page.box("small").y == pytest.approx(page.box("tall").y)


def test_cycles_self_loops_and_two_way_edges_are_laid_out(placed: Any) -> None:
    page = placed(*CHAIN, edge("c", "a"), edge("b", "b"), edge("b", "a"))
    boxes = [page.box(one) for one in "abc"]
    assert not any(a.overlaps(b) for a in boxes for b in boxes if a is not b)


def test_unconnected_parts_fill_a_page_like_the_canvas(placed: Any) -> None:
    page = placed(*(node(f"n{i}") for i in range(24)))
    boxes = [page.box(f"n{i}") for i in range(24)]
    width = max(box.right for box in boxes) - min(box.x for box in boxes)
    height = max(box.bottom for box in boxes) - min(box.y for box in boxes)
    assert 0.75 < width / height < 3
    assert [(box.y, box.x) for box in boxes] == sorted((box.y, box.x) for box in boxes)


def test_children_that_others_point_at_stand_in_the_order_of_these(placed: Any) -> None:
    page = placed(
        node("left"), node("right"), frame("stores", "second", "first"), node("first"), node("second"),
        edge("left", "first"), edge("right", "second"),
        node("top"), edge("top", "left"), edge("top", "right"),
    )  # fmt: skip
    sources = page.box("left").x < page.box("right").x
    targets = page.box("first").x < page.box("second").x
    assert sources == targets


def test_many_leaves_are_stacked_so_that_the_page_stays_readable(placed: Any) -> None:
    groups = [f"g{i}" for i in range(14)]
    leaves = [(group, f"{group}-{i}") for group in groups for i in range(3)]
    page = placed(
        node("root"), *map(node, groups), *(node(leaf) for _, leaf in leaves),
        *(edge("root", group) for group in groups), *(edge(group, leaf) for group, leaf in leaves),
    )  # fmt: skip
    boxes = list(page.placement.boxes.values())
    width = max(box.right for box in boxes) - min(box.x for box in boxes)
    height = max(box.bottom for box in boxes) - min(box.y for box in boxes)
    assert width / height < 3
    stack = [page.box(f"g0-{i}") for i in range(3)]
    assert len({box.x for box in stack}) == 1
    assert stack[0].bottom < stack[1].y < stack[2].y


def star(count: int, **members: Any) -> list[dict[str, Any]]:
    leaves = [f"leaf {i}" for i in range(count)]
    return [node("hub"), *map(node, leaves), *(edge("hub", leaf, **members) for leaf in leaves)]


def test_stacks_of_leaves_have_room_for_a_line_to_each_leaf_and_for_its_label(placed: Any) -> None:
    page = placed(*star(9))
    assert page.box("leaf 5").x - page.box("leaf 0").right == 2 * 16 + 8 * 12  # all nine run between two columns
    labelled = placed(*of_four_colours(star(14, label="reads")))
    width = labelled.sizes["hub-leaf 0"].width
    assert labelled.box("leaf 5").x - labelled.box("leaf 0").right == pytest.approx(2 * 16 + 4 * 12 + width + 32, abs=1)


def of_four_colours(elements: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A star with lines of four looks, which share no trunk."""
    looks = [{"style": {"stroke": f"#{number}04080"}} for number in range(4)]
    return [one | (looks[at % 4] if one["kind"] == "edge" else {}) for at, one in enumerate(elements)]


def test_the_parent_of_many_stacks_stands_in_the_middle_above_with_room_for_its_lines(placed: Any) -> None:
    page = placed(*of_four_colours(star(40)))
    leaves = [page.box(f"leaf {i}") for i in range(40)]
    assert page.box("hub").center.x == pytest.approx((leaves[0].x + leaves[-1].right) / 2)
    rows = len({one.y for one in leaves})
    assert leaves[0].y - page.box("hub").bottom == 24 + 12 * (40 - 2 * rows) / 2


@pytest.mark.parametrize("wish", [1.0, 1.78, 2.5])
@pytest.mark.parametrize("count", [12, 16, 20, 24, 40])
def test_the_reports_of_one_manager_are_stacked_as_high_as_a_wish_asks(count: int, wish: float) -> None:
    document = {
        "schemaVersion": "0.1", "diagramFamily": "orgchart", "scene": {"id": "s", "units": "px", "canvas": {}},
        "elements": star(count), "layoutStrategy": {"algorithm": "hierarchical", "aspectRatio": wish},
    }  # fmt: skip
    scene = lay_out(document).scene
    shape = scene.canvas.width / scene.canvas.height
    assert max(shape / wish, wish / shape) <= 1.25
    assert len({one.x for one in map(scene.placement.boxes.__getitem__, (f"leaf {i}" for i in range(count)))}) < 9


@pytest.mark.parametrize("members", [{}, {"label": "topic"}])
def test_lines_to_forty_leaves_hardly_cross(members: dict[str, Any]) -> None:
    elements = star(40)
    for number, one in enumerate(elements):
        one.update({"label": f"{members['label']} {number}"} if members and one["kind"] == "edge" else {})
    document = {
        "schemaVersion": "0.1", "diagramFamily": "architecture", "elements": elements,
        "scene": {"id": "s", "units": "px", "canvas": {}},
    }  # fmt: skip
    scene = lay_out(document).scene
    ends = {one.id: one.ends for one in scene.scene.elements if isinstance(one, Edge)}
    assert line_cost(scene.routes, ends).crossings <= 10
    assert scene.canvas.width / scene.canvas.height < 2.5


def test_leaves_that_fit_on_the_page_stay_in_one_rank(placed: Any) -> None:
    page = placed(node("root"), *(node(f"n{i}") for i in range(6)), *(edge("root", f"n{i}") for i in range(6)))
    assert len({page.box(f"n{i}").y for i in range(6)}) == 1


def test_the_label_of_a_self_loop_has_room_beside_its_node(placed: Any) -> None:
    page = placed(node("a"), node("b"), node("c"), edge("a", "b"), edge("a", "c"), edge("b", "b", label="reports to"))
    assert page.box("c").x - page.box("b").right >= page.sizes["b-b"].width + 48
