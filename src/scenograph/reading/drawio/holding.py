"""Containment of cells: a cell's own children, and cells on a box that is plainly a background. Also the paint order of
overlaps, since draw.io paints by the order of cells. px."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from scenograph.reading.drawio.cells import Cell
from scenograph.reading.drawio.painting import is_dark

MOST_HOLDERS = 200  # possible backgrounds, the largest first
MOST_PAIRS = 500_000  # of boxes compared for overlaps
DEEPEST = 24  # boxes on boxes
_SLACK = 1.0  # px: tolerated protrusion of a box from its background


class CellArea(NamedTuple):
    """The area of a cell on the page."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def size(self) -> float:
        """px²"""
        return (self.right - self.left) * (self.bottom - self.top)

    @property
    def middle(self) -> tuple[float, float]:
        """px"""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def has(self, x: float, y: float) -> bool:
        """Whether the area contains a point."""
        return self.left <= x <= self.right and self.top <= y <= self.bottom

    def holds(self, other: CellArea) -> bool:
        """Whether the area contains a smaller area."""
        return (
            self.left - _SLACK <= other.left
            and self.top - _SLACK <= other.top
            and other.right <= self.right + _SLACK
            and other.bottom <= self.bottom + _SLACK
            and other.size < self.size
        )

    def meets(self, other: CellArea) -> bool:
        """Whether two areas overlap."""
        return (
            self.left < other.right - _SLACK
            and other.left < self.right - _SLACK
            and self.top < other.bottom - _SLACK
            and other.top < self.bottom - _SLACK
        )


def standing_on(
    order: Sequence[str], areas: Mapping[str, CellArea], parents: Mapping[str, str], grounds: Mapping[str, int]
) -> dict[str, str]:
    """Cells on backgrounds: each cell by the uppermost background below it.

    `grounds` are possible backgrounds, each with its minimum number of cells; `order` is the paint order. A cell and
    its background have the same parent: no child is taken from its parent.
    """
    rank = {name: number for number, name in enumerate(order)}
    allowed = sorted(grounds, key=lambda name: (-areas[name].size, rank[name]))[:MOST_HOLDERS]
    on: dict[str, list[str]] = {}
    for ground in allowed:
        area, parent = areas[ground], parents.get(ground)
        above = order[rank[ground] + 1 :]
        found = [name for name in above if parents.get(name) == parent and area.holds(areas[name])]
        if len(found) >= grounds[ground]:
            on[ground] = found
    holders: dict[str, str] = {}
    depth: dict[str, int] = {}
    for ground in sorted(on, key=rank.__getitem__):  # later grounds lie above earlier ones
        depth[ground] = depth.get(holders.get(ground, ""), 0) + 1
        if depth[ground] <= DEEPEST:
            holders |= dict.fromkeys(on[ground], ground)
    return holders


def top_of(name: str, tops: dict[str, str]) -> str:
    """The outermost container of a name. `tops` maps names towards it, with path compression."""
    while name in tops:
        above = tops[name]
        tops[name] = name = tops.get(above, above)
    return name


def flattened(holders: Mapping[str, str], nests: Collection[str], deepest: int) -> tuple[dict[str, str], list[str]]:
    """The containers with at most `deepest` nested `nests`, and the deeper ones, each moved beside its container."""
    found: dict[str, str] = {}
    depth: dict[str, int] = {}
    too_deep: list[str] = []
    for key in holders:
        path = [key]
        while path[-1] in holders and path[-1] not in depth:
            path.append(holders[path[-1]])
        depth.setdefault(path[-1], 1)
        for name in reversed(path[:-1]):
            holder = holders[name]
            depth[name] = depth[holder] + 1
            if depth[name] > deepest and name in nests:
                holder, depth[name] = found[holder], deepest
                too_deep.append(name)
            found[name] = holder
    return found, too_deep


def heights(
    order: Sequence[str],
    areas: Mapping[str, CellArea],
    frames: Collection[str],
    texts: Collection[str],
    holders: Mapping[str, str],
) -> dict[str, int]:
    """The `zIndex` of raised cells, needed because frames are painted below all nodes of equal height: frames over
    nodes outside them, and cells over these in turn. `texts` raise no frame."""
    if len(frames) * len(order) > MOST_PAIRS:
        return {}
    found: dict[str, int] = {}
    lower: list[str] = []  # nodes painted so far
    frames_so_far: list[str] = []
    for name in order:
        area = areas[name]
        height = found.get(holders.get(name, ""), 0)
        if name in frames:
            height = max([height, *(found.get(one, 0) + 1 for one in lower if areas[one].meets(area))])
            frames_so_far.append(name)
        else:
            height = max([height, *(found.get(one, 0) for one in frames_so_far if areas[one].meets(area))])
            if name not in texts:
                lower.append(name)
        if height:
            found[name] = height
    return found


def covered(labels: Mapping[str, CellArea], order: Sequence[str], areas: Mapping[str, CellArea]) -> set[str]:
    """The cells whose label overlaps a later painted cell."""
    if len(labels) * len(order) > MOST_PAIRS:
        return set()
    rank = {name: number for number, name in enumerate(order)}
    return {key for key, label in labels.items() if any(areas[one].meets(label) for one in order[rank[key] + 1 :])}


def on_dark(
    pale: Collection[str],
    order: Sequence[str],
    areas: Mapping[str, CellArea],
    fills: Mapping[str, str],
    page: str | None,
) -> set[str]:
    """The cells of `pale` with their middle on a dark fill: of the uppermost cell below, or of the page."""
    if len(pale) * len(order) > MOST_PAIRS:
        return set()
    found: set[str] = set()
    below: list[str] = []
    for name in order:
        if name in pale:
            x, y = areas[name].middle
            ground = next((fills[one] for one in reversed(below) if areas[one].has(x, y)), page)
            if ground and is_dark(ground):
                found.add(name)
        if name in fills:
            below.append(name)
    return found


def area_of(cell: Cell, corner: tuple[float, float]) -> CellArea:
    """The area of a cell from its corner on the page."""
    x, y = corner
    return CellArea(x, y, x + max(cell.size[0], 1.0), y + max(cell.size[1], 1.0))
