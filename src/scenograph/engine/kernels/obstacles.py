"""Obstacles grown by the clearance of routes, with tests for regions and for whole routes. px."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

from scenograph.engine.kernels.cell_grid import EVERY, BoxSides, CellGrid
from scenograph.engine.kernels.runs import Polyline
from scenograph.engine.kernels.straight_lines import Place, Rectangle


class Grown:
    """A grown obstacle: its sides, its owner, and the owners of the frames that cover it. A route stopped by such a
    frame need not test the obstacle."""

    __slots__ = ("bottom", "frames", "left", "owner", "right", "top")

    def __init__(self, sides: BoxSides, owner: int, frames: tuple[int, ...]) -> None:
        self.left, self.top, self.right, self.bottom = sides
        self.owner = owner
        self.frames = frames


class ObstacleField:
    """Numbered obstacles: ungrown in a grid, and grown by at most `most` px each."""

    def __init__(self, grid: CellGrid, obstacles: list[Grown], most: float) -> None:
        self._grid = grid
        self._obstacles = obstacles
        self._most = most

    def walls(self, region: BoxSides, exempt: frozenset[int]) -> list[Grown]:
        """The grown obstacles in a region, except obstacles owned by `exempt`."""
        return [self._obstacles[number] for number in self.reaching(region, exempt)]

    def reaching(self, region: BoxSides, exempt: frozenset[int]) -> list[int]:
        """The numbers of the grown obstacles in a region, except obstacles owned by `exempt`."""
        left, top, right, bottom = region
        most = self._most
        found: list[int] = []
        for number in self._grid.near(left - most, top - most, right + most, bottom + most, EVERY):
            grown = self._obstacles[number]
            if grown.left < right and grown.right > left and grown.top < bottom and grown.bottom > top:
                if grown.owner in exempt:
                    continue
                for frame in grown.frames:
                    if frame not in exempt:
                        break
                else:
                    found.append(number)
        return found


def own_sides(source: Rectangle, target: Rectangle, by: float) -> list[BoxSides]:
    """Both ends of an edge as obstacles, grown by `by` px, except an end that holds the opposite end."""
    if source == target:
        return [_grown(source, by)]
    own: list[BoxSides] = []
    if not _contains(source, target):
        own.append(_grown(source, by))
    if not _contains(target, source):
        own.append(_grown(target, by))
    return own


def _grown(box: Rectangle, by: float) -> BoxSides:
    x, y, width, height = box
    left, top = x - by, y - by
    return left, top, left + (width + 2 * by), top + (height + 2 * by)


def _contains(box: Rectangle, other: Rectangle) -> bool:
    x, y, width, height = box
    left, top, across, down = other
    return x <= left and y <= top and x + width >= left + across and y + height >= top + down


def nearing(
    points: Polyline, grid: CellGrid, obstacles: list[Grown], exempt: frozenset[int], gap: float
) -> list[tuple[int, int]]:
    """The pairs of segments and obstacles, both by number, nearer to each other than `gap`, except obstacles owned by
    `exempt`; a slanted segment counts with its bounding box."""
    found: list[tuple[int, int]] = []
    for piece in range(len(points) - 1):
        left, top, right, bottom = _around(points[piece], points[piece + 1])
        for number in grid.near(left - gap, top - gap, right + gap, bottom + gap, EVERY):
            grown = obstacles[number]
            if grown.owner in exempt:
                continue
            aside = max(grown.left - right, left - grown.right, 0.0)
            away = max(grown.top - bottom, top - grown.bottom, 0.0)
            if (hypot(aside, away) if aside and away else max(aside, away)) < gap:
                found.append((piece, number))
    return found


def _around(a: Place, b: Place) -> BoxSides:
    """The box round a piece of a line."""
    return min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1])


def is_clear(points: Polyline, obstacles: Sequence[BoxSides]) -> bool:
    """Whether a right-angled line stays out of the interior of every obstacle."""
    for number in range(len(points) - 1):
        left, top, right, bottom = _around(points[number], points[number + 1])
        for x0, y0, x1, y1 in obstacles:
            if left < x1 and right > x0 and top < y1 and bottom > y0:
                return False
    return True


def is_open(points: Polyline, walls: list[Grown]) -> bool:
    """Whether an orthogonal route stays out of every grown obstacle."""
    for number in range(len(points) - 1):
        left, top, right, bottom = _around(points[number], points[number + 1])
        for wall in walls:
            if left < wall.right and right > wall.left and top < wall.bottom and bottom > wall.top:
                return False
    return True
