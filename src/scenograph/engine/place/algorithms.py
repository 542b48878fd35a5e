"""ALGORITHMS: every layout strategy by name, and the two that need no room of their own: `grid` and `forceDirected`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from heapq import heappop, heappush
from itertools import accumulate
from math import atan2, ceil, cos, exp, fsum, inf, log, pi, sin, sqrt
from typing import NamedTuple

from scenograph.engine.geometry.boxes import Box, Point, union
from scenograph.engine.geometry.directions import RIGHTWARDS
from scenograph.engine.geometry.packing import lined_up, pushed_apart
from scenograph.engine.kernels.stress import Uncrossing, Weights, relax
from scenograph.engine.place.incremental.established import BY_THREES, GROWING, Steps
from scenograph.engine.place.layered.hierarchical import flow, hierarchical
from scenograph.engine.place.layered.nesting import RANKINGS, Ranking
from scenograph.engine.place.subgraph import (
    LABEL_ENDS,
    Arrange,
    Corners,
    Item,
    LayoutRecord,
    LayoutSettings,
    Subgraph,
    connected,
)
from scenograph.engine.place.trees import Block, block_of, paged, single

# The algorithm `grid`: rows filled in document order (R-PLACE-7).

MAX_TRIED_COLUMNS = 40  # columns; a wider grid suits no page
TALL = 64.0  # px; items so much lower than the highest of their row stand on a line of their own
GRID_STRETCH = 32.0  # px; the greatest growth of a row for aligned items


WIDEST_GAP = 2.5  # times the spacing of nodes: a gap widened for the shape of a page
EMPTY, FEW_EMPTY = 1.0, 0.2  # price of an empty cell without and with a wished shape


class _GridRow(NamedTuple):
    """The height of a row, and the distance of each item's outset box below the row's top."""

    height: float
    downs: tuple[float, ...]


def grid(subgraph: Subgraph, _record: LayoutRecord) -> Corners:
    """Cells as wide as their column and as high as their row. Each box is centred in its column; boxes of a row are
    aligned, much lower boxes at the top."""
    if not subgraph.items:
        return {}
    columns = subgraph.settings.columns or _fitting_columns(subgraph)
    columns = max(1, min(columns, len(subgraph.items)))
    widths, rows = _cells(subgraph.items, columns)
    across, along = _column_gaps(subgraph, columns), [subgraph.settings.node_spacing] * len(rows)
    if subgraph.settings.cloud is not None:
        _widen(across, along, widths, [row.height for row in rows], subgraph.settings)
    lefts, tops = _starts(widths, across), _starts([row.height for row in rows], along)
    corners: dict[str, Point] = {}
    for number, item in enumerate(subgraph.items):
        row, column = divmod(number, columns)
        x = lefts[column] + (widths[column] - item.whole_width) / 2 + item.outset.left
        y = tops[row] + rows[row].downs[column] + item.outset.top
        corners[item.id] = Point(x, y)
    return corners


def _widen(
    across: list[float], along: list[float], widths: Sequence[float], heights: Sequence[float], settings: LayoutSettings
) -> None:
    """Widen the gaps of columns or rows, at most to WIDEST_GAP, for a wished shape of the cells together."""
    wide, high = fsum((*widths, *across[:-1])), fsum((*heights, *along[:-1]))
    for gaps, lacking in (
        (across, high * (settings.cloud or 1.0) - wide),
        (along, wide / (settings.cloud or 1.0) - high),
    ):
        if lacking > 0 and len(gaps) > 1:
            more = min(lacking / (len(gaps) - 1), (WIDEST_GAP - 1.0) * settings.node_spacing)
            gaps[:] = [gap + more for gap in gaps]


def _cells(items: Sequence[Item], columns: int) -> tuple[list[float], list[_GridRow]]:
    widths = [max(item.whole_width for item in items[column::columns]) for column in range(columns)]
    starts = range(0, len(items), columns)
    return widths, [_row(items[start : start + columns]) for start in starts]


def _row(items: Sequence[Item]) -> _GridRow:
    """A row with aligned items, unless alignment makes the row much higher; else each item centred."""
    tallest = max(item.whole_height for item in items)
    low = [tallest - item.whole_height > TALL for item in items]
    lines = {kind: max(i.above_line for i, own in zip(items, low, strict=True) if own is kind) for kind in {*low}}
    downs = [lines[own] - item.above_line for item, own in zip(items, low, strict=True)]
    height = max(down + item.whole_height for item, down in zip(items, downs, strict=True))
    if height - tallest > GRID_STRETCH:
        downs = [0.0 if own else (tallest - item.whole_height) / 2 for item, own in zip(items, low, strict=True)]
        height = tallest
    return _GridRow(height, tuple(downs))


def _starts(sizes: Sequence[float], gaps: Sequence[float]) -> list[float]:
    return list(accumulate((size + gap for size, gap in zip(sizes[:-1], gaps, strict=False)), initial=0.0))


def _column_gaps(subgraph: Subgraph, columns: int) -> list[float]:
    """The gaps between columns: node spacing, or more for a label between neighbours of a row."""
    gaps = [subgraph.settings.node_spacing] * columns
    number = {item.id: i for i, item in enumerate(subgraph.items)}
    for link in subgraph.links:
        first, second = sorted((number[link.source], number[link.target]))
        if second == first + 1 and second % columns:
            gaps[first % columns] = max(gaps[first % columns], link.label_width + LABEL_ENDS)
    return gaps


def _fitting_columns(subgraph: Subgraph) -> int:
    """The number of columns nearest to the page's aspect ratio; a draw goes to fewer empty cells."""
    count, gap = len(subgraph.items), subgraph.settings.node_spacing
    best, least = 1, inf
    for columns in range(1, min(count, MAX_TRIED_COLUMNS) + 1):
        widths, rows = _cells(subgraph.items, columns)
        width = fsum(widths) + gap * (len(widths) - 1)
        height = fsum(row.height for row in rows) + gap * (len(rows) - 1)
        empty = (ceil(count / columns) * columns - count) * (EMPTY if subgraph.settings.cloud is None else FEW_EMPTY)
        cost = abs(log(max(width, 1.0) / max(height, 1.0) / subgraph.settings.aspect)) + empty / count
        if cost < least:
            best, least = columns, cost
    return best


# The algorithm `forceDirected`: distances on the page follow distances in the graph.
#
# Stress is lowered by stochastic gradient descent (Zheng, Pawar and Goodman, "Graph Drawing by Stochastic Gradient
# Descent", 2018); chance comes from a hash of the seed and the ids. The result is turned to lie along the page. Of up
# to FULL_SIZE items each then goes where lines cross least, as points first, and once more when the boxes have been
# pushed apart and lined up: then also straight beside those it is joined to (R-PLACE-16).

ROUNDS, LEAST_ROUNDS = 30, 8  # of all pairs, at most and at least
MAX_STEPS = 1_000_000  # pairs moved in all rounds together; bounds the time of large scenes
FULL_SIZE = 120  # items up to which every pair counts; beyond, near pairs and pivots do
PIVOTS = 16  # nodes whose distances represent all distances (sparse stress)
NEAR_STEPS = 2.5  # mean lengths of links; nearer pairs count one by one
MOST_NEAR = 24  # items counted as near an item; a hub has thousands two steps away
LAST_STEP = 0.1  # of the shortest distance (both squared): the weight in the last round
SPREAD = 1.0  # times the area needed by the items; a smaller picture is spread to this area
MAX_LINED_UP, LINED_UP = 300, 2  # nodes that are lined up at most, and how often
CROSSED_LENGTHS = 6.0  # mean lengths of a link that a crossing costs, or a line through a box
BENT, STRETCH = 0.5, 0.3  # mean lengths that a bent line costs, and a distance off by as much as it is long
UNCROSSINGS = 6  # rounds in which every item may move, at most
LOOKED_AT = 35_000  # lines and boxes for each item, in each of the two times
NEAR = log(1.25)  # of the wished shape, as a logarithm: beyond it boxes are not set in lines
MOST_DRAWN = 3.0  # times as far apart, or as near, along an axis for the shape of a page
FEWEST = 4  # items with possible crossings in between


class _Pair(NamedTuple):
    first: int
    second: int
    distance: float


def _force_directed(subgraph: Subgraph, _record: LayoutRecord) -> Corners:
    """Connected components, laid out by forces in turn, then packed on the page."""
    blocks = [_component(part) for part in connected(subgraph)]
    return paged(blocks, subgraph.settings.node_spacing, subgraph.settings.aspect).corners


def _component(part: Subgraph) -> Block:
    if len(part.items) == 1:
        return single(part.items[0])
    wishes = _wishes(part)
    points = _turned_to_page(_relaxed(part, wishes), part.settings.aspect)
    if part.settings.cloud is not None:
        points = _bounded(part, points, part.settings.cloud)
    points = _spread(part, points)
    boxes = [_whole_at(item, point) for item, point in zip(part.items, points, strict=True)]
    apart = pushed_apart(_uncrossed(part, wishes, boxes, apart=False), part.settings.node_spacing)
    placed = _uncrossed(part, wishes, _in_lines(part, apart), apart=True)
    if (aspect := part.settings.cloud) is not None:
        # Lengths wished for and lines of boxes may pull a bounded cloud out of its bounds.
        tried = (_drawn_out(one, aspect) for one in (placed, pushed_apart(boxes, part.settings.node_spacing)))
        placed = min(tried, key=lambda boxes: max(NEAR, _missed(boxes, aspect)))
    corners = {
        item.id: Point(box.x + item.outset.left, box.y + item.outset.top)
        for item, box in zip(part.items, placed, strict=True)
    }
    return block_of(part.items, corners)


def _in_lines(part: Subgraph, boxes: Sequence[Box]) -> Sequence[Box]:
    """The boxes set straight beside each other, in small parts."""
    gap = part.settings.node_spacing
    for _ in range(LINED_UP if len(boxes) <= MAX_LINED_UP else 0):  # a second round for changes made meanwhile
        boxes = lined_up(boxes, gap, gap)
    return boxes


def _missed(boxes: Sequence[Box], aspect: float) -> float:
    """By how much the extent of the boxes misses a width / height, as a logarithm."""
    around = union(boxes)
    return 0.0 if around is None else abs(log(around.width / around.height / aspect))


def _uncrossed(part: Subgraph, wishes: _Wishes, boxes: Sequence[Box], *, apart: bool) -> Sequence[Box]:
    """The boxes moved to reduce crossings of their edges; boxes that stand `apart` stay clear of each other."""
    if not FEWEST <= len(boxes) <= FULL_SIZE:
        return boxes
    length = fsum(wishes.rows[first][second] for first, second, _ in wishes.links) / len(wishes.links)
    solids = [(box.center.x, box.center.y, box.width / 2, box.height / 2) for box in boxes]
    drawn = Uncrossing(solids, wishes.links, wishes.rows, part.settings.node_spacing, apart)
    drawn.improve(Weights(length, CROSSED_LENGTHS, BENT, STRETCH), UNCROSSINGS, LOOKED_AT * len(boxes))
    places = zip(boxes, drawn.xs, drawn.ys, strict=True)
    return [box.moved(x - box.center.x, y - box.center.y) for box, x, y in places]


def _whole_at(item: Item, middle: Point) -> Box:
    box = Box(middle.x - item.width / 2, middle.y - item.height / 2, item.width, item.height)
    return box.with_outset(item.outset)


def _relaxed(part: Subgraph, wishes: _Wishes) -> list[Point]:
    pairs, seed = _pairs(part, wishes), part.settings.seed
    order = sorted(pairs, key=lambda pair: _noise(f"{seed}:{part.items[pair.first].id}:{part.items[pair.second].id}"))
    xs, ys = _start(part)
    longest, shortest = max(pair.distance for pair in pairs), min(pair.distance for pair in pairs)
    first_step, last_step = longest * longest, LAST_STEP * shortest * shortest
    rounds = max(LEAST_ROUNDS, min(ROUNDS, MAX_STEPS // len(pairs)))
    decay = log(first_step / last_step) / (rounds - 1)
    steps = [first_step * exp(-decay * number) for number in range(rounds)]
    relax([(pair.first, pair.second, pair.distance) for pair in order], xs, ys, steps)
    return [Point(x, y) for x, y in zip(xs, ys, strict=True)]


def _start(part: Subgraph) -> tuple[list[float], list[float]]:
    """Items on a circle in document order, with a little random deviation."""
    count, radius = len(part.items), part.settings.rank_spacing * len(part.items) / pi
    xs, ys = list[float](), list[float]()
    for number, item in enumerate(part.items):
        angle = 2 * pi * number / count
        away = radius * (1 + 0.2 * _noise(f"{part.settings.seed}:{item.id}"))
        xs.append(away * cos(angle))
        ys.append(away * sin(angle))
    return xs, ys


def _noise(text: str) -> float:
    """A number from 0 to 1 that depends only on the text."""
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=6).digest(), "big") / 2**48


class _Wishes(NamedTuple):
    """The wished distances between items: along links (`near` is the usual length), and in `rows` from each item to all
    items for at most FULL_SIZE items. `links`: the links between two items, each once, with the room for a label
    between neighbouring boxes."""

    neighbours: list[list[tuple[int, float]]]
    near: float
    rows: list[list[float]]
    links: list[tuple[int, int, float]]


def _wishes(part: Subgraph) -> _Wishes:
    number = {item.id: i for i, item in enumerate(part.items)}
    reach = [(item.whole_width + item.whole_height) / 4 for item in part.items]
    neighbours: list[list[tuple[int, float]]] = [[] for _ in part.items]
    rooms: dict[tuple[int, int], float] = {}
    total = 0.0
    for link in part.links:
        a, b = number[link.source], number[link.target]
        label = link.label_width + LABEL_ENDS if link.label_width else 0.0
        length = reach[a] + reach[b] + max(part.settings.rank_spacing, label)
        neighbours[a].append((b, length))
        neighbours[b].append((a, length))
        total += length
        ends = min(a, b), max(a, b)
        rooms[ends] = max(rooms.get(ends, 0.0), label)
    rows = list[list[float]]()
    if len(part.items) <= FULL_SIZE:
        found = [_distances(neighbours, first, inf) for first in range(len(part.items))]
        rows = [[row[other] for other in range(len(row))] for row in found]
    links = [(a, b, rooms[a, b]) for a, b in sorted(rooms)]
    return _Wishes(neighbours, NEAR_STEPS * total / len(part.links), rows, links)


def _pairs(part: Subgraph, wishes: _Wishes) -> list[_Pair]:
    """Pairs with their wished distance: the shortest path along the links."""
    neighbours, near, rows, _ = wishes
    count = len(part.items)
    if rows:
        return [_Pair(i, j, rows[i][j]) for i in range(count) for j in range(i + 1, count)]
    pivots = range(0, count, max(1, count // PIVOTS))
    found: dict[tuple[int, int], float] = {}
    for first in range(count):
        row = _distances(neighbours, first, inf) if first in pivots else _distances(neighbours, first, near, MOST_NEAR)
        for second, distance in row.items():
            if second != first:
                found[min(first, second), max(first, second)] = distance
    return [_Pair(first, second, distance) for (first, second), distance in sorted(found.items())]


def _distances(
    neighbours: Sequence[Sequence[tuple[int, float]]], start: int, limit: float, most: float = inf
) -> dict[int, float]:
    """The shortest paths from `start` by Dijkstra, up to length `limit`, at most `most`."""
    found: dict[int, float] = {}
    heap = [(0.0, start)]
    while heap and len(found) <= most:
        distance, node = heappop(heap)
        if node in found:
            continue
        found[node] = distance
        for other, length in neighbours[node]:
            if other not in found and distance + length <= limit:
                heappush(heap, (distance + length, other))
    return found


def _spread(part: Subgraph, points: Sequence[Point]) -> Sequence[Point]:
    """The cloud, enlarged if too small for all boxes."""
    gap = part.settings.node_spacing
    needed = fsum((item.whole_width + gap) * (item.whole_height + gap) for item in part.items)
    around = union(_whole_at(item, point).grown(gap / 2) for item, point in zip(part.items, points, strict=True))
    held = needed if around is None else around.width * around.height
    scale = sqrt(max(1.0, SPREAD * needed / held))
    return [Point(point.x * scale, point.y * scale) for point in points]


def _bounded(part: Subgraph, points: Sequence[Point], aspect: float) -> list[Point]:
    """The cloud within bounds of this width / height and of its own area, boxes included."""
    around = union(_whole_at(item, point) for item, point in zip(part.items, points, strict=True))
    if around is None:
        return list(points)
    side = sqrt(around.width * around.height)
    wide, high = (max(item.whole_width for item in part.items), max(item.whole_height for item in part.items))
    across = _factor(around.width, side * sqrt(aspect), wide)
    along = _factor(around.height, side / sqrt(aspect), high)
    return [Point(point.x * across, point.y * along) for point in points]


def _drawn_out(boxes: Sequence[Box], aspect: float) -> Sequence[Box]:
    """The boxes moved apart along the axis that is too short for bounds of this width / height."""
    around = union(boxes)
    if around is None:
        return boxes
    wide, high = max(box.width for box in boxes), max(box.height for box in boxes)
    across = max(1.0, _factor(around.width, around.height * aspect, wide))
    along = max(1.0, _factor(around.height, around.width / aspect, high))
    return [box.moved(box.center.x * (across - 1), box.center.y * (along - 1)) for box in boxes]


def _factor(length: float, wished: float, box: float) -> float:
    """How much the middles of boxes of this length move apart to reach a wished extent."""
    return min(MOST_DRAWN, max(1 / MOST_DRAWN, (wished - box) / max(length - box, 1.0)))


def _turned_to_page(points: Sequence[Point], aspect: float) -> list[Point]:
    """The cloud with its long axis turned to the page's long side, the first item left of the last."""
    count = len(points)
    x, y = fsum(point.x for point in points) / count, fsum(point.y for point in points) / count
    xx = fsum((point.x - x) ** 2 for point in points)
    yy = fsum((point.y - y) ** 2 for point in points)
    xy = fsum((point.x - x) * (point.y - y) for point in points)
    angle = -atan2(2 * xy, xx - yy) / 2 + (0.0 if aspect >= 1 else pi / 2)
    turned = [
        Point(
            (point.x - x) * cos(angle) - (point.y - y) * sin(angle),
            (point.x - x) * sin(angle) + (point.y - y) * cos(angle),
        )
        for point in points
    ]
    if turned[0].x > turned[-1].x:
        turned = [Point(-point.x, -point.y) for point in turned]
    return turned


# ALGORITHMS: every layout strategy by name, with the default direction of its flow.


class Algorithm(NamedTuple):
    """One row: the arrangement of a level. `direction`: None leaves the default to the diagram family. `layered`: the
    order across the flow is free, so that crossings may be reduced. `joined`: the steps for inserting the last few of
    many elements into the layout of the rest, so that a new element moves little; None places all at once. `ranking`:
    the ranking of all containers' children, for algorithms that take ranks and orders settled for all containers at
    once; else None."""

    arrange: Arrange
    direction: str | None = None
    layered: bool = False
    ranking: Ranking | None = None
    joined: Steps | None = None


ALGORITHMS: Mapping[str, Algorithm] = {
    "hierarchical": Algorithm(hierarchical, layered=True, ranking=RANKINGS[0], joined=GROWING),
    "flow": Algorithm(flow, direction=RIGHTWARDS, layered=True, joined=GROWING),
    "grid": Algorithm(grid),
    "forceDirected": Algorithm(_force_directed, joined=BY_THREES),
}
