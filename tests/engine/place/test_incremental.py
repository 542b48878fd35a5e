"""Stability: the last few elements join a layout that the others settle."""

from __future__ import annotations

from statistics import median
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenograph.engine.pipeline import lay_out
from scenograph.engine.place.incremental.established import FEW, established_count, established_ties, is_forest
from scenograph.engine.place.inventory import Tie, layout_cost, take_inventory


def service(element_id: str, **more: Any) -> dict[str, Any]:
    return {"id": element_id, "kind": "node", "label": f"Service {element_id}", **more}


def call(source: str, target: str) -> dict[str, Any]:
    return {
        "id": f"{source}-{target}",
        "kind": "edge",
        "from": {"elementId": source},
        "to": {"elementId": target},
        "label": "calls",
    }


def services(count: int, links: str = "") -> list[dict[str, Any]]:
    """Nodes in threes with cross links, so that they are no tree; `links` adds pairs such as "1>4"."""
    pairs = [(i, i // 2) for i in range(1, count)] + [(i, i + 3) for i in range(0, count - 3, 4)]
    pairs += [tuple(map(int, pair.split(">"))) for pair in links.split()]
    return [service(f"n{i}") for i in range(count)] + [call(f"n{b}", f"n{a}") for a, b in pairs]


def moved(before: Any, after: Any) -> list[str]:
    """Those that stand elsewhere once the common shift of the page is taken away."""
    shared = [one for one in before.placement.boxes if one in after.placement.boxes]
    steps = {one: (after.box(one).x - before.box(one).x, after.box(one).y - before.box(one).y) for one in shared}
    dx, dy = median(x for x, _ in steps.values()), median(y for _, y in steps.values())
    return [one for one, (x, y) in steps.items() if abs(x - dx) > 1 or abs(y - dy) > 1]


@given(st.integers(0, 6000))
def test_most_of_a_document_is_established(count: int) -> None:
    settled = established_count(count)
    assert min(count, FEW) <= settled <= count
    assert count - settled <= max(1, count // 6)
    assert established_count(settled) == settled


@given(st.integers(1, 6000))
def test_one_more_element_keeps_what_is_established_or_adds_to_it(count: int) -> None:
    assert established_count(count) <= established_count(count + 1)


def test_ties_that_bring_in_an_element_are_established_at_once() -> None:
    ring = [Tie(f"n{i}", f"n{(i + 1) % 33}") for i in range(33)]
    assert established_ties([*ring[:32], Tie("n3", "n9")]) == tuple(ring[:32])
    assert established_ties([*ring[:32], Tie("n3", "new")])[-1] == Tie("n3", "new")


@pytest.mark.parametrize(
    ("pairs", "answer"),
    [("a>b a>c c>d", True), ("b>a c>a", True), ("a>b c>d", True), ("a>c b>c c>d c>e", False), ("a>b b>a", False)],
)
def test_trees_have_no_newcomers(pairs: str, *, answer: bool) -> None:
    assert is_forest([Tie(*pair.split(">")) for pair in pairs.split()]) is answer


@pytest.mark.parametrize("direction", ["TB", "BT", "LR", "RL"])
def test_a_node_added_to_twenty_moves_none_of_them(placed: Any, direction: str) -> None:
    strategy = {"algorithm": "hierarchical", "direction": direction}
    old = services(20)
    before = placed(*old, layoutStrategy=strategy)
    after = placed(*old, service("new"), call("n4", "new"), call("new", "n11"), layoutStrategy=strategy)
    assert moved(before, after) == []


def test_a_newcomer_stands_below_what_leads_to_it(placed: Any) -> None:
    page = placed(*services(20), service("new"), call("n4", "new"))
    assert page.box("new").y > page.box("n4").bottom


def test_the_middle_of_a_newcomer_not_of_its_label_stands_in_line_with_what_leads_to_it(placed: Any) -> None:
    kinds = ["start", "gateway", "task", "task", "end"]
    steps = [service(f"n{i}", nodeType=f"workflow.{kind}") for i, kind in enumerate(kinds)]
    lines = [call(f"n{a}", f"n{b}") for a, b in ((0, 1), (1, 2), (1, 3), (2, 4), (3, 4))]
    strategy = {"algorithm": "hierarchical", "direction": "LR"}
    page = placed(*steps, *lines, diagramFamily="workflow", layoutStrategy=strategy)
    assert page.box("n4").center.y == page.box("n2").center.y


def test_an_edge_added_between_many_moves_nothing(placed: Any) -> None:
    before = placed(*services(32))
    after = placed(*services(32), call("n5", "n23"))
    assert moved(before, after) == []


def test_a_loop_added_between_many_gets_the_room_of_its_label(placed: Any) -> None:
    """Lines added late move nothing; a loop needs room beside its box."""
    before = placed(*services(26, "3>9"))
    assert before.box("n22").x - before.box("n23").right < 100  # it stands where the label would be
    loop = {**call("n23", "n23"), "label": "tries again after a while, five times at the most"}
    after = placed(*services(26, "3>9"), loop)
    assert "n22" in moved(before, after)


def test_all_is_laid_out_with_an_edge_that_would_cross_many_others(placed: Any) -> None:
    """Where n22 and n0 stood an edge between them crosses four others."""
    areas = [
        {"id": f"f{i}", "kind": "frame", "title": f"Area {i}", "children": [f"n{j}" for j in range(8 * i, 8 * i + 8)]}
        for i in range(4)
    ]
    before = placed(*services(32), *areas)
    after = placed(*services(32), *areas, call("n22", "n0"))
    inventory = take_inventory(after.scene, after.sizes)
    kept = layout_cost(inventory, before.placement.boxes, "TB").crossings
    assert layout_cost(inventory, after.placement.boxes, "TB").crossings < kept


def test_all_is_laid_out_at_once_where_what_is_inserted_crosses_others_and_lines_cost_less_so(placed: Any) -> None:
    """n10 is inserted, and its line to n2 crosses two others."""
    elements = services(11, "10>2 1>4")
    inserted = placed(*elements)
    inventory = take_inventory(inserted.scene, inserted.sizes)
    scene: dict[str, Any] = {"id": "test", "units": "px", "canvas": {}}
    document: dict[str, Any] = {"schemaVersion": "0.1", "scene": scene, "elements": elements}
    chosen = lay_out(document).scene.placement.boxes
    assert layout_cost(inventory, inserted.placement.boxes, "TB").crossings == 2
    assert layout_cost(inventory, chosen, "TB").crossings == 0


def test_a_node_added_to_a_frame_moves_only_what_stands_beside_the_frame(placed: Any) -> None:
    old = services(20)
    old[5]["nodeType"] = "database"  # the frames are no twins
    titles = ("Shop", "Stock", "Bank", "Post")
    frames = [
        {"id": f"f{i}", "kind": "frame", "title": title, "children": [f"n{j}" for j in range(5 * i, 5 * i + 5)]}
        for i, title in enumerate(titles)
    ]
    before = placed(*old, *frames)
    larger = {**frames[2], "children": [*frames[2]["children"], "new"]}
    after = placed(*old, service("new"), *frames[:2], larger, frames[3], call("n10", "new"))
    assert after.box("f2").contains(after.box("new"))
    assert not {f"n{i}" for i in range(10, 15)} & set(moved(before, after))
    assert len(moved(before, after)) < 10


def test_a_new_frame_with_its_content_joins_what_stands(placed: Any) -> None:
    old = services(30)
    before = placed(*old)
    new = [service("a"), service("b"), {"id": "frame", "kind": "frame", "title": "New", "children": ["a", "b"]}]
    after = placed(*old, *new, call("a", "b"), call("n3", "a"))
    assert moved(before, after) == []
    assert after.box("frame").contains(after.box("b"))


def test_elements_in_pools_and_beside_others_are_no_newcomers(placed: Any) -> None:
    beside = service("new", layout={"mode": "relative", "target": "n2", "relation": "rightOf", "gap": 10})
    page = placed(*services(20), beside)
    assert page.box("new").x == page.box("n2").right + 10


def test_frames_alike_look_alike_though_the_last_node_of_one_is_the_newest(placed: Any) -> None:
    parts, elements, edges = ["agent", "proxy", "runtime", "pods"], list[dict[str, Any]](), list[dict[str, Any]]()
    for number in (1, 2, 3):
        agent, proxy, runtime, pods = names = [f"{part}{number}" for part in parts]
        elements += [service(name) for name in names]
        elements.append({"id": f"inner{number}", "kind": "frame", "title": "Inner", "children": [runtime, pods]})
        outer = [agent, proxy, f"inner{number}"]
        elements.append({"id": f"outer{number}", "kind": "frame", "title": "Outer", "children": outer})
        edges += [call(agent, runtime), call(runtime, pods), call(proxy, pods), call(agent, "hub"), call(proxy, "hub")]
    page = placed(service("hub"), *elements, *edges)
    boxes = [page.box(f"outer{number}") for number in (1, 2, 3)]
    assert len({box.height for box in boxes}) == 1
    assert max(box.width for box in boxes) - min(box.width for box in boxes) <= 10  # their words are not equally wide


@pytest.mark.parametrize("count", [30, 31, 36, 37, 100])
def test_a_force_layout_keeps_its_nodes_where_they_are_when_one_joins(placed: Any, count: int) -> None:
    nodes = [{"id": f"n{i}", "kind": "node", "label": f"n{i}"} for i in range(count + 1)]
    pairs = [(i, (i + 1) % count) for i in range(count)] + [(i, (i * 7 + 3) % count) for i in range(0, count, 3)]
    edges = [
        {"id": f"e{i}", "kind": "edge", "from": {"elementId": f"n{a}"}, "to": {"elementId": f"n{b}"}}
        for i, (a, b) in enumerate(pairs)
    ]
    more = [{"id": "new", "kind": "edge", "from": {"elementId": "n1"}, "to": {"elementId": f"n{count}"}}]
    way = {"layoutStrategy": {"algorithm": "forceDirected"}, "canvas": {}}
    before, after = placed(*nodes[:count], *edges, **way), placed(*nodes, *edges, *more, **way)
    steps = {
        (after.box(f"n{i}").x - before.box(f"n{i}").x, after.box(f"n{i}").y - before.box(f"n{i}").y)
        for i in range(count)
    }
    assert len(steps) == 1
