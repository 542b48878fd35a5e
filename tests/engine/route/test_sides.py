"""The main axis that a picture shows, and the stretch of a side that its lines may take. (R-ROUTE-2)"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from scenograph.engine.geometry.boxes import Box
from scenograph.engine.route.connecting import anchors_of
from scenograph.engine.route.courses.anchors import Anchor
from scenograph.engine.route.sides import flow_axis
from scenograph.engine.tables import Placement
from scenograph.scene.model import Edge, Endpoint, Node, Scene

Places = Mapping[str, tuple[float, float]]


def axis(places: Places, edges: str) -> str | None:
    """The axis of boxes of 100 by 50 px and of edges such as "ab ac"."""
    nodes = [Node(id=one, kind="node") for one in places]
    lines = [
        Edge(id=pair, kind="edge", source=Endpoint(element_id=pair[0]), target=Endpoint(element_id=pair[1]))
        for pair in edges.split()
    ]
    boxes = {one: Box(x, y, 100, 50) for one, (x, y) in places.items()}
    return flow_axis(Scene(elements=(*nodes, *lines)), Placement(boxes=boxes))


COLUMN: Places = {"a": (0, 0), "b": (10, 100), "c": (20, 200), "d": (30, 300), "e": (60, 310)}


def test_a_picture_flows_down_if_three_of_four_edges_do() -> None:
    assert axis(COLUMN, "ab bc cd de") == "y"


def test_a_picture_has_no_axis_if_only_half_of_its_edges_run_along_one() -> None:
    assert axis({**COLUMN, "b": (10, 20)}, "ab bc cd de") is None


def test_a_picture_flows_along_the_axis_of_one_edge_in_seven_more() -> None:
    """Six edges lead down and aside, one leads down alone."""
    steps = {name: (number * 150.0, number * 101.0) for number, name in enumerate("abcdefg")}
    assert axis({**steps, "h": (905, 707)}, "ab bc cd de ef fg gh") == "y"


@pytest.mark.parametrize(("off", "found"), [(0.75, "y"), (1.5, None)])
def test_nodes_stand_in_a_row_up_to_one_px_apart(off: float, found: str | None) -> None:
    assert axis({"a": (0, 0), "b": (300, off), "c": (600, 200)}, "ac bc") == found


def top(shape: str, width: float) -> Anchor:
    """The anchor at the upper side of a free node."""
    node, box = Node(id="n", kind="node", shape=shape), Box(0, 0, width, 60)
    return anchors_of(Endpoint(element_id="n"), node, box, Placement(boxes={"n": box}))[0]


@pytest.mark.parametrize(
    ("shape", "width", "half"),
    [
        pytest.param("ellipse", 100, 35, id="ellipse: seven tenths of the side"),
        pytest.param("diamond", 200, 30, id="diamond: three tenths of the side"),
        pytest.param("diamond", 60, 12, id="small diamond: 12 px on either side of the vertex"),
        pytest.param("diamond", 40, 10, id="smallest diamond: half of the side"),
    ],
)
def test_lines_of_a_curved_or_pointed_side_spread_near_its_middle(shape: str, width: float, half: float) -> None:
    anchor = top(shape, width)
    assert (anchor.room_low, anchor.room_high) == pytest.approx((width / 2 - half, width / 2 + half))


def test_a_line_at_a_row_keeps_room_for_its_crows_foot() -> None:
    node, box, row = Node(id="t", kind="node"), Box(0, 0, 200, 100), Box(0, 40, 200, 28)
    placement = Placement(boxes={"t": box}, parts={"t": {"column:id": row}})
    left, right = anchors_of(Endpoint(element_id="t", column="id"), node, box, placement)
    assert (left.side, right.side) == ("left", "right")
    assert (left.room_low, left.room_high) == (54 - 8.5, 54 + 8.5)
