"""The canvas: the declared size is a minimum, nothing is clipped."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenograph.diagnostics import Diagnostic, Report
from scenograph.engine.canvas import fit_canvas
from scenograph.engine.geometry.boxes import Box, Outset, Point
from scenograph.engine.pipeline import lay_out
from scenograph.engine.tables import CanvasBox, DrawnRoute, Placement, Size
from scenograph.scene.model import Canvas, Layout, Node, Scene


def fit(
    *boxes: Box, width: float | None = 800, height: float | None = 600, mode: str = "auto", **more: Any
) -> tuple[CanvasBox, list[Diagnostic]]:
    """The canvas round nodes with these boxes; `mode` says who placed them, `more` are outsets, routes, parts."""
    nodes = tuple(
        Node(id=f"n{i}", kind="node", layout=Layout(mode=mode, x=box.x, y=box.y)) for i, box in enumerate(boxes)
    )
    scene = Scene(canvas=Canvas(width=width, height=height), elements=nodes)
    outset = more.get("outset", Outset())
    sizes = {f"n{i}": Size(width=box.width, height=box.height, outset=outset) for i, box in enumerate(boxes)}
    placement = Placement(boxes={f"n{i}": box for i, box in enumerate(boxes)}, parts=more.get("parts", {}))
    report = Report()
    canvas = fit_canvas(scene, sizes, placement, more.get("routes", {}), report)
    return canvas, list(report.rows)


def said(rows: list[Diagnostic], code: str) -> Diagnostic:
    return next(row for row in rows if row.code == code)


def test_content_that_fits_leaves_the_declared_canvas_as_it_is() -> None:
    canvas, rows = fit(Box(300, 200, 200, 200))
    assert canvas == CanvasBox(width=800, height=600)
    assert rows == []


def test_content_beyond_the_canvas_extends_it_by_the_margin() -> None:
    canvas, rows = fit(Box(300, 100, 700, 400))
    assert (canvas.width, canvas.height, canvas.origin) == (1040, 600, Point(0, 0))
    row = said(rows, "CANVAS_AUTO_EXTENDED")
    assert row.path == "/scene/canvas"
    assert row.data == {
        "declaredWidth": 800,
        "declaredHeight": 600,
        "width": 1040,
        "height": 600,
        "extendedDimensions": ["width"],
    }


def test_content_left_of_and_above_the_canvas_moves_the_origin() -> None:
    canvas, rows = fit(Box(-100, -50, 200, 500))
    assert canvas.origin == Point(-140, -90)
    assert (canvas.width, canvas.height) == (940, 690)
    assert said(rows, "CANVAS_AUTO_EXTENDED").data["extendedDimensions"] == ["width", "height"]


def test_an_omitted_dimension_is_the_content_with_its_margin_and_no_extension() -> None:
    canvas, rows = fit(Box(100, 80, 200, 100), width=None, height=None)
    assert (canvas.width, canvas.height, canvas.origin) == (280, 180, Point(60, 40))
    assert rows == []


def test_only_the_declared_dimension_counts_as_extended() -> None:
    _, rows = fit(Box(0, 0, 900, 700), height=None)
    data = said(rows, "CANVAS_AUTO_EXTENDED").data
    assert data["declaredHeight"] is None
    assert data["extendedDimensions"] == ["width"]


def test_labels_outside_boxes_count_as_content() -> None:
    canvas, _ = fit(Box(300, 540, 100, 50), outset=Outset(0, 0, 30, 0))
    assert canvas.height == 660


def test_parts_count_as_content() -> None:
    canvas, _ = fit(Box(300, 300, 100, 50), parts={"n0": {"foot": Box(300, 700, 100, 20)}})
    assert canvas.height == 760


def test_edges_and_their_labels_count_as_content() -> None:
    route = DrawnRoute(points=(Point(100, 100), Point(100, 650)), router="straight", label=Box(780, 300, 60, 20))
    canvas, _ = fit(Box(300, 300, 100, 50), routes={"e": route})
    assert (canvas.width, canvas.height) == (880, 690)


def test_a_curve_counts_as_far_as_it_is_drawn_not_as_far_as_its_control_point() -> None:
    route = DrawnRoute(points=(Point(100, 580), Point(300, 700), Point(500, 580)), router="curved")
    canvas, _ = fit(Box(300, 300, 100, 50), routes={"e": route})
    assert canvas.height == 680


def test_a_flat_strip_on_a_tall_canvas_is_tightened() -> None:
    canvas, rows = fit(Box(50, 100, 700, 200), height=900)
    assert canvas.height == pytest.approx(340)
    row = said(rows, "CANVAS_AUTO_TIGHTENED")
    assert row.path == "/scene/canvas"
    assert row.data == {"declaredHeight": 900, "height": 340, "contentWidth": 700, "contentHeight": 200}


def test_tightening_keeps_a_margin_below_content_that_lies_low() -> None:
    canvas, _ = fit(Box(50, 500, 700, 200), height=900)
    assert canvas.height == 740


@pytest.mark.parametrize(
    ("box", "height"),
    [(Box(50, 100, 500, 200), 900.0), (Box(50, 100, 700, 200), 280.0), (Box(50, 100, 700, 200), None)],
)
def test_nothing_is_tightened_without_a_strip_without_slack_or_without_a_height(box: Box, height: float | None) -> None:
    _, rows = fit(box, height=height)
    assert "CANVAS_AUTO_TIGHTENED" not in {row.code for row in rows}


def test_content_far_from_the_middle_is_remarked_when_its_author_placed_it() -> None:
    canvas, rows = fit(Box(40, 250, 200, 100), mode="absolute")
    row = said(rows, "CANVAS_CONTENT_OFFSET")
    assert (canvas.width, row.path) == (800, "/scene/canvas")
    assert row.data == {
        "axis": "horizontal",
        "canvasWidth": 800,
        "canvasHeight": 600,
        "contentBounds": {"minX": 40, "minY": 250, "maxX": 240, "maxY": 350},
        "horizontalOffsetPx": -260,
        "verticalOffsetPx": 0,
    }


@pytest.mark.parametrize(("box", "axis"), [(Box(0, 0, 100, 100), "both"), (Box(350, 0, 100, 100), "vertical")])
def test_the_axis_of_the_offset_is_named(box: Box, axis: str) -> None:
    assert said(fit(box, mode="absolute")[1], "CANVAS_CONTENT_OFFSET").data["axis"] == axis


def test_content_the_engine_placed_is_never_remarked_as_offset() -> None:
    assert fit(Box(0, 0, 100, 100))[1] == []


def test_an_empty_scene_has_the_declared_canvas_or_a_small_one() -> None:
    assert fit()[0] == CanvasBox(width=800, height=600)
    assert fit(width=None, height=None)[0].width == 80


positions = st.lists(
    st.builds(Box, st.floats(-900, 900), st.floats(-900, 900), st.floats(1, 400), st.floats(1, 300)),
    min_size=1,
    max_size=5,
)


@given(boxes=positions, width=st.none() | st.floats(50, 2000), height=st.none() | st.floats(50, 2000))
@settings(deadline=None)
def test_nothing_is_ever_clipped_and_the_declared_size_is_a_minimum(
    boxes: list[Box], width: float | None, height: float | None
) -> None:
    canvas, rows = fit(*boxes, width=width, height=height)
    page = Box(canvas.origin.x, canvas.origin.y, canvas.width, canvas.height).grown(1e-6)
    assert all(page.contains(box) for box in boxes)
    assert width is None or canvas.width >= width
    tightened = any(row.code == "CANVAS_AUTO_TIGHTENED" for row in rows)
    assert height is None or canvas.height >= height or tightened


@pytest.mark.parametrize(("width", "fires"), [(499.5, False), (500.0, False), (500.5, True)])
def test_tightening_begins_above_an_aspect_of_two_and_a_half(width: float, fires: bool) -> None:
    canvas, rows = fit(Box(50, 40, width, 200), height=900)
    assert ("CANVAS_AUTO_TIGHTENED" in {row.code for row in rows}) is fires
    assert canvas.height == pytest.approx(280 if fires else 900)


@pytest.mark.parametrize(("declared", "fires"), [(399.5, False), (400.0, False), (400.5, True)])
def test_tightening_begins_above_thirty_percent_of_slack(declared: float, fires: bool) -> None:
    canvas, rows = fit(Box(20, 40, 760, 280), height=declared)
    assert ("CANVAS_AUTO_TIGHTENED" in {row.code for row in rows}) is fires
    assert canvas.height == pytest.approx(392 if fires else declared)


@pytest.mark.parametrize(("right", "extended"), [(799.5, False), (800.0, False), (800.5, True)])
def test_a_page_is_extended_only_by_what_leaves_it(right: float, extended: bool) -> None:
    canvas, rows = fit(Box(0, 200, right, 300))
    assert ("CANVAS_AUTO_EXTENDED" in {row.code for row in rows}) is extended
    assert canvas.width == (right + 40 if extended else 800)


@pytest.mark.parametrize(
    ("shift", "fires"), [(79.5, False), (80.0, False), (80.5, True), (-80.0, False), (-80.5, True)]
)
def test_an_offset_counts_above_a_tenth_of_the_canvas(shift: float, fires: bool) -> None:
    _, rows = fit(Box(350 + shift, 250, 100, 100), mode="absolute")
    assert ("CANVAS_CONTENT_OFFSET" in {row.code for row in rows}) is fires


def test_both_sides_may_be_extended_at_once() -> None:
    canvas, rows = fit(Box(-10, -10, 900, 700))
    assert (canvas.width, canvas.height) == (980, 780)
    assert said(rows, "CANVAS_AUTO_EXTENDED").data["extendedDimensions"] == ["width", "height"]


def test_an_offset_is_told_by_its_side_and_a_positive_number() -> None:
    canvas = {"width": 800, "height": 600}
    for x, y, words in ((20, 500, "to the left of"), (700, 20, "above")):
        node = {"id": "n", "kind": "node", "layout": {"mode": "absolute", "x": x, "y": y, "width": 40, "height": 40}}
        head = {"id": "s", "units": "px", "canvas": canvas}
        rows = lay_out({"schemaVersion": "0.1", "scene": head, "elements": [node]}).diagnostics
        (row,) = (row for row in rows if row.code == "CANVAS_CONTENT_OFFSET")
        assert words in row.message
        assert " -" not in row.message
