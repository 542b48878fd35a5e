"""draw.io files to documents."""

from __future__ import annotations

import zlib
from base64 import b64encode
from urllib.parse import quote

import pytest

from scenograph.engine.pipeline import render
from scenograph.reading.losses import Unreadable
from scenograph.reading.readers import read_source
from scenograph.reading.source import Source

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
    assert "an end of it is free" in told
    assert ("the page 'Q'" in told) == text.startswith("<mxfile>")


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
