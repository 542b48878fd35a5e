"""How much room painted things take. px."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scenograph.engine.drawing import Drawing, DrawnGroup, DrawnItem, PictureItem, TextItem
from scenograph.engine.geometry.boxes import Box, Point, union
from scenograph.engine.geometry.paths import Close, Path
from scenograph.late_dataclasses import replace

_LARGEST_SCALE = 2.0  # a small picture is not blown up
_PAPER_MARGIN = 0.03  # of the shorter side of the paper (R-VIEW-8)
_DEPTH = 0.3  # how far letters reach below their baseline, em


def extent_of(item: DrawnItem) -> Box | None:
    """The box of an item with its stroke; None for an item without extent. Curves count with their control points."""
    if isinstance(item, PictureItem):
        return item.box
    if isinstance(item, TextItem):
        return _extent_of_text(item)
    box = union(Box(point.x, point.y, 0.0, 0.0) for point in _points(item.path))
    return box.grown(item.stroke_width / 2) if box is not None and item.stroke is not None else box


def lowest(groups: Iterable[DrawnGroup], left: float, right: float) -> float | None:
    """How far down anything reaches between two columns; a guide crosses the page and does not count."""
    boxes = (extent_of(item) for group in groups if group.kind != "guide" for item in group.items)
    return max((box.bottom for box in boxes if box is not None and box.x < right and box.right > left), default=None)


def painted_extent(drawing: Drawing) -> Box:
    """The box round all that is painted on the page, guides left out; the page of an empty drawing."""
    boxes = (extent_of(item) for group in drawing.groups if group.kind != "guide" for item in group.items)
    content, page = union(box for box in boxes if box is not None), drawing.page
    if content is None or not content.overlaps(page):
        return page
    left, top = max(content.x, page.x), max(content.y, page.y)
    return Box(left, top, min(content.right, page.right) - left, min(content.bottom, page.bottom) - top)


def within_page(drawing: Drawing) -> Drawing:
    """The drawing without groups wholly beside its page: cropped content is not in the file."""
    return replace(drawing, groups=tuple(group for group in drawing.groups if _reaches(group, drawing.page)))


def fitted(drawing: Drawing, columns: float, rows: float) -> Drawing:
    """The drawing in the middle of a picture of this size, px: all of its page, on more of its own background."""
    page = drawing.page
    scale = min(columns / page.width, rows / page.height, _LARGEST_SCALE)
    width, height = columns / scale, rows / scale
    left, top = page.x - (width - page.width) / 2, page.y - (height - page.height) / 2
    return replace(drawing, page=Box(left, top, width, height), scale=scale)


def on_paper(drawing: Drawing, width: float, height: float, *, whole: bool) -> Drawing:
    """The drawing on paper of this size, px, with a margin round all that is painted; round its page unless `whole`."""
    boxes = (extent_of(item) for group in drawing.groups if group.kind != "guide" for item in group.items)
    content = union(box for box in boxes if box is not None) if whole else None
    page = content or drawing.page
    page = Box(page.x, page.y, max(page.width, 1.0), max(page.height, 1.0))
    margin = 2 * _PAPER_MARGIN * min(width, height)
    inner = fitted(replace(drawing, page=page), width - margin, height - margin)
    return replace(inner, page=inner.page.grown(margin / 2 / inner.scale))


def _reaches(group: DrawnGroup, page: Box) -> bool:
    box = union(box for box in map(extent_of, group.items) if box is not None)
    return box is None or page.overlaps(box.grown(1.0))


def _points(path: Path) -> Iterator[Point]:
    for segment in path:
        if not isinstance(segment, Close):
            yield from segment


def _extent_of_text(item: TextItem) -> Box | None:
    box = union(Box(run.at.x, run.at.y - run.font.size, run.width, run.font.size * (1 + _DEPTH)) for run in item.runs)
    if box is None or item.turn % 360 == 0:
        return box
    center = item.pivot
    # Text is only ever turned upright, by a quarter; the box turns with it.
    left, top = box.x - center.x, box.y - center.y
    return Box(center.x + top, center.y - left - box.width, box.height, box.width)
