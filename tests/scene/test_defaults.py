"""Root `defaults`: one line for what all elements of a kind have, unless they say otherwise."""

from __future__ import annotations

from typing import Any

import pytest

from scenograph.diagnostics import Report
from scenograph.engine.pipeline import normalize, render_svg
from scenograph.scene.anonymizing import anonymized
from scenograph.scene.colors import Color
from scenograph.scene.edits.operations import apply_operations
from scenograph.scene.model import Edge, Frame, Node
from scenograph.scene.reading import read_scene
from scenograph.scene.validation import validate

Json = dict[str, Any]
RED, GREEN = Color(255.0, 0.0, 0.0, 1.0), Color(0.0, 255.0, 0.0, 1.0)


def scene_with(defaults: Json, *elements: Json, **members: Any) -> Json:
    return {
        "schemaVersion": "0.1",
        "diagramFamily": "architecture",
        "scene": {"id": "s", "units": "px", "canvas": {}},
        "defaults": defaults,
        "elements": [*elements],
        **members,
    }


def elements_of(document: Json) -> Json:
    return {element.id: element for element in read_scene(document, Report()).elements}


A, B = {"id": "a", "kind": "node"}, {"id": "b", "kind": "node"}
AB = {"id": "ab", "kind": "edge", "from": {"elementId": "a"}, "to": {"elementId": "b"}}


def test_one_line_gives_every_edge_its_arrow_but_those_that_say_otherwise() -> None:
    plain = AB | {"id": "plain", "endpoints": {"endArrow": "none"}}
    document = scene_with({"edge": {"endpoints": {"endArrow": "triangle"}, "router": "curved"}}, A, B, AB, plain)
    assert validate(document) == ()
    found = elements_of(document)
    edge, other = found["ab"], found["plain"]
    assert isinstance(edge, Edge)
    assert isinstance(other, Edge)
    assert (edge.end_arrow, edge.router) == ("triangle", "curved")
    assert (other.end_arrow, other.router) == ("none", "curved")


def test_styles_are_merged_member_by_member_named_ones_too() -> None:
    document = scene_with(
        {"node": {"style": {"fill": "#ff0000", "strokeWidth": 3}}},
        A | {"style": {"fill": "#00ff00"}},
        B | {"style": "wide"},
        {"id": "c", "kind": "node"},
        styles={"wide": {"strokeWidth": 9}},
    )
    assert validate(document) == ()
    styles = {name: element.style for name, element in elements_of(document).items()}
    told = {name: (style.fill, style.stroke_width) for name, style in styles.items()}
    assert told == {"a": (GREEN, 3), "b": (RED, 9), "c": (RED, 3)}


def test_an_element_counts_for_more_than_the_defaults_and_these_for_more_than_the_palette() -> None:
    document = scene_with({"node": {"style": {"fill": "#ff0000"}}}, A, palette={"nodeFill": "#0000ff"})
    svg = render_svg(document).content
    assert "#f00" in svg
    assert "#00f" not in svg


def test_a_title_under_its_other_name_is_not_outdone() -> None:
    frame = {"id": "f", "kind": "frame", "label": "Own", "children": []}
    found = elements_of(scene_with({"frame": {"title": "Shared"}}, frame, {**frame, "id": "g", "label": "Mine"}))
    assert [element.title for element in found.values() if isinstance(element, Frame)] == ["Own", "Mine"]


def test_extensions_and_layouts_are_merged() -> None:
    document = scene_with(
        {"node": {"layout": {"mode": "auto", "width": 300}, "nodeType": "er.entity"}},
        A | {"layout": {"mode": "absolute", "x": 1, "y": 2}},
        B | {"nodeType": "service"},
    )
    found = elements_of(document)
    a, b = found["a"], found["b"]
    assert isinstance(a, Node)
    assert isinstance(b, Node)
    assert (a.layout.x, a.layout.width, a.node_type) == (1, 300, "er.entity")
    assert (b.layout.width, b.node_type) == (300, "service")


@pytest.mark.parametrize(
    ("defaults", "told"),
    [
        ({"nodes": {}}, ("UNKNOWN_FIELD", "/defaults/nodes", "node")),
        ({"edge": {"rooter": "curved"}}, ("UNKNOWN_FIELD", "/defaults/edge/rooter", "router")),
        ({"edge": {"router": "curvy"}}, ("INVALID_VALUE", "/defaults/edge/router", None)),
        ({"node": {"style": "wid"}}, ("STYLE_NOT_FOUND", "/defaults/node/style", "wide")),
        ({"node": {"id": "x"}}, ("UNKNOWN_FIELD", "/defaults/node/id", None)),
    ],
)
def test_what_is_wrong_in_the_defaults_is_told_where_it_stands(defaults: Json, told: tuple[str, str, Any]) -> None:
    (row,) = validate(scene_with(defaults, A, styles={"wide": {"strokeWidth": 9}}))
    assert (row.code, row.path) == told[:2]
    assert told[2] in (None, (row.data or {}).get("suggestion"))


def test_update_scene_sets_merges_and_removes_them() -> None:
    document = scene_with({"edge": {"router": "curved"}}, A, B, AB)
    op = {"op": "updateScene", "defaults": {"edge": {"endpoints": {"endArrow": "bar"}}}}
    edited = apply_operations(document, [op])
    assert edited.document["defaults"] == {"edge": {"router": "curved", "endpoints": {"endArrow": "bar"}}}
    removed = apply_operations(edited.document, [{"op": "updateScene", "defaults": None}])
    assert "defaults" not in removed.document
    assert not apply_operations(document, [{"op": "updateScene", "defaults": {"edge": {"router": 1}}}]).succeeded


def test_a_normalized_document_has_them_written_in_and_is_drawn_alike() -> None:
    document = scene_with({"edge": {"router": "straight", "style": {"stroke": "#ff0000"}}}, A, B, AB)
    normalized, _ = normalize(document)
    assert next(row for row in normalized["elements"] if row["id"] == "ab")["router"] == "straight"
    assert render_svg(normalized).content == render_svg(document).content


def test_their_words_are_made_unreadable_with_the_others() -> None:
    document = scene_with({"node": {"label": "Secret recipe", "shape": "pill", "nodeType": "workflow.task"}}, A)
    masked = anonymized(document, lambda below: below - 1)["defaults"]["node"]
    assert masked["shape"] == "pill"
    assert masked["nodeType"] == "workflow.task"
    assert "Secret" not in masked["label"]
