"""What an element looks like before its author's own style: the theme's values, and over them the scene palette's.

One function a kind of element, in LOOKS. (R-THEME-4, R-PAINT-2)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from scenograph.engine.colors import TRANSPARENT
from scenograph.engine.families.catalog import edge_kind, kind_of
from scenograph.engine.families.container_types import DASHED_BORDER, ContainerType, container_type
from scenograph.engine.families.family import NodeKind
from scenograph.engine.families.icon_nodes import is_cloud_icon
from scenograph.engine.text.blocks import Font
from scenograph.engine.themes import Theme
from scenograph.late_dataclasses import dataclass
from scenograph.scene.model import Color, Edge, Element, Frame, Node, Palette

GUIDE_DASH = (4.0, 4.0)  # px; stroke and gap of a guide

_SOLID: tuple[float, ...] = ()
_SHARP_SHAPE = "rect"
_BARE_SHAPE = "textBox"

Dash = tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """An element's paint before its own style. `is_bare`: its outline is not drawn; `is_figure`: nor is it when the
    author gives a line, which colours the glyph; `fills_with_stroke`: its fill follows its stroke; `customised`: the
    palette chose the fill, `line_chosen`: the line."""

    fill: Color
    stroke: Color
    stroke_width: float
    corner_radius: float
    font: Font
    text: Color
    dash: Dash = _SOLID
    is_bare: bool = False
    is_figure: bool = False
    fills_with_stroke: bool = False
    customised: bool = False
    line_chosen: bool = False


@dataclass(frozen=True, slots=True)
class Setting:
    """Where an element stands: the theme, the palette, and how many frames are round it; `on_color` when the author
    coloured one of them."""

    theme: Theme
    palette: Palette
    depth: int = 0
    on_color: bool = False


def node_look(node: Node, setting: Setting) -> Look:
    """By the tone of the node's type; a text box has neither fill nor border."""
    theme, palette, kind = setting.theme, setting.palette, kind_of(node)
    tone = theme.tones.get(kind.tone) or theme.tones["node"]
    icon_only = is_cloud_icon(node)
    bare = icon_only or kind.shape == _BARE_SHAPE
    fill = TRANSPARENT if bare else palette.node_fill or tone.fill
    return Look(
        fill=fill,
        stroke=palette.node_stroke or tone.stroke,
        stroke_width=kind.stroke_width or theme.node_stroke_width,
        corner_radius=_radius(kind, theme),
        font=theme.fonts.node,
        text=palette.foreground or theme.text,
        dash=kind.dash,
        is_bare=bare,
        is_figure=icon_only or (bare and kind.glyph is not None),
        fills_with_stroke=kind.filled_with_stroke,
        customised=not bare and palette.node_fill is not None,
        line_chosen=palette.node_stroke is not None,
    )


def edge_look(edge: Edge, setting: Setting) -> Look:
    """A line; the text of its label stands on the page."""
    theme, palette = setting.theme, setting.palette
    return Look(
        fill=TRANSPARENT,
        stroke=palette.edge_stroke or theme.edge,
        stroke_width=theme.edge_stroke_width,
        corner_radius=0.0,
        font=theme.fonts.edge,
        text=palette.foreground or theme.edge_text,
        dash=edge_kind(edge.edge_type).dash,
        line_chosen=palette.edge_stroke is not None,
    )


def frame_look(frame: Frame, setting: Setting) -> Look:
    """By container type; the theme's grounds get darker from frame to frame."""
    theme, palette = setting.theme, setting.palette
    row = container_type(frame)
    border = _at_depth(theme.container_strokes, setting) if row.grounded else theme.lane_stroke
    return Look(
        fill=palette.container_fill or _ground(row, setting),
        stroke=palette.container_stroke or border,
        stroke_width=theme.container_stroke_width,
        corner_radius=theme.container_radius if row.rounded else 0.0,
        font=theme.fonts.title,
        text=palette.foreground or theme.title,
        dash=row.dash,
        customised=palette.container_fill is not None,
        line_chosen=palette.container_stroke is not None,
    )


def group_look(_group: Element, setting: Setting) -> Look:
    """A border in the frames' manner, seen only when the author styles it; no ground."""
    theme, palette = setting.theme, setting.palette
    return Look(
        fill=TRANSPARENT,
        stroke=palette.container_stroke or _at_depth(theme.container_strokes, setting),
        stroke_width=theme.container_stroke_width,
        corner_radius=theme.container_radius,
        font=theme.fonts.title,
        text=palette.foreground or theme.title,
        dash=DASHED_BORDER,
        line_chosen=palette.container_stroke is not None,
    )


def text_look(_text: Element, setting: Setting) -> Look:
    """Letters only."""
    return _letters(setting, setting.theme.fonts.text)


def image_look(_image: Element, setting: Setting) -> Look:
    """Nothing of its own; its letters are the note of a missing picture."""
    return _letters(setting, setting.theme.fonts.edge)


def guide_look(_guide: Element, setting: Setting) -> Look:
    """A thin dashed line."""
    theme = setting.theme
    return Look(
        fill=TRANSPARENT,
        stroke=setting.palette.accent_secondary or theme.guide,
        stroke_width=1.0,
        corner_radius=0.0,
        font=theme.fonts.edge,
        text=setting.palette.foreground or theme.text,
        dash=GUIDE_DASH,
        line_chosen=setting.palette.accent_secondary is not None,
    )


LOOKS: Mapping[str, Callable[[Any, Setting], Look]] = {
    "node": node_look,
    "edge": edge_look,
    "frame": frame_look,
    "group": group_look,
    "text": text_look,
    "image": image_look,
    "guide": guide_look,
}


def look_of(element: Element, setting: Setting) -> Look:
    """The look of any element."""
    return LOOKS[element.kind](element, setting)


def _ground(row: ContainerType, setting: Setting) -> Color:
    theme = setting.theme
    if not row.grounded:
        return TRANSPARENT
    if setting.on_color:
        return theme.container_veil
    return _at_depth(theme.container_fills, setting)


def _at_depth(colors: tuple[Color, ...], setting: Setting) -> Color:
    return colors[min(setting.depth, len(colors) - 1)]


def _radius(kind: NodeKind, theme: Theme) -> float:
    if kind.corner_radius is not None:
        return kind.corner_radius
    return 0.0 if kind.shape == _SHARP_SHAPE else theme.corner_radius


def _letters(setting: Setting, font: Font) -> Look:
    theme, palette = setting.theme, setting.palette
    return Look(
        fill=TRANSPARENT,
        stroke=TRANSPARENT,
        stroke_width=1.0,
        corner_radius=0.0,
        font=font,
        text=palette.foreground or theme.text,
    )
