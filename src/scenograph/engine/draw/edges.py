"""An edge: its line and its markers, and apart from them its label. px.

The line is the one that routing finished: it stops where a marker begins and leaves a gap for its label, so nothing has
to be hidden. Only where another line runs behind a label, an edge's or a frame's border, or its author asks for it, the
label stands on a plate.
"""

from __future__ import annotations

from collections.abc import Iterator

from scenograph.engine.colors import READABLE_CONTRAST, contrast, mix, over, readable
from scenograph.engine.draw.sheet import Behind, Patches, Sheet
from scenograph.engine.drawing import DrawnGroup, Item, PathItem
from scenograph.engine.geometry.boxes import Box, text_ground
from scenograph.engine.geometry.paths import rectangle, rounded_rectangle
from scenograph.engine.markers import marker_named
from scenograph.engine.shapes.texts import text_item
from scenograph.engine.tables import FinishedStyle
from scenograph.engine.text.blocks import TextBlock
from scenograph.engine.themes import DEFAULT_THEME, THEMES
from scenograph.late_dataclasses import replace
from scenograph.scene.model import Color, Edge

# The letters of an edge's label where its ground is not what its style was finished for: a line that leaves a light
# frame on a dark page has one style and a label on either. In: the sheet, the edge, the place of its label. Out:
# the style with colours that can be read there, and the plate it needs where no colour can be read on all that lies
# behind it. Colours that the author chose stay. px.


_MUTED_SHARE = 0.25  # how far quiet text fades toward its ground


def label_style(sheet: Sheet, edge: Edge, place: Box, patches: Patches) -> tuple[FinishedStyle, Color | None]:
    """The style of a label without a plate of its own on that ground, and the colour of the plate it must have here."""
    style = sheet.style(edge.id)
    if is_authored(sheet, edge):
        return style, None
    grounds = _grounds(patches, place)
    if all(_reads(style.text_color, ground) for ground in grounds):
        return style, None
    theme = THEMES.get(sheet.laid_out.styles.theme) or THEMES[DEFAULT_THEME]
    inks = (style.text_color, *theme.inks)
    for ink in inks:
        if all(_reads(ink, ground) for ground in grounds):
            return _inked(style, ink, grounds[-1]), None
    return _inked(style, readable(inks, grounds[-1]), grounds[-1]), grounds[-1] if len(grounds) > 1 else None


def _grounds(patches: Patches, place: Box) -> list[Color]:
    """What is seen behind a place, from back to front; what one patch covers wholly is not seen."""
    first, *others = patches
    seen = over(first[1], THEMES[DEFAULT_THEME].background)
    grounds = [] if any(part.contains(place) for part, _ in others) else [seen]
    for _, color in others:
        seen = over(color, seen)
        grounds.append(seen)
    return grounds


def is_authored(sheet: Sheet, edge: Edge) -> bool:
    """Whether the author chose the colours of an edge's label."""
    style = edge.style or sheet.laid_out.scene.styles.get(edge.style_id or "")
    return style is not None and (style.text_color is not None or style.label_background is not None)


def _reads(ink: Color, ground: Color) -> bool:
    return contrast(over(ink, ground), ground) >= READABLE_CONTRAST


def _inked(style: FinishedStyle, ink: Color, ground: Color) -> FinishedStyle:
    quiet = style.muted_color
    muted = quiet if _reads(quiet, ground) else readable((mix(ink, ground, _MUTED_SHARE), ink), ground)
    return replace(style, text_color=ink, muted_color=muted)


LABEL_ROLE = "label"
END_TEXTS = ("from", "to")
PLATE_RADIUS = 3.0  # px; of the ground behind a label


def paint_edge(sheet: Sheet, edge: Edge) -> tuple[DrawnGroup, ...]:
    """The edge's line with its markers; nothing for an edge without a route."""
    route = sheet.laid_out.routes.get(edge.id)
    if route is None or route.tips is None:
        return ()
    style = sheet.style(edge.id)
    stroke, width = style.stroke, style.stroke_width
    items: list[Item] = []
    if route.line:
        items.append(PathItem(route.line, None, stroke, width, style.dash))
    for name, (at, direction) in zip((edge.start_arrow, edge.end_arrow), route.tips, strict=True):
        for path, filled, thickness in marker_named(name).paint(at, direction, width):
            items.append(PathItem(path, stroke) if filled else PathItem(path, None, stroke, thickness))
    return (DrawnGroup(edge.id, edge.kind, tuple(items), style.opacity),)


def paint_edge_label(sheet: Sheet, edge: Edge) -> tuple[DrawnGroup, ...]:
    """The edge's label and those of its ends, each on a plate where a line passes behind it; nothing where there is
    none."""
    route, size = sheet.laid_out.routes.get(edge.id), sheet.laid_out.sizes.get(edge.id)
    if route is None or size is None:
        return ()
    rows = ((size.label, route.label), *zip(map(size.texts.get, END_TEXTS), route.end_labels, strict=True))
    shown = [(block, place) for block, place in rows if place is not None]
    return tuple(
        _label_group(sheet, edge, block, place, behind)
        for (block, place), behind in zip(shown, sheet.behind.get(edge.id, ()), strict=True)
        if block is not None and block.lines
    )


def _label_group(sheet: Sheet, edge: Edge, block: TextBlock, place: Box, behind: Behind) -> DrawnGroup:
    style, ground = label_style(sheet, edge, place, behind.patches)
    plate = tuple(_plate(style, place, ground, behind.plate))
    if plate and style.label_background.alpha <= 0:
        style = _faded_text(style)
    items = (*plate, text_item(block, place, style))
    return DrawnGroup(id=edge.id, kind=edge.kind, items=items, opacity=style.opacity, role=LABEL_ROLE)


def _plate(style: FinishedStyle, label: Box, needed: Color | None, bare: Patches) -> Iterator[Item]:
    """What covers the lines behind a label: the colour that was asked for or that its letters need, else the bare
    ground where it is needed."""
    asked = style.label_background
    color = asked if asked.alpha > 0 else needed
    if color is not None:
        yield PathItem(path=rounded_rectangle(text_ground(label), PLATE_RADIUS), fill=color)
        return
    for part, ground in bare:
        yield PathItem(path=rectangle(part), fill=ground)


def _faded_text(style: FinishedStyle) -> FinishedStyle:
    """The opacity in the letters: bare ground that covers a line must not let it shine through."""
    text, muted = style.text_color, style.muted_color
    return replace(
        style,
        text_color=text._replace(alpha=text.alpha * style.opacity),
        muted_color=muted._replace(alpha=muted.alpha * style.opacity),
        opacity=1.0,
    )
