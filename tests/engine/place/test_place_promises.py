"""The promises of placement over scenes that chance makes up."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scenograph.engine.place.algorithms import ALGORITHMS

SLACK = 0.01


@st.composite
def scenes(draw: st.DrawFn, *, positions: bool = False) -> list[dict[str, Any]]:
    """Nodes of many kinds in nested frames and groups, edges between anything, labels here and there."""
    count = draw(st.integers(1, 9))
    nodes = [_node(draw, f"n{i}", positions=positions) for i in range(count)]
    loose = [node["id"] for node in nodes]
    containers: list[dict[str, Any]] = []
    for i in range(draw(st.integers(0, 4))):
        inside = draw(st.lists(st.sampled_from(loose), unique=True, max_size=4)) if loose else []
        kind = draw(st.sampled_from(["frame", "frame", "group"]))
        container: dict[str, Any] = {"id": f"c{i}", "kind": kind, "children": inside}
        if draw(st.booleans()):
            container["title" if kind == "frame" else "label"] = draw(st.sampled_from(["Area", "A rather long title"]))
        if positions and kind == "frame" and draw(st.integers(0, 3)) == 0:
            size = {"width": draw(st.integers(60, 500)), "height": draw(st.integers(60, 400))}
            container["layout"] = {
                "mode": "absolute",
                "x": draw(st.integers(0, 900)),
                "y": draw(st.integers(0, 900)),
            } | size
        containers.append(container)
        loose = [one for one in loose if one not in inside] + [f"c{i}"]
    ends = st.sampled_from([node["id"] for node in nodes] + [container["id"] for container in containers])
    edges = [
        {"id": f"e{i}", "kind": "edge", "from": {"elementId": draw(ends)}, "to": {"elementId": draw(ends)},
         "label": draw(st.sampled_from(["", "calls", "a label of some length"]))}
        for i in range(draw(st.integers(0, 12)))
    ]  # fmt: skip
    return [*nodes, *containers, *edges]


def _node(draw: st.DrawFn, element_id: str, *, positions: bool) -> dict[str, Any]:
    node: dict[str, Any] = {"id": element_id, "kind": "node", "label": draw(st.sampled_from(["a", "A longer label"]))}
    node["nodeType"] = draw(st.sampled_from(["service", "database", "workflow.start", "workflow.decision"]))
    choice = draw(st.integers(0, 3))
    if choice == 0:
        node["layout"] = {"width": draw(st.integers(20, 300)), "height": draw(st.integers(20, 300))}
    elif choice == 1 and positions:
        node["layout"] = {"mode": "absolute", "x": draw(st.integers(-500, 900)), "y": draw(st.integers(1, 900))}
    return node


strategies = st.fixed_dictionaries(
    {"algorithm": st.sampled_from(list(ALGORITHMS)), "direction": st.sampled_from(["TB", "BT", "LR", "RL"])}
)


def ancestors(elements: list[dict[str, Any]], element_id: str) -> set[str]:
    parent = {child: one["id"] for one in elements for child in one.get("children", ())}
    found: set[str] = set()
    while element_id in parent:
        element_id = parent[element_id]
        found.add(element_id)
    return found


@given(elements=scenes(), strategy=strategies)
@settings(deadline=None, max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_nothing_overlaps_and_children_lie_inside(placed: Any, elements: Any, strategy: Any) -> None:
    page = placed(*elements, layoutStrategy=strategy)
    boxed = [one for one in elements if one["kind"] != "edge"]
    assert set(page.placement.boxes) == {one["id"] for one in boxed}
    above = {one["id"]: ancestors(elements, one["id"]) for one in boxed}
    for first, second in combinations([one["id"] for one in boxed], 2):
        if first in above[second]:
            assert page.box(first).grown(SLACK).contains(page.whole(second))
        elif second in above[first]:
            assert page.box(second).grown(SLACK).contains(page.whole(first))
        else:
            assert not page.whole(first).grown(-SLACK).overlaps(page.whole(second))


@given(elements=scenes(), strategy=strategies)
@settings(deadline=None, max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_titles_lie_in_their_frames_above_all_children(placed: Any, elements: Any, strategy: Any) -> None:
    page = placed(*elements, layoutStrategy=strategy)
    for frame in (one for one in elements if one["kind"] == "frame"):
        title = page.placement.part(frame["id"], "title")
        if title is None:
            continue
        assert page.box(frame["id"]).contains(title)
        assert all(title.bottom <= page.whole(child).y + SLACK for child in frame["children"])


@given(elements=scenes(positions=True), strategy=st.none() | strategies)
@settings(deadline=None, max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_absolute_positions_are_kept_and_placing_again_moves_nothing(placed: Any, elements: Any, strategy: Any) -> None:
    page = placed(*elements, layoutStrategy=strategy)
    for one in elements:
        layout = one.get("layout", {})
        if layout.get("mode") == "absolute":
            assert page.box(one["id"])[:2] == (layout["x"], layout["y"])
        if one["kind"] != "edge":
            x, y, width, height = page.box(one["id"])
            one["layout"] = {"mode": "absolute", "x": x, "y": y, "width": width, "height": height}
    again = placed(*elements, layoutStrategy=strategy)
    assert again.placement.boxes == page.placement.boxes


@given(elements=scenes(positions=True))
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_floating_nodes_overlap_no_node_that_stands(placed: Any, elements: Any) -> None:
    page = placed(*elements)
    nodes = [one for one in elements if one["kind"] == "node"]
    floating = [one["id"] for one in nodes if one.get("layout", {}).get("mode") != "absolute"]
    for one in floating:
        for other in (node["id"] for node in nodes if node["id"] != one):
            assert not page.whole(one).grown(-SLACK).overlaps(page.whole(other))


@given(elements=scenes(positions=True), strategy=st.none() | strategies)
@settings(deadline=None, max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_same_scene_is_placed_the_same(placed: Any, elements: Any, strategy: Any) -> None:
    first, second = (placed(*elements, layoutStrategy=strategy).placement for _ in range(2))
    assert first == second


def test_a_hundred_services_are_placed_in_a_moment(placed: Any) -> None:
    nodes = [{"id": f"n{i}", "kind": "node", "label": f"Service {i}"} for i in range(100)]
    frames = [
        {
            "id": f"f{i}",
            "kind": "frame",
            "title": f"Area {i}",
            "children": [f"n{j}" for j in range(i * 10, i * 10 + 10)],
        }
        for i in range(10)
    ]
    pairs = [(i, (i * 7 + 3) % 100) for i in range(100)] + [(i, i + 1) for i in range(99) if i % 10 != 9]
    edges = [
        {"id": f"e{i}", "kind": "edge", "from": {"elementId": f"n{a}"}, "to": {"elementId": f"n{b}"}}
        for i, (a, b) in enumerate(pairs)
    ]
    page = placed(*nodes, *frames, *edges)
    whole = [page.box(f"n{i}") for i in range(100)]
    assert not [pair for pair in combinations(whole, 2) if pair[0].overlaps(pair[1])]


@pytest.mark.parametrize("depth", [1, 64, 300])
def test_frames_nested_deeply_are_placed(placed: Any, depth: int) -> None:
    frames = [
        {"id": f"f{i}", "kind": "frame", "children": [f"f{i + 1}" if i + 1 < depth else "n"]} for i in range(depth)
    ]
    page = placed({"id": "n", "kind": "node", "label": "core"}, *frames)
    assert page.box("f0").contains(page.box("n"))
    assert page.box("f0").width == pytest.approx(max(page.box("n").width + 48 * depth, page.box("f0").width))
