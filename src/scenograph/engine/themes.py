"""THEMES: the default look of pictures. A theme is values only; `style` applies them.

(R-THEME-1, R-THEME-3)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from scenograph.engine.colors import WHITE, hex_color, is_dark, mix
from scenograph.engine.text.blocks import Font
from scenograph.late_dataclasses import dataclass, replace
from scenograph.scene.model import Color, Scene

DEFAULT_THEME = "clean"
_AUTOMATIC_THEME = "dark"


class Tone(NamedTuple):
    """Fill and line of a group of node types."""

    fill: Color
    stroke: Color


class Fonts(NamedTuple):
    """The fonts of node labels, edge labels, titles of containers, and free text."""

    node: Font
    edge: Font
    title: Font
    text: Font


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """A row of THEMES.

    `tones` has one pair for each tone of `NodeKind`; the fill of a tone in `hatched` is hatched by the pen.
    `frame_hues` colour the outermost frames in turn: the border of a frame and of all frames inside has the hue, the
    ground `frame_steps` of the hue on the background, by nesting depth, the last for all deeper frames;
    `container_veil` lies on a frame coloured by the author. `inks` are tried when the text colour is illegible on a
    ground. `open_heads`: the filled heads of lines are drawn open. `keeps_canvas`: the author's canvas background wins
    over the theme's.
    """

    name: str
    background: Color
    text: Color
    muted: Color
    inks: tuple[Color, ...]
    tones: Mapping[str, Tone]
    edge: Color
    edge_text: Color
    frame_hues: tuple[Color, ...]
    frame_steps: tuple[float, ...]
    container_veil: Color
    lane_stroke: Color
    title: Color
    accent: Color
    guide: Color
    fonts: Fonts
    node_stroke_width: float = 1.5
    edge_stroke_width: float = 1.25
    container_stroke_width: float = 1.0
    corner_radius: float = 8.0
    container_radius: float = 10.0
    hand_drawn: bool = False
    open_heads: bool = False
    hatched: frozenset[str] = frozenset()
    keeps_canvas: bool = False

    def without_tones(self) -> Theme:
        """The theme with plain nodes and frames of one hue: for pictures in which colour means something else."""
        plain = dict.fromkeys(self.tones, self.tones["node"])
        return replace(self, tones=plain, frame_hues=self.frame_hues[:1])

    def frame_stroke(self, hue: int = 0) -> Color:
        """The border of a frame below the outermost frame number `hue`."""
        return self.frame_hues[hue % len(self.frame_hues)]

    def frame_fill(self, depth: int, hue: int = 0) -> Color:
        """The ground of a frame inside `depth` frames."""
        step = self.frame_steps[min(depth, len(self.frame_steps) - 1)]
        return mix(self.background, self.frame_stroke(hue), step)


def _fonts(family: str, node: float = 14.0, edge: float = 12.0, title: float = 14.0, text: float = 14.0) -> Fonts:
    """Handwriting is larger than print, to look as large (R-LABEL-3)."""
    return Fonts(
        node=Font(family, node, 500),
        edge=Font(family, edge, 400),
        title=Font(family, title, 600),
        text=Font(family, text, 400),
    )


def _hues(*colors: str) -> tuple[Color, ...]:
    return tuple(map(hex_color, colors))


def _tones(**pairs: str) -> Mapping[str, Tone]:
    """Tones from `fill stroke` in hexadecimal."""
    return {name: Tone(*map(hex_color, pair.split())) for name, pair in pairs.items()}


CLEAN = Theme(
    name="clean",
    background=WHITE,
    text=hex_color("#1e293b"),
    muted=hex_color("#526074"),
    inks=(hex_color("#1e293b"), WHITE),
    tones=_tones(
        node="#ffffff #475569",
        people="#f4f0fd #6b5aa8",
        gateway="#e7f5f2 #2a766d",
        queue="#fcedf4 #a04574",
        data="#eaf1fd #3d64a8",
        decision="#fdf3de #8f6219",
        start="#e7f5ea #357347",
        end="#fbecea #a2483f",
        external="#f1f3f6 #68758a",
        note="#fef8d4 #8c7025",
        table="#ffffff #3d64a8",
        head="#e8effb #3d64a8",
    ),
    edge=hex_color("#66748a"),
    edge_text=hex_color("#3b4758"),
    frame_hues=_hues("#5c7399", "#527c67", "#75689c", "#806c3d", "#985d71", "#477b82"),
    frame_steps=(0.05, 0.1, 0.15, 0.2),
    container_veil=Color(255.0, 255.0, 255.0, 0.4),
    lane_stroke=hex_color("#64748b"),
    title=hex_color("#475569"),
    accent=hex_color("#3d64a8"),
    guide=hex_color("#a4597c"),
    keeps_canvas=True,
    fonts=_fonts("sans"),
)

DARK = Theme(
    name="dark",
    background=hex_color("#1a1a22"),
    text=hex_color("#f1ede6"),
    muted=hex_color("#b3b1bc"),
    inks=(hex_color("#f1ede6"), hex_color("#1a1a22")),
    tones=_tones(
        node="#2b2b35 #aeadb9",
        people="#302b42 #ab9ee0",
        gateway="#1e3535 #66b9ac",
        queue="#3a2834 #d58bb1",
        data="#222f45 #83a8e2",
        decision="#3a3122 #dcae60",
        start="#22362a #75c08a",
        end="#3c2828 #e18f86",
        external="#26262f #94929f",
        note="#3b3524 #d9c06a",
        table="#2b2b35 #c9a164",
        head="#3a3226 #d6ab66",
    ),
    edge=hex_color("#9795a3"),
    edge_text=hex_color("#d6d3cd"),
    frame_hues=_hues("#8792ab", "#7f9f8c", "#9a90b5", "#a6997a", "#b08c98", "#7b9fa3"),
    frame_steps=(0.09, 0.15, 0.21, 0.27),
    container_veil=Color(255.0, 255.0, 255.0, 0.06),
    lane_stroke=hex_color("#8b8998"),
    title=hex_color("#d3cfc8"),
    accent=hex_color("#e0a752"),
    guide=hex_color("#4fc7b0"),
    fonts=_fonts("sans"),
)

_BLUEPRINT = Theme(
    name="blueprint",
    background=hex_color("#0d1b2a"),
    text=hex_color("#dff4fb"),
    muted=hex_color("#9bbccd"),
    inks=(hex_color("#dff4fb"), hex_color("#0d1b2a")),
    tones=_tones(
        node="#11293d #5ad1ea",
        people="#1f2b4f #a3b4f2",
        gateway="#113836 #5fd6bd",
        queue="#33264a #d3a4ee",
        data="#143a5c #8fdcf5",
        decision="#39361f #e6cf7c",
        start="#14392b #74d79b",
        end="#412a30 #f2a19a",
        external="#122537 #7fa9bf",
        note="#4a4526 #f0dc8c",
        table="#11293d #5ad1ea",
        head="#174059 #5ad1ea",
    ),
    edge=hex_color("#7fb0c6"),
    edge_text=hex_color("#bfe0ec"),
    frame_hues=_hues("#6fa8c4", "#6fb3a2", "#8f9fd0", "#b3a878", "#b996c4", "#63b4bd"),
    frame_steps=(0.1, 0.16, 0.22, 0.28),
    container_veil=Color(143.0, 227.0, 245.0, 0.07),
    lane_stroke=hex_color("#6aa3be"),
    title=hex_color("#aadcec"),
    accent=hex_color("#5ad1ea"),
    guide=hex_color("#e3cf8a"),
    corner_radius=3.0,
    container_radius=3.0,
    fonts=_fonts("mono", 13.0),
)

SKETCH = Theme(
    name="sketch",
    background=hex_color("#1a1a22"),
    text=hex_color("#f4f1ea"),
    muted=hex_color("#b6b4bd"),
    inks=(hex_color("#f4f1ea"), hex_color("#1a1a22")),
    tones=_tones(
        node="#262631 #e8e4da",
        people="#2c2940 #bdb0ec",
        gateway="#1c3232 #86cfc3",
        queue="#372631 #e5a3c5",
        data="#1f2d40 #9cbdf0",
        decision="#372f21 #ecc47e",
        start="#1f3327 #8fd3a2",
        end="#392626 #f0a59d",
        external="#23232c #a5a3b0",
        note="#3a3523 #ecd27c",
        table="#262631 #e6bd83",
        head="#372f22 #e6bd83",
    ),
    edge=hex_color("#bdbab3"),
    edge_text=hex_color("#e2dfd7"),
    frame_hues=_hues("#8b95ac", "#84a390", "#9d94b7", "#a99c7e", "#b3909b", "#80a2a6"),
    frame_steps=(0.07, 0.12, 0.17, 0.22),
    container_veil=Color(255.0, 255.0, 255.0, 0.05),
    lane_stroke=hex_color("#94929f"),
    title=hex_color("#d8d4ca"),
    accent=hex_color("#f0b775"),
    guide=hex_color("#7fd6c6"),
    hand_drawn=True,
    open_heads=True,
    hatched=frozenset({"data"}),
    fonts=_fonts("hand", 17.0, 14.0, 16.0, 18.0),
)

THEMES: Mapping[str, Theme] = {theme.name: theme for theme in (CLEAN, DARK, _BLUEPRINT, SKETCH)}


def choose_theme(name: str | None, scene: Scene) -> Theme:
    """The requested theme; without one (or for an unknown name), dark on a dark canvas background, which then stays,
    else the default (R-THEME-2)."""
    asked = THEMES.get(name or "")
    if asked is not None:
        return asked
    background = scene.canvas.background
    if background is not None and is_dark(background):
        return replace(THEMES[_AUTOMATIC_THEME], keeps_canvas=True)
    return THEMES[DEFAULT_THEME]


def page_background(theme: Theme, scene: Scene) -> Color:
    """The page colour: the author's canvas if the theme keeps canvases, then the palette's, then the theme's own."""
    canvas = scene.canvas.background if theme.keeps_canvas else None
    if canvas is not None:
        return canvas
    palette = scene.palette.background
    return palette if palette is not None else theme.background
