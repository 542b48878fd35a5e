"""The PowerPoint file, read by python-pptx and, where installed, by LibreOffice: shapes, glue, courses and texts."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from defusedxml import ElementTree
from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE_TYPE
from pptx.oxml.ns import qn
from tests.builders import edge, node

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.pipeline import Extras, RenderedPicture, render
from scenograph.scene.model import PageSize, View
from scenograph.wire.names import THEME_NAMES

SCENES = sorted(Path(__file__).parents[2].joinpath("scenes").glob("*.json"))
EMU = 9525
NEAR = 1.0  # px
GLUED = ("stCxn", "endCxn")


def slide_of(document: dict[str, Any], theme: str | None = None) -> Any:
    return Presentation(BytesIO(bytes(render(document, "pptx", theme=theme).content))).slides[0]


def all_shapes(shapes: Any) -> Iterator[Any]:
    for shape in shapes:
        if shape.shape_type == MSO_SHAPE_TYPE.GROUP:
            yield from all_shapes(shape.shapes)
        else:
            yield shape


def by_name(document: dict[str, Any], theme: str | None = None) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for shape in all_shapes(slide_of(document, theme).shapes):
        assert shape.name not in found
        found[shape.name] = shape
    return found


def box_of(shape: Any) -> tuple[float, float, float, float]:
    return tuple(value / EMU for value in (shape.left, shape.top, shape.width, shape.height))


def guides_of(geometry: Any) -> dict[str, tuple[str, int, int]]:
    rows = (row.attrib for row in geometry.iter(qn("a:gd")))
    parts = {row["name"]: row["fmla"].split() for row in rows}
    return {name: (part[1], int(part[2]), int(part[3])) for name, part in parts.items() if part[0] == "*/"}


PRESET_SITES = {
    "rect": [(0.5, 0), (0, 0.5), (0.5, 1), (1, 0.5)],
    "ellipse": [(0.5 + math.sin(k * math.pi / 4) * -0.5, 0.5 - math.cos(k * math.pi / 4) * 0.5) for k in range(8)],
    "hexagon": [(1, 0.5), None, None, (0, 0.5), None, None],
}
PRESET_SITES |= dict.fromkeys(("roundRect", "diamond"), PRESET_SITES["rect"])


def site(shape: Any, index: int) -> tuple[float, float]:
    """The place of a connection site, by the formulas of the file."""
    x, y, width, height = box_of(shape)
    preset = shape._element.spPr.find(qn("a:prstGeom"))
    if preset is not None:
        share = PRESET_SITES[preset.get("prst")][index]
        assert share is not None
        return x + share[0] * width, y + share[1] * height
    geometry = shape._element.spPr.find(qn("a:custGeom"))
    guides = guides_of(geometry)
    at = geometry.findall(f"{qn('a:cxnLst')}/{qn('a:cxn')}/{qn('a:pos')}")[index]
    names = (guides[at.get("x")], guides[at.get("y")])
    across, down = (value / whole * {"w": width, "h": height}[side] for side, value, whole in names)
    return x + across, y + down


def course(connector: Any) -> list[tuple[float, float]]:
    """The corners of a connector, by the formulas of its geometry."""
    properties = connector._element.spPr
    place, preset = properties.find(qn("a:xfrm")), properties.find(qn("a:prstGeom"))
    left, top, width, height = box_of(connector)
    if preset is None:
        path = properties.find(f"{qn('a:custGeom')}/{qn('a:pathLst')}/{qn('a:path')}")
        local = [(int(at.get("x")) / EMU, int(at.get("y")) / EMU) for at in path.iter(qn("a:pt"))]
    else:
        shares = [int(row.get("fmla").split()[1]) / 100_000 for row in preset.iter(qn("a:gd"))]
        local = [(0.0, 0.0)]
        for number, share in enumerate(shares):
            x, y = local[-1]
            local.append((x, share * height) if number % 2 else (share * width, y))
        if preset.get("prst") != "straightConnector1":
            x, y = local[-1]
            local.append((x, height) if len(shares) % 2 else (width, y))
        local.append((width, height))
    if place.get("flipH") == "1":
        local = [(width - x, y) for x, y in local]
    if place.get("flipV") == "1":
        local = [(x, height - y) for x, y in local]
    if place.get("rot") is not None:
        assert place.get("rot") == "5400000"
        a, b = width / 2, height / 2
        local = [(a - (y - b), b + (x - a)) for x, y in local]
    return [(left + x, top + y) for x, y in local]


def corners(points: Sequence[Point], corner: Point) -> list[tuple[float, float]]:
    """The points of a route on the page where it turns."""
    rows = [(point.x - corner.x, point.y - corner.y) for point in points]
    kept = rows[:1]
    for row, following in pairwise(rows[1:]):
        turn = (row[0] - kept[-1][0]) * (following[1] - row[1]) - (row[1] - kept[-1][1]) * (following[0] - row[0])
        kept += [row] if abs(turn) > 0.5 else []
    return [*kept, rows[-1]]


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_every_element_is_one_shape_where_the_picture_has_it_and_every_edge_one_glued_connector(path: Path) -> None:
    document = json.loads(path.read_text())
    shapes = by_name(document)
    ids = {shape.shape_id: shape for shape in shapes.values()}
    found = render(document).laid_out.scene
    corner, placed = found.canvas.origin, found.placement.boxes
    for one in found.scene.elements:
        if one.kind in {"node", "frame", "text"} and one.id in placed:
            x, y, width, height = placed[one.id]
            assert box_of(shapes[one.id]) == pytest.approx((x - corner.x, y - corner.y, width, height), abs=NEAR)
    for key, route in found.routes.items():
        connector = shapes[key]
        assert connector.shape_type == MSO_SHAPE_TYPE.LINE
        turns = course(connector)
        if route.router != "curved":
            expected = corners(route.points, corner)
            assert len(turns) == len(expected)
            assert all(math.dist(a, b) < NEAR for a, b in zip(turns, expected, strict=True))
        glue = [connector._element.find(f".//{qn('a:' + name)}") for name in GLUED]
        for end, at in zip(glue, (turns[0], turns[-1]), strict=True):
            assert end is not None
            assert math.dist(site(ids[int(end.get("id"))], int(end.get("idx"))), at) < NEAR


def scene(*elements: dict[str, Any], **members: Any) -> dict[str, Any]:
    head: dict[str, Any] = {"id": "s", "units": "px", "canvas": {}} | members.pop("scene", {})
    return {"schemaVersion": "0.1", "scene": head, "elements": list(elements), **members}


def losses_of(picture: RenderedPicture) -> list[str]:
    told = next((row.data for row in picture.diagnostics if row.code == "EXPORT_LOSS"), None)
    return [] if told is None else [row["what"] for row in told["losses"]]


HOSTILE = "</a:t><p:sp/>&amp;\x00\x07\x1b[31m\x9b ]]> \u202ex \ud800 𝕊"


def test_labels_are_the_author_s_texts_with_the_author_s_breaks_alone() -> None:
    long = "A label so long that it takes several lines in its box, whatever the font"
    shapes = by_name(
        scene(
            node("a", label=long, layout={"width": 120}),
            node("b", label="two\nlines"),
            edge("a", "b", id="e", label=long),
        )
    )
    assert shapes["a"].text_frame.text == long
    assert shapes["a"].text_frame.word_wrap is True
    assert shapes["b"].text_frame.text == "two\nlines"
    assert shapes["b"].text_frame.word_wrap is False
    assert shapes["e label"].text_frame.text == long


def test_text_of_a_caller_is_never_syntax() -> None:
    written = scene(
        node("a", label=HOSTILE, tooltip=HOSTILE, link={"href": "https://example.org/?a=1&b=ü", "title": HOSTILE}),
        {"id": "f", "kind": "frame", "title": HOSTILE, "children": ["a"]},
        edge("a", "a", id="e", label=HOSTILE),
        scene={"title": HOSTILE},
    )
    content = bytes(render(written, "pptx").content)
    with ZipFile(BytesIO(content)) as archive:
        for name in archive.namelist():
            if name.endswith((".xml", ".rels")):
                ElementTree.fromstring(archive.read(name))
    shapes = by_name(written)
    assert {"a", "f", "e"} <= set(shapes)
    assert shapes["a"].text_frame.text.startswith("</a:t><p:sp/>&amp;")
    assert shapes["a"].click_action.hyperlink.address == "https://example.org/?a=1&b=%C3%BC"


def test_a_node_with_symbols_and_further_texts_is_one_group() -> None:
    table = node("t", nodeType="er.entity", label="orders")
    table["extensions"] = {"columns": [{"name": "id", "pk": True}, {"name": "at"}]}
    slide = slide_of(scene(table, node("i", icon="lucide:server"), diagramFamily="entityRelationship"))
    groups = {shape.name: {inner.name: inner for inner in shape.shapes} for shape in slide.shapes}
    assert set(groups) == {"t group", "i group"}
    texts = [inner.text_frame.text for inner in groups["t group"].values() if inner.has_text_frame]
    assert {"orders", "id", "at", "PK"} <= set(texts)
    kinds = [inner.shape_type for inner in groups["i group"].values()]
    assert kinds == [MSO_SHAPE_TYPE.AUTO_SHAPE, MSO_SHAPE_TYPE.PICTURE]


def test_crows_feet_belong_to_their_node_which_lies_above_the_lines() -> None:
    ends = {"from": {"elementId": "a", "cardinality": "one"}, "to": {"elementId": "b", "cardinality": "zero-or-many"}}
    written = scene(node("a"), node("b"), {"id": "e", "kind": "edge", **ends})
    slide = slide_of(written)
    names = [shape.name for shape in slide.shapes]
    assert names.index("e") < names.index("b group")
    inner = {
        shape.name: [one.name for one in shape.shapes]
        for shape in slide.shapes
        if shape.shape_type == MSO_SHAPE_TYPE.GROUP
    }
    assert inner == {"a group": ["a", "a marker"], "b group": ["b", "b marker"]}
    assert "markers that slides lack (they are pictures)" in losses_of(render(written, "pptx"))


def test_native_line_ends_dashes_and_colours_are_those_of_the_edge() -> None:
    style = {"stroke": "#ff000080", "strokeWidth": 2, "dash": [6, 3]}
    connector = by_name(scene(node("a"), node("b"), edge("a", "b", id="e", style=style)))["e"]
    line = connector._element.spPr.find(qn("a:ln"))
    assert line.get("w") == str(2 * EMU)
    dash = line.find(f"{qn('a:custDash')}/{qn('a:ds')}")
    assert (dash.get("d"), dash.get("sp")) == ("300000", "150000")
    color = line.find(f"{qn('a:solidFill')}/{qn('a:srgbClr')}")
    assert (color.get("val"), color.find(qn("a:alpha")).get("val")) == ("FF0000", "50196")


def test_a_line_from_a_shape_to_itself_has_two_sites() -> None:
    connector = by_name(scene(node("a"), edge("a", "a", id="e")))["e"]
    found = [connector._element.find(f".//{qn('a:' + name)}").get("idx") for name in GLUED]
    assert found[0] != found[1]


def test_a_page_larger_than_any_slide_is_made_smaller_and_a_tiny_page_keeps_its_scale() -> None:
    far = [
        node(key, layout={"mode": "absolute", "x": x, "y": 0, "width": 100, "height": 50})
        for key, x in (("a", 0), ("b", 20_000))
    ]
    picture = render(scene(*far), "pptx")
    shown = Presentation(BytesIO(bytes(picture.content)))
    assert shown.slide_width == 5376 * EMU
    assert "the size (a slide has at most 5376 px)" in losses_of(picture)
    assert shown.slides[0].shapes[0].width / EMU == pytest.approx(100 * 5376 / picture.width, abs=0.1)
    empty = Presentation(BytesIO(bytes(render(scene(scene={"canvas": {"width": 40, "height": 40}}), "pptx").content)))
    assert (empty.slide_width, empty.slide_height) == (96 * EMU, 96 * EMU)


def test_the_slide_has_the_size_of_the_page_that_was_asked_for() -> None:
    document = scene(node("a"), node("b"), edge("a", "b", id="e"))
    view = View(page=PageSize(width=1280.0, height=720.0))
    picture = render(document, "pptx", extras=Extras(view=view))
    shown = Presentation(BytesIO(bytes(picture.content)))
    assert (shown.slide_width, shown.slide_height) == (1280 * EMU, 720 * EMU)
    box = picture.laid_out.scene.placement.boxes["a"]
    shape = next(one for one in shown.slides[0].shapes if one.name == "a")
    assert shape.width / EMU == pytest.approx(box.width * picture.scale, abs=0.1)


def test_what_a_slide_lacks_is_told() -> None:
    hidden, frame = node("h", visible=False), {"id": "f", "kind": "frame", "title": "F", "children": ["a"]}
    written = scene(node("a"), node("b"), hidden, frame, edge("a", "b", id="e", label="x"))
    assert losses_of(render(written, "pptx", theme="sketch")) == [
        "hidden elements",
        "hand-drawn strokes (they are clean)",
        "ties of labels to their lines",
        "containment (frames lie behind their content)",
    ]


def test_the_font_of_a_theme_is_the_font_of_the_slide_s_theme() -> None:
    for theme, font in (("clean", "Arial"), ("blueprint", "Courier New"), ("sketch", "Comic Sans MS")):
        with ZipFile(BytesIO(bytes(render(scene(node("a")), "pptx", theme=theme).content))) as archive:
            assert f"typeface='{font}'" in archive.read("ppt/theme/theme1.xml").decode()
        run = by_name(scene(node("a")), theme)["a"].text_frame.paragraphs[0].runs[0]
        assert run.font.name == "+mn-lt"


def test_writing_from_right_to_left_is_marked_and_keeps_its_words() -> None:
    paragraph = by_name(scene(node("a", label="שלום עולם")))["a"].text_frame.paragraphs[0]
    assert paragraph.text == "שלום עולם"
    assert paragraph._p.pPr.get("rtl") == "1"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice (soffice) is not installed")
@pytest.mark.parametrize("theme", THEME_NAMES)
def test_libreoffice_reads_shapes_texts_and_glue(theme: str, tmp_path: Path) -> None:
    document = json.loads(next(path for path in SCENES if path.stem == "pools-and-lanes").read_text())
    (tmp_path / "scene.pptx").write_bytes(bytes(render(document, "pptx", theme=theme).content))
    profile = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"
    command = [
        "soffice",
        profile,
        "--headless",
        "--convert-to",
        "fodp",
        "--outdir",
        str(tmp_path),
        str(tmp_path / "scene.pptx"),
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=200)
    root = ElementTree.parse(tmp_path / "scene.fodp").getroot()
    draw = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}"
    connectors = list(root.iter(f"{draw}connector"))
    edges = [one for one in document["elements"] if one["kind"] == "edge"]
    assert len(connectors) == len(edges)
    assert all(one.get(f"{draw}start-shape") and one.get(f"{draw}end-shape") for one in connectors)
    names = {one.get(f"{draw}name") for one in root.iter(f"{draw}custom-shape")}
    assert {one["id"] for one in document["elements"] if one["kind"] in {"node", "frame"}} <= names
    texts = {"".join(one.itertext()).strip() for one in root.iter(f"{draw}custom-shape")}
    labels = {one["label"] for one in document["elements"] if one["kind"] == "node" and one.get("label")}
    assert labels <= texts | {"".join(one.itertext()).strip() for one in root.iter(f"{draw}frame")}
