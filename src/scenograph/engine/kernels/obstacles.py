"""Obstacles grown by the clearance that lines keep: which of them reach into a region, and whether a line is clear of
them. px."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from typing import Final

from scenograph.engine.kernels.cell_grid import CellGrid
from scenograph.engine.kernels.runs import Corners, Sides

EVERY: Final = 1 << 60  # more than anything holds


class Grown:
    """A grown obstacle by its sides, its owner, and the owners of the frames that cover it: who may not pass them need
    not see it."""

    __slots__ = ("bottom", "frames", "left", "owner", "right", "top")

    def __init__(self, sides: Sides, owner: int, frames: tuple[int, ...]) -> None:
        self.left, self.top, self.right, self.bottom = sides
        self.owner = owner
        self.frames = frames


def reaching(obstacles: list[Grown], near: list[int], region: Sides, exempt: frozenset[int]) -> list[int]:
    """The numbers of those among the `near` ones that reach into a region, but for those owned by `exempt`."""
    left, top, right, bottom = region
    found: list[int] = []
    for number in near:
        grown = obstacles[number]
        if grown.left < right and grown.right > left and grown.top < bottom and grown.bottom > top:
            if grown.owner in exempt:
                continue
            for frame in grown.frames:
                if frame not in exempt:
                    break
            else:
                found.append(number)
    return found


def nearing(
    points: Corners, grid: CellGrid, obstacles: list[Grown], exempt: frozenset[int], gap: float
) -> list[tuple[int, int]]:
    """The pieces of a line and the obstacles, both by their numbers, that come nearer to each other than a gap, but for
    those owned by `exempt`; a slope counts as far as the box round it reaches."""
    found: list[tuple[int, int]] = []
    for piece in range(len(points) - 1):
        left, top = points[piece]
        right, bottom = points[piece + 1]
        if left > right:
            left, right = right, left
        if top > bottom:
            top, bottom = bottom, top
        for number in grid.near(left - gap, top - gap, right + gap, bottom + gap, EVERY):
            grown = obstacles[number]
            if grown.owner in exempt:
                continue
            aside = max(grown.left - right, left - grown.right, 0.0)
            away = max(grown.top - bottom, top - grown.bottom, 0.0)
            if (hypot(aside, away) if aside and away else max(aside, away)) < gap:
                found.append((piece, number))
    return found


def is_clear(points: Corners, obstacles: Sequence[Sides]) -> bool:
    """Whether a right-angled line stays out of the interior of every obstacle."""
    for number in range(len(points) - 1):
        left, top = points[number]
        right, bottom = points[number + 1]
        if left > right:
            left, right = right, left
        if top > bottom:
            top, bottom = bottom, top
        for x0, y0, x1, y1 in obstacles:
            if left < x1 and right > x0 and top < y1 and bottom > y0:
                return False
    return True
