"""Pools whose lanes have no positions: stacked, as long as each other, their lanes sharing the columns of one flow.

Lanes are rows when the pool's `laneDirection` is horizontal (flow left to right) and columns when it is vertical (flow
top to bottom). Rules R-POOL-1, R-POOL-3.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import floor, fsum
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box, Outset, union
from scenograph.engine.place.frames import HEADER, LEAST_POOL, PADDING, UPRIGHT, lane_inset
from scenograph.engine.place.inventory import Inventory
from scenograph.engine.place.lanes import Flow, Gaps, Piece, shared, swim
from scenograph.engine.place.subgraph import LayoutSettings
from scenograph.engine.place.transposing import as_rows
from scenograph.engine.place.units import Unit, boxes_of
from scenograph.late_dataclasses import dataclass
from scenograph.scene.model import Frame

LABEL_ROOM = 32.0  # px; beside a label between two columns
COLUMN_SHARE = 0.75  # columns of a flow stand closer than ranks
TRACK_SHARE = 2 / 3  # of the node spacing; between lines of one lane


@dataclass(frozen=True, slots=True)
class Lane:
    """A lane that no other divides, and what stands in it; `id` None for what stands in a pool itself, or in a lane
    beside others that divide it: a band of its own, since in a lane it would seem to belong to that. `above` are the
    lanes round it, the outermost first."""

    id: str | None
    units: tuple[Unit, ...]
    above: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pool:
    """A pool and its lanes in order, at least one."""

    id: str
    lanes: tuple[Lane, ...]


@dataclass(frozen=True, slots=True)
class Yard:
    """Pools that lie the same way. `upright`: their lanes are columns, the flow runs down. `around` is what has its
    place there already and belongs to none of them, with outsets."""

    pools: tuple[Pool, ...]
    upright: bool
    around: tuple[Box, ...] = ()

    @property
    def lanes(self) -> list[Lane]:
        """All lanes, pool after pool."""
        return [lane for pool in self.pools for lane in pool.lanes]

    @property
    def units(self) -> list[Unit]:
        """All pieces, lane after lane."""
        return [unit for lane in self.lanes for unit in lane.units]


class Band(NamedTuple):
    """A lane (None: the content beside lanes), the lanes round it, and from where to where it lies across the flow."""

    lane: str | None
    above: tuple[str, ...]
    top: float
    bottom: float


def tiles(bands: Sequence[Band], low: float, high: float) -> dict[str, Box]:
    """The boxes of all lanes of pools that lie as rows, from `low` to `high`: what lanes divide has its header before
    these, and reaches as far as they do."""
    found: dict[str, Box] = {}
    for lane, above, top, bottom in bands:
        for depth, one in enumerate(above):
            box = Box(low + depth * HEADER, top, high - low - depth * HEADER, bottom - top)
            found[one] = union((found[one], box)) or box if one in found else box
        if lane is not None:
            left = low + len(above) * HEADER
            found[lane] = Box(left, top, high - left, bottom - top)
    return found


@dataclass(frozen=True, slots=True)
class _Band:
    """Where a pool or a lane lies across the flow."""

    across: float
    depth: float


def stacked_pools(inventory: Inventory, yard: Yard, settings: LayoutSettings, given: Box | None = None) -> Unit:
    """All pools with everything in them as one piece, named after the first pool. Its corner is (0, 0).

    `given` is the box of a single pool whose place its author gave, 0 for a side that is open; a given side is kept
    even where the content needs more.
    """
    pieces = _pieces(yard)
    gaps = Gaps(settings.rank_spacing * COLUMN_SHARE, settings.node_spacing * TRACK_SHARE)
    cells = swim(pieces, _flows(inventory, yard), len(yard.lanes), gaps)
    insets = [inset_as_row(inventory, lane.id, lane.above, upright=yard.upright) for lane in yard.lanes]
    start = HEADER + max((inset.left for inset in insets), default=PADDING)
    end = max((inset.right for inset in insets), default=PADDING)
    wanted = [_wanted(inventory, pool.id, yard) if given is None else _sides(given, yard) for pool in yard.pools]
    length = max(along for along, _ in wanted)
    if given is None or length <= 0:
        length = max(length, start + cells.length + end, LEAST_POOL[0])
    needs = [need + inset.top + inset.bottom for need, inset in zip(cells.needs, insets, strict=True)]
    depths = _depths(yard, needs, [across for _, across in wanted], given=given is not None)
    pool_bands, lane_bands = _bands(yard, depths, settings.rank_spacing)
    boxes = {pool.id: _box(0.0, length, band, yard) for pool, band in zip(yard.pools, pool_bands, strict=True)}
    spans = [
        Band(lane.id, lane.above, band.across, band.across + band.depth)
        for lane, band in zip(yard.lanes, lane_bands, strict=True)
    ]
    boxes |= {one: as_rows(box, upright=yard.upright) for one, box in tiles(spans, HEADER, length).items()}
    if given is None:
        boxes = {element_id: _on_pixels(box) for element_id, box in boxes.items()}
    firsts = [
        band.across + inset.top + (band.depth - need - inset.top - inset.bottom) / 2
        for band, inset, need in zip(lane_bands, insets, cells.needs, strict=True)
    ]
    moved = [
        _moved_to(unit, start + along, firsts[piece.lane] + across, yard)
        for unit, piece, along, across in zip(yard.units, pieces, cells.along, cells.across, strict=True)
    ]
    core = union(boxes.values()) or Box(0.0, 0.0, 0.0, 0.0)
    whole = union([core, *(unit.whole for unit in moved)]) or core
    return Unit(yard.pools[0].id, core, whole, {**boxes, **boxes_of(moved)}, (whole,))


def inset_as_row(inventory: Inventory, lane: str | None, above: Sequence[str], *, upright: bool) -> Outset:
    """What a lane keeps free as a row, the headers of the lanes round it included."""
    inset = as_rows(lane_inset(inventory, lane), upright=upright)
    return inset._replace(left=inset.left + len(above) * HEADER)


def is_upright(inventory: Inventory, pool: str) -> bool:
    """Whether the lanes of a pool are columns."""
    element = inventory.elements[pool]
    return isinstance(element, Frame) and element.lane_direction == UPRIGHT


def _pieces(yard: Yard) -> list[Piece]:
    rows = [(owner, lane) for owner, pool in enumerate(yard.pools) for lane in pool.lanes]
    return [_piece(unit, number, owner, yard) for number, (owner, lane) in enumerate(rows) for unit in lane.units]


def _piece(unit: Unit, lane: int, pool: int, yard: Yard) -> Piece:
    middle, whole = unit.core.center, unit.whole
    sides = (middle.x - whole.x, whole.right - middle.x, middle.y - whole.y, whole.bottom - middle.y)
    left, right, above, below = sides
    return (
        Piece(lane, pool, above, below, left, right) if yard.upright else Piece(lane, pool, left, right, above, below)
    )


def _flows(inventory: Inventory, yard: Yard) -> list[Flow]:
    owner = {element_id: number for number, unit in enumerate(yard.units) for element_id in unit.boxes}
    flows: list[Flow] = []
    for tie in inventory.ties:
        source, target = owner.get(tie.source), owner.get(tie.target)
        if source is not None and target is not None and source != target:
            sizes = (tie.label_height, tie.label_width)
            label, breadth = sizes if yard.upright else sizes[::-1]
            aside = 0.0 if yard.upright else tie.source_row
            flows.append(Flow(source, target, label + LABEL_ROOM if label else 0.0, breadth, aside))
    return flows


def _depths(yard: Yard, needs: Sequence[float], wanted: Sequence[float], *, given: bool) -> list[list[float]]:
    """The depth of every lane, pool by pool (R-POOL-3)."""
    depths: list[list[float]] = []
    for pool, depth in zip(yard.pools, wanted, strict=True):
        first = sum(len(row) for row in depths)
        mine = needs[first : first + len(pool.lanes)]
        if given and 0 < depth < fsum(mine):
            mine = [need * depth / fsum(mine) for need in mine]
        depths.append(shared(max(depth, 0.0 if given and depth else LEAST_POOL[1]), mine))
    return depths


def _bands(yard: Yard, depths: Sequence[Sequence[float]], gap: float) -> tuple[list[_Band], list[_Band]]:
    """The bands of all pools, one after the other, and of all their lanes."""
    pools: list[_Band] = []
    lanes: list[_Band] = []
    across = 0.0
    for _, row in zip(yard.pools, depths, strict=True):
        starts = accumulate(row, initial=across)
        lanes += [_Band(start, depth) for start, depth in zip(starts, row, strict=False)]
        pools.append(_Band(across, fsum(row)))
        across += fsum(row) + gap
    return pools, lanes


def _wanted(inventory: Inventory, pool: str, yard: Yard) -> tuple[float, float]:
    """The length and depth its author wants for a pool; 0 where nothing is said. The header belongs to the length."""
    layout = inventory.elements[pool].layout
    along, across = (layout.height, layout.width) if yard.upright else (layout.width, layout.height)
    return along or 0.0, across or 0.0


def _sides(given: Box, yard: Yard) -> tuple[float, float]:
    return (given.height, given.width) if yard.upright else (given.width, given.height)


def _box(along: float, length: float, band: _Band, yard: Yard) -> Box:
    if yard.upright:
        return Box(band.across, along, band.depth, length)
    return Box(along, band.across, length, band.depth)


def _on_pixels(box: Box) -> Box:
    left, top, right, bottom = (floor(side + 0.5) for side in (box.x, box.y, box.right, box.bottom))
    return Box(left, top, right - left, bottom - top)


def _moved_to(unit: Unit, along: float, across: float, yard: Yard) -> Unit:
    along, across = floor(along + 0.5), floor(across + 0.5)
    x, y = (across, along) if yard.upright else (along, across)
    return unit.moved(x - unit.core.center.x, y - unit.core.center.y)
