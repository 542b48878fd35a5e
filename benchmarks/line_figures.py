"""Figures of drawn lines, whoever drew them.

In: a picture as boxes and polylines. Out: what a reader minds: crossings, turns, strangers that lie too close, lines
through boxes or near them, or through frames that hold neither end, labels away from their line. Lower is better; px.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import atan2, hypot, pi

Spot = tuple[float, float]
Sides = tuple[float, float, float, float]
"""Left, top, right, bottom."""

CLEARANCE = 16.0
TOLERANCE = 1.0
CLOSE, CLOSER = 6.0, 4.5
TOGETHER = 8.0  # strangers that run beside each other for less only pass
ONE_LINE = 0.5
FAR_LABEL = 12.0
SAME_PLACE = 1.5
AT_END = 4.0
SHORT_JOG = 12.0
LEVEL = 0.6


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """One edge as it is drawn; a curve is given as chords."""

    id: str
    source: str
    target: str
    points: Sequence[Spot]
    label: Sides | None = None


@dataclass(frozen=True, slots=True)
class Picture:
    """Boxes of nodes by id, and lines."""

    nodes: Mapping[str, Sides]
    lines: Sequence[DrawnLine]
    frames: Mapping[str, Sides] = field(default_factory=dict[str, Sides])


Segment = tuple[int, Spot, Spot]


def figures(picture: Picture) -> dict[str, float]:
    """All figures of a picture."""
    drawn = [line for line in picture.lines if len(line.points) > 1]
    segments = [(number, a, b) for number, line in enumerate(drawn) for a, b in pairwise(line.points) if a != b]
    pairs = list(_near_pairs(segments))
    close = _strangers(pairs, drawn)
    through, grazed = _near_boxes(segments, drawn, picture.nodes)
    return {
        "edges": len(drawn),
        "crossings": _crossings(pairs, drawn, picture.nodes),
        "turns": round(sum(_turning(line.points) for line in drawn), 1),
        "close": len(close),
        "closer": sum(gap < CLOSER for gap in close.values()),
        "foreign": _through_frames(segments, drawn, picture),
        "through": through,
        "grazed": grazed,
        "far_labels": sum(_is_far(line) for line in drawn),
        "jogs": sum(_jogs(line.points) for line in drawn),
        "length": round(sum(hypot(b[0] - a[0], b[1] - a[1]) for _, a, b in segments)),
        "area": round(_area(picture) / 1e3),
    }


def _near_pairs(segments: Sequence[Segment]) -> Iterator[tuple[Segment, Segment]]:
    """Segments of different lines whose bounds come within `CLOSE` px of each other."""
    cell = 160.0
    shelves: dict[tuple[int, int], list[int]] = defaultdict(list)
    for number, (_, a, b) in enumerate(segments):
        for i in range(int((min(a[0], b[0]) - CLOSE) // cell), int((max(a[0], b[0]) + CLOSE) // cell) + 1):
            for j in range(int((min(a[1], b[1]) - CLOSE) // cell), int((max(a[1], b[1]) + CLOSE) // cell) + 1):
                shelves[i, j].append(number)
    seen: set[tuple[int, int]] = set()
    for numbers in shelves.values():
        for place, one in enumerate(numbers):
            for other in numbers[place + 1 :]:
                if segments[one][0] != segments[other][0] and (one, other) not in seen:
                    seen.add((one, other))
                    yield segments[one], segments[other]


def _crossings(pairs: Sequence[tuple[Segment, Segment]], drawn: Sequence[DrawnLine], nodes: Mapping[str, Sides]) -> int:
    """Places where two lines cross; meeting at an end that they share is none."""
    found: dict[tuple[int, int], list[Spot]] = {}
    for (one, a, b), (other, c, d) in pairs:
        place = _meeting(a, b, c, d)
        if place is None:
            continue
        key = (min(one, other), max(one, other))
        common = {drawn[one].source, drawn[one].target} & {drawn[other].source, drawn[other].target}
        if any(_is_at(place, nodes[name]) for name in common if name in nodes):
            continue
        places = found.setdefault(key, [])
        if all(abs(place[0] - x) > SAME_PLACE or abs(place[1] - y) > SAME_PLACE for x, y in places):
            places.append(place)
    return sum(map(len, found.values()))


def _meeting(a: Spot, b: Spot, c: Spot, d: Spot) -> Spot | None:
    (dx, dy), (ex, ey) = (b[0] - a[0], b[1] - a[1]), (d[0] - c[0], d[1] - c[1])
    across = dx * ey - dy * ex
    if abs(across) < 0.02 * hypot(dx, dy) * hypot(ex, ey):
        return None
    t = ((c[0] - a[0]) * ey - (c[1] - a[1]) * ex) / across
    u = ((c[0] - a[0]) * dy - (c[1] - a[1]) * dx) / across
    return (a[0] + t * dx, a[1] + t * dy) if 0 < t <= 1 and 0 < u <= 1 else None


def _is_at(place: Spot, box: Sides) -> bool:
    return box[0] - AT_END <= place[0] <= box[2] + AT_END and box[1] - AT_END <= place[1] <= box[3] + AT_END


def _strangers(pairs: Sequence[tuple[Segment, Segment]], drawn: Sequence[DrawnLine]) -> dict[tuple[int, int], float]:
    """Pairs of lines that run beside each other at less than `CLOSE` px, with the least distance. Lines with an end in
    common that lie on one another are a trunk."""
    found: dict[tuple[int, int], float] = {}
    for (one, a, b), (other, c, d) in pairs:
        for across in (0, 1):
            along = 1 - across
            if abs(a[across] - b[across]) > ONE_LINE or abs(c[across] - d[across]) > ONE_LINE:
                continue
            shared = min(max(a[along], b[along]), max(c[along], d[along])) - max(
                min(a[along], b[along]), min(c[along], d[along])
            )
            gap = abs(a[across] - c[across])
            if shared <= TOGETHER or gap >= CLOSE:
                continue
            common = {drawn[one].source, drawn[one].target} & {drawn[other].source, drawn[other].target}
            if not (common and gap <= ONE_LINE):
                key = (min(one, other), max(one, other))
                found[key] = min(gap, found.get(key, CLOSE))
    return found


def _near_boxes(segments: Sequence[Segment], drawn: Sequence[DrawnLine], nodes: Mapping[str, Sides]) -> tuple[int, int]:
    """How many pairs of a line and a node that is not its end touch, and how many come within 16 px."""
    through: set[tuple[int, str]] = set()
    grazed: set[tuple[int, str]] = set()
    shelves: dict[tuple[int, int], list[str]] = defaultdict(list)
    cell = 200.0
    for name, box in nodes.items():
        for i in range(int((box[0] - CLEARANCE) // cell), int((box[2] + CLEARANCE) // cell) + 1):
            for j in range(int((box[1] - CLEARANCE) // cell), int((box[3] + CLEARANCE) // cell) + 1):
                shelves[i, j].append(name)
    for number, a, b in segments:
        near: set[str] = set()
        for i in range(int(min(a[0], b[0]) // cell), int(max(a[0], b[0]) // cell) + 1):
            for j in range(int(min(a[1], b[1]) // cell), int(max(a[1], b[1]) // cell) + 1):
                near.update(shelves.get((i, j), ()))
        for name in near - {drawn[number].source, drawn[number].target}:
            if _length_within(a, b, nodes[name], -TOLERANCE) > TOLERANCE:
                through.add((number, name))
            elif _length_within(a, b, nodes[name], CLEARANCE) > TOLERANCE:
                grazed.add((number, name))
    return len(through), len(grazed - through)


def _through_frames(segments: Sequence[Segment], drawn: Sequence[DrawnLine], picture: Picture) -> int:
    """How many pairs of a line and a frame that holds neither of its ends meet."""
    boxes = {**picture.frames, **picture.nodes}
    at_home = {
        (number, name)
        for number, line in enumerate(drawn)
        for name, frame in picture.frames.items()
        if any(end in boxes and _is_within(boxes[end], frame) for end in (line.source, line.target))
    }
    return len(
        {
            (number, name)
            for number, a, b in segments
            for name, frame in picture.frames.items()
            if (number, name) not in at_home and _length_within(a, b, frame, -TOLERANCE) > TOLERANCE
        }
    )


def _is_within(box: Sides, frame: Sides) -> bool:
    return frame[0] <= box[0] and frame[1] <= box[1] and box[2] <= frame[2] and box[3] <= frame[3]


def _length_within(a: Spot, b: Spot, box: Sides, by: float) -> float:
    """The length of a segment inside a box grown by `by`."""
    enter, leave = 0.0, 1.0
    for axis in (0, 1):
        low, high = box[axis] - by, box[axis + 2] + by
        step = b[axis] - a[axis]
        if abs(step) < 1e-9:
            if not low < a[axis] < high:
                return 0.0
            continue
        first, second = sorted(((low - a[axis]) / step, (high - a[axis]) / step))
        enter, leave = max(enter, first), min(leave, second)
    return max(0.0, leave - enter) * hypot(b[0] - a[0], b[1] - a[1])


def _turning(points: Sequence[Spot]) -> float:
    """How far a line turns on its way, in right angles."""
    ways = [atan2(b[1] - a[1], b[0] - a[0]) for a, b in pairwise(points) if hypot(b[0] - a[0], b[1] - a[1]) > 0.3]
    return sum(abs((b - a + pi) % (2 * pi) - pi) for a, b in pairwise(ways)) / (pi / 2)


def _jogs(points: Sequence[Spot]) -> int:
    """Steps aside of less than 12 px between two level or two upright stretches that go the same way."""
    count = 0
    for a, b, c, d in zip(points, points[1:], points[2:], points[3:], strict=False):
        for along, across in ((0, 1), (1, 0)):
            is_step = abs(a[across] - b[across]) < LEVEL and abs(c[across] - d[across]) < LEVEL
            goes_on = (b[along] - a[along]) * (d[along] - c[along]) > 0
            count += is_step and goes_on and LEVEL < abs(c[across] - b[across]) < SHORT_JOG
    return count


def _is_far(line: DrawnLine) -> bool:
    if line.label is None:
        return False
    return all(_length_within(a, b, line.label, FAR_LABEL) == 0.0 for a, b in pairwise(line.points))


def _area(picture: Picture) -> float:
    boxes = [*picture.nodes.values(), *picture.frames.values()]
    xs = [x for box in boxes for x in (box[0], box[2])] + [p[0] for line in picture.lines for p in line.points]
    ys = [y for box in boxes for y in (box[1], box[3])] + [p[1] for line in picture.lines for p in line.points]
    return (max(xs) - min(xs)) * (max(ys) - min(ys)) if xs else 0.0
