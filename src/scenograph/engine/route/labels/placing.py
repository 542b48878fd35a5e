"""Where edge labels stand: on the longest free segment of their edge.

In: the routes, the sizes of the labels, the terrain. Out: a box for every label, found in `kernels.label_desk`.
Rules R-LABEL-1, R-LABEL-2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scenograph.engine.effort import Effort
from scenograph.engine.geometry.boxes import Box
from scenograph.engine.kernels.cell_grid import Sides
from scenograph.engine.kernels.label_desk import Boxes, LabelDesk
from scenograph.engine.kernels.label_spots import Labelled, freedom
from scenograph.engine.route.courses.terrain import Terrain
from scenograph.engine.route.problem import FRAME

NOTHING: Mapping[int, Box] = {}


def place_labels(
    edges: Sequence[Labelled], terrain: Terrain, effort: Effort, held: Mapping[int, Box] = NOTHING
) -> dict[int, Box]:
    """A box for every label, by the number of its line. Those that are `held` stay; of the others those with the least
    choice are placed first, and one that then finds no free place may send a neighbour elsewhere."""
    waiting = [number for number, edge in enumerate(edges) if edge.width > 0.0 and len(edge.points) > 1]
    waiting = [number for number in waiting if number not in held]
    if not waiting:
        return {edges[number].number: box for number, box in held.items()}
    desk = _desk(edges, terrain, effort)
    for number, box in held.items():
        desk.hold(number, *box.center)
    waiting.sort(key=lambda number: (freedom(edges[number]), number))
    for number in waiting:
        desk.place(number)
    for number in waiting:
        desk.make_room(number)
    effort.left = desk.left
    found = {
        edges[number].number: Box(*desk.corner(number), edges[number].width, edges[number].height)
        for number in sorted(waiting)
    }
    return found | {edges[number].number: box for number, box in held.items()}


def _desk(edges: Sequence[Labelled], terrain: Terrain, effort: Effort) -> LabelDesk:
    """All lines and obstacles; a label may well stand inside a frame."""
    obstacles: list[Sides] = list(terrain.index.bounds)
    borders: list[Sides] = list(terrain.frames.bounds)
    are_solid = [obstacle.kind != FRAME for obstacle in terrain.obstacles]
    frames = Boxes(borders, terrain.frames.grid)
    return LabelDesk(list(edges), Boxes(obstacles, terrain.index.grid), are_solid, frames, effort.left)
