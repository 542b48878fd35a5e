"""SVG files as flat lists of paint; what cannot be said that way is refused."""

import math

import pytest
from icon_packing.bounds import bounds
from icon_packing.merging import merged
from icon_packing.svg_reading import Pen, Sheet, read_svg
from icon_packing.svg_writing import svg_of

from scenograph.engine.drawing import GradientStop, LinearGradient, RadialGradient
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import Close, Line, Move
from scenograph.engine.icons.icon import IconLayer
from scenograph.scene.model import Color

RED, BLUE, BLACK = Color(255, 0, 0), Color(0, 0, 255), Color(0, 0, 0)


def sheet(content: str, **attributes: str) -> Sheet:
    said = " ".join(f'{name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    return read_svg(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10" {said}>{content}</svg>')


def layer(content: str, **attributes: str) -> IconLayer:
    (shape,) = sheet(content, **attributes).shapes
    return shape.layer


@pytest.mark.parametrize(
    ("element", "box"),
    [
        ('<rect x="1" y="2" width="3" height="4"/>', Box(1, 2, 3, 4)),
        ('<rect x="1" y="2" width="6" height="4" rx="1"/>', Box(1, 2, 6, 4)),
        ('<rect width="6" height="4" rx="9"/>', Box(0, 0, 6, 4)),
        ('<circle cx="5" cy="4" r="3"/>', Box(2, 1, 6, 6)),
        ('<ellipse cx="5" cy="4" rx="3" ry="2"/>', Box(2, 2, 6, 4)),
        ('<polygon points="1,1 3 1,3,5"/>', Box(1, 1, 2, 4)),
        ('<polyline points="1,1 3 1,3,5"/>', Box(1, 1, 2, 4)),
        ('<line x1="1" y1="2" x2="3" y2="5" stroke="red"/>', Box(1, 2, 2, 3)),
        ('<path d="M1 1h2v2z"/>', Box(1, 1, 2, 2)),
    ],
)
def test_every_basic_shape_is_a_path(element: str, box: Box) -> None:
    assert bounds(layer(element).path) == pytest.approx(box)


def test_a_rounded_rectangle_turns_quarter_circles() -> None:
    path = layer('<rect width="10" height="10" rx="5" ry="5"/>').path
    for segment in path:
        if not isinstance(segment, Close):
            assert math.dist(segment.to, (5, 5)) == pytest.approx(5)


def test_transforms_apply_from_the_inside_out() -> None:
    content = '<g transform="translate(10 0)"><g transform="rotate(90) scale(2)"><path d="M1 0L2 0"/></g></g>'
    start, end = layer(content).path
    assert isinstance(start, Move)
    assert isinstance(end, Line)
    assert start.to == pytest.approx((10, 2))
    assert end.to == pytest.approx((10, 4))


def test_a_stroke_widens_with_its_transform_and_a_skewed_one_is_refused() -> None:
    line = '<path d="M0 0h1" stroke="#f00" stroke-width="2" transform="{}"/>'
    assert layer(line.format("scale(3)")).stroke_width == pytest.approx(6)
    with pytest.raises(ValueError, match="stroke under a transform"):
        sheet(line.format("scale(3 1)"))


def test_paint_is_inherited_and_the_nearest_word_wins() -> None:
    content = '<style>.a{{fill:red}}#b{{fill:#00f}}</style><g fill="lime"><path d="M0 0h1"/>{}</g>'
    assert sheet(content.format("")).shapes[0].layer.fill == Color(0, 255, 0)
    last = [
        ('<path class="a" d="M0 0h1"/>', RED),
        ('<path class="a" id="b" d="M0 0h1"/>', BLUE),
        ('<path class="a" id="b" style="fill:red" d="M0 0h1"/>', RED),
        ('<path class="x a" fill="blue" d="M0 0h1"/>', RED),
    ]
    for element, color in last:
        assert sheet(content.format(element)).shapes[-1].layer.fill == color


def test_opacities_multiply_into_the_paint() -> None:
    found = layer('<g opacity=".5"><path d="M0 0h1" fill="#ff000080" fill-opacity=".5"/></g>')
    assert found.fill == pytest.approx(Color(255, 0, 0, 128 / 255 / 4))


def test_the_current_colour_stays_open() -> None:
    found = layer('<path d="M0 0h1"/>', stroke="currentColor", fill="none", stroke_width="2", stroke_linecap="round")
    assert (found.fill, found.stroke, found.stroke_width, found.cap) == (None, "current", 2, "round")


@pytest.mark.parametrize(
    "nothing",
    [
        '<path d="M0 0h1" fill="none"/>',
        '<path d="M0 0h1" display="none"/>',
        '<path d="M0 0h1" visibility="hidden"/>',
        '<rect width="0" height="3"/>',
        '<circle r="0"/>',
        '<defs><path d="M0 0h1"/></defs>',
        '<path d="M0 0h1" fill="none" stroke="red" stroke-width="0"/>',
        "<title>words</title>",
        '<path d=""/>',
    ],
)
def test_what_is_not_painted_leaves_nothing(nothing: str) -> None:
    assert sheet(nothing).shapes == ()


def test_a_used_shape_stands_where_it_is_used() -> None:
    found = layer('<defs><rect id="r" width="2" height="2"/></defs><use href="#r" x="5" y="1" fill="red"/>')
    assert bounds(found.path) == Box(5, 1, 2, 2)
    assert found.fill == RED


GRADIENT = (
    '<defs><linearGradient id="g" {}>{}</linearGradient></defs><rect x="2" y="2" width="8" height="4" fill="url(#g)"/>'
)
STOPS = '<stop offset="0" stop-color="red"/><stop offset="100%" style="stop-color:blue;stop-opacity:.5"/>'


def test_a_gradient_in_the_box_of_its_shape() -> None:
    fill = layer(GRADIENT.format("", STOPS)).fill
    stops = (GradientStop(0, RED), GradientStop(1, BLUE._replace(alpha=0.5)))
    assert fill == LinearGradient(Point(2, 2), Point(10, 2), stops)


def test_a_gradient_in_the_units_of_the_page() -> None:
    fill = layer(GRADIENT.format('gradientUnits="userSpaceOnUse" x1="1" y1="2" x2="1" y2="9"', STOPS)).fill
    assert isinstance(fill, LinearGradient)
    assert (fill.start, fill.end) == (Point(1, 2), Point(1, 9))


def test_a_skewed_gradient_keeps_its_lines_of_equal_colour() -> None:
    said = 'gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="4" y2="0" gradientTransform="matrix(1 0 1 1 0 0)"'
    fill = layer(GRADIENT.format(said, STOPS)).fill
    assert isinstance(fill, LinearGradient)
    along = Point(fill.end.x - fill.start.x, fill.end.y - fill.start.y)

    def share(x: float, y: float) -> float:
        return ((x - fill.start.x) * along.x + (y - fill.start.y) * along.y) / (along.x**2 + along.y**2)

    # (4, 0) and (4, 3) have the last colour; the matrix takes them to (4, 0) and (7, 3).
    assert share(4, 0) == pytest.approx(1)
    assert share(7, 3) == pytest.approx(1)
    assert share(0, 0) == pytest.approx(0)


def test_stops_are_shared_by_link() -> None:
    content = f'<linearGradient id="s">{STOPS}</linearGradient>' + GRADIENT.format('href="#s"', "")
    fill = layer(content).fill
    assert isinstance(fill, LinearGradient)
    assert len(fill.stops) == 2


def test_a_radial_gradient_is_where_its_circle_lands() -> None:
    content = (
        '<radialGradient id="r" cx="1" cy="2" r="3" gradientUnits="userSpaceOnUse" gradientTransform="scale(2 1)">'
        f'{STOPS}</radialGradient><rect width="9" height="9" fill="url(#r)"/>'
    )
    fill = layer(content).fill
    assert isinstance(fill, RadialGradient)
    assert (fill.center, fill.across, fill.down) == (Point(2, 2), Point(6, 0), Point(0, 3))


def test_clips_and_masks_are_kept_with_the_shape() -> None:
    content = (
        '<clipPath id="c"><rect width="3" height="3"/></clipPath>'
        '<mask id="m"><circle r="2" fill="#fff"/><circle r="1"/></mask>'
        '<g clip-path="url(#c)"><path mask="url(#m)" d="M0 0h1"/></g>'
    )
    (shape,) = sheet(content).shapes
    clip, mask = shape.clips
    assert [bounds(region.path) for region in clip] == [Box(0, 0, 3, 3)]
    assert [region.shown for region in mask] == [True, False]


def test_dashes_and_miters_belong_to_the_pen() -> None:
    content = '<path d="M0 0h9" stroke="red" stroke-dasharray="2,1" stroke-dashoffset="1" stroke-miterlimit="10"/>'
    (shape,) = sheet(content, fill="none").shapes
    assert shape.pen == Pen((2, 1), 1, 10)


@pytest.mark.parametrize(
    "content",
    [
        "<text>words</text>",
        '<image href="data:image/png;base64,AA=="/>',
        '<foreignObject width="1" height="1"/>',
        "<script>alert(1)</script>",
        '<path d="M0 0h1" fill="url(https://example.test/#a)"/>',
        '<path d="M0 0h1" filter="url(#f)"/><filter id="f"/>',
        '<path d="M0 0h1" style="mix-blend-mode:multiply"/>',
        "<style>g > path{fill:red}</style>",
        '<path d="M0 0h1" fill="currentColor" opacity=".5"/>',
        '<path d="M0 0h1" fill="chartreusish"/>',
        '<rect width="1em" height="1"/>',
        '<path d="M0 0h1" transform="wobble(3)"/>',
    ],
)
def test_what_cannot_be_kept_is_refused(content: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        sheet(content)


def test_the_view_box_or_else_the_size_is_the_page() -> None:
    assert sheet("").view_box == Box(0, 0, 20, 10)
    assert read_svg('<svg xmlns="http://www.w3.org/2000/svg" width="24px" height="12"/>').view_box == Box(0, 0, 24, 12)
    with pytest.raises(ValueError, match="view box"):
        read_svg('<svg xmlns="http://www.w3.org/2000/svg"/>')


def test_lines_of_one_pen_become_one_layer() -> None:
    lines = [
        layer(f'<path d="M0 {y}h1" stroke="{ink}" fill="none"/>') for y, ink in ((0, "red"), (1, "red"), (2, "blue"))
    ]
    joined = merged(lines)
    assert [found.stroke for found in joined] == [RED, BLUE]
    assert joined[0].path == lines[0].path + lines[1].path


def test_translucent_lines_and_fills_stay_apart() -> None:
    thin = layer('<path d="M0 0h1" stroke="#ff000080" fill="none"/>')
    solid = layer('<path d="M0 0h1v1z" fill="red"/>')
    assert merged([thin, thin, solid, solid]) == (thin, thin, solid, solid)


def test_what_was_read_reads_the_same_after_writing() -> None:
    content = GRADIENT.format("", STOPS) + '<circle cx="5" cy="5" r="2" fill="none" stroke="#abc" stroke-width=".5"/>'
    first = [shape.layer for shape in sheet(content).shapes]
    again = [shape.layer for shape in read_svg(svg_of(Box(0, 0, 20, 10), first, 64)).shapes]
    assert [found.fill for found in again] == [found.fill for found in first]
    assert [found.stroke for found in again] == [found.stroke for found in first]
    assert [bounds(found.path) for found in again] == [pytest.approx(bounds(found.path), abs=1e-4) for found in first]
