"""Styles finished: who wins, and what can be read."""

import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenograph.diagnostics import Report
from scenograph.engine import style
from scenograph.engine.colors import WHITE, contrast, hex_color, over, toward
from scenograph.engine.families.faces import GROUP_COLORS
from scenograph.engine.icons import find
from scenograph.engine.resolve import resolve
from scenograph.engine.style import finish_styles
from scenograph.engine.tables import Styles
from scenograph.engine.themes import THEMES, choose_theme
from scenograph.scene.memo import Latest
from scenograph.scene.model import (
    Canvas,
    Color,
    Edge,
    Endpoint,
    Frame,
    Group,
    Guide,
    Image,
    Node,
    Palette,
    Scene,
    Style,
    Text,
)

RED, NAVY, CREAM, TRANSPARENT = hex_color("#dc2626"), hex_color("#1e3a8a"), hex_color("#fef9c3"), Color(0, 0, 0, 0)


def node(name: str = "n", **members: Any) -> Node:
    return Node(id=name, kind="node", **members)


def frame(name: str, *children: str, **members: Any) -> Frame:
    return Frame(id=name, kind="frame", children=children, **members)


def finished(*elements: Any, theme: str | None = None, **members: Any) -> Styles:
    scene = resolve(Scene(elements=elements, **members), Report())
    return finish_styles(scene, choose_theme(theme, scene))


def test_inline_beats_palette_beats_theme() -> None:
    palette = Palette(node_fill=CREAM, node_stroke=NAVY)
    styles = finished(node("a", style=Style(fill=RED)), node("b"), palette=palette)
    assert (styles.of["a"].fill, styles.of["a"].stroke) == (RED, NAVY)
    assert (styles.of["b"].fill, styles.of["b"].stroke) == (CREAM, NAVY)
    plain = finished(node("c")).of["c"]
    assert (plain.fill, plain.stroke) == (WHITE, THEMES["clean"].tones["node"].stroke)


def test_a_named_style_counts_as_the_elements_own_and_a_missing_one_as_none() -> None:
    styles = finished(node("a", style_id="hot"), node("b", style_id="gone"), styles={"hot": Style(fill=RED)})
    assert styles.of["a"].fill == RED
    assert styles.of["b"].fill == WHITE


def test_every_palette_key_reaches_its_place() -> None:
    names = (
        *("background", "foreground", "node_fill", "node_stroke", "edge_stroke", "container_fill"),
        *("container_stroke", "accent_primary", "accent_secondary", "muted_foreground"),
    )
    palette = Palette(**{name: Color(i, i, i) for i, name in enumerate(names)})
    styles = finished(
        node("n", style=Style(fill=WHITE)),
        frame("f"),
        Edge(id="e", kind="edge", source=Endpoint(element_id="n"), target=Endpoint(element_id="f")),
        Guide(id="g", kind="guide"),
        palette=palette,
    )
    values = (
        styles.background,
        styles.of["n"].text_color,
        finished(node(), palette=palette).of["n"].fill,
        styles.of["n"].stroke,
        styles.of["e"].stroke,
        styles.of["f"].fill,
        styles.of["f"].stroke,
        styles.of["n"].accent_color,
        styles.of["g"].stroke,
        styles.of["n"].muted_color,
    )
    assert values == tuple(Color(i, i, i) for i in range(len(names)))


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("fill", ["#1e3a8a", "#fef9c3", "#808080", "#dc2626"])
def test_text_on_a_customised_fill_can_be_read(theme: str, fill: str) -> None:
    color = hex_color(fill)
    by_style = finished(node(style=Style(fill=color)), theme=theme).of["n"]
    by_palette = finished(node(), theme=theme, palette=Palette(node_fill=color)).of["n"]
    assert contrast(by_style.text_color, color) >= 4.5
    assert contrast(by_palette.text_color, color) >= 4.5


def test_an_authors_text_colour_stays_whatever_the_ground() -> None:
    assert finished(node(style=Style(fill=RED, text_color=RED))).of["n"].text_color == RED


def test_a_palettes_text_colour_stays_while_no_fill_is_customised() -> None:
    pale = hex_color("#cccccc")
    assert finished(node(), palette=Palette(foreground=pale)).of["n"].text_color == pale
    customised = finished(node(style=Style(fill=WHITE)), palette=Palette(foreground=pale)).of["n"]
    assert contrast(customised.text_color, WHITE) >= 4.5


def test_titles_and_labels_are_read_on_the_frame_they_stand_on() -> None:
    dark = frame("f", "t", "s", style=Style(fill=NAVY))
    styles = finished(dark, Text(id="t", kind="text", content="hello"), node("s", node_type="workflow.start"))
    for name in ("f", "t", "s"):
        assert contrast(styles.of[name].text_color, NAVY) >= 4.5


def test_a_translucent_fill_is_read_over_what_lies_beneath() -> None:
    half = Color(0, 0, 0, 0.5)
    style = finished(node(style=Style(fill=half)), canvas=Canvas(background=hex_color("#222222"))).of["n"]
    assert contrast(style.text_color, over(half, hex_color("#222222"))) >= 4.5


def test_an_edge_label_is_read_on_its_plate() -> None:
    edge = Edge(
        id="e",
        kind="edge",
        source=Endpoint(element_id="n"),
        target=Endpoint(element_id="n"),
        style=Style(label_background=NAVY),
    )
    style = finished(node(), edge).of["e"]
    assert contrast(style.text_color, NAVY) >= 4.5
    assert style.label_background == NAVY


def test_dashes_belong_to_edge_types_container_types_and_node_types() -> None:
    ends = {"source": Endpoint(element_id="x"), "target": Endpoint(element_id="x")}
    styles = finished(
        node("x", node_type="org.vacant"),
        Edge(id="m", kind="edge", edge_type="workflow.messageFlow", **ends),
        Edge(id="s", kind="edge", edge_type="workflow.messageFlow", style=Style(dash=()), **ends),
        frame("generic"),
        frame("pool", container_type="pool"),
        frame("lane", container_type="lane"),
    )
    assert styles.of["m"].dash == (8, 4)
    assert styles.of["s"].dash == styles.of["pool"].dash == styles.of["lane"].dash == ()
    assert styles.of["generic"].dash
    assert styles.of["x"].dash


def test_a_text_on_a_coloured_frame_gets_no_outline() -> None:
    styles = finished(frame("f", "t", style=Style(fill=NAVY)), Text(id="t", kind="text", content="a text"))
    assert styles.of["t"].stroke.alpha == 0


def test_nested_frames_get_grounds_of_their_own() -> None:
    styles = finished(frame("a", "b"), frame("b", "c"), frame("c"))
    assert len({styles.of[name].fill for name in "abc"}) == 3


def test_a_white_frame_in_a_coloured_one_loses_its_fill_and_keeps_its_stroke() -> None:
    white = Style(fill=WHITE, stroke=NAVY)
    styles = finished(
        frame("a", "b", style=Style(fill=CREAM)),
        frame("b", "c", style=Style(fill=TRANSPARENT)),
        frame("c", "d", style=white),
        Group(id="d", kind="group", style=white),
    )
    for name in "cd":
        assert styles.of[name].fill.alpha == 0
        assert styles.of[name].stroke == NAVY


def test_white_frames_elsewhere_keep_their_fill() -> None:
    half_white = Color(255, 255, 255, 0.5)
    styles = finished(
        frame("top", "in", style=Style(fill=WHITE)),
        frame("in", style=Style(fill=WHITE)),
        frame("clear", "under", style=Style(fill=TRANSPARENT)),
        frame("under", style=Style(fill=WHITE)),
        frame("coloured", "half", style=Style(fill=CREAM)),
        frame("half", style=Style(fill=half_white)),
    )
    assert all(styles.of[name].fill == WHITE for name in ("top", "in", "under"))
    assert styles.of["half"].fill == half_white


def test_a_start_event_is_filled_with_its_line_and_an_end_event_is_bold() -> None:
    styles = finished(
        node("s", node_type="workflow.start"),
        node("r", node_type="workflow.start", style=Style(stroke=RED)),
        node("e", node_type="workflow.end"),
    )
    assert styles.of["s"].fill == styles.of["s"].stroke
    assert styles.of["r"].fill == RED
    assert styles.of["e"].stroke_width >= 3


def test_a_text_box_has_no_outline_until_it_is_given_one() -> None:
    styles = finished(
        node("plain", shape="textBox"),
        node("lined", shape="textBox", style=Style(stroke=RED)),
        node("person", node_type="user", style=Style(stroke=RED)),
    )
    assert (styles.of["plain"].fill.alpha, styles.of["plain"].stroke_width) == (0, 0)
    assert styles.of["lined"].stroke_width > 0
    assert (styles.of["person"].stroke, styles.of["person"].stroke_width) == (RED, 0)


@pytest.mark.parametrize(
    ("asked", "family"),
    [
        ("Helvetica, Arial, sans-serif", "sans"),
        ("'JetBrains Mono', monospace", "mono"),
        ("Courier New", "mono"),
        ("Comic Sans MS", "hand"),
        ("Kalam", "hand"),
        ("Georgia, serif", "sans"),
        ("", "sans"),
    ],
)
def test_font_names_become_embedded_families(asked: str, family: str) -> None:
    style = Style(font_family=asked, font_size=20, font_weight=700)
    assert finished(node(style=style)).of["n"].font == (family, 20, 700, False)


def test_without_a_font_the_themes_is_used() -> None:
    assert finished(node(), theme="blueprint").of["n"].font.family == "mono"
    assert finished(node(), theme="sketch").of["n"].font.family == "hand"


def test_frames_that_hold_each_other_are_finished_all_the_same() -> None:
    assert set(finished(frame("a", "b"), frame("b", "a"), frame("c", "c")).of) == {"a", "b", "c"}


maybe_color = st.none() | st.builds(Color, *[st.integers(0, 255).map(float)] * 3, st.sampled_from([0.0, 0.5, 1.0]))
some_style = st.none() | st.builds(
    Style, fill=maybe_color, stroke=maybe_color, stroke_width=st.none() | st.floats(0, 9), text_color=st.none()
)
names = st.sampled_from("abcdef")
some_elements = st.one_of(
    st.builds(
        Node, id=names, kind=st.just("node"), style=some_style, node_type=st.sampled_from(["user", "cache", "x"])
    ),
    st.builds(
        Frame, id=names, kind=st.just("frame"), style=some_style, children=st.lists(names, max_size=3).map(tuple)
    ),
    st.builds(
        Group, id=names, kind=st.just("group"), style=some_style, children=st.lists(names, max_size=2).map(tuple)
    ),
    st.builds(Text, id=names, kind=st.just("text"), style=some_style),
    st.builds(Image, id=names, kind=st.just("image"), style=some_style),
)


@given(
    st.lists(some_elements, max_size=8, unique_by=lambda element: element.id),
    st.sampled_from([*THEMES, None]),
    st.builds(Palette, node_fill=maybe_color, container_fill=maybe_color, background=maybe_color),
    maybe_color,
)
@settings(deadline=None, max_examples=150)
def test_nothing_is_left_unset_in_any_scene(
    elements: list[Any], theme: str | None, palette: Palette, background: Color | None
) -> None:
    styles = finished(*elements, theme=theme, palette=palette, canvas=Canvas(background=background))
    assert set(styles.of) == {element.id for element in elements}
    for element in elements:
        style = styles.of[element.id]
        assert None not in (getattr(style, name) for name in style.__slots__)
        if isinstance(element, Node) and element.style and element.style.fill and element.node_type != "user":
            fill = element.style.fill
            if fill.alpha == 1:
                assert contrast(style.text_color, fill) >= 4.5


GREY = hex_color("#888888")


FAMILIES = ("architecture", "sequence", "orgchart")


def styled(family: str, page: Color | None, fill: Color | None) -> Styles:
    """Pages and frames have the theme's grounds, or the same or others chosen by an author."""
    inner = None if fill is None else Style(fill=WHITE)
    return finished(
        frame("f", "g", style=Style(fill=fill)),
        frame("g", "b", style=inner),
        node("a"),
        node("b"),
        Edge(id="e", kind="edge", source=Endpoint(element_id="a"), target=Endpoint(element_id="b")),
        diagram_family=family,
        canvas=Canvas(background=page),
    )


def test_a_scene_is_styled_alike_whatever_was_styled_before(monkeypatch: pytest.MonkeyPatch) -> None:
    scenes = list(itertools.product(FAMILIES, (None, GREY, WHITE), (None, WHITE, RED, NAVY)))
    after_others = {scene: styled(*scene) for scene in scenes}
    for scene in scenes:
        nothing: Latest[Any, Any] = Latest(8)
        monkeypatch.setattr(style, "_CASES", nothing)
        assert styled(*scene) == after_others[scene], scene


def alone(monkeypatch: pytest.MonkeyPatch, *elements: Any, **members: Any) -> Styles:
    """The styles of a scene as if no other had been styled."""
    nothing: Latest[Any, Any] = Latest(8)
    with monkeypatch.context() as forgetful:
        forgetful.setattr(style, "_CASES", nothing)
        return finished(*elements, **members)


LIGHT = THEMES["clean"].frame_fill(0)
ROOMS: dict[str, tuple[tuple[Any, ...], tuple[Any, ...], dict[str, Any]]] = {
    "one deeper than another": (
        (frame("f", "g", style=Style(fill=WHITE)), frame("g", "h", style=Style(fill=WHITE)), frame("h")),
        (frame("i", "h", style=Style(fill=WHITE)), frame("h")),
        {},
    ),
    "one whose colour an author chose": (
        (node("h"),),
        (Group(id="g", kind="group", children=("h",), style=Style(fill=WHITE)), node("h")),
        {"palette": Palette(foreground=CREAM)},
    ),
    "one in a frame that an author coloured": (
        (frame("f", "h"), frame("h")),
        (frame("f", "h", style=Style(fill=LIGHT)), frame("h")),
        {"canvas": Canvas(background=GREY)},
    ),
}


@pytest.mark.parametrize("what", ROOMS)
def test_rooms_of_one_colour_are_told_apart(monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    first, second, members = ROOMS[what]
    one, other = (alone(monkeypatch, *elements, **members).of["h"] for elements in (first, second))
    assert one != other
    nothing: Latest[Any, Any] = Latest(8)
    monkeypatch.setattr(style, "_CASES", nothing)
    assert [finished(*elements, **members).of["h"] for elements in (first, second)] == [one, other]


def test_outermost_frames_differ_in_hue_and_frames_inside_keep_it_a_step_deeper() -> None:
    styles = finished(frame("a", "inner"), frame("inner", "deep"), frame("deep"), frame("b", "other"), frame("other"))
    clean = THEMES["clean"]
    fills = {name: styles.of[name].fill for name in ("a", "inner", "deep", "b", "other")}
    assert fills == {
        "a": clean.frame_fill(0, 0),
        "inner": clean.frame_fill(1, 0),
        "deep": clean.frame_fill(2, 0),
        "b": clean.frame_fill(0, 1),
        "other": clean.frame_fill(1, 1),
    }
    assert styles.of["a"].stroke == styles.of["deep"].stroke != styles.of["b"].stroke


def test_what_a_notation_draws_alike_has_one_hue() -> None:
    names = ("one", "two")
    activities = finished(*(frame(name, container_type="subprocess") for name in names))
    assert activities.of["one"] == activities.of["two"]
    grouped = finished(Group(id="g", kind="group", children=("f",)), frame("e"), frame("f"))
    assert grouped.of["f"].fill == THEMES["clean"].frame_fill(0, 1)


BLACK_LINE = Style(stroke=hex_color("#000000"))


@pytest.mark.parametrize(
    "element",
    [
        node("x", label="words", style=Style(text_color=NAVY)),
        frame("x", title="words", style=Style(text_color=NAVY)),
        Text(id="x", kind="text", content="words", style=Style(text_color=NAVY)),
        Edge(id="x", kind="edge", source=Endpoint(element_id="a"), target=Endpoint(element_id="b"), style=BLACK_LINE),
        node("x", style=BLACK_LINE),
        frame("x", style=BLACK_LINE),
    ],
)
def test_authored_colours_that_are_hard_to_see_are_named(element: Any) -> None:
    assert finished(node("a"), node("b"), element, theme="dark").faint == ("x",)
    assert finished(node("a"), node("b"), element, theme="clean").faint == ()


@pytest.mark.parametrize(
    "style",
    [
        Style(text_color=NAVY, fill=CREAM),
        Style(stroke=hex_color("#000000"), fill=CREAM),
        Style(stroke=TRANSPARENT),
        Style(stroke=hex_color("#000000"), stroke_width=0.0),
    ],
)
def test_what_stands_out_or_is_not_drawn_is_not_named(style: Style) -> None:
    assert finished(node("x", label="words", style=style), theme="dark").faint == ()


def test_letters_that_no_element_has_are_not_named() -> None:
    assert finished(node("x", style=Style(text_color=NAVY)), theme="dark").faint == ()


def test_only_what_the_theme_filled_is_hatched_by_hand() -> None:
    store = node("n", node_type="database")
    assert finished(store, theme="sketch").of["n"].hatched
    assert not finished(store, theme="dark").of["n"].hatched
    assert not finished(node("n", node_type="service"), theme="sketch").of["n"].hatched
    assert not finished(node("n", node_type="database", style=Style(fill=NAVY)), theme="sketch").of["n"].hatched
    assert not finished(store, theme="sketch", palette=Palette(node_fill=NAVY)).of["n"].hatched


def test_a_frame_with_the_icon_of_a_cloud_group_takes_the_vendors_colour() -> None:
    vpc, purple = frame("f", icon="aws:vpc"), hex_color("#8c4fff")
    styled = finished(vpc).of["f"]
    assert styled.stroke == purple
    assert styled.text_color == toward(purple, THEMES["clean"].text, (styled.fill,), 4.5)
    assert max(abs(a - b) for a, b in zip(styled.text_color[:3], purple[:3], strict=True)) < 16  # still purple
    assert styled.fill not in {WHITE, purple, THEMES["clean"].frame_fill(0)}
    plain = finished(frame("f", icon="lucide:server"), frame("g")).of
    assert plain["f"].stroke == THEMES["clean"].frame_stroke(0)
    own = finished(frame("f", icon="aws:vpc", style=Style(stroke=RED, fill=NAVY, text_color=WHITE))).of["f"]
    assert (own.stroke, own.fill, own.text_color) == (RED, NAVY, WHITE)
    palette = Palette(container_stroke=RED, container_fill=CREAM)
    assert finished(vpc, palette=palette).of["f"].stroke == RED


@pytest.mark.parametrize("theme", THEMES)
def test_the_colours_of_cloud_groups_can_be_read_and_seen(theme: str) -> None:
    for key in GROUP_COLORS:
        styles = finished(frame("outer", "f"), frame("f", icon=key), theme=theme)
        style, beneath = styles.of["f"], styles.of["outer"].fill
        assert contrast(style.text_color, style.fill) >= 4.5
        assert min(contrast(style.stroke, ground) for ground in (style.fill, beneath)) >= 3


def test_every_icon_of_a_cloud_group_is_in_the_registry() -> None:
    assert [key for key in GROUP_COLORS if (icon := find(key)) is None or icon.key != key] == []
