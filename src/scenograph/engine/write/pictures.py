"""Pictures inside a file of another program: rasters unchanged, icons and symbols as small SVG files. px."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence

from scenograph.engine.colors import TRANSPARENT
from scenograph.engine.drawing import Drawing, DrawnGroup, LinearGradient, Paint, PathItem, PictureItem, RadialGradient
from scenograph.engine.geometry.boxes import Box, Point, union
from scenograph.engine.geometry.paths import flatten
from scenograph.engine.icons.icon import moved
from scenograph.engine.write.svg import write_svg

Crop = dict[str, float]
_SVG = "image/svg+xml"


def vector_url(items: Sequence[PathItem]) -> tuple[str, Box] | None:
    """Paths as a transparent SVG picture with its box; equal symbols give equal pictures at any place."""
    box = union(box for item in items if (box := path_bounds(item)) is not None)
    if box is None or box.width <= 0 or box.height <= 0:
        return None
    there = tuple(_shifted(item, -box.x, -box.y) for item in items)
    page = Box(0.0, 0.0, box.width, box.height)
    group = DrawnGroup(id="", kind="icon", items=there)
    svg = write_svg(Drawing(page=page, background=TRANSPARENT, groups=(group,), title="Icon"))
    return _data_url(_SVG, b64encode(svg.encode()).decode("ascii")), box


def raster(item: PictureItem) -> tuple[str, Box, Crop | None]:
    """The data URL of a raster, the box it fills, and the visible part (None: all)."""
    url = _data_url(item.mime_type, item.data)
    width, height = item.pixels
    if item.fit == "stretch" or not width or not height:
        return url, item.box, None
    scales = item.box.width / width, item.box.height / height
    if item.fit == "cover" and max(scales) > 0:
        seen = item.box.width / max(scales), item.box.height / max(scales)
        crop = {"x": (width - seen[0]) / 2, "y": (height - seen[1]) / 2, "width": seen[0], "height": seen[1]}
        return url, item.box, {**crop, "naturalWidth": width, "naturalHeight": height}
    shown = width * min(scales), height * min(scales)
    center = item.box.center
    return url, Box(center.x - shown[0] / 2, center.y - shown[1] / 2, *shown), None


def _data_url(mime_type: str, data: str) -> str:
    return f"data:{mime_type};base64,{data}"


def path_bounds(item: PathItem) -> Box | None:
    """The box of a path including half its stroke width, px; None for an empty path."""
    box = union(Box(point.x, point.y, 0.0, 0.0) for chain in flatten(item.path) for point in chain)
    return box.grown(item.stroke_width / 2) if box is not None and item.stroke is not None else box


def _shifted(item: PathItem, dx: float, dy: float) -> PathItem:
    def there(point: Point) -> Point:
        # Rounded, to hide remainders of the original place in the digits.
        return Point(round(point.x + dx, 3), round(point.y + dy, 3))

    def paint(of: Paint | None) -> Paint | None:
        match of:
            case LinearGradient():
                return of._replace(start=there(of.start), end=there(of.end))
            case RadialGradient():
                return of._replace(center=there(of.center))
            case _:
                return of

    path = tuple(moved(segment, there) for segment in item.path)
    return item._replace(path=path, fill=paint(item.fill), stroke=paint(item.stroke))
