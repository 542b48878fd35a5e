"""The style stage: the cascade from theme to element, finished so that nothing is unset."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

from scenograph.diagnostics import FONT_SUBSTITUTED, Report
from scenograph.engine.colors import (
    BLACK,
    READABLE_CONTRAST,
    SEEN_CONTRAST,
    TRANSPARENT,
    WHITE,
    contrast,
    is_default_equivalent,
    mix,
    over,
    readable,
    seen,
    toward,
)
from scenograph.engine.families.catalog import edge_kind, family_named, kind_of
from scenograph.engine.families.faces import group_color, is_cloud_icon, without_default_box
from scenograph.engine.families.family import DASHED_BORDER, ContainerType, NodeKind, container_type
from scenograph.engine.tables import FinishedStyle, Styles
from scenograph.engine.text.blocks import Font
from scenograph.engine.text.shaping import TYPE_FAMILIES
from scenograph.engine.themes import Theme, page_background
from scenograph.late_dataclasses import dataclass, replace
from scenograph.scene.json_values import shown
from scenograph.scene.memo import Latest, MadeOf
from scenograph.scene.model import (
    Color,
    Container,
    Edge,
    Element,
    Frame,
    Group,
    Guide,
    Image,
    Node,
    Palette,
    Scene,
    Style,
    Text,
    words_of,
)

# The look of an element before its author's own style: the theme's values, overridden by the scene palette's. One
# function for each kind of element, in LOOKS. (R-THEME-4, R-PAINT-2)


GUIDE_DASH = (4.0, 4.0)  # px; stroke and gap of a guide

_GROUP_SHARE = 0.5  # of a frame's step in the ground of a cloud group: vendors draw none, or a pale one
_SOLID: tuple[float, ...] = ()
_SHARP_SHAPE = "rect"
_BARE_SHAPE = "textBox"

Dash = tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """The paint of an element before its authored style. `is_bare`: no outline is drawn; `is_figure`: no outline even
    with an authored stroke, which colours the glyph; `fills_with_stroke`: the fill follows the stroke; `customised`:
    the palette chose the fill, `line_chosen`: the stroke; `hatched`: lines by hand over the fill of the theme."""

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
    hatched: bool = False


@dataclass(frozen=True, slots=True)
class Setting:
    """The context of an element: theme, palette, the number of enclosing frames, and the number of the outermost frame
    among those with a hue; `on_color` if the author coloured one of the frames."""

    theme: Theme
    palette: Palette
    depth: int = 0
    on_color: bool = False
    hue: int = 0


def _node_look(node: Node, setting: Setting) -> Look:
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
        hatched=not bare and palette.node_fill is None and kind.tone in theme.hatched,
    )


def _edge_look(edge: Edge, setting: Setting) -> Look:
    """An edge's stroke; its label stands on the page."""
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


def _frame_look(frame: Frame, setting: Setting) -> Look:
    """By container type; the hue is the outermost frame's, a step deeper from frame to frame, or that of the vendor's
    cloud group."""
    theme, palette = setting.theme, setting.palette
    row = container_type(frame)
    border, title, fill = theme.frame_stroke(setting.hue) if row.grounded else theme.lane_stroke, theme.title, None
    if (group := group_color(frame)) is not None:
        fill = mix(theme.background, group, theme.frame_steps[0] * _GROUP_SHARE)
        beneath = theme.frame_fill(setting.depth - 1, setting.hue) if setting.depth else theme.background
        border = toward(group, theme.text, (fill, beneath), SEEN_CONTRAST)
        title = toward(group, theme.text, (fill,), READABLE_CONTRAST)
    ground = _ground(row, setting) if fill is None or setting.on_color or not row.grounded else fill
    return Look(
        fill=palette.container_fill or ground,
        stroke=palette.container_stroke or border,
        stroke_width=theme.container_stroke_width,
        corner_radius=theme.container_radius if row.rounded else 0.0,
        font=theme.fonts.title,
        text=palette.foreground or title,
        dash=row.dash,
        customised=palette.container_fill is not None,
        line_chosen=palette.container_stroke is not None,
    )


def _group_look(_group: Element, setting: Setting) -> Look:
    """A border in the style of frames, drawn only with an authored style; no ground."""
    theme, palette = setting.theme, setting.palette
    return Look(
        fill=TRANSPARENT,
        stroke=palette.container_stroke or theme.frame_stroke(setting.hue),
        stroke_width=theme.container_stroke_width,
        corner_radius=theme.container_radius,
        font=theme.fonts.title,
        text=palette.foreground or theme.title,
        dash=DASHED_BORDER,
        line_chosen=palette.container_stroke is not None,
    )


def _text_look(_text: Element, setting: Setting) -> Look:
    """Letters only."""
    return _letters(setting, setting.theme.fonts.text)


def _image_look(_image: Element, setting: Setting) -> Look:
    """No paint; the font is for the note on a missing picture."""
    return _letters(setting, setting.theme.fonts.edge)


def _guide_look(_guide: Element, setting: Setting) -> Look:
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
    "node": _node_look,
    "edge": _edge_look,
    "frame": _frame_look,
    "group": _group_look,
    "text": _text_look,
    "image": _image_look,
    "guide": _guide_look,
}


def _look_of(element: Element, setting: Setting) -> Look:
    """The look of any element."""
    return LOOKS[element.kind](element, setting)


def _ground(row: ContainerType, setting: Setting) -> Color:
    theme = setting.theme
    if not row.grounded:
        return TRANSPARENT
    if setting.on_color:
        return theme.container_veil
    return theme.frame_fill(setting.depth, setting.hue)


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


# Author's font names to the embedded families. A picture must look the same anywhere, so only embedded fonts are
# drawn; a CSS font list names the one that is nearest.


_WORDS: tuple[tuple[str, str], ...] = (
    # a word within a font's name, and the family of this character; the first word found decides
    ("mono", "mono"),
    ("courier", "mono"),
    ("consolas", "mono"),
    ("menlo", "mono"),
    ("monaco", "mono"),
    ("code", "mono"),
    ("typewriter", "mono"),
    ("kalam", "hand"),
    ("hand", "hand"),
    ("comic", "hand"),
    ("cursive", "hand"),
    ("script", "hand"),
    ("virgil", "hand"),
    ("excalifont", "hand"),
    ("caveat", "hand"),
    ("marker", "hand"),
    ("chalk", "hand"),
    ("sketch", "hand"),
)
_CACHED_NAMES = 256  # CSS lists kept resolved


# Words of CSS for a kind of font (CSS Fonts 4, section 2.1.2), and the families that stand for them.
_GENERIC = {
    "sans-serif": "sans",
    "serif": "sans",
    "system-ui": "sans",
    "ui-sans-serif": "sans",
    "ui-serif": "sans",
    "monospace": "mono",
    "ui-monospace": "mono",
    "cursive": "hand",
    "fantasy": "hand",
}
_OWN = {family.css_name.lower(): name for name, family in TYPE_FAMILIES.items()}
_KNOWN = {**_GENERIC, **_OWN, **{name: name for name in TYPE_FAMILIES}}


@lru_cache(maxsize=_CACHED_NAMES)
def embedded_family(font_family: str) -> str:
    """The key of TYPE_FAMILIES for a `fontFamily` value, possibly a CSS list: the first embedded family or generic
    word; without either, the family suggested by a word in a name, else sans."""
    names = _names(font_family)
    found = next((_KNOWN[name] for name in names if name in _KNOWN), None)
    return found or next((family for name in names for word, family in _WORDS if word in name), "sans")


def report_substituted(scene: Scene, report: Report) -> None:
    """Report each element whose style names no embedded font."""
    for element in scene.elements:
        style = element.style or scene.styles.get(element.style_id or "")
        asked = style.font_family if style is not None else None
        if asked and not any(name in _KNOWN for name in _names(asked)):
            used = TYPE_FAMILIES[embedded_family(asked)].css_name
            data = {"asked": asked, "used": used}
            report.add(FONT_SUBSTITUTED, element_id=element.id, data=data, asked=shown(asked), used=used)


def _names(font_family: str) -> list[str]:
    return [name.strip().strip("'\"").lower() for name in font_family.split(",")]


# Containment: each element's chain of containers. A cyclic nesting in the document is cut, so that walking the chain
# always ends.


def parents(scene: Scene) -> Mapping[str, Container]:
    """The container of every contained element; the first of several, without containers that would close a cycle."""
    found: dict[str, Container] = {}
    for container in scene.containers:
        round_it = {container.id, *(ancestor.id for ancestor in ancestors(container.id, found))}
        for child in container.children:
            if child not in found and child not in round_it:
                found[child] = container
    return found


def _common_container(first: str, second: str, parent_of: Mapping[str, Container]) -> Container | None:
    """The innermost container around both elements, an end included: the ground of an edge between them."""
    parent = parent_of.get(first)
    if parent is parent_of.get(second):
        return parent
    others = {second, *[container.id for container in ancestors(second, parent_of)]}
    while parent is not None and parent.id not in others:
        parent = parent_of.get(parent.id)
    return parent


def ancestors(element_id: str, parent_of: Mapping[str, Container]) -> tuple[Container, ...]:
    """The containers round an element, the nearest first."""
    chain: list[Container] = []
    parent = parent_of.get(element_id)
    while parent is not None:
        chain.append(parent)
        parent = parent_of.get(parent.id)
    return tuple(chain)


# Styles finished: for every element the authored values, else the palette, else the theme, nothing left unset.
#
# In: scene and theme. Out: `Styles`. A default text colour is legible on its ground; a default stroke is visible on
# every ground its edge crosses. (R-THEME-4, R-THEME-5, R-THEME-6)


_UNSTYLED = Style()
_QUIET_SHARE = 0.3  # how far a line fades toward its ground when the theme's own cannot be seen
_BETWEEN = (0.5, 0.4, 0.6, 0.3, 0.7)  # between light and dark ink: lines that run over both light and dark
KEPT_PALETTES = 8  # with their themes, of the latest scenes
KEPT_STYLES = 1024  # distinct styles of the latest scenes: equal styles are one object, for fast comparison
_MUTED_SHARE = 0.25  # how far quiet text fades toward its ground when the theme's quiet colour cannot be read


@dataclass(frozen=True, slots=True)
class TextGround:
    """The ground of text: an opaque colour, and whether the author influenced the colour."""

    color: Color
    customised: bool


@dataclass(frozen=True, slots=True)
class Room:
    """The inherited setting and ground inside a container (or the page); equal rooms of a theme and a palette are
    shared, and numbered."""

    number: int
    setting: Setting
    ground: TextGround


Case = tuple[FinishedStyle, TextGround]
"""The style of an element, and the ground of its text."""


class _Cases:
    """What came of the latest scenes of a theme, a palette and a sort of families: their rooms, and the styles of equal
    cases."""

    def __init__(self, theme: Theme, palette: Palette) -> None:
        self.theme = theme
        self._palette = palette
        self._rooms: dict[tuple[object, ...], Room] = {}
        self._styles: dict[tuple[object, ...], tuple[Style, FinishedStyle, TextGround]] = {}

    @property
    def are_many(self) -> bool:
        """Whether more is kept than a few scenes have."""
        return len(self._styles) + len(self._rooms) > KEPT_STYLES

    def room(self, ground: TextGround, depth: int = 0, *, on_color: bool = False, hue: int = 0) -> Room:
        """The room with this ground inside `depth` frames, the outermost with a hue."""
        key = ground.color, ground.customised, depth, on_color, hue
        found = self._rooms.get(key)
        if found is None:
            setting = Setting(self.theme, self._palette, depth, on_color, hue)
            found = self._rooms[key] = Room(len(self._rooms), setting, ground)
        return found

    def style(self, element: Element, authored: Style, rooms: Sequence[Room], resolved: Callable[[], Case]) -> Case:
        """The style of an element and the ground of its text, `resolved` only for the first of equal cases."""
        key = (id(authored), *[room.number for room in rooms], *_type_of(element))
        found = self._styles.get(key)  # the row holds the authored style: no other can have this id
        if found is None:
            found = self._styles[key] = (authored, *resolved())
        return found[1], found[2]


_OPEN_HEADS: Mapping[str, str] = {"triangle": "arrow"}


def with_heads(scene: Scene, theme: Theme) -> Scene:
    """The scene with the heads of lines as the theme draws them; a head that tells the kind of an edge stays."""
    if not theme.open_heads:
        return scene
    return replace(scene, elements=tuple(map(_opened, scene.elements)))


def _opened(element: Element) -> Element:
    if not isinstance(element, Edge) or edge_kind(element.edge_type).head_tells:
        return element
    heads = element.start_arrow, element.end_arrow
    start, end = (_OPEN_HEADS.get(head or "", head) for head in heads)
    return element if (start, end) == heads else replace(element, start_arrow=start, end_arrow=end)


def finish_styles(scene: Scene, theme: Theme) -> Styles:
    """The finished style of every element, and the page's background."""
    background = page_background(theme, scene)
    page = TextGround(over(background, theme.background), customised=background != theme.background)
    cascade = _Cascade(scene, theme, parents(scene), page)
    for element in scene.elements:
        cascade.finish(element)
    faint = tuple([element.id for element in scene.elements if element.id in cascade.faint]) if cascade.faint else ()
    return Styles(theme=theme.name, background=background, of=cascade.finished, faint=faint)


class _Cascade:
    """One run over a scene: containers before their content, and equal cases (same type, style and rooms) once."""

    def __init__(self, scene: Scene, theme: Theme, parent_of: Mapping[str, Container], page: TextGround) -> None:
        self.finished: dict[str, FinishedStyle] = {}
        self.faint: set[str] = set()
        self._scene = scene
        self._theme = theme
        self._parent_of = parent_of
        self._has_stems = family_named(scene.diagram_family).stem is not None
        key = theme.name, scene.palette, self._has_stems
        cases = _CASES.get(key)
        if cases is None or cases.theme is not theme or cases.are_many:
            cases = _CASES.put(key, _Cases(theme, scene.palette))
        self._cases = cases
        self._page = cases.room(page)
        self._rooms: dict[str, Room] = {}
        self._above: dict[str, tuple[Container, ...]] = {}
        self._crossed: dict[tuple[str | None, ...], tuple[Room, ...]] = {}
        self._hues = _hues(scene, parent_of)

    def finish(self, element: Element) -> None:
        """Add the style of an element, after the styles of its ancestors."""
        if element.id in self.finished:
            return
        parent = self._holder(element)
        if parent is not None and parent.id not in self.finished:
            for container in (*reversed(ancestors(parent.id, self._parent_of)), parent):
                self._add(container, self._parent_of.get(container.id))
        self._add(element, parent)

    def _holder(self, element: Element) -> Container | None:
        """The container of an element; for an edge, the common container of its ends."""
        parent = self._parent_of.get(element.id)
        if parent is None and isinstance(element, Edge):
            return _common_container(element.source.element_id, element.target.element_id, self._parent_of)
        return parent

    def _add(self, element: Element, parent: Container | None) -> None:
        """Add the style of an element after its container's."""
        if element.id in self.finished:
            return
        room = self._page if parent is None else self._rooms[parent.id]
        hue = self._hues.get(element.id)
        if hue is not None:
            room = self._cases.room(room.ground, hue=hue % len(self._theme.frame_hues))
        rooms = (room, *self._rooms_crossed(element, parent)) if isinstance(element, Edge) else (room,)
        authored = self._counting(element)
        resolved = partial(self._resolved, element, authored, rooms)
        style, ground = self._cases.style(element, authored, rooms, resolved)
        self.finished[element.id] = style
        if _has_faint_letters(element, authored, ground) or _has_faint_line(element, authored, style, rooms):
            self.faint.add(element.id)
        if isinstance(element, Frame | Group):
            self._rooms[element.id] = self._room_inside(element, authored, room.setting, ground)

    def _rooms_crossed(self, edge: Edge, common: Container | None) -> tuple[Room, ...]:
        """The rooms crossed by an edge between its ends and their common container, each once."""
        source, target = map(self._parent_of.get, edge.ends)
        if source is common and target is common:
            return ()
        key = tuple([None if one is None else one.id for one in (source, target, common)])
        if key not in self._crossed:
            self._crossed[key] = self._rooms_between(edge, common)
        return self._crossed[key]

    def _rooms_between(self, edge: Edge, common: Container | None) -> tuple[Room, ...]:
        found: dict[str, Room] = {}
        for end in edge.ends:
            for container in reversed(self._round(end)):
                if container.id not in self.finished:
                    self._add(container, self._parent_of.get(container.id))
                found[container.id] = self._rooms[container.id]
        outer = () if common is None else (common, *self._round(common.id))
        shared = {container.id for container in outer}
        return tuple(room for id_, room in found.items() if id_ not in shared)

    def _round(self, element_id: str) -> tuple[Container, ...]:
        """The containers round an element, the nearest first. Computed once."""
        found = self._above.get(element_id)
        if found is None:
            found = self._above[element_id] = ancestors(element_id, self._parent_of)
        return found

    def _authored(self, element: Element) -> Style:
        if element.style is not None:
            return element.style
        return self._scene.styles.get(element.style_id or "", _UNSTYLED)

    def _counting(self, element: Element) -> Style:
        """The effective authored style; cached, as equal cases are recognized by identity."""
        authored = self._authored(element)
        if not isinstance(element, Node) or not is_cloud_icon(element):
            return authored
        return _BOXLESS.get(authored) or _BOXLESS.put(authored, (), without_default_box(authored))

    def _room_inside(self, element: Frame | Group, authored: Style, setting: Setting, ground: TextGround) -> Room:
        if not isinstance(element, Frame):
            return self._cases.room(ground, setting.depth, on_color=setting.on_color, hue=setting.hue)
        fill = authored.fill or self._scene.palette.container_fill
        colored = fill is not None and fill.alpha > 0 and not is_default_equivalent(fill)
        return self._cases.room(ground, setting.depth + 1, on_color=setting.on_color or colored, hue=setting.hue)

    def _resolved(self, element: Element, authored: Style, rooms: tuple[Room, ...]) -> Case:
        room = rooms[0]
        look = _look_of(element, room.setting)
        look = replace(look, stroke=self._seen_line(element, authored, look, rooms))
        fill = _fill(element, authored, look, room.setting)
        ground = _text_ground(element, authored, look, fill, room.ground)
        palette, theme = self._scene.palette, self._theme
        text = authored.text_color or self._readable(look.text, ground)
        style = FinishedStyle(
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
            line_jumps=authored.line_jumps or "none",
            hatched=look.hatched and authored.fill is None,
            letters_chosen=authored.font_size is not None,
        )
        return _STYLES.get(style) or _STYLES.put(style, style), ground

    def _seen_line(self, element: Element, authored: Style, look: Look, rooms: tuple[Room, ...]) -> Color:
        """The stroke of a look, or a visible stroke if the look fades on an authored ground. An outline may fade if the
        fill stands out, unless a stem continues in its colour. A look without a stroke stays without."""
        if authored.stroke is not None or look.line_chosen or look.stroke.alpha == 0:
            return look.stroke
        if not any(room.ground.customised for room in rooms):
            return look.stroke
        grounds = tuple(dict.fromkeys(room.ground.color for room in rooms))
        if self._may_fade(element, look):
            fill = _fill(element, authored, look, rooms[0].setting)
            if contrast(over(fill, grounds[0]), grounds[0]) >= SEEN_CONTRAST:
                return look.stroke
        inks = self._theme.inks
        quiet = (mix(ink, grounds[0], _QUIET_SHARE) for ink in inks)
        between = (mix(inks[0], inks[-1], share) for share in _BETWEEN)
        return seen((look.stroke, *quiet, *between, *inks, BLACK, WHITE), grounds)

    def _may_fade(self, element: Element, look: Look) -> bool:
        return not isinstance(element, Edge) and not look.fills_with_stroke and not self._has_stems

    def _readable(self, preferred: Color, ground: TextGround) -> Color:
        return readable((preferred, *self._theme.inks), ground.color) if ground.customised else preferred


def _has_faint_letters(element: Element, authored: Style, ground: TextGround) -> bool:
    """Whether authored letters are hard to see on their ground."""
    color = authored.text_color
    return color is not None and bool(words_of(element)) and _is_faint(color, ground.color)


def _has_faint_line(element: Element, authored: Style, style: FinishedStyle, rooms: Sequence[Room]) -> bool:
    """Whether an authored line is hard to see on any ground it crosses; a border counts if its fill is as faint."""
    color = authored.stroke
    if (
        color is None
        or color.alpha <= 0
        or style.stroke_width <= 0
        or isinstance(element, Group | Text | Image | Guide)
    ):
        return False
    if not isinstance(element, Edge) and not _is_faint(style.fill, rooms[0].ground.color):
        return False
    return any(_is_faint(color, room.ground.color) for room in rooms)


def _is_faint(color: Color, ground: Color) -> bool:
    return contrast(over(color, ground), ground) < SEEN_CONTRAST


def _hues(scene: Scene, parent_of: Mapping[str, Container]) -> Mapping[str, int]:
    """The outermost frames of types with a hue, numbered in the order of the document."""
    outermost = (
        frame.id
        for frame in scene.frames
        if container_type(frame).hued and not any(isinstance(one, Frame) for one in ancestors(frame.id, parent_of))
    )
    return {frame: number for number, frame in enumerate(outermost)}


def _type_of(element: Element) -> tuple[str | None, ...]:
    """The element values that determine a look, besides the setting."""
    if isinstance(element, Node):
        outside = "below" if kind_of(element).label_below else ""
        return element.kind, element.node_type, element.shape, element.icon, outside
    if isinstance(element, Edge):
        return element.kind, element.edge_type
    if isinstance(element, Frame):
        return element.kind, element.container_type, element.icon
    return (element.kind,)


def _fill(element: Element, authored: Style, look: Look, setting: Setting) -> Color:
    if authored.fill is None:
        return (authored.stroke or look.stroke) if look.fills_with_stroke else look.fill
    nested = isinstance(element, Frame | Group) and setting.on_color
    return TRANSPARENT if nested and is_default_equivalent(authored.fill) else authored.fill


def _text_ground(element: Element, authored: Style, look: Look, fill: Color, beneath: TextGround) -> TextGround:
    """The ground of the element's own text, or of a container's content."""
    if isinstance(element, Edge):
        plate = authored.label_background
        return beneath if plate is None else TextGround(over(plate, beneath.color), customised=True)
    if isinstance(element, Node) and kind_of(element).label_below:
        return beneath
    customised = authored.fill is not None or look.customised
    return TextGround(over(fill, beneath.color), beneath.customised or (customised and fill.alpha > 0))


def _either(authored: float | None, otherwise: float) -> float:
    return otherwise if authored is None else authored


def _stroke_width(authored: Style, look: Look) -> float:
    """The stroke width. A bare shape has no outline without an authored stroke, a figure none without an authored
    fill."""
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


def _muted(preferred: Color, text: Color, ground: TextGround) -> Color:
    """The quiet colour, unless illegible on a ground chosen by the author."""
    if not ground.customised or contrast(over(preferred, ground.color), ground.color) >= READABLE_CONTRAST:
        return preferred
    return readable((mix(text, ground.color, _MUTED_SHARE), text), ground.color)


_STYLES: Latest[FinishedStyle, FinishedStyle] = Latest(KEPT_STYLES)
_BOXLESS: MadeOf[Style] = MadeOf(KEPT_STYLES)
_CASES: Latest[tuple[str, Palette, bool], _Cases] = Latest(KEPT_PALETTES)
