"""Pages of an exact size, and what is said of a wished shape."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenograph.diagnostics import Diagnostic
from scenograph.engine.pipeline import Extras, RenderedPicture, WriteOptions, lay_out, normalize, places_of, render
from scenograph.scene.model import PageSize, View
from scenograph.scene.reading import read_view

Document = dict[str, Any]
SLIDE = PageSize(width=1920, height=1080)


def chain(count: int, **root: Any) -> Document:
    nodes = [{"id": f"n{i}", "kind": "node", "label": f"Step {i}"} for i in range(count)]
    edges = [
        {"id": f"e{i}", "kind": "edge", "from": {"elementId": f"n{i}"}, "to": {"elementId": f"n{i + 1}"}}
        for i in range(count - 1)
    ]
    scene = {"id": "s", "units": "px"}
    return {
        "schemaVersion": "0.1",
        "diagramFamily": "workflow",
        "scene": scene,
        "elements": [*nodes, *edges],
        **root,
    }


def drawn(document: Document, form: str = "svg", view: View | None = None, **options: Any) -> RenderedPicture:
    extras = Extras(view=view or View(page=SLIDE))
    return render(document, form, extras=extras, options=WriteOptions(**options))


def said(rows: tuple[Diagnostic, ...], code: str) -> list[Diagnostic]:
    return [row for row in rows if row.code == code]


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("16:9", (1920, 1080)),
        ("4:3", (1600, 1200)),
        ("1:1", (1200, 1200)),
        ("a4", (1240, 1754)),
        ("a4-landscape", (1754, 1240)),
        ({"width": 64, "height": 16384}, (64, 16384)),
    ],
)
def test_a_picture_has_exactly_the_size_of_its_page(name: object, size: tuple[int, int]) -> None:
    picture = drawn(chain(6), view=read_view({"page": name}))
    assert (picture.width, picture.height) == size
    assert f'width="{size[0]}" height="{size[1]}"' in str(picture.content)


@settings(max_examples=30)
@given(st.integers(64, 3000), st.integers(64, 3000), st.integers(1, 14))
def test_what_is_drawn_is_centred_with_a_margin_of_3_percent(width: int, height: int, count: int) -> None:
    picture = drawn(chain(count), view=View(page=PageSize(width=width, height=height)))
    scene = picture.laid_out.scene
    boxes = scene.placement.boxes.values()
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.right for box in boxes), max(box.bottom for box in boxes)
    found = re.search(r'viewBox="([-.\d]+) ([-.\d]+) ([-.\d]+) ([-.\d]+)"', str(picture.content))
    assert found is not None
    x, y, across, down = map(float, found.groups())
    margin = 0.03 * min(width, height) / picture.scale
    stroke = 2.0
    sides = (left - x, x + across - right, top - y, y + down - bottom)
    assert min(sides) >= margin - stroke
    assert picture.scale == 2 or min(sides) <= margin + 60  # lines may lead round the outermost boxes
    assert picture.scale <= 2


def test_a_small_picture_is_scaled_to_twice_its_size_and_no_more() -> None:
    assert drawn(chain(1)).scale == 2


def test_a_png_multiplies_its_page_and_a_pdf_has_three_points_for_four_px() -> None:
    png = drawn(chain(3), "png", scale=0.5)
    assert (png.width, png.height, png.scale) == (960, 540, drawn(chain(3)).scale / 2)
    assert b"/MediaBox [0 0 1440 810]" in bytes(drawn(chain(3), "pdf").content)  # type: ignore[arg-type]


def test_a_drawio_file_has_the_page_and_its_scale() -> None:
    assert 'pageScale="0.5" pageWidth="1920" pageHeight="1080"' in str(drawn(chain(1), "drawio").content)


@pytest.mark.parametrize("form", ["mermaid", "text", "excalidraw", "bpmn"])
def test_a_format_without_pages_says_that_the_size_is_lost(form: str) -> None:
    (loss,) = said(drawn(chain(2), form).diagnostics, "EXPORT_LOSS")
    assert "the size of the page" in loss.message


def test_a_page_outweighs_a_wished_shape() -> None:
    both = drawn(chain(20), view=View(page=PageSize(width=600, height=1000), aspect_ratio=3)).laid_out.scene.canvas
    assert 0.48 <= both.width / both.height <= 0.75


def test_a_crop_fills_the_page() -> None:
    picture = drawn(chain(9), view=View(page=SLIDE, crop=("n4",)))
    assert (picture.width, picture.height) == (1920, 1080)
    assert picture.scale == 2


def test_normalize_ignores_a_page() -> None:
    asked, _ = normalize({**chain(20), "view": {"page": "16:9"}})
    assert asked == normalize(chain(20))[0]


def test_small_letters_on_a_page_are_told_with_their_elements() -> None:
    (row,) = said(drawn(chain(30), view=View(page=PageSize(width=200, height=200))).diagnostics, "TEXT_TOO_SMALL")
    assert row.path == "/view/page"
    assert row.data is not None
    assert row.data["smallestPx"] < 8
    assert row.data["elementIds"] == [f"n{i}" for i in range(20)]
    assert not said(drawn(chain(3)).diagnostics, "TEXT_TOO_SMALL")


@pytest.mark.parametrize(
    ("view", "path"),
    [
        ({"aspectRatio": 0.2}, "/view/aspectRatio"),
        ({"page": {"width": 100, "height": 1000}, "aspectRatio": 0.2}, "/view/page"),
        ({}, "/layoutStrategy/aspectRatio"),
    ],
)
def test_a_missed_shape_is_told_at_the_place_of_the_wish(view: Document, path: str) -> None:
    strategy = {} if view else {"layoutStrategy": {"algorithm": "hierarchical", "aspectRatio": 0.2}}
    found = lay_out(chain(1, **strategy), view=read_view(view))
    (row,) = said(found.diagnostics, "ASPECT_RATIO_MISSED")
    canvas = found.scene.canvas
    assert (row.path, row.severity.value) == (path, "info")
    assert row.data == {"asked": 0.2 if "page" not in view else 0.1, "reason": "content"} | {
        "got": pytest.approx(canvas.width / canvas.height, rel=0.005)
    }


def test_the_shape_of_the_narrowest_page_is_told_in_digits_that_count() -> None:
    (row,) = said(
        lay_out(chain(1), view=View(page=PageSize(width=64, height=16384))).diagnostics, "ASPECT_RATIO_MISSED"
    )
    assert row.data is not None
    assert row.data["asked"] == 0.00391
    assert "0.00391" in row.message


def test_a_shape_that_was_met_is_not_told() -> None:
    assert not said(lay_out(chain(20), view=View(aspect_ratio=1)).diagnostics, "ASPECT_RATIO_MISSED")


def test_given_places_and_families_with_a_shape_of_their_own_are_the_reason() -> None:
    placed = chain(4)
    for number, node in enumerate(placed["elements"][:4]):
        node["layout"] = {"mode": "absolute", "x": 400 * number, "y": 10}
    sequence = {**chain(2), "diagramFamily": "sequence"}
    for document, reason in ((placed, "placed"), (sequence, "family")):
        (row,) = said(lay_out(document, view=View(aspect_ratio=0.2)).diagnostics, "ASPECT_RATIO_MISSED")
        assert row.data is not None
        assert row.data["reason"] == reason


def test_a_declared_canvas_is_told_to_be_no_minimum_beside_a_wish_and_stays_one_without() -> None:
    document = chain(2)
    document["scene"]["canvas"] = {"width": 2000, "height": 2000}
    found = lay_out(document, view=View(aspect_ratio=1))
    (row,) = said(found.diagnostics, "CANVAS_OVERRIDDEN")
    assert (row.path, "view.page" in row.message, found.scene.canvas.width < 1000) == ("/scene/canvas", True, True)
    assert lay_out(document).scene.canvas.width == 2000
    assert not said(lay_out(chain(2), view=View(aspect_ratio=1)).diagnostics, "CANVAS_OVERRIDDEN")


def test_places_that_have_the_wished_shape_already_are_kept() -> None:
    document = chain(12)
    first = lay_out(document, view=View(aspect_ratio=1))
    again = lay_out(document, sketch=places_of(first), view=View(aspect_ratio=1.1))
    assert again.scene.placement.boxes == first.scene.placement.boxes
    other = lay_out(document, sketch=places_of(first), view=View(aspect_ratio=4))
    assert other.scene.placement.boxes != first.scene.placement.boxes
