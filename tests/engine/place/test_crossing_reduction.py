"""Crossings between containers are taken out by exchanging what stands beside each other."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scenograph.engine.geometry.boxes import Box
from scenograph.engine.place.containers.composing import ComposedLayout, with_fewer_crossings
from scenograph.engine.place.inventory import Inventory, Tie, layout_cost


def crossings(boxes: dict[str, Box], ties: list[Tie]) -> int:
    return layout_cost(Inventory({}, {"": ()}, tuple(ties), {}), boxes, "TB").crossings


def test_two_neighbours_change_places() -> None:
    boxes = {"a": Box(0, 0, 80, 40), "b": Box(140, 0, 120, 40), "c": Box(0, 100, 80, 40), "d": Box(140, 100, 80, 40)}
    ties = [Tie("a", "d"), Tie("b", "c")]
    found = with_fewer_crossings(
        ComposedLayout(dict(boxes), ties, [("a", "b")], {one: (one,) for one in boxes}), rounds=3
    )
    assert found["b"].x < found["a"].x
    assert (min(box.x for box in found.values()), found["a"].right) == (0, 260)
    assert (found["c"], found["d"]) == (boxes["c"], boxes["d"])


def test_a_content_is_mirrored_with_all_that_it_holds() -> None:
    row = ("f", "g", "h")
    boxes = {one: Box(200.0 * i, 0, 150, 80) for i, one in enumerate(row)}
    boxes |= {f"{one}1": Box(200.0 * i + 20, 20, 50, 40) for i, one in enumerate(row)}
    boxes |= {f"low{i}": Box(200.0 * i, 300, 80, 40) for i in range(3)}
    ties = [Tie("f1", "low2"), Tie("g1", "low1"), Tie("h1", "low0")]
    inside = {one: (one, f"{one}1") for one in row}
    found = with_fewer_crossings(ComposedLayout(dict(boxes), ties, [row], inside), rounds=3)
    assert [found[one].x for one in row] == [400, 200, 0]
    assert found["f"].contains(found["f1"])
    assert crossings(found, ties) == 0


@st.composite
def layouts(draw: st.DrawFn) -> tuple[dict[str, Box], list[Tie]]:
    boxes: dict[str, Box] = {}
    for rank in range(draw(st.integers(2, 4))):
        x = 0.0
        for _ in range(draw(st.integers(1, 4))):
            width = draw(st.sampled_from([40.0, 100.0, 220.0]))
            boxes[f"n{len(boxes)}"] = Box(x, 120.0 * rank, width, 40.0)
            x += width + 48.0
    ends = st.sampled_from(list(boxes))
    pairs = draw(st.lists(st.tuples(ends, ends), max_size=14))
    return boxes, [Tie(first, second) for first, second in pairs if first != second]


@given(layouts())
def test_crossings_never_grow_and_nothing_comes_to_overlap(case: tuple[dict[str, Box], list[Tie]]) -> None:
    boxes, ties = case
    found = with_fewer_crossings(
        ComposedLayout(dict(boxes), ties, [tuple(boxes)], {one: (one,) for one in boxes}), rounds=3
    )
    assert crossings(found, ties) <= crossings(boxes, ties)
    assert all(found[one][1:] == boxes[one][1:] for one in boxes)
    assert not [pair for pair in combinations(found.values(), 2) if pair[0].overlaps(pair[1])]


def test_lines_between_frames_do_not_cross_for_the_order_inside_them(placed: Any) -> None:
    nodes = [{"id": one, "kind": "node", "label": f"Service {one}"} for one in "abcdxyzw"]
    frames = [
        {"id": "upper", "kind": "frame", "title": "Upper", "children": list("abcd")},
        {"id": "lower", "kind": "frame", "title": "Lower", "children": list("xyzw")},
    ]
    edges = [
        {"id": f"{a}{b}", "kind": "edge", "from": {"elementId": a}, "to": {"elementId": b}}
        for a, b in zip("abcd", "wyxz", strict=True)
    ]
    page = placed(*nodes, *frames, *edges)
    assert crossings(dict(page.placement.boxes), [Tie(a, b) for a, b in zip("abcd", "wyxz", strict=True)]) == 0


def test_a_grid_keeps_its_order_whatever_crosses(placed: Any) -> None:
    nodes = [{"id": one, "kind": "node", "label": one} for one in "abcd"]
    frame = {"id": "f", "kind": "frame", "children": ["a", "b"]}
    edges = [
        {"id": f"{a}{b}", "kind": "edge", "from": {"elementId": a}, "to": {"elementId": b}} for a, b in ("ad", "bc")
    ]
    page = placed(*nodes, frame, *edges, layoutStrategy={"algorithm": "grid", "columns": 2})
    assert page.box("a").x < page.box("b").x
