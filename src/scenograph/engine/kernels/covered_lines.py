"""Which places do lines run through? px."""

from __future__ import annotations

from typing import Final

from scenograph.engine.kernels.cell_grid import EVERY, CellGrid, Sides
from scenograph.engine.kernels.clipping import Place, crosses

CELL: Final = 160.0  # px; some places each

Line = tuple[int, tuple[Place, ...]]
"""Whose a line is, and its corners."""


def crossed_places(places: list[Sides], owners: list[int], lines: list[Line]) -> list[bool]:
    """Of each place, which belongs to one of `owners`: whether a line of another owner shares a point with its
    interior."""
    found = [False] * len(places)
    grid = CellGrid(CELL)
    grid.add_all(places)  # places are smaller than lines, and fewer
    for owner, points in lines:
        for end in range(1, len(points)):
            a, b = points[end - 1], points[end]
            ax, ay = a
            bx, by = b
            for number in grid.near(min(ax, bx), min(ay, by), max(ax, bx), max(ay, by), EVERY):
                if not found[number] and owners[number] != owner and crosses(a, b, places[number]):
                    found[number] = True
    return found
