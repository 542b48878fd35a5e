"""Lanes without a place in a pool whose author gave other lanes theirs: they share the room that those leave.

In: the pool, its given lanes' boxes, the others with what stands in them. Out: pieces in their final places.
Promises: given lanes stay; the others are as long as these, stand where the document's order has them if there is room
between, squeezed only into a pool whose size is given, and else after the last. Rule R-POOL-4. px.
Here lanes are rows: upright pools are turned on the way in and out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from scenograph.engine.geometry.boxes import Box, union
from scenograph.engine.place.frames import HEADER
from scenograph.engine.place.inventory import Inventory
from scenograph.engine.place.pinned_pools import LEAST_LANE, pooled
from scenograph.engine.place.pools import Pool, Yard
from scenograph.engine.place.subgraph import LayoutSettings
from scenograph.engine.place.transposing import as_rows
from scenograph.engine.place.units import Unit
from scenograph.late_dataclasses import replace


def added_lanes(
    inventory: Inventory, yard: Yard, given: Mapping[str, Box], pool: Box | None, settings: LayoutSettings
) -> list[Unit]:
    """The pieces of all lanes of the yard's only pool that are not `given`, one for each run of them in the document.

    `pool` is its box where its author said where it begins, 0 for a side that he left open.
    """
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
    """Where lanes between two given ones begin, and how deep they are together; None: there is no room."""
    top = before.bottom if before is not None else None if pool is None else pool.y
    end = after.y if after is not None else pool.bottom if pool is not None and pool.height else None
    if top is None or end is None or end - top < LEAST_LANE:
        return None
    is_free = not any(box.y < end and top < box.bottom for box in taken)
    return (top, end - top) if is_free else None


def _without_pool(unit: Unit, first: str, pool: str) -> Unit:
    """The lanes alone, named after the first; their pool is drawn round all of them later."""
    boxes = {element_id: box for element_id, box in unit.boxes.items() if element_id != pool}
    whole = union(boxes.values()) or boxes[first]
    return Unit(first, whole, whole, boxes, (whole,), fixed=True)
