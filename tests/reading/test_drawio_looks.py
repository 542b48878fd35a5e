"""What a draw.io file looks like here: stencils, frames, texts, pictures, tables."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from html import escape
from itertools import pairwise
from typing import Any

import pytest

from scenograph.engine.icons import DOCUMENT_LIMITS, KnownIcons
from scenograph.engine.pipeline import lay_out, places_of, render
from scenograph.reading.readers import Import, read_source
from scenograph.reading.source import Source
from scenograph.scene.edits.operations import apply_operations
from scenograph.scene.validation import validate

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x02\0\0\0\x02\x08\x02\0\0\0"
Place = Sequence[float]


def cell(name: str, style: str, place: Place, label: str = "", more: str = 'parent="1"') -> str:
    x, y, width, height = place
    box = f'<mxGeometry x="{x}" y="{y}" width="{width}" height="{height}" as="geometry"/>'
    return f'<mxCell id="{name}" value="{label}" style="{style}" vertex="1" {more}>{box}</mxCell>'


def line(source: str, target: str) -> str:
    return f'<mxCell id="{source}-{target}" edge="1" parent="1" source="{source}" target="{target}"/>'


def imported(*cells: str) -> Import:
    root = f'<mxCell id="0"/><mxCell id="1" parent="0"/>{"".join(cells)}'
    found = read_source(Source(text=f"<mxGraphModel><root>{root}</root></mxGraphModel>", icons=KnownIcons()))
    assert not [row for row in validate(found.document, DOCUMENT_LIMITS) if row.severity == "error"]
    return found


def read(*cells: str) -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in imported(*cells).document["elements"]}


@pytest.mark.parametrize(
    ("style", "icon"),
    [
        ("shape=mxgraph.aws4.resourceIcon;resIcon=mxgraph.aws4.lambda", "aws:lambda"),
        ("shape=mxgraph.aws4.productIcon;prIcon=mxgraph.aws4.dynamodb", "aws:dynamodb"),
        ("shape=mxgraph.aws3d.customerGateway", "aws:customer-gateway"),
        ("shape=mxgraph.aws2.storage_and_content_delivery.efs", "aws:efs"),
        ("shape=mxgraph.aws3.instances_2", "aws:instances"),
        ("shape=mxgraph.aws4.door_lock", "aws:iot-thing-door-lock"),
        ("shape=mxgraph.gcp2.compute_engine_icon", "gcp:compute-engine"),
        ("shape=mxgraph.mscae.cloud.data_factory", "azure:data-factory"),
        ("image;image=img/lib/azure2/compute/Virtual_Machine.svg", "azure:virtual-machine"),
        ("shape=mxgraph.kubernetes.icon;prIcon=pod", "k8s:pod"),
        ("shape=mxgraph.networks.printer", "lucide:printer"),
        ("shape=mxgraph.weblogos.github", "simple:github"),
    ],
)
def test_stencils_of_vendors_are_icons(style: str, icon: str) -> None:
    found = read(cell("a", style, (0, 0, 48, 48), "Name"))
    assert found["a"]["icon"] == icon
    assert found["a"]["layout"] == {"mode": "absolute", "x": 0, "y": 0, "width": 48, "height": 48}


@pytest.mark.parametrize(
    ("style", "node_type"),
    [
        ("shape=mxgraph.cisco.routers.atm_router", "network.router"),
        ("shape=mxgraph.cisco.security.pix_firewall", "network.firewall"),
        ("shape=mxgraph.citrix.file_server", "network.server"),
        ("shape=mxgraph.networks.pc", "network.client"),
        ("shape=umlActor", "actor"),
        ("shape=mxgraph.bpmn.shape;symbol=timer;outline=catching", "workflow.timer"),
        ("shape=mxgraph.bpmn.gateway2;gwType=parallel", "workflow.gatewayParallel"),
        ("shape=note", "note"),
    ],
)
def test_devices_and_notations_are_types_of_nodes(style: str, node_type: str) -> None:
    assert read(cell("a", style, (0, 0, 48, 48), "Name"))["a"]["nodeType"] == node_type


@pytest.mark.parametrize(
    ("style", "size"),
    [
        ("shape=mxgraph.networks.pc", (200, 140)),
        ("shape=mxgraph.cisco.routers.router", (90, 180)),
        ("shape=mxgraph.networks.cloud", (330, 140)),
        ("shape=mxgraph.networks.printer", (200, 180)),
        ("shape=mxgraph.networks.server", (40, 60)),
    ],
)
def test_devices_and_symbols_are_as_large_as_they_are_there(style: str, size: tuple[float, float]) -> None:
    document = imported(cell("a", style, (100, 100, *size), "Name")).document
    found = {row["id"]: row for row in document["elements"]}
    assert found["a"]["layout"] == {"mode": "absolute", "x": 100, "y": 100, "width": size[0], "height": size[1]}
    placement = lay_out(document).scene.placement
    icon = placement.part("a", "icon")
    assert icon is None or icon.width == min(size)
    label = found["a"].get("label") or found["a-label"]["content"]
    assert label == "Name"


def test_a_device_in_a_wide_box_has_its_label_below() -> None:
    found = read(cell("a", "shape=mxgraph.networks.pc", (100, 100, 140, 100), "Name"))
    assert "label" not in found["a"]
    assert (found["a-label"]["layout"]["target"], found["a-label"]["layout"]["relation"]) == ("a", "below")


def test_a_name_that_is_not_known_is_a_plain_pictogram_and_told() -> None:
    found = imported(cell("a", "shape=mxgraph.aws4.zzyzx", (0, 0, 48, 48), "Name"))
    node, text = found.document["elements"]
    assert (node["icon"], node["name"]) == ("lucide:box", "Name")
    assert (text["content"], text["layout"]["target"], text["layout"]["relation"]) == ("Name", "a", "below")
    assert "mxgraph.aws4.zzyzx" in found.diagnostics[0].message


def test_without_a_registry_stencils_are_still_shapes_with_a_label_below() -> None:
    model = cell("a", "shape=mxgraph.networks.server", (0, 0, 48, 48), "Name")
    found = read_source(Source(text=f"<mxGraphModel><root>{model}</root></mxGraphModel>"))
    assert found.document["elements"][0]["nodeType"] == "network.server"


def test_a_label_beside_a_shape_is_a_text_that_goes_with_it() -> None:
    found = read(cell("a", "ellipse;labelPosition=right;fontColor=#ff0000", (0, 0, 20, 20), "Name"))
    assert "label" not in found["a"]
    assert found["a-label"]["layout"]["relation"] == "rightOf"
    assert found["a-label"]["style"]["textColor"] == "#ff0000"


def test_pale_letters_and_lines_stay_on_dark_ground_alone() -> None:
    icon = "shape=mxgraph.networks.printer;fillColor=#ffffff;fontColor=#eeeeee"
    found = read(
        cell("dark", "ellipse;fillColor=#003366", (0, 0, 200, 200)),
        cell("on", icon, (80, 80, 40, 40), "On"),
        cell("off", icon, (300, 80, 40, 40), "Off"),
    )
    assert found["on"]["style"]["textColor"] == "#ffffff"
    assert found["on-label"]["style"]["textColor"] == "#eeeeee"
    assert "textColor" not in found["off"]["style"] | found["off-label"]["style"]


def test_what_stands_on_a_background_is_in_a_frame_at_its_place() -> None:
    document = imported(
        cell("ground", "verticalAlign=top;fillColor=#eeeeee", (0, 0, 400, 300), "Zone"),
        cell("inner", "rounded=1", (20, 40, 200, 200)),
        cell("a", "", (40, 60, 80, 40), "A"),
        cell("b", "", (40, 160, 80, 40), "B"),
        cell("out", "", (380, 100, 80, 40), "Out"),
    ).document
    found = {row["id"]: row for row in document["elements"]}
    assert {key: row.get("children") for key, row in found.items() if row["kind"] == "frame"} == {
        "ground": ["inner"],
        "inner": ["a", "b"],
    }
    assert found["ground"]["title"] == "Zone"
    boxes = lay_out(document).scene.placement.boxes
    for key, row in found.items():
        origin = boxes["ground"]
        place = row["layout"]
        assert (boxes[key].x - origin.x, boxes[key].y - origin.y) == (place["x"], place["y"])
        assert (boxes[key].width, boxes[key].height) == (place["width"], place["height"])


@pytest.mark.parametrize(
    "ground",
    [
        cell("ground", "", (0, 0, 400, 300), "In the middle"),
        cell("ground", "ellipse;verticalAlign=top", (0, 0, 400, 300), "Round"),
        cell("ground", "fillColor=none;strokeColor=none", (0, 0, 400, 300)),
    ],
)
def test_what_would_lose_its_shape_or_the_place_of_its_label_is_no_frame(ground: str) -> None:
    found = read(ground, cell("a", "", (40, 60, 80, 40), "A"), cell("b", "", (40, 160, 80, 40), "B"))
    assert found["ground"]["kind"] == "node"


def test_what_lies_below_is_not_taken_into_a_frame() -> None:
    found = read(
        cell("a", "", (40, 60, 80, 40), "A"),
        cell("ground", "verticalAlign=top", (0, 0, 400, 300), "Zone"),
        cell("b", "", (40, 160, 80, 40), "B"),
    )
    assert found["ground"]["children"] == ["b"]
    assert found["ground"]["zIndex"] == found["b"]["zIndex"] == 1
    assert "zIndex" not in found["a"]


@pytest.mark.parametrize(("style", "kind"), [("shape=umlFrame", "frame"), ("ellipse", "node")])
def test_a_shape_that_is_drawn_stays_where_it_has_children(style: str, kind: str) -> None:
    found = read(cell("a", style, (0, 0, 200, 100), "Name"), cell("b", "", (20, 40, 80, 40), "B", 'parent="a"'))
    assert found["a"]["kind"] == kind
    assert (found["b"]["layout"]["x"], found["b"]["layout"]["y"]) == (20, 40)


def test_a_group_is_not_seen() -> None:
    found = read(cell("g", "group", (0, 0, 200, 100)), cell("a", "", (20, 20, 80, 40), "A", 'parent="g"'))
    assert (found["g"]["kind"], found["g"]["children"]) == ("group", ["a"])


def test_a_text_is_a_text_as_draw_io_aligns_it() -> None:
    found = read(
        cell("t", "text;align=right;verticalAlign=middle;whiteSpace=wrap", (10, 10, 200, 100), "Some words"),
        cell("e", "text", (10, 200, 60, 20), "End"),
        cell("x", "", (200, 200, 60, 20)),
        cell("none", "text;fillColor=none;strokeColor=none", (10, 400, 60, 20)),
        line("e", "x"),
    )
    assert (found["t"]["kind"], found["t"]["align"], found["t"]["layout"]["width"]) == ("text", "end", 200)
    assert 40 < found["t"]["layout"]["y"] < 60
    assert (found["e"]["kind"], found["e"]["shape"]) == ("node", "textBox")
    assert "none" not in found


def test_a_word_of_a_text_is_not_broken() -> None:
    narrow = read(cell("t", "text;align=center;whiteSpace=wrap", (100, 0, 20, 20), "STAKEHOLDERS"))["t"]["layout"]
    assert narrow["width"] > 80
    assert narrow["x"] + narrow["width"] / 2 == pytest.approx(110, abs=0.1)


def test_pictures_in_the_file_are_pictures_and_others_are_only_told() -> None:
    data = b64encode(PNG).decode()
    found = imported(
        cell("p", f"shape=image;image=data:image/png,{data}", (0, 0, 40, 40), "Photo"),
        cell("q", f"shape=image;image=data:image/png,{data}", (90, 0, 40, 40)),
        cell("far", "shape=image;image=https://example.com/a.png", (0, 90, 40, 40)),
        cell("false", "shape=image;image=data:image/png,AAAA", (0, 190, 40, 40)),
        line("p", "far"),
    )
    rows = {row["id"]: row for row in found.document["elements"]}
    assert rows["q"]["href"] == rows["p-picture"]["href"] == f"data:image/png;base64,{data}"
    assert (rows["p"]["kind"], rows["p"]["children"]) == ("group", ["p-picture"])
    assert rows["p-label"]["content"] == "Photo"
    assert rows["far"]["icon"] == rows["false"]["icon"] == "lucide:image"
    assert len(found.diagnostics) == 2


def test_a_picture_that_cannot_be_seen_is_known_by_its_label() -> None:
    svg = "shape=image;image=data:image/svg+xml,PHN2Zy8+"
    assert read(cell("a", svg, (0, 0, 40, 40), "My&#10;BigQuery"))["a"]["icon"].endswith(":bigquery")


def test_a_stack_of_texts_is_a_class() -> None:
    stack = "swimlane;childLayout=stackLayout;horizontal=1"
    found = read(
        cell("c", stack, (0, 0, 160, 100), "Person"),
        cell("r1", "text", (0, 26, 160, 26), "+ name", 'parent="c"'),
        cell("l", "line", (0, 52, 160, 8), "", 'parent="c"'),
        cell("r2", "text", (0, 60, 160, 26), "+ greet()", 'parent="c"'),
        cell("o", "", (300, 0, 80, 40), "Other"),
        line("c", "o"),
    )
    assert list(found) == ["c", "o", "c-o"]
    assert found["c"]["nodeType"] == "uml.class"
    assert found["c"]["extensions"] == {"attributes": ["+ name"], "methods": ["+ greet()"]}


def test_rows_that_lines_end_at_and_rows_with_keys_are_columns() -> None:
    row = "shape=tableRow"
    found = read(
        cell("t", "shape=table;childLayout=tableLayout", (0, 0, 160, 100), "Orders"),
        cell("r1", row, (0, 30, 160, 30), "", 'parent="t"'),
        cell("k1", "partialRectangle", (0, 0, 30, 30), "PK", 'parent="r1"'),
        cell("n1", "partialRectangle", (30, 0, 130, 30), "id", 'parent="r1"'),
        cell("s", "swimlane;childLayout=stackLayout", (300, 0, 160, 100), "Lines"),
        cell("r2", "text", (0, 26, 160, 26), "order", 'parent="s"'),
        line("r1", "r2"),
    )
    assert found["t"]["extensions"]["columns"] == [{"name": "id", "pk": True}]
    assert found["s"]["extensions"]["columns"] == [{"name": "order"}]
    assert found["r1-r2"]["from"] == {"elementId": "t", "column": "id"}
    assert found["r1-r2"]["to"] == {"elementId": "s", "column": "order"}


def test_lines_and_waypoints_are_drawn_thin() -> None:
    found = read(cell("l", "line;strokeWidth=2", (0, 0, 100, 10)), cell("w", "shape=waypoint", (0, 50, 20, 20)))
    assert (found["l"]["layout"]["y"], found["l"]["layout"]["height"]) == (4, 2)
    assert (found["w"]["layout"]["x"], found["w"]["layout"]["width"]) == (7, 6)


def test_block_arrows_point_where_they_are_turned() -> None:
    found = read(cell("a", "shape=mxgraph.arrows2.arrow;rotation=90", (0, 0, 60, 40)))
    assert found["a"]["icon"] == "lucide:arrow-down"
    assert read(cell("a", "shape=mxgraph.arrows2.arrow", (0, 0, 300, 40)))["a"]["shape"] == "rect"


def test_a_shape_on_its_side_has_the_place_that_it_takes() -> None:
    layout = read(cell("a", "rotation=-90", (0, 0, 100, 20)))["a"]["layout"]
    assert (layout["x"], layout["y"], layout["width"], layout["height"]) == (40, -40, 20, 100)


def test_opacity_is_that_of_the_shape_alone() -> None:
    style = read(cell("a", "fillColor=#f00;strokeColor=#00ff00;opacity=50", (0, 0, 100, 40), "A"))["a"]["style"]
    assert style == {"fill": "#ff000080", "stroke": "#00ff0080"}


def test_layers_that_are_switched_off_are_not_seen() -> None:
    layer = '<mxCell id="layer" parent="0" visible="0"/>'
    found = read(layer, cell("a", "", (0, 0, 100, 40), "A", 'parent="layer"'), cell("b", "", (0, 90, 100, 40), "B"))
    assert found["a"]["visible"] is False
    assert "visible" not in found["b"]


def test_content_of_a_hidden_frame_is_not_hidden_itself() -> None:
    frame = cell("f", "swimlane", (0, 0, 300, 200), "F", 'parent="1" visible="0"')
    inside = cell("a", "", (20, 60, 100, 40), "A", 'parent="f"')
    hidden = cell("h", "", (160, 60, 100, 40), "H", 'parent="f" visible="0"')
    line = '<mxCell id="e" edge="1" parent="1" source="a" target="b"><mxGeometry relative="1" as="geometry"/></mxCell>'
    found = read(frame, inside, hidden, cell("b", "", (400, 0, 100, 40), "B"), line)
    assert {key for key, one in found.items() if one.get("visible") is False} == {"f", "h"}


def test_cells_that_hold_each_other_hold_nothing() -> None:
    found = read(
        cell("a", "container=1", (0, 0, 90, 90), "", 'parent="b"'), cell("b", "", (0, 0, 90, 90), "", 'parent="a"')
    )
    assert [row["children"] for row in found.values() if row.get("children")] in ([["a"]], [["b"]], [])


def points(*ends: tuple[str, float, float]) -> str:
    rows = "".join(f'<mxPoint x="{x}" y="{y}" as="{name}Point"/>' for name, x, y in ends)
    return f'<mxGeometry relative="1" as="geometry">{rows}</mxGeometry>'


def free(key: str, *ends: tuple[str, float, float], more: str = "") -> str:
    return f'<mxCell id="{key}" edge="1" parent="1" {more}>{points(*ends)}</mxCell>'


def test_a_free_end_ends_at_the_box_that_it_touches() -> None:
    found = read(
        cell("a", "", (0, 0, 100, 40), "A"),
        cell("b", "", (0, 200, 100, 40), "B"),
        cell("t", "text", (45, 120, 40, 20), "a text"),
        free("e", ("source", 50, 45), ("target", 25, 189)),
        free("f", ("target", 104, 220), more='source="a"'),
    )
    assert found["e"]["from"] == {"elementId": "a", "port": "bottom"}
    assert found["e"]["to"] == {"elementId": "b", "port": "top-250"}
    assert found["b"]["ports"] == [{"id": "top-250", "side": "top", "offset": 0.25}]
    assert found["f"]["to"] == {"elementId": "b", "port": "right"}


def test_a_line_that_touches_nothing_keeps_its_course_to_the_points() -> None:
    document = imported(
        cell("a", "", (0, 0, 100, 40), "A"),
        free("e", ("target", 300, 120), more='source="a" style="exitX=1;exitY=0.5;"'),
        free("f", ("source", 0, 300), ("target", 300, 300)),
    ).document
    layout = lay_out(document).scene
    corner = layout.placement.boxes["a"]
    for key, ends in {"e": ((100, 20), (300, 120)), "f": ((0, 300), (300, 300))}.items():
        course = layout.routes[key].points
        met = [(course[at].x - corner.x, course[at].y - corner.y) for at in (0, -1)]
        assert met == [pytest.approx(end, abs=1) for end in ends]
    assert {row["id"] for row in document["elements"]} == {"a", "e", "f", "e-finish", "f-start", "f-finish"}


def test_a_line_within_one_box_does_not_lead_from_it_to_itself() -> None:
    found = read(cell("a", "", (0, 0, 200, 100), "A"), free("e", ("source", 5, 50), ("target", 195, 50)))
    assert (found["e"]["from"]["elementId"], found["e"]["to"]["elementId"]) == ("e-start", "e-finish")


def test_what_ends_among_the_boxes_on_a_background_does_not_end_at_it() -> None:
    found = read(
        cell("ground", "ellipse", (0, 0, 600, 400)),
        cell("a", "", (40, 60, 80, 40), "A"),
        free("e", ("target", 300, 200), more='source="a"'),
    )
    assert found["e"]["to"] == {"elementId": "e-finish"}


def test_a_line_to_a_line_ends_in_its_middle() -> None:
    found = read(
        cell("a", "", (0, 0, 100, 40), "A"),
        cell("b", "", (400, 0, 100, 40), "B"),
        cell("c", "", (200, 300, 100, 40), "C"),
        line("a", "b"),
        free("e", more='source="c" target="a-b"'),
    )
    place = found["e-finish"]["layout"]
    assert (place["x"] + 0.5, place["y"] + 0.5) == (250, 20)


def test_a_line_of_which_an_end_is_nowhere_is_told() -> None:
    found = imported(cell("a", "", (0, 0, 100, 40), "A"), free("e", more='source="a"'))
    assert [row["id"] for row in found.document["elements"]] == ["a"]
    assert "'e' is left out" in found.diagnostics[0].message


def test_the_points_where_lines_leave_and_enter_are_ports() -> None:
    style = "exitX=1;exitY=0.5;exitDx=0;exitDy=0;entryX=0;entryY=0.25;"
    found = read(
        cell("a", "", (0, 0, 100, 40), "A"),
        cell("b", "", (200, 0, 100, 80), "B"),
        cell("c", "", (400, 0, 100, 80), "C"),
        f'<mxCell id="e" style="{style}" edge="1" parent="1" source="a" target="b"/>',
        '<mxCell id="f" style="exitX=0.5;exitY=0.5;entryX=0;entryY=0;" edge="1" parent="1" source="b" target="c"/>',
    )
    assert (found["e"]["from"], found["e"]["to"]) == (
        {"elementId": "a", "port": "right"},
        {"elementId": "b", "port": "left-250"},
    )
    assert found["b"]["ports"] == [{"id": "left-250", "side": "left", "offset": 0.25}]
    assert found["f"]["from"] == {"elementId": "b"}
    assert found["f"]["to"] == {"elementId": "c", "port": "left-0"}


def test_frames_have_ports_and_of_a_group_a_line_keeps_the_side_which_is_told() -> None:
    found = imported(
        cell("a", "container=1", (0, 0, 100, 80), "A"),
        cell("b", "", (200, 0, 100, 80), "B"),
        cell("g", "group", (0, 200, 100, 80)),
        '<mxCell id="e" style="exitX=1;exitY=0.25;" edge="1" parent="1" source="a" target="b"/>',
        '<mxCell id="f" style="exitX=1;exitY=0.25;" edge="1" parent="1" source="g" target="b"/>',
    )
    rows = {row["id"]: row for row in found.document["elements"]}
    assert rows["e"]["from"] == {"elementId": "a", "port": "right-250"}
    assert rows["a"]["ports"] == [{"id": "right-250", "side": "right", "offset": 0.25}]
    assert rows["f"]["from"] == {"elementId": "g", "port": "right"}
    assert "keep only their side" in found.diagnostics[0].message
    scene = lay_out(found.document).scene
    box, start = scene.placement.boxes["a"], scene.routes["e"].points[0]
    assert (start.x, start.y) == pytest.approx((box.right, box.y + 20), abs=1)


def test_a_swimlane_is_a_frame_whose_colour_is_that_of_its_band() -> None:
    document = imported(
        cell("lane", "swimlane;startSize=30;fillColor=#1f4e79;strokeColor=#123456", (0, 0, 200, 160), "Lane"),
        cell("light", "swimlane;fillColor=#ffe6cc;swimlaneFillColor=#fff8f0", (300, 0, 200, 160), "Light"),
        cell("upright", "swimlane;horizontal=0;fillColor=#ffe6cc", (600, 0, 200, 160), "Upright"),
    ).document
    found = {row["id"]: row for row in document["elements"]}
    assert found["lane"]["extensions"] == {"headHeight": 30}
    style = found["lane"]["style"]
    assert (style["accentColor"], style["fill"], style["textColor"]) == ("#1f4e79", "none", "#ffffff")
    style = found["light"]["style"]
    assert (style["accentColor"], style["fill"], style["textColor"]) == ("#ffe6cc", "#fff8f0", "#000000")
    assert found["upright"]["style"]["fill"] == "#ffe6cc"
    back = read_source(Source(text=str(render(document, "drawio").content), icons=KnownIcons())).document
    for row in back["elements"]:
        assert row.get("extensions") == found[row["id"]].get("extensions")
        assert row["style"]["fill"] == found[row["id"]]["style"]["fill"]


def test_a_frame_of_uml_is_seen_through_wherever_it_is_in_the_order() -> None:
    found = read(
        cell("a", "", (40, 60, 80, 40), "A"),
        cell("frame", "shape=umlFrame;fillColor=#f5f5f5", (0, 0, 400, 300), "alt"),
    )
    assert (found["frame"]["kind"], found["frame"]["title"]) == ("frame", "alt")
    assert found["frame"]["style"]["fill"] == "none"


def test_a_group_that_holds_nothing_is_not_seen() -> None:
    assert read(cell("g", "group", (0, 0, 80, 40)), cell("a", "", (0, 90, 80, 40), "A"))["g"]["kind"] == "group"


def test_a_line_between_points_of_one_height_is_straight() -> None:
    style = 'style="edgeStyle=orthogonalEdgeStyle"'
    found = read(
        free("e", ("source", 0, 50), ("target", 300, 50), more=style),
        free("f", ("source", 0, 150), ("target", 300, 250), more=style),
    )
    assert found["e"]["router"] == "straight"
    assert "router" not in found["f"]


def through(style: str, *points: tuple[float, float]) -> Import:
    """A line from a box of 100 x 40 px at the origin to another one at (300, 200), through points."""
    array = "".join(f'<mxPoint x="{x}" y="{y}"/>' for x, y in points)
    course = f'<mxGeometry relative="1" as="geometry"><Array as="points">{array}</Array></mxGeometry>'
    return imported(
        cell("a", "", (0, 0, 100, 40), "A"),
        cell("b", "", (300, 200, 100, 40), "B"),
        f'<mxCell id="e" edge="1" parent="1" source="a" target="b" style="{style}">{course}</mxCell>',
    )


def course_of(found: Import) -> list[tuple[float, float]]:
    """The corners of the line as drawn, without its ends."""
    picture = places_of(lay_out(found.document, sketch=found.document["computed"]))
    return [(point["x"], point["y"]) for point in picture["edgePaths"]["e"]["points"]][1:-1]


ANGLED = "edgeStyle=orthogonalEdgeStyle"


@pytest.mark.parametrize(
    ("line", "corners"),
    [
        (through(ANGLED, (200, 20), (200, 220)), [(200, 20), (200, 220)]),
        (through(ANGLED, (50, 120)), [(50, 120), (350, 120)]),
        (through(ANGLED, (200, 20)), [(200, 20), (200, 220)]),
        (through(f"{ANGLED};exitX=0.5;exitY=1", (50, 120), (280, 120)), [(50, 120), (280, 120), (280, 220)]),
        (through(ANGLED, (20, 300), (320, 400)), [(20, 300), (320, 300)]),
        (through("edgeStyle=elbowEdgeStyle;elbow=horizontal", (180, 77)), [(180, 20), (180, 220)]),
        (through("edgeStyle=elbowEdgeStyle;elbow=vertical", (77, 120)), [(50, 120), (350, 120)]),
    ],
    ids=["corners", "a height alone", "one corner", "a fixed end", "below both", "elbow", "upright elbow"],
)
def test_an_angled_line_is_drawn_through_its_points_as_in_draw_io(
    line: Import, corners: list[tuple[float, float]]
) -> None:
    assert course_of(line) == corners
    [edge] = [row for row in line.document["elements"] if row["kind"] == "edge"]
    assert not edge.keys() & {"router", "waypoints"}


def test_a_line_whose_points_draw_io_does_not_follow_is_left_to_the_engine() -> None:
    assert "computed" not in through("edgeStyle=entityRelationEdgeStyle", (200, 20)).document


def test_an_edit_leads_an_imported_line_anew_at_right_angles() -> None:
    found = through(ANGLED, (200, 20), (200, 220))
    picture = places_of(lay_out(found.document, sketch=found.document["computed"]))
    moved = apply_operations(found.document, [{"op": "moveElement", "id": "b", "x": 360, "y": 400}])
    assert moved.succeeded
    points = places_of(lay_out(moved.document, sketch=picture))["edgePaths"]["e"]["points"]
    assert points[-1]["y"] >= 400
    assert all(a["x"] == b["x"] or a["y"] == b["y"] for a, b in pairwise(points))


def test_a_label_off_the_middle_that_would_be_covered_is_a_text_where_it_is_there() -> None:
    cube = "shape=cube;verticalAlign=top;align=left;spacingLeft=5;spacingTop=3"
    found = read(
        cell("cube", cube, (0, 0, 300, 200), "Server"),
        cell("in", "ellipse", (100, 60, 100, 80), "App"),
        cell("free", cube, (400, 0, 300, 200), "Alone"),
    )
    assert (found["cube"]["shape"], found["cube"]["name"]) == ("box3d", "Server")
    assert "label" not in found["cube"]
    assert (found["cube-label"]["content"], found["cube-label"]["align"]) == ("Server", "start")
    assert (found["cube-label"]["layout"]["x"], found["cube-label"]["layout"]["y"]) == (5, 3)
    assert found["free"]["label"] == "Alone"


def test_lines_leave_bars_of_activation_at_right_angles() -> None:
    bar = "perimeter=orthogonalPerimeter"
    found = read(
        cell("a", bar, (100, 0, 10, 200)),
        cell("b", bar, (300, 50, 10, 100)),
        '<mxCell id="e" style="entryX=0;entryY=0;" edge="1" parent="1" source="a" target="b"/>',
    )
    assert found["e"]["from"] == {"elementId": "a", "port": "right-250"}
    assert found["e"]["to"] == {"elementId": "b", "port": "left-0"}


def test_labels_near_the_ends_of_a_line_are_those_of_its_ends() -> None:
    def on_line(key: str, at: float, text: str) -> str:
        geometry = f'<mxGeometry x="{at}" relative="1" as="geometry"/>'
        return f'<mxCell id="{key}" value="{text}" style="edgeLabel" vertex="1" parent="a-b">{geometry}</mxCell>'

    found = read(
        cell("a", "", (0, 0, 100, 40), "A"),
        cell("b", "", (400, 0, 100, 40), "B"),
        line("a", "b"),
        on_line("x", -0.9, "1"),
        on_line("y", 0.1, "owns"),
        on_line("z", 0.9, "0..*"),
    )
    edge = found["a-b"]
    assert (edge["from"]["label"], edge["label"], edge["to"]["label"]) == ("1", "owns", "0..*")


def test_colours_of_a_holder_and_of_a_swimlane_are_inherited() -> None:
    lane = "swimlane;fillColor=#006600;strokeColor=#00ff00"
    found = read(
        cell("lane", lane, (0, 0, 300, 200), "Lane"),
        cell("box", "fillColor=inherit;strokeColor=inherit", (20, 40, 200, 100), "Box", 'parent="lane"'),
        cell("deep", "fillColor=swimlane;fontColor=#FFFFFF", (10, 10, 80, 40), "Deep", 'parent="box"'),
        cell("loop", "fillColor=inherit", (0, 300, 80, 40), "Loop", 'parent="loop"'),
        cell("named", "fillColor=light-dark(rgb(0, 0, 255),#000000);strokeColor=default", (0, 400, 80, 40), "Named"),
    )
    assert found["box"]["style"] | {"fill": "#006600", "stroke": "#00ff00"} == found["box"]["style"]
    assert found["deep"]["style"] == {"fill": "#006600", "textColor": "#FFFFFF"}
    assert "fill" not in found["loop"]["style"]
    assert found["named"]["style"] == {"fill": "#0000ff"}


def test_the_title_of_a_container_begins_where_it_does_there() -> None:
    document = imported(
        cell("lane", "swimlane;align=left;spacingLeft=34", (40, 40, 200, 140), "To do"),
        cell("a", "", (20, 60, 80, 40), "A", 'parent="lane"'),
    ).document
    placement = lay_out(document).scene.placement
    title = placement.part("lane", "title")
    assert title is not None
    assert title.x - placement.boxes["lane"].x == 36


def test_a_background_may_have_a_title_of_several_lines() -> None:
    found = read(
        cell("ground", "verticalAlign=top;html=1", (0, 0, 400, 300), "Production&lt;br&gt;eu-central-1"),
        cell("a", "", (40, 60, 80, 40), "A"),
    )
    assert found["ground"]["title"] == "Production\neu-central-1"
    assert found["ground"]["children"] == ["a"]


def test_blocks_breaks_and_cells_of_tables_divide_words() -> None:
    table = "<table><tr><td>PK</td><td>id</td></tr></table>"
    html = escape(f"<div>A</div><div><br></div><b>B</b>C{table}")
    assert read(cell("a", "html=1", (0, 0, 100, 100), html))["a"]["label"] == "A\n\nBC\nPK id"


def test_a_label_that_is_cut_is_told() -> None:
    found = imported(cell("a", "", (0, 0, 100, 100), "word " * 1_000))
    assert "are cut" in found.diagnostics[0].message


def test_opacity_of_the_inside_and_of_the_line_are_told_apart() -> None:
    style = "fillColor=#ff0000;strokeColor=#00ff00;opacity=50;fillOpacity=50;strokeOpacity=nonsense"
    assert read(cell("a", style, (0, 0, 100, 40)))["a"]["style"] == {"fill": "#ff000040", "stroke": "#00ff0080"}


@pytest.mark.parametrize(
    ("style", "node_type"),
    [
        ("shape=cylinder3", "database"),
        ("shape=datastore", "database"),
        ("shape=mxgraph.flowchart.database", "database"),
        ("shape=cylinder3;direction=south", "queue"),
        ("shape=mxgraph.flowchart.direct_data", "queue"),
        ("shape=mxgraph.c4.person2", "user"),
        ("shape=actor", "user"),
        ("shape=umlActor", "actor"),
        ("shape=document", "note"),
        ("rounded=1", None),
    ],
)
def test_a_shape_that_means_a_store_a_queue_or_a_person_tells_the_type(style: str, node_type: str | None) -> None:
    found = read(cell("a", style, (0, 0, 120, 60), "Orders"))
    assert found["a"].get("nodeType") == node_type
