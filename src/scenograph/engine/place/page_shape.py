"""A wished aspect ratio of the page: of several layouts the nearest.

In: a function that lays out everything with an `Arrange` and settings, and the wish. Out: the chosen boxes. Candidates:
the plain layout; its other direction, unless the author named a direction; and both with long flows folded into rows
(columns for downward flow). Promise: a candidate with over one and a half times the plain layout's crossings is never
chosen; there are at most MAX_CANDIDATES candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate, pairwise
from math import inf, log, sqrt
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box, Point, union
from scenograph.engine.geometry.page import MARGIN
from scenograph.engine.place.inventory import Inventory
from scenograph.engine.place.layout_cost import MAX_JUDGED_TIES, layout_cost
from scenograph.engine.place.subgraph import Arrange, Corners, LayoutSettings, Subgraph, whole_box
from scenograph.late_dataclasses import replace

FOLDS = (1, 2, 3, 4, 5, 6, 8)  # rows into which a long flow is folded, the numbers tried
MAX_CANDIDATES = 14  # layouts drawn and judged
FEW_CANDIDATES = 6  # of scenes with more ties than are judged
MORE_CROSSINGS = 1.5  # times those of the first layout, at most
CROSSWISE = {"TB": "LR", "BT": "LR", "LR": "TB", "RL": "TB"}
SIDEWAYS = ("LR", "RL")
BACKWARDS = ("BT", "RL")
RETURN_ROOM = 24.0  # px beside a folded row for the edge to the next row
EVENING_STEPS = 24  # of halving, to find the width of rows

LayOut = Callable[[Callable[[Arrange], Arrange], LayoutSettings], Mapping[str, Box]]
"""The boxes of everything, with the algorithm changed by a function and other settings."""


class _Candidate(NamedTuple):
    boxes: Mapping[str, Box]
    crossings: int
    distance: float
    area: float


def nearest_in_shape(
    lay_out: LayOut, inventory: Inventory, settings: LayoutSettings, wish: float, *, may_turn: bool
) -> Mapping[str, Box]:
    """The boxes of the candidate nearest to the wished width / height."""
    is_judged = len(inventory.ties) <= MAX_JUDGED_TIES
    most = MAX_CANDIDATES if is_judged else FEW_CANDIDATES
    found: list[_Candidate] = []
    for boxes, direction in _layouts(lay_out, settings, wish, may_turn=may_turn):
        crossings = layout_cost(inventory, boxes, direction).crossings if is_judged else 0
        page = (union(boxes.values()) or Box(0.0, 0.0, 0.0, 0.0)).grown(MARGIN)
        candidate = _Candidate(
            boxes, crossings, round(abs(log(page.width / page.height / wish)), 3), page.width * page.height
        )
        found.append(candidate)
        if len(found) == most:
            break
    allowed = MORE_CROSSINGS * found[0].crossings
    return min((one for one in found if one.crossings <= allowed), key=lambda one: (one.distance, one.area)).boxes


def _layouts(
    lay_out: LayOut, settings: LayoutSettings, wish: float, *, may_turn: bool
) -> Iterator[tuple[Mapping[str, Box], str]]:
    """The candidates, plainest first, each with the direction of its flow."""
    directions = [settings.direction, *([CROSSWISE[settings.direction]] if may_turn else [])]
    plain: dict[str, tuple[LayoutSettings, float]] = {}
    for folds in FOLDS:
        for direction in directions:
            if folds == 1:
                boxes = lay_out(_unchanged, replace(settings, direction=direction))
                content = union(boxes.values()) or Box(0.0, 0.0, 1.0, 1.0)
                along = content.width if direction in SIDEWAYS else content.height
                plain[direction] = _shaped(settings, direction, content, wish), along
                yield boxes, direction
                yield lay_out(_unchanged, plain[direction][0]), direction
            else:
                shaped, length = plain[direction]
                yield lay_out(partial(_folding, limit=length / folds), shaped), direction


def _unchanged(arrange: Arrange) -> Arrange:
    return arrange


def _folding(arrange: Arrange, *, limit: float) -> Arrange:
    """The algorithm, with flows longer than the limit folded."""
    return lambda subgraph: folded(subgraph, arrange(subgraph), limit)


def _shaped(settings: LayoutSettings, direction: str, content: Box, wish: float) -> LayoutSettings:
    """The settings with a page of the content's area in the wished shape, for what looks at the page itself: the rows
    of unconnected parts, the columns of a grid, the folding of trees."""
    side = sqrt(max(content.width * content.height, 1.0))
    return replace(settings, direction=direction, page=(side * sqrt(wish), side / sqrt(wish)))


def folded(subgraph: Subgraph, corners: Corners, limit: float) -> Corners:
    """An arrangement with its flow cut into rows of equal length, as near to `limit` px as possible, one after another
    across the flow. Cuts run between boxes, never through a box."""
    settings = subgraph.settings
    is_sideways = settings.direction in SIDEWAYS
    spans = {item.id: _span(whole_box(item, corners[item.id]), is_sideways=is_sideways) for item in subgraph.items}
    steps = _steps(spans, backwards=settings.direction in BACKWARDS)
    count = min(round(_length(steps, spans) / limit), len(steps)) if steps and limit > 0 else 0
    if count < 2:
        return corners
    room = settings.rank_spacing + RETURN_ROOM
    found: dict[str, Point] = {}
    across = 0.0
    for row in _rows(steps, spans, count):
        ids = [one for step in row for one in step]
        start, end = min(spans[one].start for one in ids), max(spans[one].end for one in ids)
        low, high = min(spans[one].low for one in ids), max(spans[one].high for one in ids)
        along = -end if settings.direction in BACKWARDS else -start
        for one in ids:
            dx, dy = (along, across - low) if is_sideways else (across - low, along)
            found[one] = Point(corners[one].x + dx, corners[one].y + dy)
        across += high - low + room
    return found


class _Span(NamedTuple):
    """A box along the flow (start, end) and across the flow (low, high)."""

    start: float
    end: float
    low: float
    high: float


def _span(box: Box, *, is_sideways: bool) -> _Span:
    if is_sideways:
        return _Span(box.x, box.right, box.y, box.bottom)
    return _Span(box.y, box.bottom, box.x, box.right)


def _steps(spans: Mapping[str, _Span], *, backwards: bool) -> list[list[str]]:
    """The ids between clean cuts, in the order of the flow."""
    steps: list[list[str]] = []
    end = -inf
    for one in sorted(spans, key=lambda key: spans[key].start):
        if spans[one].start >= end:
            steps.append([])
        steps[-1].append(one)
        end = max(end, spans[one].end)
    return steps[::-1] if backwards else steps


def _length(steps: Sequence[Sequence[str]], spans: Mapping[str, _Span]) -> float:
    ids = [one for step in steps for one in step]
    return max(spans[one].end for one in ids) - min(spans[one].start for one in ids)


def _rows(steps: Sequence[Sequence[str]], spans: Mapping[str, _Span], count: int) -> list[Sequence[Sequence[str]]]:
    """At most `count` rows, the longest as short as possible."""
    low, high = 0.0, _length(steps, spans)
    for _ in range(EVENING_STEPS):
        middle = (low + high) / 2
        fits = len(_broken(steps, spans, middle)) <= count
        low, high = (low, middle) if fits else (middle, high)
    ends = accumulate(_broken(steps, spans, high))
    return [steps[start:end] for start, end in pairwise([0, *ends])]


def _broken(steps: Sequence[Sequence[str]], spans: Mapping[str, _Span], limit: float) -> list[int]:
    """The number of steps in each row, at least 1."""
    rows: list[int] = []
    begun = 0
    for number in range(len(steps)):
        if rows and _length(steps[begun : number + 1], spans) <= limit:
            rows[-1] += 1
        else:
            rows.append(1)
            begun = number
    return rows
