"""THEMES: the default look of pictures. A theme is values only; `style` applies them.

(R-THEME-1, R-THEME-3)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from scenograph.engine.colors import WHITE, hex_color, is_dark
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

    `tones` has one pair for each tone of `NodeKind`. `container_fills` and `container_strokes` are by nesting depth,
    the last for all deeper containers; `container_veil` lies on a frame coloured by the author. `inks` are tried when
    the text colour is illegible on a ground. `keeps_canvas`: the author's canvas background wins over the theme's.
    """

    name: str
    background: Color
    text: Color
    muted: Color
    inks: tuple[Color, ...]
    tones: Mapping[str, Tone]
    edge: Color
    edge_text: Color
    container_fills: tuple[Color, ...]
    container_veil: Color
    container_strokes: tuple[Color, ...]
    lane_stroke: Color
    title: Color
    accent: Color
    guide: Color
    fonts: Fonts
    node_stroke_width: float = 1.5
    edge_stroke_width: float = 1.5
    container_stroke_width: float = 1.0
    corner_radius: float = 8.0
    container_radius: float = 10.0
    hand_drawn: bool = False
    keeps_canvas: bool = False


def _fonts(family: str, node: float, text: float, title: float = 12.0) -> Fonts:
    """Edge labels are 12 px everywhere (R-LABEL-3)."""
    return Fonts(
        node=Font(family, node, 500),
        edge=Font(family, 12.0, 400),
        title=Font(family, title, 600),
        text=Font(family, text, 400),
    )


CLEAN = Theme(
    name="clean",
    background=WHITE,
    text=hex_color("#1e293b"),
    muted=hex_color("#566478"),
    inks=(hex_color("#1e293b"), WHITE),
    tones={
        "node": Tone(WHITE, hex_color("#475569")),
        "data": Tone(hex_color("#eef4ff"), hex_color("#3d64a8")),
        "external": Tone(hex_color("#f5f6f8"), hex_color("#7c8798")),
        "note": Tone(hex_color("#fef8d4"), hex_color("#ad8c34")),
    },
    edge=hex_color("#5f6d80"),
    edge_text=hex_color("#3b4758"),
    container_fills=(hex_color("#f7f9fc"), hex_color("#eef2f7"), hex_color("#e5ebf3"), hex_color("#dce4ee")),
    container_veil=Color(255.0, 255.0, 255.0, 0.4),
    container_strokes=(hex_color("#8794a9"), hex_color("#7f8ca0"), hex_color("#7a879c"), hex_color("#758297")),
    lane_stroke=hex_color("#64748b"),
    title=hex_color("#475569"),
    accent=hex_color("#3d64a8"),
    guide=hex_color("#c07a9a"),
    keeps_canvas=True,
    fonts=_fonts("sans", 13.0, 14.0),
)

DARK = Theme(
    name="dark",
    background=hex_color("#1a1a22"),
    text=hex_color("#f1ede6"),
    muted=hex_color("#a9a7b3"),
    inks=(hex_color("#f1ede6"), hex_color("#1a1a22")),
    tones={
        "node": Tone(hex_color("#2e2d38"), hex_color("#e0a752")),
        "data": Tone(hex_color("#20343a"), hex_color("#4fc7b0")),
        "external": Tone(hex_color("#26262f"), hex_color("#8f8d9c")),
        "note": Tone(hex_color("#3b3524"), hex_color("#d9c06a")),
    },
    edge=hex_color("#a3a1ae"),
    edge_text=hex_color("#d6d3cd"),
    container_fills=(hex_color("#20202a"), hex_color("#262631"), hex_color("#2c2c38"), hex_color("#32323f")),
    container_veil=Color(255.0, 255.0, 255.0, 0.06),
    container_strokes=(hex_color("#686776"), hex_color("#706f7d"), hex_color("#767581"), hex_color("#7d7b87")),
    lane_stroke=hex_color("#7c7a89"),
    title=hex_color("#c9c5bd"),
    accent=hex_color("#e0a752"),
    guide=hex_color("#4fc7b0"),
    fonts=_fonts("sans", 13.0, 14.0),
)

BLUEPRINT = Theme(
    name="blueprint",
    background=hex_color("#0d1b2a"),
    text=hex_color("#dff4fb"),
    muted=hex_color("#8fb3c7"),
    inks=(hex_color("#dff4fb"), hex_color("#0d1b2a")),
    tones={
        "node": Tone(hex_color("#11293d"), hex_color("#5ad1ea")),
        "data": Tone(hex_color("#13304a"), hex_color("#8fe3f5")),
        "external": Tone(hex_color("#0f2233"), hex_color("#6f9cb3")),
        "note": Tone(hex_color("#4a4526"), hex_color("#f0dc8c")),
    },
    edge=hex_color("#7fb9cf"),
    edge_text=hex_color("#bfe0ec"),
    container_fills=(hex_color("#0f2132"), hex_color("#12273a"), hex_color("#152d42"), hex_color("#18334a")),
    container_veil=Color(143.0, 227.0, 245.0, 0.07),
    container_strokes=(hex_color("#3f7590"), hex_color("#407691"), hex_color("#467b95"), hex_color("#4e819a")),
    lane_stroke=hex_color("#4f8aa6"),
    title=hex_color("#9fd6e8"),
    accent=hex_color("#5ad1ea"),
    guide=hex_color("#e3cf8a"),
    node_stroke_width=1.25,
    edge_stroke_width=1.25,
    corner_radius=3.0,
    container_radius=3.0,
    fonts=_fonts("mono", 12.0, 13.0, 11.5),
)

SKETCH = Theme(
    name="sketch",
    background=hex_color("#1a1a22"),
    text=hex_color("#f4f1ea"),
    muted=hex_color("#aeacb6"),
    inks=(hex_color("#f4f1ea"), hex_color("#1a1a22")),
    tones={
        "node": Tone(hex_color("#262631"), hex_color("#e8e4da")),
        "data": Tone(hex_color("#1f3038"), hex_color("#7fd6c6")),
        "external": Tone(hex_color("#22222b"), hex_color("#9c9aa8")),
        "note": Tone(hex_color("#3a3523"), hex_color("#ecd27c")),
    },
    edge=hex_color("#c3c0b8"),
    edge_text=hex_color("#e2dfd7"),
    container_fills=(hex_color("#1f1f29"), hex_color("#25252f"), hex_color("#2b2b36"), hex_color("#31313d")),
    container_veil=Color(255.0, 255.0, 255.0, 0.05),
    container_strokes=(hex_color("#6d6b7a"), hex_color("#706e7c"), hex_color("#767481"), hex_color("#7c7a86")),
    lane_stroke=hex_color("#8a8896"),
    title=hex_color("#d8d4ca"),
    accent=hex_color("#f0b775"),
    guide=hex_color("#7fd6c6"),
    hand_drawn=True,
    fonts=_fonts("hand", 15.0, 16.0, 14.0),
)

THEMES: Mapping[str, Theme] = {theme.name: theme for theme in (CLEAN, DARK, BLUEPRINT, SKETCH)}


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
