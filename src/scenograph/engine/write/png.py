"""An SVG of our own as a PNG, by resvg.

An SVG with outlined letters (`write_svg(drawing, outlined=True)`) is rasterized several times faster than one with
text. For one with text resvg, which ignores `@font-face`, is given the font files that were measured. It sizes the page
by whole pixels, so the page is stretched by less than half a pixel to fill it, and no translucent rim is left.

An opaque page is rasterized in strips, each packed before the next: memory grows with a strip, not with the page. In
each strip only what reaches it is drawn, for reading an SVG takes resvg as long as filling some megapixels.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import compress
from typing import NamedTuple

from svg2png_py import FontDatabase, svg_to_png, svg_to_rgba

from scenograph.engine.drawing import Drawing, PictureItem
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.text.faces import FONT_FILES
from scenograph.engine.write.png_encoding import encoded
from scenograph.engine.write.reach import reach_of
from scenograph.engine.write.svg import OutlinedPage

STRIP = 2_000_000  # pixels; resvg holds 4 bytes of each, and 4 more are the copy that it hands over
# Bytes of a block that is taken and given back untouched. The C library of Linux keeps blocks of up to the largest size
# that was given back for the next ones. Else each strip is made of new pages, which takes as long as to fill them.
FREED = 16 * STRIP

_SIZE = re.compile(r'width="[^"]*" height="[^"]*"')


class Png(NamedTuple):
    """An encoded picture and its size, px."""

    data: bytes
    width: int
    height: int


def png_size(width: float, height: float, scale: float) -> tuple[int, int]:
    """Columns and rows of a page of `width` x `height` px at `scale`; at least one of each."""
    return max(1, round(width * scale)), max(1, round(height * scale))


def png_pixels(width: float, height: float, scale: float) -> int:
    """How many pixels that makes; whoever takes requests refuses too many before anything is drawn."""
    columns, rows = png_size(width, height, scale)
    return columns * rows


def write_png(svg: str, width: float, height: float, scale: float) -> Png:
    """Rasterize what `write_svg` wrote for a page of `width` x `height` px."""
    columns, rows = png_size(width, height, scale)
    fonts = _fonts() if "<text" in svg else _no_fonts()
    return Png(bytes(svg_to_png(_sized(svg, columns, rows), fonts)), columns, rows)


def write_opaque_png(drawing: Drawing, scale: float) -> Png:
    """Rasterize a drawing through whose page nothing shines: the same picture but for rounding
    where strips meet, in less time and memory."""
    columns, rows = png_size(drawing.page.width, drawing.page.height, scale)
    bytes(FREED)
    return Png(encoded(map(_pixels, _strips(drawing, columns, rows)), columns, rows), columns, rows)


def _strips(drawing: Drawing, columns: int, rows: int) -> Iterator[str]:
    """A page from top to bottom in strips of whole rows of pixels; each shows its part of the page."""
    page, outlined = drawing.page, OutlinedPage(drawing)
    step, pixel = max(1, STRIP // columns), page.height / rows
    reaches = [reach_of(group) for group in drawing.groups]
    for first in range(0, rows, step):
        last = min(first + step, rows)
        top, bottom = page.y + pixel * first, page.y + pixel * last
        inside = [lower > top - pixel and upper < bottom + pixel for upper, lower in reaches]
        view = Box(page.x, top, page.width, bottom - top)
        yield outlined.part(view, tuple(compress(drawing.groups, inside)), columns, last - first)


def _pixels(svg: str) -> bytes:
    return svg_to_rgba(svg, _no_fonts())[0]


def straight_pixels(picture: PictureItem) -> tuple[bytes, bytes | None, int, int]:
    """A raster in its own pixels: its colours (3 bytes each, not multiplied by alpha), its alphas (None: all opaque),
    its columns and rows."""
    across, down = picture.pixels
    image = f'<image width="{across}" height="{down}" href="data:{picture.mime_type};base64,{picture.data}"/>'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="{across}" height="{down}">{image}</svg>'
    data, columns, rows = svg_to_rgba(svg, _no_fonts())
    alphas = bytes(data[3::4])
    channels = [bytes(data[channel::4]) for channel in range(3)]
    if alphas.count(255) == len(alphas):
        return _interleaved(channels), None, columns, rows
    straight = [
        bytes(min(255, part * 255 // alpha) if alpha else 0 for part, alpha in zip(channel, alphas, strict=True))
        for channel in channels
    ]
    return _interleaved(straight), alphas, columns, rows


def _interleaved(channels: Sequence[bytes]) -> bytes:
    found = bytearray(len(channels[0]) * len(channels))
    for place, channel in enumerate(channels):
        found[place :: len(channels)] = channel
    return bytes(found)


def _sized(svg: str, columns: int, rows: int) -> str:
    """The same page in whole pixels. `font-optical-sizing` is off because text is measured in one optical size."""
    size = f'width="{columns}" height="{rows}" preserveAspectRatio="none" style="font-optical-sizing:none"'
    return _SIZE.sub(size, svg, count=1)


@cache
def _fonts() -> FontDatabase:
    fonts = FontDatabase()
    for path in FONT_FILES:
        fonts.load_font_file(str(path))
    return fonts


@cache
def _no_fonts() -> FontDatabase:
    return FontDatabase()
