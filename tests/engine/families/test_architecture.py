"""Architecture: the generic types, and lines that reach icons without a box.
(R-FAMILY-2, R-ICON-3)
"""

from __future__ import annotations

from itertools import pairwise

import pytest
from tests.builders import at
from tests.engine.families.conftest import Plan, edge, extent, node, plan

from scenograph.engine.geometry.boxes import Box, Point, union
from scenograph.engine.route.finishing import CONTENT_GAP

SHAPES = {
    "service": "roundedRect",
    "database": "cylinder",
    "queue": "tube",
    "storage": "cylinder",
    "cache": "cylinder",
    "gateway": "hexagon",
    "external": "roundedRect",
    "user": "textBox",
    "actor": "textBox",
    "function": "pill",
    "topic": "tube",
    "bucket": "cylinder",
    "cdn": "roundedRect",
    "loadBalancer": "hexagon",
    "client": "roundedRect",
    "component": "rect",
    "container": "box3d",
    "note": "rect",
}
HEAD = {"endpoints": {"endArrow": "triangle"}}


@pytest.mark.parametrize(("name", "shape"), SHAPES.items())
def test_a_generic_type_has_its_shape(name: str, shape: str) -> None:
    assert plan("architecture", node("n", name, "Label")).laid_out.scene.elements[0].shape == shape


def test_a_note_is_a_sheet_whose_corner_is_cut() -> None:
    found = plan("architecture", node("n", "note", "Remember"))
    assert len(found.outline("n").path) == 6


def test_the_label_of_a_queue_stands_clear_of_its_rim() -> None:
    layout = at(0, 0, width=140, height=70)
    found = plan("architecture", node("n", "queue", "orders to be shipped", layout=layout))
    _, mouth = found.paths("n")
    assert found.part("n", "label").right <= extent(mouth.path).x


@pytest.mark.parametrize("width", [170, 240])
@pytest.mark.parametrize("icon", ["aws:lambda", "gcp:compute-engine", "azure:functions"])
def test_a_line_goes_on_to_an_icon_in_a_wide_unseen_box(icon: str, width: int) -> None:
    left = node("a", "service", "A", icon=icon, layout=at(0, 0, width=width, height=60))
    right = node("b", "service", "B", icon=icon, layout=at(500, 0, width=width, height=60))
    found = plan("architecture", left, right, edge("a>b", **HEAD))
    drawn = extent(*(item.path for item in found.paths("a>b")))
    assert drawn.x == pytest.approx(_seen(found, "a").right + CONTENT_GAP, abs=24)
    assert drawn.x < found.box("a").right - 20
    assert drawn.right > found.box("b").x + 20
    for name in "ab":
        for part in ("icon", "label"):
            assert not drawn.overlaps(found.part(name, part))


def test_the_numbers_are_those_of_the_line_that_is_drawn() -> None:
    rows = [
        node(n, "service", n, icon="aws:s3", layout=at(x, 0, width=170, height=60)) for n, x in (("a", 0), ("b", 400))
    ]
    found = plan("architecture", *rows, edge("a>b"))
    drawn = extent(*(item.path for item in found.paths("a>b")))
    assert found.route("a>b").points[0].x == pytest.approx(drawn.x, abs=0.01)
    assert found.route("a>b").points[-1].x == pytest.approx(drawn.right, abs=0.01)


@pytest.mark.parametrize("style", [{"fill": "#fff3e0"}, {"fill": "none", "stroke": "#c2410c"}])
def test_a_line_ends_at_a_box_that_is_seen(style: dict[str, str]) -> None:
    boxed = node("a", "service", "A", icon="aws:s3", layout=at(0, 0, width=170, height=60), style=style)
    found = plan("architecture", boxed, node("b", "service", "B", layout=at(400, 0, width=100, height=60)), edge("a>b"))
    (line,) = found.paths("a>b")
    assert extent(line.path).x == pytest.approx(found.box("a").right, abs=1)


def test_an_icon_in_a_seen_box_keeps_off_its_border() -> None:
    boxed = node("a", "service", "A", icon="aws:s3", layout=at(0, 0, width=120, height=80), style={"fill": "#fff3e0"})
    found = plan("architecture", boxed)
    assert found.part("a", "icon").y - found.box("a").y >= 5
    assert found.box("a").bottom - found.part("a", "label").bottom >= 5


def _seen(found: Plan, name: str) -> Box:
    whole = union((found.part(name, "icon"), found.part(name, "label")))
    assert whole is not None
    return whole


@pytest.mark.parametrize(("height", "least"), [(60, 20), (80, 24)])
def test_an_icon_without_a_box_stays_large_enough_to_be_seen_and_lines_keep_off_it(height: int, least: int) -> None:
    low = node("a", "service", "Streaming\n(Transactions)\nPub/Sub", icon="aws:lambda")
    low |= {"layout": at(100, 200, width=150, height=height)}
    above = node("b", "service", "B", layout=at(125, 0, width=100, height=40))
    found = plan("architecture", low, above, edge("b>a", **HEAD))
    icon = found.part("a", "icon")
    assert icon.width >= least
    assert icon.center.x == found.box("a").center.x
    drawn = extent(*(item.path for item in found.paths("b>a")))
    assert not any(drawn.overlaps(found.part("a", name)) for name in ("icon", "label"))
    assert drawn.bottom == pytest.approx(icon.y - CONTENT_GAP, abs=1)


def test_a_label_below_an_icon_without_a_box_stands_in_nobodys_way() -> None:
    icon = node("a", "service", "CloudFront distribution", icon="aws:cloudfront")
    icon |= {"layout": at(200, 200, width=64, height=64)}
    others = [
        node("b", "service", "B", layout=at(182, 0, width=100, height=40)),
        node("c", "service", "C", layout=at(0, 285, width=100, height=20)),
        node("d", "service", "D", layout=at(400, 285, width=100, height=20)),
    ]
    found = plan("architecture", icon, *others, edge("b>a", **HEAD), edge("c>d"))
    label, box = found.part("a", "label"), found.box("a")
    assert (box.width, box.height) == (64, 64)
    assert found.part("a", "icon") == box
    assert label.y >= box.bottom
    assert label.center.x == box.center.x
    drawn = extent(*(item.path for item in found.paths("b>a")))
    assert not any(drawn.overlaps(found.part("a", name)) for name in ("icon", "label"))
    ends = pairwise(found.route("c>d").points)
    assert not any(box_round(*corners).overlaps(label) for corners in ends)


def box_round(a: Point, b: Point) -> Box:
    """The box of a segment, with a little body so that it can overlap."""
    return Box(min(a.x, b.x), min(a.y, b.y), abs(a.x - b.x) + 0.1, abs(a.y - b.y) + 0.1)


def test_a_note_keeps_its_text_sixteen_and_twelve_px_from_its_border() -> None:
    found = plan("architecture", node("n", "note", "a rather long line\ntwo\nthree\nfour\nfive"))
    label, box = found.laid_out.sizes["n"].label, found.box("n")
    assert label is not None
    assert box.width - label.width == pytest.approx(2 * 16, abs=4)
    assert box.height - label.height == pytest.approx(2 * 12, abs=4)
