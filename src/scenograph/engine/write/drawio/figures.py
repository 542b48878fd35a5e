"""Everything but edges as draw.io cells: a native shape that is moved and edited as one, its symbols as a picture and
its further texts as cells in it. px.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from scenograph.engine.drawing import DrawnGroup, Item, PathItem, PictureItem, TextItem
from scenograph.engine.families.catalog import frame_kind, kind_of
from scenograph.engine.families.container_types import is_headed, is_tiled
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.write.decimals import decimal
from scenograph.engine.write.drawio.cells import (
    PART,
    Cell,
    Style,
    Words,
    color_text,
    opacity_style,
    paint_style,
    words_of,
)
from scenograph.engine.write.drawio.losing import keeps_type
from scenograph.engine.write.pictures import path_bounds, raster, vector_url
from scenograph.engine.write.turned_text import before_turning
from scenograph.scene.model import Element, Frame, Group, Image, Node, Text

SHAPES: Mapping[str, Style] = {
    "rect": {"rounded": "0"},
    "textBox": {"rounded": "0"},
    "iconBox": {"rounded": "0"},
    "roundedRect": {"rounded": "1", "absoluteArcSize": "1"},
    "pill": {"rounded": "1", "arcSize": "50"},
    "ellipse": {"ellipse": "", "perimeter": "ellipsePerimeter"},
    "diamond": {"rhombus": "", "perimeter": "rhombusPerimeter"},
    "cylinder": {"shape": "cylinder3", "boundedLbl": "1", "backgroundOutline": "1", "size": "8"},
    "hexagon": {"shape": "hexagon", "perimeter": "hexagonPerimeter2", "fixedSize": "1", "size": "16"},
    "parallelogram": {"shape": "parallelogram", "perimeter": "parallelogramPerimeter", "fixedSize": "1", "size": "16"},
    "cloud": {"ellipse": "", "shape": "cloud"},
    "box3d": {"shape": "cube", "size": "10"},
    "tube": {"shape": "cylinder3", "direction": "south", "boundedLbl": "1", "backgroundOutline": "1", "size": "8"},
}
"""Our shapes by draw.io's own."""

MARK = "scenograph"
"""Begins the members of a style that only this service reads: what a cell is here, besides how it looks."""
_OWN_SHAPES = frozenset({"textBox", "iconBox"})
_UNSAFE = frozenset(";=\n")
_ALIGNED: Mapping[str, str] = {"start": "left", "center": "center", "end": "right"}
_UNSEEN: Style = {"fillColor": "none", "strokeColor": "none"}
_REACH = 4.0  # px that a wide line stands out
_TEXT: Style = {"text": "", "html": "1", "align": "left", "verticalAlign": "top", "spacing": "0", **_UNSEEN}


class Home(NamedTuple):
    """The cell that holds another, and where its corner is on the page."""

    id: str
    corner: Point


class Place(NamedTuple):
    """The box of an element, the radius of its corners, the title band of a pool, and that of a frame with a head."""

    box: Box
    radius: float
    header: Box | None
    head: Box | None


def figure(of: Element, group: DrawnGroup, place: Place, home: Home) -> Iterator[Cell]:
    """The cell of an element and the cells that complete it."""
    box, header = place.box, place.header
    outline = next((item for item in group.items if isinstance(item, PathItem) and item.is_outline), None)
    by_kind = isinstance(of, Node) and kind_of(of).paint is not None
    framed = frame_kind(of.container_type) if isinstance(of, Frame) else None
    by_kind = by_kind or (framed is not None and framed.paint is not None)
    native = outline is not None and not by_kind
    texts = [item for item in group.items if isinstance(item, TextItem) and item.runs]
    picture = next((item for item in group.items if isinstance(item, PictureItem)), None)
    if isinstance(of, Image) and picture is not None:
        yield _image(of, picture, place.box, home, group.opacity)
        return
    style: Style = {**_shape(of, place.radius), **_kept(of), "html": "1"}
    style |= (
        paint_style(outline, group.opacity)
        if native and outline is not None
        else _UNSEEN | opacity_style(group.opacity)
    )
    drawn = [item for item in group.items if not (native and _is_native(item, box))]
    label = texts[0] if texts and (len(texts) == 1 or not by_kind) and not _is_covered(texts[0], drawn) else None
    value = ""
    if label is not None:
        words = words_of(label, _said(of))
        is_title = isinstance(of, Frame | Group) and header is None and not label.turn
        placed = _from_the_corner(words.box, box) if is_title else _placed(words, label, box, header)
        placed = _within_text(of, words.box, box) if isinstance(of, Text) else placed
        value, style = words.html, style | words.style | placed
    if is_headed(of):
        style["swimlaneFillColor"] = style.get("fillColor", "none")
    if isinstance(of, Frame) and place.head is not None:
        style |= _banded(of, style, place.head)
    if isinstance(of, Frame | Group):
        style |= ({"container": "1"} if isinstance(of, Frame) else {}) | {"collapsible": "0"} | _head(of, header)
    if of.locked:
        style |= {"locked": "1", "movable": "0", "resizable": "0"}
    title = "" if value else _said(of)
    yield Cell(of.id, home.id, style, value, _within(box, home), link=group.link, tooltip=group.tooltip, title=title)
    inner = Home(of.id, Point(box.x, box.y))
    yield from parts(of.id, [item for item in drawn if item is not label], inner, group.opacity)


def _is_covered(text: TextItem, drawn: Sequence[Item]) -> bool:
    """Whether what is drawn as a picture would hide a label of the cell: draw.io paints the cells in it above it."""
    center = words_of(text).box.center
    point = Box(center.x, center.y, 0.0, 0.0)
    filled = (item for item in drawn if isinstance(item, PathItem) and item.fill is not None)
    return any((bounds := path_bounds(item)) is not None and bounds.contains(point) for item in filled)


def _said(of: Element) -> str:
    if isinstance(of, Text):
        return of.content
    found = of.title if isinstance(of, Frame) else of.label if isinstance(of, Node | Group) else None
    return found or ""


def _is_native(item: Item, box: Box) -> bool:
    """Whether draw.io's own shape shows it: a line of the outline in the box, not one that repeats it elsewhere."""
    if not (isinstance(item, PathItem) and item.is_outline):
        return False
    bounds = path_bounds(item)
    return bounds is None or box.grown(_REACH).contains(bounds)


def parts(owner: str, items: Sequence[Item], home: Home, opacity: float) -> Iterator[Cell]:
    """What completes a picture: its paths as one picture, its rasters, its texts."""
    paths = [item for item in items if isinstance(item, PathItem)]
    found = vector_url(paths) if paths else None
    if found is not None:
        yield _picture(f"{owner} picture", *found, home, opacity)
    for number, item in enumerate(items, 1):
        if isinstance(item, PictureItem):
            url, box, _ = raster(item)
            yield _picture(f"{owner} raster {number}", url, box, home, opacity)
        elif isinstance(item, TextItem) and item.runs:
            words = words_of(item)
            style = _TEXT | words.style | PART | opacity_style(opacity)
            box = words.box
            if item.turn:
                style["rotation"] = decimal(item.turn)
                box = before_turning(box, item)
            yield Cell(f"{owner} text {number}", home.id, style, words.html, _within(box, home))


def _picture(key: str, url: str, box: Box, home: Home, opacity: float) -> Cell:
    style: Style = {"shape": "image", "html": "1", "imageAspect": "0", "image": url.replace(";base64", "", 1)}
    return Cell(key, home.id, style | PART | opacity_style(opacity) | {"connectable": "0"}, "", _within(box, home))


def _image(of: Image, picture: PictureItem, box: Box, home: Home, opacity: float) -> Cell:
    """A picture as a picture: stretched where it was cut or stretched, else within its box."""
    url, shown, _ = raster(picture)
    fitted = of.fit == "contain"
    style: Style = {"shape": "image", "html": "1", "imageAspect": "1" if fitted else "0"}
    style |= {"image": url.replace(";base64", "", 1)} | opacity_style(opacity)
    return Cell(of.id, home.id, style, "", _within(box if fitted else shown, home), title=of.alt or "")


def _kept(of: Element) -> Style:
    """What a reader makes of a cell besides its shape: the type of a node, its icon, an outline that draw.io lacks."""
    if isinstance(of, Frame):
        return _marks({"titleInset": None if of.title_inset is None else "1", "icon": of.icon})
    if not isinstance(of, Node):
        return {}
    node_type = of.node_type if keeps_type(of) else None
    is_other = of.shape in _OWN_SHAPES or (node_type is not None and of.shape != kind_of(of).shape)
    return _marks({"nodeType": node_type, "icon": of.icon, "shape": of.shape if is_other else None})


def _marks(said: Mapping[str, str | None]) -> Style:
    return {f"{MARK}.{name}": value for name, value in said.items() if value and not set(value) & _UNSAFE}


def _shape(of: Element, radius: float) -> Style:
    if isinstance(of, Text):
        return {"text": ""}
    if isinstance(of, Group):
        return {"group": ""}
    if isinstance(of, Node):
        style = SHAPES.get(of.shape or "rect", SHAPES["rect"])
        return style | {"arcSize": decimal(2 * radius)} if "absoluteArcSize" in style else dict(style)
    rounded = (
        {"rounded": "1", "absoluteArcSize": "1", "arcSize": decimal(2 * radius)} if radius > 0 else {"rounded": "0"}
    )
    if is_headed(of):
        return {"swimlane": "", **rounded}
    return {"swimlane": "", "rounded": "0"} if is_tiled(of) else rounded


def _banded(of: Frame, style: Style, head: Box) -> Style:
    """The band of a frame with a head: its colour is the cell's, that of the rest what lies below."""
    accent = of.style.accent_color if of.style is not None else None
    return {
        "swimlane": "",
        "startSize": decimal(head.height),
        "fillColor": color_text(accent),
        "swimlaneFillColor": style.get("fillColor", "none"),
    }


def _head(of: Frame | Group, header: Box | None) -> Style:
    """The title band of a pool or a state."""
    if header is None or not (is_tiled(of) or is_headed(of)):
        return {}
    upright = header.height > header.width
    size = {"startSize": decimal(header.width if upright else header.height)}
    return size | ({"horizontal": "0"} if upright else {"horizontal": "1"})


def _from_the_corner(label: Box, box: Box) -> Style:
    """Where a title stands that begins at the left: other fonts are wider, and it must not grow into what is there."""
    style: Style = {"align": "left", "verticalAlign": "top", "spacing": "0"}
    return style | {"spacingLeft": decimal(label.x - box.x), "spacingTop": decimal(label.y - box.y)}


def _within_text(of: Text, words: Box, box: Box) -> Style:
    """Where the letters of a text stand in its box, as it aligns them."""
    style: Style = {"align": _ALIGNED.get(of.align, "left"), "verticalAlign": "top", "spacing": "0"}
    style["spacingTop"] = decimal(max(words.y - box.y, 0.0))
    aside = {"left": words.x - box.x, "right": box.right - words.right}.get(style["align"], 0.0)
    return style | ({f"spacing{style['align'].title()}": decimal(aside)} if aside > 1 else {})


def _placed(words: Words, label: TextItem, box: Box, header: Box | None) -> Style:
    """Where a label stands: from the middle of its cell. The title of a pool stands in its band by itself."""
    if label.turn or header is not None:
        aside = 0.0 if label.turn or header is None else words.box.center.x - header.center.x  # beside an icon
        return {"align": "center", "verticalAlign": "middle"} | (
            {"spacingLeft": decimal(2 * aside)} if aside > 1 else {}
        )
    center, middle = words.box.center, box.center
    style: Style = {"align": "center", "verticalAlign": "middle", "spacing": "0"}
    dx, dy = center.x - middle.x, center.y - middle.y
    if words.box.y >= box.bottom - 1:
        style |= {
            "verticalLabelPosition": "bottom",
            "verticalAlign": "top",
            "spacingTop": decimal(words.box.y - box.bottom),
        }
    elif abs(dy) > 1:
        style["spacingTop" if dy > 0 else "spacingBottom"] = decimal(2 * abs(dy))
    if abs(dx) > 1:
        style["spacingLeft" if dx > 0 else "spacingRight"] = decimal(2 * abs(dx))
    return style


def _within(box: Box, home: Home) -> Box:
    return box.moved(-home.corner.x, -home.corner.y)
