"""Where edges leave and enter: facing sides, straight lines, ports, frames, loops. (R-ROUTE-2, R-ROUTE-8)"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import hypot
from typing import Any

import pytest

from scenograph.engine.geometry.boxes import Box
from scenograph.engine.pipeline import lay_out
from scenograph.scene.model import LayoutStrategy, Port

Run = Callable[..., Any]
LEFT, RIGHT = (0, 0, 100, 50), (300, 10, 100, 50)


def test_the_anchor_moves_to_the_coordinate_of_the_source_within_the_extent_of_the_target(routed: Run) -> None:
    assert routed({"a": LEFT, "b": RIGHT}, {"e": ("a", "b")}).points("e") == [(100, 25), (300, 25)]


def test_beyond_that_extent_the_target_is_entered_at_the_centre_of_the_facing_side(routed: Run) -> None:
    points = routed({"a": LEFT, "b": (400, 120, 100, 50)}, {"e": ("a", "b")}).points("e")
    assert points[-1] == (400, 145)
    assert points[0][0] == 100


@pytest.mark.parametrize(
    ("box", "end"),
    [((0, 300, 100, 50), (50, 300)), ((0, -300, 100, 50), (50, -250)), ((-300, 0, 100, 50), (-200, 25))],
)
def test_every_direction_has_its_side(routed: Run, box: tuple[int, ...], end: tuple[int, int]) -> None:
    assert routed({"a": LEFT, "b": box}, {"e": ("a", "b")}).points("e")[-1] == end


def test_a_wide_source_moves_its_anchor_for_a_straight_line(routed: Run) -> None:
    points = routed({"a": (0, 0, 600, 50), "b": (20, 200, 80, 40)}, {"e": ("a", "b")}).points("e")
    assert points == [(60, 50), (60, 200)]


def test_in_a_layered_layout_edges_enter_along_the_flow_and_leave_where_that_saves_a_turn(routed: Run) -> None:
    boxes = {"a": (300, 0, 100, 50), "b": (0, 150, 100, 50), "c": (600, 150, 100, 50)}
    drawn = routed(boxes, {"e": ("a", "b"), "f": ("a", "c")}, strategy=LayoutStrategy())
    assert drawn.points("e") == [(300, 25), (50, 25), (50, 150)]
    assert drawn.points("f") == [(400, 25), (650, 25), (650, 150)]


def test_a_message_flow_enters_across_the_flow(routed: Run) -> None:
    boxes = {"a": LEFT, "b": (300, 200, 100, 50)}
    strategy = LayoutStrategy(algorithm="flow", direction="LR")
    kinds = {"message": "workflow.messageFlow", "step": "workflow.sequenceFlow"}
    sides = {
        name: [
            routed(boxes, {"e": ("a", "b", {"edge_type": kind})}, strategy=strategy).points("e")[end] for end in (0, -1)
        ]
        for name, kind in kinds.items()
    }
    assert sides == {"message": [(100, 25), (350, 200)], "step": [(100, 25), (300, 225)]}


def test_a_side_that_has_no_room_for_all_who_could_leave_by_it_is_left_to_none(routed: Run) -> None:
    boxes = {"a": (900, 0, 100, 50)} | {f"b{i}": (i * 180, 150, 100, 50) for i in range(4)}
    drawn = routed(boxes, {f"e{i}": ("a", f"b{i}") for i in range(4)}, strategy=LayoutStrategy())
    assert {drawn.points(f"e{i}")[0][1] for i in range(4)} == {50}


def test_declared_ports_are_met_exactly(routed: Run) -> None:
    port = Port(id="out", side="bottom", offset=0.25)
    drawn = routed(
        {"a": LEFT, "b": (300, 200, 100, 50)},
        {"e": ("a", "b", {"source": {"port": "out"}})},
        nodes={"a": {"ports": (port,)}},
    )
    assert drawn.points("e")[0] == (25, 50)


@pytest.mark.parametrize(
    ("side", "at"), [("top", (50, 0)), ("right", (100, 25)), ("bottom", (50, 50)), ("left", (0, 25))]
)
def test_the_side_names_are_ports_at_the_middle(routed: Run, side: str, at: tuple[int, int]) -> None:
    drawn = routed({"a": LEFT, "b": (300, 13, 100, 50)}, {"e": ("a", "b", {"source": {"port": side}})})
    assert drawn.points("e")[0] == at


def test_an_edge_with_a_column_ends_at_its_row(routed: Run) -> None:
    row = Box(300, 82, 160, 22)
    drawn = routed(
        {"a": LEFT, "b": (300, 20, 160, 200)},
        {"e": ("a", "b", {"target": {"column": "id"}})},
        parts={"b": {"column:id": row}},
    )
    assert drawn.points("e")[-1] == (300, 93)


def test_an_edge_may_end_at_a_frame_and_what_stands_inside_does_not_matter(routed: Run) -> None:
    boxes = {"a": LEFT, "f": (300, -40, 200, 200), "in": (310, 0, 100, 50)}
    drawn = routed(boxes, {"e": ("a", "f")}, frames={"f": ["in"]})
    assert drawn.points("e") == [(100, 25), (300, 25)]
    assert drawn.grazed() == []


def test_an_edge_joins_a_frame_with_what_it_holds_from_inside(routed: Run) -> None:
    boxes = {"f": (0, 0, 400, 200), "in": (250, 80, 100, 50)}
    drawn = routed(boxes, {"e": ("f", "in")}, frames={"f": ["in"]})
    assert drawn.points("e") == [(400, 105), (350, 105)]


def test_ancestors_may_be_crossed_and_strange_frames_are_not(routed: Run) -> None:
    boxes = {"home": (-50, -60, 250, 180), "a": LEFT, "b": (700, 0, 100, 50), "other": (300, -100, 200, 200)}
    drawn = routed(boxes, {"e": ("a", "b")}, frames={"home": ["a"], "other": []})
    inside = [(x, y) for x, y in drawn.points("e") if 300 < x < 500 and -100 < y < 100]
    assert inside == []
    assert len(drawn.points("e")) == 4


def test_lanes_let_edges_pass(routed: Run) -> None:
    boxes = {"a": LEFT, "b": (0, 400, 100, 50), "lane": (-50, 150, 400, 100)}
    drawn = routed(boxes, {"e": ("a", "b")}, frames={"lane": []}, frame_types={"lane": "lane"})
    assert drawn.points("e") == [(50, 50), (50, 400)]


def test_a_loop_is_small_and_takes_a_free_corner(routed: Run) -> None:
    drawn = routed({"a": LEFT, "b": (110, -60, 80, 60)}, {"e": ("a", "a")})
    points = drawn.points("e")
    assert len(points) == 5
    assert not any(110 < x < 190 and -60 < y < 0 for x, y in points)
    assert all(-40 <= x <= 140 and -40 <= y <= 90 for x, y in points)


def test_routes_end_on_the_outline_of_the_shape(routed: Run) -> None:
    boxes = {"a": (0, 0, 100, 100), "b": (300, 20, 100, 100)}
    drawn = routed(boxes, {"e": ("a", "b")}, shapes={"a": "ellipse", "b": "diamond"})
    (start, y), end = drawn.points("e")
    assert hypot(start - 50, y - 50) == pytest.approx(50, abs=0.05)
    assert end == pytest.approx((320, 50), abs=0.05)


@pytest.mark.parametrize("kind", ["workflow.gateway", "workflow.decision", "er.relationship", "uiflow.decision"])
def test_a_straight_line_meets_the_diamond_of_a_notation_in_its_vertex(routed: Run, kind: str) -> None:
    boxes = {"a": (0, 0, 100, 80), "b": (300, 20, 100, 100)}
    drawn = routed(boxes, {"to": ("a", "b")}, nodes={"b": {"shape": "diamond", "node_type": kind}})
    assert drawn.points("to") == [(100, 70), (300, 70)]


def test_a_straight_line_leaves_a_diamond_by_its_vertex(routed: Run) -> None:
    boxes = {"a": (0, 0, 100, 80), "b": (300, 20, 100, 100)}
    assert routed(boxes, {"e": ("b", "a")}, shapes={"b": "diamond"}).points("e") == [(300, 70), (100, 70)]


def test_diamonds_are_left_at_their_corners(routed: Run) -> None:
    boxes = {"a": (0, 0, 60, 60), "b": (200, 200, 100, 50)}
    drawn = routed(boxes, {"e": ("a", "b")}, shapes={"a": "diamond"}, strategy=LayoutStrategy(direction="LR"))
    assert drawn.points("e") == [(30, 60), (30, 225), (200, 225)]


def test_a_blocked_straight_line_slides_along_both_sides_before_it_bends(routed: Run) -> None:
    boxes = {"a": (0, 0, 120, 50), "in the way": (48, 120, 25, 24), "b": (0, 240, 120, 50)}
    (x, _), (end, _) = routed(boxes, {"e": ("a", "b")}).points("e")
    assert x == end == 48 - 16


def test_a_straight_line_does_not_slide_off_a_port(routed: Run) -> None:
    boxes = {"a": (0, 0, 120, 50), "in the way": (48, 120, 24, 24), "b": (0, 240, 120, 50)}
    drawn = routed(boxes, {"e": ("a", "b", {"source": {"port": "bottom"}})})
    assert drawn.points("e")[0] == (60, 50)
    assert len(drawn.points("e")) > 2


def _cloud_icon(name: str, x: float, y: float) -> dict[str, Any]:
    layout = {"mode": "absolute", "x": x, "y": y, "width": 160, "height": 96}
    return {"id": name, "kind": "node", "label": "A name far wider", "icon": "aws:lambda", "layout": layout}


def _cloud_lines(*elements: dict[str, Any], theme: str = "clean") -> tuple[dict[str, Any], Any]:
    scene = {"id": "icons", "units": "px", "canvas": {"width": 1200, "height": 800}}
    ends = {"from": {"elementId": "a"}, "to": {"elementId": "b"}}
    edge = {"id": "e", "kind": "edge", **ends}
    found = lay_out({"schemaVersion": "0.1", "scene": scene, "elements": [*elements, edge]}, theme=theme).scene
    return dict(found.placement.parts), found.routes["e"].points


def test_a_line_from_the_side_meets_a_cloud_icon_at_half_its_height() -> None:
    parts, points = _cloud_lines(_cloud_icon("a", 0, 0), _cloud_icon("b", 400, 0))
    (level,) = {point.y for point in points}
    assert abs(level - parts["a"]["icon"].center.y) <= 0.5  # on the nearest sharp line


@pytest.mark.parametrize("theme", ["clean", "sketch"])
def test_lines_meet_the_icon_where_it_reaches_out_of_its_box(theme: str) -> None:
    row = [(0, "a"), (400, "b")]
    layouts = [{"mode": "absolute", "x": x, "y": 100, "width": 190, "height": 60} for x, _ in row]
    icons = [
        {**_cloud_icon(name, 0, 0), "label": "Docker Images\nContainer Registry", "layout": layout}
        for (_, name), layout in zip(row, layouts, strict=True)
    ]
    parts, points = _cloud_lines(*icons, theme=theme)
    icon = parts["a"]["icon"]
    assert icon.y < 100
    assert all(icon.y < point.y < icon.bottom for point in points)


def test_a_line_from_above_ends_at_a_cloud_icon_and_not_beside_it() -> None:
    box = {"id": "a", "kind": "node", "label": "User", "layout": {"mode": "absolute", "x": 0, "y": 0, "width": 30}}
    parts, points = _cloud_lines(box, _cloud_icon("b", 0, 300))
    icon = parts["b"]["icon"]
    assert icon.x < points[-1].x < icon.right


def test_lines_that_share_the_side_of_a_cloud_icon_begin_at_it_and_not_beside_its_words() -> None:
    size = {"mode": "absolute", "width": 110, "height": 48}
    layout = {**size, "x": 0, "y": 160, "width": 160, "height": 60}
    hub = {
        "id": "hub",
        "kind": "node",
        "label": "Two lines\nof words",
        "icon": "gcp:container-registry",
        "layout": layout,
    }
    targets = [
        {"id": name, "kind": "node", "layout": {**size, "x": 400, "y": y}}
        for name, y in zip("abc", (0, 80, 160), strict=True)
    ]
    edges = [
        {"id": f"e{name}", "kind": "edge", "from": {"elementId": "hub"}, "to": {"elementId": name}} for name in "abc"
    ]
    scene: dict[str, Any] = {"id": "icons", "units": "px", "canvas": {}}
    found = lay_out({"schemaVersion": "0.1", "scene": scene, "elements": [hub, *targets, *edges]}).scene
    icon = found.placement.parts["hub"]["icon"]
    starts = [found.routes[f"e{name}"].points[0] for name in "abc"]
    assert all(start.x < icon.x + icon.width or icon.y <= start.y <= icon.bottom for start in starts)


EXTENT, INSIDE = 100.0, (0.5, 1, 2, 4, 5, 6, 7, 7.9, 8, 10, 20, 30, 50, 70, 80, 92, 93, 95, 98, 99, 99.5)


@pytest.mark.parametrize("shape", ["rect", "roundedRect", "ellipse", "diamond", "cylinder"])
def test_the_line_is_straight_wherever_the_source_lies_within_the_extent_of_the_target(routed: Run, shape: str) -> None:
    for direction, inside in product(("right", "left", "down", "up"), INSIDE):
        along = -400.0 if direction in {"left", "up"} else 400.0
        target = (along, 30.0 - inside, EXTENT, EXTENT)
        source = (0.0, 0.0, 100.0, 60.0)
        if direction in {"down", "up"}:
            target, source = (target[1], target[0], EXTENT, EXTENT), (0.0, 0.0, 60.0, 100.0)
        points = routed({"a": source, "b": target}, {"e": ("a", "b")}, shapes={"b": shape}).points("e")
        across = 0 if direction in {"down", "up"} else 1
        assert [point[across] for point in points] == [30.0, 30.0], (direction, inside)


def test_an_anchor_that_moves_to_the_middle_of_its_target_keeps_eight_px_from_the_corners(routed: Run) -> None:
    for off, is_straight in ((8, True), (7, False)):
        drawn = routed({"a": (0, 0, 100, 100), "b": (300, off - 10, 100, 20)}, {"e": ("a", "b")})
        assert (len(drawn.points("e")) == 2) is is_straight


def test_a_marker_has_room_before_the_first_corner_where_another_side_gives_it(routed: Run) -> None:
    boxes = {"step": (0, 66, 133, 70), "join": (132, 0, 50, 50)}
    arrow = {"end_arrow": "triangle"}
    drawn = routed(boxes, {"e": ("step", "join", arrow)}, shapes={"join": "diamond"})
    assert drawn.points("e") == [(133, 101), (157, 101), (157, 50)]


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("place", [(24, 20), (280, 20), (24, 75), (150, 24)])
def test_a_line_between_a_frame_and_its_child_meets_the_middle_of_the_childs_side(
    routed: Run, place: tuple[int, int], *, reverse: bool
) -> None:
    boxes = {"f": (0, 0, 400, 240), "c": (*place, 96, 48)}
    ends = ("c", "f") if reverse else ("f", "c")
    drawn = routed(boxes, {"e": ends}, frames={"f": ["c"]})
    x, y = drawn.points("e")[0 if reverse else -1]
    assert x == place[0] + 48 or y == place[1] + 24
