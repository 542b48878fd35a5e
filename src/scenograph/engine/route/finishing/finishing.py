"""The last step of routing: every line as the pen draws it.

In: routes from outline to outline, with styles and placement. Out: the same routes with their corners on sharp lines
and their ends on the rims that are really drawn; the path of the pen, which stops before markers, turns with round
corners, and leaves gaps for texts; and the tips where markers stand. Nothing about a line is decided after this. px.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from scenograph.engine.geometry.boxes import Box, Point, text_ground
from scenograph.engine.geometry.paths import Path
from scenograph.engine.markers import Marker, marker_named
from scenograph.engine.route.finishing.attachment import Rims, on_sharp_lines
from scenograph.engine.route.finishing.gaps import outside
from scenograph.engine.route.finishing.jumps import Crosser, jumping, jumps_of
from scenograph.engine.route.finishing.lines import CORNER_RADIUS, Insets, curve_path, polyline_path, tidy, tips
from scenograph.engine.tables import FinishedStyle, Jump, Placement, Route, Routes, Styles, Tip
from scenograph.scene.model import Edge, Scene

CURVED = "curved"
NONE = "none"
DECIMALS = 2  # of px in the result (R-ROUTE-17)
ROUNDED: Mapping[str, float] = {"orthogonal": CORNER_RADIUS}
"""The radius of corners by router; others turn sharply."""


def finish_lines(
    scene: Scene, styles: Styles, placement: Placement, routes: Routes, former: Collection[str] = ()
) -> Routes:
    """The finished line of every route; the `former` ones end on rims already."""
    edges = {element.id: element for element in scene.elements if isinstance(element, Edge)}
    finisher = _Finisher(Rims(styles, placement), edges)
    attached = {
        name: route if name in former else _as_written(finisher.attached(name, route)) for name, route in routes.items()
    }
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


@dataclass(frozen=True, slots=True)
class _Finisher:
    rims: Rims
    edges: Mapping[str, Edge]

    def attached(self, name: str, route: Route) -> Route:
        """The route with its corners on sharp lines and its ends on rims."""
        edge, style = self.edges[name], self.rims.styles.of.get(name)
        points = route.points
        if len(points) < 2 or style is None:
            return route
        if route.router != CURVED:
            points = on_sharp_lines(points, style.stroke_width)
        marked_start, marked_end = (marker.length > 0 for marker in _markers(edge))
        start = self.rims.at(edge.source.element_id, points[0], points[1], marked=marked_start)
        end = self.rims.at(edge.target.element_id, points[-1], points[-2], marked=marked_end)
        return replace(route, points=(start, *points[1:-1], end))

    def drawn(self, name: str, route: Route, meeting: frozenset[Point], jumps: tuple[Jump, ...]) -> Route:
        """The route with the path of its pen, its jumps and its tips."""
        edge, style = self.edges[name], self.rims.styles.of.get(name)
        if not route.points or style is None:
            return route
        start, end = _markers(edge)
        insets = Insets(start.inset_at(style.stroke_width), end.inset_at(style.stroke_width))
        if style.dash and route.points[-1] in meeting:
            # Dashes begin where the lines meet: on the way that they share the gaps lie on each other.
            line, ends = _line(route, route.points[::-1], Insets(insets.end, insets.start))
            ends = ends[1], ends[0]
        else:
            line, ends = _line(route, route.points, insets)
        return replace(route, line=jumping(self._with_gaps(edge, line, route, style), jumps), tips=ends, jumps=jumps)

    def _with_gaps(self, edge: Edge, line: Path, route: Route, style: FinishedStyle) -> Path:
        """The line without the part behind its own label (a plate that was asked for lies on the whole line), nor that
        behind the labels that stand below its ends: it begins below the text."""
        if route.label is not None and style.label_background.alpha <= 0:
            line = outside(line, text_ground(route.label))
        for end in edge.ends:
            box, label = self.rims.placement.boxes.get(end), self.rims.placement.part(end, "label")
            if box is not None and label is not None and label.y >= box.bottom:
                ground = text_ground(label)
                below = ground.bottom - label.bottom
                line = outside(line, Box(ground.x, box.bottom, ground.width, ground.bottom + below - box.bottom))
        return line


def _as_written(route: Route) -> Route:
    """The route where it is written down to be, so that a scene drawn again from its places is the same to the last
    digit."""
    points = tuple(Point(round(x, DECIMALS), round(y, DECIMALS)) for x, y in route.points)
    label = None if route.label is None else Box(*(round(side, DECIMALS) for side in route.label))
    return replace(route, points=points, label=label)


def _markers(edge: Edge) -> tuple[Marker, Marker]:
    return marker_named(edge.start_arrow), marker_named(edge.end_arrow)


def _line(route: Route, points: Sequence[Point], insets: Insets) -> tuple[Path, tuple[Tip, Tip]]:
    if route.router == CURVED and len(points) == 3:
        path, start, end = curve_path(points, insets)
        return path, (start, end)
    corners = tidy(points)
    return polyline_path(corners, insets, ROUNDED.get(route.router, 0.0)), tips(corners)
