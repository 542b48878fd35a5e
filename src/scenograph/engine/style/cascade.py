"""Styles finished: for every element what its author says, else the palette, else the theme, nothing left unset.

In: scene and theme. Out: `Styles`. A text colour that nobody chose can be read on the ground it stands on.
(specification: "Themes", 2 and 5, "Icon nodes", 7; decisions: sections 8 and 14)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scenograph.engine.colors import (
    READABLE_CONTRAST,
    TRANSPARENT,
    contrast,
    is_default_equivalent,
    mix,
    over,
    readable,
)
from scenograph.engine.families.catalog import kind_of
from scenograph.engine.style.font_names import embedded_family
from scenograph.engine.style.looks import Look, Setting, look_of
from scenograph.engine.style.nesting import Container, ancestors, parents
from scenograph.engine.tables import FinishedStyle, Styles
from scenograph.engine.text.blocks import Font
from scenograph.engine.themes import Theme, page_background
from scenograph.scene.model import Color, Edge, Element, Frame, Group, Node, Scene, Style

UNSTYLED = Style()
_MUTED_SHARE = 0.25  # how far quiet text fades toward its ground when the theme's quiet colour cannot be read


@dataclass(frozen=True, slots=True)
class Ground:
    """What text stands on: an opaque colour, and whether the author had a hand in it."""

    color: Color
    customised: bool


def finish_styles(scene: Scene, theme: Theme) -> Styles:
    """The finished style of every element, and the page's background."""
    background = page_background(theme, scene)
    parent_of = parents(scene)
    cascade = _Cascade(scene, theme, parent_of, _page_ground(background, theme))
    for element in scene.elements:
        cascade.finish(element)
    return Styles(theme=theme.name, background=background, of=cascade.finished)


def _page_ground(background: Color, theme: Theme) -> Ground:
    return Ground(over(background, theme.background), customised=background != theme.background)


class _Cascade:
    """One run over a scene. Containers are finished before what they hold."""

    def __init__(self, scene: Scene, theme: Theme, parent_of: Mapping[str, Container], page: Ground) -> None:
        self.finished: dict[str, FinishedStyle] = {}
        self._scene = scene
        self._theme = theme
        self._parent_of = parent_of
        self._page = page
        self._grounds: dict[str, Ground] = {}

    def finish(self, element: Element) -> None:
        """Add the element's style, and that of the containers round it."""
        chain = ancestors(element.id, self._parent_of)
        for member in (*reversed(chain), element):
            if member.id not in self.finished:
                self._add(member)

    def _add(self, element: Element) -> None:
        chain = ancestors(element.id, self._parent_of)
        authored = self._authored(element)
        setting = self._setting(chain)
        look = look_of(element, setting)
        fill = self._fill(element, authored, look, setting)
        beneath = self._grounds[chain[0].id] if chain else self._page
        ground = self._text_ground(element, authored, look, fill, beneath)
        if isinstance(element, Frame | Group):
            self._grounds[element.id] = ground
        self.finished[element.id] = self._style(authored, look, fill, ground)

    def _authored(self, element: Element) -> Style:
        if element.style is not None:
            return element.style
        return self._scene.styles.get(element.style_id or "", UNSTYLED)

    def _setting(self, chain: tuple[Container, ...]) -> Setting:
        frames = [member for member in chain if isinstance(member, Frame)]
        on_color = any(self._is_colored(frame) for frame in frames)
        return Setting(self._theme, self._scene.palette, len(frames), on_color)

    def _is_colored(self, frame: Frame) -> bool:
        fill = self._authored(frame).fill or self._scene.palette.container_fill
        return fill is not None and fill.alpha > 0 and not is_default_equivalent(fill)

    def _fill(self, element: Element, authored: Style, look: Look, setting: Setting) -> Color:
        if authored.fill is None:
            return (authored.stroke or look.stroke) if look.fills_with_stroke else look.fill
        nested = isinstance(element, Frame | Group) and setting.on_color
        return TRANSPARENT if nested and is_default_equivalent(authored.fill) else authored.fill

    def _text_ground(self, element: Element, authored: Style, look: Look, fill: Color, beneath: Ground) -> Ground:
        """The ground of the element's own text, and of what a container holds."""
        if isinstance(element, Edge):
            plate = authored.label_background
            return beneath if plate is None else Ground(over(plate, beneath.color), customised=True)
        if isinstance(element, Node) and kind_of(element).label_below:
            return beneath
        customised = authored.fill is not None or look.customised or beneath.customised
        return Ground(over(fill, beneath.color), customised and (fill.alpha > 0 or beneath.customised))

    def _style(self, authored: Style, look: Look, fill: Color, ground: Ground) -> FinishedStyle:
        palette, theme = self._scene.palette, self._theme
        text = authored.text_color or self._readable(look.text, ground)
        return FinishedStyle(
            fill=fill,
            stroke=authored.stroke or look.stroke,
            stroke_width=_stroke_width(authored, look),
            corner_radius=_either(authored.corner_radius, look.corner_radius),
            font=_font(authored, look.font),
            text_color=text,
            muted_color=_muted(palette.muted_foreground or theme.muted, text, ground),
            accent_color=authored.accent_color or palette.accent_primary or theme.accent,
            dash=look.dash if authored.dash is None else authored.dash,
            opacity=_either(authored.opacity, 1.0),
            label_background=authored.label_background or TRANSPARENT,
            force_label=authored.force_label or False,
        )

    def _readable(self, preferred: Color, ground: Ground) -> Color:
        return readable((preferred, *self._theme.inks), ground.color) if ground.customised else preferred


def _either(authored: float | None, otherwise: float) -> float:
    return otherwise if authored is None else authored


def _stroke_width(authored: Style, look: Look) -> float:
    """A bare shape has no outline until its author gives it a line; a figure none until it is filled."""
    if look.is_figure and authored.fill is None:
        return 0.0
    if look.is_bare and authored.fill is None and authored.stroke is None and authored.stroke_width is None:
        return 0.0
    return _either(authored.stroke_width, look.stroke_width)


def _font(authored: Style, font: Font) -> Font:
    return Font(
        font.family if authored.font_family is None else embedded_family(authored.font_family),
        _either(authored.font_size, font.size),
        font.weight if authored.font_weight is None else authored.font_weight,
    )


def _muted(preferred: Color, text: Color, ground: Ground) -> Color:
    """The quiet colour, unless it cannot be read on a ground that the author chose."""
    if not ground.customised or contrast(over(preferred, ground.color), ground.color) >= READABLE_CONTRAST:
        return preferred
    return readable((mix(text, ground.color, _MUTED_SHARE), text), ground.color)
