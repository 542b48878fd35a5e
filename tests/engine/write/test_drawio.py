"""The draw.io file, read back by a small reader of its own: places, bindings, and that no label becomes markup."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

import pytest
from defusedxml import ElementTree

from scenograph.engine.pipeline import Extras, normalize, render
from scenograph.reading.readers import read_source
from scenograph.reading.source import Source

SCENES = sorted(Path(__file__).parents[2].joinpath("scenes").glob("*.json"))
NEAR = 1.0  # px


def cells_of(document: dict[str, Any]) -> dict[str, Element]:
    root = ElementTree.fromstring(str(render(document, "drawio").content))
    cells: dict[str, Element] = {}
    for row in root.findall("./diagram/mxGraphModel/root/*"):
        cell = row if row.tag == "mxCell" else row.find("mxCell")
        assert cell is not None
        assert row.attrib["id"] not in cells
        cells[row.attrib["id"]] = cell
    return cells


def style_of(cell: Element) -> dict[str, str]:
    rows = (part.partition("=") for part in cell.get("style", "").split(";") if part)
    return {name: value for name, _, value in rows}


def box_of(key: str, cells: dict[str, Element]) -> tuple[float, float, float, float]:
    geometry = cells[key].find("mxGeometry")
    if geometry is None:
        return (0, 0, 0, 0)
    x, y, width, height = (float(geometry.get(name, 0)) for name in ("x", "y", "width", "height"))
    parent = box_of(cells[key].get("parent", ""), cells)
    return (x + parent[0], y + parent[1], width, height)


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_every_box_and_every_end_is_where_the_scene_has_it(path: Path) -> None:
    document = json.loads(path.read_text())
    cells = cells_of(document)
    computed = normalize(document)[0]["computed"]
    bounds = {key: box for key, box in computed["bounds"].items() if key in cells}
    assert bounds
    first = next(iter(bounds))
    dx, dy = box_of(first, cells)[0] - bounds[first]["x"], box_of(first, cells)[1] - bounds[first]["y"]
    for key, box in bounds.items():
        there = (box["x"] + dx, box["y"] + dy, box["width"], box["height"])
        assert box_of(key, cells) == pytest.approx(there, abs=NEAR)
    for key, way in computed["edgePaths"].items():
        style = style_of(cells[key])
        for end, name, point in (("source", "exit", way["points"][0]), ("target", "entry", way["points"][-1])):
            x, y, width, height = box_of(cells[key].attrib[end], cells)
            tip = (x + float(style[f"{name}X"]) * width, y + float(style[f"{name}Y"]) * height)
            assert tip == pytest.approx((point["x"] + dx, point["y"] + dy), abs=NEAR)


def small(**members: Any) -> dict[str, Any]:
    nodes = [{"id": "a", "kind": "node", **members}, {"id": "1", "kind": "node", "label": "B"}]
    edge = {"id": "e", "kind": "edge", "from": {"elementId": "a"}, "to": {"elementId": "1"}, "label": "<i>x"}
    frame = {"id": "f", "kind": "frame", "title": "F", "children": ["a"]}
    scene: dict[str, Any] = {"id": "s", "units": "px", "canvas": {}}
    return {"schemaVersion": "0.1", "scene": scene, "elements": [*nodes, frame, edge]}


def test_labels_are_text_and_containers_hold_their_content() -> None:
    cells = cells_of(small(label="<b onclick='x'>&amp;"))
    assert cells["a"].get("value") == "&lt;b onclick=&#x27;x&#x27;&gt;&amp;amp;"
    assert cells["a"].get("parent") == "f"
    assert cells["e"].get("value") == "&lt;i&gt;x"
    assert (cells["e"].get("source"), cells["e"].get("target")) == ("a", "1")


def test_a_link_and_a_tooltip_stand_in_an_object() -> None:
    text = str(render(small(link={"href": "https://example.org/?a=1&b"}, tooltip='"why"'), "drawio").content)
    found = ElementTree.fromstring(text).find(".//UserObject")
    assert found is not None
    assert (found.get("link"), found.get("tooltip")) == ("https://example.org/?a=1&b", '"why"')


def test_the_regions_of_a_state_are_drawn_and_hold_nothing() -> None:
    states = [{"id": key, "kind": "node", "nodeType": "state.state", "label": key} for key in "ab"]
    frame = {"id": "s", "kind": "frame", "title": "Both", "containerType": "state", "children": ["a", "b"]}
    regions = frame | {"extensions": {"regions": [["a"], ["b"]]}}
    scene = {"id": "s", "units": "px", "canvas": {}}
    document = {"schemaVersion": "0.1", "diagramFamily": "workflow", "scene": scene, "elements": [*states, regions]}
    text = str(render(document, "drawio").content)
    assert "s:region:2 picture" in text
    found = {one["id"]: one for one in read_source(Source(text=text)).document["elements"]}
    assert set(found) == {"a", "b", "s"}
    assert found["s"]["children"] == ["a", "b"]


def test_roles_that_nodes_are_cast_in_are_never_written_as_their_types() -> None:
    nodes: list[dict[str, Any]] = [
        {"id": "begin", "kind": "node", "shape": "pill", "label": "Begin"},
        {"id": "timer", "kind": "node", "nodeType": "workflow.timer", "label": "Wait"},
        {"id": "ask", "kind": "node", "shape": "diamond", "label": "Late?"},
        {"id": "word", "kind": "node", "nodeType": "a word of mine", "label": "Own"},
    ]
    ways = [("begin", "timer"), ("timer", "ask"), ("ask", "word")]
    edges = [{"id": a + b, "kind": "edge", "from": {"elementId": a}, "to": {"elementId": b}} for a, b in ways]
    scene = {"id": "s", "units": "px", "canvas": {}}
    document = {"schemaVersion": "0.1", "diagramFamily": "workflow", "scene": scene, "elements": [*nodes, *edges]}
    back = read_source(Source(text=str(render(document, "drawio").content))).document["elements"]
    found = {one["id"]: one.get("nodeType") for one in back if one["kind"] == "node"}
    assert found == {one["id"]: one.get("nodeType") for one in nodes}
    told = [row.data for row in render(document, "mermaid").diagnostics if row.code == "EXPORT_LOSS"]
    assert [loss["elementIds"] for row in told if row for loss in row["losses"]] == [["timer", "word"]]


def test_what_a_draw_io_file_does_not_keep_is_told_and_titles_of_tables_come_back() -> None:
    table = {"id": "t", "kind": "node", "nodeType": "er.entity", "label": "orders"}
    table["extensions"] = {"columns": [{"name": "id", "pk": True}]}
    scene = {"id": "s", "units": "px", "canvas": {}}
    document: dict[str, Any] = {"schemaVersion": "0.1", "diagramFamily": "entityRelationship", "scene": scene}
    written = render(document | {"elements": [table]}, "drawio")
    told = next(row.data for row in written.diagnostics if row.code == "EXPORT_LOSS")
    assert told is not None
    assert [row["what"] for row in told["losses"]] == [
        "types of elements (they are drawn, not kept)",
        "rows of elements (they are drawn as texts)",
    ]
    back = read_source(Source(text=str(written.content))).document["elements"]
    assert [(one["kind"], one["label"]) for one in back] == [("node", "orders")]


HIDDEN: dict[str, Any] = {
    "schemaVersion": "0.1",
    "scene": {"id": "s", "units": "px", "canvas": {}},
    "elements": [
        {"id": "a", "kind": "node", "label": "A"},
        {"id": "b", "kind": "node", "label": "B"},
        {"id": "c", "kind": "node", "label": "C"},
        {"id": "n", "kind": "node", "label": "N", "visible": False},
        {"id": "f", "kind": "frame", "title": "F", "children": ["c"], "visible": False},
        {"id": "ab", "kind": "edge", "from": {"elementId": "a"}, "to": {"elementId": "b"}, "visible": False},
        {"id": "bn", "kind": "edge", "from": {"elementId": "b"}, "to": {"elementId": "n"}, "label": "to N"},
    ],
}


def test_what_is_hidden_is_in_the_file_hidden_around_what_is_seen() -> None:
    seen = {**HIDDEN, "elements": HIDDEN["elements"][:2]}
    there, alone = cells_of(HIDDEN), cells_of(seen)
    assert there.keys() == alone.keys() | {"n", "f", "c", "ab", "bn"}
    assert {key for key, cell in there.items() if cell.get("visible") == "0"} == {"n", "f", "ab"}
    assert [box_of(key, there) for key in "ab"] == [box_of(key, alone) for key in "ab"]
    boxes = [box_of(key, there) for key in "abnf"]
    assert len({box[:2] for box in boxes}) == len(boxes)
    assert all(box[2] > 0 for box in boxes)
    assert "EXPORT_LOSS" not in {row.code for row in render(HIDDEN, "drawio").diagnostics}
    back = read_source(Source(text=str(render(HIDDEN, "drawio").content))).document["elements"]
    assert {one["id"] for one in back if one.get("visible") is False} == {"n", "f", "ab"}


def test_hidden_guides_and_what_a_difference_hides_are_told() -> None:
    guide = {"id": "g", "kind": "guide", "orientation": "vertical", "position": 10, "visible": False}
    told = render({**HIDDEN, "elements": [*HIDDEN["elements"], guide]}, "drawio").diagnostics
    losses = [row.data["losses"] for row in told if row.code == "EXPORT_LOSS" and row.data is not None]
    assert {"elementIds": ["g"], "what": "hidden elements"} in losses[0]
    picture = render(HIDDEN, "drawio", extras=Extras(before=HIDDEN))
    assert "hidden elements" in " ".join(row.message for row in picture.diagnostics)
