"""Twins: sibling frames of the same form stand side by side and are drawn alike."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from tests.builders import edge, node

from scenograph.engine.geometry.boxes import Box
from scenograph.engine.pipeline import lay_out

Element = dict[str, Any]


def zone(name: str, *steps: str) -> list[Element]:
    ids = [f"{name}-{step}" for step in steps]
    frame = {"id": name, "kind": "frame", "title": name, "children": ids}
    return [*map(node, ids), *(edge(a, b) for a, b in pairwise(ids)), frame]


def boxes(*elements: Element, **root: Any) -> dict[str, Box]:
    scene = {"id": "s", "units": "px"}
    document = {"schemaVersion": "0.1", "diagramFamily": "architecture", "scene": scene, "elements": list(elements)}
    return dict(lay_out({**document, **root}).scene.placement.boxes)


BOTH_WAYS = [edge("a-db", "b-db", label="replicates"), edge("b-db", "a-db", label="fails over")]
ONE_WAY = BOTH_WAYS[:1]
BALANCER = [node("lb"), edge("lb", "a-web"), edge("lb", "b-web")]


@pytest.mark.parametrize("direction", ["TB", "LR"])
@pytest.mark.parametrize("family", ["architecture", "workflow", "network"])
@pytest.mark.parametrize("lines", [[*BALANCER, *BOTH_WAYS], [*BALANCER, *ONE_WAY], BOTH_WAYS, BALANCER])
def test_twins_stand_side_by_side_and_are_drawn_alike(lines: list[Element], family: str, direction: str) -> None:
    zones = [*zone("a", "web", "app", "db"), *zone("b", "web", "app", "db")]
    strategy = {"algorithm": "hierarchical", "direction": direction}
    found = boxes(*zones, *lines, diagramFamily=family, layoutStrategy=strategy)
    a, b = found["a"], found["b"]
    assert (a.width, a.height) == (b.width, b.height)
    assert (a.y == b.y and a.right < b.x) if direction == "TB" else (a.x == b.x and a.bottom < b.y)
    for step in ("web", "app", "db"):
        inner, other = found[f"a-{step}"], found[f"b-{step}"]
        assert (inner.x - a.x, inner.y - a.y) == (other.x - b.x, other.y - b.y)


@pytest.mark.parametrize("direction", ["TB", "LR"])
def test_twins_in_a_frame_stand_side_by_side_for_who_reaches_both_from_outside(direction: str) -> None:
    network = {"id": "vpc", "kind": "frame", "title": "VPC", "children": ["a", "b"]}
    zones = [*zone("a", "web", "db"), *zone("b", "web", "db"), network]
    strategy = {"algorithm": "hierarchical", "direction": direction}
    found = boxes(*zones, *BALANCER, *ONE_WAY, layoutStrategy=strategy)
    a, b = found["a"], found["b"]
    assert (a.y == b.y and a.right < b.x) if direction == "TB" else (a.x == b.x and a.bottom < b.y)


def test_elements_of_twins_keep_their_own_sizes() -> None:
    long = [one | {"label": "orders archive"} if one["id"] == "a-db" else one for one in zone("a", "web", "db")]
    alone = boxes(*long)
    found = boxes(*long, *zone("b", "web", "db"), *BALANCER, *BOTH_WAYS)
    assert found["a-db"][2:] == alone["a-db"][2:]
    assert found["b-db"][2:] != found["a-db"][2:]
    assert found["a-db"].y - found["a"].y == found["b-db"].y - found["b"].y


@pytest.mark.parametrize(("wider", "are_alike"), [(10, True), (16, False)])
def test_twins_with_elements_of_other_sizes_keep_their_own_drawing(wider: int, are_alike: bool) -> None:
    long = [one | {"layout": {"width": 200 + wider}} if one["id"] == "a-db" else one for one in zone("a", "web", "db")]
    wide = [one | {"layout": {"width": 200}} if one["id"] == "b-db" else one for one in zone("b", "web", "db")]
    found = boxes(*long, *wide, *BALANCER, *BOTH_WAYS)
    assert (found["a"].width == found["b"].width) is are_alike


def test_stages_of_one_form_that_follow_each_other_are_no_twins() -> None:
    found = boxes(*zone("a", "web", "app"), *zone("b", "web", "app"), edge("a-app", "b-web"))
    assert found["b"].y > found["a"].bottom


def test_frames_of_another_form_are_no_twins() -> None:
    lines = [*BALANCER, edge("a-db", "b-web")]
    found = boxes(*zone("a", "web", "app", "db"), *zone("b", "web"), *lines)
    assert found["b"].y > found["a"].y


def test_lines_to_a_sibling_of_the_same_form_make_no_twins() -> None:
    steps = [zone(name, "web", "app") for name in "abc"]
    lines = [edge("a-app", "b-web"), edge("b-app", "c-web"), edge("a-app", "c-web")]
    found = boxes(*(one for row in steps for one in row), *lines)
    assert found["a"].bottom < found["b"].y < found["b"].bottom < found["c"].y


def test_tiers_with_as_many_boxes_follow_each_other() -> None:
    tiers = [[node(f"{tier}{i}") for i in range(3)] for tier in "ab"]
    frames = [
        {"id": tier, "kind": "frame", "title": tier, "children": [f"{tier}{i}" for i in range(3)]} for tier in "ab"
    ]
    lines = [edge(f"a{i}", f"b{i}") for i in range(3)]
    watcher = [node("watch"), edge("watch", "a0"), edge("watch", "b2")]
    found = boxes(*tiers[0], *tiers[1], *frames, *lines, *watcher)
    assert found["b"].y > found["a"].bottom


def test_the_database_of_a_twin_that_its_own_steps_leave_aside_stands_as_in_the_other_twin() -> None:
    replica = {**node("b-db"), "nodeType": "database"}
    frame = {"id": "b", "kind": "frame", "title": "Zone b", "children": ["b-web", "b-app", "b-db"]}
    primary = [one | {"nodeType": "database"} if one["id"] == "a-db" else one for one in zone("a", "web", "app", "db")]
    primary[-1] = primary[-1] | {"title": "Zone a"}
    lines = [*BALANCER, edge("b-web", "b-app"), edge("b-app", "a-db"), edge("a-db", "b-db")]
    found = boxes(*primary, node("b-web"), node("b-app"), replica, frame, *lines)
    assert found["a-db"].y == found["b-db"].y > found["b-app"].bottom


@pytest.mark.parametrize(("lines_back", "are_tiers"), [(1, True), (3, False)])
def test_tiers_of_loose_boxes_follow_each_other_although_a_line_leads_back(lines_back: int, are_tiers: bool) -> None:
    ids = {tier: [f"{tier}{i}" for i in range(4)] for tier in "ab"}
    frames = [{"id": tier, "kind": "frame", "title": tier, "children": ids[tier]} for tier in "ab"]
    there = [edge(f"a{i}", f"b{i}") for i in range(3)]
    back = [edge(f"b{3 - i}", f"a{3 - i}") for i in range(lines_back)]
    found = boxes(*map(node, ids["a"]), *map(node, ids["b"]), *frames, *there, *back)
    assert (found["b"].y > found["a"].bottom) is are_tiers


def sites(*names: str) -> list[Element]:
    """Sites of the same kinds of elements, joined differently: the first holds the database that all write to."""
    found: list[Element] = []
    for name, title in zip("abc", names, strict=True):
        ids = [f"{name}-web", f"{name}-db", f"{name}-nat"]
        found += [*map(node, ids), {"id": name, "kind": "frame", "title": title, "children": ids}]
        found += [edge("lb", f"{name}-web"), edge(f"{name}-web", "a-db"), edge(f"{name}-web", f"{name}-nat")]
    return [node("lb"), *found, edge("a-db", "b-db"), edge("a-db", "c-db")]


@pytest.mark.parametrize("names", [("Zone a", "Zone b", "Zone c"), ("site of Bonn", "site of Graz", "site of Kiel")])
def test_frames_named_alike_are_twins_although_they_join_the_same_elements_differently(names: tuple[str, ...]) -> None:
    found = boxes(*sites(*names))
    frames = [found[one] for one in "abc"]
    assert max(one.y for one in frames) < min(one.bottom for one in frames)


def test_frames_named_differently_that_join_their_elements_differently_are_no_twins() -> None:
    found = boxes(*sites("Bonn", "Graz", "Kiel"))
    frames = [found[one] for one in "abc"]
    assert max(one.y for one in frames) >= min(one.bottom for one in frames)


def test_twins_are_not_parted_for_a_fuller_page_alone() -> None:
    users, network = node("users"), {"id": "net", "kind": "frame", "title": "Network", "children": ["lb", *"abc"]}
    found = boxes(users, edge("users", "lb"), *sites("Zone a", "Zone b", "Zone c"), network)
    frames = [found[one] for one in "abc"]
    assert max(one.y for one in frames) < min(one.bottom for one in frames)


@pytest.mark.parametrize(("one", "other", "are_in_order"), [("a-db", "b-db", True), ("b-web", "b-db", False)])
def test_twins_stand_in_document_order_unless_two_more_crossings_come_of_it(
    one: str, other: str, are_in_order: bool
) -> None:
    """Two elements that are joined to a part of the zones each: document order costs a crossing, or two."""
    found = boxes(*sites("Zone a", "Zone b", "Zone c"), node("f"), node("g"), edge("f", one), edge("g", other))
    assert (found["a"].right < found["b"].x < found["b"].right < found["c"].x) is are_in_order
