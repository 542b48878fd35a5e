"""An SVG of our own as a PNG, by resvg.

An SVG with outlined letters (`write_svg(drawing, outlined=True)`) is rasterized several times faster than one with
text. For one with text resvg, which ignores `@font-face`, is given the font files that were measured. It sizes the page
by whole pixels, so the page is stretched by less than half a pixel to fill it, and no translucent rim is left.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from svg2png_py import FontDatabase, svg_to_png

from scenograph.engine.text.faces import FONT_FILES

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
    data = svg_to_png(_sized(svg, columns, rows), fonts)
    return Png(bytes(data), columns, rows)


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
