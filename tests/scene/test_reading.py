"""Reading: the typed view of sound documents, aliases and misplaced members; and of anything else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from scenograph.diagnostics import Report
from scenograph.late_dataclasses import fields
from scenograph.scene.description.document import CANVAS, LAYOUT_STRATEGY, VIEW
from scenograph.scene.description.elements import (
    ATTACHMENT,
    COLUMN,
    ELEMENT_RECORDS,
    ENDPOINT,
    LAYOUT,
    LINK,
    PALETTE,
    PORT,
    STYLE,
)
from scenograph.scene.description.fields import Record
from scenograph.scene.model import (
    Asset,
    Attachment,
    Canvas,
    Color,
    Column,
    Constraint,
    Edge,
    Endpoint,
    Frame,
    Group,
    Guide,
    Image,
    Layout,
    LayoutStrategy,
    Link,
    Node,
    Palette,
    Port,
    Scene,
    Style,
    Text,
    View,
    Waypoint,
)
from scenograph.scene.reading import read_scene

Json = dict[str, Any]
Make = Callable[..., Json]
WHITE = Color(255, 255, 255)


def read(document: object) -> Scene:
    return read_scene(document, Report())


def one(document: Make, element: Json, **root: Any) -> Any:
    (found,) = read(document(element, **root)).elements
    return found


def test_every_attribute_of_the_model_is_read_from_a_described_member() -> None:
    pairs: list[tuple[type, Record]] = [
        (Style, STYLE),
        (Layout, LAYOUT),
        (Palette, PALETTE),
        (Canvas, CANVAS),
        (LayoutStrategy, LAYOUT_STRATEGY),
        (Port, PORT),
        (Attachment, ATTACHMENT),
        (Endpoint, ENDPOINT),
        (Column, COLUMN),
        (Link, LINK),
        (View, VIEW),
    ]
    lifted = {"style", "style_id", "extensions", "columns", "title_inset", "head_height"}
    lifted |= {"start_arrow", "end_arrow", "divided"}
    kinds = {"node": Node, "edge": Edge, "frame": Frame, "group": Group, "text": Text, "image": Image, "guide": Guide}
    pairs += [(kinds[kind], record) for kind, record in ELEMENT_RECORDS.items()]
    for cls, record in pairs:
        described = {row.attribute for row in record.fields if row.attribute}
        assert {row.name for row in fields(cls) if row.init} - lifted == described - lifted - {"key"}, cls


def test_a_node_is_read_whole(document: Make) -> None:
    node = {
        "id": "n",
        "kind": "node",
        "name": "N",
        "nodeType": "er.entity",
        "shape": "rect",
        "label": "L",
        "icon": "aws:s3",
        "zIndex": 2,
        "visible": False,
        "locked": True,
        "style": {"fill": "#fff", "strokeWidth": 2, "dash": [4, 2], "fontWeight": "bold", "forceLabel": True},
        "layout": {"mode": "absolute", "x": 1, "y": 2, "width": 3, "height": 4},
        "ports": [{"id": "p", "side": "left", "offset": 0.25}, {"id": "q"}],
        "extensions": {"columns": [{"name": "id", "pk": True}, {"key": "FK, unique", "name": "who"}], "mine": 1},
        "metadata": {"x": 1},
    }
    found = one(document, node)
    assert found == Node(
        id="n",
        kind="node",
        name="N",
        node_type="er.entity",
        shape="rect",
        label="L",
        icon="aws:s3",
        z_index=2.0,
        visible=False,
        locked=True,
        style=Style(fill=WHITE, stroke_width=2.0, dash=(4.0, 2.0), font_weight=700, force_label=True),
        layout=Layout(mode="absolute", x=1.0, y=2.0, width=3.0, height=4.0),
        ports=(Port(id="p", side="left", offset=0.25), Port(id="q")),
        columns=(Column(name="id", pk=True), Column(name="who", fk=True, unique=True)),
        extensions=node["extensions"],
        metadata={"x": 1},
    )


def test_a_negative_zero_is_read_as_the_zero_that_it_equals(document: Make) -> None:
    style = {"strokeWidth": -0.0}
    (node,) = read_scene(document({"id": "a", "kind": "node", "style": style}), Report()).elements
    assert isinstance(node, Node)
    assert node.style is not None
    assert str(node.style.stroke_width) == "0.0"


def test_an_edge_is_read_whole(document: Make) -> None:
    edge = {
        "id": "e",
        "kind": "edge",
        "from": {"elementId": "a", "port": "p", "column": "c", "cardinality": "zero-or-many"},
        "to": {"elementId": "b"},
        "edgeType": "er.identifying",
        "router": "polyline",
        "label": "L",
        "style": "loud",
        "endpoints": {"startArrow": "circle", "endArrow": "none"},
        "waypoints": [{"x": 1, "y": 2}, {"x": 3}],
    }
    assert one(document, edge) == Edge(
        id="e",
        kind="edge",
        source=Endpoint(element_id="a", port="p", column="c", cardinality="zero-or-many"),
        target=Endpoint(element_id="b"),
        edge_type="er.identifying",
        router="polyline",
        label="L",
        style_id="loud",
        start_arrow="circle",
        end_arrow="none",
        waypoints=(Waypoint(1.0, 2.0),),
    )


def test_the_other_kinds_are_read(document: Make, png: Callable[..., str]) -> None:
    href = f"data:image/png;base64,{png()}"
    scene = read(
        document(
            {
                "id": "f",
                "kind": "frame",
                "title": "T",
                "children": ["t"],
                "containerType": "pool",
                "laneDirection": "vertical",
            },
            {"id": "g", "kind": "group", "children": ["f"], "label": "G"},
            {"id": "t", "kind": "text", "content": "C", "align": "end"},
            {"id": "i", "kind": "image", "href": href, "fit": "cover", "alt": "A"},
            {"id": "u", "kind": "guide", "orientation": "vertical", "position": 7},
        )
    )
    assert scene.elements == (
        Frame(id="f", kind="frame", title="T", children=("t",), container_type="pool", lane_direction="vertical"),
        Group(id="g", kind="group", children=("f",), label="G"),
        Text(id="t", kind="text", content="C", align="end"),
        Image(id="i", kind="image", href=href, fit="cover", alt="A"),
        Guide(id="u", kind="guide", orientation="vertical", position=7.0),
    )


def test_the_root_is_read(document: Make, png: Callable[..., str]) -> None:
    scene = read(
        document(
            scene={"id": "s", "title": "T", "units": "px", "canvas": {"width": 100, "background": "black"}},
            diagramFamily="network",
            layoutStrategy={"algorithm": "grid", "columns": 3, "seed": 7, "nodeSpacing": 10},
            palette={"nodeFill": "white"},
            styles={"loud": {"fill": "white"}},
            assets={"pic": {"mimeType": "image/png", "data": png()}, "bad": {"mimeType": "image/png", "data": "?"}},
            constraints=[{"id": "c", "type": "grid", "elements": ["a"], "columns": 2, "rowGap": 4}],
        )
    )
    assert scene == Scene(
        id="s",
        title="T",
        canvas=Canvas(width=100.0, background=Color(0, 0, 0)),
        diagram_family="network",
        layout_strategy=LayoutStrategy(algorithm="grid", columns=3, seed=7, node_spacing=10.0),
        palette=Palette(node_fill=WHITE),
        styles={"loud": Style(fill=WHITE)},
        assets={"pic": Asset(mime_type="image/png", data=png())},
        constraints=(Constraint(id="c", type="grid", elements=("a",), parameters={"columns": 2, "rowGap": 4.0}),),
    )


# --- aliases, misplaced members, defaults ----------------------------------------------------------------------------
def test_aliases_are_read_and_the_real_name_wins(document: Make) -> None:
    frame = {"id": "f", "kind": "frame", "label": "L", "childIds": ["a"]}
    assert (one(document, frame).title, one(document, frame).children) == ("L", ("a",))
    both = frame | {"title": "T", "children": ["b"]}
    assert (one(document, both).title, one(document, both).children) == ("T", ("b",))
    assert one(document, {"id": "t", "kind": "text", "text": "X"}).content == "X"
    assert one(document, {"id": "t", "kind": "text", "label": "X"}).content == "X"


@pytest.mark.parametrize("name", ["diagramFamily", "layoutStrategy", "palette"])
def test_outer_fields_inside_scene_are_read_and_remarked(document: Make, name: str) -> None:
    value: Any = "network" if name == "diagramFamily" else {}
    scene = document()
    scene.pop("diagramFamily")
    plain = read(scene)
    scene["scene"][name] = value
    report = Report()
    moved = read_scene(scene, report)
    del scene["scene"][name]
    assert moved == read(scene | {name: value})
    assert name == "palette" or moved != plain
    assert [(row.code, row.path, row.data) for row in report.rows] == [
        ("OUTER_FIELD_NESTED", "/scene", {"nestedFields": [name]})
    ]


def test_an_outer_field_at_the_root_wins_without_a_remark(document: Make) -> None:
    scene = document(diagramFamily="network")
    scene["scene"]["diagramFamily"] = "sequence"
    report = Report()
    assert read_scene(scene, report).diagram_family == "network"
    assert report.rows == ()


def test_reading_remarks_nothing_else(document: Make) -> None:
    report = Report()
    read_scene(document({"id": "a", "kind": "node", "shape": "?", "odd": 1}, {"id": "a", "kind": "node"}), report)
    assert report.rows == ()


@pytest.mark.parametrize(
    ("inner", "outer", "shown"),
    [(None, None, True), (False, None, False), (None, False, False), (True, False, True), ("no", False, False)],
)
def test_lifeline_feet_are_read_from_scene_then_root_extensions(
    document: Make, inner: object, outer: object, *, shown: bool
) -> None:
    scene = document()
    if inner is not None:
        scene["scene"]["extensions"] = {"showLifelineFeet": inner}
    if outer is not None:
        scene["extensions"] = {"showLifelineFeet": outer}
    assert read(scene).show_lifeline_feet is shown


@pytest.mark.parametrize(
    ("layout", "mode"),
    [
        ({"x": 1, "y": 2}, "absolute"),
        ({"x": 1}, "auto"),
        ({"mode": "absolute", "x": 1}, "auto"),
        ({"mode": "absolute", "x": 1, "y": 1e300}, "auto"),
        ({"mode": "relative", "target": "a"}, "auto"),
        ({"mode": "relative", "target": "a", "relation": "below"}, "relative"),
        ({"mode": "auto", "x": 1, "y": 2}, "auto"),
        ({"mode": "sideways"}, "auto"),
        ("absolute", "auto"),
    ],
)
def test_a_layout_that_cannot_be_carried_out_is_auto(document: Make, layout: object, mode: str) -> None:
    assert one(document, {"id": "a", "kind": "node", "layout": layout}).layout.mode == mode


# --- anything else ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("value", [None, 3, "x", [], {}, {"elements": 3, "scene": []}, {"elements": [None, [], {}]}])
def test_what_is_no_document_reads_as_an_empty_scene(value: object) -> None:
    assert read(value) == Scene()


def test_unreadable_elements_are_left_out_and_the_first_of_an_id_stays(document: Make) -> None:
    scene = document(
        {"id": "a", "kind": "node", "label": "first"},
        {"id": "a", "kind": "node", "label": "second"},
        {"id": "b"},
        {"id": "", "kind": "node"},
        {"kind": "node"},
        {"id": "c", "kind": "nodule"},
        {"id": "d", "kind": "edge", "from": {"elementId": "a"}},
        {"id": "e", "kind": "edge", "from": {"elementId": "a"}, "to": "a"},
    )
    assert read(scene).elements == (Node(id="a", kind="node", label="first"),)


def test_members_that_cannot_be_read_count_as_unsaid(document: Make) -> None:
    node = {
        "id": "a",
        "kind": "node",
        "label": 3,
        "shape": "?",
        "visible": "no",
        "zIndex": "1",
        "style": {"fill": "?", "opacity": 2, "fontWeight": 0, "stroke": "red"},
        "ports": [{"id": "p", "offset": 7}, {}],
        "extensions": [],
    }
    style = Style(stroke=Color(255, 0, 0))
    assert one(document, node) == Node(id="a", kind="node", style=style, ports=(Port(id="p"),))
