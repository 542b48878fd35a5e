"""Which boxes see each other along an axis. px."""

from __future__ import annotations

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
