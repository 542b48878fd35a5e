"""What stands beside a scene: the legend of a visual diff and the watermark (R-DIFF-3, R-PAINT-5)."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from tests.engine.diff_pictures import (
    AMBER,
    GREEN,
    NEW,
    OLD,
    RED,
    SVG,
    THEMES,
    Json,
    extent,
    group,
    node,
    picture,
    scene,
    start_of,
    strokes,
)

from scenograph.engine.pipeline import Extras, WriteOptions, render_png, render_svg


class TestLegend:
    @pytest.mark.parametrize("theme", THEMES)
    @pytest.mark.parametrize("canvas", [{}, {"width": 1600, "height": 1200}, {"width": 90, "height": 50}])
    def test_it_names_the_colours_at_the_bottom_left_within_the_page(self, theme: str, canvas: Json) -> None:
        root = picture(NEW | {"scene": NEW["scene"] | {"canvas": canvas}}, OLD, theme)
        legend = group(root, "diff", "data-legend")
        text = " ".join("".join(one.itertext()) for one in legend.iter(f"{SVG}text"))
        assert text == "Added 2 Removed 2 Modified 1 Unchanged 2"
        assert {GREEN, RED, AMBER} <= {row[0] for row in strokes(legend)}
        left, top, right, bottom = extent(root)
        x, _ = start_of(legend)
        assert left <= x <= left + 40
        lines = [float(one.get("y") or next(iter(one)).get("y")) for one in legend.iter(f"{SVG}text")]
        assert top < max(lines) <= bottom - 16
        assert bottom - max(lines) < 50
        assert right - left >= 130

    @pytest.mark.parametrize("theme", THEMES)
    def test_it_covers_nothing(self, theme: str) -> None:
        low = scene(node("a", 20, 20), node("b", 10, 500), canvas={"width": 700, "height": 570})
        root = picture(low, low, theme)
        _, panel_top = start_of(group(root, "diff", "data-legend"))
        assert panel_top >= 560 + 8
        assert extent(root)[3] >= panel_top + 30

    def test_a_png_has_the_page_of_the_svg(self) -> None:
        svg = render_svg(NEW, extras=Extras(before=OLD, watermark="s"))
        png = render_png(NEW, extras=Extras(before=OLD, watermark="s"), options=WriteOptions(scale=2))
        assert (png.width, png.height) == (round(svg.width * 2), round(svg.height * 2))

    def test_without_a_diff_there_is_none(self) -> None:
        assert "data-legend" not in render_svg(NEW).content
        assert "data-change" not in render_svg(NEW).content


class TestWatermark:
    @pytest.mark.parametrize("theme", THEMES)
    def test_it_stands_at_the_bottom_right(self, theme: str) -> None:
        words = "shop · revision 7 · 2026-01-31T09:00:00.000Z"
        wide = scene(node("a", 20, 20), canvas={"width": 900, "height": 400})
        root = ET.fromstring(render_svg(wide, theme=theme, extras=Extras(watermark=words)).content)  # noqa: S314
        mark = group(root, "", "data-watermark")
        (text,) = mark.iter(f"{SVG}text")
        assert "".join(text.itertext()) == words
        assert extent(root) == (0, 0, 900, 400)
        assert 450 < float(text.get("x", "0")) < 884
        assert 370 < float(text.get("y", "0")) < 396

    def test_content_in_its_way_moves_it_down(self) -> None:
        full = scene(node("a", 10, 10), node("b", 180, 130), canvas={"width": 300, "height": 200})
        root = ET.fromstring(render_svg(full, extras=Extras(watermark="shop")).content)  # noqa: S314 - our own
        (text,) = group(root, "", "data-watermark").iter(f"{SVG}text")
        assert float(text.get("y", "0")) > 190 + 12
        assert extent(root)[3] >= float(text.get("y", "0")) + 16

    def test_a_long_one_on_a_narrow_page_takes_several_lines_and_is_written_as_text(self) -> None:
        words = "<b>" + "long-name-" * 12 + " · revision 1"
        picture = render_svg(scene(node("a", 10, 10)), extras=Extras(watermark=words))
        root = ET.fromstring(picture.content)  # noqa: S314 - our own
        mark = group(root, "", "data-watermark")
        spans = list(mark.iter(f"{SVG}tspan"))
        assert len(spans) > 1
        assert min(float(span.get("x", "0")) for span in spans) >= extent(root)[0] + 16
        assert "<b>" not in picture.content

    def test_beside_a_legend_neither_covers_the_other(self) -> None:
        root = picture(NEW, OLD)
        both = render_svg(NEW, extras=Extras(before=OLD, watermark="shop · revision 2 · 2026-01-31T09:00:00.000Z"))
        marked = ET.fromstring(both.content)  # noqa: S314 - our own
        (text,) = group(marked, "", "data-watermark").iter(f"{SVG}text")
        assert extent(marked)[3] >= extent(root)[3]
        assert float(text.get("y", text[0].get("y") if len(text) else "0")) <= extent(marked)[3] - 12
