"""An SVG of our own as a PNG, by resvg.

An SVG with outlined letters (`write_svg(drawing, outlined=True)`) is rasterized several times faster than an SVG with
text. For text, resvg ignores `@font-face` and is given the measured font files. Because resvg sizes the page in whole
pixels, the page is stretched by less than half a pixel to leave no translucent rim. An opaque page is rasterized in
strips, each packed before the next: memory grows with a strip, not with the page. Each strip draws only the elements
within reach, because reading an SVG takes resvg as long as filling some megapixels.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import compress
from struct import pack
from typing import Literal, NamedTuple, Protocol, cast
from zlib import crc32

from svg2png_py import FontDatabase, svg_to_png, svg_to_rgba
from zlib_ng import zlib_ng

from scenograph.engine.drawing import Drawing, DrawnGroup, DrawnItem, PathItem, PictureItem, TextItem, TextRun
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.geometry.paths import Path
from scenograph.engine.text.blocks import Font
from scenograph.engine.text.shaping import FONT_FILES
from scenograph.engine.write.glyphs import Glyph, glyph_path, glyph_run
from scenograph.engine.write.svg import OutlinedPage

# Opaque pixels as a PNG file. Rows equal to the row above, the majority in diagrams, are written with filter "up"; all
# remaining rows with filter "none", since flat colours compress no better by differences. zlib-ng packs the rows in a
# third of the time of resvg's own encoder, to about the same size. https://www.w3.org/TR/png-3/


_SIGNATURE = b"\x89PNG\r\n\x1a\n"
DEPTH, TRUE_COLOR_ALPHA = 8, 6  # bits a channel; red, green, blue, alpha
_CHANNELS = 4
NONE, UP = b"\x00", b"\x02"  # filters of a row
_PACKED_AT_ONCE = (
    65_536  # bytes, some rows: one call for all of a strip leaves the cache, one for each row takes longer
)
LEVEL: Literal[3] = 3  # of zlib-ng: half of the time of 6, files an eighth larger


class _Packer(Protocol):
    """The used part of zlib-ng: its own types leave buffers unspecified."""

    def compress(self, data: bytes, /) -> bytes: ...
    def flush(self) -> bytes: ...


def encoded(strips: Iterable[bytes], columns: int, rows: int) -> bytes:
    """The PNG of `rows` x `columns` pixels of four bytes each, with straight (or full) alpha, delivered in strips of
    whole rows."""
    header = pack(">IIBBBBB", columns, rows, DEPTH, TRUE_COLOR_ALPHA, 0, 0, 0)
    chunks = (b"IHDR", header), (b"IDAT", _packed(strips, columns * _CHANNELS)), (b"IEND", b"")
    return _SIGNATURE + b"".join(_chunk(name, data) for name, data in chunks)


def _packed(strips: Iterable[bytes], stride: int) -> bytes:
    """The rows, `stride` bytes each, filtered and deflated a few at a time, to avoid a copy of the whole picture."""
    packer = cast("_Packer", zlib_ng.compressobj(LEVEL))  # pyright: ignore[reportUnknownMemberType]
    same, last, few = UP + bytes(stride), b"", stride * max(1, _PACKED_AT_ONCE // stride)
    found: list[bytes] = []
    for pixels in strips:
        for begin in range(0, len(pixels), few):
            filtered: list[bytes] = []
            for start in range(begin, min(begin + few, len(pixels)), stride):
                row = pixels[start : start + stride]
                filtered += (same,) if row == last else (NONE, row)
                last = row
            found.append(packer.compress(b"".join(filtered)))
        del pixels  # before the next strip is drawn
    return b"".join((*found, packer.flush()))


def _chunk(name: bytes, data: bytes) -> bytes:
    return pack(">I", len(data)) + name + data + pack(">I", crc32(data, crc32(name)))


# The vertical extent of paint, for drawing a strip of the page without the rest. The estimate errs on the large side: a
# superfluous row costs time, a missing row is an error. px.


_MITER = 4.0  # SVG's limit: a sharp corner reaches so many widths of its stroke from the line at most
_CACHED_GLYPHS = 8192
_CACHED_RUNS = 8192
_NOWHERE = (math.inf, -math.inf)

Reach = tuple[float, float]  # top and bottom


def _reach_of(group: DrawnGroup) -> Reach:
    """The top and the bottom of a group's paint, px; curves count with their control points."""
    return _of_all([_of_item(item) for item in group.items])


def _of_item(item: DrawnItem) -> Reach:
    if isinstance(item, PathItem):
        top, bottom = _of_path(item.path)
        room = item.stroke_width * _MITER if item.stroke is not None else 0.0
        return top - room, bottom + room
    if isinstance(item, PictureItem):
        return item.box.y, item.box.bottom
    return _of_text(item)


def _of_text(item: TextItem) -> Reach:
    """The reach of a text; turned text counts with the full circle around its pivot."""
    top, bottom = _of_all([_of_run(run) for run in item.runs])
    if not item.turn or not item.runs:
        return top, bottom
    left = min(run.at.x - run.font.size for run in item.runs)
    right = max(run.at.x + run.width + run.font.size for run in item.runs)
    corners = ((x - item.pivot.x, y - item.pivot.y) for x in (left, right) for y in (top, bottom))
    farthest = max(math.hypot(*corner) for corner in corners)
    return item.pivot.y - farthest, item.pivot.y + farthest


def _of_run(run: TextRun) -> Reach:
    above, below = _of_letters(run.text, run.font, right_to_left=run.right_to_left)
    return run.at.y + above, run.at.y + below


@lru_cache(maxsize=_CACHED_RUNS)
def _of_letters(text: str, font: Font, *, right_to_left: bool) -> Reach:
    """The reach of a run above and below its baseline, px."""
    scale, glyphs, missing = glyph_run(text, font, right_to_left=right_to_left)
    outlines = ((at.y, _heights(glyph)) for glyph, at in glyphs)
    letters = ((y + low, y + high) for y, (low, high) in outlines)
    low, high = _of_all([*letters, *map(_of_path, missing)])
    return -high * scale, -low * scale


@lru_cache(maxsize=_CACHED_GLYPHS)
def _heights(glyph: Glyph) -> Reach:
    """The lowest and the highest point of an outline, in font units, y upwards."""
    return _of_path(glyph_path(glyph))


def _of_path(path: Path) -> Reach:
    places = [y for segment in path for _, y in segment]
    return (min(places), max(places)) if places else _NOWHERE


def _of_all(reaches: list[Reach]) -> Reach:
    if len(reaches) == 1:
        return reaches[0]
    return min((low for low, _ in reaches), default=math.inf), max((high for _, high in reaches), default=-math.inf)


STRIP = 2_000_000  # pixels; resvg holds 4 bytes of each, and 4 more are the copy that it hands over
# The size of a block allocated and freed untouched. The C library of Linux keeps blocks up to the largest freed size
# for later allocations. Without this, each strip would consist of new pages, and allocating these takes as long as
# filling them.
_FREED = 16 * STRIP

_SIZE = re.compile(r'width="[^"]*" height="[^"]*"')


class Png(NamedTuple):
    """An encoded picture and its size in pixels."""

    data: bytes
    width: int
    height: int


def png_size(width: float, height: float, scale: float) -> tuple[int, int]:
    """Columns and rows of a page of `width` x `height` px at `scale`; at least 1 each."""
    return max(1, round(width * scale)), max(1, round(height * scale))


def png_pixels(width: float, height: float, scale: float) -> int:
    """The number of pixels of a page at `scale`; compared with the limit before anything is drawn."""
    columns, rows = png_size(width, height, scale)
    return columns * rows


def write_png(svg: str, width: float, height: float, scale: float) -> Png:
    """Rasterize the SVG text of a page of `width` x `height` px."""
    columns, rows = png_size(width, height, scale)
    fonts = _fonts() if "<text" in svg else _no_fonts()
    return Png(bytes(svg_to_png(_sized(svg, columns, rows), fonts)), columns, rows)


def write_opaque_png(drawing: Drawing, scale: float) -> Png:
    """Rasterize a drawing with an opaque page: equal to `write_png` except for rounding at strip borders, in less time
    and memory."""
    columns, rows = png_size(drawing.page.width, drawing.page.height, scale)
    bytes(_FREED)
    return Png(encoded(map(_pixels, _strips(drawing, columns, rows)), columns, rows), columns, rows)


def _strips(drawing: Drawing, columns: int, rows: int) -> Iterator[str]:
    """The SVG texts of a page in horizontal strips of whole pixel rows, from top to bottom."""
    page, outlined = drawing.page, OutlinedPage(drawing)
    step, pixel = max(1, STRIP // columns), page.height / rows
    reaches = [_reach_of(group) for group in drawing.groups]
    for first in range(0, rows, step):
        last = min(first + step, rows)
        top, bottom = page.y + pixel * first, page.y + pixel * last
        inside = [lower > top - pixel and upper < bottom + pixel for upper, lower in reaches]
        view = Box(page.x, top, page.width, bottom - top)
        yield outlined.part(view, tuple(compress(drawing.groups, inside)), columns, last - first)


def _pixels(svg: str) -> bytes:
    return svg_to_rgba(svg, _no_fonts())[0]


def straight_pixels(picture: PictureItem) -> tuple[bytes, bytes | None, int, int]:
    """The pixels of a raster: colours (3 bytes each, straight alpha), alphas (None: all opaque), columns and rows."""
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
