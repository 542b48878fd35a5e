"""From where to where down the page something is painted, so that a strip of the page is drawn without all others.

Rather too far than not far enough: what is drawn in vain takes time, what is left out is missing. px.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import lru_cache

from scenograph.engine.drawing import DrawnGroup, Item, PathItem, PictureItem, TextItem, TextRun
from scenograph.engine.geometry.paths import Close, Path
from scenograph.engine.write.glyphs import Glyph, glyph_path, glyph_run

MITER = 4.0  # SVG's limit: a sharp corner reaches so many widths of its stroke from the line at most
_CACHED_GLYPHS = 8192
_NOWHERE = (math.inf, -math.inf)

Reach = tuple[float, float]  # top and bottom


def reach_of(group: DrawnGroup) -> Reach:
    """The top and the bottom of all that a group paints; curves count with their control points."""
    return _of_all(_of_item(item) for item in group.items)


def _of_item(item: Item) -> Reach:
    if isinstance(item, PathItem):
        return _grown(_of_path(item.path), item.stroke_width * MITER if item.stroke is not None else 0.0)
    if isinstance(item, PictureItem):
        return item.box.y, item.box.bottom
    return _of_text(item)


def _of_text(item: TextItem) -> Reach:
    """Of turned text: all that a full turn would sweep over."""
    top, bottom = _of_all(_of_run(run) for run in item.runs)
    if not item.turn or not item.runs:
        return top, bottom
    left = min(run.at.x - run.font.size for run in item.runs)
    right = max(run.at.x + run.width + run.font.size for run in item.runs)
    corners = ((x - item.pivot.x, y - item.pivot.y) for x in (left, right) for y in (top, bottom))
    farthest = max(math.hypot(*corner) for corner in corners)
    return item.pivot.y - farthest, item.pivot.y + farthest


def _of_run(run: TextRun) -> Reach:
    scale, glyphs, missing = glyph_run(run.text, run.font, right_to_left=run.right_to_left)
    outlines = ((at.y, _heights(glyph)) for glyph, at in glyphs)
    letters = ((y + low, y + high) for y, (low, high) in outlines)
    low, high = _of_all((*letters, *map(_of_path, missing)))
    return run.at.y - high * scale, run.at.y - low * scale


@lru_cache(maxsize=_CACHED_GLYPHS)
def _heights(glyph: Glyph) -> Reach:
    """The lowest and the highest point of an outline, in font units, y upwards."""
    return _of_path(glyph_path(glyph))


def _of_path(path: Path) -> Reach:
    places = list(_places(path))
    return (min(places), max(places)) if places else _NOWHERE


def _of_all(reaches: Iterable[Reach]) -> Reach:
    known = list(reaches)
    return min((low for low, _ in known), default=math.inf), max((high for _, high in known), default=-math.inf)


def _places(path: Path) -> Iterator[float]:
    for segment in path:
        if not isinstance(segment, Close):
            for point in segment:
                yield point.y


def _grown(reach: Reach, by: float) -> Reach:
    return reach[0] - by, reach[1] + by
