"""Natural sizes of nodes with icons (R-ICON-2, R-ICON-3)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.measuring import measured, node, size_of, sized, words_of

from scenograph.engine.measure import LABEL_BELOW_GAP, LEAST_ICON
from scenograph.engine.text_in_shapes import ICON_GAP
from scenograph.scene.model import (
    Color,
    Layout,
    Style,
)


def test_an_icon_takes_room_above_the_label() -> None:
    plain, iconed = size_of(node(label="API")), size_of(node(label="API", icon="lucide:server"))
    assert plain.icon == 0
    assert iconed.icon == 28
    assert iconed.height > plain.height
    assert iconed.label is not None
    assert iconed.height >= iconed.icon + iconed.label.height


def test_a_cloud_providers_icon_is_larger_and_has_no_box_round_it() -> None:
    free, boxed = size_of(node(icon="aws:lambda")), size_of(node(icon="aws:lambda", style=Style(fill=Color(9, 9, 9))))
    assert free.icon == boxed.icon == 48
    assert free.height < boxed.height


def test_an_unknown_icon_takes_no_room() -> None:
    assert size_of(node(label="API", icon="lucide:no-such-thing")) == size_of(node(label="API"))


def test_in_a_given_size_the_icon_takes_what_the_label_leaves() -> None:
    def icon_in(height: float) -> float:
        return size_of(node(label="API", icon="lucide:server", layout=sized(100, height))).icon

    assert LEAST_ICON < icon_in(48) < icon_in(52) < icon_in(400) == 32


def test_icon_and_label_that_do_not_fit_are_reported_together() -> None:
    sizes, rows = measured(node(label="API", icon="lucide:server", layout=sized(100, 30)))
    (row,) = rows
    label = sizes["n"].label
    assert label is not None
    assert sizes["n"].icon == LEAST_ICON
    assert row.data == {"requiredHeight": round(LEAST_ICON + ICON_GAP + label.height, 2), "availableHeight": 30}


def test_an_icon_that_is_all_that_is_seen_fills_the_box_that_it_is_given() -> None:
    bare, layout = Style(fill=Color(0, 0, 0, 0), stroke=Color(0, 0, 0, 0)), sized(330, 140)
    assert size_of(node(icon="lucide:server", shape="iconBox", style=bare, layout=layout)).icon == 140
    assert size_of(node(icon="lucide:server", layout=layout)).icon == 32
    assert size_of(node(icon="lucide:server", label="A", shape="iconBox", style=bare, layout=layout)).icon == 32


def test_an_icon_in_an_event_stands_in_the_circle() -> None:
    size = size_of(node(label="Play", node_type="workflow.start", icon="lucide:play"))
    assert (size.width, size.icon) == (36, 18)
    assert size.outset.bottom > 0


CLOUD_LABELS = ["API Gateway", "DynamoDB", "CloudFront distribution", "Bucket"]


@pytest.mark.parametrize("label", CLOUD_LABELS)
@pytest.mark.parametrize("side", [40, 48, 64, 80])
def test_in_a_square_that_nobody_sees_the_icon_fills_it_and_its_label_stands_below_in_whole_words(
    side: int, label: str
) -> None:
    size = size_of(node(label=label, icon="aws:lambda", layout=sized(side, side)))
    assert (size.width, size.height, size.icon) == (side, side, side)
    assert words_of(size) == label
    assert size.label is not None
    assert size.outset.bottom == pytest.approx(LABEL_BELOW_GAP + size.label.height)
    assert size.outset.left == size.outset.right == pytest.approx(max(0.0, (size.label.width - side) / 2))


@pytest.mark.parametrize("layout", [sized(48), sized(height=40), sized(10, 10), sized(30, 60)])
def test_a_box_that_nobody_sees_never_breaks_a_word_and_keeps_its_given_sides(layout: Layout) -> None:
    size = size_of(node(label="CloudFront distribution", icon="aws:cloudfront", layout=layout))
    assert words_of(size) == "CloudFront distribution"
    assert size.width == layout.width or layout.width is None
    assert size.height == layout.height or layout.height is None
    assert size.icon >= min(24.0, size.height + 8.0)


@pytest.mark.parametrize("label", ["Jobs", "Jenkins Master\nPod"])
def test_a_wide_box_that_nobody_sees_holds_icon_and_label(label: str) -> None:
    size = size_of(node(label=label, icon="gcp:kubernetes-engine", layout=sized(190, 60)))
    assert size.outset.bottom == 0
    assert size.icon >= 24


@given(st.text("Wil mn", min_size=1, max_size=40), st.sampled_from(["clean", "sketch", "blueprint"]))
@settings(deadline=None, max_examples=60)
def test_the_natural_size_of_a_cloud_icon_given_again_changes_nothing(label: str, theme: str) -> None:
    natural = size_of(node(label=label, icon="aws:lambda"), theme=theme)
    again = size_of(node(label=label, icon="aws:lambda", layout=sized(natural.width, natural.height)), theme=theme)
    assert (again.width, again.height, again.outset) == (natural.width, natural.height, natural.outset)
    if natural.label is not None:
        assert again.label is not None
        assert len(again.label.lines) <= len(natural.label.lines)


def test_a_low_wide_box_that_nobody_sees_keeps_its_label_inside_and_gets_a_small_icon() -> None:
    label = "Mobile Game Backend\n(Multiple Instances)\nApp Engine"
    size = size_of(node(label=label, icon="gcp:app-engine", layout=sized(150, 80)))
    assert size.outset.bottom == 0
    assert size.icon < 48
