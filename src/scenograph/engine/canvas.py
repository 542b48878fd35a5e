"""The page: the declared canvas as a minimum, grown to avoid clipping (R-PAGE-1, R-PAGE-2, R-PAGE-3, R-DOC-5).

An undeclared dimension is the content's with 40 px around, which is no extension; a former corner of the page is kept
as long as the margin remains. Content beyond the declared border moves the border to 40 px outside; on the left and
above, the page's origin becomes negative.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from scenograph.diagnostics import (
    ASPECT_RATIO_MISSED,
    CANVAS_AUTO_EXTENDED,
    CANVAS_AUTO_TIGHTENED,
    CANVAS_CONTENT_OFFSET,
    CANVAS_OVERRIDDEN,
    Report,
)
from scenograph.engine.geometry.boxes import Box, Point, union
from scenograph.engine.page import MARGIN, is_loose, is_missed, tightened_height
from scenograph.engine.tables import CanvasBox, DrawnRoute, Placement, Routes, Sizes
from scenograph.scene.model import Canvas, Scene, View

OFFSET_SHARE = 0.1  # of the canvas (R-PAGE-3)
DECIMALS = 2  # of px in the result
CROP_MARGIN = 24.0  # px; round what a view names (R-VIEW-4)
AXES = {(True, True): "both", (True, False): "horizontal", (False, True): "vertical"}


class _PageSide(NamedTuple):
    """One dimension of the page: start and length."""

    start: float
    length: float
    extended: bool = False


def fit_canvas(
    scene: Scene, sizes: Sizes, placement: Placement, routes: Routes, report: Report, *, former: Point | None = None
) -> CanvasBox:
    """The final page; `former` is its earlier corner. Reports CANVAS_AUTO_EXTENDED, CANVAS_AUTO_TIGHTENED and
    CANVAS_CONTENT_OFFSET."""
    # A wished shape would be lost on a page that is padded to the declared size.
    declared = scene.canvas if scene.aspect_ratio is None else Canvas()
    content = content_of(sizes, placement, routes) or Box(MARGIN, MARGIN, 0.0, 0.0)
    across = _span(declared.width, content.x, content.right, None if former is None else former.x)
    along = _span(declared.height, content.y, content.bottom, None if former is None else former.y)
    if across.extended or along.extended:
        _report_extended(scene, across, along, report)
    if declared.height is not None and not along.extended and is_loose(declared.height, content):
        along = _tightened(declared.height, content, along, report)
    canvas = CanvasBox(width=across.length, height=along.length, origin=Point(across.start, along.start))
    if _has_user_position(scene, placement):
        _report_offset(canvas, content, report)
    return canvas


_WHY = {
    "family": "the charts of its family have a shape of their own",
    "placed": "given or former places leave no other shape",
    "crossings": "in nearer layouts more than half as many lines again cross",
    "content": "no layout of this content comes nearer",
}
"""The sentence on each reason for a missed shape."""


def report_shape(scene: Scene, view: View, canvas: CanvasBox, reason: str, report: Report) -> None:
    """CANVAS_OVERRIDDEN and ASPECT_RATIO_MISSED of a wished shape; `reason` is one of _WHY."""
    wish = scene.aspect_ratio
    if wish is None:
        return
    if scene.canvas.width is not None or scene.canvas.height is not None:
        report.add(CANVAS_OVERRIDDEN, path="/scene/canvas")
    if is_missed(canvas, wish):
        paths = {"/view/page": view.page, "/view/aspectRatio": view.aspect_ratio}
        path = next((path for path, said in paths.items() if said is not None), "/layoutStrategy/aspectRatio")
        asked, got = _told(wish), _told(canvas.width / canvas.height)
        data = {"asked": asked, "got": got, "reason": reason}
        report.add(ASPECT_RATIO_MISSED, path=path, data=data, asked=f"{asked:g}", got=f"{got:g}", why=_WHY[reason])


def _told(shape: float) -> float:
    """A width / height with three digits that count: a narrow page is no 0."""
    return float(f"{shape:.3g}")


def crop_canvas(ids: Collection[str], sizes: Sizes, placement: Placement, routes: Routes) -> CanvasBox | None:
    """A page around the given elements with CROP_MARGIN; None if no element has a place."""
    boxes = {key: box for key, box in placement.boxes.items() if key in ids}
    parts = {key: rows for key, rows in placement.parts.items() if key in ids}
    lines = {key: route for key, route in routes.items() if key in ids}
    content = content_of(sizes, Placement(boxes=boxes, parts=parts), lines)
    if content is None:
        return None
    page = content.grown(CROP_MARGIN)
    return CanvasBox(width=page.width, height=page.height, origin=Point(page.x, page.y))


def content_of(sizes: Sizes, placement: Placement, routes: Routes) -> Box | None:
    """The smallest box around all visible content: boxes with their outsets and parts, routes and labels."""
    boxes = [
        box if (size := sizes.get(key)) is None else box.with_outset(size.outset)
        for key, box in placement.boxes.items()
    ]
    for parts in placement.parts.values():
        boxes += parts.values()
    boxes += [box for route in routes.values() for box in (route.label, *route.end_labels) if box is not None]
    points = [point for route in routes.values() for point in _reached(route)]
    if points:
        xs, ys = zip(*points, strict=True)
        boxes += Box(min(xs), min(ys), 0.0, 0.0), Box(max(xs), max(ys), 0.0, 0.0)
    return union(boxes)


def _reached(route: DrawnRoute) -> Sequence[Point]:
    """The extreme points of a route, to bound its extent."""
    points = route.points
    if route.router == "curved" and len(points) == 3:
        start, control, end = points
        return start, *_turning_points(start, control, end), end
    return points


def _turning_points(start: Point, control: Point, end: Point) -> Iterator[Point]:
    """The extreme points of a quadratic Bezier curve between its ends, per axis."""
    for side in (0, 1):
        bend = start[side] - 2 * control[side] + end[side]
        t = (start[side] - control[side]) / bend if bend else 0.0
        if 0 < t < 1:
            a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
            yield Point(a * start.x + b * control.x + c * end.x, a * start.y + b * control.y + c * end.y)


def _span(declared: float | None, low: float, high: float, former: float | None) -> _PageSide:
    if declared is None:
        start = round(low - MARGIN, DECIMALS)  # as stored: a page drawn again from its corner has the same extent
        start = start if former is None else min(former, start)
        return _PageSide(start, high + MARGIN - start)
    if low >= 0 and high <= declared:
        return _PageSide(0.0, declared)
    start = round(low - MARGIN, DECIMALS) if low < 0 else 0.0
    end = high + MARGIN if high > declared else declared
    return _PageSide(start, end - start, extended=True)


def _report_extended(scene: Scene, across: _PageSide, along: _PageSide, report: Report) -> None:
    width, height = round(across.length, DECIMALS), round(along.length, DECIMALS)
    report.add(
        CANVAS_AUTO_EXTENDED,
        path="/scene/canvas",
        data={
            "declaredWidth": scene.canvas.width,
            "declaredHeight": scene.canvas.height,
            "width": width,
            "height": height,
            "extendedDimensions": [name for name, span in (("width", across), ("height", along)) if span.extended],
        },
        width=f"{width:g}",
        height=f"{height:g}",
    )


def _tightened(declared: float, content: Box, along: _PageSide, report: Report) -> _PageSide:
    height = tightened_height(declared, content)
    if height >= declared:
        return along
    report.add(
        CANVAS_AUTO_TIGHTENED,
        path="/scene/canvas",
        data={
            "declaredHeight": declared,
            "height": round(height, DECIMALS),
            "contentWidth": round(content.width, DECIMALS),
            "contentHeight": round(content.height, DECIMALS),
        },
        height=f"{round(height, DECIMALS):g}",
        declared=f"{declared:g}",
    )
    return _PageSide(0.0, height)


def _has_user_position(scene: Scene, placement: Placement) -> bool:
    """Whether a node stands at its authored place."""
    return any(
        node.layout.mode == "absolute"
        and node.id in placement.boxes
        and placement.boxes[node.id][:2] == (node.layout.x or 0.0, node.layout.y or 0.0)
        for node in scene.nodes
    )


def _report_offset(canvas: CanvasBox, content: Box, report: Report) -> None:
    dx = content.center.x - (canvas.origin.x + canvas.width / 2)
    dy = content.center.y - (canvas.origin.y + canvas.height / 2)
    axis = AXES.get((abs(dx) > OFFSET_SHARE * canvas.width, abs(dy) > OFFSET_SHARE * canvas.height))
    if axis is None:
        return
    bounds = {"minX": content.x, "minY": content.y, "maxX": content.right, "maxY": content.bottom}
    report.add(
        CANVAS_CONTENT_OFFSET,
        path="/scene/canvas",
        data={
            "axis": axis,
            "canvasWidth": round(canvas.width, DECIMALS),
            "canvasHeight": round(canvas.height, DECIMALS),
            "contentBounds": {name: round(value, DECIMALS) for name, value in bounds.items()},
            "horizontalOffsetPx": round(dx, DECIMALS),
            "verticalOffsetPx": round(dy, DECIMALS),
        },
        across=_distance(dx, "to the left of", "to the right of"),
        along=_distance(dy, "above", "below"),
    )


def _distance(px: float, before: str, after: str) -> str:
    """A distance in px with its side, in words."""
    return f"{abs(round(px)):d} px {before if round(px) < 0 else after}"
