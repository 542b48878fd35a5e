"""Pools with some fixed content: lanes are set round this content and still tile their pool. px.

In: a yard with fixed units, and the boxes of the same yard in a free layout. Out: the whole yard as one fixed unit.
Promises (rule R-POOL-4): fixed units stay exactly; the lanes of a pool follow each other without a gap, in the order of
their fixed content; floating units keep their places in the free layout as far as lanes and fixed units allow. Lanes
are rows here: upright pools are turned on the way in and out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby, pairwise
from math import ceil, floor, inf
from statistics import median
from typing import TypeVar

from scenograph.engine.geometry.boxes import Box, Outset, Point, union
from scenograph.engine.geometry.packing import Occupied
from scenograph.engine.place.containers.frames import HEADER, LEAST_POOL, PADDING, area_in
from scenograph.engine.place.containers.pools import Band, Lane, Pool, Yard, as_rows, inset_as_row, stacked_pools, tiles
from scenograph.engine.place.inventory import Inventory, Unit, boxes_of
from scenograph.engine.place.subgraph import LayoutSettings
from scenograph.late_dataclasses import dataclass, replace

# The order of stacked pools: pools that exchange messages stand beside each other. In: pools in document order, the
# edges. Out: the same pools. Promises: document order stays unless another order leads messages past fewer pools; among
# equal orders, one near the document's.


MAX_ORDERED = 24  # pools; more keep the order of the document
MAX_ROUNDS = 24  # of moving one pool

Messages = Mapping[tuple[int, int], int]


def neighbourly(inventory: Inventory, pools: Sequence[Pool]) -> tuple[Pool, ...]:
    """The pools, moved one at a time to the place at which messages pass the fewest pools, until nothing improves."""
    messages = _messages(inventory, pools)
    order = list(range(len(pools)))
    if not 2 < len(pools) <= MAX_ORDERED:
        return tuple(pools)
    for _ in range(MAX_ROUNDS):
        best = min(_neighbours(order), key=lambda one: (_passed(one, messages), _inversions(one)))
        if _passed(best, messages) >= _passed(order, messages):
            break
        order = best
    return tuple(pools[number] for number in order)


def _messages(inventory: Inventory, pools: Sequence[Pool]) -> Messages:
    """How many ties join each two pools, by their numbers."""
    number = {pool.id: place for place, pool in enumerate(pools)}
    home = {one: number[up] for one in inventory.elements for up in (one, *inventory.ancestors(one)) if up in number}
    found = Counter[tuple[int, int]]()
    for tie in inventory.ties:
        first, second = home.get(tie.source), home.get(tie.target)
        if first is not None and second is not None and first != second:
            found[min(first, second), max(first, second)] += 1
    return found


def _neighbours(order: Sequence[int]) -> list[list[int]]:
    """All orders with one pool moved elsewhere."""
    found: list[list[int]] = []
    for at, moved in enumerate(order):
        rest = [*order[:at], *order[at + 1 :]]
        found += [[*rest[:to], moved, *rest[to:]] for to in range(len(order)) if to != at]
    return found


def _passed(order: Sequence[int], messages: Messages) -> int:
    """How many pools the messages pass between their ends."""
    place = {number: at for at, number in enumerate(order)}
    return sum((abs(place[first] - place[second]) - 1) * count for (first, second), count in messages.items())


def _inversions(order: Sequence[int]) -> int:
    """The number of pairs in reversed document order."""
    return sum(1 for at, first in enumerate(order) for second in order[at + 1 :] if second < first)


T = TypeVar("T")
FAR = 1e6  # px; wider than any scene
LEAST_LANE = 24.0  # of a lane whose fixed content all lies elsewhere
GAP_SHARES = (2 / 3, 1 / 3, 0.0)  # of node spacing between a floating unit and its neighbours


@dataclass(slots=True)
class _LaneRow:
    """A lane during placement: its pool's number, its span in the free layout, the span of its fixed content
    (padding included; None: no fixed content), and the least depth for its floating content. `top` and `bottom` are
    the result."""

    pool: int
    lane: Lane
    inset: Outset
    top: float
    bottom: float
    held: tuple[float, float] | None
    need: float


def pooled(inventory: Inventory, yard: Yard, settings: LayoutSettings, given: Box | None = None) -> Unit:
    """Pools with all their content as one unit. `given`: the box of a single pool placed by its author, 0 for an open
    side."""
    held = [unit for unit in yard.units if unit.fixed]
    if not held:
        yard = replace(yard, pools=neighbourly(inventory, yard.pools))
    stack = stacked_pools(inventory, yard, settings, given)
    if given is not None:
        stack = stack.moved(given.x, given.y)._replace(fixed=True)
        return standing_pools(inventory, yard, settings, stack.boxes, given) if held else stack
    if not held:
        return stack
    dx = floor(median(unit.boxes[unit.id].x - stack.boxes[unit.id].x for unit in held))
    dy = floor(median(unit.boxes[unit.id].y - stack.boxes[unit.id].y for unit in held))
    return standing_pools(inventory, yard, settings, stack.moved(dx, dy).boxes)


def standing_pools(
    inventory: Inventory, yard: Yard, settings: LayoutSettings, free: Mapping[str, Box], given: Box | None = None
) -> Unit:
    """The pools round their fixed units. `given`: the box of a single pool placed by its author, 0 for an open side,
    which then extends to the content."""
    boxes = {element_id: as_rows(box, upright=yard.upright) for element_id, box in free.items()}
    rows = _rows(inventory, yard, boxes)
    _tile(rows, settings.rank_spacing, None if given is None else as_rows(given, upright=yard.upright))
    units = _units_in(rows, yard, boxes, settings.node_spacing)
    found = _frames(rows, yard, units, None if given is None else as_rows(given, upright=yard.upright))
    frames = {element_id: as_rows(box, upright=yard.upright) for element_id, box in found.items()}
    whole = union([*frames.values(), *(unit.whole for unit in units)]) or Box(0.0, 0.0, 0.0, 0.0)
    core = union(frames.values()) or whole
    return Unit(yard.pools[0].id, core, whole, {**frames, **boxes_of(units)}, (whole,), fixed=True)


def _rows(inventory: Inventory, yard: Yard, boxes: Mapping[str, Box]) -> list[_LaneRow]:
    """All lanes, pool after pool; pools with fixed content, and lanes with fixed content, follow the order of this
    content."""
    found: list[list[_LaneRow]] = []
    for number, pool in enumerate(yard.pools):
        start = boxes[pool.id].y
        mine: list[_LaneRow] = []
        for lane in pool.lanes:
            end = _end_of(lane, pool.lanes, boxes, boxes[pool.id].bottom, start)
            mine.append(_row(inventory, yard, boxes, (number, lane, start, end)))
            start = end
        found.append(_siblings_in_held_order(mine))
    return [row for mine in _in_held_order(found, _first_held) for row in mine]


def _in_held_order(rows: Sequence[T], held: Callable[[T], tuple[float, float] | None]) -> list[T]:
    """The rows; those with fixed content are sorted among themselves."""
    ordered = iter(sorted((row for row in rows if held(row)), key=lambda row: held(row) or (0.0, 0.0)))
    return [next(ordered) if held(row) else row for row in rows]


def _siblings_in_held_order(rows: Sequence[_LaneRow], depth: int = 0) -> list[_LaneRow]:
    """Nested lanes in the order of their fixed content, at every depth."""
    ways = [(*row.lane.above, f"{number} own")[: depth + 1] for number, row in enumerate(rows)]
    numbered = groupby(range(len(rows)), key=lambda number: ways[number])
    groups = [[rows[number] for number in group] for _, group in numbered]
    deeper = [group if len(group) == 1 else _siblings_in_held_order(group, depth + 1) for group in groups]
    return [row for group in _in_held_order(deeper, _first_held) for row in group]


def _first_held(rows: Sequence[_LaneRow]) -> tuple[float, float] | None:
    return min((row.held for row in rows if row.held), default=None)


def _end_of(lane: Lane, lanes: Sequence[Lane], boxes: Mapping[str, Box], end: float, start: float) -> float:
    """The end of a lane in the free layout; content beside lanes ends at the start of the first lane."""
    if lane.id is not None:
        return boxes[lane.id].bottom
    if lane.above:
        end = boxes[lane.above[-1]].bottom
    return min((boxes[one.id].y for one in lanes if one.id is not None and boxes[one.id].y >= start), default=end)


def _row(inventory: Inventory, yard: Yard, boxes: Mapping[str, Box], place: tuple[int, Lane, float, float]) -> _LaneRow:
    number, lane, top, bottom = place
    inset = inset_as_row(inventory, lane.id, lane.above, upright=yard.upright)
    held = union(as_rows(unit.whole, upright=yard.upright) for unit in lane.units if unit.fixed)
    floating = union(_whole_at(unit, boxes[unit.id], yard) for unit in lane.units if not unit.fixed)
    span = None if held is None else (floor(held.y - inset.top), ceil(held.bottom + inset.bottom))
    need = inset.top + inset.bottom + (0.0 if floating is None else floating.height)
    return _LaneRow(number, lane, inset, top, bottom, span, ceil(need))


def _whole_at(unit: Unit, box: Box, yard: Yard) -> Box:
    """The whole box of a unit, given the turned box of its own element (for stacked pools, of the first)."""
    own, whole = as_rows(unit.boxes[unit.id], upright=yard.upright), as_rows(unit.whole, upright=yard.upright)
    return whole.moved(box.x - own.x, box.y - own.y)


def _tile(rows: Sequence[_LaneRow], gap: float, given: Box | None) -> None:
    """Set the span of every row: first by fixed content, then by needed depth, then as in the free layout."""
    gaps = [gap if above.pool != below.pool else 0.0 for above, below in pairwise(rows)]
    highest = _highest_ends(rows, gaps)
    first, last = rows[0], rows[-1]
    top = first.top if given is None else given.y
    held_top = inf if first.held is None else first.held[0]
    end = min(max(first.bottom, _held_end(first)), highest[0])
    if given is None:
        top = min(top, held_top, end - first.need)
    for number, row in enumerate(rows[:-1]):
        row.top = top
        row.bottom = min(max(row.bottom, _held_end(row), top + row.need), highest[number])
        row.bottom = max(row.bottom, top + (row.need if row.held is None else LEAST_LANE))
        top = row.bottom + gaps[number]
    last.top = top
    end = given.bottom if given is not None and given.height else max(last.bottom, _held_end(last))
    last.bottom = max(end, top + last.need)


def _held_end(row: _LaneRow) -> float:
    return -inf if row.held is None else row.held[1]


def _highest_ends(rows: Sequence[_LaneRow], gaps: Sequence[float]) -> list[float]:
    """The latest end of each row but the last, so that all rows below fit and contain their fixed content; the middle
    between the fixed contents of two rows in conflict."""
    highest, limit = [inf] * len(rows), inf
    for number in range(len(rows) - 2, -1, -1):
        row, below = rows[number], rows[number + 1]
        limit = min(limit - below.need, inf if below.held is None else below.held[0]) - gaps[number]
        held = _held_end(row)
        if below.held is not None and held > below.held[0] - gaps[number]:
            limit = floor((held + below.held[0] - gaps[number]) / 2)
        elif limit < held:
            limit = held
        highest[number] = limit
    return highest


def _units_in(rows: Sequence[_LaneRow], yard: Yard, boxes: Mapping[str, Box], spacing: float) -> list[Unit]:
    """The fixed units unchanged, and floating units in their lanes, near their places in the free layout."""
    units = [unit for row in rows for unit in row.lane.units if unit.fixed]
    taken = Occupied(as_rows(box, upright=yard.upright) for box in (*yard.around, *(unit.whole for unit in units)))
    for row in rows:
        room = area_in(row.inset, Box(-FAR, row.top, 2 * FAR, row.bottom - row.top))
        floating = [unit for unit in row.lane.units if not unit.fixed]
        wholes = [_whole_at(unit, boxes[unit.id], yard) for unit in floating]
        down = _into(room, wholes)
        for unit, own in zip(floating, wholes, strict=True):
            spot = _spot(taken, own.moved(0.0, down), spacing, room)
            taken.add(spot)
            units.append(_moved(unit, boxes[unit.id], Point(spot.x - own.x, spot.y - own.y), yard))
    return units


def _into(room: Box, wholes: Sequence[Box]) -> float:
    """The downward shift that brings all boxes, as a block, into the room."""
    around = union(wholes)
    if around is None:
        return 0.0
    return max(min(0.0, room.bottom - around.bottom), room.y - around.y)


def _spot(taken: Occupied, own: Box, spacing: float, room: Box) -> Box:
    """The nearest free place in a lane; for a lane too narrow, beyond everything else."""
    for share in GAP_SHARES:
        spot = taken.free_spot(own, spacing * share, room)
        if spot is not None:
            return spot
    return taken.free_spot(own, 0.0) or own


def _moved(unit: Unit, box: Box, by: Point, yard: Yard) -> Unit:
    """A unit with its own element at a turned box, shifted."""
    at, own = as_rows(box.moved(round(by.x, 2), round(by.y, 2)), upright=yard.upright), unit.boxes[unit.id]
    return unit.moved(at.x - own.x, at.y - own.y)


def _frames(rows: Sequence[_LaneRow], yard: Yard, units: Sequence[Unit], given: Box | None) -> dict[str, Box]:
    """Pools and lanes, equally long."""
    wholes = {unit.id: as_rows(unit.whole, upright=yard.upright) for unit in units}
    content = [(wholes[unit.id], row.inset) for row in rows for unit in row.lane.units]
    low = floor(min((box.x - inset.left for box, inset in content), default=HEADER))
    high = ceil(max((box.right + inset.right for box, inset in content), default=PADDING))
    high = max(high, low + LEAST_POOL[0] - HEADER)
    if given is not None:
        low = given.x + HEADER
        high = given.right if given.width else max(high, given.x + LEAST_POOL[0])
    found: dict[str, Box] = {}
    for number, group in groupby(rows, key=lambda row: row.pool):
        mine = list(group)
        depth = mine[-1].bottom - mine[0].top
        depth = given.height if given is not None and given.height else depth
        found[yard.pools[number].id] = Box(low - HEADER, mine[0].top, high - low + HEADER, depth)
        found |= tiles([Band(row.lane.id, row.lane.above, row.top, row.bottom) for row in mine], low, high)
    return found


# Lanes without a place in a pool with placed lanes: they share the remaining room. In: the pool, the boxes of its given
# lanes, the remaining lanes with their content. Out: units in final places. Promises: given lanes stay; the remaining
# lanes have the same length, stand in document order if there is room between, squeezed only into a pool of given size,
# and else after the last. Rule R-POOL-4. px. Lanes are rows here: upright pools are turned on the way in and out.


def added_lanes(
    inventory: Inventory, yard: Yard, given: Mapping[str, Box], pool: Box | None, settings: LayoutSettings
) -> list[Unit]:
    """The units of all lanes not `given` in the yard's only pool, one for each sequence of these lanes in the document.
    `pool`: the box of a pool placed by its author, 0 for an open side."""
    whole = yard.pools[0]
    bands = {lane: as_rows(box, upright=yard.upright) for lane, box in given.items()}
    around = None if pool is None else as_rows(pool, upright=yard.upright)
    left, right = min(box.x for box in bands.values()), max(box.right for box in bands.values())
    found: list[Unit] = []
    before: Box | None = None
    rows = [(lane.id is not None and lane.id in bands, lane) for lane in whole.lanes]
    runs = [(is_given, [lane for _, lane in run]) for is_given, run in groupby(rows, key=lambda row: row[0])]
    for number, (is_given, run) in enumerate(runs):
        if is_given:
            before = bands[run[-1].id or ""]
            continue
        after = bands[runs[number + 1][1][0].id or ""] if number + 1 < len(runs) else None
        taken = [*bands.values(), *(as_rows(unit.core, upright=yard.upright) for unit in found)]
        part = replace(yard, pools=(Pool(whole.id, tuple(run)),))
        last = Box(left - HEADER, max(box.bottom for box in taken), right - left + HEADER, 0.0)
        unit = pooled(inventory, part, settings, as_rows(last, upright=yard.upright))
        room = _room(before, after, around, taken)
        is_bounded = around is not None and around.height > 0
        if room is not None and (is_bounded or as_rows(unit.boxes[whole.id], upright=yard.upright).height <= room[1]):
            between = last._replace(y=room[0], height=room[1])
            unit = pooled(inventory, part, settings, as_rows(between, upright=yard.upright))
        found.append(_without_pool(unit, run[0].id or whole.id, whole.id))
    return found


def _room(before: Box | None, after: Box | None, pool: Box | None, taken: Sequence[Box]) -> tuple[float, float] | None:
    """The start and the total depth of lanes between two given lanes; None without room."""
    top = before.bottom if before is not None else None if pool is None else pool.y
    end = after.y if after is not None else pool.bottom if pool is not None and pool.height else None
    if top is None or end is None or end - top < LEAST_LANE:
        return None
    is_free = not any(box.y < end and top < box.bottom for box in taken)
    return (top, end - top) if is_free else None


def _without_pool(unit: Unit, first: str, pool: str) -> Unit:
    """The lanes alone, named after the first; their pool is drawn round all lanes later."""
    boxes = {element_id: box for element_id, box in unit.boxes.items() if element_id != pool}
    whole = union(boxes.values()) or boxes[first]
    return Unit(first, whole, whole, boxes, (whole,), fixed=True)
