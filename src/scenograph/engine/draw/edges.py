"""An edge: its line and its markers, and apart from them its label. px.

The line is the one that routing finished: it stops where a marker begins and leaves a gap for its label, so nothing has
to be hidden. Only where another line runs behind a label, an edge's or a frame's border, or its author asks for it, the
label stands on a plate.
"""

from __future__ import annotations

from collections.abc import Iterator

from scenograph.engine.draw.backdrop import Behind, Patches
from scenograph.engine.draw.label_ink import label_style
from scenograph.engine.draw.sheet import Sheet
from scenograph.engine.drawing import DrawnGroup, Item, PathItem
from scenograph.engine.geometry.boxes import Box, text_ground
from scenograph.engine.geometry.figures import rectangle, rounded_rectangle
from scenograph.engine.markers import marker_named
from scenograph.engine.shapes.texts import text_item
from scenograph.engine.tables import FinishedStyle
from scenograph.engine.text.blocks import TextBlock
from scenograph.late_dataclasses import replace
from scenograph.scene.model import Color, Edge

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
