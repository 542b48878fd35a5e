"""Pools whose content has its places: the lanes tile them again, each as deep as its content needs.

In: rows (what stands in a lane, or in a pool itself), each with the band that it had. Out: the pools with all that is
in them as one piece. Promises: the first row that stood stays; a row is no less deep than it was; rows follow each
other without a gap, pools at the distance that they had; all are equally long, no shorter than they were. Where every
row still fits into its band nothing moves. Rule R-POOL-4. px. Here lanes are rows: upright pools are turned on the way
in and out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from math import ceil, floor
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box, Outset, union
from scenograph.engine.place.frames import HEADER, LEAST_POOL, PADDING
from scenograph.engine.place.inventory import Unit, boxes_of
from scenograph.engine.place.pools import Band, as_rows, tiles

ROUNDING = 1.0  # px; so much the whole pixels of a fresh pool take from its padding at the most


class Row(NamedTuple):
    """What stands in a lane of a pool, or in the pool itself (`lane` None); `above` are the lanes round it, the
    outermost first; `band` is the box that it had, None where it is new; `inset` is what it keeps free as a row."""

    pool: str
    lane: str | None
    above: tuple[str, ...]
    units: Sequence[Unit]
    band: Box | None
    inset: Outset


class Stack(NamedTuple):
    """Rows of pools that lie the same way, and the boxes that the pools had. A new pool stands `gap` after the one
    before it."""

    rows: Sequence[Row]
    pools: Mapping[str, Box]
    gap: float
    upright: bool


class _Laid(NamedTuple):
    """A row with its span across the lanes, and how far its content moves there."""

    row: Row
    top: float
    bottom: float
    shift: float


def as_they_stood(pools: Sequence[str], former: Mapping[str, Box], *, upright: bool) -> list[str]:
    """Pools in the order in which they stood, each new one after its predecessor in the document."""
    stood = sorted(former, key=lambda one: former[one].x if upright else former[one].y)
    found: list[str] = []
    for number, pool in enumerate(pools):
        if pool not in former:
            found.insert(found.index(pools[number - 1]) + 1 if number else 0, pool)
        elif not found or pool not in found:
            found += [one for one in stood if one not in found]
    return found


def banded(stack: Stack) -> Unit:
    """The pools, named after the first of them."""
    laid = _laid(stack)
    low, high = _length(stack)
    frames: dict[str, Box] = {}
    for pool, group in groupby(laid, key=lambda one: one.row.pool):
        mine = list(group)
        depth = max(mine[-1].bottom - mine[0].top, LEAST_POOL[1] if pool not in stack.pools else 0.0)
        frames[pool] = Box(low - HEADER, mine[0].top, high - low + HEADER, depth)
        frames |= tiles([Band(one.row.lane, one.row.above, one.top, one.bottom) for one in mine], low, high)
    boxes = {element_id: as_rows(box, upright=stack.upright) for element_id, box in frames.items()}
    units = [_moved(unit, one.shift, upright=stack.upright) for one in laid for unit in one.row.units]
    core = union(boxes.values()) or Box(0.0, 0.0, 0.0, 0.0)
    whole = union((core, *(unit.whole for unit in units))) or core
    return Unit(stack.rows[0].pool, core, whole, {**boxes, **boxes_of(units)}, (whole,))


def _laid(stack: Stack) -> list[_Laid]:
    """Every row in its span, one after the other; new ones before the first that stood end where that begins."""
    first = next((number for number, row in enumerate(stack.rows) if row.band is not None), 0)
    laid: list[_Laid] = []
    for row in stack.rows[first:]:
        top, bottom = _wanted(row, upright=stack.upright)
        start = top if not laid else laid[-1].bottom + _gap(stack, laid[-1].row, row)
        laid.append(_Laid(row, start, start + bottom - top, start - top))
    for row in reversed(stack.rows[:first]):
        top, bottom = _wanted(row, upright=stack.upright)
        end = laid[0].top - _gap(stack, row, laid[0].row)
        laid.insert(0, _Laid(row, end - (bottom - top), end, end - bottom))
    return laid


def _wanted(row: Row, *, upright: bool) -> tuple[float, float]:
    """The span that a row had, wider where its content needs that."""
    inset = row.inset
    content = union(as_rows(unit.whole, upright=upright) for unit in row.units)
    band = None if row.band is None else as_rows(row.band, upright=upright)
    if content is None:
        return (0.0, LEAST_POOL[1]) if band is None else (band.y, band.bottom)
    had = (None, None) if band is None else (band.y, band.bottom)
    return _low(content.y - inset.top, had[0]), _high(content.bottom + inset.bottom, had[1])


def _low(needed: float, had: float | None) -> float:
    """Where a side begins: where it did, unless more than rounding would be lacking there."""
    return floor(needed) if had is None or needed <= had - ROUNDING else had


def _high(needed: float, had: float | None) -> float:
    """Where a side ends."""
    return ceil(needed) if had is None or needed >= had + ROUNDING else had


def _gap(stack: Stack, above: Row, below: Row) -> float:
    if above.pool == below.pool:
        return 0.0
    first, second = stack.pools.get(above.pool), stack.pools.get(below.pool)
    if first is None or second is None:
        return stack.gap
    stood = as_rows(second, upright=stack.upright).y - as_rows(first, upright=stack.upright).bottom
    return stood if 0 <= stood <= stack.gap else stack.gap


def _length(stack: Stack) -> tuple[float, float]:
    """Where all lanes begin and end along the flow."""
    former = [as_rows(box, upright=stack.upright) for box in stack.pools.values()]
    low = min((box.x + HEADER for box in former), default=None)
    high = max((box.right for box in former), default=None)
    rows = [(row.inset, row.units) for row in stack.rows if row.units]
    wholes = [(inset, as_rows(unit.whole, upright=stack.upright)) for inset, units in rows for unit in units]
    if wholes:
        low = _low(min(whole.x - inset.left for inset, whole in wholes), low)
        high = _high(max(whole.right + inset.right for inset, whole in wholes), high)
    low = PADDING if low is None else low
    least = low + LEAST_POOL[0] - HEADER
    return low, least if high is None else max(high, least)


def _moved(unit: Unit, shift: float, *, upright: bool) -> Unit:
    return unit.moved(shift, 0.0) if upright else unit.moved(0.0, shift)
