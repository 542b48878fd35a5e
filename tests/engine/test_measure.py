"""Natural sizes, and the sizes authors give."""

import base64
import struct
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.measuring import measured, node, size_of, sized, words_of

from scenograph.engine.families.catalog import NODE_KINDS
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.measure import EDGE_LABEL_WRAP, LABEL_BELOW_GAP, NODE_WRAP
from scenograph.engine.shapes import SHAPES, shape_named
from scenograph.engine.text.blocks import TextBlock
from scenograph.scene.model import (
    Asset,
    Color,
    Edge,
    Endpoint,
    Frame,
    Group,
    Guide,
    Image,
    Layout,
    Style,
    Text,
)

LONG = "Review the incoming invoices and document the result for the accountant"


def png(width: int, height: int) -> str:
    header = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", width, height)
    return base64.b64encode(header + b"\x08\x02\x00\x00\x00" + b"\x00" * 8).decode()


def test_a_short_label_gets_the_least_size_of_its_kind() -> None:
    size = size_of(node(label="API"))
    assert (size.width, size.height) == (96, 48)


def test_a_long_label_wraps_and_the_node_grows_downwards() -> None:
    size = size_of(node(label=LONG))
    assert size.label is not None
    assert len(size.label.lines) > 2
    assert size.width <= NODE_WRAP + 40
    assert size.height > size.label.height


@pytest.mark.parametrize("members", [{}, {"icon": "lucide:server"}, {"node_type": "workflow.decision"}])
def test_a_very_long_label_widens_its_node_instead_of_making_a_column(members: dict[str, Any]) -> None:
    size = size_of(node(label=(LONG + ". ") * 27, **members))
    assert 3 / 4 <= size.width / size.height <= 2
    assert size.width <= 1100


def test_a_very_long_label_of_an_edge_or_below_a_node_is_no_column_either() -> None:
    ends = {"source": Endpoint(element_id="n"), "target": Endpoint(element_id="n")}
    event = node(node_type="workflow.start", label=(LONG + ". ") * 27)
    sizes, _ = measured(event, Edge(id="e", kind="edge", label=(LONG + ". ") * 27, **ends))
    for name in ("n", "e"):
        block = sizes[name].label
        assert block is not None
        assert 2 / 3 <= block.width / block.height <= 2


def test_a_label_too_long_for_a_given_height_gets_a_wider_node() -> None:
    sizes, rows = measured(node(label=LONG, layout=sized(height=48)))
    assert rows == ()
    assert sizes["n"].height == 48
    assert NODE_WRAP + 40 < sizes["n"].width < 400


def test_a_given_width_makes_a_slanted_shape_as_high_as_its_label_needs() -> None:
    size = size_of(node(label=LONG, shape="parallelogram", layout=sized(124)))
    assert size.label is not None
    area = shape_named("parallelogram").text_area(Box(0, 0, size.width, size.height))
    assert (size.label.width <= area.width, size.label.height <= area.height) == (True, True)


@pytest.mark.parametrize("label", ["Check stock", "Hand over to carrier", LONG])
@pytest.mark.parametrize("kind", ["workflow.userTask", "workflow.serviceTask", "workflow.subprocess"])
def test_a_label_is_clear_of_the_mark_in_the_corner_of_its_node(kind: str, label: str) -> None:
    size, row = size_of(node(node_type=kind, label=label)), NODE_KINDS[kind]
    box = Box(0, 0, size.width, size.height)
    assert row.glyph_box is not None
    assert size.label is not None
    middle = shape_named(row.shape).text_area(box).center
    block = size.label
    drawn = Box(middle.x - block.width / 2, middle.y - block.height / 2, block.width, block.height)
    assert not row.glyph_box(box).overlaps(drawn)


def test_a_title_little_too_wide_for_its_frame_is_set_smaller_and_one_far_too_wide_wraps() -> None:
    def titled(width: float) -> TextBlock:
        block = size_of(Frame(id="f", kind="frame", title="Campaign Manager", layout=sized(width))).label
        assert block is not None
        return block

    natural, tight, narrow = titled(400), titled(108), titled(84)
    assert (len(natural.lines), len(tight.lines), len(narrow.lines)) == (1, 1, 2)
    assert tight.width <= 108 < natural.width
    assert narrow.line_height == natural.line_height > tight.line_height >= 0.7 * natural.line_height


def test_natural_sizes_stand_on_a_grid_of_four() -> None:
    for label in ("Order intake", "Payment provider adapter", LONG):
        size = size_of(node(label=label))
        assert (size.width % 4, size.height % 4) == (0, 0)


def test_a_node_without_a_label_has_no_block() -> None:
    assert size_of(node()).label is None
    assert size_of(node(label="  \n ")).label is None


def test_a_label_below_stands_outside_the_box() -> None:
    size = size_of(node(node_type="workflow.start", label="Invoice received"))
    assert (size.width, size.height) == (36, 36)
    assert size.label is not None
    assert size.outset.bottom == pytest.approx(LABEL_BELOW_GAP + size.label.height)
    assert size.outset.left == size.outset.right == pytest.approx((size.label.width - 36) / 2)
    assert size.outset.top == 0


def test_an_event_without_a_label_keeps_no_room_for_one() -> None:
    assert size_of(node(node_type="workflow.end")).outset == (0, 0, 0, 0)


def test_a_given_size_is_kept() -> None:
    size = size_of(node(label=LONG, layout=sized(300, 90)))
    assert (size.width, size.height) == (300, 90)
    assert size_of(node(node_type="workflow.timer", layout=sized(30, 30))).width == 30


def test_a_given_width_wraps_inside_and_the_height_follows() -> None:
    size = size_of(node(label=LONG, layout=sized(120)))
    assert size.width == 120
    assert size.label is not None
    assert size.label.width <= 120
    assert size.height >= size.label.height


def test_a_given_height_keeps_the_natural_width() -> None:
    size = size_of(node(label="Order intake", layout=sized(height=100)))
    assert size.height == 100
    assert size.width == size_of(node(label="Order intake")).width


@pytest.mark.parametrize("shape", ["roundedRect", "cylinder", "diamond", "ellipse", "cloud"])
def test_text_too_high_for_its_box_is_reported_with_both_heights(shape: str) -> None:
    sizes, rows = measured(node(label=LONG, shape=shape, layout=sized(100, 40)))
    (row,) = [row for row in rows if row.code == "TEXT_OVERFLOW"]
    label = sizes["n"].label
    assert label is not None
    assert (row.element_id, row.severity) == ("n", "warning")
    available = shape_named(shape).text_area(Box(0, 0, 100, 40)).height
    assert row.data is not None
    assert row.data["availableHeight"] == round(available, 2)
    assert row.data["requiredHeight"] >= round(label.height, 2) > row.data["availableHeight"]


def test_text_that_fits_exactly_is_not_reported() -> None:
    label = size_of(node(label="A")).label
    assert label is not None
    _, rows = measured(node(label="A", shape="rect", layout=sized(100, label.height)))
    assert rows == ()


def test_a_free_text_that_is_too_high_is_reported() -> None:
    _, rows = measured(Text(id="t", kind="text", content=LONG, layout=sized(80, 20)))
    assert [(row.code, row.element_id) for row in rows] == [("TEXT_OVERFLOW", "t")]


def test_an_edge_has_the_size_of_its_label() -> None:
    ends = {"source": Endpoint(element_id="n"), "target": Endpoint(element_id="n")}
    sizes, _ = measured(node(), Edge(id="e", kind="edge", label=LONG, **ends), Edge(id="plain", kind="edge", **ends))
    assert sizes["e"].label is not None
    assert sizes["e"].width == sizes["e"].label.width <= EDGE_LABEL_WRAP
    assert sizes["e"].height == sizes["e"].label.height
    assert (sizes["plain"].width, sizes["plain"].height, sizes["plain"].label) == (0, 0, None)
    assert sizes["e"].label.lines[0].runs[0].font.size == 12


def test_containers_carry_their_titles() -> None:
    sizes, _ = measured(Frame(id="f", kind="frame", title="Backend"), Group(id="g", kind="group", label="Batch"))
    for name, text in (("f", "Backend"), ("g", "Batch")):
        label = sizes[name].label
        assert label is not None
        assert label.lines[0].runs[0].text == text
        assert sizes[name].width > label.width


def test_the_title_in_a_pools_header_stays_on_one_line() -> None:
    label = size_of(Frame(id="p", kind="frame", title=LONG, container_type="pool", layout=sized(200, 100))).label
    assert label is not None
    assert len(label.lines) == 1
    wrapped = size_of(Frame(id="f", kind="frame", title=LONG, layout=sized(200, 100))).label
    assert wrapped is not None
    assert len(wrapped.lines) > 1


def test_a_text_on_a_panel_has_room_round_it() -> None:
    plain = size_of(Text(id="t", kind="text", content="Legend"))
    panel = size_of(Text(id="t", kind="text", content="Legend", style=Style(fill=Color(255, 0, 0))))
    assert panel.width > plain.width
    assert panel.height > plain.height


def test_an_image_has_the_size_of_its_pixels_or_keeps_their_proportions() -> None:
    assets = {
        "logo": Asset(mime_type="image/png", data=png(200, 100)),
        "big": Asset(mime_type="image/png", data=png(3200, 1600)),
    }

    def image(asset: str, layout: Layout | None = None) -> tuple[float, float]:
        size = size_of(Image(id="i", kind="image", asset_id=asset, layout=layout or Layout()), assets=assets)
        return size.width, size.height

    assert image("logo") == (200, 100)
    assert image("big") == (320, 160)
    assert image("logo", sized(width=50)) == (50, 25)
    assert image("logo", sized(height=50)) == (100, 50)
    assert image("logo", sized(10, 10)) == (10, 10)
    assert image("gone") == (160, 120)


def test_an_image_by_address_is_measured_too() -> None:
    size = size_of(Image(id="i", kind="image", href=f"data:image/png;base64,{png(40, 30)}"))
    assert (size.width, size.height) == (40, 30)


def test_a_guide_has_no_size() -> None:
    sizes, _ = measured(Guide(id="g", kind="guide"))
    assert sizes == {}


def test_a_themes_font_changes_widths() -> None:
    assert size_of(node(label="Payment adapter"), theme="blueprint") != size_of(node(label="Payment adapter"))


labels = st.text(st.characters(codec="utf-8"), max_size=60)
kinds = st.sampled_from([None, *NODE_KINDS])
shapes = st.none() | st.sampled_from(list(SHAPES))


@given(labels, kinds, shapes, st.sampled_from(["clean", "blueprint", "sketch"]))
@settings(deadline=None, max_examples=150)
def test_a_natural_size_always_holds_its_label(
    label: str, node_type: str | None, shape: str | None, theme: str
) -> None:
    size = size_of(node(label=label, node_type=node_type, shape=shape), theme=theme)
    assert size.width > 0
    assert size.height > 0
    if size.label is None:
        return
    drawn_shape = shape or (NODE_KINDS[node_type].shape if node_type else "roundedRect")
    area = size.parts.get("label") or shape_named(drawn_shape).text_area(Box(0, 0, size.width, size.height))
    if size.outset.bottom == 0:
        assert area.width >= size.label.width - 0.01
        assert area.height >= size.label.height - 0.01


# The head of a lifeline is never narrower than 100 px (R-SEQ-4).
@given(labels, kinds.filter(lambda kind: kind != "sequence.lifeline"), st.floats(0, 400), st.none() | st.floats(0, 400))
@settings(deadline=None, max_examples=150)
def test_given_sizes_are_never_changed(label: str, node_type: str | None, width: float, height: float | None) -> None:
    size = size_of(node(label=label, node_type=node_type, layout=sized(width, height)))
    assert size.width == width
    assert height is None or size.height == height


@pytest.mark.parametrize("layout", [sized(100, 60), sized(100)])
def test_a_word_is_not_broken_for_the_padding_beside_it(layout: Layout) -> None:
    assert words_of(size_of(node(label="Authentication", icon="lucide:lock", layout=layout))) == "Authentication"


def test_of_several_words_as_few_are_broken_as_can_be() -> None:
    size = size_of(node(label="Authentication Internationalization", icon="lucide:lock", layout=sized(100, 120)))
    assert words_of(size).split()[0] == "Authentication"


def test_letters_of_the_theme_get_a_little_smaller_rather_than_break_a_word_in_a_given_size() -> None:
    def letters(width: float, **members: Any) -> float:
        block = size_of(node(label="Authentication", layout=sized(width, 40), **members)).label
        assert block is not None
        return block.lines[0].runs[0].font.size

    assert letters(120) == 14
    assert letters(98) == pytest.approx(13)
    assert letters(93) == pytest.approx(12)
    assert letters(93, style=Style(font_size=14)) == 14
    free = size_of(node(label="Authentication", layout=Layout(mode="absolute", width=93))).label
    assert free is not None
    assert free.lines[0].runs[0].font.size == 14


def test_the_title_of_a_frame_gets_smaller_where_content_of_given_place_would_touch_it() -> None:
    def letters(child_y: float, **members: Any) -> float:
        frame = Frame(id="f", kind="frame", title="Users", children=("n",), layout=place(0, 0), **members)
        sizes, _ = measured(frame, node(layout=place(20, child_y)))
        assert sizes["f"].label is not None
        return sizes["f"].label.lines[0].runs[0].font.size

    def place(x: float, y: float) -> Layout:
        return Layout(mode="absolute", x=x, y=y, width=200, height=100)

    assert letters(40) == 14
    assert letters(28) == pytest.approx(12)
    assert letters(28, style=Style(font_size=14)) == 14
