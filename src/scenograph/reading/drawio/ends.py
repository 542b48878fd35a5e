"""Where lines end: at a cell, at the point of it that its style names, or at a point of the page.

A line that is bound to no cell ends at the box it touches. One that is bound to another line, or to what is no element
here, ends where that is. px.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Set
from itertools import pairwise
from typing import NamedTuple

from scenograph.reading.drawio.cells import Cell, Point, number
from scenograph.reading.drawio.holding import Area, area_of

MOST_PAIRS = 20_000_000  # boxes by cells: in larger files free ends stay where they are
_SQUARE = frozenset({"orthogonalPerimeter", "lifelinePerimeter"})
TOUCH = 12.0  # px from a box at which a free end still ends there
MIDDLE = 0.5  # of a side
_NEAR_MIDDLE = 0.02  # share of a side by which a point may lie off its middle to be that


class End(NamedTuple):
    """One end of a line: the `cell` that it is bound to, or the element that it touches, empty at a mere point; `at` is
    where it ends on the page, None where it is left to the layout."""

    cell: str
    at: Point | None


class Land(NamedTuple):
    """The cells of a page where lines may end: the `owners` of what lines are bound to, the `areas` of elements, which
    of them are `frames`, the `boxes` that a free end may touch, in the order of painting, and the `corners` of all
    vertices. Which boxes are `grounds` becomes known on the way. A file that `is_own` marks the points of
    ends that its author chose."""

    cells: Mapping[str, Cell]
    owners: Mapping[str, str]
    areas: Mapping[str, Area]
    frames: Set[str]
    boxes: tuple[str, ...]
    corners: Mapping[str, Point]
    grounds: dict[str, bool]
    is_own: bool


def ends_of_lines(land: Land) -> dict[str, tuple[End, End]]:
    """Both ends of every line that has two."""
    found: dict[str, tuple[End, End]] = {}
    for key, cell in land.cells.items():
        if not cell.is_edge:
            continue
        ends = _end(cell, land, is_source=True), _end(cell, land, is_source=False)
        if ends[0] is not None and ends[1] is not None:
            first, second = _settled((ends[0], ends[1]), land)
            dx, dy = land.corners.get(cell.parent, (0.0, 0.0))
            course = [(x + dx, y + dy) for x, y in cell.points]
            found[key] = (
                _squared(first, course[0] if course else second.at, land),
                _squared(second, course[-1] if course else first.at, land),
            )
    return found


def _end(cell: Cell, land: Land, *, is_source: bool) -> End | None:
    """An end as the file says it; None where it says nothing."""
    name = cell.source if is_source else cell.target
    owner = land.owners.get(name, "")
    if owner in land.areas:
        box = land.areas[owner] if name == owner else area_of(land.cells[name], land.corners[name])
        kind = "exit" if is_source else "entry"
        is_chosen = not land.is_own or f"{kind}Port" in cell.style
        return End(name, _point_of(cell.style, kind, box) if is_chosen else None)
    said = cell.start if is_source else cell.finish
    other = land.cells.get(name)
    if other is not None and other.is_vertex and name in land.corners:
        return End("", _middle_of(name, land))
    at = _middle_of_line(other, land) if other is not None else None
    if at is None and said is not None:
        dx, dy = land.corners.get(cell.parent, (0.0, 0.0))
        at = said[0] + dx, said[1] + dy
    return None if at is None else End("", at)


def _point_of(style: Mapping[str, str], name: str, area: Area) -> Point | None:
    """The point of a box that a style names; None where it leaves it to draw.io, also by the very middle."""
    if f"{name}X" not in style or f"{name}Y" not in style:
        return None
    across, down = (number(style[f"{name}{axis}"], MIDDLE) for axis in "XY")
    width, height = area.right - area.left, area.bottom - area.top
    x = area.left + across * width + number(style.get(f"{name}Dx", ""))
    y = area.top + down * height + number(style.get(f"{name}Dy", ""))
    is_middle = abs(x - area.middle[0]) < 1 and abs(y - area.middle[1]) < 1
    return None if is_middle else (x, y)


def _middle_of(name: str, land: Land) -> Point:
    (x, y), (width, height) = land.corners[name], land.cells[name].size
    return x + width / 2, y + height / 2


def _middle_of_line(cell: Cell, land: Land) -> Point | None:
    """The middle of another line, or of the one that a label is on; None where its course is not known."""
    line = cell if cell.is_edge else land.cells.get(cell.parent)
    if line is None or not line.is_edge:
        return None
    dx, dy = land.corners.get(line.parent, (0.0, 0.0))
    course = [(x + dx, y + dy) for x, y in line.points]
    for name, said, at in ((line.source, line.start, 0), (line.target, line.finish, len(course) + 1)):
        owner = land.owners.get(name, "")
        if owner in land.areas:
            course.insert(at, land.areas[owner].middle)
        elif said is not None:
            course.insert(at, (said[0] + dx, said[1] + dy))
    return _halfway(course) if course else None


def _halfway(course: list[Point]) -> Point:
    left = math.fsum(math.dist(a, b) for a, b in pairwise(course)) / 2
    for a, b in pairwise(course):
        length = math.dist(a, b)
        if length and left <= length:
            share = left / length
            return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share
        left -= length
    return course[-1]


def _settled(ends: tuple[End, End], land: Land) -> tuple[End, End]:
    """The ends with what the free ones touch. Of a line that would lead from a box to itself they stay free."""
    if len(land.boxes) * len(land.cells) > MOST_PAIRS:
        return ends
    touched = [end if end.cell or end.at is None else End(_touched(end.at, land), end.at) for end in ends]
    first, second = (land.owners.get(end.cell, "") for end in touched)
    if first and first == second:
        return ends
    return touched[0], touched[1]


def _squared(end: End, towards: Point | None, land: Land) -> End:
    """An end at a bar, which lines leave and enter at right angles to its sides, at the height of where they lead."""
    owner = land.owners.get(end.cell, "")
    if end.at is not None or towards is None or owner not in land.areas:
        return end
    area = land.areas[owner]
    if land.cells[owner].style.get("perimeter") not in _SQUARE or not area.top <= towards[1] <= area.bottom:
        return end
    return End(end.cell, (area.right if towards[0] > area.middle[0] else area.left, towards[1]))


def _touched(at: Point, land: Land) -> str:
    """The box that a point touches, the nearest and of those the uppermost; empty where none is near."""
    x, y = at
    near: list[tuple[float, int, str]] = []
    for rank, key in enumerate(land.boxes):
        left, top, right, bottom = land.areas[key]
        if left - TOUCH <= x <= right + TOUCH and top - TOUCH <= y <= bottom + TOUCH:
            far = _distance(at, land.areas[key], to_border=key in land.frames or _is_ground(key, land))
            if far <= TOUCH:
                near.append((far, -rank, key))
    return min(near)[2] if near else ""


def _is_ground(key: str, land: Land) -> bool:
    """Whether other boxes stand on one: whatever ends among them does not end at it."""
    found = land.grounds.get(key)
    if found is None:
        area = land.areas[key]
        found = any(one != key and area.holds(land.areas[one]) for one in land.boxes)
        land.grounds[key] = found
    return found


def _distance(at: Point, area: Area, *, to_border: bool) -> float:
    """How far a point is from a box, in which it is at it, or from the border of one."""
    x, y = at
    if area.has(x, y):
        return min(x - area.left, area.right - x, y - area.top, area.bottom - y) if to_border else 0.0
    return math.hypot(max(area.left - x, 0.0, x - area.right), max(area.top - y, 0.0, y - area.bottom))


def side_of(at: Point, area: Area, towards: Point) -> tuple[str, float]:
    """The side of a box on which a point lies, or is nearest to, and the share of its length from its beginning; at a
    corner the side that faces the other end."""
    x, y = min(max(at[0], area.left), area.right), min(max(at[1], area.top), area.bottom)
    width, height = area.right - area.left, area.bottom - area.top
    dx, dy = towards[0] - x, towards[1] - y
    sides = (
        (y - area.top, dy, "top"),
        (area.right - x, -dx, "right"),
        (area.bottom - y, -dy, "bottom"),
        (x - area.left, dx, "left"),
    )
    side = min(sides, key=lambda row: (round(row[0]), row[1]))[2]
    share = (x - area.left) / width if side in {"top", "bottom"} else (y - area.top) / height
    return side, MIDDLE if abs(share - MIDDLE) <= _NEAR_MIDDLE else round(share, 3)
