"""What a painter may look at: the laid-out scene, its page, and what lies beneath a place."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from scenograph.engine.colors import over
from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.segments import crosses, quadratic
from scenograph.engine.geometry.spatial_index import Bounds, SpatialIndex
from scenograph.engine.tables import FinishedStyle, LaidOutScene, Route
from scenograph.scene.model import Color


class Chord(NamedTuple):
    """A straight piece of an edge."""

    edge_id: str
    start: Point
    end: Point


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

    def is_crossed(self, box: Box, by_others_than: str) -> bool:
        """Whether the line of any edge but one passes through a box."""
        region = Bounds(box.x, box.y, box.right, box.bottom)
        index, chords = self._lines
        found = (chords[number] for number in index.near(*region))
        return any(chord.edge_id != by_others_than and crosses(chord.start, chord.end, region) for chord in found)

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
    def _lines(self) -> tuple[SpatialIndex, list[Chord]]:
        chords = [
            Chord(edge_id, start, end)
            for edge_id, route in self.laid_out.routes.items()
            for start, end in pairwise(_chain(route))
        ]
        boxes = (
            Bounds(min(a.x, b.x), min(a.y, b.y), max(a.x, b.x), max(a.y, b.y))
            for a, b in (chord[1:] for chord in chords)
        )
        return SpatialIndex(boxes), chords


def _chain(route: Route) -> tuple[Point, ...]:
    """A route as straight pieces."""
    points = route.points
    return quadratic(*points) if route.router == "curved" and len(points) == 3 else points
