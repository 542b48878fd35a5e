"""Which boxes lie nearer to each other than they should. px."""

from __future__ import annotations

from scenograph.engine.kernels.straight_lines import Rectangle

Pair = tuple[int, int]


def pairs_nearer(boxes: list[Rectangle], moving: list[bool], across: float, along: float, most: int) -> list[Pair]:
    """The pairs of boxes, by their numbers in order, with less room than `across` between them from left to right and
    less than `along` from top to bottom, of which at least one moves; at most so many. A gap below 0 lets boxes overlap
    by so much."""
    lefts = sorted([(box[0], number) for number, box in enumerate(boxes)])
    found: list[Pair] = []
    open_: list[int] = []  # the boxes that reach far enough to the right, as far as they were looked at
    for left, number in lefts:
        _, top, width, height = boxes[number]
        right, bottom, moves = left + width, top + height, moving[number]
        still: list[int] = []
        for other in open_:
            x, y, wide, high = boxes[other]
            if left - (x + wide) >= across:
                continue
            still.append(other)
            if x - right >= across or top - (y + high) >= along or y - bottom >= along:
                continue
            if moves or moving[other]:
                found.append((other, number) if other < number else (number, other))
                if len(found) >= most:
                    return sorted(found)
        still.append(number)
        open_ = still
    return sorted(found)


# Which boxes see each other along an axis. px.


# Where a box begins and ends on the axis, and on the one across it.
Span = tuple[float, float, float, float]


def in_sight(spans: list[Span]) -> list[tuple[int, int]]:
    """Pairs of which the first stands before the second, with nothing wholly between, by where they begin."""
    ordered = sorted([(span[0], number) for number, span in enumerate(spans)])
    found: list[tuple[int, int]] = []
    for place, (_, low) in enumerate(ordered):
        end, open_spans = spans[low][1], [(spans[low][2], spans[low][3])]
        for later in range(place + 1, len(ordered)):
            high = ordered[later][1]
            start, _, left, right = spans[high]
            if start < end:
                continue
            rest = _hidden(open_spans, left, right)
            if rest == open_spans:
                continue
            found.append((low, high))
            open_spans = rest
            if not open_spans:
                break
    return found


def _hidden(spans: list[tuple[float, float]], left: float, right: float) -> list[tuple[float, float]]:
    """What is left of spans behind one."""
    rest: list[tuple[float, float]] = []
    for lower, upper in spans:
        if left >= upper or lower >= right:
            rest.append((lower, upper))
            continue
        if lower < left:
            rest.append((lower, left))
        if right < upper:
            rest.append((right, upper))
    return rest


# Boxes along one axis, moved apart in one sweep forward and one backward. px.


STRIP = 120.0  # px; the breadth of the bands in which boxes are looked for
TOUCH = 1e-6  # px; boxes that share less only touch


def swept(
    middles: list[float], halves: list[float], low: list[float], high: list[float], *, only_overlaps: bool
) -> list[float]:
    """How far each box moves along the axis: the mean of a sweep forward and one backward. A box has a middle and half
    a length with half the gap, and reaches across the axis from `low` to `high`. `only_overlaps`: they push each other
    only where they overlap, and along the axis no more than across it."""
    order = sorted(range(len(middles)), key=lambda number: (middles[number], number))
    before = _before(order, low, high)
    if only_overlaps:
        for after, row in enumerate(before):
            near = [halves[first] + halves[after] - (middles[after] - middles[first]) for first in row]
            across = [min(high[first], high[after]) - max(low[first], low[after]) for first in row]
            before[after] = [first for place, first in enumerate(row) if TOUCH < near[place] <= across[place]]
    forward, backward = middles[:], middles[:]
    for after in order:
        for first in before[after]:
            forward[after] = max(forward[after], forward[first] + halves[first] + halves[after])
    for after in reversed(order):
        for first in before[after]:
            backward[first] = min(backward[first], backward[after] - halves[first] - halves[after])
    return [(forward[number] + backward[number]) / 2 - middle for number, middle in enumerate(middles)]


def _before(order: list[int], low: list[float], high: list[float]) -> list[list[int]]:
    """For each box those before it that it would meet if it moved along the axis."""
    strips: dict[int, list[int]] = {}
    before: list[list[int]] = [[] for _ in order]
    for after in order:
        found: dict[int, None] = {}
        for strip in range(int(low[after] // STRIP), int(high[after] // STRIP) + 1):
            row = strips.setdefault(strip, [])
            for first in row:
                if low[first] < high[after] and low[after] < high[first]:
                    found[first] = None
            row.append(after)
        before[after] = list(found)
    return before
