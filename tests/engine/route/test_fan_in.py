"""Edges that bring one label to one target: who belongs together, what is said, and the trunk they share.
(R-FAN-1, R-FAN-2, R-FAN-4)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scenograph.diagnostics import Report
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.route.fan_in import FanIn, find_fan_in, report_fan_in, row_fans
from scenograph.scene.model import Edge, Element, Endpoint, Frame, Node, Scene, Style

Run = Callable[..., Any]
SUPPRESSED, BUNDLED = "EDGE_LABEL_SUPPRESSED_FANIN", "EDGE_LABEL_FANIN_BUNDLED"
USES = {"label": "uses", "label_size": (40.0, 16.0)}
ARROW = USES | {"end_arrow": "triangle"}
ROW = {"a": (0, 0, 100, 50), "b": (200, 0, 100, 50), "c": (400, 0, 100, 50), "t": (200, 200, 100, 50)}


def edge(name: str, source: str, target: str = "t", label: str | None = "uses", **more: Any) -> Edge:
    ends = {"source": Endpoint(element_id=source), "target": Endpoint(element_id=target, **more.pop("at", {}))}
    return Edge(id=name, kind="edge", label=label, **ends, **more)


def found(*elements: Element) -> FanIn:
    names = {end.element_id for one in elements if isinstance(one, Edge) for end in (one.source, one.target)}
    nodes = [Node(id=name, kind="node") for name in sorted(names)]
    return find_fan_in(Scene(elements=(*nodes, *elements)), {})


def members(groups: FanIn) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    suppressed, bundled = groups.drawn(lambda _: "one place")
    return [group.edges for group in suppressed], [group.edges for group in bundled]


def test_edges_of_one_source_show_their_label_once() -> None:
    assert members(found(edge("e1", "a"), edge("e2", "a"))) == ([("e1", "e2")], [])


@pytest.mark.parametrize("name", ["network.link", "network.wireless", "network.vpn"])
def test_links_of_a_network_share_no_trunk(name: str) -> None:
    assert members(found(edge("e1", "a", edge_type=name), edge("e2", "a", edge_type=name))) == ([], [])


def test_edges_of_unrelated_sources_keep_all_labels() -> None:
    assert members(found(edge("e1", "a"), edge("e2", "b"))) == ([], [("e1", "e2")])


def test_sources_that_one_element_leads_to_are_one_unit() -> None:
    led = edge("e1", "p", "a", None), edge("e2", "p", "b", None)
    assert members(found(*led, edge("e3", "a"), edge("e4", "b"))) == ([("e3", "e4")], [])


def test_two_steps_do_not_make_a_unit() -> None:
    led = edge("e1", "p", "a", None), edge("e2", "p", "q", None), edge("e5", "q", "b", None)
    assert members(found(*led, edge("e3", "a"), edge("e4", "b"))) == ([], [("e3", "e4")])


def test_a_frame_whose_every_member_is_a_source_is_one_unit() -> None:
    frame = Frame(id="f", kind="frame", children=("a", "b"))
    assert members(found(frame, edge("e1", "a"), edge("e2", "b"))) == ([("e1", "e2")], [])


def test_a_frame_with_a_member_that_is_no_source_is_no_unit() -> None:
    frame = Frame(id="f", kind="frame", children=("a", "b", "c"))
    assert members(found(frame, edge("e1", "a"), edge("e2", "b"), edge("e3", "c", "a", None))) == ([], [("e1", "e2")])


def test_units_among_strangers_are_suppressed_inside_and_bundled_with_the_others() -> None:
    mixed = found(edge("e4", "a"), edge("e2", "a"), edge("e3", "b"))
    assert members(mixed) == ([("e2", "e4")], [("e2", "e3")])
    assert mixed.voices == {"e2": (0, 0), "e4": (0, 1)}
    assert set(mixed.trunks) == {"e2", "e3", "e4"}


@pytest.mark.parametrize(
    "other",
    [
        edge("e2", "a", label="Uses"),
        edge("e2", "a", "u"),
        edge("e2", "a", at={"port": "left"}),
        edge("e2", "a", at={"column": "id"}),
        edge("e2", "a", end_arrow="triangle"),
        edge("e2", "a", style=Style(force_label=True)),
        edge("e2", "t"),
        edge("e2", "a", label=None),
        edge("e2", "a", router="straight"),
    ],
    ids=[
        "other case",
        "other target",
        "other port",
        "other column",
        "other marker",
        "forced",
        "loop",
        "no label",
        "other router",
    ],
)
def test_what_differs_in_label_target_or_look_stays_apart(other: Edge) -> None:
    assert found(edge("e1", "a"), other) == FanIn()


def test_labels_without_sources_in_common_never_depend_on_the_order_of_the_document() -> None:
    edges = [edge(f"e{number}", source) for number, source in enumerate("bacab")]
    assert found(*edges) == found(*reversed(edges))


def test_the_remarks_name_groups_and_edges_in_order() -> None:
    report = Report()
    groups = found(edge("e9", "a"), edge("e10", "a"), edge("x", "b", "u"), edge("w", "c", "u"))
    report_fan_in(groups, report, lambda _: "one place")
    suppressed, bundled = report.rows
    assert (suppressed.code, suppressed.path, suppressed.severity) == (SUPPRESSED, "/elements", "info")
    group = {"targetId": "t", "label": "uses", "electedEdgeId": "e9"}
    assert suppressed.data == {"suppressedEdgeIds": ["e10"], "groups": [group | {"suppressedEdgeIds": ["e10"]}]}
    group = {"targetId": "u", "label": "uses", "electedEdgeId": "w"}
    assert (bundled.code, bundled.path, bundled.severity) == (BUNDLED, "/elements", "info")
    assert bundled.data == {"bundledEdgeIds": ["w", "x"], "groups": [group | {"bundledEdgeIds": ["w", "x"]}]}


def test_nothing_is_said_where_nothing_fans_in() -> None:
    report = Report()
    report_fan_in(found(edge("e1", "a"), edge("e2", "b", "u")), report, lambda _: "one place")
    assert report.rows == ()


def test_bundled_edges_end_on_one_line_and_keep_their_labels(routed: Run) -> None:
    drawn = routed(ROW, {"e1": ("a", "t", ARROW), "e2": ("b", "t", ARROW), "e3": ("c", "t", ARROW)})
    assert {drawn.points(name)[-1] for name in ("e1", "e2", "e3")} == {(250.0, 200.0)}
    assert drawn.points("e1")[-2] == drawn.points("e3")[-2]
    boxes = [drawn.label(name) for name in ("e1", "e2", "e3")]
    assert not any(one.overlaps(other) for one in boxes for other in boxes if one is not other)
    assert drawn.said(BUNDLED)["bundledEdgeIds"] == ["e1", "e2", "e3"]


def test_a_suppressed_label_is_shown_once_on_the_trunk(routed: Run) -> None:
    boxes = ROW | {"p": (200, -200, 100, 50)}
    led = {f"p{name}": ("p", name) for name in "abc"}
    drawn = routed(boxes, led | {f"e{name}": (name, "t", ARROW) for name in "abc"})
    assert [drawn[f"e{name}"].label is None for name in "abc"] == [False, True, True]
    label, joint = drawn.label("ea"), max(point[1] for name in "ac" for point in drawn.points(f"e{name}")[:-1])
    assert label.y >= joint
    assert label.bottom <= 200
    assert label.center.x == 250


def test_edges_between_the_same_two_elements_become_one_line(routed: Run) -> None:
    drawn = routed(ROW, {"e1": ("a", "t", ARROW), "e2": ("a", "t", ARROW), "e3": ("a", "t", {"label": "other"})})
    assert drawn.points("e1") == drawn.points("e2") != drawn.points("e3")
    assert drawn["e2"].label is None


def test_the_lines_of_others_keep_off_the_trunk(routed: Run) -> None:
    edges = {"e1": ("a", "t", ARROW), "e2": ("c", "t", ARROW), "e3": ("b", "t", USES | {"label": "asks"})}
    drawn = routed(ROW, edges)
    assert drawn.points("e1")[-1] == drawn.points("e2")[-1]
    assert abs(drawn.points("e3")[-1][0] - drawn.points("e1")[-1][0]) >= 8


def test_a_trunk_goes_round_what_stands_in_its_way(routed: Run) -> None:
    boxes = ROW | {"wall": (180, 100, 140, 40)}
    drawn = routed(boxes, {"e1": ("a", "t", USES), "e2": ("c", "t", USES)})
    assert drawn.grazed() == []
    assert drawn.points("e1")[-1] == drawn.points("e2")[-1]


@pytest.mark.parametrize("router", ["straight", "curved", "polyline"])
@pytest.mark.parametrize("others", [None, "orthogonal", "same"])
def test_a_line_that_its_author_draws_otherwise_joins_no_group_and_keeps_its_label(
    routed: Run, router: str, others: str | None
) -> None:
    pinned = ARROW | {"router": router}
    drawn = routed(ROW, {"e1": ("a", "t", pinned if others == "same" else ARROW), "e2": ("a", "t", pinned)})
    assert drawn["e2"].router == router
    assert drawn.points("e1") != drawn.points("e2")
    assert not drawn.label("e1").overlaps(drawn.label("e2"))
    assert drawn.said(SUPPRESSED) == drawn.said(BUNDLED) == {}


def test_lines_pinned_to_right_angles_share_a_trunk_with_those_that_are_so_by_default(routed: Run) -> None:
    drawn = routed(ROW, {"e1": ("a", "t", ARROW), "e2": ("a", "t", ARROW | {"router": "orthogonal"})})
    assert drawn.points("e1") == drawn.points("e2")
    assert drawn.said(SUPPRESSED)["suppressedEdgeIds"] == ["e2"]


def test_a_source_inside_its_target_stays_out_of_the_trunk(routed: Run) -> None:
    boxes = {"f": (0, 0, 300, 200), "a": (30, 60, 100, 50), "b": (600, 60, 100, 50), "c": (600, 160, 100, 50)}
    drawn = routed(boxes, {f"e{name}": (name, "f", USES) for name in "abc"}, frames={"f": ["a"]})
    assert drawn.points("eb")[-1] == drawn.points("ec")[-1]
    assert Box(0, 0, 300, 200).contains(Box(*drawn.points("ea")[0], 0, 0))
    assert drawn.grazed() == []


def test_sequences_have_no_fan_in(routed: Run) -> None:
    drawn = routed(ROW, {"e1": ("a", "t", USES), "e2": ("a", "t", USES)}, family="sequence")
    assert drawn.said(SUPPRESSED) == drawn.said(BUNDLED) == {}


def test_an_edge_that_shows_its_own_label_takes_no_way_round_the_target_to_join_a_trunk(routed: Run) -> None:
    boxes = {"a": (0, 0, 100, 50), "b": (0, 120, 100, 50), "hub": (300, 60, 100, 50), "far": (600, 60, 100, 50)}
    edges = {name: (name, "hub", {"label": "10G", "label_size": (30, 14)}) for name in ("a", "b", "far")}
    drawn = routed(boxes, edges)
    assert drawn.points("far") == [(600, 85), (400, 85)]
    assert drawn.points("a")[-1] == drawn.points("b")[-1] == (300, 85)
    said = drawn.said(BUNDLED)
    assert said["bundledEdgeIds"] == ["a", "b"]
    assert [group["bundledEdgeIds"] for group in said["groups"]] == [["a", "b"]]


def test_nothing_is_said_of_lines_with_equal_labels_that_enter_by_a_side_each(routed: Run) -> None:
    boxes = {
        "up": (300, 0, 100, 50),
        "down": (300, 400, 100, 50),
        "west": (0, 200, 100, 50),
        "east": (600, 200, 100, 50),
    }
    edges = {name: (name, "hub", {"label": "10G", "label_size": (30, 14)}) for name in boxes}
    drawn = routed(boxes | {"hub": (300, 200, 100, 50)}, edges)
    assert len({drawn.points(name)[-1] for name in boxes}) == 4
    assert drawn.said(BUNDLED) == {}


def test_the_lowest_id_of_those_that_are_drawn_together_is_the_elected_one(routed: Run) -> None:
    boxes = {"a": (0, 0, 100, 50), "b": (0, 120, 100, 50), "hub": (300, 60, 100, 50), "far": (600, 60, 100, 50)}
    names = {"e3": "a", "e2": "b", "e1": "far"}
    drawn = routed(
        boxes, {edge: (name, "hub", {"label": "10G", "label_size": (30, 14)}) for edge, name in names.items()}
    )
    (group,) = drawn.said(BUNDLED)["groups"]
    assert (group["electedEdgeId"], group["bundledEdgeIds"]) == ("e2", ["e2", "e3"])


SHORT = {"label": "10G", "label_size": (30, 14)}
BOTH_SIDES = {
    "a": (0, 0, 100, 50),
    "b": (0, 120, 100, 50),
    "hub": (300, 60, 100, 50),
    "c": (600, 0, 100, 50),
    "d": (600, 120, 100, 50),
}


def test_lines_that_stay_out_of_a_trunk_share_one_of_their_own(routed: Run) -> None:
    drawn = routed(BOTH_SIDES, {name: (name, "hub", SHORT) for name in "abcd"})
    assert drawn.points("a")[-1] == drawn.points("b")[-1] == (300, 85)
    assert drawn.points("c")[-1] == drawn.points("d")[-1] == (400, 85)
    said = drawn.said(BUNDLED)
    assert said["bundledEdgeIds"] == ["a", "b", "c", "d"]
    assert [group["bundledEdgeIds"] for group in said["groups"]] == [["a", "b"], ["c", "d"]]


def test_lines_with_one_label_stay_apart_where_a_stranger_would_have_to_cross_them(routed: Run) -> None:
    boxes = BOTH_SIDES | {"x": (600, 60, 100, 50)}
    drawn = routed(boxes, {name: (name, "hub", SHORT) for name in "abcd"} | {"x": ("x", "hub", {})})
    (c, d), x = (drawn.points(name)[-1] for name in "cd"), drawn.points("x")
    assert x == [(600, 85), (400, 85)]
    assert c[1] < 85 < d[1]


def test_a_line_takes_another_side_to_join_others_where_that_is_no_long_way(routed: Run) -> None:
    boxes = {name: (200 * number, 0, 100, 50) for number, name in enumerate("abc")} | {
        "hub": (200, 200, 100, 50),
        "low": (0, 320, 100, 50),
        "lower": (0, 420, 100, 50),
    }
    drawn = routed(boxes, {name: (name, "hub", SHORT) for name in (*"abc", "low", "lower")})
    assert drawn.points("b") == [(250, 50), (250, 200)]
    assert drawn.points("c")[-1] == (250, 200)
    assert drawn.points("a")[-1] == drawn.points("low")[-1] == drawn.points("lower")[-1] == (200, 225)


def test_the_label_of_a_hidden_edge_is_shown_by_the_next_of_its_group(routed: Run) -> None:
    edges = {"e1": ("a", "t", ARROW | {"visible": False}), "e2": ("a", "t", ARROW), "e3": ("a", "t", ARROW)}
    drawn = routed(ROW, edges)
    assert (drawn["e2"].label is None, drawn["e3"].label is None) == (False, True)
    (group,) = drawn.said(SUPPRESSED)["groups"]
    assert (group["electedEdgeId"], group["suppressedEdgeIds"]) == ("e2", ["e3"])


def test_two_edges_from_one_source_inside_their_target_are_drawn_as_one(routed: Run) -> None:
    boxes = {"f": (0, 0, 300, 200), "a": (30, 60, 100, 50)}
    drawn = routed(boxes, dict.fromkeys(("e1", "e2"), ("a", "f", USES)), frames={"f": ["a"]})
    assert drawn.points("e1") == drawn.points("e2")
    assert drawn["e2"].label is None
    assert drawn.said(SUPPRESSED)["suppressedEdgeIds"] == ["e2"]


def test_a_group_is_told_by_the_places_where_its_edges_are_drawn() -> None:
    led = [edge(f"p{name}", "p", name, None) for name in "abcd"]
    places = {"e1": "west", "e2": "east", "e3": "east", "e4": None, "e5": "west"}
    suppressed, bundled = found(*led, *(edge(f"e{n}", s) for n, s in enumerate("abcdx", start=1))).drawn(places.get)
    assert [(group.elected, group.edges) for group in suppressed] == [("e2", ("e2", "e3"))]
    assert [(group.elected, group.edges) for group in bundled] == [("e1", ("e1", "e5"))]


CELLS = [(220 * column, 130 * row) for column in range(5) for row in range(5) if (column, row) != (2, 2)]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(CELLS), min_size=3, max_size=12, unique=True), st.data())
def test_every_label_that_is_not_drawn_is_seen_on_the_trunk_of_its_edge(
    routed: Run, cells: list[tuple[int, int]], data: st.DataObject
) -> None:
    names = [f"s{number}" for number in range(len(cells))]
    led, pairs = data.draw(st.sets(st.sampled_from(names))), data.draw(st.sets(st.sampled_from(names)))
    boxes = {name: (*cell, 100, 50) for name, cell in zip(names, cells, strict=True)}
    boxes |= {"hub": (440, 260, 100, 50), "p": (-300, -300, 100, 50)}
    edges = {f"e{name}": (name, "hub", SHORT) for name in names} | {f"t{name}": (name, "hub", SHORT) for name in pairs}
    drawn = routed(boxes, edges | {f"p{name}": ("p", name) for name in led})
    groups = [group for code in (SUPPRESSED, BUNDLED) for group in drawn.said(code).get("groups", [])]
    hidden = {name: group["electedEdgeId"] for group in groups for name in group.get("suppressedEdgeIds", ())}
    assert {name for name in edges if drawn[name].label is None} == hidden.keys()
    assert all(drawn.points(name)[-1] == drawn.points(elected)[-1] for name, elected in hidden.items())
    assert all(drawn[elected].label is not None for elected in hidden.values())
    for group in groups:
        ends = {drawn.points(name)[-1] for name in group.get("bundledEdgeIds", ())}
        assert len(ends) <= 1


ROUND_ABOUT = {
    "hub": (2000, 2000, 96, 48),
    "a": (1820, 640, 96, 48),
    "b": (3120, 3840, 96, 48),
    "c": (1040, 2000, 96, 48),
    "d": (1690, 3120, 96, 48),
    "e": (3640, 720, 96, 48),
    "f": (2210, 3680, 96, 48),
    "g": (3770, 2000, 96, 48),
    "h": (0, 1760, 96, 48),
}


def test_the_lines_of_a_small_trunk_go_to_another_together(routed: Run) -> None:
    drawn = routed(ROUND_ABOUT, {name: (name, "hub", SHORT) for name in "abcdefgh"})
    ends = {name: drawn.points(name)[-1] for name in "abcdefgh"}
    assert set(ends.values()) == {(2000, 2024), (2096, 2024)}
    assert [name for name, end in ends.items() if end == (2000, 2024)] == ["a", "c", "d", "h"]


@pytest.mark.parametrize("count", [40, 120, 300])
def test_of_a_large_crowd_few_lines_stay_out_of_the_trunk(routed: Run, count: int) -> None:
    columns = {f"n{at}": (900.0 * (at % 2), 70.0 * (at // 2), 96, 48) for at in range(count)}
    boxes = {"hub": (450, 17.5 * count, 96, 48), **columns}
    drawn = routed(boxes, {name: (name, "hub", SHORT) for name in columns})
    assert len({drawn.points(name)[-1] for name in columns}) <= 8


@pytest.mark.parametrize(("router", "fans"), [("orthogonal", 1), ("straight", 0)])
def test_more_than_two_lines_to_a_row_share_its_end_unless_they_are_straight(router: str, fans: int) -> None:
    keys = [edge(f"e{name}", name, label=None, router=router, at={"column": "id"}) for name in "abc"]
    nodes = [Node(id=name, kind="node") for name in "abct"]
    assert len(set(row_fans(Scene(elements=(*nodes, *keys)), {}).values())) == fans
    assert row_fans(Scene(elements=(*nodes, *keys[:2])), {}) == {}
