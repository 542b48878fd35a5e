"""A route while it is being made: its corners still on the sides of the boxes, its anchors still known."""

from __future__ import annotations

from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.segments import quadratic
from scenograph.engine.route.ports.anchors import Anchor
from scenograph.engine.route.problem import Connection, Fan
from scenograph.late_dataclasses import dataclass


@dataclass(slots=True)
class Draft:
    """The corners of one edge. `start` and `finish` are the anchors of an orthogonal route, None for the other
    routers, whose first and last point lie on the outlines already. One that `is_set` lies where its notation wants it:
    others give way to it. `alone`: the line without the trunk that it shares and may leave; `crowd`: the trunk that it
    shares or stays out of. One that `speaks` shows its label for all lines of its trunk."""

    connection: Connection
    points: tuple[Point, ...]
    router: str
    start: Anchor | None = None
    finish: Anchor | None = None
    is_set: bool = False
    alone: Connection | None = None
    crowd: Fan | None = None
    speaks: bool = False

    def drawn(self, chords: int) -> tuple[Point, ...]:
        """The line as straight pieces; a curve becomes `chords` of them."""
        if self.router == "curved":
            return quadratic(self.points[0], self.points[1], self.points[2], chords)
        return self.points
