"""What stands beside the diagram: a title above, a panel at a corner, the legend of a visual diff at the lower left, a
watermark at the lower right. px.

Each is added to a finished drawing. The page grows where content is in the way or the page is too small: what stands
beside covers nothing and stands whole on the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import ceil, fsum
from typing import NamedTuple

from scenograph.engine.colors import over, readable
from scenograph.engine.draw.changes import CHANGES, Treatment, restroked
from scenograph.engine.drawing import Drawing, DrawnGroup, DrawnItem, PathItem, TextItem, TextRun
from scenograph.engine.extent import extent_of, lowest, painted_extent
from scenograph.engine.geometry.boxes import Box, Point, union
from scenograph.engine.geometry.paths import rectangle, rounded_rectangle
from scenograph.engine.text.blocks import Font, TextBlock
from scenograph.engine.text.layout import lay_text
from scenograph.engine.text_in_shapes import placed_runs
from scenograph.engine.themes import Theme
from scenograph.late_dataclasses import replace
from scenograph.scene.model import Color

MARGIN = 16.0
"""Between a footer and the borders of the page."""
GAP = 12.0
"""The least gap between a footer and the content above."""

TITLE_SIZE = 18.0  # px; of the letters
TITLE_GAP = 20.0  # px; between the title and the content
PANEL_GAP = 24.0  # px; between a panel and the content
_ROUND = 24.0  # px; between a title or a panel and the borders of the page
_LEAST_TITLE = 240.0  # px; a title is not wrapped narrower
_PADDING = 12.0  # px; in the panel of a legend
_SWATCH = (22.0, 14.0)  # px; of a colour's sample
_SWATCH_GAP, _ENTRY_GAP, _ROW_GAP = 8.0, 20.0, 8.0  # px; behind a sample, between entries, between rows
_PANEL_RADIUS, _SWATCH_RADIUS = 6.0, 3.0  # px; corners of the panel and of a sample
_SMALL, _SMALL_BY_HAND = 12.0, 14.0  # px; printed and handwritten letters; handwriting looks smaller
_LEAST_LINE = 120.0  # a watermark is not wrapped narrower


class _LegendEntry(NamedTuple):
    treatment: Treatment
    text: TextBlock

    @property
    def width(self) -> float:
        return _SWATCH[0] + _SWATCH_GAP + self.text.width

    @property
    def height(self) -> float:
        return max(_SWATCH[1], self.text.height)


def with_title(drawing: Drawing, text: str, theme: Theme) -> Drawing:
    """The drawing with a title above the content, at its left."""
    font = theme.fonts.title._replace(size=TITLE_SIZE)
    content = painted_extent(drawing)
    block = lay_text(text, font, max(content.width, _LEAST_TITLE))
    height = float(ceil(block.height))
    place = Box(content.x, content.y - TITLE_GAP - height, block.width, height)
    drawing, covers = _grown_round(drawing, place, theme)
    items = (*covers, _text(block, place, _Ink.on(drawing, theme).text))
    return replace(drawing, groups=(*drawing.groups, DrawnGroup(id="", kind="text", items=items, role="title")))


def with_panel(
    drawing: Drawing, size: tuple[float, float], corner: str, theme: Theme
) -> tuple[Drawing, Box, tuple[DrawnItem, ...]]:
    """The drawing with room for a panel outside its content, the panel's place, and its paint. `corner` is bottomLeft,
    bottomRight, topLeft or topRight."""
    content, (width, height) = painted_extent(drawing), map(float, map(ceil, size))
    x = content.x if corner.endswith("Left") else content.right - width
    y = content.bottom + PANEL_GAP if corner.startswith("bottom") else content.y - PANEL_GAP - height
    place = Box(float(round(x)), float(round(y)), width, height)
    drawing, covers = _grown_round(drawing, place, theme)
    return drawing, place, (*covers, _panel(place, _Ink.on(drawing, theme)))


def text_on(drawing: Drawing, theme: Theme, block: TextBlock, place: Box) -> TextItem:
    """Lines of text on the page, at the left of their place."""
    return _text(block, place, _Ink.on(drawing, theme).text)


def _grown_round(drawing: Drawing, place: Box, theme: Theme) -> tuple[Drawing, tuple[DrawnItem, ...]]:
    """The drawing on a page that holds a place with its margin, and grounds on the page's new strips as far as a crop
    left something there."""
    old, ground = drawing.page, over(drawing.background, theme.background)
    page = union((old, place.grown(_ROUND))) or old
    strips = (
        Box(page.x, page.y, page.width, old.y - page.y),
        Box(page.x, old.bottom, page.width, page.bottom - old.bottom),
        Box(page.x, old.y, old.x - page.x, old.height),
        Box(old.right, old.y, page.right - old.right, old.height),
    )
    beyond = [box for group in drawing.groups for item in group.items if (box := extent_of(item)) is not None]
    covers = (PathItem(path=rectangle(one), fill=ground) for one in strips if any(map(one.overlaps, beyond)))
    return replace(drawing, page=page), tuple(covers)


def with_legend(drawing: Drawing, changes: Mapping[str, str], theme: Theme) -> Drawing:
    """The drawing with a legend of the diff: each colour with its count of elements, in one row on a wide page, else in
    one column."""
    font = small_font(theme)._replace(weight=500)
    counts = [sum(change == name for change in changes.values()) for name in CHANGES]
    entries = [
        _LegendEntry(treatment, lay_text(f"{treatment.title} {count}", font))
        for treatment, count in zip(CHANGES.values(), counts, strict=True)
    ]
    row = fsum(entry.width for entry in entries) + _ENTRY_GAP * (len(entries) - 1) + 2 * _PADDING
    in_a_row = row + 2 * MARGIN <= drawing.page.width
    width = row if in_a_row else max(entry.width for entry in entries) + 2 * _PADDING
    lines = [entry.height for entry in (entries[:1] if in_a_row else entries)]
    height = fsum(lines) + _ROW_GAP * (len(lines) - 1) + 2 * _ROW_GAP
    drawing = _widened(drawing, width + 2 * MARGIN)
    drawing, panel = _with_room(drawing, Box(drawing.page.x + MARGIN, 0.0, round(width), round(height)))
    items = tuple(_legend(panel, entries, _Ink.on(drawing, theme), in_a_row=in_a_row))
    return replace(drawing, groups=(*drawing.groups, DrawnGroup(id="", kind="diff", items=items, role="legend")))


def with_watermark(drawing: Drawing, text: str, theme: Theme) -> Drawing:
    """The drawing with a quiet line of text at the bottom right, wrapped on a narrow page."""
    drawing = _widened(drawing, _LEAST_LINE + 2 * MARGIN)
    block = lay_text(text, small_font(theme), drawing.page.width - 2 * MARGIN)
    left = drawing.page.right - MARGIN - block.width
    drawing, place = _with_room(drawing, Box(left, 0.0, block.width, float(ceil(block.height))))
    item = _text(block, place, _Ink.on(drawing, theme).quiet, to_the_right=True)
    return replace(drawing, groups=(*drawing.groups, DrawnGroup(id="", kind="text", items=(item,), role="watermark")))


class _Ink(NamedTuple):
    """The colour of the page, and colours legible on it."""

    ground: Color
    text: Color
    quiet: Color
    line: Color

    @staticmethod
    def on(drawing: Drawing, theme: Theme) -> _Ink:
        ground = over(drawing.background, theme.background)
        text = readable((theme.text, *theme.inks), ground)
        return _Ink(ground, text, readable((theme.muted, text), ground), theme.frame_stroke())


def small_font(theme: Theme) -> Font:
    """Small letters: of legends and watermarks."""
    return theme.fonts.edge._replace(size=_SMALL_BY_HAND if theme.hand_drawn else _SMALL)


def _widened(drawing: Drawing, width: float) -> Drawing:
    page = drawing.page
    return drawing if page.width >= width else replace(drawing, page=page._replace(width=width))


def _with_room(drawing: Drawing, size: Box) -> tuple[Drawing, Box]:
    """The drawing with free room for a footer at the bottom, and the place of the footer."""
    page = drawing.page
    low = lowest(drawing.groups, size.x - GAP, size.right + GAP)
    top, least = page.bottom - MARGIN - size.height, page.y + MARGIN if low is None else low + GAP
    if least > top:
        top = float(round(least))
        page = page._replace(height=max(page.height, top + size.height + MARGIN - page.y))
    return replace(drawing, page=page), size._replace(y=top)


def _panel(panel: Box, ink: _Ink) -> PathItem:
    border = rounded_rectangle(Box(panel.x + 0.5, panel.y + 0.5, panel.width - 1, panel.height - 1), _PANEL_RADIUS)
    return PathItem(path=border, fill=ink.ground, stroke=ink.line, stroke_width=1.0)


def _legend(panel: Box, entries: list[_LegendEntry], ink: _Ink, *, in_a_row: bool) -> Iterator[DrawnItem]:
    yield _panel(panel, ink)
    x, y = panel.x + _PADDING, panel.y + _ROW_GAP
    for entry in entries:
        yield _swatch(entry, x, y, ink)
        box = Box(x + _SWATCH[0] + _SWATCH_GAP, y, entry.text.width, entry.height)
        yield _text(entry.text, box, ink.text)
        if in_a_row:
            x += entry.width + _ENTRY_GAP
        else:
            y += entry.height + _ROW_GAP


def _swatch(entry: _LegendEntry, x: float, y: float, ink: _Ink) -> PathItem:
    """A small border in the colour of a change, at full strength for recognition."""
    width, height = _SWATCH
    path = rounded_rectangle(Box(round(x), round(y + (entry.height - height) / 2), width, height), _SWATCH_RADIUS)
    treatment = entry.treatment
    if treatment.stroke is None:
        own = ink.text._replace(alpha=treatment.opacity)
        return PathItem(path=path, stroke=own, stroke_width=1.5)
    return restroked(PathItem(path=path), treatment)


def _text(block: TextBlock, box: Box, color: Color, *, to_the_right: bool = False) -> TextItem:
    first = box.y + (box.height - block.height) / 2 + block.ascent
    runs: list[TextRun] = []
    for number, line in enumerate(block.lines):
        left = box.right - line.width if to_the_right else box.x
        baseline = round(first + number * block.line_height)
        runs.extend(placed_runs(line, Point(left, baseline), color))
    return TextItem(runs=tuple(runs))
