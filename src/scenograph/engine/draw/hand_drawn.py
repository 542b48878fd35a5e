"""The pen of the sketch theme: strokes as if drawn by hand, twice and not quite straight. px.

In: a drawing. Out: the same drawing with two wobbling strokes for every stroke; fills, text and pictures stay. The
noise comes from a hash of the element's id: an element wobbles in the same way on every run and at every place
(R-THEME-7). In the manner of rough.js: segments bow a little, corners miss each other a little, the second stroke
follows the true path more closely than the first.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from hashlib import sha256

from scenograph.engine.drawing import Drawing, DrawnGroup, DrawnItem, PathItem
from scenograph.engine.geometry.boxes import Point
from scenograph.engine.geometry.paths import Close, Cubic, Line, Move, Path, Quadratic, Segment
from scenograph.late_dataclasses import replace

WOBBLE = 1.4  # px; how far the pen strays at most, in the first stroke
FOLLOWING_WOBBLE = 0.8  # px; how far it strays in the second stroke
BOWING = 0.012  # sideways bend of a line, in shares of its length
MAX_BOW = 2.4  # px; the bow of a long line
SHORT_SHARE = 0.04  # of a segment's length: short ones are drawn with more care
SECOND_STROKE_SHARE = 0.75  # of the stroke's width
_PER_BLOCK = 16  # numbers from one hash
_HALF_RANGE = 0x7FFF  # of two bytes: they become a number from -1 to 1


class Noise:
    """An endless sequence of numbers between -1 and 1, determined by a seed."""

    def __init__(self, seed: str) -> None:
        self._seed = seed.encode("utf-8", "surrogatepass")
        self._numbers = self._stream()

    def within(self, reach: float) -> float:
        """The next number, between -reach and reach."""
        return next(self._numbers) * reach

    def near(self, point: Point, reach: float) -> Point:
        """A place at most `reach` px beside `point`, along each axis."""
        return Point(point.x + self.within(reach), point.y + self.within(reach))

    def _stream(self) -> Iterator[float]:
        block = 0
        while True:
            digest = sha256(self._seed + block.to_bytes(4, "big")).digest()
            for i in range(_PER_BLOCK):
                yield int.from_bytes(digest[2 * i : 2 * i + 2], "big") / _HALF_RANGE - 1
            block += 1


def hand_drawn(drawing: Drawing) -> Drawing:
    """The drawing as if by hand."""
    return replace(drawing, groups=tuple(_group(group) for group in drawing.groups))


def _group(group: DrawnGroup) -> DrawnGroup:
    rows = (
        stroke
        for number, item in enumerate(group.items)
        for stroke in _strokes(item, f"{group.id}\n{group.role}\n{number}\n")
    )
    return group._replace(items=tuple(rows))


def _strokes(item: DrawnItem, seed: str) -> Iterator[DrawnItem]:
    if not isinstance(item, PathItem) or item.stroke is None or item.stroke_width <= 0:
        yield item
        return
    path = wobbling(item.path, WOBBLE, Noise(seed + "1"))
    if item.fill is not None:
        yield item._replace(path=path, stroke=None, stroke_width=0.0, dash=())
    first = item._replace(path=path, fill=None, cap="round")
    yield first
    if not item.dash:  # two rows of dashes would fill each other's gaps
        second = wobbling(item.path, FOLLOWING_WOBBLE, Noise(seed + "2"))
        yield first._replace(path=second, stroke_width=item.stroke_width * SECOND_STROKE_SHARE)


def wobbling(path: Path, reach: float, noise: Noise) -> Path:
    """The path with its corners moved by up to `reach` px and its segments bowed; the ends of an open path stay."""
    segments: list[Segment] = []
    for subpath in _subpaths(path):
        segments.extend(_wobbling_subpath(subpath, reach, noise))
    return tuple(segments)


def _subpaths(path: Path) -> Iterator[list[Segment]]:
    """The path cut before each move."""
    part: list[Segment] = []
    for segment in path:
        if isinstance(segment, Move) and part:
            yield part
            part = []
        part.append(segment)
    if part:
        yield part


def _wobbling_subpath(subpath: list[Segment], reach: float, noise: Noise) -> Iterator[Segment]:
    """The moved subpath: each corner moves once for both adjacent segments, and a closed subpath misses its start a
    little."""
    closed = isinstance(subpath[-1], Close)
    drawn = [segment for segment in _with_closing_line(subpath) if not isinstance(segment, Close)]
    true_at = at = drawn[0].to
    for number, segment in enumerate(drawn):
        length = math.dist(true_at, segment.to)
        stray = min(reach, SHORT_SHARE * length) if number else 0.0
        is_end = number in (0, len(drawn) - 1)
        to = segment.to if is_end and not closed else noise.near(segment.to, stray)
        yield Move(to) if isinstance(segment, Move) else _bowed(segment, at, to, noise, stray)
        true_at, at = segment.to, to


def _with_closing_line(subpath: list[Segment]) -> list[Segment]:
    """The subpath with the line drawn by `Close` added, unless of zero length."""
    if not isinstance(subpath[-1], Close) or len(subpath) < 3:
        return subpath
    start, last = subpath[0], subpath[-2]
    if isinstance(start, Close) or isinstance(last, Close) or start.to == last.to:
        return subpath
    return [*subpath[:-1], Line(start.to), subpath[-1]]


def _bowed(segment: Segment, at: Point, to: Point, noise: Noise, stray: float) -> Segment:
    match segment:
        case Cubic():
            return Cubic(noise.near(segment.control1, stray), noise.near(segment.control2, stray), to)
        case Quadratic():
            return Quadratic(noise.near(segment.control, stray), to)
        case _:
            return _bowed_line(at, to, noise)


def _bowed_line(at: Point, to: Point, noise: Noise) -> Cubic:
    """A line bowed sideways, most between a third and two thirds of its length."""
    dx, dy = to.x - at.x, to.y - at.y
    length = math.hypot(dx, dy)
    bow = noise.within(min(BOWING * length, MAX_BOW)) / length if length else 0.0
    early, late = 0.3 + noise.within(0.1), 0.7 + noise.within(0.1)
    return Cubic(
        Point(at.x + early * dx - bow * dy, at.y + early * dy + bow * dx),
        Point(at.x + late * dx - bow * dy, at.y + late * dy + bow * dx),
        to,
    )
