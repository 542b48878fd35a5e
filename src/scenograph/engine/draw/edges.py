"""An edge: its line and its markers, and apart from them its label. px.

The line stops where a marker begins and leaves a gap for its label, so nothing has to be hidden. Only where another
line runs behind a label, an edge's or a frame's border, or its author asks for it, the label stands on a plate.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from scenograph.engine.draw.attachment import at_rim, on_sharp_lines
from scenograph.engine.draw.gaps import outside
from scenograph.engine.draw.label_ink import label_style
from scenograph.engine.draw.lines import CORNER_RADIUS, Insets, Tip, curve_path, polyline_path, tidy, tips
from scenograph.engine.draw.sheet import Sheet
from scenograph.engine.drawing import DrawnGroup, Item, PathItem
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.figures import rectangle, rounded_rectangle
from scenograph.engine.geometry.paths import Path
from scenograph.engine.markers import Marker, marker_named
from scenograph.engine.shapes.texts import text_item
from scenograph.engine.tables import FinishedStyle, Route
from scenograph.scene.model import Color, Edge

LABEL_ROLE = "label"
LABEL_MARGIN_X, LABEL_MARGIN_Y = 3.0, 1.0
PLATE_RADIUS = 3.0
_CURVED = "curved"
_ROUNDED = {"orthogonal": CORNER_RADIUS}


def paint_edge(sheet: Sheet, edge: Edge) -> tuple[DrawnGroup, ...]:
    """The edge's line with its markers; nothing for an edge without a route."""
    route = sheet.laid_out.routes.get(edge.id)
    if route is None or not route.points:
        return ()
    style = sheet.style(edge.id)
    markers = marker_named(edge.start_arrow), marker_named(edge.end_arrow)
    points, insets = _attached(sheet, edge, route, markers), _insets(markers, style.stroke_width)
    if style.dash and route.points[-1] in sheet.meeting_points:
        # Dashes begin where the lines meet: on the way that they share the gaps lie on each other.
        path, ends = _line(route, points[::-1], Insets(insets.end, insets.start))
        ends = ends[1], ends[0]
    else:
        path, ends = _line(route, points, insets)
    path = _off_end_labels(sheet, edge, _with_gap(path, route, style))
    items: list[Item] = []
    if path:
        items.append(PathItem(path=path, stroke=style.stroke, stroke_width=style.stroke_width, dash=style.dash))
    for marker, end in zip(markers, ends, strict=True):
        items.extend(_marker(marker, end, style))
    return (DrawnGroup(id=edge.id, kind=edge.kind, items=tuple(items), opacity=style.opacity),)


def paint_edge_label(sheet: Sheet, edge: Edge) -> tuple[DrawnGroup, ...]:
    """The edge's label, on a plate where a line passes behind it; nothing where there is none."""
    route, size = sheet.laid_out.routes.get(edge.id), sheet.laid_out.sizes.get(edge.id)
    if route is None or route.label is None or size is None or size.label is None or not size.label.lines:
        return ()
    style, ground = label_style(sheet, edge, route.label)
    plate = tuple(_plate(sheet, edge, route.label, ground))
    if plate and style.label_background.alpha <= 0:
        style = _faded_text(style)
    items = (*plate, text_item(size.label, route.label, style))
    return (DrawnGroup(id=edge.id, kind=edge.kind, items=items, opacity=style.opacity, role=LABEL_ROLE),)


def _insets(markers: tuple[Marker, Marker], width: float) -> Insets:
    start, end = markers
    return Insets(start.inset_at(width), end.inset_at(width))


def _attached(sheet: Sheet, edge: Edge, route: Route, markers: tuple[Marker, Marker]) -> tuple[Point, ...]:
    """The route's points as they are drawn."""
    points = route.points
    if len(points) < 2:
        return points
    if route.router != _CURVED:
        points = on_sharp_lines(points, sheet.style(edge.id).stroke_width)
    marked_start, marked_end = (marker.length > 0 for marker in markers)
    start = at_rim(sheet, edge.source.element_id, points[0], points[1], marked=marked_start)
    end = at_rim(sheet, edge.target.element_id, points[-1], points[-2], marked=marked_end)
    return (start, *points[1:-1], end)


def _line(route: Route, points: Sequence[Point], insets: Insets) -> tuple[Path, tuple[Tip, Tip]]:
    if route.router == _CURVED and len(points) == 3:
        path, start, end = curve_path(points, insets)
        return path, (start, end)
    corners = tidy(points)
    return polyline_path(corners, insets, _ROUNDED.get(route.router, 0.0)), tips(corners)


def _marker(marker: Marker, tip: Tip, style: FinishedStyle) -> Iterator[Item]:
    for painted in marker.paint(tip.at, tip.direction, style.stroke_width):
        if painted.filled:
            yield PathItem(path=painted.path, fill=style.stroke)
        else:
            yield PathItem(path=painted.path, stroke=style.stroke, stroke_width=painted.width)


def _with_gap(path: Path, route: Route, style: FinishedStyle) -> Path:
    """The line without the part behind its own label; a plate that was asked for lies on the whole line."""
    if route.label is None or style.label_background.alpha > 0:
        return path
    return outside(path, _around(route.label))


def _off_end_labels(sheet: Sheet, edge: Edge, path: Path) -> Path:
    """The line without the part behind the labels that stand below its ends: it begins below the text."""
    for end in (edge.source.element_id, edge.target.element_id):
        box, label = sheet.box(end), sheet.laid_out.placement.part(end, "label")
        if box is not None and label is not None and label.y >= box.bottom:
            around = _around(label)
            path = outside(path, Box(around.x, box.bottom, around.width, around.bottom + LABEL_MARGIN_Y - box.bottom))
    return path


def _plate(sheet: Sheet, edge: Edge, label: Box, needed: Color | None) -> Iterator[Item]:
    """What covers the lines behind a label: the colour that was asked for or that its letters need, else the bare
    ground where it is needed."""
    asked, place = sheet.style(edge.id).label_background, _around(label)
    if asked.alpha > 0:
        yield PathItem(path=rounded_rectangle(place, PLATE_RADIUS), fill=asked)
    elif needed is not None:
        yield PathItem(path=rounded_rectangle(place, PLATE_RADIUS), fill=needed)
    elif sheet.ground.is_crossed(label, by_others_than=edge.id):
        for part, color in sheet.ground.within(place):
            yield PathItem(path=rectangle(part), fill=color)


def _faded_text(style: FinishedStyle) -> FinishedStyle:
    """The opacity in the letters: bare ground that covers a line must not let it shine through."""
    text, muted = style.text_color, style.muted_color
    return replace(
        style,
        text_color=text._replace(alpha=text.alpha * style.opacity),
        muted_color=muted._replace(alpha=muted.alpha * style.opacity),
        opacity=1.0,
    )


def _around(label: Box) -> Box:
    return Box(
        label.x - LABEL_MARGIN_X,
        label.y - LABEL_MARGIN_Y,
        label.width + 2 * LABEL_MARGIN_X,
        label.height + 2 * LABEL_MARGIN_Y,
    )
