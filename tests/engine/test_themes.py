"""The themes' own promises, and which one is chosen."""

from itertools import pairwise

import pytest

from scenograph.engine.colors import SEEN_CONTRAST, WHITE, contrast, hex_color, over
from scenograph.engine.families.catalog import NODE_KINDS
from scenograph.engine.themes import THEMES, Theme, choose_theme, page_background
from scenograph.scene.model import Canvas, Color, Palette, Scene

every_theme = pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES.keys())


def scene_on(background: Color | None, palette: Palette | None = None) -> Scene:
    return Scene(canvas=Canvas(background=background), palette=palette or Palette())


def test_backgrounds_and_fonts_are_the_documented_ones() -> None:
    rows = {name: (theme.background, theme.fonts.node.family) for name, theme in THEMES.items()}
    assert rows == {
        "clean": (hex_color("#ffffff"), "sans"),
        "dark": (hex_color("#1a1a22"), "sans"),
        "blueprint": (hex_color("#0d1b2a"), "mono"),
        "sketch": (hex_color("#1a1a22"), "hand"),
    }
    assert all(theme.fonts.edge.size == 12 for theme in THEMES.values())


@every_theme
def test_every_text_of_a_theme_can_be_read_on_its_grounds(theme: Theme) -> None:
    for tone in theme.tones.values():
        assert contrast(theme.text, tone.fill) >= 4.5
    for ground in (theme.background, *theme.container_fills):
        for text in (theme.title, theme.edge_text, theme.text, theme.muted):
            assert contrast(text, ground) >= 4.5


@every_theme
def test_every_line_of_a_theme_can_be_seen_on_its_grounds(theme: Theme) -> None:
    for ground in (theme.background, *theme.container_fills):
        assert contrast(theme.edge, ground) >= 3
        assert all(contrast(tone.stroke, ground) >= 2.4 for tone in theme.tones.values())
    strokes = (theme.lane_stroke, theme.guide, *(tone.stroke for tone in theme.tones.values()))
    assert all(contrast(stroke, theme.background) >= SEEN_CONTRAST for stroke in strokes)


@every_theme
def test_the_border_of_a_frame_can_be_seen_at_every_depth(theme: Theme) -> None:
    beneath = (theme.background, *theme.container_fills)
    for depth, stroke in enumerate(theme.container_strokes):
        assert contrast(stroke, beneath[depth]) >= SEEN_CONTRAST
        assert depth == 0 or contrast(stroke, theme.container_fills[depth]) >= SEEN_CONTRAST
    assert len(theme.container_strokes) == len(theme.container_fills)


@every_theme
def test_frames_of_neighbouring_depths_differ_and_go_one_way(theme: Theme) -> None:
    grounds = (theme.background, *theme.container_fills)
    steps = [sum(b[:3]) - sum(a[:3]) for a, b in pairwise(grounds)]
    assert all(step > 8 for step in steps) or all(step < -8 for step in steps)


@every_theme
def test_a_theme_has_a_tone_for_every_kind_of_node(theme: Theme) -> None:
    assert {kind.tone for kind in NODE_KINDS.values()} <= set(theme.tones)


@every_theme
def test_a_coloured_frame_stays_visible_under_the_veil(theme: Theme) -> None:
    assert 0 < theme.container_veil.alpha < 1
    assert over(theme.container_veil, hex_color("#dbeafe")) != hex_color("#dbeafe")


def test_a_theme_that_is_asked_for_is_used() -> None:
    assert choose_theme("blueprint", scene_on(None)).name == "blueprint"
    assert choose_theme("clean", scene_on(hex_color("#000000"))).name == "clean"


def test_a_dark_canvas_chooses_the_dark_theme_and_keeps_its_colour() -> None:
    scene = scene_on(hex_color("#101828"))
    theme = choose_theme(None, scene)
    assert theme.name == "dark"
    assert page_background(theme, scene) == hex_color("#101828")


@pytest.mark.parametrize("background", [None, WHITE, Color(0, 0, 0, 0), Color(0, 0, 0, 0.2)])
def test_no_other_canvas_does(background: Color | None) -> None:
    assert choose_theme(None, scene_on(background)).name == "clean"
    assert choose_theme("unheard-of", scene_on(background)).name == "clean"


@pytest.mark.parametrize(
    ("background", "chosen"),
    [
        (Color(102, 102, 102), "clean"),  # a perceived luminance of exactly 102
        (Color(102, 102, 101), "dark"),  # 101.886
        (Color(101, 102, 104), "dark"),  # 101.929
        (Color(103, 101, 105), "clean"),  # 102.054
        (Color(255, 43, 5), "clean"),  # 102.056: red counts by 0.299, not by a third
        (Color(255, 43, 4), "dark"),  # 101.942
        (Color(0, 0, 255), "dark"),  # blue counts by 0.114
        (Color(0, 174, 0), "clean"),  # green by 0.587
        (Color(0, 173, 0), "dark"),
        (Color(0, 0, 0, 0.6), "clean"),  # on white: 102
        (Color(0, 0, 0, 0.61), "dark"),
        (Color(0, 0, 0, 0.0), "clean"),
    ],
)
def test_dark_is_chosen_below_a_perceived_luminance_of_102(background: Color, chosen: str) -> None:
    assert choose_theme(None, scene_on(background)).name == chosen
    assert choose_theme("clean", scene_on(background)).name == "clean"


def test_backgrounds_follow_the_documented_order() -> None:
    canvas, palette = hex_color("#fef3c7"), hex_color("#ecfeff")
    both, only_palette = scene_on(canvas, Palette(background=palette)), scene_on(None, Palette(background=palette))
    assert page_background(choose_theme(None, both), both) == canvas
    assert page_background(choose_theme("clean", both), both) == canvas
    assert page_background(choose_theme("clean", only_palette), only_palette) == palette
    assert page_background(choose_theme("dark", both), both) == palette
    assert page_background(choose_theme("dark", scene_on(canvas)), scene_on(canvas)) == hex_color("#1a1a22")
    assert page_background(choose_theme(None, scene_on(None)), scene_on(None)) == WHITE
