"""A wish that the picture shows is kept in a file of every format, or told as lost (EXPORT_LOSS, R-OUT-4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from tests.styles import STYLES

import scenograph
from scenograph.wire.formats import FORMATS, PDF, PNG, SVG

PICTURES = {SVG.name, PNG.name, PDF.name}
"""Formats that show what the picture shows; any other format, new ones too, keeps or tells."""
Json = dict[str, Any]
LOOKS: Mapping[str, Json] = {f"style {name}": {"style": {name: value}} for name, value in STYLES.items()}
COMMON: Mapping[str, Json] = {
    "tooltip": {"tooltip": "tip"},
    "link": {"link": {"href": "https://example.com"}},
    "hidden": {"visible": False},
    "locked": {"locked": True},
    **LOOKS,
}
WISHES: Mapping[str, Mapping[str, Json]] = {
    "node": {
        **COMMON,
        "icon": {"icon": "lucide:lock"},
        "shape": {"shape": "diamond"},
        "type": {"nodeType": "database"},
        "size": {"layout": {"width": 333, "height": 99}},
        "columns": {"nodeType": "er.entity", "extensions": {"columns": [{"name": "id", "pk": True}]}},
        "methods": {"nodeType": "uml.class", "extensions": {"methods": ["m()"]}},
    },
    "edge": {
        **COMMON,
        "label": {"label": "calls"},
        "router": {"router": "curved"},
        "type": {"edgeType": "dependency"},
        "side": {"from": {"elementId": "a", "port": "left"}},
        "waypoints": {"router": "polyline", "waypoints": [{"x": 300, "y": 30}]},
        "cardinality": {"to": {"elementId": "b", "cardinality": "many"}},
        "end label": {"to": {"elementId": "b", "label": "near"}},
        "marker": {"endpoints": {"endArrow": "diamond"}},
        "start marker": {"endpoints": {"startArrow": "triangle"}},
    },
    "frame": {
        **COMMON,
        "icon": {"icon": "lucide:lock"},
        "title": {"title": "T"},
        "type": {"containerType": "pool"},
        "head": {"extensions": {"headHeight": 50}},
    },
    "root": {
        "constraints": {"constraints": [{"id": "k", "type": "align", "axis": "y", "elements": ["a", "b"]}]},
        "direction": {"layoutStrategy": {"direction": "LR"}},
    },
}
FURTHER: Mapping[str, Json] = {
    "text": {"id": "t", "kind": "text", "content": "free"},
    "guide": {"id": "t", "kind": "guide", "axis": "x", "position": 50},
    "group": {"id": "t", "kind": "group", "children": ["a"], "label": "G", "style": {"stroke": "#c00"}},
}


def scene(family: str, of: str = "", wish: Json | None = None, *further: Json) -> Json:
    """Two nodes, one of them in a frame, and a line, with a wish for one of the kinds."""
    said = {of: wish or {}}
    lifeline = {"nodeType": "sequence.lifeline"} if family == "sequence" else {}
    ends = {"from": {"elementId": "a"}, "to": {"elementId": "b"}}
    elements = [
        {"id": "a", "kind": "node", "label": "Alpha", **lifeline} | said.get("node", {}),
        {"id": "b", "kind": "node", "label": "Beta", **lifeline},
        {"id": "e", "kind": "edge", **ends} | said.get("edge", {}),
        {"id": "f", "kind": "frame", "title": "F", "children": ["b"]} | said.get("frame", {}),
        *further,
    ]
    about = {"id": "s", "title": "S", "units": "px", "canvas": {}}
    root = {"schemaVersion": "0.1", "diagramFamily": family, "scene": about, "elements": elements}
    return {**root, **said.get("root", {})}


def tables(**edge: Any) -> Json:
    nodes = [{"id": one, "kind": "node", "nodeType": "er.entity", "label": one} for one in "ab"]
    line = {"id": "e", "kind": "edge", "from": {"elementId": "a"}, "to": {"elementId": "b"}, **edge}
    return {**scene("entityRelationship"), "elements": [*nodes, line]}


def losses(picture: scenograph.Picture) -> set[str]:
    """The named losses of a file."""
    rows = [row for row in picture.diagnostics if row.code == "EXPORT_LOSS"]
    return {str(loss["what"]) for row in rows for loss in (row.data or {})["losses"]}


@pytest.mark.parametrize(
    ("family", "form"),
    [
        *(
            ("architecture", name)
            for name, form in FORMATS.items()
            if form.holds("architecture")
            if name not in PICTURES
        ),
        *(("sequence", form) for form in ("mermaid", "text")),
        ("workflow", "bpmn"),
    ],
)
def test_a_wish_that_the_picture_shows_is_kept_or_told(family: str, form: str) -> None:
    plain = scene(family)
    picture, file = scenograph.render(plain), scenograph.render(plain, format=form)

    def is_kept_or_told(wished: Json) -> bool:
        after = scenograph.render(wished, format=form)
        if after.content != file.content or losses(after) - losses(file):
            return True
        return scenograph.render(wished).content == picture.content

    wished = {f"{of} {name}": scene(family, of, wish) for of, rows in WISHES.items() for name, wish in rows.items()}
    wished |= {name: scene(family, "", None, one) for name, one in FURTHER.items()}
    assert [name for name, one in wished.items() if not is_kept_or_told(one)] == []


@pytest.mark.parametrize(
    ("form", "of", "wish", "what"),
    [
        ("excalidraw", "", "", "containment (frames are grouped with their content)"),
        ("excalidraw", "node", "tooltip", "tooltips"),
        ("excalidraw", "node", "columns", "rows of elements (they are drawn as texts)"),
        ("excalidraw", "node", "type", "types of elements (they are drawn, not kept)"),
        ("excalidraw", "root", "constraints", "constraints"),
        ("text", "node", "icon", "icons"),
        ("text", "node", "link", "links"),
        ("text", "edge", "tooltip", "tooltips"),
        ("text", "node", "hidden", "hidden elements"),
        ("text", "node", "shape", "shapes (they are boxes)"),
        ("text", "frame", "style fill", "styles"),
        ("mermaid", "node", "size", "given sizes"),
        ("mermaid", "edge", "side", "sides that lines end at"),
        ("mermaid", "edge", "router", "kinds of routes"),
        ("mermaid", "edge", "type", "types of lines"),
        ("mermaid", "frame", "type", "types of frames"),
        ("mermaid", "node", "style cornerRadius", "corners, accents and grounds of labels"),
    ],
)
def test_a_wish_without_a_form_is_told_even_where_it_moves_other_things(
    form: str, of: str, wish: str, what: str
) -> None:
    wished = scene("architecture", of, WISHES.get(of, {}).get(wish))
    assert what in losses(scenograph.render(wished, format=form))


def test_mermaid_tells_the_cardinalities_and_the_types_of_tables_that_it_lacks() -> None:
    many = scenograph.render(tables(to={"elementId": "b", "cardinality": "many"}), format="mermaid")
    assert "cardinalities of many (written as one or many)" in losses(many)
    assert "lines without a type (written as identifying, dashed ones as not)" in losses(many)
    ends = {"from": {"elementId": "a", "cardinality": "one"}, "to": {"elementId": "b", "cardinality": "one-or-many"}}
    assert losses(scenograph.render(tables(edgeType="er.identifying", **ends), format="mermaid")) == set()


@pytest.mark.parametrize(
    ("cardinality", "sign"), [("one", "1"), ("zero-or-one", "?"), ("many", "n"), ("one-or-many", "+")]
)
def test_a_text_has_a_sign_for_each_cardinality(cardinality: str, sign: str) -> None:
    ends = {
        "from": {"elementId": "a", "cardinality": "zero-or-many"},
        "to": {"elementId": "b", "cardinality": cardinality},
    }
    lines = str(scenograph.render(tables(**ends), format="text").content).splitlines()
    signs = [line.strip() for line in lines if line.strip() in {"*", sign}]
    assert signs == ["*", sign]


def test_the_key_and_the_name_of_a_column_stand_in_a_line_of_a_text() -> None:
    columns = {"extensions": {"columns": [{"name": "id", "pk": True}]}}
    drawn = tables(label="places")
    drawn["elements"] = [{**one, **columns} if one["kind"] == "node" else one for one in drawn["elements"]]
    lines = str(scenograph.render(drawn, format="text").content).splitlines()
    assert [line.split() for line in lines if "id" in line] == [["│PK", "id", "│"]] * 2
