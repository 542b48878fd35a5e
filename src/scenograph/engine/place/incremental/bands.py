"""Pools with placed content: lanes tile the pools again, each as deep as its content. px.

In: rows (the content of a lane, or of a pool itself), each with its former band. Out: the pools with all content as one
unit. Promises (rule R-POOL-4): nothing moves while every row fits into its band; a row keeps at least its depth and its
content; a row that grows, or is new, pushes the rest by the missing depth; rows follow each other without a gap (the
band of a removed lane is a gap row, which gives way to others), pools keep at least their former distance; all have the
same length, no shorter than before. Lanes are rows here: upright pools are turned on the way in and out.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise
from math import ceil, floor, fsum
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box, Outset, union
from scenograph.engine.kernels.projection import Separation, separated
from scenograph.engine.place.containers.frames import HEADER, LEAST_POOL, PADDING, room_beside
from scenograph.engine.place.containers.pools import Band, as_rows, grown_for_titles, tiles
from scenograph.engine.place.incremental.making_room import FIXED, HALF, HEAVY, LIGHT, ROUGHLY
from scenograph.engine.place.inventory import Unit, boxes_of


class BandRow(NamedTuple):
    """The content of a lane of a pool, or of the pool itself (`lane` None). `above`: the lanes round the lane,
    outermost first. `band`: the former box, None for a new row. `held`: the hull of the former content. `inset`: the
    margin round the content. `is_gap`: the row is the room of a removed lane. `is_given`: the author placed the lane,
    whose unit has its own box."""

    pool: str
    lane: str | None
    above: tuple[str, ...]
    units: Sequence[Unit]
    band: Box | None
    held: Box | None
    inset: Outset
    is_gap: bool = False
    is_given: bool = False


class Stack(NamedTuple):
    """Rows of pools in the same orientation, and the former boxes of the pools. A new pool stands `gap` after its
    predecessor. `given`: the author placed the start of the only pool. `lanes`: the former hull of the only pool's
    free lanes; the pool holds given lanes, which may stand anywhere in it. `titles`: the least length and depth of
    new pools and lanes for their titles; those that stood keep their boxes."""

    rows: Sequence[BandRow]
    pools: Mapping[str, Box]
    gap: float
    upright: bool
    titles: Mapping[str, tuple[float, float]]
    given: bool = False
    lanes: Box | None = None


class _RowSpan(NamedTuple):
    """The wanted span of a row across the lanes, and its weight. `stood`: the row keeps its place unless pushed."""

    top: float
    bottom: float
    weight: float
    stood: bool


class _Holder(NamedTuple):
    """A pool, or a divided lane, with gap rows: the numbers of its rows, and its former extent across the lanes."""

    rows: Sequence[int]
    top: float
    bottom: float


class _Laid(NamedTuple):
    """A row with the final span across the lanes and the shift."""

    row: BandRow
    top: float
    bottom: float
    shift: float


def as_they_stood(pools: Sequence[str], former: Mapping[str, Box], *, upright: bool) -> list[str]:
    """Pools in their former order, each new pool after its predecessor in the document."""
    stood = sorted(former, key=lambda one: former[one].x if upright else former[one].y)
    found: list[str] = []
    for number, pool in enumerate(pools):
        if pool not in former:
            found.insert(found.index(pools[number - 1]) + 1 if number else 0, pool)
        elif not found or pool not in found:
            found += [one for one in stood if one not in found]
    return found


def banded(stack: Stack) -> Unit:
    """The unit of all pools, named after the first."""
    laid = _laid(stack)
    low, high = _length(stack)
    frames: dict[str, Box] = {}
    for pool, group in groupby(laid, key=lambda one: one.row.pool):
        mine = list(group)
        depth = max(mine[-1].bottom - mine[0].top, LEAST_POOL[1] if pool not in stack.pools else 0.0)
        if stack.given:  # lanes may have left the author's size
            was = as_rows(stack.pools[pool], upright=stack.upright)
            left = max(0.0, _stood_to(stack) - was.bottom)
            depth = max(was.height, depth - left)
        frames[pool] = Box(low - HEADER, mine[0].top, high - low + HEADER, depth)
        if stack.lanes is not None:
            around = [as_rows(stack.pools[pool], upright=stack.upright)]
            around += [
                as_rows(unit.whole, upright=stack.upright) for one in mine if one.row.is_given for unit in one.row.units
            ]
            frames[pool] = union((frames[pool], *around)) or frames[pool]
        frames |= tiles([Band(one.row.lane, one.row.above, one.top, one.bottom) for one in mine], low, high)
    boxes = {element_id: as_rows(box, upright=stack.upright) for element_id, box in frames.items()}
    units = [_moved(unit, one.shift, upright=stack.upright) for one in laid for unit in one.row.units]
    core = union(boxes.values()) or Box(0.0, 0.0, 0.0, 0.0)
    whole = union((core, *(unit.whole for unit in units))) or core
    fixed = stack.given or any(unit.fixed for unit in units)
    return Unit(stack.rows[0].pool, core, whole, {**boxes, **boxes_of(units)}, (whole,), fixed=fixed)


def _stood_to(stack: Stack) -> float:
    """The former end of the last lane of a pool."""
    bands = [as_rows(row.band, upright=stack.upright).bottom for row in stack.rows if row.band is not None]
    return max(bands, default=0.0)


def _laid(stack: Stack) -> list[_Laid]:
    """Every row with its final span, in order."""
    spans, holders = _spans(stack), _holders(stack)
    shifts, sides = _solved(stack, spans, holders)
    tops = [span.top + shift for span, shift in zip(spans, shifts, strict=True)]
    bottoms = [span.bottom + shift for span, shift in zip(spans, shifts, strict=True)]
    for holder, (top, _) in zip(holders, sides, strict=True):
        if stack.rows[holder.rows[0]].is_gap:
            tops[holder.rows[0]] = holder.top + top
    ends = {holder.rows[-1]: holder.bottom + bottom for holder, (_, bottom) in zip(holders, sides, strict=True)}
    for number, row in enumerate(stack.rows):
        if row.is_gap:
            tops[number] = bottoms[number] = _start_of_gap(stack, number, tops, bottoms)
    for number, row in enumerate(stack.rows):
        was = stack.pools.get(row.pool)
        last = number + 1 == len(spans) or _is_first(stack, number + 1)
        end = tops[number] + (0.0 if row.lane is None else spans[number].bottom - spans[number].top)
        if not last:
            late = max(0.0, end - tops[number + 1])
            tops[number + 1] += late
            shifts[number + 1] += late if spans[number + 1].weight != FIXED else 0.0
            bottoms[number] = tops[number + 1]
        around = None if was is None else as_rows(was, upright=stack.upright)
        if stack.given and around is not None and not number:
            tops[0] = around.y
        elif around is not None and spans[number].stood and _is_first(stack, number) and not row.is_gap:
            tops[number] = min(tops[number], around.y + shifts[number])
        if around is not None and spans[number].stood and last:
            bottoms[number] = max(bottoms[number], ends.get(number, around.bottom + shifts[number]))
        bottoms[number] = max(bottoms[number], end)
    return [
        _Laid(
            row, top, bottom, (shift if span.stood else top - _wanted(row, upright=stack.upright, given=stack.given)[0])
        )
        for row, span, shift, top, bottom in zip(stack.rows, spans, shifts, tops, bottoms, strict=True)
    ]


def _solved(
    stack: Stack, spans: Sequence[_RowSpan], holders: Sequence[_Holder]
) -> tuple[list[float], list[tuple[float, float]]]:
    """The shift of each row, and of both sides of each holder of gaps."""
    solid = [number for number, row in enumerate(stack.rows) if not row.is_gap]
    separations = [
        Separation(above, below, ceil(_gap(stack, above, below) + spans[above].bottom - spans[below].top - ROUGHLY))
        for above, below in pairwise(solid)
    ]
    separations += _kept_extents(stack, spans, holders)
    weights = [*(span.weight for span in spans), *([LIGHT, LIGHT] * len(holders))]
    if stack.given:  # the rows lie behind the start of the pool
        start = as_rows(stack.pools[stack.rows[0].pool], upright=stack.upright).y
        separations.append(Separation(len(weights), 0, ceil(start - spans[0].top - ROUGHLY)))
        weights.append(FIXED)
    shifts = [0.0] * len(weights)
    if any(separation.gap > 0 for separation in separations):
        shifts = [float(floor(step + HALF)) for step in separated(shifts, weights, separations)]
    # If fixed rows contradict each other, their content stays, and each lane begins where the one before has its room.
    shifts = [0.0 if weight == FIXED else step for step, weight in zip(shifts, weights, strict=True)]
    behind = len(spans) + 2 * len(holders)
    sides = zip(shifts[len(spans) : behind : 2], shifts[len(spans) + 1 : behind : 2], strict=True)
    return shifts[: len(spans)], list(sides)


def _start_of_gap(stack: Stack, number: int, tops: Sequence[float], bottoms: Sequence[float]) -> float:
    """Where a gap row begins: behind the row before, if any, and not after the next row with content or a lane."""
    row = stack.rows[number]
    behind = range(number + 1, len(stack.rows))
    following = [at for at in behind if stack.rows[at].pool == row.pool and not stack.rows[at].is_gap][:1]
    start = tops[number] if _is_first(stack, number) else bottoms[number - 1]
    return min([start, *(tops[at] for at in following)])


def _holders(stack: Stack) -> list[_Holder]:
    found: list[_Holder] = []
    for around in dict.fromkeys(one for row in stack.rows if row.is_gap for one in (row.pool, *row.above)):
        within = [number for number, row in enumerate(stack.rows) if around in (row.pool, *row.above)]
        bands = [as_rows(band, upright=stack.upright) for number in within if (band := stack.rows[number].band)]
        found.append(_Holder(within, min(band.y for band in bands), max(band.bottom for band in bands)))
    return found


def _kept_extents(stack: Stack, spans: Sequence[_RowSpan], holders: Sequence[_Holder]) -> list[Separation]:
    """The separations that keep a holder of gaps from shrinking: the gaps are room for its own content, not for rows
    outside. The sides of each holder are two variables behind the rows."""
    found: list[Separation] = []
    sides = [(len(spans) + 2 * number, len(spans) + 2 * number + 1) for number in range(len(holders))]
    solid = [number for number, row in enumerate(stack.rows) if not row.is_gap]

    def apart(first: int, second: int, end: float, start: float) -> None:
        found.append(Separation(first, second, ceil(end - start - ROUGHLY)))

    for (top, bottom), holder in zip(sides, holders, strict=True):
        apart(top, bottom, 0.0, 0.0)
        inside = [number for number in solid if number in holder.rows]
        for one in inside[:1]:
            apart(top, one, holder.top, spans[one].top)
        for one in inside[-1:]:
            apart(one, bottom, spans[one].bottom, holder.bottom)
        for one in [number for number in solid if number < holder.rows[0]][-1:]:
            apart(one, top, spans[one].bottom + _gap(stack, one, holder.rows[0]), holder.top)
        for one in [number for number in solid if number > holder.rows[-1]][:1]:
            apart(bottom, one, holder.bottom + _gap(stack, holder.rows[-1], one), spans[one].top)
        for (other_top, other_bottom), other in zip(sides, holders, strict=True):
            if holder.rows[-1] < other.rows[0]:
                apart(bottom, other_top, holder.bottom + _gap(stack, holder.rows[-1], other.rows[0]), other.top)
            elif other is not holder and {*other.rows} <= {*holder.rows}:
                apart(top, other_top, holder.top, other.top)
                apart(other_bottom, bottom, other.bottom, holder.bottom)
    return found


def _is_first(stack: Stack, number: int) -> bool:
    """Whether a row is the first of its pool."""
    return not number or stack.rows[number - 1].pool != stack.rows[number].pool


def _spans(stack: Stack) -> list[_RowSpan]:
    """The former spans of the rows, widened to fit their content; new and reordered rows follow the row before."""
    stood, wanted = _in_order(stack), _with_titles(stack)
    spans: list[_RowSpan] = []
    for number, (row, (top, bottom)) in enumerate(zip(stack.rows, wanted, strict=True)):
        if number in stood or row.is_given:
            spans.append(_RowSpan(top, bottom, _weight(row, bottom - top, upright=stack.upright), stood=True))
            continue
        before = spans[-1].bottom + _gap(stack, number - 1, number) if spans else None
        if before is None:
            after = next((at for at in sorted(stood)), None)
            before = 0.0 if after is None else wanted[after][0]
            if after is not None and not stack.rows[after].is_gap:
                before -= sum(wanted[at][1] - wanted[at][0] for at in range(after))
        spans.append(_RowSpan(before, before + bottom - top, LIGHT, stood=False))
    return spans


def _with_titles(stack: Stack) -> list[tuple[float, float]]:
    """The wanted spans. The last row of a pool, or of a divided lane, grows where a title across lacks room."""
    wanted = [_wanted(row, upright=stack.upright, given=stack.given) for row in stack.rows]

    def grown(one: str | None, depths: Sequence[float]) -> Sequence[float]:
        if one is None or one not in stack.titles:
            return depths
        stood = as_rows(stack.pools[one], upright=stack.upright).height if one in stack.pools else 0.0
        lacking = max(0.0, ceil(stack.titles[one][1] - max(fsum(depths), stood) - ROUGHLY))
        return [*depths[:-1], depths[-1] + lacking]

    paths = [() if row.is_gap or row.is_given else _path(row) for row in stack.rows]
    depths = [bottom - top for top, bottom in wanted]
    more = zip(depths, grown_for_titles(depths, paths, grown), strict=True)
    return [(top, bottom + (after - before)) for (top, bottom), (before, after) in zip(wanted, more, strict=True)]


def _path(row: BandRow) -> tuple[str | None, ...]:
    """The pool, the enclosing lanes and the lane of a row."""
    return row.pool, *row.above, row.lane


def _in_order(stack: Stack) -> set[int]:
    """The largest set of rows still in their former order, by number."""
    tops = [
        (as_rows(row.band, upright=stack.upright).y, number)
        for number, row in enumerate(stack.rows)
        if row.band is not None
    ]
    ends: list[tuple[float, int]] = []
    before: dict[int, int | None] = {}
    for top, number in tops:
        place = bisect_left(ends, (top, number))
        before[number] = ends[place - 1][1] if place else None
        ends[place : place + 1] = [(top, number)]
    found, at = set[int](), ends[-1][1] if ends else None
    while at is not None:
        found.add(at)
        at = before[at]
    return found


def _weight(row: BandRow, depth: float, *, upright: bool) -> float:
    if any(unit.fixed for unit in row.units):
        return FIXED
    if row.band is not None and depth > as_rows(row.band, upright=upright).height + ROUGHLY:
        return HEAVY
    return 1.0 + len(row.units)


def _wanted(row: BandRow, *, upright: bool, given: bool) -> tuple[float, float]:
    """The former span of a row, widened to fit its content."""
    content = union(as_rows(unit.whole, upright=upright) for unit in row.units)
    if row.band is None:
        if content is None:
            return 0.0, LEAST_POOL[1]
        return floor(content.y - row.inset.top), ceil(content.bottom + row.inset.bottom)
    band = as_rows(row.band, upright=upright)
    if row.is_gap:
        return band.y, band.y
    if row.is_given:
        return band.y, band.bottom
    held = None if row.held is None else as_rows(row.held, upright=upright)
    room = room_beside(band, row.inset, held, content, may_leave=given or any(unit.fixed for unit in row.units))
    return band.y - room.top, band.bottom + room.bottom


def _gap(stack: Stack, number: int, following: int) -> float:
    """The room between two successive rows."""
    above, below = stack.rows[number], stack.rows[following]
    if above.pool == below.pool:
        return 0.0
    first, second = stack.pools.get(above.pool), stack.pools.get(below.pool)
    if first is None or second is None:
        return stack.gap
    stood = as_rows(second, upright=stack.upright).y - as_rows(first, upright=stack.upright).bottom
    return stood if 0 <= stood <= stack.gap else stack.gap


def _length(stack: Stack) -> tuple[float, float]:
    """The common start and end of all lanes along the flow."""
    former = [as_rows(box, upright=stack.upright) for box in stack.pools.values()]
    low = min((box.x + HEADER for box in former), default=None)
    high = max((box.right for box in former), default=None)
    if stack.lanes is not None:
        row = as_rows(stack.lanes, upright=stack.upright)
        low, high = row.x, row.right
    for row in stack.rows:
        content = union(as_rows(unit.whole, upright=stack.upright) for unit in row.units)
        if content is None or row.is_given:
            continue
        left, right = content.x - row.inset.left, content.right + row.inset.right
        if low is None or high is None:
            low = floor(left) if low is None else min(low, floor(left))
            high = ceil(right) if high is None else max(high, ceil(right))
            continue
        held = None if row.held is None else as_rows(row.held, upright=stack.upright)
        is_firm = stack.given or any(unit.fixed for unit in row.units)
        room = room_beside(Box(low, 0.0, high - low, 0.0), row.inset, held, content, may_leave=is_firm)
        low, high = low - (0.0 if stack.given else room.left), high + room.right
    low = PADDING if low is None else low
    least = low if former else low + LEAST_POOL[0] - HEADER  # a pool that stood may be smaller
    for row in stack.rows:
        for headers, one in enumerate(_path(row)):
            along = stack.titles[one][0] if one is not None and one in stack.titles else 0.0
            least = max(least, low + ceil(along + HEADER * (headers - 1) - ROUGHLY))
    return low, least if high is None else max(high, least)


def _moved(unit: Unit, shift: float, *, upright: bool) -> Unit:
    return unit.moved(shift, 0.0) if upright else unit.moved(0.0, shift)
