"""draw.io files to documents."""

from __future__ import annotations

import re
import zlib
from base64 import b64encode
from typing import Any
from urllib.parse import quote

import pytest

from scenograph.engine.pipeline import render
from scenograph.reading.readers import read_source
from scenograph.reading.source import Source, Unreadable

PICTURE = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6"
    "kgAAAABJRU5ErkJggg=="
)
MODEL = """<mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/>
<mxCell id="box" value="Box" style="swimlane;" vertex="1" parent="1">
<mxGeometry x="100" y="50" width="300" height="200" as="geometry"/></mxCell>
<mxCell id="a" value="&lt;b&gt;One&lt;/b&gt;&lt;br&gt;two"
 style="ellipse;html=1;fillColor=#ffcc00;" vertex="1" parent="box">
<mxGeometry x="20" y="40" width="80" height="60" as="geometry"/></mxCell>
<UserObject id="b" label="B" link="javascript:alert(1)"><mxCell style="rounded=1;" vertex="1" parent="1">
<mxGeometry x="500" y="50" width="80" height="40" as="geometry"/></mxCell></UserObject>
<mxCell id="e" value="" style="endArrow=none;dashed=1;" edge="1" parent="1" source="a" target="b">
<mxGeometry relative="1" as="geometry"><Array as="points"><mxPoint x="450" y="120"/></Array></mxGeometry></mxCell>
<mxCell id="l" value="says" style="edgeLabel;" vertex="1" parent="e"><mxGeometry as="geometry"/></mxCell>
<mxCell id="free" edge="1" parent="1" source="a"><mxGeometry as="geometry"/></mxCell></root></mxGraphModel>"""


def packed(text: str) -> str:
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = deflate.compress(quote(text).encode()) + deflate.flush()
    return f'<mxfile>\n<diagram name="P">{b64encode(data).decode()}</diagram><diagram name="Q"/></mxfile>'


@pytest.mark.parametrize("text", [MODEL, packed(MODEL)], ids=["plain", "compressed"])
def test_shapes_places_containers_and_connectors_are_read(text: str) -> None:
    found = read_source(Source(text=text))
    rows = {row["id"]: row for row in found.document["elements"]}
    assert list(rows) == ["box", "a", "b", "e"]
    assert rows["a"]["label"] == "One\ntwo"
    assert rows["a"]["layout"] == {"mode": "absolute", "x": 120, "y": 90, "width": 80, "height": 60}
    assert rows["a"]["style"]["fill"] == "#ffcc00"
    assert rows["box"]["children"] == ["a"]
    assert rows["e"]["label"] == "says"
    assert rows["e"]["waypoints"] == [{"x": 450, "y": 120}]
    assert rows["e"]["endpoints"] == {"startArrow": "none", "endArrow": "none"}
    assert "link" not in rows["b"]
    told = " ".join(row.message for row in found.diagnostics)
    assert "the link of 'B'" in told
    assert "neither bound nor placed" in told
    assert ("the page 2, 'Q'" in told) == text.startswith("<mxfile>")


def test_a_page_that_inflates_without_end_is_refused() -> None:
    with pytest.raises(Unreadable):
        read_source(Source(text=packed("a" * (20 << 20))), "drawio")


@pytest.mark.parametrize("text", ["<mxfile/>", "<mxfile><diagram>%%</diagram></mxfile>", "<mxGraphModel/>"])
def test_what_holds_nothing_is_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        read_source(Source(text=text), "drawio")


def test_what_was_written_is_read_back_as_the_same_graph() -> None:
    document = read_source(Source(text=MODEL)).document
    back = read_source(Source(text=str(render(document, "drawio").content))).document
    there, here = ({row["id"]: row for row in one["elements"]} for one in (back, document))
    assert set(there) == set(here)
    for key, row in here.items():
        assert all(
            there[key].get(name) == row.get(name) for name in ("kind", "label", "title", "children", "from", "to")
        )


def test_places_in_shares_of_the_parent_and_parts_of_shapes_are_read() -> None:
    model = (
        '<mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/><mxCell id="a" vertex="1" parent="1">'
        '<mxGeometry x="100" y="50" width="200" height="80" as="geometry"/></mxCell>'
        '<mxCell id="b" style="part=1;rotation=30" value="tilted" vertex="1" parent="a">'
        '<mxGeometry x="0.5" y="1" width="20" height="10" relative="1" as="geometry">'
        '<mxPoint x="-10" y="-5" as="offset"/></mxGeometry></mxCell>'
        '<mxCell id="c" vertex="1" parent="1"><mxGeometry x="7" y="8" width="20" height="10" as="geometry">'
        '<mxPoint x="30" y="30" as="offset"/></mxGeometry></mxCell></root></mxGraphModel>'
    )
    read = read_source(Source(text=model))
    found = {row["id"]: row for row in read.document["elements"]}
    assert found["a"]["children"] == ["b"]
    assert (found["b"]["layout"]["x"], found["b"]["layout"]["y"]) == (190, 125)
    assert (found["c"]["layout"]["x"], found["c"]["layout"]["y"]) == (7, 8)
    assert [row.data["what"] for row in read.diagnostics if row.data] == [
        "1 turned shapes, such as 'tilted', stand upright"
    ]


def of_one(name: str, cell: str) -> str:
    model = f'<mxGraphModel><root><mxCell id="{cell}" value="A" vertex="1"/></root></mxGraphModel>'
    return f'<diagram name="{name}">{model}</diagram>'


PAGES = f"<mxfile>{of_one('One', 'a')}{of_one('Two', 'b')}</mxfile>"


def test_a_page_is_chosen_by_its_number_and_the_others_are_told_with_theirs() -> None:
    found = read_source(Source(text=PAGES, page=2))
    assert [row["id"] for row in found.document["elements"]] == ["b"]
    assert found.document["scene"]["title"] == "Two"
    assert [row.data["what"] for row in found.diagnostics if row.data] == [
        "the page 1, 'One', is left out; `page` 1 reads it"
    ]


@pytest.mark.parametrize(("text", "number"), [(PAGES, 3), (MODEL, 2)])
def test_a_page_that_there_is_not_is_refused_with_those_that_there_are(text: str, number: int) -> None:
    with pytest.raises(Unreadable) as refused:
        read_source(Source(text=text, page=number))
    assert f"a page {number}: the file has" in refused.value.expected
    assert ("1 'One', 2 'Two'" in refused.value.expected) == (text == PAGES)


def test_a_page_of_a_source_that_has_none_is_told() -> None:
    found = read_source(Source(text="flowchart LR\n  a --> b\n", page=2))
    assert "page 2 is not chosen" in found.diagnostics[0].message


def test_the_colour_of_a_page_is_that_of_the_canvas_unless_it_is_white() -> None:
    said = {
        "#0b1120": {"background": "#0b1120"},
        "#FFFFFF": {},
        "none": {},
        "light-dark(#eee,#111)": {"background": "#eeeeee"},
    }
    for color, canvas in said.items():
        found = read_source(Source(text=MODEL.replace("<mxGraphModel>", f'<mxGraphModel background="{color}">')))
        assert found.document["scene"]["canvas"] == canvas


@pytest.mark.parametrize("theme", ["clean", "dark", "blueprint", "sketch"])
def test_what_an_export_shows_in_a_theme_comes_back_in_its_colours(theme: str) -> None:
    ends = {"from": {"elementId": "a", "port": "right"}, "to": {"elementId": "r"}}
    document: dict[str, Any] = {
        "schemaVersion": "0.1",
        "scene": {"id": "s", "units": "px", "canvas": {}},
        "elements": [
            {"id": "a", "kind": "node", "label": "A service whose name takes several lines"},
            {"id": "r", "kind": "node", "nodeType": "network.router", "label": "Router"},
            {"id": "t", "kind": "text", "content": "A remark"},
            {"id": "e", "kind": "edge", "label": "to", **ends},
            {"id": "g", "kind": "group", "children": ["t", "i"]},
            {"id": "f", "kind": "frame", "title": "Frame", "children": ["a"]},
            {"id": "i", "kind": "image", "href": PICTURE, "alt": "Dot", "layout": {"width": 40, "height": 20}},
        ],
    }
    written = render(document, "drawio", theme=theme)
    assert not [row for row in written.diagnostics if row.code == "EXPORT_LOSS"]
    found = read_source(Source(text=str(written.content)))
    assert not found.diagnostics
    there = {row["id"]: row for row in found.document["elements"]}
    for row in document["elements"]:
        told = {name: value for name, value in row.items() if name != "layout"}
        assert told.items() <= there[row["id"]].items()
    again = str(render(found.document, "drawio").content)
    for color in ("background", "fontColor", "fillColor"):
        first, second = (set(re.findall(rf'{color}[="]+(#\w+)', text)) for text in (str(written.content), again))
        assert first == second


OWN_VALUES = """<mxfile vars="{&quot;team&quot;:&quot;Blue&quot;}"><diagram name="P"><mxGraphModel><root>
<object id="0" label="" stage="test"><mxCell/></object><mxCell id="1" parent="0"/>
<object id="f" label="%name% of %team%" name="Shop" placeholders="1"><mxCell style="swimlane;" vertex="1" parent="1">
<mxGeometry width="300" height="200" as="geometry"/></mxCell></object>
<UserObject id="a" label="&lt;b&gt;%kind%&lt;/b&gt;&lt;br&gt;%name%, %stage%, %page%, %%name%, %label%, 5%" kind="Till"
 tooltip="run by %team%, %nobody%" placeholders="1"><mxCell style="html=1;" vertex="1" parent="f">
<mxGeometry x="20" y="40" width="80" height="60" as="geometry"/></mxCell></UserObject>
<UserObject id="b" label="%kind%" kind="Till"><mxCell vertex="1" parent="1">
<mxGeometry x="400" width="80" height="60" as="geometry"/></mxCell></UserObject>
</root></mxGraphModel></diagram></mxfile>"""


def test_placeholders_are_the_attributes_of_a_cell_of_what_holds_it_or_of_the_file() -> None:
    found = read_source(Source(text=OWN_VALUES))
    rows = {row["id"]: row for row in found.document["elements"]}
    assert rows["f"]["title"] == "Shop of Blue"
    assert rows["a"]["label"] == "Till\nShop, test, P, %name%, %label%, 5%"
    assert rows["a"]["tooltip"] == "run by Blue, %nobody%"
    assert rows["b"]["label"] == "%kind%"  # it does not ask for values
    (told,) = [row.data["what"] for row in found.diagnostics if "placeholder" in row.data["what"]]
    assert told.startswith("1 placeholders, such as '%nobody%'")


def test_placeholders_make_no_label_grow_without_end() -> None:
    text = OWN_VALUES.replace('kind="Till"', f'kind="{"x" * 60_000}"', 1).replace("%kind%", "%kind%" * 5_000, 1)
    found = read_source(Source(text=text))
    assert len(str(found.document)) < 200_000
    assert any("stand as they are" in row.data["what"] for row in found.diagnostics)


@pytest.mark.parametrize("theme", [None, "dark"])
@pytest.mark.parametrize("node_type", ["note", "user", "er.entity", "uml.class", "workflow.annotation"])
def test_what_an_export_paints_as_a_picture_comes_back_in_its_colours(node_type: str, theme: str | None) -> None:
    place = {"mode": "absolute", "x": 0, "y": 0, "width": 120, "height": 70}
    plain: dict[str, Any] = {"id": "a", "kind": "node", "nodeType": node_type, "label": "A", "layout": place}
    colors = {"fill": "#ffcc01", "stroke": "#fe0102"}
    colored = {**plain, "id": "b", "style": colors, "layout": {**place, "y": 200}}
    scene = {"id": "s", "units": "px", "canvas": {}}
    document = {"schemaVersion": "0.1", "scene": scene, "diagramFamily": "architecture", "elements": [plain, colored]}
    back = read_source(Source(text=str(render(document, "drawio", theme=theme).content))).document
    rows = {row["id"]: row.get("style", {}) for row in back["elements"]}
    assert "none" not in rows["a"].values()
    assert colors.items() <= rows["b"].items()
