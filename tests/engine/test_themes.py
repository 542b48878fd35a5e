"""The themes' own promises, and which one is chosen."""

from collections.abc import Iterator
from itertools import product

import pytest
from list_contrasts import PAGE, contrasts, page

from scenograph.diagnostics import Report
from scenograph.engine.colors import READABLE_CONTRAST, SEEN_CONTRAST, WHITE, contrast, hex_color, over
from scenograph.engine.families.catalog import NODE_KINDS, node_kind
from scenograph.engine.pipeline import lay_out
from scenograph.engine.resolve import resolve
from scenograph.engine.style import finish_styles
from scenograph.engine.themes import THEMES, Theme, choose_theme, page_background
from scenograph.scene.model import Canvas, Color, Palette, Scene
from scenograph.scene.reading import read_scene

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
    sizes = {name: (theme.fonts.node.size, theme.fonts.title.size) for name, theme in THEMES.items()}
    assert sizes == {"clean": (14, 14), "dark": (14, 14), "blueprint": (13, 14), "sketch": (17, 16)}
    assert {name: theme.fonts.edge.size for name, theme in THEMES.items() if name != "sketch"} == {
        "clean": 12,
        "dark": 12,
        "blueprint": 12,
    }
    assert all(theme.fonts.title.weight == 600 for theme in THEMES.values())


def frame_grounds(theme: Theme) -> Iterator[Color]:
    """The grounds of frames of every hue and depth."""
    for hue, depth in product(range(len(theme.frame_hues)), range(len(theme.frame_steps))):
        yield theme.frame_fill(depth, hue)


@every_theme
@pytest.mark.parametrize("children", [(), tuple(NODE_KINDS)], ids=["page", "frame"])
def test_every_kind_can_be_read_and_seen_on_every_ground(theme: Theme, children: tuple[str, ...]) -> None:
    kinds = [{"id": name, "kind": "node", "nodeType": name, "label": name} for name in NODE_KINDS]
    frame = {"id": "f", "kind": "frame", "title": "F", "children": [*children]}
    styles = finish_styles(resolve(read_scene({"elements": [*kinds, frame]}, Report()), Report()), theme)
    beneath = theme.frame_fill(0) if children else theme.background
    for name, kind in NODE_KINDS.items():
        style = styles.of[name]
        fill = over(style.fill, beneath)
        ground = beneath if kind.label_below else fill
        assert contrast(style.text_color, ground) >= READABLE_CONTRAST, name
        assert contrast(style.muted_color, ground) >= READABLE_CONTRAST, name
        assert style.fill == style.stroke or contrast(style.stroke, fill) >= SEEN_CONTRAST, name
        for round_it in (theme.background, *frame_grounds(theme)):
            assert contrast(style.stroke, round_it) >= SEEN_CONTRAST, name


@every_theme
def test_every_text_and_line_can_be_seen_on_every_ground(theme: Theme) -> None:
    for ground in (theme.background, *frame_grounds(theme)):
        assert all(contrast(text, ground) >= READABLE_CONTRAST for text in (theme.title, theme.edge_text, theme.text))
        assert contrast(theme.muted, ground) >= READABLE_CONTRAST
        assert all(contrast(line, ground) >= SEEN_CONTRAST for line in (theme.edge, theme.lane_stroke, theme.guide))


def test_the_page_of_contrasts_is_up_to_date() -> None:
    assert PAGE.read_text("utf-8") == page(), "run scripts/list_contrasts.py"


@every_theme
def test_every_contrast_of_the_page_is_readable(theme: Theme) -> None:
    for tone, row in contrasts(theme).items():
        assert min(row.text, row.muted) >= READABLE_CONTRAST, tone
        assert min(row.line, row.ground) >= SEEN_CONTRAST, tone


@every_theme
def test_the_border_of_a_frame_can_be_seen_at_every_depth(theme: Theme) -> None:
    for hue in range(len(theme.frame_hues)):
        grounds = [theme.background, *(theme.frame_fill(depth, hue) for depth in range(len(theme.frame_steps)))]
        assert all(contrast(theme.frame_stroke(hue), ground) >= SEEN_CONTRAST for ground in grounds)


@every_theme
def test_frames_get_deeper_step_by_step_in_the_hue_of_the_outermost(theme: Theme) -> None:
    for hue in range(len(theme.frame_hues)):
        grounds = [theme.background, *(theme.frame_fill(depth, hue) for depth in range(len(theme.frame_steps)))]
        away = [contrast(ground, theme.background) for ground in grounds]
        assert away == sorted(set(away))
    assert len({theme.frame_fill(1, hue) for hue in range(len(theme.frame_hues))}) == len(theme.frame_hues) >= 5


@every_theme
def test_lines_have_less_weight_than_boxes(theme: Theme) -> None:
    assert theme.node_stroke_width == 1.5 > theme.edge_stroke_width
    strongest = contrast(theme.tones["node"].stroke, theme.background)
    assert contrast(theme.edge, theme.background) < strongest


@every_theme
def test_kinds_that_differ_have_tones_that_differ(theme: Theme) -> None:
    names = ("node", "people", "gateway", "queue", "data", "decision", "start", "end", "external")
    assert len({theme.tones[name].fill for name in names}) == len(names)
    assert len({theme.tones[name].stroke for name in names}) == len(names)


def test_only_frames_and_what_a_notation_dashes_are_dashed() -> None:
    dashed = {name for name, kind in NODE_KINDS.items() if kind.dash}
    assert dashed == {"workflow.eventSubprocess", "org.vacant"}


def test_services_and_plain_nodes_stay_white_with_a_dark_line() -> None:
    tone = THEMES["clean"].tones["node"]
    assert tone.fill == WHITE
    assert contrast(tone.stroke, WHITE) > 7
    assert {node_kind(name).tone for name in (None, "service", "component", "function", "workflow.task")} == {"node"}


@pytest.mark.parametrize(
    ("tone", "names"),
    [
        ("people", "client user actor network.client sequence.actor"),
        ("gateway", "gateway loadBalancer network.loadBalancer network.firewall network.router"),
        ("queue", "queue topic"),
        ("data", "database storage bucket cache network.database"),
        ("decision", "workflow.decision workflow.gateway uiflow.decision state.choice"),
        ("start", "workflow.start workflow.messageStart uiflow.entry state.initial"),
        ("end", "workflow.end workflow.errorEnd workflow.terminate uiflow.exit state.final"),
        ("table", "er.entity uml.class uml.interface uml.enum"),
    ],
)
def test_kinds_of_one_sort_share_a_tone(tone: str, names: str) -> None:
    assert {node_kind(name).tone for name in names.split()} == {tone}


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


def test_colours_that_are_hard_to_see_in_a_theme_are_told_at_once_for_all_elements() -> None:
    ends = {"from": {"elementId": "n0"}, "to": {"elementId": "n1"}}
    nodes = [{"id": f"n{number}", "kind": "node", "style": {"stroke": "#000"}} for number in range(2)]
    edge = {"id": "e", "kind": "edge", "style": {"stroke": "#008"}, **ends}
    scene = {"id": "s", "units": "px", "canvas": {}}
    document = {"schemaVersion": "0.1", "scene": scene, "elements": [*nodes, edge]}
    rows = {
        theme: [row for row in lay_out(document, theme=theme).diagnostics if row.code == "COLOR_TOO_FAINT"]
        for theme in ("clean", "dark")
    }
    assert rows["clean"] == []
    (row,) = rows["dark"]
    assert (row.path, row.data) == ("/elements", {"theme": "dark", "elementIds": ["n0", "n1", "e"]})
    assert "3 element(s)" in row.message
