"""Frames and groups: a border, a header band where there is one, a title. px.

A header band (part `header`) is cut off from the content by a line. Where the band stands upright at the left, its
title is read upwards (R-POOL-2).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from scenograph.engine.colors import WHITE, over
from scenograph.engine.draw.nodes import ground_of
from scenograph.engine.draw.sheet import Sheet, is_painted_container
from scenograph.engine.drawing import DrawnGroup, Item, PathItem
from scenograph.engine.families.catalog import frame_kind
from scenograph.engine.families.faces import glyph_items, outline_item
from scenograph.engine.families.family import FrameFace
from scenograph.engine.families.icon_nodes import shown_icon
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import crisp, crisp_box, rounded_rectangle, segment
from scenograph.engine.shapes.texts import text_item, upward_text_item
from scenograph.engine.tables import NO_PARTS
from scenograph.scene.model import Frame, Group


def paint_frame(sheet: Sheet, frame: Frame) -> tuple[DrawnGroup, ...]:
    """The frame's group, its content excluded; nothing for a frame without a place."""
    return _container(sheet, frame)


def paint_group(sheet: Sheet, group: Group) -> tuple[DrawnGroup, ...]:
    """The same for a group, which is only seen when it has a style."""
    return _container(sheet, group) if is_painted_container(group) else ()


def _container(sheet: Sheet, element: Frame | Group) -> tuple[DrawnGroup, ...]:
    place = sheet.box(element.id)
    if place is None:
        return ()
    style = sheet.style(element.id)
    box = crisp_box(place, sheet.stroke_width(element.id))
    border = outline_item(rounded_rectangle(box, style.corner_radius), style)
    kind = frame_kind(element.container_type) if isinstance(element, Frame) else None
    borders = () if kind is not None and not kind.border else (border,)
    writing = (*_writing(sheet, element, box), *_icon(sheet, element))
    ruled = (*_head(sheet, element, box), *_separator(sheet, element.id, box))
    items: tuple[Item, ...] = (*borders, *ruled, *writing)
    return (DrawnGroup(id=element.id, kind=element.kind, items=items, opacity=style.opacity),)


def _head(sheet: Sheet, element: Frame | Group, box: Box) -> Iterator[Item]:
    """The band of a frame that has one: in the accent that its author gave, cut off from the content by a line."""
    head = sheet.laid_out.placement.part(element.id, "head")
    if head is None:
        return
    style, accent = sheet.style(element.id), element.style.accent_color if element.style is not None else None
    y = crisp(head.bottom, style.stroke_width)
    inner = style.stroke_width / 2
    if accent is not None:
        band = Box(box.x + inner, box.y + inner, max(box.width - 2 * inner, 0.0), max(y - box.y - inner, 0.0))
        yield PathItem(path=rounded_rectangle(band, max(style.corner_radius - inner, 0.0)), fill=accent)
    yield PathItem(segment(Point(box.x, y), Point(box.right, y)), None, style.stroke, style.stroke_width, style.dash)


def _separator(sheet: Sheet, element_id: str, box: Box) -> Iterator[Item]:
    header = sheet.laid_out.placement.part(element_id, "header")
    if header is None:
        return
    style = sheet.style(element_id)
    if _is_upright(header):
        x = crisp(header.right, style.stroke_width)
        path = segment(Point(x, box.y), Point(x, box.bottom))
    else:
        y = crisp(header.bottom, style.stroke_width)
        path = segment(Point(box.x, y), Point(box.right, y))
    yield PathItem(path=path, stroke=style.stroke, stroke_width=style.stroke_width, is_outline=True)


def _writing(sheet: Sheet, element: Frame | Group, box: Box) -> Iterator[Item]:
    """What a container type of its own paints; otherwise the title."""
    kind = frame_kind(element.container_type) if isinstance(element, Frame) else None
    size = sheet.laid_out.sizes.get(element.id)
    if kind is None or size is None or not isinstance(element, Frame):
        return _title(sheet, element.id)
    if kind.paint is None:
        marks = () if kind.marks is None else glyph_items(kind.marks(element, box), sheet.style(element.id))
        return chain(marks, _title(sheet, element.id))
    parts = sheet.laid_out.placement.parts.get(element.id, NO_PARTS)
    width = sheet.stroke_width(element.id)
    sharp = {name: crisp_box(part, width) if name not in size.texts else part for name, part in parts.items()}
    style, page = sheet.style(element.id), over(sheet.laid_out.styles.background, WHITE)
    return kind.paint(FrameFace(frame=element, box=box, size=size, parts=sharp, style=style, page=page))


def _title(sheet: Sheet, element_id: str) -> Iterator[Item]:
    size, placement = sheet.laid_out.sizes.get(element_id), sheet.laid_out.placement
    if size is None or size.label is None or not size.label.lines:
        return
    header, title = placement.part(element_id, "header"), placement.part(element_id, "title")
    style = sheet.style(element_id)
    if header is not None:
        written = upward_text_item if _is_upright(header) else text_item
        yield written(size.label, header, style)
    elif title is not None:
        yield text_item(size.label, title, style, "start")


def _icon(sheet: Sheet, element: Frame | Group) -> tuple[Item, ...]:
    """A frame's icon at the beginning of its title: at the left, or below a title that is read upwards."""
    icon = shown_icon(element) if isinstance(element, Frame) else None
    size, placement = sheet.laid_out.sizes.get(element.id), sheet.laid_out.placement
    title, header = placement.part(element.id, "title"), placement.part(element.id, "header")
    if icon is None or size is None or title is None or not size.icon:
        return ()
    side, style = size.icon, sheet.style(element.id)
    if header is not None and _is_upright(header):
        box = Box(title.center.x - side / 2, title.bottom - side, side, side)
    else:
        box = Box(title.x, title.center.y - side / 2, side, side)
    return icon.items(box, style.text_color, ground_of(style))


def _is_upright(header: Box) -> bool:
    return header.height > header.width
