"""Bands inside a box that may have round corners: header bands, stripes. px."""

from __future__ import annotations

import math

from scenograph.engine.geometry.boxes import Box, Point
from scenograph.engine.geometry.figures import elliptic_arc, rectangle
from scenograph.engine.geometry.paths import Close, Line, Move, Path, Quadratic

_TOLERANCE = 0.01


def sharp(coordinate: float) -> float:
    """Where a line of one px is sharp."""
    return math.floor(coordinate + _TOLERANCE) + 0.5


def flat_bottomed(box: Box, radius: float) -> Path:
    """A box whose upper corners are round."""
    r = min(radius, box.width / 2, box.height)
    if r <= 0:
        return rectangle(box)
    return (
        Move(Point(box.x, box.bottom)),
        Line(Point(box.x, box.y + r)),
        Quadratic(Point(box.x, box.y), Point(box.x + r, box.y)),
        Line(Point(box.right - r, box.y)),
        Quadratic(Point(box.right, box.y), Point(box.right, box.y + r)),
        Line(Point(box.right, box.bottom)),
        Close(),
    )


def left_stripe(box: Box, radius: float, width: float) -> Path:
    """The leftmost `width` px of a rounded rectangle."""
    r, w = min(radius, box.width / 2, box.height / 2), min(width, box.width)
    if r <= 0:
        return rectangle(Box(box.x, box.y, w, box.height))
    # The quarter circle is left where it leaves the stripe.
    turn = math.acos(max(r - w, 0.0) / r)
    upper, lower = Box(box.x, box.y, 2 * r, 2 * r), Box(box.x, box.bottom - 2 * r, 2 * r, 2 * r)
    inset = r - math.sin(turn) * r
    reach = box.x + min(w, r)
    path = (
        Move(Point(reach, box.y + inset)),
        *elliptic_arc(upper, math.pi + turn, math.pi),
        Line(Point(box.x, box.bottom - r)),
        *elliptic_arc(lower, math.pi, math.pi - turn),
    )
    if w > r:
        path = (*path, Line(Point(box.x + w, box.bottom)), Line(Point(box.x + w, box.y)))
    return (*path, Close())
