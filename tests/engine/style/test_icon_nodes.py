"""Nodes with icons: which keep their box (R-ICON-3, R-ICON-4, R-ICON-5)."""

import pytest

from scenograph.diagnostics import Report
from scenograph.engine.resolve import resolve
from scenograph.engine.style import finish_styles
from scenograph.engine.tables import FinishedStyle
from scenograph.engine.themes import THEMES, choose_theme
from scenograph.scene.colors import parse_color
from scenograph.scene.model import Color, Node, Palette, Scene, Style
from scenograph.scene.vocabulary import SHAPES

RED, WHITE = Color(220.0, 38.0, 38.0), Color(255.0, 255.0, 255.0)


def styled(
    icon: str, fill: str | None = None, stroke: Color | None = None, palette: Palette | None = None
) -> FinishedStyle:
    color = parse_color(fill) if fill else None
    style = Style(fill=color, stroke=stroke, stroke_width=4.0 if stroke else None)
    node = Node(id="n", kind="node", icon=icon, style=style)
    scene = resolve(Scene(elements=(node,), palette=palette or Palette()), Report())
    return finish_styles(scene, choose_theme(None, scene)).of["n"]


def has_box(style: FinishedStyle) -> bool:
    return style.fill.alpha > 0 or (style.stroke.alpha > 0 and style.stroke_width > 0)


@pytest.mark.parametrize("icon", ["aws:lambda", "gcp:bigquery", "azure:functions", "AWS:Lambda"])
def test_a_cloud_providers_icon_has_no_box(icon: str) -> None:
    assert not has_box(styled(icon))
    assert not has_box(styled(icon, palette=Palette(node_fill=RED)))


@pytest.mark.parametrize("shape", [None, *SHAPES])
def test_the_shape_of_a_cloud_icon_counts_only_where_its_box_is_seen(shape: str | None) -> None:
    def resolved_shape(style: Style | None, style_id: str | None = None) -> str | None:
        node = Node(id="n", kind="node", icon="aws:lambda", shape=shape, style=style, style_id=style_id)
        scene = Scene(elements=(node,), styles={"filled": Style(fill=RED), "white": Style(fill=WHITE)})
        (element,) = resolve(scene, Report()).elements
        assert isinstance(element, Node)
        return element.shape

    assert resolved_shape(None) == resolved_shape(Style(fill=WHITE)) == resolved_shape(None, "white") == "iconBox"
    assert resolved_shape(Style(fill=RED)) == resolved_shape(None, "filled") == (shape or "iconBox")


@pytest.mark.parametrize(
    "fill", ["#ffffff", "#fff", "white", "rgb(255, 255, 255)", "rgba(255, 255, 255, 1)", "rgba(255, 255, 255, 0)"]
)
def test_a_default_equivalent_fill_counts_as_none_and_takes_the_line_along(fill: str) -> None:
    assert not has_box(styled("aws:lambda", fill, RED))


def test_translucent_white_is_kept() -> None:
    style = styled("aws:lambda", "rgba(255, 255, 255, 0.5)", RED)
    assert style.fill == Color(255, 255, 255, 0.5)
    assert (style.stroke, style.stroke_width) == (RED, 4)


def test_another_fill_brings_the_box_back_with_the_themes_line() -> None:
    style = styled("aws:lambda", "#fef3c7")
    assert style.fill == Color(254, 243, 199)
    assert (style.stroke, style.stroke_width) == (THEMES["clean"].tones["node"].stroke, 1.5)


@pytest.mark.parametrize("fill", ["none", "transparent"])
def test_a_see_through_fill_with_a_line_is_an_outlined_box(fill: str) -> None:
    outlined = styled("aws:lambda", fill, RED)
    assert (outlined.fill.alpha, outlined.stroke, outlined.stroke_width) == (0, RED, 4)
    assert not has_box(styled("aws:lambda", fill))


@pytest.mark.parametrize("icon", ["lucide:server", "k8s:pod", "simple:postgresql"])
def test_other_icons_keep_their_box(icon: str) -> None:
    assert has_box(styled(icon))
    assert styled(icon, "#ffffff", RED).stroke == RED


def test_an_unknown_icon_leaves_the_node_as_it_is() -> None:
    assert has_box(styled("aws:no-such-service-at-all-xyz"))


def test_an_icon_gives_a_bare_type_a_box_and_takes_the_place_of_its_figure() -> None:
    scene = resolve(Scene(elements=(Node(id="n", kind="node", node_type="user", icon="lucide:user"),)), Report())
    (node,) = scene.elements
    assert isinstance(node, Node)
    assert node.shape == "iconBox"
    assert has_box(finish_styles(scene, THEMES["clean"]).of["n"])
