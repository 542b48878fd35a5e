"""Normalized documents."""

from __future__ import annotations

import json
from copy import deepcopy

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.sketch import read_sketch
from scenograph.engine.tables import CanvasBox, DrawnRoute, LaidOutScene, Placement, Styles
from scenograph.engine.write.normalized import number, write_normalized
from scenograph.scene.model import Color, Edge, Element, Endpoint, Frame, Guide, Node, Scene, Text

END = Endpoint(element_id="a")


def laid_out(*elements: Element, boxes=None, routes=None) -> LaidOutScene:
    return LaidOutScene(
        scene=Scene(elements=elements),
        styles=Styles(theme="clean", background=Color(255, 255, 255), of={}),
        sizes={},
        placement=Placement(boxes=boxes or {}),
        routes=routes or {},
        canvas=CanvasBox(width=640.004, height=480),
    )


def document(*elements: dict, **members: object) -> dict:
    scene = {"id": "s", "units": "px", "canvas": {"width": 100}}
    return {"schemaVersion": "0.1", "scene": scene, "elements": list(elements), **members}


NODE = Node(id="a", kind="node", shape="ellipse")
EDGE = Edge(id="e", kind="edge", source=END, target=END)


def test_an_automatic_layout_becomes_absolute() -> None:
    given = document({"id": "a", "kind": "node", "layout": {"mode": "auto", "width": 120, "note": "mine"}})
    made = write_normalized(given, laid_out(NODE, boxes={"a": Box(10.126, -0.001, 120, 48.5)}))
    layout = {"mode": "absolute", "x": 10.13, "y": 0, "width": 120, "height": 48.5, "note": "mine"}
    assert made["elements"][0]["layout"] == layout


def test_a_relative_layout_loses_what_made_it_relative() -> None:
    relative = {"mode": "relative", "target": "b", "relation": "below", "gap": 4, "align": "end"}
    made = write_normalized(
        document({"id": "a", "kind": "node", "layout": relative}), laid_out(NODE, boxes={"a": Box(1, 2, 3, 4)})
    )
    assert made["elements"][0]["layout"] == {"mode": "absolute", "x": 1, "y": 2, "width": 3, "height": 4}


def test_numbers_that_say_the_same_stay_as_written() -> None:
    layout = {"mode": "absolute", "x": 10.00049, "y": 20.0, "width": 30}
    made = write_normalized(
        document({"id": "a", "kind": "node", "layout": layout}), laid_out(NODE, boxes={"a": Box(10.00049, 20, 30, 40)})
    )
    assert made["elements"][0]["layout"] == layout | {"height": 40}


def test_defaults_are_written_in_where_the_author_said_nothing() -> None:
    elements = (
        NODE,
        EDGE,
        Frame(id="f", kind="frame", container_type="generic"),
        Frame(id="p", kind="frame", container_type="pool"),
        Text(id="t", kind="text"),
        Guide(id="g", kind="guide"),
    )
    ends = {"from": {"elementId": "a"}, "to": {"elementId": "a"}}
    rows = [{"id": one.id, "kind": one.kind} | (ends if one.kind == "edge" else {}) for one in elements]
    made = {row["id"]: row for row in write_normalized(document(*rows), laid_out(*elements))["elements"]}
    assert {row["zIndex"] for row in made.values()} == {0}
    assert {row["visible"] for row in made.values()} == {True}
    assert made["a"]["shape"] == "ellipse"
    assert (made["e"]["edgeType"], made["e"]["router"]) == ("default", "orthogonal")
    assert made["f"]["containerType"] == "generic"
    assert "laneDirection" not in made["f"]
    assert (made["p"]["containerType"], made["p"]["laneDirection"]) == ("pool", "horizontal")
    assert made["t"]["align"] == "start"
    assert (made["g"]["orientation"], made["g"]["position"]) == ("horizontal", 0)


def test_what_the_author_said_is_kept() -> None:
    said = {
        "id": "e",
        "kind": "edge",
        "zIndex": 7,
        "visible": False,
        "router": "straight",
        "edgeType": "x",
        "mine": [1],
    }
    made = write_normalized(document(said), laid_out(EDGE))
    assert made["elements"] == [said]


def test_a_curve_that_replaced_a_detour_is_not_pinned_to_the_detour() -> None:
    route = DrawnRoute(points=(Point(0, 0), Point(5, 9), Point(10, 0)), router="curved")
    made = write_normalized(document({"id": "e", "kind": "edge"}), laid_out(EDGE, routes={"e": route}))
    assert made["elements"][0]["router"] == "curved"


def test_aliases_get_their_real_names_in_place() -> None:
    frame = Frame(id="f", kind="frame", title="Zone", container_type="lane")
    row = {"id": "f", "kind": "frame", "label": "Zone", "childIds": ["a"], "style": "zone"}
    made = write_normalized(document(row), laid_out(frame))["elements"][0]
    assert list(made.items())[:5] == [
        ("id", "f"),
        ("kind", "frame"),
        ("title", "Zone"),
        ("children", ["a"]),
        ("style", "zone"),
    ]


def test_the_real_name_wins_over_its_alias() -> None:
    row = {"id": "t", "kind": "text", "text": "old", "content": "new", "label": "older"}
    made = write_normalized(document(row), laid_out(Text(id="t", kind="text", content="new")))["elements"][0]
    assert made["content"] == "new"
    assert not {"text", "label"} & set(made)


def test_a_nodes_label_is_no_alias() -> None:
    made = write_normalized(document({"id": "a", "kind": "node", "label": "A"}), laid_out(NODE))["elements"][0]
    assert made["label"] == "A"


def test_outer_fields_move_from_the_scene_to_the_root() -> None:
    given = document()
    given["scene"] |= {"diagramFamily": "network", "palette": {"nodeFill": "#fff"}, "title": "T"}
    made = write_normalized(given, laid_out())
    assert made["diagramFamily"] == "network"
    assert made["palette"] == {"nodeFill": "#fff"}
    assert set(made["scene"]) == {"id", "units", "canvas", "title"}


def test_outer_fields_at_the_root_win_and_nothing_is_lost() -> None:
    given = document(diagramFamily="orgchart")
    given["scene"]["diagramFamily"] = "network"
    made = write_normalized(given, laid_out())
    assert made["diagramFamily"] == "orgchart"
    assert made["scene"]["diagramFamily"] == "network"


def test_computed_tells_the_canvas_the_boxes_and_the_paths() -> None:
    route = DrawnRoute(points=(Point(1.005, 2), Point(3, 4.126)), router="straight", label=Box(1, 2, 3.333, 4))
    made = write_normalized(document(), laid_out(NODE, EDGE, boxes={"a": Box(0, 0, 10.5, 20)}, routes={"e": route}))
    assert made["computed"] == {
        "canvas": {"width": 640, "height": 480},
        "bounds": {"a": {"x": 0, "y": 0, "width": 10.5, "height": 20}},
        "edgePaths": {
            "e": {
                "router": "straight",
                "points": [{"x": 1, "y": 2}, {"x": 3, "y": 4.13}],
                "labelBounds": {"x": 1, "y": 2, "width": 3.33, "height": 4},
            }
        },
    }


def test_a_curve_has_two_points_and_a_control_point_that_a_sketch_reads() -> None:
    route = DrawnRoute(points=(Point(0, 0), Point(50, 30), Point(100, 0)), router="curved", label=None)
    made = write_normalized(document(), laid_out(NODE, EDGE, boxes={"a": Box(0, 0, 9, 9)}, routes={"e": route}))
    assert made["computed"]["edgePaths"]["e"] == {
        "router": "curved",
        "points": [{"x": 0, "y": 0}, {"x": 100, "y": 0}],
        "control": {"x": 50, "y": 30},
    }
    assert read_sketch(made).routes["e"] == route


def test_output_of_an_earlier_run_is_replaced() -> None:
    made = write_normalized(document(computed={"old": 1}, diagnostics=[{"code": "X"}]), laid_out())
    assert set(made["computed"]) == {"canvas", "bounds", "edgePaths"}
    assert "diagnostics" not in made


def test_unknown_members_and_elements_survive_and_the_input_is_not_changed() -> None:
    odd = [{"id": "a", "kind": "node", "x-mine": {"deep": [1]}}, {"id": "z", "kind": "hologram"}, 7, {"id": 3}]
    given = document(*odd, extensions={"a": 1}, note="kept")
    before = deepcopy(given)
    made = write_normalized(given, laid_out(NODE, boxes={"a": Box(0, 0, 1, 1)}))
    assert given == before
    assert made["elements"][0]["x-mine"] == {"deep": [1]}
    assert made["elements"][1:] == odd[1:]
    assert (made["extensions"], made["note"]) == ({"a": 1}, "kept")
    json.dumps(made, allow_nan=False)


def test_a_document_that_is_hardly_one_is_no_obstacle() -> None:
    assert write_normalized({"elements": "none"}, laid_out())["elements"] == "none"


def test_numbers_are_whole_where_they_can_be() -> None:
    assert [repr(number(value)) for value in (3.0, -0.001, 2.5, 1.239)] == ["3", "0", "2.5", "1.24"]
