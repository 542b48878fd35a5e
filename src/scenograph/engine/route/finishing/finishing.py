"""The last step of routing: every line as the pen draws it.

In: routes from outline to outline, with styles and placement. Out: the same routes with their corners on sharp lines
and their ends on the rims that are really drawn; the path of the pen, which stops before markers, turns with round
corners, and leaves gaps for texts; and the tips where markers stand. Nothing about a line is decided after this. px.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box, Point, maker, text_ground
from scenograph.engine.geometry.paths import Path
from scenograph.engine.kernels.straight_lines import rounded
from scenograph.engine.markers import Marker, marker_named
from scenograph.engine.route.finishing.jumps import Crosser, jumping, jumps_of
from scenograph.engine.route.finishing.lines import (
    CORNER_RADIUS,
    Insets,
    Rims,
    curve_path,
    on_sharp_lines,
    outside,
    polyline_path,
    tidy,
    tips,
)
from scenograph.engine.tables import FinishedStyle, Jump, Placement, Route, Routes, Styles, Tip
from scenograph.late_dataclasses import dataclass
from scenograph.scene.memo import MadeOf
from scenograph.scene.model import Edge, Scene

_point = maker(Point)
CURVED = "curved"
NONE = "none"
CACHED_LINES = 2048  # pen lines of the latest pictures: most lines of a scene stay as they were from edit to edit
ROUNDED: Mapping[str, float] = {"orthogonal": CORNER_RADIUS}
"""The radius of corners by router; others turn sharply."""


def finish_lines(
    scene: Scene, styles: Styles, placement: Placement, routes: Routes, former: Collection[str] = ()
) -> Routes:
    """The finished line of every route; the `former` ones end on rims already."""
    edges = {element.id: element for element in scene.elements if isinstance(element, Edge)}
    finisher = _Finisher(Rims(styles, placement), edges)
    attached = {name: route if name in former else finisher.attached(name, route) for name, route in routes.items()}
    counts = Counter(route.points[-1] for route in attached.values() if route.points)
    meeting = frozenset(point for point, count in counts.items() if count > 1)
    jumps = _jumps(attached, edges, styles)
    return {name: finisher.drawn(name, route, meeting, jumps.get(name, ())) for name, route in attached.items()}


def _jumps(routes: Routes, edges: Mapping[str, Edge], styles: Styles) -> dict[str, tuple[Jump, ...]]:
    """The jumps of every line, by id: later elements and higher z-indexes are drawn over earlier ones."""
    order = {name: place for place, name in enumerate(edges)}
    asks = {name: style.line_jumps for name in routes if (style := styles.of.get(name)) is not None}
    if all(asked == NONE for asked in asks.values()):
        return {}
    names = sorted(asks, key=lambda name: (edges[name].z_index, order[name]))
    lines = [
        Crosser(() if routes[name].router == CURVED else routes[name].points, styles.of[name].stroke_width, asks[name])
        for name in names
    ]
    return dict(zip(names, jumps_of(lines), strict=True))


def _rounded_box(box: Box) -> Box:
    corner, size = rounded((box[:2], box[2:]))
    return Box(*corner, *size)


@dataclass(frozen=True, slots=True)
class _Finisher:
    rims: Rims
    edges: Mapping[str, Edge]

    def attached(self, name: str, route: Route) -> Route:
        """The route with its corners on sharp lines and its ends on rims, where it is written down to be: so a scene
        that is drawn again from its places is the same to the last digit."""
        edge, style = self.edges[name], self.rims.styles.of.get(name)
        points, label = route.points, route.label
        if len(points) > 1 and style is not None:
            if route.router != CURVED:
                points = on_sharp_lines(points, style.stroke_width)
            marked_start, marked_end = [marker.length > 0 for marker in _markers(edge)]
            start = self.rims.at(edge.source.element_id, points[0], points[1], marked=marked_start)
            end = self.rims.at(edge.target.element_id, points[-1], points[-2], marked=marked_end)
            points = start, *points[1:-1], end
        return Route(
            points=tuple(map(_point, rounded(points))),
            router=route.router,
            label=None if label is None else _rounded_box(label),
        )

    def drawn(self, name: str, route: Route, meeting: frozenset[Point], jumps: tuple[Jump, ...]) -> Route:
        """The route with the path of its pen, its jumps and its tips. A line that stayed has been finished before, with
        all that this follows from."""
        edge, style = self.edges[name], self.rims.styles.of.get(name)
        if not route.points or style is None:
            return route
        boxes, part = self.rims.placement.boxes, self.rims.placement.part
        ends = tuple([(boxes.get(end), part(end, "label")) for end in edge.ends])
        line = _Line(edge, style, route.router, route.label, ends, meets=route.points[-1] in meeting, jumps=jumps)
        return _FINISHED.get(route.points, line) or _FINISHED.put(route.points, line, _finished(route, line))


class _Line(NamedTuple):
    """What the pen heeds besides the corners of a line: box and label of both its ends, whether others end where it
    does."""

    edge: Edge
    style: FinishedStyle
    router: str
    label: Box | None
    ends: tuple[tuple[Box | None, Box | None], ...]
    meets: bool
    jumps: tuple[Jump, ...]


def _finished(route: Route, line: _Line) -> Route:
    start, end = _markers(line.edge)
    insets = Insets(start.inset_at(line.style.stroke_width), end.inset_at(line.style.stroke_width))
    # Dashes begin where the lines meet: on the way that they share the gaps lie on each other.
    is_backward = bool(line.style.dash) and line.meets
    points = route.points[::-1] if is_backward else route.points
    given = Insets(insets.end, insets.start) if is_backward else insets
    path, ends = _pen_line(points, route.router, given, _gaps(line, route.points))
    return Route(
        points=route.points,
        router=route.router,
        label=route.label,
        line=jumping(path, line.jumps),
        tips=(ends[1], ends[0]) if is_backward else ends,
        jumps=line.jumps,
    )


def _gaps(line: _Line, points: Sequence[Point]) -> tuple[Box, ...]:
    """What a line leaves out: the part behind its own label (a plate that was asked for lies on the whole line), and
    that behind the labels that stand below its ends: it begins below the text."""
    found: list[Box] = []
    if line.label is not None and line.style.label_background.alpha <= 0:
        found.append(text_ground(line.label))
    for (box, label), end, inwards in zip(line.ends, (points[0], points[-1]), (points[1], points[-2]), strict=True):
        if box is not None and label is not None and label.y >= box.y + box.height:
            ground = text_ground(label)
            below = ground.bottom - label.bottom
            # A round outline lies above the bottom of its box beside the middle.
            top = min(end.y, box.bottom) if inwards.x == end.x and inwards.y > end.y else box.bottom
            found.append(Box(ground.x, top, ground.width, ground.bottom + below - top))
    return tuple(found)


def _markers(edge: Edge) -> tuple[Marker, Marker]:
    return marker_named(edge.start_arrow), marker_named(edge.end_arrow)


@lru_cache(maxsize=CACHED_LINES)
def _pen_line(
    points: tuple[Point, ...], router: str, insets: Insets, gaps: tuple[Box, ...]
) -> tuple[Path, tuple[Tip, Tip]]:
    """The path of a pen that leaves out the gaps, and the tips at both ends; of the latest lines they are kept."""
    if router == CURVED and len(points) == 3:
        path, *ends = curve_path(points, insets)
    else:
        corners = tidy(points)
        path, ends = polyline_path(corners, insets, ROUNDED.get(router, 0.0)), tips(corners)
    for gap in gaps:
        path = outside(path, gap)
    return path, (ends[0], ends[1])


_FINISHED: MadeOf[Route] = MadeOf(CACHED_LINES)
