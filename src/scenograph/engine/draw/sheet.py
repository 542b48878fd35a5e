"""What a painter may look at: the laid-out scene, its page, and what lies beneath a place."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from scenograph.engine.colors import over
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.segments import crosses, quadratic
from scenograph.engine.geometry.spatial_index import Bounds, SpatialIndex
from scenograph.engine.tables import FinishedStyle, LaidOutScene, Route
from scenograph.scene.model import Color


@dataclass(frozen=True)
class Sheet:
    """One laid-out scene while it is drawn. `containers` are the painted frames and groups, from back to front."""

    laid_out: LaidOutScene
    page: Box
    containers: tuple[str, ...]

    def box(self, element_id: str) -> Box | None:
        """Where an element is."""
        return self.laid_out.placement.boxes.get(element_id)

    def style(self, element_id: str) -> FinishedStyle:
        """Its finished style."""
        return self.laid_out.styles.of[element_id]

    def stroke_width(self, element_id: str) -> float:
        """The width of the stroke that is seen: 0 for one without a colour."""
        style = self.style(element_id)
        return style.stroke_width if style.stroke.alpha > 0 else 0.0

    def color_beneath(self, place: Point) -> Color:
        """The colour that page and containers make together at a place."""
        color = self.laid_out.styles.background
        for box, fill in self._grounds:
            if box.x <= place.x <= box.right and box.y <= place.y <= box.bottom:
                color = over(fill, color)
        return color

    def is_crossed(self, box: Box) -> bool:
        """Whether the line of any edge passes through a box."""
        region = Bounds(box.x, box.y, box.right, box.bottom)
        index, segments = self._lines
        return any(crosses(*segments[number], region) for number in index.near(*region))

    @cached_property
    def _grounds(self) -> tuple[tuple[Box, Color], ...]:
        rows: list[tuple[Box, Color]] = []
        for element_id in self.containers:
            box, style = self.box(element_id), self.style(element_id)
            alpha = style.fill.alpha * style.opacity
            if box is not None and alpha > 0:
                rows.append((box, style.fill._replace(alpha=alpha)))
        return tuple(rows)

    @cached_property
    def _lines(self) -> tuple[SpatialIndex, list[tuple[Point, Point]]]:
        segments = [segment for route in self.laid_out.routes.values() for segment in zip(*_chain(route), strict=False)]
        boxes = (Bounds(min(a.x, b.x), min(a.y, b.y), max(a.x, b.x), max(a.y, b.y)) for a, b in segments)
        return SpatialIndex(boxes), segments


def _chain(route: Route) -> tuple[tuple[Point, ...], tuple[Point, ...]]:
    """The chords of a route: their starts and their ends."""
    points = route.points
    if route.router == "curved" and len(points) == 3:
        points = quadratic(*points)
    return points, points[1:]
