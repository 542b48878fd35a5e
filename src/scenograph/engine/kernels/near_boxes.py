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
