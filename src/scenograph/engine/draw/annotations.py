"""What stands beside the diagram: free text, pictures, guides. px."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from scenograph.engine.draw.sheet import Sheet
from scenograph.engine.drawing import DrawnGroup, Item, PathItem, PictureItem
from scenograph.engine.families.faces import border_item, outline_item
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.paths import crisp, crisp_box, rounded_rectangle, segment
from scenograph.engine.shapes.texts import text_item
from scenograph.engine.tables import FinishedStyle
from scenograph.scene.image_data import pixel_size, split_href
from scenograph.scene.limits import LIMITS
from scenograph.scene.model import Asset, Guide, Image, Text

# The raster picture behind an image element, if there is one that is safe to draw (R-ELEMENT-10).


_MAX_PIXELS = LIMITS.image_pixels
_CACHED_RASTERS = 16  # images kept; they are large


class Raster(NamedTuple):
    """A picture that can be drawn: its media type, its base64, its width and height in pixels."""

    mime_type: str
    data: str
    pixels: tuple[int, int]


def raster_of(image: Image, assets: Mapping[str, Asset]) -> Raster | None:
    """The picture an image element shows; None when there is none, or none that is what it says it is."""
    asset = assets.get(image.asset_id) if image.asset_id is not None else None
    if asset is not None:
        return _raster(asset.mime_type, asset.data)
    parts = split_href(image.href) if image.href is not None else None
    return _raster(*parts) if parts is not None else None


@lru_cache(maxsize=_CACHED_RASTERS)
def _raster(mime_type: str, data: str) -> Raster | None:
    try:
        pixels = pixel_size(mime_type, b64decode(data, validate=True))
    except ValueError:
        return None
    if pixels is None or pixels[0] * pixels[1] > _MAX_PIXELS:
        return None
    return Raster(mime_type, data, pixels)


def paint_text(sheet: Sheet, text: Text) -> tuple[DrawnGroup, ...]:
    """A text with the box it was given, if that has a paint of its own."""
    place, size = sheet.box(text.id), sheet.laid_out.sizes.get(text.id)
    if place is None:
        return ()
    style = sheet.style(text.id)
    items = list(_panel(crisp_box(place, sheet.stroke_width(text.id)), style))
    if size is not None and size.label is not None and size.label.lines:
        items.append(text_item(size.label, sheet.laid_out.placement.part(text.id, "label") or place, style, text.align))
    return (DrawnGroup(id=text.id, kind=text.kind, items=tuple(items), opacity=style.opacity),)


def paint_image(sheet: Sheet, image: Image) -> tuple[DrawnGroup, ...]:
    """A raster; a crossed box where there is none to show."""
    place = sheet.box(image.id)
    if place is None:
        return ()
    style = sheet.style(image.id)
    raster = raster_of(image, sheet.laid_out.scene.assets)
    if raster is None:
        items = tuple(_missing(crisp_box(place, 1.0), style))
    else:
        mime_type, data, pixels = raster
        items = (PictureItem(box=place, mime_type=mime_type, data=data, pixels=pixels, fit=image.fit, alt=image.alt),)
    return (DrawnGroup(id=image.id, kind=image.kind, items=items, opacity=style.opacity),)


def paint_guide(sheet: Sheet, guide: Guide) -> tuple[DrawnGroup, ...]:
    """A thin dashed line across the page; nothing when it lies off the page."""
    page, style = sheet.page, sheet.style(guide.id)
    at = crisp(guide.position, style.stroke_width)
    if guide.orientation == "vertical":
        ends = Point(at, page.y), Point(at, page.bottom)
        seen = page.x <= at <= page.right
    else:
        ends = Point(page.x, at), Point(page.right, at)
        seen = page.y <= at <= page.bottom
    if not seen:
        return ()
    line = border_item(segment(*ends), style)
    return (DrawnGroup(id=guide.id, kind=guide.kind, items=(line,), opacity=style.opacity),)


def _panel(box: Box, style: FinishedStyle) -> Iterator[Item]:
    if style.fill.alpha > 0 or (style.stroke.alpha > 0 and style.stroke_width > 0):
        yield outline_item(rounded_rectangle(box, style.corner_radius), style)


def _missing(box: Box, style: FinishedStyle) -> Iterator[Item]:
    quiet = style.muted_color
    corners = Point(box.x, box.y), Point(box.right, box.bottom), Point(box.x, box.bottom), Point(box.right, box.y)
    yield PathItem(path=rounded_rectangle(box, 0.0), stroke=quiet, stroke_width=1.0)
    yield PathItem(path=segment(*corners[:2]), stroke=quiet, stroke_width=1.0)
    yield PathItem(path=segment(*corners[2:]), stroke=quiet, stroke_width=1.0)
