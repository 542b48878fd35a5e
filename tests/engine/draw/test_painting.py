"""From laid-out scenes to paint."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator

import pytest

from scenograph.engine.draw.painting import draw
from scenograph.engine.drawing import Drawing, DrawnGroup, DrawnItem, PathItem, PictureItem, TextItem
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import Close, Line, Move, Quadratic, flatten
from scenograph.late_dataclasses import fields, is_dataclass, replace
from scenograph.scene.model import Asset, Color, Group, Style

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x1e\0\0\0\x14"
ENORMOUS = b64encode(PNG[:16] + b"\xff\xff" * 4).decode()
LILAC, CLEAR = Color(240, 230, 255), Color(0, 0, 0, 0)


def group(drawing: Drawing, id_: str, role: str = "element") -> DrawnGroup:
    [found] = [one for one in drawing.groups if (one.id, one.role) == (id_, role)]
    return found


def extent(item: PathItem) -> Box:
    points = [point for chain in flatten(item.path) for point in chain]
    left, top = min(p[0] for p in points), min(p[1] for p in points)
    return Box(left, top, max(p[0] for p in points) - left, max(p[1] for p in points) - top)


def texts(items: tuple[DrawnItem, ...]) -> list[str]:
    return [run.text for item in items if isinstance(item, TextItem) for run in item.runs]


def test_a_node_is_its_outline_and_its_label(bench) -> None:
    drawing = draw(bench.node("a", Box(40, 60, 100, 48), "Alpha").laid_out())
    outline, label = group(drawing, "a").items
    assert extent(outline) == Box(40.5, 60.5, 100, 48)
    [run] = label.runs
    assert run.text == "Alpha"
    assert run.at.x + run.width / 2 == pytest.approx(90)
    assert run.at.y == 89  # capitals of 14 px are 10.2 px high: 5 px above and below the middle at 84


@pytest.mark.parametrize(("width", "left"), [(1.0, 40.5), (1.5, 40), (2.0, 40), (3.0, 40.5), (0.0, 40)])
def test_outlines_stand_on_sharp_lines(bench, width: float, left: float) -> None:
    drawing = draw(bench.node("a", Box(40.2, 59.9, 100.1, 48), stroke_width=width).laid_out())
    assert extent(group(drawing, "a").items[0]).x == left


def test_an_icon_is_drawn_where_there_is_room_for_one(bench) -> None:
    bench.node("a", Box(0, 0, 100, 80), "A")
    bench.elements[0] = replace(bench.elements[0], icon="lucide:server")
    assert len(group(draw(bench.laid_out()), "a").items) == 2
    bench.parts["a"] = dict(bench.parts["a"]) | {"icon": Box(38, 8, 24, 24)}
    _, *strokes, _ = group(draw(bench.laid_out()), "a").items
    assert strokes
    for stroke in strokes:
        assert Box(38, 8, 24, 24).contains(extent(stroke))


def test_all_that_an_element_paints_stands_in_one_group(bench) -> None:
    bench.node("a", Box(0, 0, 50, 30), "A").node("b", Box(100, 0, 50, 30), "B")
    drawing = draw(bench.edge("e", [(50, 15), (100, 15)], "go", opacity=0.5).laid_out())
    assert [(one.id, one.role, one.opacity) for one in drawing.groups] == [
        ("a", "element", 1.0),
        ("b", "element", 1.0),
        ("e", "element", 0.5),
        ("e", "label", 0.5),
    ]


def test_a_node_without_a_place_and_an_edge_without_a_route_are_not_painted(bench) -> None:
    bench.node("a", Box(0, 0, 50, 30)).edge("e", [(0, 0), (9, 9)])
    bench.boxes.clear()
    bench.routes.clear()
    assert draw(bench.laid_out()).groups == ()


def test_paths_that_leave_no_trace_are_left_out(bench) -> None:
    drawing = draw(bench.node("a", Box(0, 0, 50, 30), "A", fill=CLEAR, stroke_width=0.0).laid_out())
    assert [type(item) for item in group(drawing, "a").items] == [TextItem]


def test_a_line_ends_at_its_marker_and_the_marker_at_the_rim_of_the_outline(bench) -> None:
    bench.node("a", Box(0, 0, 100, 48), stroke_width=2.0).node("b", Box(200, 0, 100, 48), stroke_width=2.0)
    line, head = group(draw(bench.edge("e", [(100, 24), (200, 24)], end_arrow="triangle").laid_out()), "e").items
    assert line.path[0].to == Point(100, 24.5)
    assert extent(head).right == 199  # half of the outline's 2 px before 200
    assert extent(head).x < line.path[-1].to.x < extent(head).right
    assert line.fill is None
    assert head.fill == line.stroke


def test_a_dashed_line_has_solid_markers(bench) -> None:
    bench.node("a", Box(0, 0, 100, 48)).node("b", Box(200, 0, 100, 48))
    bench.edge("e", [(100, 24), (200, 24)], end_arrow="openTriangle", start_arrow="openCircle", dash=(8.0, 4.0))
    line, *markers = group(draw(bench.laid_out()), "e").items
    assert line.dash == (8.0, 4.0)
    assert [marker.dash for marker in markers] == [(), ()]


def test_orthogonal_routes_turn_round_corners_and_polylines_sharp_ones(bench) -> None:
    corner = [(0, 0), (60, 0), (60, 60)]
    for router, kinds in (("orthogonal", [Move, Line, Quadratic, Line]), ("polyline", [Move, Line, Line])):
        bench.edge(router, corner, router=router)
        line = group(draw(bench.laid_out()), router).items[0]
        assert [type(segment) for segment in line.path] == kinds


def test_a_line_leaves_a_gap_for_its_own_label(bench) -> None:
    drawing = draw(bench.edge("e", [(50, 50), (250, 50)], "maybe").laid_out())
    [line] = group(drawing, "e").items
    [label] = group(drawing, "e", "label").items
    first, second = flatten(line.path)
    text = bench.routes["e"].label
    assert (first[0].x, second[-1].x) == (50, 250)
    assert (first[-1].x, second[0].x) == pytest.approx((text.x - 3, text.right + 3), abs=0.01)
    assert isinstance(label, TextItem)


def test_a_label_hides_the_line_of_another_edge_with_the_colour_beneath(bench) -> None:
    bench.frame("f", Box(0, 0, 300, 100), fill=LILAC).edge("e", [(50, 50), (250, 50)], "maybe")
    bench.edge("other", [(150, 0), (150, 100)])
    plate, label = group(draw(bench.laid_out()), "e", "label").items
    assert plate.fill == LILAC
    assert extent(plate).width > label.runs[0].width


def test_translucent_frames_mix_with_what_lies_beneath_a_label(bench) -> None:
    bench.frame("f", Box(0, 0, 300, 100), fill=Color(0, 0, 0, 0.5)).edge("e", [(50, 50), (250, 50)], "maybe")
    bench.edge("other", [(150, 0), (150, 50), (200, 100)], router="curved")
    plate, _ = group(draw(bench.laid_out()), "e", "label").items
    assert plate.fill == Color(127.5, 127.5, 127.5, 1)


def test_a_line_that_only_passes_close_by_is_neither_cut_nor_covered(bench) -> None:
    bench.edge("e", [(50, 50), (250, 50)], "maybe")
    text = bench.routes["e"].label
    bench.edge("other", [(text.right + 2, 0), (text.right + 2, 100)])
    drawing = draw(bench.laid_out())
    assert [type(item) for item in group(drawing, "e", "label").items] == [TextItem]
    assert len(flatten(group(drawing, "other").items[0].path)) == 1


def test_a_label_background_that_was_asked_for_is_always_there(bench) -> None:
    drawing = draw(bench.edge("e", [(50, 50), (250, 50)], "maybe", label_background=LILAC).laid_out())
    plate, _ = group(drawing, "e", "label").items
    assert plate.fill == LILAC
    assert len(flatten(group(drawing, "e").items[0].path)) == 1


def test_a_frame_is_a_border_with_its_title_at_the_top_left(bench) -> None:
    drawing = draw(bench.frame("f", Box(20, 20, 300, 200), "Region", dash=(6.0, 4.0)).laid_out())
    border, title = group(drawing, "f").items
    assert border.dash == (6.0, 4.0)
    assert title.runs[0].at.x == 32


def test_an_upright_header_reads_upwards_and_is_cut_off_by_a_line(bench) -> None:
    drawing = draw(bench.pool("p", Box(0, 0, 400, 200), "Sales", Box(0, 0, 24, 200)).laid_out())
    border, separator, title = group(drawing, "p").items
    assert separator.path == (Move(Point(24.5, 0.5)), Line(Point(24.5, 200.5)))
    assert separator.dash == ()
    assert title.turn == -90
    assert title.pivot == Point(12, 100)
    assert title.runs[0].at.x + title.runs[0].width / 2 == pytest.approx(12)
    assert isinstance(border.path[-1], Close)


def test_a_lying_header_reads_as_usual(bench) -> None:
    drawing = draw(bench.pool("p", Box(0, 0, 400, 200), "Sales", Box(0, 0, 400, 24)).laid_out())
    _, separator, title = group(drawing, "p").items
    assert separator.path == (Move(Point(0.5, 24.5)), Line(Point(400.5, 24.5)))
    assert title.turn == 0
    assert title.runs[0].at.x + title.runs[0].width / 2 == pytest.approx(200)


def test_a_group_is_only_painted_when_it_has_a_style(bench) -> None:
    bench.add(Group(id="plain", kind="group"), Box(0, 0, 50, 50))
    bench.add(Group(id="inline", kind="group", style=Style()), Box(0, 0, 50, 50))
    bench.add(Group(id="named", kind="group", style_id="zone"), Box(0, 0, 50, 50))
    assert [one.id for one in draw(bench.laid_out()).groups] == ["inline", "named"]


@pytest.mark.parametrize(("align", "share"), [("start", 0.0), ("center", 0.5), ("end", 1.0)])
def test_text_is_aligned_in_its_box(bench, align: str, share: float) -> None:
    drawing = draw(bench.text("t", Box(100, 100, 200, 60), "Two\nlines here", align).laid_out())
    [item] = group(drawing, "t").items
    for run in item.runs:
        assert run.at.x == pytest.approx(100 + (200 - run.width) * share)
    assert [run.at.y % 1 for run in item.runs] == [0, 0]


def test_an_image_comes_from_an_asset_or_a_data_uri(bench) -> None:
    data = b64encode(PNG + bytes(8)).decode()
    bench.assets["logo"] = Asset(mime_type="image/png", data=data)
    bench.image("a", Box(0, 0, 60, 40), asset_id="logo", fit="cover", alt="Logo")
    bench.image("b", Box(0, 0, 60, 40), href=f"data:image/png;base64,{data}")
    drawing = draw(bench.laid_out())
    [asset], [uri] = group(drawing, "a").items, group(drawing, "b").items
    assert isinstance(asset, PictureItem)
    assert (asset.pixels, asset.fit, asset.alt) == ((30, 20), "cover", "Logo")
    assert (uri.data, uri.mime_type, uri.fit) == (data, "image/png", "contain")


@pytest.mark.parametrize(
    "members",
    [
        {"asset_id": "nobody"},
        {"href": "https://example.org/cat.png"},
        {"href": "data:image/svg+xml;base64,PHN2Zy8+"},
        {"href": "data:image/png;base64,AAAA"},
        {"href": f"data:image/png;base64,{ENORMOUS}"},
        {},
    ],
    ids=["missing", "address", "svg", "no png", "enormous", "nothing"],
)
def test_a_picture_that_cannot_be_shown_is_a_crossed_box(bench, members) -> None:
    drawing = draw(bench.image("i", Box(10, 10, 60, 40), **members).laid_out())
    box, *cross = group(drawing, "i").items
    assert extent(box) == Box(10.5, 10.5, 60, 40)
    assert [type(item) for item in cross] == [PathItem, PathItem]


def test_a_guide_crosses_the_whole_page_and_only_the_page(bench) -> None:
    bench.guide("v", "vertical", 80).guide("h", "horizontal", 299).guide("off", "horizontal", 900)
    drawing = draw(bench.laid_out(400, 300))
    assert [one.id for one in drawing.groups] == ["v", "h"]
    assert group(drawing, "v").items[0].path == (Move(Point(80.5, 0)), Line(Point(80.5, 300)))
    assert group(drawing, "h").items[0].path == (Move(Point(0, 299.5)), Line(Point(400, 299.5)))


def test_the_picture_is_named_and_described(bench) -> None:
    bench.node("a", Box(0, 0, 50, 30), "Orders\nservice").node("b", Box(100, 0, 50, 30))
    drawing = draw(bench.edge("e", [(50, 15), (100, 15)], "calls").laid_out(title="Shop"))
    assert drawing.title == "Shop"
    assert drawing.description == (
        "Diagram with 2 nodes, 1 edge. Nodes: Orders service; b. Connections: Orders service to b (calls)."
    )


def test_a_long_description_is_cut(bench) -> None:
    for i in range(300):
        bench.node(f"node number {i} with a rather long name to read aloud", Box(i, 0, 9, 9))
    description = draw(bench.laid_out()).description
    assert len(description) <= 2000
    assert description.startswith("Diagram with 300 nodes. Nodes: node number 0")


def test_no_scene_words_are_left_in_the_items(bench) -> None:
    bench.node("a", Box(0, 0, 50, 30), "A", kind="workflow.timer").frame("f", Box(0, 0, 90, 90), "F")
    bench.pool("p", Box(0, 0, 400, 200), "Sales", Box(0, 0, 24, 200)).image("i", Box(0, 0, 9, 9))
    bench.edge("e", [(0, 0), (60, 0), (60, 60)], "x", start_arrow="diamond", end_arrow="zeroOrMany")
    bench.edge("c", [(0, 0), (60, 0), (60, 60)], router="curved", end_arrow="circle").guide("g", "vertical", 7)
    modules = {type(value).__module__ for one in draw(bench.laid_out()).groups for value in values(one.items)}
    assert modules <= {
        "builtins",
        "scenograph.engine.drawing",
        "scenograph.engine.geometry.boxes",
        "scenograph.engine.geometry.paths",
        "scenograph.engine.text.blocks",
        "scenograph.scene.model",
    }
    kinds = {type(value).__name__ for one in draw(bench.laid_out()).groups for value in values(one.items)}
    assert not kinds & {"Node", "Edge", "Frame", "FinishedStyle", "Route", "TextBlock"}


def values(value: object) -> Iterator[object]:
    """A value and all that it is made of."""
    yield value
    if is_dataclass(value):
        for field in fields(value):
            yield from values(getattr(value, field.name))
    elif isinstance(value, tuple):
        for part in value:
            yield from values(part)


def test_drawing_twice_gives_the_same(bench) -> None:
    bench.node("a", Box(0, 0, 50, 30), "A").edge("e", [(0, 0), (60, 0), (60, 60)], "x", ends=("a", "a"))
    assert draw(bench.laid_out()) == draw(bench.laid_out())
