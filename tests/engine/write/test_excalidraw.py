"""Excalidraw files: every reference leads somewhere and is told from both ends, and what stands where."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tests.builders import document_of, edge, frame, node

from scenograph.engine.markers import MARKERS
from scenograph.engine.pipeline import Extras, lay_out, render
from scenograph.engine.shapes import SHAPES
from scenograph.engine.write.excalidraw import ARROWHEADS, order_key

Json = dict[str, Any]
SCENES = sorted((Path(__file__).parents[2] / "scenes").glob("*.json"))
THEMES = ("clean", "dark", "blueprint", "sketch")
CONTAINERS = {"rectangle", "ellipse", "diamond", "arrow"}
BINDABLE = {"rectangle", "ellipse", "diamond", "image", "text"}
HEADS = {
    None,
    *("arrow", "bar", "circle", "circle_outline", "triangle", "triangle_outline", "diamond", "diamond_outline"),
    *("crowfoot_one", "crowfoot_many", "crowfoot_one_or_many"),
}
PIXEL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAA"
    "AABJRU5ErkJggg=="
)
COMMON = {
    *("id", "type", "x", "y", "width", "height", "angle", "strokeColor", "backgroundColor", "fillStyle", "strokeWidth"),
    *("strokeStyle", "roughness", "opacity", "groupIds", "frameId", "index", "roundness", "seed", "version", "link"),
    *("versionNonce", "isDeleted", "boundElements", "updated", "locked"),
}


def scene(*elements: Json, **members: Any) -> Json:
    head = {"id": "s", "title": "Shop", "units": "px", "canvas": {}}
    return {"schemaVersion": "0.1", "diagramFamily": "architecture", "scene": head, "elements": [*elements]} | members


def file_of(document: Json, theme: str = "clean", **extras: Any) -> Json:
    return json.loads(render(document, "excalidraw", theme=theme, extras=Extras(**extras)).content)


def by_id(document: Json, theme: str = "clean", **extras: Any) -> dict[str, Json]:
    return {one["id"]: one for one in file_of(document, theme, **extras)["elements"]}


def label_of(elements: dict[str, Json], owner: str) -> Json:
    (bound,) = (one for one in elements[owner]["boundElements"] if one["type"] == "text")
    return elements[bound["id"]]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_a_file_is_whole(path: Path, theme: str) -> None:
    document = json.loads(path.read_text("utf-8"))
    found = file_of(document, theme)
    rows, elements = found["elements"], by_id(document, theme)
    assert (found["type"], found["version"], len(rows)) == ("excalidraw", 2, len(elements))
    assert [one["index"] for one in rows] == sorted({one["index"] for one in rows})
    for one in rows:
        assert set(one) >= COMMON
        assert one["roughness"] == (1 if theme == "sketch" else 0)
        assert 0 <= one["opacity"] <= 100
        assert 0 <= one["seed"] < 2**31
        for bound in one["boundElements"]:
            other = elements[bound["id"]]
            assert other["type"] == bound["type"]
            holders = [other.get("containerId")] if bound["type"] == "text" else ends_of(other)
            assert one["id"] in holders
        check_text(one, elements)
        check_arrow(one, elements)
        assert one["type"] != "image" or one["fileId"] in found["files"]
    used = {one["fileId"] for one in rows if one["type"] == "image"}
    assert used == set(found["files"])
    assert all(entry["id"] == key and entry["dataURL"].startswith("data:") for key, entry in found["files"].items())


def ends_of(arrow: Json) -> list[str]:
    bindings = (arrow[f"{side}Binding"] for side in ("start", "end"))
    return [binding["elementId"] for binding in bindings if binding]


def check_text(one: Json, elements: dict[str, Json]) -> None:
    if one["type"] != "text" or one["containerId"] is None:
        return
    container = elements[one["containerId"]]
    assert container["type"] in CONTAINERS
    assert {"id": one["id"], "type": "text"} in container["boundElements"]
    assert one["groupIds"] == container["groupIds"]


def check_arrow(one: Json, elements: dict[str, Json]) -> None:
    if one["type"] != "arrow":
        return
    assert one["points"][0] == [0, 0]
    assert {one["startArrowhead"], one["endArrowhead"]} <= HEADS
    for name in ends_of(one):
        assert elements[name]["type"] in BINDABLE
        assert {"id": one["id"], "type": "arrow"} in elements[name]["boundElements"]
    if one["elbowed"]:
        assert all(a[0] == b[0] or a[1] == b[1] for a, b in pairwise(one["points"]))
        assert all(len(one[f"{side}Binding"]["fixedPoint"]) == 2 for side in ("start", "end"))


def test_a_box_an_arrow_and_their_labels_are_bound_to_each_other() -> None:
    line = edge("web", "orders", id="e", label="places", endpoints={"endArrow": "triangle"})
    elements = by_id(scene(node("web"), node("orders"), line))
    arrow = elements["e"]
    assert (arrow["startBinding"]["elementId"], arrow["endBinding"]["elementId"]) == ("web", "orders")
    assert (arrow["startArrowhead"], arrow["endArrowhead"]) == (None, "triangle")
    assert label_of(elements, "e")["text"] == "places"
    assert label_of(elements, "web")["text"] == "web"
    assert label_of(elements, "web")["verticalAlign"] == "middle"


def test_places_are_those_of_the_layout() -> None:
    document = scene(node("web"), node("orders"), edge("web", "orders", id="e"))
    boxes, elements = lay_out(document).scene.placement.boxes, by_id(document)
    for name in ("web", "orders"):
        assert abs(elements[name]["x"] - boxes[name].x) <= 1
        assert abs(elements[name]["width"] - boxes[name].width) <= 1
    arrow = elements["e"]
    assert abs(arrow["y"] - boxes["web"].bottom) <= 1
    assert abs(arrow["y"] + arrow["points"][-1][1] - boxes["orders"].y) <= 1


@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_every_shape_can_hold_a_label_and_arrows(shape: str) -> None:
    document = scene(node("a", shape=shape), node("b"), edge("a", "b", id="e"))
    elements = by_id(document)
    wanted = {"ellipse": "ellipse", "diamond": "diamond"}.get(shape, "rectangle")
    assert elements["a"]["type"] == wanted
    text = label_of(elements, "a")
    assert text["text"] == "a"
    order = list(elements)
    lines = [key for key in order if elements[key]["type"] == "line"]
    # What is visible must not hide the label, which Excalidraw draws right after its container.
    assert all(order.index(key) < order.index("a") for key in lines)
    assert bool(lines) == (shape in {"cylinder", "hexagon", "parallelogram", "cloud", "box3d", "tube"})
    assert all(elements[key]["groupIds"] == elements["a"]["groupIds"] for key in lines)


@pytest.mark.parametrize("router", ["straight", "orthogonal", "curved", "polyline"])
def test_every_router_gives_an_arrow_of_its_kind(router: str) -> None:
    arrow = by_id(scene(node("a"), node("b"), edge("a", "b", id="e", router=router)))["e"]
    assert arrow["elbowed"] == (router == "orthogonal")
    assert (arrow["roundness"] is not None) == (router == "curved")


def test_every_marker_has_an_arrowhead() -> None:
    assert set(ARROWHEADS) == set(MARKERS)
    assert set(ARROWHEADS.values()) <= HEADS


@pytest.mark.parametrize("cardinality", ["zero-or-one", "zero-or-many"])
def test_the_circle_of_a_crows_foot_is_an_element_in_one_group_with_its_arrow(cardinality: str) -> None:
    line = edge("a", "b", id="e", label="has")
    line["to"]["cardinality"], line["from"]["cardinality"] = cardinality, "one"
    elements = by_id(scene(node("a"), node("b"), line, diagramFamily="entityRelationship"))
    (ring,) = (one for one in elements.values() if one["type"] == "ellipse")
    arrow = elements["e"]
    tip = arrow["y"] + arrow["points"][-1][1]
    assert tip - 25 < ring["y"] + ring["height"] / 2 < tip - 5
    assert ring["backgroundColor"] == "#ffffff"
    assert ring["groupIds"] == arrow["groupIds"] == label_of(elements, "e")["groupIds"] != []
    order = list(elements)
    assert order.index(ring["id"]) > order.index("e")


def test_a_foot_without_a_circle_gets_none() -> None:
    line = edge("a", "b", id="e", endpoints={"startArrow": "circle", "endArrow": "bar"})
    line["to"]["cardinality"] = "many"
    elements = by_id(scene(node("a"), node("b"), line, diagramFamily="entityRelationship"))
    assert not [one for one in elements.values() if one["type"] == "ellipse"]


def test_the_label_of_an_arrow_is_at_its_middle_point() -> None:
    boxes = [
        node("a", layout={"mode": "absolute", "x": 0, "y": 0, "width": 100, "height": 60}),
        node("b", layout={"mode": "absolute", "x": 600, "y": 400, "width": 100, "height": 60}),
    ]
    elements = by_id(scene(*boxes, edge("a", "b", id="e", label="a label")))
    arrow, text = elements["e"], label_of(elements, "e")
    assert len(arrow["points"]) % 2 == 1
    x, y = arrow["points"][len(arrow["points"]) // 2]
    assert abs(arrow["x"] + x - text["x"] - text["width"] / 2) < 12
    assert abs(arrow["y"] + y - text["y"] - text["height"] / 2) < 12


def test_an_edge_from_an_element_to_itself_is_bound_once_and_no_elbow() -> None:
    elements = by_id(scene(node("a"), edge("a", "a", id="e")))
    assert [one for one in elements["a"]["boundElements"] if one["type"] == "arrow"] == [{"id": "e", "type": "arrow"}]
    assert not elements["e"]["elbowed"]


def test_a_container_is_a_group_with_all_that_it_holds() -> None:
    inner = {"id": "in", "kind": "frame", "title": "Inner", "children": ["a", "b"]}
    outer = {"id": "out", "kind": "frame", "title": "Outer", "children": ["in", "c"]}
    inside, across = edge("a", "b", id="e"), edge("a", "c", id="f")
    elements = by_id(scene(node("a"), node("b"), node("c"), inner, outer, inside, across))
    (outer_group,) = elements["out"]["groupIds"]
    inner_group = elements["in"]["groupIds"][0]
    assert elements["in"]["groupIds"] == elements["a"]["groupIds"] == elements["e"]["groupIds"]
    assert elements["a"]["groupIds"] == [inner_group, outer_group]
    assert elements["c"]["groupIds"] == elements["f"]["groupIds"] == [outer_group]
    assert label_of(elements, "out")["text"] == "Outer"
    assert elements["out"]["strokeStyle"] == "dashed"


def test_icons_and_pictures_are_files_and_equal_ones_are_kept_once() -> None:
    icons = [node(name, icon="aws:s3") for name in ("a", "b")]
    image = {"id": "i", "kind": "image", "href": PIXEL, "layout": {"width": 40, "height": 20}}
    found = file_of(scene(*icons, image))
    kinds = sorted(entry["mimeType"] for entry in found["files"].values())
    assert kinds == ["image/png", "image/svg+xml"]
    (shown,) = (one for one in found["elements"] if one["id"] == "i")
    assert (shown["type"], shown["width"], shown["height"]) == ("image", 20, 20)
    a = next(one for one in found["elements"] if one["id"] == "a")
    assert (a["strokeColor"], a["backgroundColor"]) == ("transparent", "transparent")


def test_a_picture_that_covers_its_box_is_cropped() -> None:
    image = {"id": "i", "kind": "image", "href": PIXEL, "fit": "cover", "layout": {"width": 40, "height": 20}}
    shown = by_id(scene(image))["i"]
    assert (shown["width"], shown["height"]) == (40, 20)
    assert shown["crop"] == {"x": 0, "y": 0.25, "width": 1, "height": 0.5, "naturalWidth": 1, "naturalHeight": 1}


def test_paint_is_carried_over() -> None:
    style = {"fill": "#ff000080", "stroke": "#0000ff", "strokeWidth": 4, "dash": [2, 2], "opacity": 0.3}
    found = by_id(scene(node("a", style=style, locked=True)), "dark")["a"]
    assert (found["backgroundColor"], found["strokeColor"]) == ("#ff000080", "#0000ff")
    assert (found["strokeWidth"], found["strokeStyle"], found["opacity"], found["locked"]) == (4, "dotted", 30, True)
    assert file_of(scene(), "blueprint")["appState"]["viewBackgroundColor"] == "#0d1b2a"


@pytest.mark.parametrize(("theme", "font"), [("clean", 6), ("dark", 6), ("blueprint", 3), ("sketch", 5)])
def test_each_theme_has_the_font_that_is_nearest(theme: str, font: int) -> None:
    assert label_of(by_id(scene(node("a")), theme), "a")["fontFamily"] == font


def test_a_diff_and_a_watermark_are_shown_too() -> None:
    old = scene(node("a"), node("gone"))
    elements = by_id(scene(node("a"), node("fresh")), before=old, watermark="s · revision 2")
    assert (elements["fresh"]["strokeColor"], elements["fresh"]["strokeWidth"]) == ("#22c55e", 3)
    assert (elements["gone"]["strokeColor"], elements["gone"]["opacity"]) == ("#ef4444", 40)
    assert elements["a"]["opacity"] == 50
    words = {one["text"] for one in elements.values() if one["type"] == "text"}
    assert {"s · revision 2", "Added 1", "Removed 1", "Modified 0", "Unchanged 1"} <= words


@pytest.mark.parametrize("odd", [{}, {"elements": 7}, {"elements": [{"id": "x", "kind": "edge"}]}, {"scene": []}])
def test_whatever_comes_there_is_a_file(odd: Json) -> None:
    assert file_of(odd)["type"] == "excalidraw"


def test_what_callers_wrote_is_only_ever_text() -> None:
    hostile = '</script><b onload="x">\ud800'
    text = render(scene(node("a", label=hostile)), "excalidraw").content
    assert isinstance(text, str)
    assert text.isascii()
    assert label_of(by_id(scene(node("a", label=hostile))), "a")["text"].startswith("</script>")


def test_order_keys_rise_with_the_places() -> None:
    keys = [order_key(place) for place in range(5000)]
    assert keys == sorted(set(keys))
    assert keys[:2] + keys[61:63] == ["a0", "a1", "az", "b00"]


def test_a_message_is_not_bound_to_the_head_of_a_lifeline_far_above_it() -> None:
    lines = [{"id": name, "kind": "node", "nodeType": "sequence.lifeline"} for name in "ab"]
    ends = {"from": {"elementId": "a"}, "to": {"elementId": "b"}}
    edges = [{"id": f"m{k}", "kind": "edge", "edgeType": "sequence.message", "label": "call"} | ends for k in range(3)]
    head = {"id": "s", "units": "px", "canvas": {}}
    document = {"schemaVersion": "0.1", "diagramFamily": "sequence", "scene": head, "elements": [*lines, *edges]}
    rows = json.loads(str(render(document, "excalidraw").content))["elements"]
    arrows = [row for row in rows if row["type"] == "arrow"]
    assert len(arrows) == len(edges)
    assert [(row["startBinding"], row["endBinding"]) for row in arrows[1:]] == [(None, None)] * 2


def test_fragments_in_each_other_are_groups_in_each_other_up_to_sixty_four() -> None:
    """Every element names all groups round it: without a bound a thousand fragments would be fifty megabytes."""
    count = 66
    calls = [edge("a", "b", id=f"m{at}", edgeType="sequence.message") for at in range(count)]
    operands = [{"operands": [{"messages": [f"m{at}" for at in range(start, count)]}]} for start in range(count)]
    fragments = [frame(f"f{at}", containerType="fragment", extensions=row) for at, row in enumerate(operands)]
    lives = [node(name, nodeType="sequence.lifeline") for name in "ab"]
    drawn = by_id(document_of(*lives, *calls, *fragments, family="sequence"))
    assert max(len(one["groupIds"]) for one in drawn.values()) == 64
