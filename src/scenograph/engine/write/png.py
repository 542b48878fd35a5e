"""An SVG of our own as a PNG, by resvg.

An SVG with outlined letters (`write_svg(drawing, outlined=True)`) is rasterized several times faster than one with
text. For one with text resvg, which ignores `@font-face`, is given the font files that were measured. It sizes the page
by whole pixels, so the page is stretched by less than half a pixel to fill it, and no translucent rim is left.

An opaque page is rasterized in strips, each packed before the next: memory grows with a strip, not with the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from svg2png_py import FontDatabase, svg_to_png, svg_to_rgba

from scenograph.engine.drawing import PictureItem
from scenograph.engine.text.faces import FONT_FILES
from scenograph.engine.write.png_encoding import encoded

STRIP = 8_000_000  # pixels; resvg holds 8 bytes of each, and reads the SVG once more for each strip

_SIZE = re.compile(r'width="[^"]*" height="[^"]*"')
_VIEW = re.compile(r'viewBox="([^"]*)"')


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


def write_png(svg: str, width: float, height: float, scale: float, *, is_opaque: bool = False) -> Png:
    """Rasterize what `write_svg` wrote for a page of `width` x `height` px; faster where nothing shines through it."""
    columns, rows = png_size(width, height, scale)
    fonts = _fonts() if "<text" in svg else _no_fonts()
    if is_opaque:
        return Png(encoded(_strips(svg, fonts, columns, rows), columns, rows), columns, rows)
    return Png(bytes(svg_to_png(_sized(svg, columns, rows), fonts)), columns, rows)


def _strips(svg: str, fonts: FontDatabase, columns: int, rows: int) -> Iterator[bytes]:
    """The pixels of a page from top to bottom, in strips of whole rows; each shows its part of the page."""
    step = max(1, STRIP // columns)
    if rows <= step:
        yield svg_to_rgba(_sized(svg, columns, rows), fonts)[0]
        return
    left, top, width, height = (float(part) for part in _VIEW.findall(svg)[0].split())
    for first in range(0, rows, step):
        count = min(step, rows - first)
        view = f'viewBox="{left} {top + height * first / rows} {width} {height * count / rows}"'
        yield svg_to_rgba(_sized(_VIEW.sub(view, svg, count=1), columns, count), fonts)[0]


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
