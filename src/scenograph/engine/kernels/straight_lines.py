"""Crossings of straight lines that are moved and counted again and again. px."""

from __future__ import annotations

# A straight line from (x, y) by (dx, dy), and its outermost x.
Segment = tuple[float, float, float, float, float, float]


def segment(ax: float, ay: float, bx: float, by: float) -> Segment:
    """The line from (ax, ay) to (bx, by)."""
    return (ax, ay, bx - ax, by - ay, bx if bx < ax else ax, bx if bx > ax else ax)


def pulled(line: Segment, at_start: float, at_end: float) -> Segment:
    """A line whose ends have moved across by so much."""
    x, y, dx, dy, _, _ = line
    start, end = x + at_start, x + dx + at_end
    return (start, y, end - start, dy, start, end) if start < end else (start, y, end - start, dy, end, start)


def sharing_heights(spans: list[tuple[float, float]]) -> list[list[int]]:
    """By line the others that share a height with it, touching aside; a span is a line's least and greatest y."""
    found: list[list[int]] = []
    for number, (high, low) in enumerate(spans):
        row: list[int] = []
        for other, (top, bottom) in enumerate(spans):
            if top < low and high < bottom and other != number:
                row.append(other)
        found.append(row)
    return found


def crossed(lines: list[Segment], near: list[int], number: int) -> set[int]:
    """The lines among those `near` that one crosses; lines that touch do not."""
    x, y, dx, dy, left, right = lines[number]
    found: set[int] = set()
    for other in near:
        ox, oy, odx, ody, oleft, oright = lines[other]
        if oright <= left or right <= oleft:
            continue
        gx, gy = ox - x, oy - y
        start, end = dx * gy - dy * gx, dx * (gy + ody) - dy * (gx + odx)
        if start * end < 0 and (odx * -gy + ody * gx) * (odx * (dy - gy) - ody * (dx - gx)) < 0:
            found.add(other)
    return found
