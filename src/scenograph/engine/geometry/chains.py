"""Outlines as closed chains of corners: where a line meets one. px.

Exact for straight sides; elsewhere as exact as the chain is. Nothing here fails: when a line misses the outline, the
nearest place on it is given.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box, Point

_EPSILON = 1e-9


class Chain(NamedTuple):
    """A flattened outline, the corner of its box at the origin: the coordinates of its corners, the first again at the
    end. Its sides lie on the sides of the box but for the last `rounding` px beside each corner (inf: they do not)."""

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    rounding: float = math.inf


def line_contact(chain: Chain, box: Box, outside: Point, inside: Point) -> Point:
    """Where the line from `outside` toward `inside` first meets the outline in `box`.

    When the segment does not reach it, the whole line is tried, beginning at `outside`; at last the nearest side.
    """
    start = Point(outside.x - box.x, outside.y - box.y)
    way = Point(inside.x - outside.x, inside.y - outside.y)
    shares = sorted(_crossings(chain, start, way)) if math.hypot(*way) > _EPSILON else []
    if not shares:
        corners = tuple(map(Point, chain.xs, chain.ys))
        nearest = min((_foot(p, q, start) for p, q in pairwise(corners)), key=lambda foot: math.dist(foot, start))
        return Point(nearest.x + box.x, nearest.y + box.y)
    share = _first_met(shares)
    return Point(outside.x + share * way.x, outside.y + share * way.y)


def straight_contact(chain: Chain, box: Box, side: str, coordinate: float) -> Point:
    """Where a line that comes straight in from `side` (top, right, bottom, left) meets the outline; `coordinate` is its
    x for top and bottom, its y for left and right, held within the box."""
    low, high = (box.x, box.right) if side in ("top", "bottom") else (box.y, box.bottom)
    at = min(max(coordinate, low), high)
    depth = 0.0 if min(at - low, high - at) >= chain.rounding else _depth(chain, box, side, at)
    if side == "top":
        return Point(at, box.y + depth)
    if side == "bottom":
        return Point(at, box.bottom - depth)
    return Point(box.x + depth, at) if side == "left" else Point(box.right - depth, at)


def _first_met(shares: list[float]) -> float:
    """The first crossing between start and end; else the last one behind the start (which then lies within the shape),
    else the first one beyond the end."""
    behind = [share for share in shares if share < -_EPSILON]
    ahead = shares[len(behind) :]
    if ahead and (ahead[0] <= 1 + _EPSILON or not behind):
        return ahead[0]
    return behind[-1]


def _depth(chain: Chain, box: Box, side: str, at: float) -> float:
    """How far inside the box's side the outline lies at a coordinate of that side."""
    if side in ("top", "bottom"):
        levels, extent = _levels(chain.xs, chain.ys, at - box.x), box.height
    else:
        levels, extent = _levels(chain.ys, chain.xs, at - box.y), box.width
    return min(levels) if side in ("top", "left") else extent - max(levels)


def _levels(xs: tuple[float, ...], ys: tuple[float, ...], coordinate: float) -> list[float]:
    """The y of a chain at an x, which is first held within the chain's own reach."""
    at = min(max(coordinate, min(xs)), max(xs))
    levels: list[float] = []
    before, level_before = xs[0], ys[0]
    for here, level in zip(xs, ys, strict=True):
        if before <= at <= here or here <= at <= before:
            span = here - before
            levels.append(level_before if span == 0 else level_before + (at - before) / span * (level - level_before))
        before, level_before = here, level
    return levels


def _crossings(chain: Chain, start: Point, way: Point) -> list[float]:
    """The shares of `way` after which a line from `start` crosses the chain."""
    (x, y), (dx, dy) = start, way
    found: list[float] = []
    before_x, before_y = chain.xs[0] - x, chain.ys[0] - y
    before = dx * before_y - dy * before_x  # on which side of the line a corner lies, and how far
    for corner_x, corner_y in zip(chain.xs, chain.ys, strict=True):
        here_x, here_y = corner_x - x, corner_y - y
        here = dx * here_y - dy * here_x
        if (before <= 0 <= here or here <= 0 <= before) and before != here:
            part = before / (before - here)
            meet_x, meet_y = before_x + part * (here_x - before_x), before_y + part * (here_y - before_y)
            found.append((meet_x * dx + meet_y * dy) / (dx * dx + dy * dy))
        before_x, before_y, before = here_x, here_y, here
    return found


def _foot(p: Point, q: Point, place: Point) -> Point:
    """The point of a segment nearest to `place`."""
    ex, ey = q.x - p.x, q.y - p.y
    length = ex * ex + ey * ey
    share = ((place.x - p.x) * ex + (place.y - p.y) * ey) / length if length else 0.0
    share = min(max(share, 0.0), 1.0)
    return Point(p.x + share * ex, p.y + share * ey)
