"""Paths as data: the one form in which outlines, markers and edges are drawn and hand-drawn.

Only move, line, cubic, quadratic and close exist; arcs are written as cubics by whoever builds the path, so that every
later stage (flattening, wobble, writing) meets five commands.
"""

from __future__ import annotations

from typing import NamedTuple

from scenograph.engine.geometry.boxes import Point


class Move(NamedTuple):
    """Start a subpath."""

    to: Point


class Line(NamedTuple):
    """A straight segment."""

    to: Point


class Cubic(NamedTuple):
    """A cubic Bezier segment."""

    control1: Point
    control2: Point
    to: Point


class Quadratic(NamedTuple):
    """A quadratic Bezier segment."""

    control: Point
    to: Point


class Close(NamedTuple):
    """Close the subpath."""


Segment = Move | Line | Cubic | Quadratic | Close
Path = tuple[Segment, ...]
