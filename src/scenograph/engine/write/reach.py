"""From where to where down the page something is painted, so that a strip of the page is drawn without all others.

Rather too far than not far enough: what is drawn in vain takes time, what is left out is missing. px.
"""

from __future__ import annotations

import math
from functools import lru_cache

from scenograph.engine.drawing import DrawnGroup, Item, PathItem, PictureItem, TextItem, TextRun
from scenograph.engine.geometry.paths import Path
from scenograph.engine.text.blocks import Font
from scenograph.engine.write.glyphs import Glyph, glyph_path, glyph_run

MITER = 4.0  # SVG's limit: a sharp corner reaches so many widths of its stroke from the line at most
_CACHED_GLYPHS = 8192
_CACHED_RUNS = 8192
_NOWHERE = (math.inf, -math.inf)

Reach = tuple[float, float]  # top and bottom


def reach_of(group: DrawnGroup) -> Reach:
    """The top and the bottom of all that a group paints; curves count with their control points."""
    return _of_all([_of_item(item) for item in group.items])


def _of_item(item: Item) -> Reach:
    if isinstance(item, PathItem):
        top, bottom = _of_path(item.path)
        room = item.stroke_width * MITER if item.stroke is not None else 0.0
        return top - room, bottom + room
    if isinstance(item, PictureItem):
        return item.box.y, item.box.bottom
    return _of_text(item)


def _of_text(item: TextItem) -> Reach:
    """Of turned text: all that a full turn would sweep over."""
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
    """How far a run reaches from its baseline."""
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
